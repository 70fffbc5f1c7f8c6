"""A smooth ROC curve and how far it would move with other rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import known
from rocsolid.binary.smoothing.intervals import SmoothInterval, SmoothIntervals, smooth_intervals
from rocsolid.binary.smoothing.models import (
    MODELS,
    Fit,
    SmoothCurve,
    SmoothMethod,
    assumptions,
    curve_of,
)
from rocsolid.errors import InputError
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SmoothRoc(Plain):
    """A curve of a model: no longer the data alone, and nothing about it is distribution-free.

    ``fpr`` and ``tpr`` are points of the curve, ``auc`` the area under it, ``parameters`` what was
    fitted (a and b, or the bandwidth).
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
        """True-positive rates at false-positive rates."""
        return self.curve.tpr_at(_rates(fpr, "fpr"))

    def fpr_at(self, tpr: ArrayLike) -> _FLOATS:
        """False-positive rates at true-positive rates."""
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
        """Limits for the area and for the curve at ``points`` rates; see `smooth_intervals`."""
        grid = np.linspace(0.0, 1.0, points)
        return smooth_intervals(
            self.method, self.fit, self.counts, interval, level, resamples, seed, grid
        )

    __repr__ = one_line

    def __str__(self) -> str:
        fitted = ", ".join(f"{name} {value:.4g}" for name, value in self.curve.parameters.items())
        return f"smooth ROC curve ({self.method}), area {self.auc:.4f}, {fitted}"


def smooth_roc(counts: ScoreCounts, method: SmoothMethod) -> SmoothRoc:
    """A smooth curve through a table of scores.

    - ``binormal``: a straight line on probit paper by least squares (see `fit_line`; pROC's way).
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
