"""The normal approximation for the AUC: ε = σΦ⁻¹(1−δ/2)."""

from __future__ import annotations

import math

from rocsolid.intervals.guarantees.checks import IID, check_value, tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.deviation import Deviation
from rocsolid.intervals.guarantees.sides import symmetric
from rocsolid.intervals.guarantees.variance import KnownVariance, Variance, known_variance
from rocsolid.results import Alternative, Interval

LARGE = "both classes large: the AUC is taken as normal"


def normal(
    auc: float,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    variance: Variance = "max",
    p1: float | None = None,
    p2: float | None = None,
    p_tie: float = 0.0,
) -> Interval:
    """(12) and (13) of Agarwal et al. 2005: an approximation for large samples, never a guarantee.

    Φ is the distribution function from −∞ (the paper prints the integral from 0). The variance is
    chosen as in ``chebyshev``.

    >>> print(normal(0.8, 100, 400), normal(0.8, 100, 400).certified)
    [0.7216, 0.8784] at 95 % (normal) False
    """
    check_value(auc)
    known = known_variance(auc, n_pos, n_neg, variance, p1, p2, p_tie)
    limits = symmetric(auc, _epsilon(known.value, delta, alternative), alternative)
    return _claim(known).interval(limits, delta)


def normal_deviation(
    n_pos: int, n_neg: int, delta: float = 0.05, auc: float | None = None
) -> Deviation:
    """σΦ⁻¹(1−δ/2) with (14); without an AUC with σ² ≤ 1/(4k).

    >>> round(float(normal_deviation(100, 400)), 4)
    0.098
    """
    known = known_variance(auc, n_pos, n_neg)
    return _claim(known).deviation(_epsilon(known.value, delta, "two-sided"), delta)


def _claim(known: KnownVariance) -> Claim:
    source = f"Agarwal et al. 2005, (13) with {known.source}"
    return Claim("normal", source, (*IID, known.assumption, LARGE), certified=False)


def _epsilon(variance: float, delta: float, alternative: Alternative) -> float:
    from scipy.special import ndtri

    return math.sqrt(variance) * max(-float(ndtri(tail_share(delta, alternative))), 0.0)
