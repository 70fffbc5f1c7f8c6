"""Hanley and McNeil's variance of an area, and of two on the same rows."""

from __future__ import annotations

import math

from rocsolid.binary.partial_area import Region
from rocsolid.errors import UnsoundError
from rocsolid.plan.curve import WHOLE, NormalCurve
from rocsolid.plan.mann_whitney import VarianceParts, mann_whitney, mann_whitney_together


def hanley_mcneil(curve: NormalCurve, region: Region = WHOLE) -> VarianceParts:
    """Hanley and McNeil's variance (1982), in its parts: Q₁ = A/(2−A), Q₂ = 2A²/(1+A).

    It is exact where the positives' scores are exponential with the larger mean; there the
    positives vary more. The spread of the curve plays no part.

    >>> print(f"{hanley_mcneil(NormalCurve(0.893)).at(51, 58) ** 0.5:.4f}")
    0.0325
    """
    if region != WHOLE:
        raise UnsoundError(
            "Hanley and McNeil's variance is for the whole area",
            where="variance",
            value="hanley-mcneil",
            fix='use variance="binormal"',
        )
    auc = curve.auc
    both = auc * (1.0 - auc)
    pos, neg = both * auc / (1.0 + auc), both * (1.0 - auc) / (2.0 - auc)
    return VarianceParts(pos, neg, both - pos - neg)


def hanley_mcneil_together(
    a: NormalCurve, b: NormalCurve, rho_pos: float, rho_neg: float, region: Region = WHOLE
) -> VarianceParts:
    """The covariance that gives each part of the variances the correlation of normal scores.

    Hanley and McNeil (1983) tabulate the correlation of two areas for normal scores; here it is
    the exact one of `mann_whitney`.

    >>> one, at = NormalCurve(0.89), (58.0, 54.0)
    >>> together = hanley_mcneil_together(one, one, 0.6, 0.6).at(*at)
    >>> print(f"{together / hanley_mcneil(one).at(*at):.2f}")
    0.52
    """
    of_a, of_b = hanley_mcneil(a, region), hanley_mcneil(b, region)
    like_a, like_b = mann_whitney(a), mann_whitney(b)
    like_both = mann_whitney_together(a, b, rho_pos, rho_neg)

    def scaled(name: str) -> float:
        mine = getattr(of_a, name) * getattr(of_b, name)
        theirs = getattr(like_a, name) * getattr(like_b, name)
        return float(getattr(like_both, name)) * math.sqrt(max(mine / theirs, 0.0))

    return VarianceParts(scaled("pos"), scaled("neg"), scaled("pairs"))
