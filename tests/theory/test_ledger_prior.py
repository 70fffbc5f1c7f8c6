"""A reader with a prior and all pages of a ledger: against all labelings, weighted."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import rocsolid as rs
from brute_labelings import gives
from rocsolid.answer.answer import Answer
from rocsolid.errors import ExposedError, InputError
from rocsolid.evaluation.public.exposure_limits import Limits
from rocsolid.evaluation.public.prior import (
    PriorExposure,
    joint_prior,
    prior_of_labelings,
    prior_together,
    worst,
)
from rocsolid.evaluation.public.together import Joined
from rocsolid.leaks.release.publications import Publications
from rocsolid.leaks.release.statements import Statements


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "pages.ledger"
    file.touch()
    return file


def drawn(seed: int, n: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    truth = (random.permutation(n) < n // 2).astype(int)
    model = (0.1 + 0.8 * random.random(n) * (0.3 + 0.7 * truth)).round(3)
    score = random.permutation(n) + 2 * truth
    return {"id": list(range(n)), "y": truth.tolist(), "p": model.tolist(), "s": score.tolist()}


def again(table: dict[str, Any], seed: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    score = random.permutation(len(table["y"])) + 2 * np.array(table["y"])
    return table | {"s": score.tolist()}


def document(page: Answer) -> Any:
    return json.loads(json.dumps(page.to_dict()))


def factor(prior: Any, pages: list[tuple[dict[str, Any], Any]]) -> float:
    """Return the largest change of a label's odds, by trying every labeling."""
    odds, (table, _) = np.array(prior) / (1 - np.array(prior)), pages[0]
    positive, negative = np.zeros(len(prior)), np.zeros(len(prior))
    for labels in product((0, 1), repeat=len(prior)):
        label = dict(zip(table["id"], labels, strict=True))
        if all(gives(label, of, page) for of, page in pages):
            weight = float(np.prod(odds ** np.array(labels)))
            positive += weight * np.array(labels)
            negative += weight * (1 - np.array(labels))
    with np.errstate(divide="ignore"):
        ratio = positive / negative / odds
        return float(np.maximum(ratio, 1 / ratio).max())


@pytest.mark.parametrize("seed", [2, 9])
def test_the_factor_is_that_of_every_labeling_that_gives_all_pages(path: Path, seed: int) -> None:
    random = np.random.default_rng(seed)
    table, second = (drawn(seed, 9) | {"s": random.integers(0, 3, 9).tolist()} for _ in "ab")
    given: dict[str, Any] = {"label": "y", "scores": "s", "ledger": path, "id": "id", "prior": "p"}
    listed = rs.publish(table, **given, max_posterior=1)
    coarsest = listed.page(len(listed.offers))  # as the rule would not: it states numbers alone
    pages = [(table, document(coarsest))]
    assert factor(table["p"], pages) == pytest.approx(listed.offers[-1].odds)
    listed = rs.publish(second, **given, max_posterior=1)
    alone = rs.publish(second, label="y", scores="s", prior="p", max_exposed=9)
    differ = False
    for offer in listed.offers:
        page = next(p for p in map(alone.page, range(1, len(alone.offers) + 1))
                    if p.results[0].decimals == offer.decimals)  # fmt: skip
        expected = factor(table["p"], [*pages, (second, document(page))])
        odds = math.inf if offer.odds is None else offer.odds
        assert odds == pytest.approx(expected, rel=1e-9)
        differ |= expected != pytest.approx(factor(table["p"], [(second, document(page))]))
    assert differ


def test_a_page_that_changes_the_odds_too_much_with_an_earlier_page_is_refused(path: Path) -> None:
    table = drawn(3, 12)
    second = again(table, 5)
    columns = ("y", "s")
    first, evaluation = (
        rs.evaluate({name: each[name] for name in columns}, label="y", scores="s")
        for each in (table, second)
    )
    names: dict[str, Any] = {"ledger": path, "id": table["id"]}
    first.public(**names, prior=table["p"], max_posterior=1)
    listed = rs.publish(
        second, label="y", scores="s", ledger=path, id="id", prior="p", max_posterior=1
    )
    least = min(offer.odds for offer in listed.offers)
    alone = evaluation.public(prior=table["p"], max_posterior=1).basis.audit.verdict
    assert "the page changes the odds" in alone
    limit = math.ceil(1000 * max(least / (1 + least), listed.offers[-1].likeliest)) / 1000
    with pytest.raises(ExposedError):
        evaluation.public(**names, prior=table["p"], max_posterior=limit - 0.002)
    passed = evaluation.public(**names, prior=table["p"], max_posterior=limit)
    assert "the page and the earlier publications about its rows change the odds" in (
        passed.basis.audit.verdict
    )


def test_rows_that_left_have_no_prior(path: Path) -> None:
    table = drawn(2, 12)
    first = rs.evaluate({"y": table["y"], "s": table["s"]}, label="y", scores="s")
    first.public(ledger=path, id=table["id"], max_posterior=1)
    fewer = {name: column[1:] for name, column in table.items()}
    with pytest.raises(InputError, match="not in this table, and have no prior") as error:
        rs.publish(fewer, label="y", scores="s", ledger=path, id="id", prior="p")
    assert error.value.value == 1
    more = {name: [*column, *column[:2]] for name, column in table.items()} | {"id": range(14)}
    assert rs.publish(more, label="y", scores="s", ledger=path, id="id", prior="p").offers


def test_rows_that_share_a_label_on_an_earlier_page_have_one_prior() -> None:
    unit = np.array([0, 0, 1])
    assert joint_prior(np.array([0.2, 0.2, 0.4]), unit, 2).tolist() == [0.2, 0.4]
    with pytest.raises(InputError, match="rows that share a label have different priors"):
        joint_prior(np.array([0.2, 0.3, 0.4]), unit, 2)


def joined(random: np.random.Generator, n: int, rankings: int) -> tuple[Joined, Any]:
    """Return pages of rankings, and all labelings that fit them in the order of the units."""
    names = [str(row).encode() for row in range(n)]
    truth = random.permutation(n) < n // 2
    stated = []
    for _ in range(rankings):
        weights = np.array([np.ones(n, dtype=np.int64), 2 * (random.permutation(n) + 1)])
        sums = weights @ truth
        slack = np.array([0, 2 * n])
        stated.append(Statements.of(names, np.arange(n), weights, sums - slack, sums + slack))
    question = Joined.of(stated)
    every = (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(bool)
    return question, every[question.fits(every)]


def largest(every: Any, prior: NDArray[np.float64]) -> float:
    weight = np.prod(np.where(every, prior, 1 - prior), axis=1)
    share = weight @ every / weight.sum()
    with np.errstate(divide="ignore"):
        ratio = share / (1 - share) / (prior / (1 - prior))
        return float(np.maximum(ratio, 1 / ratio).max())


@pytest.mark.parametrize(("rankings", "how"), [(1, "exact"), (2, "drawn")])
def test_the_dynamic_programme_is_exact_and_a_bound_from_draws_holds(
    rankings: int, how: str
) -> None:
    random = np.random.default_rng(rankings)
    question, every = joined(random, 10, rankings)
    prior = 0.1 + 0.8 * random.random(10)
    exposure = prior_together(question, prior, Limits())
    expected = largest(every, prior)
    exact = prior_of_labelings(every, prior, Limits())
    assert exact.factor == pytest.approx(expected)
    assert (exposure.how, exact.how) == (how, "exact")
    if how == "exact":
        assert exposure.factor == pytest.approx(expected)
    elif how == "drawn":
        assert expected <= exposure.factor < 2 * expected
    assert exposure.factor > 1


def test_the_worst_exposure_has_the_largest_factor_and_the_most_labels() -> None:
    def exposure(factor: float, above: int) -> PriorExposure:
        return PriorExposure(np.ones(1), np.ones(1), factor, above, "exact", Limits())

    both = worst((exposure(3.0, 1), exposure(5.0, 0)))
    assert (both.factor, both.above) == (5.0, 1)
    assert not both.holds


def test_the_command_line_takes_a_prior_with_a_ledger(path: Path, tmp_path: Path) -> None:
    from rocsolid.cli.app import run

    table = drawn(3, 12)
    rows = zip(*(table[name] for name in ("id", "y", "p", "s")), strict=True)
    file = tmp_path / "t.csv"
    file.write_text("id,y,p,s\n" + "".join(f"r{i},{y},{p},{s}\n" for i, y, p, s in rows))
    words = [str(file), "--label", "y", "--score", "s", "--ledger", str(path), "--id", "id"]
    assert run(["publish", *words, "--prior", "p", "--max-posterior", "1", "--choose", "1"]) == 0
    with Publications.open(path) as ledger:
        assert len(ledger.read()) == 1
