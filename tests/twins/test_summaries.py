"""The exact summaries against pure Python, on generated rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import reference
from rocsolid.summaries import groups as groups_module
from rocsolid.summaries import placements as placements_module
from rocsolid.summaries.binary_summary import Fingerprint
from rocsolid.summaries.grouped_placements import GroupedPlacements
from rocsolid.summaries.groups import Groups
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.summaries.ranges.range_placements import RangePlacements
from rocsolid.summaries.ranked_groups import RankedGroups
from rocsolid.summaries.score_counts import ScoreCounts, total
from rocsolid.summaries.weighted_placements import PlacedRows, WeightedPlacements, row_placements
from samples import labelled_scores

Rows = tuple[NDArray[np.bool_], NDArray[Any]]


@given(labelled_scores())
def test_score_counts(rows: Rows) -> None:
    y, s = rows
    table = ScoreCounts.from_arrays(y, s)
    found = list(zip(table.score.tolist(), table.pos.tolist(), table.neg.tolist(), strict=True))
    assert found == reference.score_counts(y.tolist(), s.tolist())


@given(st.lists(st.integers(0, 8), max_size=9), st.integers(0, 59))
def test_a_total_is_exact_at_any_size(counts: list[int], shift: int) -> None:
    large = [one << shift for one in counts]
    assert total(np.array(large, dtype=np.int64)) == sum(large)


@given(labelled_scores(), st.integers(0, 24))
def test_a_table_of_parts_is_the_table_of_the_whole(rows: Rows, cut: int) -> None:
    y, s = rows
    whole = ScoreCounts.from_arrays(y, s)
    merged = ScoreCounts.from_arrays(y[:cut], s[:cut]) + ScoreCounts.from_arrays(y[cut:], s[cut:])
    for column in ("score", "pos", "neg"):
        assert np.array_equal(getattr(whole, column), getattr(merged, column))


@settings(max_examples=100)
@given(labelled_scores(), st.sampled_from([1, 2, 5, 8192]))
def test_placements_from_both_summaries(rows: Rows, block: int) -> None:
    y, s = rows
    pos, neg = reference.split(y.tolist(), s.tolist())
    m, n = len(pos), len(neg)
    expected = Placements(
        m,
        n,
        int(2 * m * n * reference.auc(pos, neg)),
        sum(int(2 * sum(reference.phi(x, z) for z in neg)) ** 2 for x in pos),
        sum(int(2 * sum(reference.phi(x, z) for x in pos)) ** 2 for z in neg),
        sum(x == z for x in pos for z in neg),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(placements_module, "_BLOCK", block)
        classes = SortedClasses.from_arrays(y, s)
        assert Placements.from_sorted(classes) == expected
        assert RangePlacements.of(ScoreCounts.from_sorted(classes)).placements == expected
    var_pos, var_neg = reference.delong(pos, neg)
    moments = expected.moments
    assert reference.close(float(moments.auc), reference.auc(pos, neg), 0.0)
    assert reference.close(float(moments.var_pos), var_pos)
    assert reference.close(float(moments.var_neg), var_neg)


@given(labelled_scores(), st.integers(1, 10**6), st.integers(1, 10**12))
def test_placements_scale_with_their_counts(rows: Rows, small: int, large: int) -> None:
    """Replicating the positives a times and the negatives b times leaves the exact AUC alone."""
    y, s = rows
    table = ScoreCounts.from_arrays(y, s)
    once = RangePlacements.of(table).placements
    many = RangePlacements.of(
        ScoreCounts(table.score, table.pos * small, table.neg * large)
    ).placements
    assert many.doubled_wins == once.doubled_wins * small * large
    assert many.pos_squares == once.pos_squares * small * large**2
    assert many.neg_squares == once.neg_squares * large * small**2
    assert many.tied_pairs == once.tied_pairs * small * large


@settings(max_examples=100)
@given(labelled_scores(), st.data())
def test_weighted_placements(rows: Rows, data: st.DataObject) -> None:
    y, s = rows
    weight = st.sampled_from([0.0, 0.25, 1.0, 3.0, 1e-3])
    w = np.array(data.draw(st.lists(weight, min_size=len(y), max_size=len(y))))
    w[np.flatnonzero(y)[0]] = w[np.flatnonzero(~y)[0]] = 1.0
    found = WeightedPlacements.from_arrays(y, s, w)
    wins = (s[:, None] > s).astype(float) + 0.5 * (s[:, None] == s)
    right = np.where(y, wins[:, ~y] @ (w[~y] / w[~y].sum()), 1.0 - wins[:, y] @ (w[y] / w[y].sum()))
    np.testing.assert_allclose(found.placement, right, rtol=0, atol=1e-14)
    np.testing.assert_allclose(found.share, w / np.where(y, w[y].sum(), w[~y].sum()), rtol=1e-14)
    u, v = w[y].tolist(), w[~y].tolist()
    pos, neg = s[y].tolist(), s[~y].tolist()
    assert reference.close(found.auc, reference.weighted_auc(pos, neg, u, v))
    assert found.tied_pairs == sum(x == z for x in pos for z in neg)


@given(labelled_scores())
def test_placements_of_rows_that_count_alike(rows: Rows) -> None:
    y, s = rows
    wins = (s[:, None] > s).astype(float) + 0.5 * (s[:, None] == s)
    right = np.where(y, wins[:, ~y].mean(axis=1), 1.0 - wins[:, y].mean(axis=1))
    np.testing.assert_allclose(row_placements(y, s), right, rtol=0, atol=1e-15)


@given(labelled_scores())
def test_one_sort_of_all_rows_gives_the_sums_of_two_sorted_classes(rows: Rows) -> None:
    y, s = rows
    placed, classes = PlacedRows.of(y, s), SortedClasses.from_arrays(y, s)
    assert placed.placements() == Placements.from_sorted(classes)
    assert placed.rows.tied_pairs == placed.tied_pairs
    split = SortedClasses.of_ascending(placed.rows.ascending, placed.rows.above)
    np.testing.assert_array_equal(split.pos, classes.pos)
    np.testing.assert_array_equal(split.neg, classes.neg)


@settings(max_examples=100)
@given(labelled_scores())
def test_equal_weights_give_the_unweighted_moments(rows: Rows) -> None:
    y, s = rows
    plain = Placements.from_sorted(SortedClasses.from_arrays(y, s)).moments
    even = WeightedPlacements.from_arrays(y, s, np.full(len(y), 0.7)).moments
    for name in ("auc", "var_pos", "var_neg", "n_pos", "n_neg"):
        np.testing.assert_allclose(
            getattr(even, name), getattr(plain, name), rtol=1e-10, atol=1e-14
        )


@settings(max_examples=100)
@given(labelled_scores(), st.data())
def test_clustered_variance(rows: Rows, data: st.DataObject) -> None:
    y, s = rows
    cluster = np.array(data.draw(st.lists(st.integers(0, 5), min_size=len(y), max_size=len(y))))
    code = np.unique(cluster, return_inverse=True)[1]
    if len(set(cluster[y])) < 2 or len(set(cluster[~y])) < 2:
        return
    weight = np.array(
        data.draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=len(y), max_size=len(y)))
    )
    for w in (None, weight):
        found = WeightedPlacements.from_arrays(y, s, w).clustered_moments(code)
        expected = reference.clustered_variance(
            y.tolist(), s.tolist(), cluster.tolist(), None if w is None else w.tolist()
        )
        assert reference.close(float(found.variance), expected, 1e-10)


def test_rows_as_their_own_clusters_give_delong() -> None:
    y = np.array([True, False, True, False, False, True])
    s = np.array([3.0, 1.0, 2.0, 2.0, 0.0, 0.5])
    plain = Placements.from_sorted(SortedClasses.from_arrays(y, s)).moments
    alone = WeightedPlacements.from_arrays(y, s).clustered_moments(np.arange(6))
    np.testing.assert_allclose(alone.variance, plain.variance)


@settings(max_examples=100)
@given(st.data())
def test_groups_side_by_side_are_groups_one_by_one(data: st.DataObject) -> None:
    y, s = data.draw(labelled_scores(max_size=60))
    count = data.draw(st.integers(1, 12))
    code = np.array(
        data.draw(st.lists(st.integers(0, count - 1), min_size=len(y), max_size=len(y)))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups_module, "_CELLS", data.draw(st.sampled_from([1, 7, 1 << 17])))
        groups = Groups.of(code, count)
        found = GroupedPlacements.of(RankedGroups.of(y, s, groups), s, groups)
    for group in range(count):
        at = code == group
        m, n = int(np.count_nonzero(y[at])), int(np.count_nonzero(~y[at]))
        assert (found.n_pos[group], found.n_neg[group]) == (m, n)
        assert int(found.fingerprint[group]) == Fingerprint.of(s[at]).value
        if not (m and n):
            assert np.isnan(np.asarray(found.moments.auc)[group])
            continue
        one = Placements.from_sorted(SortedClasses.from_arrays(y[at], s[at]))
        assert found.doubled_wins[group] == one.doubled_wins
        assert found.tied_pairs[group] == one.tied_pairs
        for name in ("auc", "var_pos", "var_neg"):
            np.testing.assert_allclose(
                np.asarray(getattr(found.moments, name))[group],
                getattr(one.moments, name),
                rtol=1e-13,
            )


@given(labelled_scores(), st.randoms(use_true_random=False))
def test_fingerprint(rows: Rows, random: Any) -> None:
    _, s = rows
    assert Fingerprint.of(s).value == reference.fingerprint(s.tolist())
    order = list(range(len(s)))
    random.shuffle(order)
    assert Fingerprint.of(s[order]) == Fingerprint.of(s)
    cut = len(s) // 2
    assert Fingerprint.of(s[:cut]) * Fingerprint.of(s[cut:]) == Fingerprint.of(s)
    w = np.linspace(0.0, 3.0, len(s))
    assert Fingerprint.of(s, w).value == reference.fingerprint(s.tolist(), w.tolist())
