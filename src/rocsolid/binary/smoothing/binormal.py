"""The binormal curve, and the straight line through the corners on probit paper."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BinormalCurve:
    """tpr = Φ(a + b·Φ⁻¹(fpr)): some increasing transform makes the scores of both classes normal.

    With standard normal negatives the positives then have the mean a/b and the standard deviation
    1/b. Where b is not 1 the curve has a hook below the diagonal at one of its ends.

    >>> curve = BinormalCurve(1.5, 1.0)
    >>> round(curve.auc, 4), curve.tpr_at([0, 0.5, 1]).round(4)
    (0.8556, array([0.    , 0.9332, 1.    ]))
    """

    a: float
    b: float

    @property
    def parameters(self) -> Mapping[str, float]:
        return {"a": self.a, "b": self.b}

    @property
    def auc(self) -> float:
        """Φ(a/√(1+b²))."""
        from scipy.special import ndtr

        return float(ndtr(self.a / math.hypot(1.0, self.b)))

    def tpr_at(self, fpr: ArrayLike) -> _FLOATS:
        from scipy.special import ndtr, ndtri

        return np.asarray(ndtr(self.a + self.b * ndtri(np.asarray(fpr, float))))

    def fpr_at(self, tpr: ArrayLike) -> _FLOATS:
        from scipy.special import ndtr, ndtri

        return np.asarray(ndtr((ndtri(np.asarray(tpr, float)) - self.a) / self.b))

    def points(self) -> tuple[_FLOATS, _FLOATS]:
        """512 points at evenly spread true-positive rates."""
        tpr = np.linspace(0.0, 1.0, 512)
        return self.fpr_at(tpr), tpr


def fit_line(counts: ScoreCounts) -> BinormalCurve:
    """Least squares of Φ⁻¹(specificity) on Φ⁻¹(sensitivity) over all corners with finite values.

    This is what pROC's "binormal" does. It is simple and needs no scale, but it treats corners as
    if they were independent and alike, which they are not: it has no maximum-likelihood property
    and no standard error. `fit_likelihood` has both.

    >>> curve = fit_line(ScoreCounts(np.arange(4), np.array([1, 2, 3, 4]), np.array([4, 3, 2, 1])))
    >>> round(curve.a, 4), round(curve.b, 4)
    (1.0351, 1.0001)
    """
    from scipy.special import ndtri

    used = (counts.pos > 0) | (counts.neg > 0)
    below_pos, below_neg = np.cumsum(counts.pos[used])[:-1], np.cumsum(counts.neg[used])[:-1]
    # −Φ⁻¹ of the share below is Φ⁻¹ of the share above
    x = -ndtri(below_pos / float(counts.n_pos))
    y = ndtri(below_neg / float(counts.n_neg))
    finite = np.isfinite(x) & np.isfinite(y)
    x, y = x[finite], y[finite]
    if len(x) < 2 or not np.ptp(x) > 0.0 or not np.ptp(y) > 0.0:
        raise InputError(
            "too few corners off the sides of the square for a binormal line",
            value=len(x),
            fix="a curve needs two thresholds with both rates strictly between 0 and 1",
        )
    dx = x - x.mean()
    slope = float(dx @ y / (dx @ dx))
    intercept = float(y.mean() - slope * x.mean())
    # Φ⁻¹(fpr) = −y, solved for Φ⁻¹(tpr) = x
    return BinormalCurve(-intercept / slope, -1.0 / slope)
