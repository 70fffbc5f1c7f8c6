"""A reader with a prior: against all labelings, weighted and tried one by one."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import rocsolid as rs
from brute_labelings import gives
from rocsolid.cli.app import run
from rocsolid.errors import ExposedError, InputError
from rocsolid.evaluation.public import prior
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.draws import Draws
from rocsolid.evaluation.public.exact_readers import exact_readers
from rocsolid.evaluation.public.ladder import PublicPages
from rocsolid.evaluation.public.prior import PriorExposure, prior_exposure


def drawn(seed: int, n: int, scores: str = "a") -> dict[str, Any]:
    random = np.random.default_rng(seed)
    truth = (random.permutation(n) < n // 2).astype(int)
    values = {s: (random.integers(0, 3 * n, n) + n * truth).tolist() for s in scores}
    # a model that knows something, and is wrong about some rows
    model = (0.1 + 0.8 * random.random(n) * (0.3 + 0.7 * truth)).round(3).tolist()
    return {"id": list(range(n)), "y": truth.tolist(), "p": model, **values}


def posterior(table: dict[str, Any], page: Any, units: list[int]) -> NDArray[np.float64]:
    """Return P(label = 1) of each unit, with each labeling weighted by its prior probability."""
    of_unit = dict(zip(units, table["p"], strict=True))
    names = sorted(of_unit)
    total, positive = 0.0, np.zeros(len(names))
    for labels in product((0, 1), repeat=len(names)):
        label = dict(zip(names, labels, strict=True))
        of_row = {row: label[unit] for row, unit in zip(table["id"], units, strict=True)}
        if gives(of_row, table, page):
            weight = float(np.prod([of_unit[u] if label[u] else 1 - of_unit[u] for u in names]))
            total += weight
            positive += weight * np.array(labels)
    return positive / total


def factor(before: Any, after: NDArray[np.float64]) -> float:
    with np.errstate(divide="ignore"):
        ratio = after / (1 - after) / (np.array(before) / (1 - np.array(before)))
        return float(np.maximum(ratio, 1 / ratio).max())


def pages(table: dict[str, Any], scores: Any = "a", **options: Any) -> PublicPages:
    given = {name: table[name] for name in table if name not in ("id", "p")}
    evaluation = rs.evaluate(given, label="y", scores=scores, **options)
    return PublicPages.of(evaluation.basis, 0, 0.95, None, prior=table["p"])


@pytest.mark.parametrize("seed", range(3))
def test_the_factor_of_each_page_is_that_of_every_labeling(seed: int) -> None:
    table = drawn(seed, 9)
    listed = rs.publish(table, label="y", scores="a", prior="p", max_exposed=9)
    for offer in listed.offers:
        page = json.loads(json.dumps(listed.page(offer.number).to_dict()))
        expected = posterior(table, page, table["id"])
        # labels that are certain are so whatever the prior is
        assert offer.odds == pytest.approx(factor(table["p"], expected), rel=1e-9)
    assert listed.offers


@pytest.mark.parametrize("design", ["cluster", "frequency"])
def test_a_unit_has_one_prior(design: str) -> None:
    table = drawn(4, 9)
    if design == "cluster":
        units = [0, 0, 1, 2, 3, 3, 3, 4, 5]
        table |= {"c": units, "y": [1, 1, 0, 1, 0, 0, 0, 1, 0]}
        table["p"] = [0.2 + 0.1 * unit for unit in units]
        ladder = pages(table, cluster="c")
    else:
        units = table["id"]
        table["f"] = [1, 2, 1, 0, 3, 1, 2, 1, 1]
        ladder = pages(table, frequency="f")
        kept = [row for row in range(9) if table["f"][row]]
        table = {name: [column[row] for row in kept] for name, column in table.items()}
        units = table["id"]
    for coarseness, proof in ladder.each():
        page = json.loads(json.dumps(ladder.page(coarseness, proof).to_dict()))
        expected = posterior(table, page, units)
        of_unit = dict(zip(units, table["p"], strict=True))
        assert proof.prior is not None
        assert proof.prior.how == "exact"
        assert proof.prior.factor == pytest.approx(
            factor([of_unit[unit] for unit in sorted(of_unit)], expected), rel=1e-9
        )
    if design == "cluster":
        with pytest.raises(InputError, match="rows that share a label have different priors"):
            pages(table | {"p": [0.3, 0.4, *table["p"][2:]]}, cluster="c")


def barest(ladder: PublicPages) -> Candidate:
    return Candidate(ladder.evaluation, ladder.stages[-1].bare)


def exposure(ladder: PublicPages, page: Candidate) -> PriorExposure:
    assert ladder.prior is not None
    return prior_exposure(page, ladder.prior, ladder.limits)


def of_two_scores(ladder: PublicPages) -> Candidate:
    two = [stage.bare for stage in ladder.stages if stage.bare.scores == 2][-1]
    return Candidate(ladder.evaluation, replace(two, comparisons=False))


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "how"), [(6, "drawn"), (5, "independent")])
def test_two_scores_are_drawn_and_the_bound_holds(seed: int, how: str) -> None:
    random = np.random.default_rng(seed)
    table = drawn(5, 12) | {score: random.permutation(12).tolist() for score in "ab"}
    ladder = pages(table, ["a", "b"])
    page = of_two_scores(ladder)
    expected = factor(table["p"], posterior(table, json.loads(page.text), table["id"]))
    found = exposure(ladder, page)
    assert found.how == how
    if how == "drawn":
        assert expected <= found.factor < 2 * expected
        table["p"] = [1 - p for p in table["p"]]  # the odds of other labels fall
        other = posterior(table, json.loads(page.text), table["id"])
        assert ladder.prior is not None
        found = prior_exposure(page, 1 - ladder.prior, ladder.limits)
        assert factor(table["p"], other) <= found.factor < 2 * factor(table["p"], other)
        for before, after in zip(found.before.tolist(), found.after, strict=True):
            row = int(np.abs(np.array(table["p"]) - before).argmin())
            assert factor(before, after) >= factor(before, other[row])
    else:  # labels are certain, which no draws show
        assert expected == np.inf
        assert not found.holds
        assert found.factor > 1000


def test_labels_that_are_the_same_in_all_draws_are_suspected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = drawn(3, 10, "ab") | {"p": [0.4] * 10}
    ladder = pages(table, ["a", "b"])
    draws = Draws(np.array([1.0] + [0.5] * 9), 4000, np.ones(10), 4000)
    monkeypatch.setattr(prior, "drawn", lambda *_: draws)
    found = exposure(ladder, of_two_scores(ladder))
    assert found.how == "independent"
    assert found.factor >= 8001 * 0.6 / 0.4 * 0.999


def test_with_an_even_prior_all_labelings_are_equally_likely() -> None:
    table = drawn(6, 40) | {"p": [0.5] * 40}
    page = barest(pages(table))
    known = exact_readers(page)
    assert known is not None
    likeliest = known.surest.max()
    assert exposure(pages(table), page).factor == pytest.approx(likeliest / (1 - likeliest))


def test_weights_are_attacked() -> None:
    table = drawn(7, 300, "ab") | {"w": list(range(1, 301))}
    ladder = pages(table, sample_weight="w")
    found = exposure(ladder, barest(ladder))
    assert found.how == "independent"
    assert "by an attack that draws labels or treats them" in found.sentence
    assert 1 < found.factor < 100


def surprised() -> dict[str, Any]:
    """Return a table whose labels are all unlikely a priori."""
    random = np.random.default_rng(0)
    truth = (random.permutation(16) < 8).astype(int)
    score = (random.integers(0, 48, 16) + 4.8 * truth).tolist()
    return {"y": truth.tolist(), "a": score, "p": [0.3 if label else 0.7 for label in truth]}


def test_a_page_that_changes_the_odds_too_much_is_refused_with_the_limit() -> None:
    table = surprised()
    evaluation = rs.evaluate({k: table[k] for k in "ya"}, label="y", scores="a")
    given = {"max_posterior": 0.83}
    assert evaluation.public(**given).results
    with pytest.raises(ExposedError, match="for a reader who believed the prior") as error:
        evaluation.public(**given, prior=table["p"])
    found = re.search(r"max_posterior=([\d.]+)", str(error.value))
    assert found is not None
    passed = evaluation.public(max_posterior=float(found[1]), prior=table["p"])
    audit = passed.basis.audit
    assert "For a reader who believed the prior, the page changes the odds" in audit.verdict
    (changed,) = [table for table in audit.tables if "believed the prior" in table.caption]
    assert all(before in ("0.300", "0.700") for before, _ in changed.rows)
    with pytest.raises(ExposedError):
        evaluation.public(max_posterior=float(found[1]) - 0.002, prior=table["p"])


@pytest.mark.parametrize("limit", [0.79, 0.83, 0.9])
def test_a_page_passes_if_both_readers_let_it(limit: float) -> None:
    table = surprised()
    listed = rs.publish(table, label="y", scores="a", max_posterior=limit, prior="p")
    for offer in listed.offers:
        inside = offer.likeliest <= limit and offer.odds <= limit / (1 - limit)
        assert offer.passes == (inside and offer.certain == 0)
    without = rs.publish(table, label="y", scores="a", max_posterior=limit)
    assert all(offer.odds is None for offer in without.offers)


@pytest.mark.parametrize(
    ("believed", "message"),
    [
        ([0.0] + [0.5] * 19, "above 0 and below 1"),
        ([float("nan")] + [0.5] * 19, "above 0 and below 1"),
        ([0.5] * 19, "each row of the table needs one probability"),
    ],
)
def test_other_priors_are_refused(believed: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        pages(drawn(1, 20) | {"p": believed})


def test_the_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    table = surprised()
    rows = zip(*(table[name] for name in "ypa"), strict=True)
    Path("t.csv").write_text("y,p,a\n" + "".join(f"{y},{p},{a}\n" for y, p, a in rows))
    words = ["t.csv", "--label", "y", "--score", "a", "--prior", "p", "--max-posterior", "0.99"]
    listed = rs.publish("t.csv", label="y", scores="a", prior="p", max_posterior=0.99)
    assert run(["publish", *words, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    odds = [offer.odds for offer in listed.offers]
    assert [offer["odds"] for offer in shown["offers"]] == [
        each if each < np.inf else None for each in odds
    ]
    assert run(["publish", *words]) == 0
    assert "changes the odds of a label" in " ".join(capsys.readouterr().out.split())
    assert run(["evaluate", *words, "--public", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(listed.page().to_dict()))


def test_the_most_changed_labels_come_first() -> None:
    ladder = pages(drawn(3, 12))
    found = exposure(ladder, barest(ladder))
    factors = [factor(b, np.array(a)) for b, a in zip(found.before, found.after, strict=True)]
    assert factors == sorted(factors, reverse=True)
    assert factors[0] == pytest.approx(found.factor)
