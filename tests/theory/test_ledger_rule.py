"""The rule of a ledger on small tables, against labelings counted by hand."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import ExposedError
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.exposure_limits import Limits
from rocsolid.evaluation.public.ladder import PublicPages
from rocsolid.evaluation.public.together import Joined
from rocsolid.leaks.release.publications import Publications
from rocsolid.leaks.release.statements import Statements

ONES = np.array([1] * 4 + [0] * 5)
TRUTH = np.array([1] + [0] * 4 + [1] * 4)
EVERY = np.array([np.isin(np.arange(9), chosen) for chosen in combinations(range(9), 5)])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "pages.ledger"
    file.touch()
    return file


def evaluated(score: Any, truth: Any = TRUTH) -> rs.Answer:
    return rs.evaluate({"y": truth, "s": score}, label="y", scores="s")


def ladder(path: Path, score: Any, limit: float = 0.8, truth: Any = TRUTH) -> PublicPages:
    names = [f"r{row}" for row in range(len(truth))]
    return PublicPages.of(evaluated(score, truth).basis, 0, limit, None, path, names)


def surest(labelings: Any) -> Any:
    share = labelings.mean(axis=0)
    return np.maximum(share, 1 - share)


def refused(path: Path, score: Any, limit: float, truth: Any = TRUTH) -> None:
    names = [f"r{row}" for row in range(len(truth))]
    with pytest.raises(ExposedError):
        evaluated(score, truth).public(ledger=path, id=names, max_posterior=limit)


def test_a_page_after_a_refusal_is_judged_for_who_knows_the_refusal_and_who_does_not(
    path: Path,
) -> None:
    """The refusal is that of `test_public_ledger`: none, one or four of the ones are positive."""
    refused(path, ONES, 0.8)
    left = np.isin(EVERY[:, :4].sum(axis=1), (0, 1, 4))
    score = np.array([3, 1, 2, 4, 3, 1, 2, 2, 1])
    opened = ladder(path, score, 1)
    assert opened.every is not None
    values = [rs.auc(labels.astype(int), score).value for labels in EVERY]
    pages = 0
    for coarseness, proof in opened.each():
        places = coarseness.places(1)
        mine = round(rs.auc(TRUTH, score).value, places)
        same = np.array([round(value, places) == mine for value in values])
        expected = np.maximum(surest(EVERY[same]), surest(EVERY[same & left]))
        assert np.allclose(proof.surest, expected)
        assert (surest(EVERY[same]) != surest(EVERY[same & left])).any()
        assert proof.labelings == same.sum()
        pages += 1
    assert pages


def test_a_refusal_of_all_labelings_counts_as_its_class_sizes(path: Path) -> None:
    truth = np.array([1, 0, 0, 0, 0, 0, 0, 1, 0])  # two positives are likelier than .6 negative
    refused(path, np.arange(9), 0.6, truth)
    with Publications.open(path) as ledger:
        (refusal,) = ledger.read()
    assert refusal.statements.refused
    assert refusal.statements.labelings is not None
    assert refusal.statements.labelings.shape == (36, 9)
    assert set(refusal.statements.labelings.sum(axis=1).tolist()) == {2}


def public(path: Path, table: dict[str, Any], limit: float, **options: Any) -> Any:
    """Return the page in JSON, or "refused"."""
    given = {name: column for name, column in table.items() if name not in ("id", "prior")}
    evaluation = rs.evaluate(given, label="y", scores="s", **options)
    prior = {"prior": table["prior"]} if "prior" in table else {}
    try:
        return evaluation.public(
            ledger=path, id=table["id"], max_posterior=limit, **prior
        ).to_dict()
    except ExposedError:
        return "refused"


@pytest.mark.parametrize("new", [0, 1])
def test_a_row_that_comes_after_a_refusal_of_all_labelings_is_not_certain(
    path: Path, new: int
) -> None:
    """A constant score with 1 positive of 21 is refused, and with 2 it would be published."""
    table = {"y": np.eye(1, 22, 4, dtype=int)[0], "s": np.ones(22), "id": np.arange(22)}
    table["y"][21] = new
    assert public(path, {name: column[:21] for name, column in table.items()}, 0.95) == "refused"
    assert public(path, table, 0.95) == "refused"


def test_a_page_that_reports_rows_excludes_clusters_with_one_label(path: Path) -> None:
    cluster, names = np.array([0, 0, 1, 1, 2, 3]), np.arange(6)
    labels = np.array([np.isin(names, chosen) for chosen in combinations(names, 3)])
    mixed = (labels[:, 0] != labels[:, 1]) | (labels[:, 2] != labels[:, 3])
    score = np.array([0, 2, 0, 1, 3, 1])
    table = {"y": labels[7].astype(int), "s": score, "c": cluster, "id": names}
    assert mixed[7]
    page = public(path, table, 0.95, measures="precision@2", cluster="c")
    assert page["unit"] == "row"
    with Publications.open(path) as ledger:
        (stated,) = (each.statements for each in ledger.read())
        columns = dict(zip(stated.ids, stated.unit.tolist(), strict=True))
        place = [columns[name] for name in ledger.named(map(str, names))]
    top = [rs.precision(each.astype(int), score, k=2).value for each in labels]
    same = np.array([value == top[7] for value in top])
    assert stated.giving is not None
    listed = {tuple(each) for each in stated.giving[:, place].tolist()}
    assert listed == {tuple(each) for each in labels[same & mixed].tolist()}
    assert (same & ~mixed).any()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            {"cluster": True, "measures": "precision@2", "s": (0, 2, 0, 1, 3, 1)},
            {"measures": "pr_auc", "s": (2, 8, 6, 5, 3, 8)},
        ),
        ({"prior": (0.87, 0.81, 0.44, 0.74, 0.23, 0.84)}, {}),
    ],
)
def test_a_page_after_a_page_or_a_refusal_exposes_no_label(
    path: Path, first: dict[str, Any], second: dict[str, Any]
) -> None:
    """All labelings are published twice; who knows the rule and the outcomes knows no label."""
    n, limit = 6, 0.95
    random = np.random.default_rng(4)
    cluster = np.array([0, 0, 1, 1, 2, 3])
    scores = [random.integers(0, 9, n).astype(float) for _ in range(2)]
    alike: dict[str, list[Any]] = {}
    for number in range(1 << n):
        labels = (number >> np.arange(n) & 1).astype(int)
        if labels.sum() != 3:
            continue
        path.write_bytes(b"")
        shown = []
        for score, options in zip(scores, (first, second), strict=True):
            table = {"y": labels, "s": np.array(options.get("s", score)), "id": np.arange(n)}
            how: dict[str, Any] = {"measures": options.get("measures", "auc")}
            if "cluster" in options:
                table["c"], how["cluster"] = cluster, "c"
            if "prior" in options:
                table["prior"] = np.array(options["prior"])
            page = public(path, table, limit, **how)
            kept = ("unit", "results", "curves")
            shown.append(page if page == "refused" else str([page[name] for name in kept]))
        alike.setdefault(str(shown), []).append((labels, shown))
    for group in alike.values():
        shown = group[0][1]
        if shown[-1] != "refused":
            assert surest(np.array([labels for labels, _ in group])).max() <= limit
    assert any(group[0][1][0] == "refused" for group in alike.values())
    assert any(outcome != "refused" for group in alike.values() for outcome in group[0][1])


def test_limits_are_compared_as_they_are_said() -> None:
    posterior = np.array([0.5, 0.8, 0.9])
    assert Limits(0, 0.9).holds(posterior)
    assert not Limits(0, 0.899).holds(posterior)
    assert Limits(1, 0.8).holds(posterior)
    assert not Limits(0, 1.0).holds(np.array([0.5, 1.0]))


def test_a_page_repeats_an_earlier_page_only_about_the_same_units(path: Path) -> None:
    score = np.array([1, 2, 3, 3, 4, 4, 5, 6, 7])
    names = [f"r{row}" for row in range(9)]
    evaluated(score).public(ledger=path, id=names, max_posterior=1, max_exposed=9)
    again = ladder(path, score, 1)
    assert again.ledger is not None
    page = Candidate(again.evaluation, again.stages[-1].bare)
    assert again.ledger.repeats(page)
    assert not again.ledger.repeats(
        Candidate(ladder(path, score[::-1].copy(), 1).evaluation, page.coarseness)
    )
    tied = np.ones(9)  # so that all rows have equal weights in every line
    evaluated(tied).public(ledger=path, id=names, max_posterior=1, max_exposed=9)
    others = PublicPages.of(evaluated(tied).basis, 0, 1, None, path, [*names[:8], "new"])
    assert others.ledger is not None
    assert not others.ledger.repeats(Candidate(others.evaluation, page.coarseness))
    fewer = PublicPages.of(evaluated(score[:8], TRUTH[:8]).basis, 0, 1, None, path, names[:8])
    assert fewer.ledger is not None
    assert not fewer.ledger.repeats(Candidate(fewer.evaluation, page.coarseness))


def test_rows_of_another_page_have_no_place_in_the_order_of_the_last() -> None:
    def about(rows: range, lines: int) -> Statements:
        names = [str(row).encode() for row in rows]
        ranks = 2 * np.arange(1, len(rows) + 1)
        weights = np.array([np.ones(len(rows), dtype=np.int64), ranks])[:lines]
        low, high = np.array([2, 8])[:lines], np.array([2, 10])[:lines]
        return Statements.of(names, np.arange(len(rows)), weights, low, high)

    assert Joined.of([about(range(5), 2), about(range(5), 2)]).by_order() is not None
    assert Joined.of([about(range(5), 2), about(range(5), 1)]).by_order() is not None
    assert Joined.of([about(range(6), 1), about(range(5), 1)]).by_order() is None
    assert Joined.of([about(range(6), 2), about(range(5), 2)]).by_order() is None
