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
from rocsolid.intervals.guarantees.placements import classes_of
from rocsolid.intervals.guarantees.top_negatives import (
    fits,
    refusal,
    reversed_scores,
    top_inside,
    top_interval,
)
from rocsolid.results.interval import Alternative
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.weights import power, step
from rocsolid.weights.weight import Axis

LEVELS = 3
ALARM = 1e-6 / 100
"""Chance of a false alarm over the fewer than 100 checks of coverage here, all with fixed seeds."""


@pytest.mark.parametrize(
    ("m", "n", "ends"),
    [
        *((2, 3, ends) for ends in ((0, 0.3), (0.2, 1), (0.1, 0.9))),
        pytest.param(2, 3, (0, 0.9), marks=pytest.mark.slow),
        *(
            pytest.param(*sizes, ends, marks=pytest.mark.slow)
            for sizes in ((3, 5), (1, 7))
            for ends in ((0, 0.3), (0, 0.9), (0.2, 1), (0.1, 0.9))
        ),
    ],
)
def test_misses_are_rarer_than_the_share(m: int, n: int, ends: tuple[float, float]) -> None:
    """With ties: the chance of each data set of three scores, under 25 distributions."""
    counts = [
        (pos, neg)
        for pos in itertools.product(range(m + 1), repeat=LEVELS)
        for neg in itertools.product(range(n + 1), repeat=LEVELS)
        if sum(pos) == m and sum(neg) == n
    ]
    delta, weight, found = 0.8, step(*ends), []
    for pos, neg in counts:
        one = weighted_top(*(np.repeat(range(LEVELS), each) for each in (pos, neg)), weight, delta)
        found.append((one.low, one.high))
    lows, highs = np.array(found).T
    trivial = ends == (0.1, 0.9) and (m, n) != (3, 5)
    assert lows.max() > 0 or ends[1] < 0.5 or trivial
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
    assert seen > 0 or trivial


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
    assert not fits(power(1), 1000, 1000)
    with pytest.raises(UnsoundError, match="weighted-band"):
        weighted_top(pos, neg, power(1))
    for (start, stop), sizes, shorter in (
        ((0.1, 0.3), (1000, 1000), True),
        ((0.1, 0.3), (500, 500), False),
        ((0.1, 0.3), (1000, 4000), False),
        ((0.1, 0.3), (4000, 1000), False),
        ((0.1, 0.2), (1000, 1000), False),
        ((0.1, 0.2), (5000, 5000), True),
        ((0.5, 1), (100, 100), True),
        ((0.5, 1), (100, 4000), True),
        ((0.5, 1), (1000, 100), False),
        ((0.6, 1), (1000, 1000), False),
        ((0.5, 1), (20, 20), False),
        ((0.2, 0.6), (300, 300), False),
        ((0.2, 0.6), (400, 400), True),
        ((0.02, 0.5), (2400, 2400), False),
        ((0.02, 0.5), (2600, 2600), True),
        ((0.1, 0.7), (200, 200), True),
        ((0.1, 0.7), (480, 240), False),
        ((0.1, 0.7), (240, 240), True),
        ((0.15, 0.9), (200, 200), True),
        ((0.16, 0.9), (200, 200), False),
    ):
        assert fits(step(start, stop), *sizes) is shorter
        turned = step(max(1 - stop, 0), 1 - start, axis="tpr")
        assert fits(turned, *sizes[::-1]) is shorter
    few = weighted_top(pos, neg[:3], step(0, 0.01))  # no negative is sure to lie in the region
    assert few.low == 0.0
    between = weighted_top(pos, neg[:3], step(0.4, 0.5))  # no negative lies between the two
    assert (between.low, between.high) == (0.0, pytest.approx(0.1))
    whole = weighted_top(pos, neg, step(0, 1))
    assert 0 < whole.low < weighted_best(pos, neg, step(0, 1)).low
    with pytest.raises(UnsoundError, match="32,768 rows"):
        weighted_top(np.arange(2 * MOST), np.arange(2 * MOST), step(0, 0.9))


@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize(
    ("m", "n", "ends", "draws"),
    [
        (25, 160, (0, 0.2), 100),
        *(
            pytest.param(*setting, marks=pytest.mark.slow)
            for setting in (
                (25, 160, (0, 0.2), 1500),
                (200, 100, (0, 0.5), 1500),
                (60, 600, (0, 0.05), 1500),
                (40, 100, (0.1, 0.6), 500),
                (50, 120, (0.3, 1), 500),
            )
        ),
    ],
)
def test_coverage(m: int, n: int, ends: tuple[float, float], draws: int, graded: bool) -> None:
    """6,200 tables in all: no more misses than one in 40 has with a chance of 1e-8."""
    rng = np.random.default_rng([m, n, graded])
    shift, missed = math.sqrt(2) * float(ndtri(0.76)), np.zeros(2, dtype=int)
    draws, width = (
        draws // 10 if graded else draws,
        ends[1] - ends[0],
    )  # ties take ten times as long
    if graded:
        edges = np.arange(-12, 14.0)
        shares = (np.diff(ndtr(edges - mean)) for mean in (shift, 0.0))
        truth = curve_area(ScoreCounts(edges[:-1], *shares), step(*ends))
    else:
        v = ends[0] + (np.arange(200_000) + 0.5) / 200_000 * width
        truth = float(np.mean(ndtr(shift + ndtri(v)))) * width
    for _ in range(draws):
        pos, neg = rng.normal(shift, 1, m), rng.normal(0, 1, n)
        if graded:
            pos, neg = np.floor(pos), np.floor(neg)
        classes = classes_of(pos, neg)
        missed[0] += refusal(classes, *ends, 0.025)(truth) >= 0.0
        turned = reversed_scores(classes)
        missed[1] += refusal(turned, 1 - ends[1], 1 - ends[0], 0.025)(width - truth) >= 0.0
    assert (bdtrc(missed - 1, draws, 0.025) > ALARM).all()


@pytest.mark.parametrize(
    ("n", "ends", "most", "of_band"),
    [
        (300, (0, 0.1), 1.95, 0.8),
        (3000, (0, 0.1), 1.8, 0.8),
        (3000, (0, 0.5), 1.75, 0.8),
        (3000, (0.3, 1), 1.75, 0.65),
        (3000, (0.1, 0.3), 2.0, 0.87),
        (10_000, (0.1, 0.3), 1.9, 0.85),
    ],
)
def test_it_is_shorter_than_the_band(
    n: int, ends: tuple[float, float], most: float, of_band: float
) -> None:
    rng = np.random.default_rng(n)
    pos, neg = rng.normal(math.sqrt(2) * ndtri(0.76), 1, n), rng.normal(0, 1, n)
    found = rs.partial_auc(np.repeat([1, 0], n), np.concatenate([pos, neg]), fpr=ends)
    assert found.certified.method == "weighted-top"
    assert found.certified.width < most * (found.high - found.low)
    assert found.certified.width < of_band * weighted_band(pos, neg, step(*ends)).width


TWO_ENDS = [(0.05, 0.25), (0.1, 0.3), (0.2, 0.4), (0.3, 0.6), (0.1, 0.5), (0.2, 0.6), (0.1, 0.7),
            (0.3, 0.9), (0.02, 0.5), (0.02, 0.9)]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("ends", TWO_ENDS)
def test_between_two_ends_the_rule_follows_the_widths(ends: tuple[float, float]) -> None:
    """In the mean over the AUC of normal scores, no choice is over 11 % longer than the other."""
    for m, n in ((50, 100), (200, 200), (400, 200), (150, 400), (400, 400), (750, 750)):
        ratios = []
        for auc in (0.6, 0.76, 0.85, 0.92):
            pos, neg = (ndtri((np.arange(size) + 0.5) / size) for size in (m, n))
            rows = pos + math.sqrt(2) * ndtri(auc), neg, step(*ends)
            ratios.append(math.log(weighted_top(*rows).width / weighted_band(*rows).width))
        of_band = math.exp(np.mean(ratios))
        assert (of_band < 1.11) if fits(step(*ends), m, n) else (of_band > 0.89)


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
