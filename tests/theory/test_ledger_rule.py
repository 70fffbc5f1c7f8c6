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


def test_a_refusal_of_all_labelings_tells_nothing_and_is_not_recorded(path: Path) -> None:
    truth = np.array([1, 0, 0, 0, 0, 0, 0, 1, 0])  # two positives are likelier than .6 negative
    refused(path, np.arange(9), 0.6, truth)
    with Publications.open(path) as ledger:
        assert ledger.read() == ()


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
