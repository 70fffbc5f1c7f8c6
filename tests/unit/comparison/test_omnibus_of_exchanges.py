"""The test that all are equal exchanges rows where the tests of the pairs do."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.integrate import trapezoid

import rocsolid as rs
from rocsolid.comparison.compared import Question
from rocsolid.comparison.exchanges import rank, redistributed, standing, swapped
from rocsolid.comparison.permutation import welch
from rocsolid.comparison.rows import ComparedRows
from rocsolid.comparison.venkatraman import positives_among_lowest
from rocsolid.inputs import binary_rows
from rocsolid.measures.whole_area import WholeArea
from rocsolid.summaries.stream import stream

N = 60
Y, CLUSTER = np.arange(N) % 2, np.arange(N) // 3
_DRAW = np.random.default_rng(3)
THREE = {
    name: np.round(Y * shift + _DRAW.normal(size=N), 1)
    for name, shift in zip("abc", (1, 0.6, 0.2), strict=True)
}
SAMPLES = {
    name: (Y[:size], np.round(Y[:size] * shift + _DRAW.normal(size=size), 1))
    for name, size, shift in (("a", 40, 1.0), ("b", 52, 0.6), ("c", 60, 0.1))
}
CURVES = "venkatraman-curves"


def share_reached(observed: float, drawn: list[float]) -> float:
    return (1.0 + sum(other >= observed - 1e-9 for other in drawn)) / (1.0 + len(drawn))


def plain_t(y: Any, a: Any, b: Any, cluster: Any) -> float:
    """DeLong's studentised difference of two AUCs, pair by pair, with influences by cluster."""
    unit = np.arange(len(y)) if cluster is None else cluster
    pos, neg = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    apart = np.zeros((len(pos), len(neg)))
    for score, sign in ((a, 1.0), (b, -1.0)):
        above = score[pos][:, None] - score[neg]
        apart += sign * ((above > 1e-9) + 0.5 * (np.abs(above) <= 1e-9))
    sums = []
    for rows, mean in ((pos, apart.mean(axis=1)), (neg, apart.mean(axis=0))):
        own = np.zeros(unit.max() + 1)
        np.add.at(own, unit[rows], (mean - apart.mean()) / len(rows))
        sums.append(own)
    counts = [len(np.unique(unit[rows])) for rows in (pos, neg)]
    variance = sum(n / (n - 1) * float(own @ own) for n, own in zip(counts, sums, strict=True))
    if cluster is not None:
        units = unit.max() + 1
        variance += 2.0 * units / (units - 1) * float(sums[0] @ sums[1])
    return float(apart.mean() / np.sqrt(variance))


@pytest.mark.parametrize("cluster", [None, CLUSTER])
def test_the_largest_t_of_all_pairs_among_swapped_rows(cluster: Any) -> None:
    result = rs.compare(Y, THREE, test="permutation", resamples=99, cluster=cluster)
    ranks = [rank(binary_rows(Y, score)) for score in THREE.values()]
    units = N if cluster is None else int(cluster.max()) + 1
    unit = np.arange(N) if cluster is None else cluster

    def largest(swapped: Any) -> float:
        return max(
            abs(plain_t(Y, np.where(swapped, b, a), np.where(swapped, a, b), cluster))
            for a, b in combinations(ranks, 2)
        )

    swaps = [stream(0, 1, b).integers(0, 2, size=units, dtype=np.bool_)[unit] for b in range(99)]
    observed = largest(np.zeros(N, dtype=bool))
    assert (result.omnibus.method, result.omnibus.draws, result.omnibus.df) == ("max-t", 99, 2)
    assert result.omnibus.statistic == pytest.approx(observed)
    assert result.omnibus.p_value == share_reached(observed, [largest(swap) for swap in swaps])


def test_the_smallest_joint_p_value_is_that_of_the_omnibus() -> None:
    for test in ("permutation", CURVES):
        result = rs.compare(Y, THREE, test=test, adjust="max-t", resamples=499)
        assert result.omnibus.p_value == min(pair.p_adjusted for pair in result.pairs)


def test_one_side_has_the_omnibus_of_two() -> None:
    two, one = (
        rs.compare(Y, THREE, test="permutation", resamples=199, alternative=side)
        for side in ("two-sided", "less")
    )
    assert one.omnibus == two.omnibus


def farthest(observed: Any, drawn: Any) -> tuple[float, float]:
    """The largest distance of all pairs in standard deviations, and its p-value."""
    every = np.vstack([observed, drawn])
    scaled = ((every - every.mean(axis=0)) / every.std(axis=0)).max(axis=1)
    return scaled[0], share_reached(scaled[0], list(scaled[1:]))


def test_the_farthest_curves_among_swapped_rows() -> None:
    scores = [_DRAW.normal(size=N) + 0.4 * k * Y for k in range(3)]

    def errors(x: Any) -> Any:
        return 2.0 * np.cumsum(Y[np.argsort(x)]) - np.arange(1, N + 1)

    distances = [float(np.abs(errors(a) - errors(b)).sum()) for a, b in combinations(scores, 2)]
    exchanged = swapped(
        ComparedRows.of(WholeArea(), {str(k): binary_rows(Y, s) for k, s in enumerate(scores)},
                        {str(k): rs.auc(Y, s) for k, s in enumerate(scores)}, True),
        Question(0.0, "two-sided", 0.95, 0, resamples=99),
        lambda a, b, size: 2.0 * np.abs(
            positives_among_lowest(a[:, Y == 1], a[:, Y == 0], size)
            - positives_among_lowest(b[:, Y == 1], b[:, Y == 0], size)
        ).sum(axis=1),
    )  # fmt: skip
    assert exchanged.observed == pytest.approx(distances)
    statistic, p = farthest(exchanged.observed, exchanged.drawn)
    named = dict(zip("abc", scores, strict=True))
    omnibus = rs.compare(Y, named, test=CURVES, resamples=99).omnibus
    assert (omnibus.method, omnibus.draws, omnibus.df) == ("max-curves", 99, 2)
    assert omnibus.statistic == pytest.approx(statistic)
    assert omnibus.p_value == p
    assert str(omnibus).startswith("largest standardised distance ")


def test_the_farthest_curves_among_redistributed_rows() -> None:
    sizes = (30, 20), (16, 28), (22, 26)  # positives and negatives, in unlike shares
    labels = [np.repeat([1, 0], size) for size in sizes]
    scores = [
        _DRAW.normal(size=len(y)) + shift * y
        for y, shift in zip(labels, (1.0, 0.5, 0.9), strict=True)
    ]
    standings = [standing(binary_rows(y, s)) for y, s in zip(labels, scores, strict=True)]
    pooled = [
        np.concatenate([x[y == k] for x, y in zip(standings, labels, strict=True)]) for k in (1, 0)
    ]
    share = 68 / 142

    def curve(pos: Any, neg: Any) -> tuple[Any, Any]:
        below = np.concatenate([[-1.0], np.sort(np.concatenate([pos, neg]))])
        f = np.array([np.mean(pos <= x) for x in below])
        g = np.array([np.mean(neg <= x) for x in below])
        return share * f + (1 - share) * g, share * f + (1 - share) * (1 - g)

    def areas(orders: list[Any]) -> list[float]:
        parts = [np.split(x[order], np.cumsum([size[k] for size in sizes])[:-1])
                 for k, (x, order) in enumerate(zip(pooled, orders, strict=True))]  # fmt: skip
        out = []
        for (p, e), (q, d) in combinations([curve(*part) for part in zip(*parts, strict=True)], 2):
            at = np.sort(np.concatenate([p, q]))
            out.append(float(trapezoid(np.abs(np.interp(at, p, e) - np.interp(at, q, d)), at)))
        return out

    drawn = []
    for b in range(99):
        draw = stream(0, 2, 3, b)
        drawn.append(areas([draw.permutation(len(x)) for x in pooled]))
    statistic, p = farthest(areas([np.arange(len(x)) for x in pooled]), drawn)
    samples = dict(zip("abc", zip(labels, scores, strict=True), strict=True))
    omnibus = rs.compare(samples, test=CURVES, resamples=99).omnibus
    assert (omnibus.method, omnibus.draws, omnibus.df) == ("max-curves", 99, 2)
    assert omnibus.statistic == pytest.approx(statistic, rel=1e-9)
    assert omnibus.p_value == p


def test_all_exchanges_are_counted() -> None:
    few = [0, 1, 2, 3, 5, 6]
    scores = {name: score[few] for name, score in THREE.items()}
    for test in ("permutation", CURVES):
        omnibus = rs.compare(Y[few], scores, test=test).omnibus
        assert omnibus.draws == 0
        assert (omnibus.p_value * 64) % 1 == 0


def test_curves_with_equal_areas_differ() -> None:
    """Positives with a wide or narrow spread: the same AUC, and the curves cross."""
    y, draw = np.repeat([0, 1], 200), np.random.default_rng(8)
    scores = {
        name: np.where(y, spread, 1.0) * draw.normal(size=400)
        for name, spread in (("a", 1.0), ("b", 5.0), ("c", 1.0))
    }
    assert rs.compare(y, scores, test=CURVES, resamples=199).omnibus.p_value == 0.005
    assert rs.compare(y, scores, test="permutation", resamples=199).omnibus.p_value > 0.2
    samples = {name: (y, score) for name, score in scores.items()}
    assert rs.compare(samples, test=CURVES, resamples=199).omnibus.p_value == 0.005
    assert rs.compare(samples, test="permutation", resamples=199).omnibus.p_value > 0.2


def test_the_largest_t_of_independent_samples_among_redistributed_rows() -> None:
    result = rs.compare(SAMPLES, test="permutation", resamples=499)
    standings = [standing(binary_rows(y, score)) for y, score in SAMPLES.values()]
    labels = [y for y, _ in SAMPLES.values()]
    pooled = [
        np.concatenate([x[y == k] for x, y in zip(standings, labels, strict=True)]) for k in (1, 0)
    ]
    ends = [np.cumsum([int(np.sum(y == k)) for y in labels])[:-1] for k in (1, 0)]

    def largest(orders: list[Any]) -> float:
        parts = [
            np.split(values[order], end)
            for values, order, end in zip(pooled, orders, ends, strict=True)
        ]
        values, variances = [], []
        for pos, neg in zip(*parts, strict=True):
            above = pos[:, None] - neg
            wins = (above > 1e-9) + 0.5 * (np.abs(above) <= 1e-9)
            values.append(wins.mean())
            variances.append(
                wins.mean(axis=1).var(ddof=1) / len(pos) + wins.mean(axis=0).var(ddof=1) / len(neg)
            )
        return max(
            abs(values[i] - values[j]) / np.sqrt(variances[i] + variances[j])
            for i, j in combinations(range(3), 2)
        )

    drawn = []
    for b in range(499):
        draw = stream(0, 2, 3, b)
        drawn.append(largest([draw.permutation(len(values)) for values in pooled]))
    observed = largest([np.arange(len(values)) for values in pooled])
    samples = [binary_rows(*sample) for sample in SAMPLES.values()]
    question = Question(0.0, "two-sided", 0.95, 0, resamples=499)
    exchanged = redistributed(samples, question, 3, welch)
    assert np.abs(exchanged.drawn).max(axis=1) == pytest.approx(drawn)
    assert np.abs(exchanged.observed).max() == pytest.approx(observed)
    assert (result.omnibus.method, result.omnibus.draws, result.omnibus.df) == ("max-t", 499, 2)
    assert result.omnibus.statistic == pytest.approx(observed)
    assert result.omnibus.p_value == share_reached(observed, drawn)


def test_few_rows_of_three_samples_are_drawn() -> None:
    samples = {name: ([0, 0, 1, 1], scores) for name, scores in
               (("a", [1, 2, 3, 4]), ("b", [1, 3, 2, 4]), ("c", [2, 3, 1, 4]))}  # fmt: skip
    for test, method in (("permutation", "max-t"), (CURVES, "max-curves")):
        result = rs.compare(samples, test=test, resamples=1000)
        assert result.pairs[1].method == f"{test} (all exchanges)"
        assert (result.omnibus.method, result.omnibus.draws) == (method, 1000)


def test_a_difference_without_variance_leaves_the_omnibus_unknown() -> None:
    """AUCs of 1 and 0 differ in every sample, so their difference has no variance."""
    y, order = np.repeat([0, 1], 10), np.arange(20)
    scores = {"a": order, "b": -order, "c": np.roll(order, 3)}
    result = rs.compare(y, scores, test="permutation", resamples=49)
    assert str(result.omnibus) == "unknown"
    assert any("not possible" in text for text in result.warnings)


def test_the_note_on_curves_names_what_compares_areas() -> None:
    (note,) = [
        text
        for text in rs.compare(Y, THREE, test=CURVES, resamples=49).warnings
        if "Venkatraman" in text
    ]
    assert "test of all scores" not in note


@pytest.mark.slow
@pytest.mark.parametrize("test", ["permutation", CURVES])
@pytest.mark.parametrize("paired", [True, False])
def test_false_alarms_of_four_equal_scores(test: str, paired: bool) -> None:
    """30 + 30 rows and four equally good scores, at 5 %."""
    times, most = (400, 35) if paired else (200, 21)
    draw, y, alarms = np.random.default_rng(11), np.arange(60) % 2, 0
    for _ in range(times):
        common = draw.normal(size=60) if paired else 0.0
        scores = dict(zip("abcd", y + common + draw.normal(size=(4, 60)), strict=True))
        data = (y, scores) if paired else ({name: (y, x) for name, x in scores.items()},)
        found = rs.compare(*data, test=test, resamples=99)
        alarms += found.omnibus.p_value <= 0.05
    # a test that keeps 5 % fails here with a probability below .001 (binomial)
    assert alarms <= most
