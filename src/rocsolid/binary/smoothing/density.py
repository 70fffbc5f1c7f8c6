"""Normal kernels around the scores of each class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]
_FEWEST = 512  # thresholds, as in pROC
_WIDEST = 400  # bandwidths that the scores may span: beyond it one bandwidth cannot suit them
_FINE = 64  # scores nearer than this part of a bandwidth may be put together
RULE = "0.9·min(sd, IQR/1.34)·N^(-1/5), over all rows (Silverman 1986, eq. 3.31)"


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """Each score is replaced by a normal density around it, of one bandwidth for both classes.

    ``weight[i, j]`` is how much of score j lies at or above threshold i: a table of counts times it
    is a curve, with the rates ``across`` and ``up``. Between them it is read off straight lines.
    """

    bandwidth: float
    weight: _FLOATS
    pos: NDArray[Any]
    neg: NDArray[Any]
    across: _FLOATS
    up: _FLOATS

    @classmethod
    def of(cls, bandwidth: float, weight: _FLOATS, pos: NDArray[Any], neg: NDArray[Any]) -> Kernel:
        return cls(bandwidth, weight, pos, neg, _rates(weight, neg), _rates(weight, pos))

    def with_counts(self, pos: NDArray[Any], neg: NDArray[Any]) -> Kernel:
        """The curve of other rows with the same scores and the same bandwidth."""
        return Kernel.of(self.bandwidth, self.weight, pos, neg)

    @property
    def parameters(self) -> Mapping[str, float]:
        return {"bandwidth": self.bandwidth}

    def points(self) -> tuple[_FLOATS, _FLOATS]:
        return self.across, self.up

    def tpr_at(self, fpr: ArrayLike) -> _FLOATS:
        return np.asarray(np.interp(np.asarray(fpr, float), self.across, self.up))

    def fpr_at(self, tpr: ArrayLike) -> _FLOATS:
        return np.asarray(np.interp(np.asarray(tpr, float), self.up, self.across))

    @property
    def auc(self) -> float:
        """By the trapezoid rule, which for densities as smooth as these is as good as exact."""
        return float(np.sum(np.diff(self.across) * (self.up[1:] + self.up[:-1])) / 2.0)


def fit_density(counts: ScoreCounts) -> Kernel:
    """Normal kernels with the bandwidth that pROC uses ("nrd0"), on 512 thresholds or more.

    The shares above each threshold are exact sums over the rows; pROC adds up densities that are
    interpolated on a grid, which differs by some units in the fourth decimal. Kernels blur both
    classes, so the area is usually a little nearer to one half than that of the data.

    >>> columns = np.array([0, 1, 2, 2]), np.array([3, 1, 1, 0])
    >>> table = ScoreCounts(np.array([1.0, 2, 3, 4]), *columns)
    >>> fit = fit_density(table)
    >>> round(fit.bandwidth, 4), round(fit.auc, 4)
    (0.6665, 0.8598)
    """
    from scipy.special import ndtr

    score = counts.score.astype(np.float64)
    if not np.all(np.isfinite(score)):
        raise InputError(
            "kernels need finite scores",
            value=float(score[~np.isfinite(score)][0]),
            fix='use smooth("binormal"), which needs their order only',
        )
    width = bandwidth(score, counts.pos + counts.neg)
    span = float(score[-1] - score[0])
    if span > _WIDEST * width:
        raise InputError(
            f"the scores span {span / width:,.0f} bandwidths, so no single bandwidth suits them",
            value=width,
            fix='transform them (logarithm, ranks), or use smooth("binormal")',
        )
    pos, neg = counts.pos, counts.neg
    bins = int(span / width * _FINE) + 1
    if len(score) > bins:
        at = np.minimum(((score - score[0]) / span * bins).astype(np.int64), bins - 1)
        pos, neg = (np.rint(np.bincount(at, column, bins)).astype(int) for column in (pos, neg))
        score = score[0] + (np.arange(bins) + 0.5) * span / bins
    reach = 3.0 * width
    thresholds = np.linspace(
        score[-1] + reach, score[0] - reach, max(_FEWEST, int(2 * span / width) + 12)
    )
    weight = ndtr((score - thresholds[:, None]) / width)
    return Kernel.of(width, weight, pos, neg)


def bandwidth(score: _FLOATS, rows: NDArray[np.int64]) -> float:
    """0.9·min(sd, IQR/1.34)·N^(−1/5), the sd alone where the quartiles are equal.

    >>> bandwidth(np.array([1.0, 2, 3, 4]), np.array([1, 1, 1, 1])).__round__(6)
    0.763514
    """
    through, total = np.cumsum(rows), int(rows.sum())
    # quantiles between the two rows around them, as R and NumPy have them
    place = (total - 1) * np.array([0.25, 0.75])
    below, above = (
        score[np.searchsorted(through, end.astype(np.int64), side="right")]
        for end in (np.floor(place), np.ceil(place))
    )
    quartiles = below + (place - np.floor(place)) * (above - below)
    mean = score @ rows / total
    spread = float(np.sqrt(((score - mean) ** 2) @ rows / (total - 1)))
    middle = float(quartiles[1] - quartiles[0]) / 1.34
    if spread == 0.0:
        raise InputError("all scores are equal", value=float(score[0]), fix="there is no curve")
    return 0.9 * (min(spread, middle) if middle > 0.0 else spread) * float(total**-0.2)


def _rates(weight: _FLOATS, counts: NDArray[Any]) -> _FLOATS:
    """Shares at or above the thresholds, from nothing to everything."""
    return np.concatenate([[0.0], weight @ counts / counts.sum(), [1.0]])
