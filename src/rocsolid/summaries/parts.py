"""A covariance as the sum of independent parts, and how far each of them is known."""

from __future__ import annotations

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
