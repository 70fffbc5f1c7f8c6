"""Statistics under exchanges, row influences and resamples against plain loops."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import rocsolid as rs
from rocsolid.binary.area_term import AreaTerm
from rocsolid.comparison.delong import resampled
from rocsolid.comparison.exchanges import Pooled, Sharing, coded, rank, standing
from rocsolid.comparison.permutation import PairedErrors, welch
from rocsolid.comparison.redraws import share_as_extreme
from rocsolid.comparison.venkatraman import positives_among_lowest
from rocsolid.engines.memory import row_influences
from rocsolid.inputs import BinaryRows
from rocsolid.measures.named import measure_of
from rocsolid.measures.whole_area import WholeArea
from rocsolid.summaries.spread import Spread
from rocsolid.weights import power, step

LABELS = np.array([True, True, True, False, False, False, True, False, False])
Rows = tuple[BinaryRows, BinaryRows]


@st.composite
def two_scores(draw: st.DrawFn, weighted: bool = True) -> Rows:
    size, top = len(LABELS), draw(st.sampled_from([2, 50]))
    column = st.lists(st.integers(0, top), min_size=size, max_size=size).map(np.array)
    weight = cluster = None
    if weighted and draw(st.booleans()):
        weight = np.array(draw(st.lists(st.integers(1, 4), min_size=size, max_size=size))) * 1.0
    if draw(st.booleans()):
        cluster = np.array([0, 1, 0, 1, 2, 3, 2, 0, 3])
    a, b = draw(column), draw(column)
    return BinaryRows(LABELS, a, weight, cluster), BinaryRows(LABELS, b, weight, cluster)


def delong_of(a: Any, b: Any, rows: BinaryRows) -> tuple[float, float]:
    result = rs.compare(
        rows.positive, {"a": a, "b": b}, sample_weight=rows.weight, cluster=rows.cluster,
        test="delong",
    )  # fmt: skip
    return result.pairs[0].difference, result.pairs[0].std_error


@given(two_scores())
def test_the_standing_keeps_the_order_and_knows_the_classes(pair: Rows) -> None:
    for rows in pair:
        found = standing(rows)
        weight = np.ones(len(rows)) if rows.weight is None else rows.weight
        for i, x in enumerate(rows.score):
            shares = [
                sum(
                    weight[j] * ((rows.score[j] < x) + 0.5 * (rows.score[j] == x))
                    for j in range(len(rows))
                    if rows.positive[j] == of_class
                )
                / weight[rows.positive == of_class].sum()
                for of_class in (True, False)
            ]
            assert found[i] == pytest.approx(sum(shares) / 2, abs=1e-11)


@settings(max_examples=30)
@given(two_scores(), st.integers(0, 2**9 - 1))
def test_a_swap_gives_delongs_statistic_of_the_swapped_standings(pair: Rows, bits: int) -> None:
    first, second = pair
    (a, b), size = coded(rank(first), rank(second))
    unit = np.arange(len(first)) if first.cluster is None else first.cluster
    swapped = np.array([bits >> int(i) & 1 for i in unit], dtype=bool)
    x, y = np.where(swapped, b, a), np.where(swapped, a, b)
    found = PairedErrors(first).studentised(np.stack([a, x]), np.stack([b, y]), size)
    for one, columns in zip(found, ((a, b), (x, y)), strict=True):
        difference, error = delong_of(*columns, first)
        if error > 0.0:
            assert one == pytest.approx(difference / error, rel=1e-9, abs=1e-9)
        else:
            assert one == 0.0 or math.isinf(one)


@settings(max_examples=30)
@given(two_scores(), st.integers(0, 2**32 - 1))
def test_sharing_out_gives_welchs_statistic_of_the_new_samples(pair: Rows, seed: int) -> None:
    one = BinaryRows(LABELS, pair[0].score, pair[0].weight)
    two = BinaryRows(~LABELS, pair[1].score, pair[1].weight)
    rng = np.random.default_rng(seed)
    pooled = Pooled(one, two)
    orders = [rng.permutation(sum(of_class))[None, :] for of_class in pooled.sizes]
    ((found,),) = welch(pooled, orders)
    samples, weights = [], []
    for (pos, u), (neg, v) in pooled.samples(orders):
        samples.append((np.repeat([1, 0], [pos.shape[1], neg.shape[1]]), np.hstack([pos, neg])[0]))
        weights.append(np.hstack([u, v])[0])
    expected = rs.compare(samples, sample_weight=weights, test="delong").pairs[0]
    if expected.std_error > 0.0:
        assert found == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
    plain = rs.compare(
        [(LABELS, one.score), (~LABELS, two.score)],
        sample_weight=None if one.weight is None else [one.weight, two.weight],
        test="delong",
    ).pairs[0]  # fmt: skip
    if plain.std_error > 0.0:
        ((found,),) = welch(pooled, pooled.unchanged)
        assert found == pytest.approx(plain.statistic, rel=1e-9, abs=1e-9)


@given(two_scores(weighted=False))
def test_positives_among_the_lowest_are_an_average_over_the_orders_of_ties(pair: Rows) -> None:
    rows = pair[0]
    (code,), size = coded(rows.score.astype(float))
    (found,) = positives_among_lowest(code[None, LABELS], code[None, ~LABELS], size)
    rng = np.random.default_rng(0)
    total = np.zeros(len(rows))
    for _ in range(400):
        shuffled = rng.permutation(len(rows))
        order = shuffled[np.argsort(rows.score[shuffled], kind="stable")]
        total += np.cumsum(LABELS[order])
    assert found == pytest.approx(total / 400, abs=0.2)
    ends = np.flatnonzero(np.diff(np.sort(rows.score), append=np.inf))
    assert found[ends] == pytest.approx((total / 400)[ends], abs=1e-9)


def test_all_exchanges_of_a_small_table() -> None:
    """p over all swaps, and over all ways to share out, is the share that is as extreme."""
    y = np.array([1, 1, 1, 0, 0, 0, 0])
    a, b = np.array([4, 6, 3, 5, 1, 2, 0]), np.array([3, 1, 6, 2, 0, 5, 4])
    found = rs.compare(y, {"a": a, "b": b}, test="permutation").pairs[0]
    rows = [BinaryRows(y == 1, s) for s in (a, b)]
    codes, size = coded(*(rank(one) for one in rows))
    statistics = []
    for bits in itertools.product([False, True], repeat=7):
        x, z = np.where(bits, codes[1], codes[0]), np.where(bits, codes[0], codes[1])
        statistics.append(PairedErrors(rows[0]).studentised(x[None], z[None], size)[0])
    extreme = np.abs(statistics) >= abs(found.statistic) - 1e-9
    assert found.p_value == pytest.approx(extreme.mean(), abs=1e-12)
    assert found.method == "permutation (all exchanges)"

    small = rs.compare([(y, a), (y, b)], test="permutation", resamples=10_000).pairs[0]
    pooled = Pooled(*rows)
    orders = [
        [
            [*c, *(i for i in range(sum(of_class)) if i not in c)]
            for c in itertools.combinations(range(sum(of_class)), of_class[0])
        ]
        for of_class in pooled.sizes
    ]
    every = [
        welch(pooled, [np.array([p]), np.array([n])])[0, 0] for p in orders[0] for n in orders[1]
    ]
    assert len(every) == math.comb(6, 3) * math.comb(8, 4)
    extreme = np.abs(every) >= abs(small.statistic) - 1e-9
    assert small.p_value == pytest.approx(extreme.mean(), abs=1e-12)
    assert small.method == "permutation (all exchanges)"


def test_drawn_ways_to_share_out_are_all_equally_likely() -> None:
    drawn = Sharing([(2, 2), (1, 0)], 3, 0, 0)
    assert not drawn.exact
    first = np.sort(np.concatenate([drawn(b, b + 1)[0][:, :2] for b in range(1200)]), axis=1)
    counts = np.unique(first, axis=0, return_counts=True)[1]
    assert len(counts) == 6
    assert ((counts - 200) ** 2 / 200).sum() < 32.0, "χ² with 5 degrees of freedom: p = 6e-6"


def test_the_share_counts_the_data_once() -> None:
    drawn = np.array([0.5, -2.0, 2.0 + 1e-12, 1.0])
    assert share_as_extreme(2.0, drawn, "two-sided") == 3 / 5
    assert share_as_extreme(2.0, drawn, "greater") == 2 / 5
    assert share_as_extreme(2.0, drawn, "less") == 5 / 5


@settings(max_examples=25)
@given(two_scores(), st.sampled_from([step(0, 0.4), step(0.3, 1, axis="tpr"), power(2)]))
def test_row_influences_are_the_derivatives_of_the_area(pair: Rows, weight: Any) -> None:
    """A row's weight raised a little moves the area by its share times its influence's excess."""
    rows = pair[0]
    base = np.ones(len(rows)) if rows.weight is None else rows.weight
    found = row_influences(rows, AreaTerm(weight))

    def area(w: NDArray[np.float64]) -> float:
        return rs.weighted_auc(rows.positive, rows.score, weight=weight, sample_weight=w).value

    for i in range(len(rows)):
        of_class = rows.positive == rows.positive[i]
        share = base[of_class] / base[of_class].sum()
        excess = (found[i] - share @ found[of_class]) / base[of_class].sum()
        low, high = base.copy(), base.copy()
        low[i] -= 1e-6
        high[i] += 1e-6
        slopes = [
            (area(high) - area(base)) / 1e-6, (area(base) - area(low)) / 1e-6,
        ]  # fmt: skip
        # where the weight jumps at a corner of the curve the derivative has two sides
        assert min(slopes) - 1e-4 <= excess <= max(slopes) + 1e-4


@pytest.mark.parametrize(
    "name", ["partial_auc(fpr<=0.3)", "partial_auc(tpr>=0.6, scale=mcclish)",
             "partial_auc(fpr<=0.5, tpr>=0.5, scale=mean)", "weighted_auc(power(2))"]
)  # fmt: skip
def test_the_covariance_of_areas_is_that_of_resamples(name: str) -> None:
    """20,000 resamples: their standard deviations are off by .5 %, four of which are allowed.

    The bootstrap of 200 rows a class divides by n where the formula divides by n − 1.
    """
    rng = np.random.default_rng(8)
    y = np.arange(400) < 200
    common = rng.normal(size=400)
    scores = {n: common + rng.normal(size=400) + s * y for n, s in (("a", 1.6), ("b", 1.0))}
    found = rs.compare(y, scores, measure=name)
    rows = [BinaryRows(y, s) for s in scores.values()]
    values = resampled(measure_of(name), rows, True, 4000, 1)
    assert found.covariance == pytest.approx(np.cov(values.T), rel=0.12)
    error = np.std(values[:, 0] - values[:, 1])
    assert found.pairs[0].std_error == pytest.approx(error, rel=0.06)
    for i, one in enumerate(found.estimates.values()):
        assert one.std_error == pytest.approx(math.sqrt(found.covariance[i, i]), rel=1e-9)


def test_resamples_of_clusters_and_weights_spread_as_the_formulas_say() -> None:
    rng = np.random.default_rng(9)
    y = np.arange(600) % 3 == 0
    cluster = rng.integers(150, size=600)
    weight = rng.exponential(size=600) + 0.2
    pull = 0.7 * rng.normal(size=150)[cluster]
    rows = [BinaryRows(y, pull + rng.normal(size=600) + y, weight, cluster) for _ in range(2)]
    for measure in (WholeArea(), measure_of("partial_auc(fpr<=0.4)")):
        assert measure.influence is not None
        formula = Spread.of(rows[0], [measure.influence(one) for one in rows])
        values = resampled(measure, rows, True, 2000, 2)
        assert np.cov(values.T) == pytest.approx(formula.covariance(), rel=0.2, abs=2e-5)
    apart = resampled(WholeArea(), rows, False, 2000, 2)
    assert abs(np.corrcoef(apart.T)[0, 1]) < 5 / math.sqrt(2000)
