"""The bounded normal approximation: its parts by enumeration, its limits by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import binom, norm

import rocsolid as rs
from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.guarantees import (
    berry_esseen,
    best,
    difference_berry_esseen,
    difference_mcdiarmid,
    hinge,
    interval,
)
from rocsolid.intervals.guarantees.berry_esseen import (
    FEWEST_OF_DIFFERENCES,
    Approximation,
    _approximation,
    linear_reach,
)
from rocsolid.intervals.guarantees.cuts import MOST
from rocsolid.results.interval import Alternative

ALARM = 1e-6 / 100
"""Chance of a false alarm over the fewer than 100 checks of coverage here, all with fixed seeds."""
SHARES = (0.005, 0.025, 0.1, 0.4)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize(("m", "n"), [(1, 1), (5, 5), (3, 40), (30, 60), (400, 300)])
def test_a_sum_of_two_binomials_exceeds_the_reach_rarely(m: int, n: int, share: float) -> None:
    """Every value of the sum with its exact probability, for rare and frequent successes."""
    i, j = np.arange(m + 1), np.arange(n + 1)
    for p in (0.001, 0.02, 0.3, 0.5, 0.9):
        for q in (0.001, 0.2, 0.5, 0.98):
            away = (i / m - p)[:, None] + (j / n - q)
            chance = binom.pmf(i, m, p)[:, None] * binom.pmf(j, n, q)
            largest = max(max(p, 1 - p) / m, max(q, 1 - q) / n)
            sigma = math.sqrt(p * (1 - p) / m + q * (1 - q) / n)
            for deviation in (sigma, 1.5 * sigma, 10.0 * sigma):
                reach = linear_reach(deviation, largest, share)
                assert chance[away >= reach].sum() <= share
                assert chance[-away >= reach].sum() <= share


@given(st.floats(1e-5, 0.3), st.floats(1e-7, 0.1), st.sampled_from(SHARES), st.floats(0.01, 1.0))
def test_the_reach_is_no_shorter_than_for_any_smaller_deviation(
    deviation: float, largest: float, share: float, part: float
) -> None:
    """Against the plain definition, the largest of the smaller of two bounds, on a grid."""
    sigma = deviation * np.linspace(0.001, 1.0, 500)
    left = share - 0.56 * largest / sigma
    with np.errstate(invalid="ignore"):
        normal = np.where(left > 0.0, -sigma * norm.ppf(left), np.inf)
    log = -math.log(share)
    # the t at which Bernstein's exponent t²/(2σ² + 2ct/3) is ln(1/share)
    bernstein = np.array([
        max(np.roots([1.0, -2.0 * largest * log / 3.0, -2.0 * s**2 * log]).real) for s in sigma
    ])  # fmt: skip
    reach = linear_reach(deviation, largest, share)
    assert reach >= np.minimum(normal, bernstein).max() * (1.0 - 1e-9)
    assert linear_reach(part * deviation, largest, share) <= reach * (1.0 + 1e-12)
    if normal[-1] > bernstein.max():  # far from its minimum, the normal bound is the reach
        return
    assert reach <= bernstein.max() * (1.0 + 1e-9)


@pytest.mark.parametrize("share", SHARES)
def test_the_reach_rises_where_the_two_bounds_meet(share: float) -> None:
    """Near the deviation at which the normal bound takes over, on a fine grid."""
    largest, log = 1e-4, -math.log(share)
    sigma = 0.56 * largest / share * np.geomspace(0.2, 20.0, 2_000)
    left = share - 0.56 * largest / sigma
    with np.errstate(invalid="ignore"):
        normal = np.where(left > 0.0, -sigma * norm.ppf(left), np.inf)
    third = largest * log / 3.0
    plain = np.minimum(normal, third + np.sqrt(third**2 + 2.0 * log * sigma**2))
    reach = np.array([linear_reach(float(each), largest, share) for each in sigma])
    assert np.all(reach >= np.maximum.accumulate(plain) * (1.0 - 1e-9))
    assert np.all(np.diff(reach) >= -1e-18)


def test_many_rows_come_near_the_normal_quantile() -> None:
    assert linear_reach(1e-3, 1e-9, 0.025) == pytest.approx(1e-3 * norm.ppf(0.975), rel=1e-5)


def plain_bound(
    tests: Approximation, placements: tuple[NDArray, NDArray], candidate: float
) -> float:
    """The bound of Â − a from the rows, term by term."""
    m, n = len(placements[0]), len(placements[1])
    assert (m, n) == (tests.n_pos, tests.n_neg)
    events, times, most = (
        (5, 1, tests.farthest) if tests.scores == 1 else (7, 2, 1 + tests.farthest)
    )
    event = tests.share * tests.excluded / events
    variance = 0.0
    for rows, other in ((placements[0], n), (placements[1], m)):
        error = times * math.sqrt(math.log(2 / event) / (2 * other))
        mean = min((math.sqrt(np.mean((rows - candidate) ** 2)) + error) ** 2 / most**2, 1.0)
        bound = math.log(1 / event) / len(rows)

        def excess(q: float, p: float = mean, bound: float = bound) -> float:
            relative = p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
            return relative - bound

        largest = brentq(excess, mean, 1 - 1e-12, xtol=1e-15) if mean < 1.0 else 1.0
        variance += most**2 * largest / len(rows)
    uniform = times * math.sqrt(math.log(2 / event) / (2 * n))
    rest = uniform * math.sqrt(2 * math.log(1 / event) / m)
    share = tests.share * (1 - tests.excluded)
    return rest + linear_reach(math.sqrt(variance), most / min(m, n), share)


@pytest.mark.parametrize("scores", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_the_reach_solves_the_plain_bound(seed: int, scores: int) -> None:
    rng = np.random.default_rng(seed)
    m, n = rng.integers(300, 3000, 2)
    pos, neg = rng.normal(rng.uniform(0, 1.5), 1, m).round(1), rng.normal(0, 1, n).round(1)
    wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    if scores == 2:
        wins = wins - (pos[:, None] > neg.round())
    placements = wins.mean(axis=1), wins.mean(axis=0)
    tests = Approximation(m, n, 0.025, 0.1, 0.9 if scores == 1 else 0.5, scores)
    reach = tests.reach((placements[0].var(ddof=1), placements[1].var(ddof=1)))
    for side in (-reach, reach):
        candidate = wins.mean() + side
        assert plain_bound(tests, placements, candidate) == pytest.approx(reach, rel=1e-5)


def test_candidates_far_from_one_half_are_left_to_the_hinge() -> None:
    tests = _approximation(40_000, 50_000, 0.025)
    assert 0.9 < tests.farthest < 0.99
    variances = 0.05, 0.05
    for auc in (0.0, 0.005, 0.995, 1.0):
        plain = hinge(auc, 40_000, 50_000)
        limits = berry_esseen(auc, 40_000, 50_000, variances=(0.0, 0.0))
        assert (limits.low, limits.high) == (plain.low, plain.high)
    # the limits of an AUC near the border are those of either test, whichever rejects less
    far = tests.farthest
    reach, plain = tests.reach(variances), hinge(far, 40_000, 50_000)
    limits = berry_esseen(far, 40_000, 50_000, variances=variances)
    assert limits.low == pytest.approx(far - reach, abs=1e-12)
    assert limits.high == plain.high
    mirrored = berry_esseen(1 - far, 40_000, 50_000, variances=variances)
    assert mirrored.low == pytest.approx(1 - limits.high, abs=1e-12)
    assert mirrored.high == pytest.approx(1 - limits.low, abs=1e-12)


def test_one_limit_uses_the_whole_error() -> None:
    both = berry_esseen(0.7, 10**5, 10**5, 0.05, variances=(0.06, 0.06))
    greater = berry_esseen(0.7, 10**5, 10**5, 0.025, "greater", variances=(0.06, 0.06))
    less = berry_esseen(0.7, 10**5, 10**5, 0.025, "less", variances=(0.06, 0.06))
    assert (both.low, both.high) == (greater.low, less.high)
    assert (greater.high, less.low) == (1.0, 0.0)


@pytest.mark.parametrize("delta", [1e-90, 1e-9, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("sizes", [(1, 1), (1, 10**6), (50, 10), (10**5, 10**9)])
def test_every_error_and_size_has_limits(delta: float, sizes: tuple[int, int]) -> None:
    for auc in (0.0, 0.5, 0.8, 1.0):
        for side in ("two-sided", "greater", "less"):
            limits = berry_esseen(auc, *sizes, delta, side, variances=(0.02, 0.02))  # type: ignore[arg-type]
            assert 0.0 <= limits.low <= limits.high <= 1.0
            if side == "two-sided":
                assert limits.low <= auc <= limits.high


def misses(
    tables: int, m: int, n: int, shift: float, decimals: int, delta: float, side: Alternative
) -> int:
    rng = np.random.default_rng(20261128)
    grid = np.arange(-12, 12, 10.0**-decimals)
    of_pos, of_neg = (np.diff(norm.cdf(grid - mean - 0.5 * 10.0**-decimals)) for mean in (shift, 0))
    true = float(of_pos @ (np.cumsum(of_neg) - of_neg / 2))
    missed = 0
    for _ in range(tables):
        pos, neg = (
            rng.multinomial(m, of_pos / of_pos.sum()),
            rng.multinomial(n, of_neg / of_neg.sum()),
        )
        below, above = (np.cumsum(neg) - neg / 2) / n, 1 - (np.cumsum(pos) - pos / 2) / m
        auc = pos @ below / m
        variances = (pos @ (below - auc) ** 2 / (m - 1), neg @ (above - auc) ** 2 / (n - 1))
        limits = berry_esseen(float(auc), m, n, delta, side, variances=variances)
        missed += not limits.low <= true <= limits.high
    return missed


DESIGNS = [
    (MOST + 1, MOST + 1, 1.0, 1),
    (MOST + 1, MOST + 1, 2.7, 2),
    (MOST + 1, MOST + 1, 0.0, 0),
    (10**6, 10**6, 1.0, 2),
    (40_000, 10**7, 0.5, 1),
]


@pytest.mark.slow
@pytest.mark.parametrize(("side", "delta"), [("two-sided", 0.05), ("greater", 0.5), ("less", 0.5)])
@pytest.mark.parametrize(("m", "n", "shift", "decimals"), DESIGNS)
def test_the_limits_cover(
    m: int, n: int, shift: float, decimals: int, delta: float, side: Alternative
) -> None:
    tables = 1_000
    bound = binom.ppf(1.0 - ALARM, tables, delta)
    assert misses(tables, m, n, shift, decimals, delta, side) <= bound


def test_the_limits_at_even_odds_miss_often_enough() -> None:
    """The width is near the least possible: otherwise a simulation could not find a false bound."""
    missed = misses(300, 10**6, 10**6, 1.0, 1, 0.5, "two-sided")
    assert 100 < missed <= binom.ppf(1.0 - ALARM, 300, 0.5)


def test_the_variances_are_needed_and_checked() -> None:
    with pytest.raises(UnsoundError, match="variances"):
        interval("berry-esseen", 0.8, 10**5, 10**5)
    with pytest.raises(InputError, match="negative"):
        berry_esseen(0.8, 10**5, 10**5, variances=(-1.0, 0.1))
    of_name = interval("berry-esseen", 0.8, 10**5, 10**5, variances=(0.05, 0.05))
    assert of_name == berry_esseen(0.8, 10**5, 10**5, variances=(0.05, 0.05))


def test_it_is_the_certificate_of_many_rows() -> None:
    rng = np.random.default_rng(3)
    m, n = MOST + 1, MOST + 500
    pos, neg = rng.normal(1, 1, m).round(2), rng.normal(0, 1, n).round(2)
    result = rs.auc(np.repeat([1, 0], [m, n]), np.concatenate([pos, neg]))
    certified = result.certified
    assert certified is not None
    assert certified.method == "berry-esseen"
    assert certified.width < 1.35 * result.interval.width
    below = np.searchsorted(np.sort(neg), pos) + np.searchsorted(np.sort(neg), pos, side="right")
    above = np.searchsorted(np.sort(pos), neg) + np.searchsorted(np.sort(pos), neg, side="right")
    variances = (below / (2 * n)).var(ddof=1), (1 - above / (2 * m)).var(ddof=1)
    plain = berry_esseen(result.value, m, n, variances=variances)
    assert (certified.low, certified.high) == pytest.approx((plain.low, plain.high), abs=1e-12)
    of_scores = best(result.value, m, n, scores=(pos, neg))
    assert (of_scores.low, of_scores.high) == (certified.low, certified.high)


def test_one_row_in_a_class_has_limits() -> None:
    result = rs.auc([1, *[0] * 50], np.arange(51.0), interval="berry-esseen")
    assert 0.0 <= result.interval.low <= result.value <= result.interval.high <= 1.0


def test_large_differences_are_left_to_mcdiarmid() -> None:
    sizes = 200_000, 300_000
    for value in (-1.0, -0.7, 0.7, 1.0):
        plain = difference_mcdiarmid(value, 1 / 200_000 + 1 / 300_000)
        limits = difference_berry_esseen(value, *sizes, variances=(0.01, 0.01))
        assert (limits.low, limits.high) == (plain.low, plain.high)
    greater = difference_berry_esseen(0.02, *sizes, 0.025, "greater", variances=(0.01, 0.01))
    less = difference_berry_esseen(0.02, *sizes, 0.025, "less", variances=(0.01, 0.01))
    both = difference_berry_esseen(0.02, *sizes, variances=(0.01, 0.01))
    assert (greater.low, less.high) == (both.low, both.high)
    assert (greater.high, less.low) == (1.0, -1.0)
    with pytest.raises(InputError, match="negative"):
        difference_berry_esseen(0.0, *sizes, variances=(0.1, math.nan))


LEVELS = 5


def missed_differences(tables: int, m: int, n: int, seed: int, delta: float) -> int:
    """Two scores of five levels each, which depend on each other within a class."""
    rng = np.random.default_rng(seed)
    laws = [rng.dirichlet(np.full(LEVELS**2, 0.4)).reshape(LEVELS, LEVELS) for _ in range(2)]

    def placed(own: NDArray, other: NDArray, sign: int) -> NDArray:
        """The difference of placements in each cell, and of its mean from the shares by score."""
        each = []
        for axis in (1, 0):
            below = np.cumsum(other.sum(axis=axis)) - other.sum(axis=axis) / 2
            each.append(below if sign > 0 else 1 - below)
        return each[0][:, None] - each[1][None, :]

    true = float((laws[0] * placed(laws[0], laws[1], 1)).sum())
    missed = 0
    for _ in range(tables):
        shares = [
            rng.multinomial(size, law.ravel()).reshape(law.shape) / size
            for size, law in zip((m, n), laws, strict=True)
        ]
        of_pos, of_neg = placed(shares[0], shares[1], 1), placed(shares[1], shares[0], -1)
        value = float((shares[0] * of_pos).sum())
        variances = [
            float((share * (each - value) ** 2).sum()) * size / (size - 1)
            for share, each, size in zip(shares, (of_pos, of_neg), (m, n), strict=True)
        ]
        limits = difference_berry_esseen(value, m, n, delta, variances=(variances[0], variances[1]))
        missed += not limits.low <= true <= limits.high
    return missed


@pytest.mark.parametrize("seed", range(3))
def test_the_limits_of_a_difference_cover_at_even_odds(seed: int) -> None:
    missed = missed_differences(150, 10**7, 10**7, seed, 0.5)
    assert 40 < missed <= binom.ppf(1.0 - ALARM, 150, 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "delta"), [*((seed, 0.5) for seed in range(5)), (5, 0.05)])
def test_the_limits_of_a_difference_cover(seed: int, delta: float) -> None:
    sizes = (FEWEST_OF_DIFFERENCES, FEWEST_OF_DIFFERENCES), (FEWEST_OF_DIFFERENCES, 10**6)
    for m, n in sizes:
        missed = missed_differences(1_000, m, n, seed, delta)
        assert missed <= binom.ppf(1.0 - ALARM, 1_000, delta)


def test_it_certifies_differences_of_many_rows() -> None:
    """In memory, and from sums of DuckDB, the same limits from the same variances."""
    duckdb = pytest.importorskip("duckdb")
    pa = pytest.importorskip("pyarrow")
    rng = np.random.default_rng(5)
    m, n = FEWEST_OF_DIFFERENCES, FEWEST_OF_DIFFERENCES + 77
    y = np.repeat([1, 0], [m, n])
    base = rng.normal(size=m + n) + y
    scores = {name: (base + rng.normal(size=m + n)).round(1) for name in "ab"}
    (pair,) = rs.compare(y, scores).pairs
    table = pa.table({"y": y, **scores})
    connection = duckdb.connect()
    streamed = rs.compare(connection.from_arrow(table), label="y", scores=["a", "b"])
    ((of_stream,),) = (each.pairs for each in streamed.comparisons.values())
    for certified in (pair.certified, of_stream.certified):
        assert certified.method == "berry-esseen"
    assert of_stream.certified.low == pytest.approx(pair.certified.low, abs=1e-9)
    assert of_stream.certified.high == pytest.approx(pair.certified.high, abs=1e-9)
    for entry in streamed.results:
        alone = rs.auc(y, scores[entry.score]).certified
        assert entry.certified.method == alone.method == "berry-esseen"
        assert (entry.certified.low, entry.certified.high) == pytest.approx(
            (alone.low, alone.high), abs=1e-12
        )
    # DeLong's placements, from the definition
    of_class = []
    for name in "ab":
        pos, neg = np.sort(scores[name][:m]), np.sort(scores[name][m:])
        below = np.searchsorted(neg, scores[name][:m]) + np.searchsorted(
            neg, scores[name][:m], side="right"
        )
        above = np.searchsorted(pos, scores[name][m:]) + np.searchsorted(
            pos, scores[name][m:], side="right"
        )
        of_class.append((below / (2 * n), 1 - above / (2 * m)))
    variances = [float((a - b).var(ddof=1)) for a, b in zip(*of_class, strict=True)]
    plain = difference_berry_esseen(pair.difference, m, n, variances=(variances[0], variances[1]))
    assert (pair.certified.low, pair.certified.high) == pytest.approx(
        (plain.low, plain.high), abs=1e-12
    )
