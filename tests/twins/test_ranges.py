"""Sums over ascending ranges of scores against the plain definitions, however the rows are cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.summaries.binary_summary import Fingerprint
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.summaries.ranges.cluster_sums import (
    ClusterInfluences,
    ClusterRuns,
    glued,
    table_of_sorted,
)
from rocsolid.summaries.ranges.range_placements import RangePlacements, RangeWeights
from rocsolid.summaries.score_counts import ScoreCounts, thinned
from rocsolid.summaries.weighted_placements import WeightedPlacements
from samples import labelled_scores

Rows = tuple[NDArray[np.bool_], NDArray[Any]]
Cuts = list[int]

CUTS = st.lists(st.integers(0, 24), max_size=6).map(sorted)
WEIGHTS = st.lists(st.sampled_from([0.0, 0.25, 1.0, 3.0]), min_size=24, max_size=24)


def parts(cuts: Cuts, *columns: NDArray[Any]) -> Iterator[tuple[NDArray[Any], ...]]:
    """The same columns, cut at these places; some parts may be empty."""
    for begin, end in zip([0, *cuts], [*cuts, None], strict=True):
        yield tuple(column[begin:end] for column in columns)


def ascending(y: NDArray[np.bool_], s: NDArray[Any]) -> Rows:
    order = np.argsort(s, kind="stable")
    return y[order], s[order]


def tables(y: NDArray[np.bool_], s: NDArray[Any], cuts: Cuts) -> list[ScoreCounts]:
    return [table for (table,) in glued((table_of_sorted(b, a),) for a, b in parts(cuts, y, s))]


@given(labelled_scores(), CUTS)
def test_glued_tables_are_the_table_of_the_whole(rows: Rows, cuts: Cuts) -> None:
    y, s = ascending(*rows)
    whole = ScoreCounts.from_arrays(y, s)
    found = tables(y, s, cuts)
    for name in ("score", "pos", "neg"):
        joined = np.concatenate([getattr(table, name) for table in found])
        assert np.array_equal(joined, getattr(whole, name))
        assert joined.dtype == getattr(whole, name).dtype


@given(labelled_scores(), CUTS)
def test_placements_of_ranges_add_up(rows: Rows, cuts: Cuts) -> None:
    y, s = ascending(*rows)
    found = RangePlacements()
    for table in tables(y, s, cuts):
        found = found.then(RangePlacements.of(table))
    assert found.placements == Placements.from_sorted(SortedClasses.from_arrays(y, s))


def test_sums_over_ten_to_the_eleven_rows_are_exact() -> None:
    """A thousand ranges alike, of ties of millions of rows, against the sums in closed form."""
    pos, neg = np.array([10_000_003, 39_999_998]), np.array([30_000_001, 20_000_011])
    one = RangePlacements.of(ScoreCounts(np.array([0.0, 1.0]), pos, neg))
    ranges, m, n = 1000, int(pos.sum()), int(neg.sum())
    found = RangePlacements()
    for _ in range(ranges):
        found = found.then(one)
    doubled = [int(neg[0]), 2 * int(neg[0]) + int(neg[1])]  # of a positive within its range
    below = sum(count * value for count, value in zip(pos.tolist(), doubled, strict=True))
    squares = sum(count * value**2 for count, value in zip(pos.tolist(), doubled, strict=True))
    under_it = 2 * n  # what each range below adds to a doubled placement
    first = sum(range(ranges))
    second = sum(k * k for k in range(ranges))
    assert found.below == ranges * below + under_it * m * first
    assert found.below_squares == (
        ranges * squares + 2 * under_it * below * first + under_it**2 * m * second
    )
    assert found.placements.ratio[1] == 2 * (ranges * m) * (ranges * n) > 10**21


@given(labelled_scores(), CUTS, WEIGHTS)
def test_weights_of_ranges_add_up(rows: Rows, cuts: Cuts, weights: list[float]) -> None:
    y, s = ascending(*rows)
    w = np.array(weights[: len(s)])
    w[[int(np.argmax(y)), int(np.argmin(y))]] = 1.0
    found = RangeWeights()
    powers = (
        tuple(table_of_sorted(b, a, c**power) for power in (1, 2, 4))
        for a, b, c in parts(cuts, y, s, w)
    )
    for tables in glued(powers):
        found = found.then(RangeWeights.of(*tables))
    wanted = WeightedPlacements.from_arrays(y, s, w).moments
    for name in ("auc", "var_pos", "var_neg", "n_pos", "n_neg"):
        assert getattr(found.moments, name) == pytest.approx(
            getattr(wanted, name), rel=1e-12, abs=1e-15, nan_ok=True
        )
    assert found.moments.units is not None
    assert wanted.units is not None
    assert found.moments.units.pos == pytest.approx(wanted.units.pos, rel=1e-12)
    assert found.moments.units.neg == pytest.approx(wanted.units.neg, rel=1e-12)


@given(labelled_scores(), CUTS, st.lists(st.integers(0, 4), min_size=24, max_size=24), WEIGHTS)
def test_cluster_sums_by_definition(
    rows: Rows, cuts: Cuts, clusters: list[int], weights: list[float]
) -> None:
    """Twice the pairs won within each cluster's rows, ties once; integers without weights."""
    y, s = ascending(*rows)
    c = np.array(clusters[: len(s)])
    for w in (None, np.array(weights[: len(s)])):
        runs = ClusterRuns.empty(5, 2 * len(s) ** 2 if w is None else None)
        for a, b, code, weight in parts(cuts, y, s, c, np.ones(len(s)) if w is None else w):
            runs.add(b, a, code, None if w is None else weight)
        found = runs.finished()
        each = np.ones(len(s), dtype=np.int64) if w is None else w
        below = [
            each[i] * sum(
                each[j] * (2 * int(s[j] < s[i]) + int(s[j] == s[i]))
                for j in range(len(s)) if y[j] != y[i]
            )
            for i in range(len(s))
        ]  # fmt: skip
        present = np.unique(c)
        for name, values, of_class in (
            ("pos", each, y), ("neg", each, ~y), ("below", below, y), ("under", below, ~y)
        ):  # fmt: skip
            wanted = [np.sum(np.array(values)[of_class & (c == k)]) for k in present]
            assert getattr(found, name).tolist() == pytest.approx(wanted, rel=1e-13)
        assert (found.below.dtype.kind == "i") == (w is None)


@given(labelled_scores(), st.lists(st.integers(0, 4), min_size=24, max_size=24), WEIGHTS)
def test_the_variance_of_clusters_in_three_ways(
    rows: Rows, clusters: list[int], weights: list[float]
) -> None:
    """Rows in memory, sums of ranges with parts of the clusters, and batches of sorted rows."""
    y, s = ascending(*rows)
    c = np.unique(clusters[: len(s)], return_inverse=True)[1].astype(np.int64)
    w = np.array(weights[: len(s)])
    w[[int(np.argmax(y)), int(np.argmin(y))]] = 1.0
    wanted = WeightedPlacements.from_arrays(y, s, w).clustered_moments(c)
    size = int(c.max()) + 1
    runs = ClusterRuns.empty(size, None)
    runs.add(s, y, c, w)
    sums = runs.finished()
    m, n = float(sums.pos.sum()), float(sums.neg.sum())
    auc = float(sums.below.sum() / (2.0 * m * n))
    pulls = ClusterInfluences()
    for some in (np.arange(size) < 2, np.arange(size) >= 2):
        few = sums.subset(some)
        pulls += ClusterInfluences.of(few.pos, few.neg, few.below, few.under, (m, n, auc))
    for found in (sums.influences.moments(sums.auc), pulls.moments(auc)):
        for name in ("auc", "var_pos", "var_neg", "n_pos", "n_neg"):
            assert getattr(found, name) == pytest.approx(
                getattr(wanted, name), rel=1e-12, abs=1e-14, nan_ok=True
            )
        assert found.units is not None
        assert wanted.units is not None
        for name in ("pos", "neg", "both", "misplaced"):
            assert getattr(found.units, name) == pytest.approx(
                getattr(wanted.units, name), rel=1e-9, abs=1e-12
            )


def test_a_tie_longer_than_any_batch_takes_room_by_cluster_only() -> None:
    runs = ClusterRuns.empty(2, 10**6)
    for _ in range(50):
        runs.add(np.zeros(10), np.arange(10) % 2 == 0, np.arange(10) % 2)
    assert runs._open is not None
    assert len(runs._open[1]) == 2
    found = runs.finished()
    assert found.below.tolist() == [250 * 250, 0]
    assert found.under.tolist() == [0, 250 * 250]


@given(labelled_scores(), CUTS, st.integers(1, 30))
def test_thinned_tables_keep_the_rates_at_their_scores(
    rows: Rows, cuts: Cuts, entries: int
) -> None:
    y, s = ascending(*rows)
    whole = ScoreCounts.from_arrays(y, s)
    found = thinned(tables(y, s, cuts), whole.n_pos, whole.n_neg, entries)
    assert found.score[0] == whole.score[0]
    assert (found.n_pos, found.n_neg) == (whole.n_pos, whole.n_neg)
    above = {
        score: (whole.pos[i:].sum(), whole.neg[i:].sum())
        for i, score in enumerate(whole.score.tolist())
    }
    for i, score in enumerate(found.score.tolist()):
        assert (found.pos[i:].sum(), found.neg[i:].sum()) == above[score]
    assert len(found) <= entries + 1
    # nothing is passed over that is as wide as an entry
    share = found.pos / whole.n_pos + found.neg / whole.n_neg
    last = np.searchsorted(whole.score, found.score[1:]) - 1
    widest = whole.pos[last] / whole.n_pos + whole.neg[last] / whole.n_neg
    assert np.all(share[:-1] - widest <= 2.0 / entries + 1e-6)


@pytest.mark.parametrize(
    "batches",
    [
        [[1.0, 3.0, 2.0]],
        [[1.0, 2.0], [1.5]],
        [[1.0, 2.0], [np.nan]],
        [[np.nan], [1.0]],
        [[1.0, np.nan]],
        [[np.nan, np.nan]],
    ],
)
def test_what_is_not_sorted_is_an_error(batches: list[list[float]]) -> None:
    with pytest.raises(InputError, match="sorted scores came back out of order"):
        list(glued((table_of_sorted(np.array(b), np.ones(len(b), dtype=bool)),) for b in batches))


@pytest.mark.parametrize("batches", [[[1.0, 2.0], [1.5]], [[1.0], [np.nan]], [[np.nan], [1.0]]])
def test_nor_are_clusters_added_up_out_of_order(batches: list[list[float]]) -> None:
    runs = ClusterRuns.empty(1, 4)
    first, second = (np.array(batch) for batch in batches)
    runs.add(first, np.ones(len(first), dtype=bool), np.zeros(len(first), dtype=np.int64))
    with pytest.raises(InputError, match="sorted scores came back out of order"):
        runs.add(second, np.ones(len(second), dtype=bool), np.zeros(len(second), dtype=np.int64))


@given(labelled_scores())
def test_a_fingerprint_of_counts_is_that_of_the_rows(rows: Rows) -> None:
    _, s = rows
    count = np.arange(len(s)) % 4
    assert Fingerprint.of_counts(s, count) == Fingerprint.of(np.repeat(s, count))
