"""The exact variance of the empirical area, and of two together, for normal scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.partial_area import Region
from rocsolid.plan.bivariate import joint_excess, legendre
from rocsolid.plan.curve import WHOLE, NormalCurve


@dataclass(frozen=True, slots=True)
class VarianceParts:
    """What the positives, the negatives and their pairs add to a variance or a covariance.

    With n₊ positives and n₋ negatives it is pos/n₊ + neg/n₋ + pairs/(n₊n₋). DeLong's s²(V10) and
    s²(V01) are ``pos`` and ``neg``; ``pairs`` is exact for the Mann-Whitney estimate and 0 where a
    formula is for large samples.

    >>> VarianceParts(1 / 12, 1 / 12, 1 / 12).at(10, 20)  # (10 + 20 + 1)/(12·10·20)
    0.012916666666666667
    """

    pos: float
    neg: float
    pairs: float = 0.0

    def at(self, n_pos: float, n_neg: float) -> float:
        return self.pos / n_pos + self.neg / n_neg + self.pairs / (n_pos * n_neg)


_FLOATS = NDArray[np.float64]
_Derivative = Callable[[NormalCurve, Region], tuple[_FLOATS, _FLOATS]]
FAR = 9.0
"""Standard deviations beyond which a normal density adds nothing to these integrals."""
LINE, PLANE = 256, 96
"""Nodes of an integral over a line, and along each side of one over a plane."""


@lru_cache(maxsize=4096)
def mann_whitney(curve: NormalCurve, region: Region = WHOLE) -> VarianceParts:
    """The variance of the area under the empirical curve, if scores are normal in both classes.

    Of the whole area it is that of the Mann-Whitney statistic, exact at every size (Birnbaum 1956):
    P(X > Y, X > Y′) and P(X > Y, X′ > Y) are bivariate normal probabilities. Of a partial area it
    is the large-sample variance by influence functions: a positive adds the width of the region's
    rates to which its score rises, a negative takes away the height of the curve at its own rate.

    >>> parts = mann_whitney(NormalCurve(0.5))
    >>> print(f"{12 * parts.pos:.9f} {12 * parts.neg:.9f} {12 * parts.pairs:.9f}")
    1.000000000 1.000000000 1.000000000
    """
    from scipy.special import ndtr, ndtri

    share = curve.spread**2 / (1.0 + curve.spread**2)
    if region == WHOLE:
        at = float(ndtri(curve.auc))
        pos, neg = (float(joint_excess(at, at, rho)) for rho in (share, 1.0 - share))
        return VarianceParts(pos, neg, curve.auc * (1.0 - curve.auc) - pos - neg)
    low, high = curve.rates(region)
    if low >= high:
        return VarianceParts(0.0, 0.0)
    a, b = curve.intercept, curve.slope
    ends = [float(ndtri(rate)) for rate in (low, high)]
    # a negative: the height of the curve at its rate, held at the ends of the region
    bottom, top = curve.tpr(low), curve.tpr(high)
    w, weight = _between(ends[0], ends[1], LINE)
    neg = _spread(
        np.append(ndtr(a + b * w), (bottom, top)), np.append(weight * _density(w), (low, 1 - high))
    )
    # a positive: the width of the region above its rate, by its score in units of its own
    q, weight = _between(a + b * ends[0], a + b * ends[1], LINE)
    pos = _spread(
        np.append(high - ndtr((q - a) / b), (high - low, 0.0)),
        np.append(weight * _density(q), (bottom, 1 - top)),
    )
    return VarianceParts(pos, neg)


@lru_cache(maxsize=4096)
def mann_whitney_together(
    a: NormalCurve, b: NormalCurve, rho_pos: float, rho_neg: float, region: Region = WHOLE
) -> VarianceParts:
    """The covariance of two areas on the same rows, by the scores' correlation in each class.

    Of whole areas exact at every size. Of partial areas, for large samples, by Hoeffding's formula
    Cov(f(U), g(V)) = ∬ f′(u) g′(v) (Φ₂(u, v; ρ) − Φ(u)Φ(v)) du dv.

    >>> one = NormalCurve(0.8)
    >>> apart, alike = mann_whitney_together(one, one, 0.0, 0.0), mann_whitney(one)
    >>> near = mann_whitney_together(one, one, 0.999999, 0.999999)
    >>> apart.at(10, 10), bool(0.99 < near.at(10, 10) / alike.at(10, 10) < 1)
    (0.0, True)
    """
    from scipy.special import ndtri

    if region == WHOLE:
        h, k = float(ndtri(a.auc)), float(ndtri(b.auc))
        scale = math.hypot(1.0, a.spread) * math.hypot(1.0, b.spread)
        of_pos, of_neg = rho_pos * a.spread * b.spread / scale, rho_neg / scale
        pos, neg, both = (
            float(joint_excess(h, k, rho)) for rho in (of_pos, of_neg, of_pos + of_neg)
        )
        return VarianceParts(pos, neg, both - pos - neg)
    if any(np.greater_equal(*curve.rates(region)) for curve in (a, b)):
        return VarianceParts(0.0, 0.0)

    def integral(rho: float, derivative: _Derivative) -> float:
        (u, left), (v, right) = derivative(a, region), derivative(b, region)
        return float(left @ joint_excess(u[:, None], v[None, :], rho) @ right)

    return VarianceParts(integral(rho_pos, _by_positive), integral(rho_neg, _by_negative))


def _by_positive(curve: NormalCurve, region: Region) -> tuple[_FLOATS, _FLOATS]:
    """A positive's score in units of its own, and how its part of the area grows there."""
    from scipy.special import ndtri

    low, high = (float(ndtri(rate)) for rate in curve.rates(region))
    w, weight = _between(low, high, PLANE)
    return (-w - curve.shift) / curve.spread, weight * _density(w)


def _by_negative(curve: NormalCurve, region: Region) -> tuple[_FLOATS, _FLOATS]:
    """A negative's score, turned over, and how its part of the area grows there."""
    from scipy.special import ndtri

    a, b = curve.intercept, curve.slope
    low, high = (a + b * float(ndtri(rate)) for rate in curve.rates(region))
    q, weight = _between(low, high, PLANE)
    return (q - a) / b, weight * _density(q)


def _between(low: float, high: float, count: int) -> tuple[_FLOATS, _FLOATS]:
    """Nodes and weights for an integral over a range of normal deviates."""
    low, high = min(max(low, -FAR), FAR), min(max(high, -FAR), FAR)
    nodes, weights = legendre(count)
    half = (high - low) / 2.0
    return (low + high) / 2.0 + half * nodes, half * weights


def _density(x: _FLOATS) -> _FLOATS:
    return np.exp(-0.5 * x**2) / math.sqrt(2.0 * math.pi)


def _spread(value: _FLOATS, mass: _FLOATS) -> float:
    """The variance of a distribution given by values and their probabilities."""
    mean = float(value @ mass)
    return float((value - mean) ** 2 @ mass)
