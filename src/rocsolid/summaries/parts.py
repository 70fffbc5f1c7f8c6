"""A covariance as the sum of independent parts, and how precisely each of them is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_FLOATS = NDArray[np.float64]

NO_VARIANCE = 1e-30
"""A variance that rounding alone can leave behind: placements are off by some 1e-16, while one row
of 10⁷ that is placed differently by half a row leaves 1e-29."""
ROUNDING = 1e-12
"""How far apart sums of weights may be that are equal, for values between 0 and 1."""


def rounding(span: float) -> float:
    """`ROUNDING` of values that differ by up to ``span``, such as 100 for an enrichment at 1 %."""
    return ROUNDING * _scale(span)


def negligible(span: float) -> float:
    """`NO_VARIANCE` of such values.

    >>> negligible(1.0), negligible(100.0)
    (1e-30, 1e-26)
    """
    return NO_VARIANCE * _scale(span) ** 2


def _scale(span: float) -> float:
    return max(span, 1.0) if np.isfinite(span) else 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Covariances that add up, such as those of two classes, and the degrees of freedom of each.

    ``most`` is the number of degrees of freedom that all together cannot exceed: with clusters that
    hold rows of both classes, one less than there are clusters.

    >>> Parts((np.array([[1.0]]), np.array([[3.0]])), (9.0, 19.0)).df()
    27.36...
    """

    covariances: tuple[_FLOATS, ...]
    known: tuple[float, ...]
    most: float = np.inf

    @property
    def total(self) -> _FLOATS:
        return np.asarray(sum(self.covariances))

    def df(self) -> float:
        """Welch's degrees of freedom of one variance, V²/Σ(V_c²/ν_c); NaN without variance.

        Squares are of shares, so that those of small variances cannot vanish.
        """
        total = float(self.total[0, 0])
        if not total > 0.0:
            return float("nan")
        share = np.array([float(part[0, 0]) for part in self.covariances]) / total
        return min(float(1.0 / np.sum(share**2 / np.array(self.known))), self.most)


@dataclass(frozen=True, slots=True, eq=False)
class PairParts:
    """The variances of many differences, each the sum of its parts: a row a part, a column a pair.

    ``known`` and ``most`` are as in `Parts`; each part has its degrees of freedom for all pairs.

    >>> both = PairParts(np.array([[1.0, 0.0], [3.0, 0.0]]), np.array([[9.0], [19.0]]))
    >>> both.total, both.df()
    (array([4., 0.]), array([27.36..., nan]))
    """

    variances: _FLOATS
    known: _FLOATS
    most: float = np.inf

    @classmethod
    def of(cls, parts: Sequence[Parts]) -> PairParts:
        """From the parts of each pair, which may rest on different units."""
        size = max(len(one.known) for one in parts)
        variances, known = np.zeros((size, len(parts))), np.full((size, len(parts)), np.inf)
        for column, one in enumerate(parts):
            variances[: len(one.known), column] = [part[0, 0] for part in one.covariances]
            known[: len(one.known), column] = one.known
        return cls(variances, known, min(one.most for one in parts))

    @property
    def total(self) -> _FLOATS:
        return np.asarray(self.variances.sum(axis=0))

    def df(self) -> _FLOATS:
        """Welch's degrees of freedom of each, as `Parts.df`."""
        total = self.total
        varies = total > 0.0
        if len(self.variances) == 1:
            df = np.broadcast_to(self.known[0], total.shape)
            return np.where(varies, np.minimum(df, self.most), np.nan)
        share = self.variances / np.where(varies, total, 1.0)
        df = 1.0 / np.where(varies, (share**2 / self.known).sum(axis=0), 1.0)
        return np.asarray(np.where(varies, np.minimum(df, self.most), np.nan))
