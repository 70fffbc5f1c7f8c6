"""Proposition 1 of Maurer and Pontil 2020, exactly, and the widths of bounds for areas."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from rocsolid.binary.curve_area import curve_area, influence, plug_in
from rocsolid.intervals.guarantees.band import band_interval
from rocsolid.intervals.guarantees.hinge import hinge
from rocsolid.intervals.guarantees.matchings import matchings
from rocsolid.intervals.guarantees.weighted_area import (
    sandwich_slope,
    weighted_mcdiarmid,
    weighted_sandwich,
    weighted_theorem_2,
)
from rocsolid.intervals.guarantees.weighted_best import weighted_dkw
from rocsolid.summaries.placements import SortedClasses
from rocsolid.theory.guarantees import (
    Finite,
    Linear,
    gaussian_finite,
    weighted_theorem_3,
    weighted_uniform_curve,
)
from rocsolid.theory.study.tables_2005 import Cell, StudyTable
from rocsolid.weights import losses, ramp, step

SAMPLE_SIZES = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)
CLASS_SIZES = (
    *(50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000),
    *(200_000, 500_000, 1_000_000),
)
REGIONS: dict[str, tuple[float, float]] = {
    "W = 1": (0.0, 1.0),
    "FPR <= 0.1": (0.0, 0.1),
    "FPR <= 0.05": (0.0, 0.05),
}
AUC = 0.9
SCORERS = 10
LINEAR = "in R^5"
ONE_SCORER = ("Theorem 2", "McDiarmid", "DKW", "band", "hinge", "matchings", "normal")
PICKED = ("Theorem 3", f"of {SCORERS}", LINEAR)


def proposition_1(sizes: Sequence[int], done: Callable[[], None]) -> StudyTable:
    """Return exact means over samples of N rows for the example of Proposition 1.

    Positives score 1/2, negatives 0 or 1, each by a fair coin. W is 1 on [1/2, 1]. A sample without
    one of the classes is excluded. With R the share of negatives at 0, the plug-in estimate is R if
    R ≥ 1/2 and otherwise 0, and the area under the completed curve is then R − 1/2.
    """
    rows = []
    for size in sizes:
        rows.append((size, *_mean_areas(size)))
        done()
    return StudyTable(
        "proposition_1", "Proposition 1: mean area over all samples of N rows",
        ("n", "plug_in", "curve"), tuple(rows),
    )  # fmt: skip


def _mean_areas(size: int) -> tuple[float, float]:
    """Return both means, by x·C(k, x) = k·C(k−1, x−1): E R·1(R ≥ ½) is half a binomial tail.

    >>> plug_in, curve = _mean_areas(2)  # one of each class; the negative lies at 0 or at 1
    >>> round(plug_in, 12), round(curve, 12)
    (0.5, 0.25)
    """
    from scipy.special import bdtrc, gammaln

    negatives = np.arange(1, size)
    log_chance = -gammaln(negatives + 1) - gammaln(size - negatives + 1)
    chance = np.exp(log_chance - log_chance.max())
    half = (negatives + 1) // 2  # the fewest at 0 for R ≥ 1/2
    below = np.where(half >= 2, bdtrc(half - 2, np.maximum(negatives - 1, 1), 0.5), 1.0)
    at_least = bdtrc(half - 1, negatives, 0.5)
    plug_in, curve = below / 2, (below - at_least) / 2
    return float(chance @ plug_in / chance.sum()), float(chance @ curve / chance.sum())


def widths(sizes: Sequence[int], delta: float, done: Callable[[], None]) -> StudyTable:
    """Return the widths of all intervals over the largest area, for classes of n rows each.

    The sample consists of the quantiles of normal scores with AUC .9. For regions, Theorem 2 and
    McDiarmid use ramps below and above the step. Theorem 3 is for ten scorers with scores in [0,
    1], the ramp loss of width .1 and the constant weight.
    """
    rows: list[tuple[Cell, ...]] = []
    for region, (low, high) in REGIONS.items():
        for size in sizes:
            classes = typical(size)
            one_scorer = _one_scorer(classes, low, high, delta)
            rows.append((region, size, *one_scorer, *_picked(classes, low, high, delta)))
            done()
    title = f"Widths as shares of the largest area, AUC {AUC:g}, delta = {delta:g}"
    return StudyTable("widths", title, ("region", "n", *ONE_SCORER, *PICKED), tuple(rows))


def typical(size: int) -> SortedClasses:
    """Return quantiles of two normal distributions whose AUC is .9.

    >>> typical(3).neg.round(3)
    array([-0.967,  0.   ,  0.967])
    """
    from scipy.special import ndtri

    scores = ndtri((np.arange(size) + 0.5) / size)
    return SortedClasses(scores + math.sqrt(2) * ndtri(AUC), scores)


def _one_scorer(classes: SortedClasses, low: float, high: float, delta: float) -> tuple[float, ...]:
    from scipy.special import ndtri

    n, weight = len(classes.neg), step(low, high)
    top, value = weight.l1_norm, curve_area(classes, weight)
    if weight.constant is not None:
        plugged = plug_in(classes, weight, losses.step())
        theorem_2 = weighted_theorem_2(plugged, weight, n, n, delta).width
        mcdiarmid = weighted_mcdiarmid(value, weight, n, n, delta).width
        blocks = hinge(value, n, n, delta).width
        matched = matchings(classes.pos, classes.neg, delta).width
    else:
        blocks = matched = math.nan
        theorem_2 = _theorem_2_by_ramps(classes, low, high, delta)
        slope = sandwich_slope(n)
        ramps = [ramp(low, high, slope, side=side) for side in ("below", "above")]
        areas = [curve_area(classes, w) for w in ramps]
        mcdiarmid = weighted_sandwich(
            areas[0], ramps[0], areas[1], ramps[1], n, n, delta, largest=top
        ).width
    spread = influence(classes, weight)
    calibrated = 2 * float(ndtri(1 - delta / 2)) * math.sqrt(spread.pos + spread.neg)
    return tuple(
        width / top
        for width in (
            theorem_2,
            mcdiarmid,
            weighted_dkw(value, weight, n, n, delta).width,
            band_interval(classes, weight, delta).width,
            blocks,
            matched,
            calibrated,
        )
    )


def _theorem_2_by_ramps(classes: SortedClasses, low: float, high: float, delta: float) -> float:
    """Return the width by remark 2: a limit from a ramp on each side, each with δ/2.

    The slope L balances 1/L, about the area that both ramps add, with the L in both bounds.
    """
    n, top = len(classes.neg), high - low
    slope = (2 * n / (128 * math.log(8 / delta))) ** 0.25
    below, above = (ramp(low, high, slope, side=side) for side in ("below", "above"))
    limits = [
        weighted_theorem_2(plug_in(classes, w, losses.step()), w, n, n, delta / 2)
        for w in (below, above)
    ]
    return min(limits[1].high, top) - min(max(limits[0].low, 0.0), top)


def _picked(classes: SortedClasses, low: float, high: float, delta: float) -> tuple[float, ...]:
    n, weight = len(classes.neg), step(low, high)
    theorem_3 = math.nan
    if weight.constant is not None:
        loss, complexity = losses.ramp(0.1), gaussian_finite(SCORERS, (0.0, 1.0), 2 * n)
        plugged = plug_in(classes, weight, loss)
        bound = weighted_theorem_3(plugged, n, n, weight, loss, complexity, delta)
        theorem_3 = bound.interval.width
    value, top = curve_area(classes, weight), weight.l1_norm
    return (
        theorem_3,
        *(
            weighted_uniform_curve(value, n, n, weight, scorers, delta).interval.width / top
            for scorers in (Finite(SCORERS), Linear(5))
        ),
    )
