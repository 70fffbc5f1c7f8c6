"""Models of smooth ROC curves, by name, with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import known, one_of, whole
from rocsolid.binary.smoothing.binormal import (
    RULE,
    BinormalCurve,
    Kernel,
    LikelihoodFit,
    fit_density,
    fit_likelihood,
    fit_line,
)
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.calibrated.standard_error import quantile
from rocsolid.intervals.guarantees.checks import check_level
from rocsolid.parameters import SmoothMethod
from rocsolid.results.interval import Interval
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.stream import stream

SmoothCurve = BinormalCurve | Kernel
Fit = SmoothCurve | LikelihoodFit


class SmoothingModel(NamedTuple):
    fit: Callable[[ScoreCounts], Fit]
    assumption: str


_BINORMAL = "some increasing transform of the scores makes both classes normal"
MODELS: dict[str, SmoothingModel] = {
    "binormal": SmoothingModel(fit_line, _BINORMAL),
    "binormal-ml": SmoothingModel(fit_likelihood, _BINORMAL),
    "density": SmoothingModel(
        fit_density, f"densities smooth on the scale of the scores; bandwidth {RULE}"
    ),
}


def curve_of(fit: Fit) -> SmoothCurve:
    return fit.curve if isinstance(fit, LikelihoodFit) else fit


def assumptions(method: str) -> tuple[str, ...]:
    return ("rows independent", f"model: {MODELS[method].assumption}")


_FLOATS = NDArray[np.float64]
SmoothInterval = Literal["bootstrap", "information"]
_MOST_FAILED = 0.1  # the largest share of failed resamples; more would bias the rest


@dataclass(frozen=True, slots=True, eq=False)
class SmoothIntervals(Plain):
    """An interval for the area, and limits for the true-positive rate at each rate in ``fpr``.

    Each limit holds separately. ``failed`` resamples had no curve and are left out.
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
    """Intervals by resampling within classes, or from the information about a and b.

    ``bootstrap``: percentiles over resampled tables, each with its own curve; a density keeps the
    bandwidth of the data. ``information``: normal limits on the probit scale, for the
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
            except InputError:  # counts as failed
                continue
        areas.append(curve.auc)
        heights.append(curve.tpr_at(fpr))
    failed = resamples - len(areas)
    if failed > _MOST_FAILED * resamples:
        raise UnsoundError(
            f"{failed:,} of {resamples:,} resamples have no curve by this method",
            value=method,
            fix='use smooth("density"), or the intervals of the empirical curve',
        )
    tails = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
    low, high = np.quantile(areas, tails).tolist()
    edges = np.quantile(np.array(heights), tails, axis=0)
    of_area = replace(
        _interval(method, low, high, level, "bootstrap-percentile"),
        drawn=f"{resamples:,} resamples, seed {seed}",
    )
    return SmoothIntervals(of_area, fpr, edges[0], edges[1], failed)


def _drawn(draw: np.random.Generator, counts: NDArray[Any]) -> NDArray[np.int64]:
    rows = int(counts.sum())
    return draw.multinomial(rows, counts / rows)


def _interval(method: str, low: float, high: float, level: float, how: str) -> Interval:
    return Interval(low, high, level, f"{method}, {how}", assumptions=assumptions(method))


@dataclass(frozen=True, slots=True, eq=False)
class SmoothRoc(Plain):
    """A smooth curve by a model; its results depend on the model's assumptions.

    ``fpr`` and ``tpr`` are points of the curve, ``auc`` is the area under it, and ``parameters``
    are the fitted values (a and b, or the bandwidth).
    """

    method: str
    fit: Fit
    fpr: _FLOATS
    tpr: _FLOATS
    auc: float
    counts: ScoreCounts
    _json = "method auc parameters fpr tpr assumptions"

    @property
    def curve(self) -> SmoothCurve:
        return curve_of(self.fit)

    @property
    def parameters(self) -> Mapping[str, float]:
        return self.fit.parameters

    @property
    def assumptions(self) -> tuple[str, ...]:
        return assumptions(self.method)

    def tpr_at(self, fpr: ArrayLike) -> _FLOATS:
        """Return true-positive rates at false-positive rates."""
        return self.curve.tpr_at(_rates(fpr, "fpr"))

    def fpr_at(self, tpr: ArrayLike) -> _FLOATS:
        """Return false-positive rates at true-positive rates."""
        return self.curve.fpr_at(_rates(tpr, "tpr"))

    def intervals(
        self,
        interval: SmoothInterval = "bootstrap",
        *,
        level: float = 0.95,
        resamples: int = 1000,
        seed: int = 0,
        points: int = 101,
    ) -> SmoothIntervals:
        """Return limits for the area and for the curve at ``points`` rates.

        `smooth_intervals` describes the methods.
        """
        grid = np.linspace(0.0, 1.0, points)
        return smooth_intervals(
            self.method, self.fit, self.counts, interval, level, resamples, seed, grid
        )

    __repr__ = one_line

    def __str__(self) -> str:
        fitted = ", ".join(f"{name} {value:.4g}" for name, value in self.curve.parameters.items())
        return f"smooth ROC curve ({self.method}), area {self.auc:.4f}, {fitted}"


def smooth_roc(counts: ScoreCounts, method: SmoothMethod) -> SmoothRoc:
    """Fit a smooth curve to a table of scores.

    - ``binormal``: a straight line on probit paper by least squares, as in pROC (see `fit_line`).
    - ``binormal-ml``: the binormal curve of maximum likelihood (see `fit_likelihood`).
    - ``density``: normal kernels around the scores (see `fit_density`).

    >>> table = ScoreCounts(np.arange(5), np.array([3, 2, 2, 11, 33]), np.array([33, 6, 6, 11, 2]))
    >>> print(smooth_roc(table, "binormal"))
    smooth ROC curve (binormal), area 0.9107, a 1.647, b 0.7069
    """
    known(method, MODELS, "way to smooth a curve")
    fit = MODELS[method].fit(counts)
    curve = curve_of(fit)
    return SmoothRoc(method, fit, *curve.points(), curve.auc, counts)


def _rates(given: ArrayLike, name: str) -> _FLOATS:
    rates = np.asarray(given, dtype=np.float64)
    if not np.all((rates >= 0.0) & (rates <= 1.0)):
        raise InputError(f"{name} must lie in [0, 1]", value=given)
    return rates
