"""Bands, readings, operating points and smooth curves against plain references."""

from __future__ import annotations

import itertools
from collections import Counter
from math import comb, exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import beta, binom, norm

import rocsolid as rs
from rocsolid.binary.area import rate_at
from rocsolid.binary.curve_reading import resampled_readings
from rocsolid.binary.resampling.interval import Resampling, Scheme
from rocsolid.binary.smoothing.binormal import fit_density, fit_likelihood
from rocsolid.errors import InputError
from rocsolid.intervals.calibrated.auto import Proportion, ratio_limits, sum_limits, wilson
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.intervals.guarantees.roc_band import (
    SIMULTANEOUS,
    pointwise_band,
    rate_boxes,
    simultaneous_band,
)
from rocsolid.measures.top_measure import PredictiveValue
from rocsolid.summaries.score_counts import ScoreCounts, mirrored

tables = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12).filter(
    lambda rows: all(sum(column) for column in zip(*rows, strict=True))
)


def table_of(rows: list[tuple[int, int]]) -> ScoreCounts:
    pos, neg = np.array(rows).T
    return ScoreCounts(np.arange(len(rows)), pos, neg)


@given(rows=tables, bins=st.integers(1, 12))
def test_rank_bins_are_those_of_numpy(rows: list[tuple[int, int]], bins: int) -> None:
    pos, neg = np.array(rows).T
    places = np.arange(len(rows))
    curve = rs.roc(np.repeat([1, 0], [pos.sum(), neg.sum()]),
                   np.concatenate([np.repeat(places, pos), np.repeat(places, neg)]))  # fmt: skip
    edges, mass = curve.rank_histogram(bins)
    known, _ = np.histogram(curve.positive_ranks, edges)
    assert mass.tolist() == known.tolist()


@given(rows=tables, level=st.sampled_from([0.5, 0.95]))
@pytest.mark.parametrize("kind", list(SIMULTANEOUS))
def test_a_region_is_what_no_box_forbids(
    kind: str, rows: list[tuple[int, int]], level: float
) -> None:
    """Box by box, at many rates and just beside each edge, both ways."""
    table = table_of(rows)
    hits = np.append(0, np.cumsum(table.pos[::-1]))
    alarms = np.append(0, np.cumsum(table.neg[::-1]))
    tpr, fpr = rate_boxes(hits, alarms, (int(hits[-1]), int(alarms[-1])), kind, level)
    band = simultaneous_band(table, kind, level)
    for name, across, up in (("fpr", fpr, tpr), ("tpr", tpr, fpr)):
        edges = np.concatenate([*across, [0.0, 1.0]])
        for rate in np.unique(np.concatenate([edges, np.linspace(0, 1, 21)])):
            below = [y for y, x in zip(up[0], across[1], strict=True) if x < rate]
            above = [y for y, x in zip(up[1], across[0], strict=True) if x > rate]
            found = band.at(**{name: float(rate)})
            assert found.low == max(below, default=0.0)
            assert found.high == min(above, default=1.0)
    for x, low, high in ((band.fpr, band.low, band.high), (band.tpr, band.left, band.right)):
        assert np.all(np.diff(x) >= 0)
        assert np.all(np.diff(low) >= 0)
        assert np.all(np.diff(high) >= 0)
        assert (x[0], x[-1]) == (0.0, 1.0)


def test_a_few_boxes_make_the_region_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes of more rows than their bands have ranks; ties, and a run of one class."""
    rng = np.random.default_rng(0)
    table = ScoreCounts.from_arrays(np.arange(5000) >= 3800, rng.normal(size=5000).round(3) ** 3)
    few = simultaneous_band(table, "equal-local-levels", 0.9)
    monkeypatch.setattr(
        "rocsolid.intervals.guarantees.roc_band.jumps", lambda rows, _: np.arange(rows + 1)
    )
    every = simultaneous_band(table, "equal-local-levels", 0.9)
    for name in ("fpr", "low", "high", "tpr", "left", "right"):
        np.testing.assert_array_equal(getattr(few, name), getattr(every, name))


@given(rows=tables)
def test_the_mirrored_curve_has_the_other_limits(rows: list[tuple[int, int]]) -> None:
    table = table_of(rows)
    grid = np.linspace(0, 1, 11)
    one, other = pointwise_band(table, grid), pointwise_band(mirrored(table), grid)
    assert one.left == pytest.approx(1 - other.high[::-1], abs=1e-9)
    assert one.low == pytest.approx(1 - other.right[::-1], abs=1e-9)


@pytest.mark.parametrize("kind", list(SIMULTANEOUS))
def test_rate_limits_are_order_statistics_and_margins(kind: str) -> None:
    """For 30 rows: Beta quantiles at one common level, or a common margin."""
    n, share, above = 30, 0.05, np.arange(31)
    low, high = SIMULTANEOUS[kind](above, n, share)
    if kind == "dkw":
        margin = sqrt(log(2 / share) / (2 * n))
        assert low == pytest.approx(np.maximum(above / n - margin, 0))
        assert high == pytest.approx(np.minimum(above / n + margin, 1))
        return
    k = np.arange(1, 31)
    levels = beta.cdf(low[1:], k, n + 1 - k)
    assert levels == pytest.approx(np.full(30, levels[0]), rel=1e-6)
    assert share / 2 / 30 < levels[0] < share / 2
    assert high == pytest.approx(1 - low[::-1], abs=1e-9)
    assert (low[0], high[-1]) == (0.0, 1.0)


@pytest.mark.parametrize("rows", [1, 7])
def test_clopper_pearson_inverts_binomial_tails(rows: int) -> None:
    low, high = clopper_pearson(np.arange(rows + 1), rows, 0.04)
    for k in range(rows + 1):
        if k > 0:
            assert binom.sf(k - 1, rows, low[k]) == pytest.approx(0.04)
        if k < rows:
            assert binom.cdf(k, rows, high[k]) == pytest.approx(0.04)


@given(hits=st.tuples(st.integers(0, 20), st.integers(0, 30)), level=st.sampled_from([0.8, 0.95]))
def test_limits_of_two_proportions_by_bisection(hits: tuple[int, int], level: float) -> None:
    """The ratios at which the limits of the difference p₁ − r·p₂ reach 0; Wilson by its test."""
    first, second = wilson(hits[0], 20, level), wilson(hits[1], 30, level)
    z = norm.isf((1 - level) / 2)
    for p, rows in ((first, 20), (second, 30)):
        for end in (p.low, p.high):
            assert (p.value - end) ** 2 == pytest.approx(z * z * end * (1 - end) / rows, abs=1e-12)
    low, high = ratio_limits(first, second)
    ratios = np.logspace(-4, 4, 4001)
    inside = [a <= 0.0 <= b for a, b in (sum_limits(1, first, -r, second) for r in ratios)]
    expected = (ratios >= low) & (ratios <= high)
    near = np.zeros(len(ratios), dtype=bool)
    for end in (low, high):
        if 0 < end < np.inf:
            near |= abs(np.log(ratios / end)) < 1e-6
    assert np.array_equal(np.array(inside)[~near], expected[~near])


def test_sums_recover_the_limits_of_one_proportion() -> None:
    known, fixed = wilson(7, 10, 0.9), Proportion(0.25, 0.25, 0.25)
    low, high = sum_limits(0.5, known, -2.0, fixed)
    assert (low, high) == pytest.approx((0.5 * known.low - 0.5, 0.5 * known.high - 0.5))


def every_resample(column: list[int]) -> Counter[tuple[int, ...]]:
    """All multinomial outcomes with their probabilities times n^n."""
    n = sum(column)
    found: Counter[tuple[int, ...]] = Counter()
    cells = [cell for cell, count in enumerate(column) for _ in range(count)]
    for drawn in itertools.product(cells, repeat=n):
        found[tuple(drawn.count(cell) for cell in range(len(column)))] += 1
    return found


@pytest.mark.parametrize("fpr", [0.0, 0.2, 0.25, 0.5, 0.9, 1.0])
def test_readings_of_resamples_have_the_exact_distribution(fpr: float) -> None:
    """All 4⁴·3³ resamples of a table with ties, against 40,000 draws.

    By DKW and Massart the distribution functions differ by more than .0165 with probability below
    1e-9 for each of six rates.
    """
    pos, neg = [0, 1, 1, 1, 0], [1, 2, 0, 1, 0]
    table = ScoreCounts(np.arange(5), np.array(pos), np.array(neg))
    exact: Counter[float] = Counter()
    for (a, times), (b, more) in itertools.product(
        every_resample(pos).items(), every_resample(neg).items()
    ):
        drawn = ScoreCounts(np.arange(5), np.array(a), np.array(b))
        exact[round(1 - rate_at(mirrored(drawn), 1 - fpr), 9)] += times * more
    values = np.array(sorted(exact))
    chances = np.array([exact[v] for v in sorted(exact)]) / (3**3 * 4**4)
    drawn_values = np.sort(resampled_readings(table, fpr, 40_000, seed=1).round(9))
    empirical = np.searchsorted(drawn_values, values, side="right") / 40_000
    assert np.max(np.abs(empirical - np.cumsum(chances))) < 0.0165
    assert set(drawn_values.tolist()) <= set(values.tolist())


@pytest.mark.parametrize("recall", [0.2, 0.5])
@pytest.mark.parametrize("prevalence", ["rows", "classes", 0.3])
@pytest.mark.parametrize("scheme", ["plain", "stratified"])
def test_precision_of_resamples_has_the_exact_distribution(
    recall: float, prevalence: str | float, scheme: Scheme
) -> None:
    """All resamples of 6 tied rows, of all rows alike or by class, against 40,000 draws.

    By DKW and Massart the distribution functions differ by more than .0165 with probability below
    1e-9 for each.
    """
    pos, neg = np.array([0, 1, 1, 1]), np.array([1, 1, 1, 0])
    measure = PredictiveValue(recall, prevalence=prevalence)
    chances: Counter[float] = Counter()
    every = every_resample([*pos.tolist(), *neg.tolist()])
    if scheme == "stratified":
        by_class = every_resample(pos.tolist()), every_resample(neg.tolist())
        every = Counter({(*a, *b): by_class[0][a] * by_class[1][b]
                         for a, b in itertools.product(*by_class)})  # fmt: skip
    for counts, times in every.items():
        drawn = ScoreCounts(np.arange(4), np.array(counts[:4]), np.array(counts[4:]))
        if drawn.n_pos and drawn.n_neg:
            chances[round(measure.value(drawn), 9)] += times
    values = np.array(sorted(chances))
    exact = np.cumsum([chances[value] for value in values.tolist()])
    table = ScoreCounts(np.arange(4), pos, neg)
    found = np.sort(measure.of_resamples(table, Resampling(40_000, 1, scheme)).round(9))
    empirical = np.searchsorted(found, values, side="right") / 40_000
    assert np.max(np.abs(empirical - exact / exact[-1])) < 0.0165
    assert set(found.tolist()) <= set(values.tolist())


def test_kernels_row_by_row() -> None:
    """The area is P(a positive's kernel draws above a negative's): a mean over all pairs."""
    rng = np.random.Generator(np.random.Philox(3))
    score = np.round(rng.normal(size=60), 1)
    positive = rng.random(60) < 0.4
    fit = fit_density(ScoreCounts.from_arrays(positive, score))
    gaps = score[positive][:, None] - score[~positive]
    assert fit.auc == pytest.approx(np.mean(ndtr(gaps / fit.bandwidth / sqrt(2))), abs=2e-5)
    cut = 0.37
    shares = [np.mean(ndtr((score[c] - cut) / fit.bandwidth)) for c in (~positive, positive)]
    assert fit.tpr_at(shares[0]) == pytest.approx(shares[1], abs=1e-4)
    assert fit.fpr_at(shares[1]) == pytest.approx(shares[0], abs=1e-4)


def test_many_scores_are_put_together_to_a_fine_grid() -> None:
    rng = np.random.Generator(np.random.Philox(4))
    positive = np.arange(6000) < 2000
    score = rng.normal(size=6000) + positive
    fit = fit_density(ScoreCounts.from_arrays(positive, score))
    assert len(fit.pos) < 6000
    cut = 0.8
    shares = [np.mean(ndtr((score[c] - cut) / fit.bandwidth)) for c in (~positive, positive)]
    assert fit.tpr_at(shares[0]) == pytest.approx(shares[1], abs=1e-4)


def plain_log_likelihood(
    table: ScoreCounts, a: float, b: float, cuts: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> float:
    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    of_pos, of_neg = np.diff(ndtr(b * edges - a)), np.diff(ndtr(edges))
    if min(of_pos.min(), of_neg.min()) <= 0.0:
        return -1e9
    return float(table.pos @ np.log(of_pos) + table.neg @ np.log(of_neg))


@pytest.mark.parametrize("seed", range(5))
def test_no_parameters_are_likelier_than_the_fit(seed: int) -> None:
    """Best thresholds for given a and b by coordinates: nearby a and b have no larger maximum."""
    from scipy.optimize import minimize

    rng = np.random.Generator(np.random.Philox(seed))
    pos = rng.multinomial(40, [0.1, 0.15, 0.2, 0.25, 0.3])
    neg = rng.multinomial(50, [0.35, 0.25, 0.2, 0.12, 0.08])
    table = ScoreCounts(np.arange(5), pos, neg)
    fit = fit_likelihood(table)

    def loss(free: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        cuts = np.cumsum(np.append(free[2], np.exp(np.clip(free[3:], -9, 3))))
        return -plain_log_likelihood(table, free[0], exp(free[1]), cuts)

    start = np.array([1.0, 0.0, -1.0, -1.0, -1.0, -1.0])
    options = {"xatol": 1e-7, "fatol": 1e-11, "maxiter": 20_000, "maxfev": 20_000}
    best = minimize(loss, start, method="Nelder-Mead", options=options)
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-7)
    assert (fit.curve.a, fit.curve.b) == pytest.approx((best.x[0], exp(best.x[1])), abs=1e-3)


def test_the_order_of_one_class_does_not_matter_to_the_likelihood() -> None:
    rows = [(0, 2), (0, 1), (1, 1), (2, 0), (1, 0), (0, 3), (1, 0), (2, 1), (3, 0)]
    joined = [(0, 3), (1, 1), (3, 0), (0, 3), (1, 0), (2, 1), (3, 0)]
    one, other = fit_likelihood(table_of(rows)), fit_likelihood(table_of(joined))
    assert one.parameters == pytest.approx(other.parameters, abs=1e-9)
    assert one.categories == 7


@pytest.mark.parametrize(
    "rows", [[(0, 5), (5, 0)], [(0, 3), (2, 2), (3, 0)], [(0, 5), (1, 5), (5, 5)]]
)
def test_data_without_a_maximum_are_refused(rows: list[tuple[int, int]]) -> None:
    with pytest.raises(InputError, match="binormal"):
        fit_likelihood(table_of(rows))


def test_counting_resamples() -> None:
    """The reference itself: multinomial coefficients."""
    assert every_resample([1, 2]) == {(0, 3): 8, (1, 2): 12, (2, 1): 6, (3, 0): 1}
    assert sum(every_resample([2, 2]).values()) == 4**4
    assert comb(3, 1) * 2**2 == 12
