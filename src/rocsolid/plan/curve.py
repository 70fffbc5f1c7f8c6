"""The ROC curve that a plan assumes: normal scores in both classes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocsolid.binary.partial_area import Region
from rocsolid.plan.bivariate import joint_excess

WHOLE = Region((0.0, 1.0), (0.0, 1.0))
"""The region of the whole area."""


@dataclass(frozen=True, slots=True)
class NormalCurve:
    """ROC(v) = Φ(A + BΦ⁻¹(v)) of negatives N(0, 1) and positives N(shift, spread²).

    Any scores that some increasing function turns into normal ones have such a curve. B is
    1/spread and A is shift/spread.

    >>> print(f"{NormalCurve(0.8).tpr(0.1):.6f} {NormalCurve(0.8, spread=2.0).tpr(0.1):.6f}")
    0.463619 0.617982
    """

    auc: float
    spread: float = 1.0

    @property
    def shift(self) -> float:
        from scipy.special import ndtri

        return math.hypot(1.0, self.spread) * float(ndtri(self.auc))

    @property
    def intercept(self) -> float:
        """A, the separation in standard deviations of the positives."""
        return self.shift / self.spread

    @property
    def slope(self) -> float:
        """B, the negatives' standard deviation over the positives'."""
        return 1.0 / self.spread

    def tpr(self, fpr: float) -> float:
        from scipy.special import ndtr, ndtri

        return float(ndtr(self.intercept + self.slope * ndtri(fpr)))

    def fpr(self, tpr: float) -> float:
        from scipy.special import ndtr, ndtri

        return float(ndtr((ndtri(tpr) - self.intercept) / self.slope))

    def rates(self, region: Region) -> tuple[float, float]:
        """The false-positive rates between which the curve runs inside the region's box.

        Empty (the first not below the second) where it passes below or above the box.
        """
        (a, b), (c, d) = region.fpr, region.tpr
        return max(a, self.fpr(c)), min(b, self.fpr(d))

    def area(self, region: Region) -> float:
        """The area under the curve in the region's box, ∫Φ(A + BΦ⁻¹(v)) dv in closed form.

        >>> round(NormalCurve(0.5).area(Region.of(fpr=0.2)), 12), NormalCurve(0.8).area(WHOLE)
        (0.02, 0.8)
        """
        if region == WHOLE:
            return self.auc
        b, (c, d) = region.fpr[1], region.tpr
        low, high = self.rates(region)
        if low >= high:
            return 0.0 if self.fpr(c) >= b else region.maximum
        inside = self._below(high) - self._below(low) - c * (high - low)
        return inside + (d - c) * (b - high)

    def _below(self, fpr: float) -> float:
        """∫ ROC over [0, fpr] = Φ₂(A/√(1+B²), Φ⁻¹(fpr); −B/√(1+B²))."""
        from scipy.special import ndtri

        rho = -self.slope / math.hypot(1.0, self.slope)
        return self.auc * fpr + float(joint_excess(ndtri(self.auc), ndtri(fpr), rho))
