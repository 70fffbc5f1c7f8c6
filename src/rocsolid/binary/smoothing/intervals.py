"""How far a smooth curve would move with other rows, if its model is right."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of, whole
from rocsolid.binary.smoothing.density import Kernel
from rocsolid.binary.smoothing.likelihood import LikelihoodFit
from rocsolid.binary.smoothing.models import MODELS, Fit, SmoothCurve, assumptions, curve_of
from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.calibrated.tails import quantile
from rocsolid.intervals.guarantees.checks import check_level
from rocsolid.results import Interval
from rocsolid.results.plain import Plain
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.stream import stream

_FLOATS = NDArray[np.float64]
SmoothInterval = Literal["bootstrap", "information"]
_MOST_FAILED = 0.1  # of the resamples; what is left would no longer be typical


@dataclass(frozen=True, slots=True, eq=False)
class SmoothIntervals(Plain):
    """An interval for the area, and limits for the true-positive rate at each of some rates.

    Each limit holds by itself. ``failed`` of the resamples had no curve and are left out.
    """

    auc: Interval
    fpr: _FLOATS
    low: _FLOATS
    high: _FLOATS
    failed: int = 0


def smooth_intervals(
    method: str,
    fit: Fit,
    counts: ScoreCounts,
    interval: SmoothInterval,
    level: float,
    resamples: int,
    seed: int,
    fpr: _FLOATS,
) -> SmoothIntervals:
    """By resampling the classes apart, or from the information about a and b.

    ``bootstrap``: percentiles over resampled tables, each with a curve of its own; the bandwidth of
    a density stays that of the data. ``information``: normal limits on the probit scale, for the
    maximum-likelihood curve only.

    >>> ct = ScoreCounts(np.arange(5), np.array([3, 2, 2, 11, 33]), np.array([33, 6, 6, 11, 2]))
    >>> fit, grid = MODELS["binormal-ml"].fit(ct), np.array([0.1, 0.2])
    >>> found = smooth_intervals("binormal-ml", fit, ct, "information", 0.95, 1, 0, grid)
    >>> print(found.auc)
    [0.8384, 0.9564] at 95 % (binormal-ml, information)
    """
    check_level(level)
    one_of(interval, get_args(SmoothInterval), "interval for a smooth curve")
    if interval == "bootstrap":
        whole(resamples, "resamples", 2)
        return _bootstrap(method, fit, counts, level, resamples, seed, fpr)
    if not isinstance(fit, LikelihoodFit):
        raise UnsoundError(
            "only the maximum-likelihood curve has an information matrix",
            where="interval",
            value=method,
            fix='use smooth("binormal-ml"), or interval="bootstrap"',
        )
    return _information(method, fit, level, fpr)


def _information(method: str, fit: LikelihoodFit, level: float, fpr: _FLOATS) -> SmoothIntervals:
    """Φ(estimate ± z·standard error) of a/√(1+b²) and of a + b·Φ⁻¹(fpr), by the delta method."""
    from scipy.special import ndtr, ndtri

    (aa, ab), (_, bb) = fit.covariance
    a, b, z = fit.curve.a, fit.curve.b, quantile(level, "two-sided")
    root = math.hypot(1.0, b)
    by_a, by_b = 1.0 / root, -a * b / root**3
    error = math.sqrt(by_a**2 * aa + 2.0 * by_a * by_b * ab + by_b**2 * bb)
    low, high = (float(ndtr(a / root + side * z * error)) for side in (-1.0, 1.0))
    inside = np.clip(fpr, 1e-300, 1.0 - 1e-16)
    x = ndtri(inside)
    spread = z * np.sqrt(aa + 2.0 * x * ab + x * x * bb)
    return SmoothIntervals(
        _interval(method, low, high, level, "information"),
        fpr,
        np.where(fpr == 1.0, 1.0, np.asarray(ndtr(a + b * x - spread))),
        np.where(fpr == 0.0, 0.0, np.asarray(ndtr(a + b * x + spread))),
    )


def _bootstrap(
    method: str,
    fit: Fit,
    counts: ScoreCounts,
    level: float,
    resamples: int,
    seed: int,
    fpr: _FLOATS,
) -> SmoothIntervals:
    table = fit if isinstance(fit, Kernel) else counts
    areas, heights = [], []
    for b in range(resamples):
        draw = stream(seed, b)
        pos, neg = _drawn(draw, table.pos), _drawn(draw, table.neg)
        if isinstance(fit, Kernel):
            curve: SmoothCurve = fit.with_counts(pos, neg)
        else:
            try:
                curve = curve_of(MODELS[method].fit(ScoreCounts(counts.score, pos, neg)))
            except InputError:  # this resample has no curve; how many do not is counted
                continue
        areas.append(curve.auc)
        heights.append(curve.tpr_at(fpr))
    failed = resamples - len(areas)
    if failed > _MOST_FAILED * resamples:
        raise UnsoundError(
            f"{failed:,} of {resamples:,} resamples have no curve by this method",
            value=method,
            fix='use smooth("density"), or the intervals of the curve as it is',
        )
    tails = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
    low, high = np.quantile(areas, tails).tolist()
    edges = np.quantile(np.array(heights), tails, axis=0)
    found = replace(
        _interval(method, low, high, level, "bootstrap-percentile"),
        drawn=f"{resamples:,} resamples, seed {seed}",
    )
    return SmoothIntervals(found, fpr, edges[0], edges[1], failed)


def _drawn(draw: np.random.Generator, counts: NDArray[Any]) -> NDArray[np.int64]:
    rows = int(counts.sum())
    return draw.multinomial(rows, counts / rows)


def _interval(method: str, low: float, high: float, level: float, how: str) -> Interval:
    return Interval(low, high, level, f"{method}, {how}", assumptions=assumptions(method))
