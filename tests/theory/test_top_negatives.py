"""Partial areas by the top negatives: every data set of small sizes, simulations, widths."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.special import bdtrc, ndtr, ndtri
from scipy.stats import multinomial

import rocsolid as rs
from rocsolid.binary.curve_area import curve_area
from rocsolid.errors import UnsoundError
from rocsolid.intervals.guarantees import weighted_band, weighted_best, weighted_top
from rocsolid.intervals.guarantees.cuts import MOST
from rocsolid.intervals.guarantees.latent_share import LOWER, UPPER
from rocsolid.intervals.guarantees.placements import classes_of
from rocsolid.intervals.guarantees.top_negatives import fits, refusal, top_inside, top_interval
from rocsolid.results.interval import Alternative
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.weights import power, step
from rocsolid.weights.weight import Axis

LEVELS = 3
ALARM = 1e-6 / 100
"""Chance of a false alarm over the fewer than 100 checks of coverage here, all with fixed seeds."""


@pytest.mark.parametrize(
    ("m", "n"), [(2, 3), *(pytest.param(*s, marks=pytest.mark.slow) for s in ((3, 5), (1, 7)))]
)
@pytest.mark.parametrize("end", [0.3, 0.9])
def test_misses_are_rarer_than_the_share(m: int, n: int, end: float) -> None:
    """With ties: the chance of each data set of three scores, under 25 distributions."""
    counts = [
        (pos, neg)
        for pos in itertools.product(range(m + 1), repeat=LEVELS)
        for neg in itertools.product(range(n + 1), repeat=LEVELS)
        if sum(pos) == m and sum(neg) == n
    ]
    delta, weight, found = 0.8, step(0, end), []
    for pos, neg in counts:
        one = weighted_top(*(np.repeat(range(LEVELS), each) for each in (pos, neg)), weight, delta)
        found.append((one.low, one.high))
    lows, highs = np.array(found).T
    assert lows.max() > 0 or end < 0.5
    rng, seen = np.random.default_rng(1), 0.0
    laws = [tuple(rng.dirichlet(np.full(LEVELS, 0.5), 2)) for _ in range(20)]
    laws += [
        (np.array([1 - p, 0, p]), np.array([q, 0, 1 - q])) for p in (0.5, 0.9) for q in (0.4, 1)
    ]
    for p, q in laws:
        truth = curve_area(ScoreCounts(np.arange(LEVELS), p, q), weight)
        chance = multinomial.pmf([c[0] for c in counts], m, p)
        chance *= multinomial.pmf([c[1] for c in counts], n, q)
        missed = chance[lows > truth + 1e-12].sum(), chance[highs < truth - 1e-12].sum()
        assert max(missed) <= delta / 2
        seen = max(seen, *missed)
    assert seen > 0


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_sides_axes_and_names(alternative: Alternative) -> None:
    rng = np.random.default_rng(3)
    pos, neg = np.round(3 * rng.normal(1, 1, 90)), np.round(3 * rng.normal(0, 1, 400))
    found = weighted_top(pos, neg, step(0, 0.2), 0.05, alternative)
    assert (
        weighted_top(np.exp(pos), rng.permutation(np.exp(neg)), step(0, 0.2), 0.05, alternative)
        == found
    )
    turned = weighted_top(-neg, -pos, step(0.8, 1, axis="tpr"), 0.05, alternative)
    assert (turned.low, turned.high) == pytest.approx((found.low, found.high), abs=1e-12)
    ends = found.low == 0.0, found.high == found.range[1]
    assert ends == (alternative == "less", alternative == "greater")
    one_sided = weighted_top(pos, neg, step(0, 0.2), 0.025, "greater")
    assert alternative != "two-sided" or one_sided.low == found.low
    y, s = np.repeat([1, 0], [90, 400]), np.concatenate([pos, neg])
    named = rs.partial_auc(y, s, fpr=0.2, interval="weighted-top", alternative=alternative)
    assert (named.low, named.high) == pytest.approx((found.low, found.high), abs=1e-9)


def test_who_uses_the_top_negatives() -> None:
    rng = np.random.default_rng(4)
    pos, neg = rng.normal(1, 1, 50), rng.normal(0, 1, 150)
    top, band = step(0, 0.2), step(0, 0.09)
    assert weighted_best(pos, neg, top) == weighted_top(pos, neg, top)
    assert weighted_best(pos, neg, band) == weighted_band(pos, neg, band)
    tops = [fits(step(end, 1, axis="tpr"), 50, 10) for end in (0.65, 0.75)]
    assert tops == [True, False]
    assert [fits(step(0, 0.04), m, n) for m, n in ((1000, 1000), (1000, 2000))] == [False, True]
    many = [(10**5, 2 * 10**5), (10**6, 10**6), (MOST, 10**7)]
    assert [fits(step(0, 0.1), *sizes) for sizes in many] == [True, False, True]
    for weight in (step(0.1, 0.2), power(1), step(0, 0.9, axis="tpr")):
        assert not fits(weight, 1000, 1000)
        with pytest.raises(UnsoundError, match="weighted-band"):
            weighted_top(pos, neg, weight)
    few = weighted_top(pos, neg[:3], step(0, 0.01))  # no negative is sure to lie in the region
    assert few.low == 0.0
    with pytest.raises(UnsoundError, match="32,768 rows"):
        weighted_top(np.arange(2 * MOST), np.arange(2 * MOST), step(0, 0.9))


@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize(
    ("m", "n", "end", "draws"),
    [
        (25, 160, 0.2, 100),
        *(
            pytest.param(*setting, 3000, marks=pytest.mark.slow)
            for setting in ((25, 160, 0.2), (200, 100, 0.5), (60, 600, 0.05))
        ),
    ],
)
def test_coverage(m: int, n: int, end: float, draws: int, graded: bool) -> None:
    """9,900 tables in all: no more misses than one in 40 has with a chance of 1e-8."""
    rng = np.random.default_rng([m, n, graded])
    shift, missed = math.sqrt(2) * float(ndtri(0.76)), np.zeros(2, dtype=int)
    draws = draws // 10 if graded else draws  # these take ten times as long
    if graded:
        edges = np.arange(-12, 14.0)
        shares = (np.diff(ndtr(edges - mean)) for mean in (shift, 0.0))
        truth = curve_area(ScoreCounts(edges[:-1], *shares), step(0, end))
    else:
        v = (np.arange(200_000) + 0.5) / 200_000 * end
        truth = float(np.mean(ndtr(shift + ndtri(v)))) * end
    for _ in range(draws):
        pos, neg = rng.normal(shift, 1, m), rng.normal(0, 1, n)
        if graded:
            pos, neg = np.floor(pos), np.floor(neg)
        classes = classes_of(pos, neg)
        for place, (side, area) in enumerate(((LOWER, truth), (UPPER, end - truth))):
            missed[place] += refusal(classes, end, 0.025, side)(area) >= 0.0
    assert (bdtrc(missed - 1, draws, 0.025) > ALARM).all()


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
@pytest.mark.parametrize("decimals", [0, 9])
def test_limits_inside_others_are_the_nearer_of_both(axis: Axis, decimals: int) -> None:
    rng = np.random.default_rng(decimals)
    weight = step(0, 0.3) if axis == "fpr" else step(0.7, 1, axis="tpr")
    pos = np.sort(np.round(rng.normal(1, 1, 60), decimals))
    classes = classes_of(pos, np.round(rng.normal(0, 1, 80), decimals))
    whole = top_interval(classes, weight, 0.05, "two-sided")
    for low, high in ((0.0, 0.9), (0.999999, 1.000001), (1.000001, 0.999999), (1.1, 1.1)):
        outer = low * whole.low, 2 * whole.high - high * whole.high
        inside = top_inside(classes, weight, *outer, 0.05, "two-sided")
        assert (inside.low, inside.high) == (max(outer[0], whole.low), min(outer[1], whole.high))


@pytest.mark.parametrize(
    ("n", "end", "most"), [(300, 0.1, 1.95), (3000, 0.1, 1.8), (3000, 0.5, 1.75)]
)
def test_it_is_shorter_than_the_band(n: int, end: float, most: float) -> None:
    rng = np.random.default_rng(n)
    pos, neg = rng.normal(math.sqrt(2) * ndtri(0.76), 1, n), rng.normal(0, 1, n)
    found = rs.partial_auc(np.repeat([1, 0], n), np.concatenate([pos, neg]), fpr=end)
    assert found.certified.method == "weighted-top"
    assert found.certified.width < most * (found.high - found.low)
    assert found.certified.width < 0.8 * weighted_band(pos, neg, step(0, end)).width
