"""Obuchowski's planning variances: those of a fitted binormal curve, as pROC uses them."""

from __future__ import annotations

import math

from rocsolid.binary.partial_area import Region
from rocsolid.plan.curve import WHOLE, NormalCurve
from rocsolid.plan.mann_whitney import VarianceParts


def obuchowski_one(curve: NormalCurve, region: Region = WHOLE) -> VarianceParts:
    """.0099·exp(−A²/2)·(5A² + 8 + (A² + 8)/κ)/n₊, A = 1.414·Φ⁻¹(AUC), κ = n₋/n₊.

    Obuchowski, Lieber and Wians 2004, with the constants as printed there and in pROC. For scores
    of unequal spread or a partial area, `obuchowski`.

    >>> print(f"{obuchowski_one(NormalCurve(0.73)).at(41, 72) ** 0.5:.6f}")
    0.052692
    """
    if region != WHOLE or curve.spread != 1.0:
        return obuchowski(curve, region)
    from scipy.special import ndtri

    square = (1.414 * float(ndtri(curve.auc))) ** 2
    scale = 0.0099 * math.exp(-square / 2.0)
    return VarianceParts(scale * (5.0 * square + 8.0), scale * (square + 8.0))


def obuchowski(curve: NormalCurve, region: Region = WHOLE) -> VarianceParts:
    """f²Var(Â) + g²Var(B̂), f and g the derivatives of the area by A and by B.

    Obuchowski and McClish 1997, for the area under a binormal curve whose A and B are fitted by
    maximum likelihood. As in pROC the term 2fg·Cov(Â, B̂) is missing, so it is too large where the
    AUC is far from ½: the difference of a model from itself has a variance above 0.

    >>> print(f"{obuchowski(NormalCurve(0.73)).at(41, 72) ** 0.5:.6f}")
    0.052817
    """
    f, g = derivatives(curve, region)
    a, b = curve.intercept, curve.slope
    of_spread = g * g * b * b / 2.0
    return VarianceParts(f * f * (1.0 + a * a / 2.0) + of_spread, f * f * b * b + of_spread)


def obuchowski_together(
    a: NormalCurve, b: NormalCurve, rho_pos: float, rho_neg: float, region: Region = WHOLE
) -> VarianceParts:
    """The covariance of two fitted areas by the scores' correlation in each class.

    Obuchowski and McClish 1997, equation 5.

    >>> obuchowski_together(NormalCurve(0.8), NormalCurve(0.7), 0.0, 0.0).at(10, 10)
    0.0
    """
    (f1, g1), (f2, g2) = derivatives(a, region), derivatives(b, region)
    a1, b1, a2, b2 = a.intercept, a.slope, b.intercept, b.slope
    crossed = f1 * g2 * a1 * b2 + f2 * g1 * a2 * b1
    both = g1 * g2 * b1 * b2
    return VarianceParts(
        f1 * f2 * (rho_pos + rho_pos**2 * a1 * a2 / 2.0) + (both + crossed) * rho_pos**2 / 2.0,
        f1 * f2 * rho_neg * b1 * b2 + both * rho_neg**2 / 2.0,
    )


def derivatives(curve: NormalCurve, region: Region = WHOLE) -> tuple[float, float]:
    """The derivatives of the area in a region by A and by B.

    ∫φ(A+Bc)φ(c) dc and ∫cφ(A+Bc)φ(c) dc over the normal deviates of the region's rates: the
    product of the densities is one around −AB/(1+B²) with variance 1/(1+B²).

    >>> f, g = derivatives(NormalCurve(0.5))
    >>> print(f"{f:.6f} {abs(g):.6f}")  # 1/(2√π) and 0
    0.282095 0.000000
    """
    from scipy.special import ndtr, ndtri

    low, high = curve.rates(region)
    if low >= high:
        return 0.0, 0.0
    a, b = curve.intercept, curve.slope
    total = 1.0 + b * b
    ends = [(float(ndtri(rate)) + a * b / total) * math.sqrt(total) for rate in (low, high)]
    height = math.exp(-a * a / (2.0 * total))
    share = float(ndtr(ends[1]) - ndtr(ends[0]))
    f = height * share / math.sqrt(2.0 * math.pi * total)
    slant = math.exp(-(ends[0] ** 2) / 2.0) - math.exp(-(ends[1] ** 2) / 2.0)
    g = height * slant / (2.0 * math.pi * total) - a * b / total * f
    return f, g
