"""Chebyshev's inequality for the AUC: ε = σ/√δ."""

from __future__ import annotations

import math

from rocsolid.intervals.guarantees.checks import IID, check_delta, check_value
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.deviation import Deviation
from rocsolid.intervals.guarantees.sides import symmetric
from rocsolid.intervals.guarantees.variance import KnownVariance, Variance, known_variance
from rocsolid.results import Alternative, Interval


def chebyshev(
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
    """(10) and (11) of Agarwal et al. 2005: P(|Â−A| ≥ σ/√δ) ≤ δ.

    Certified when σ² is given. Otherwise σ² comes from p₁ and p₂ by (7), or is the largest (14) or
    the smallest (15) there is, all at Â in place of the unknown A: a plug-in, no guarantee. One
    limit alone uses Cantelli's ε = σ√((1−δ)/δ).

    >>> print(chebyshev(0.8, 100, 400))
    [0.6211, 0.9789] at 95 % (chebyshev)
    >>> chebyshev(0.8, 100, 400).certified, chebyshev(0.8, 100, 400, variance=0.0005).certified
    (False, True)
    """
    check_value(auc)
    known = known_variance(auc, n_pos, n_neg, variance, p1, p2, p_tie)
    limits = symmetric(auc, _epsilon(known.value, delta, alternative), alternative)
    return _claim(known).interval(limits, delta)


def chebyshev_deviation(
    n_pos: int, n_neg: int, delta: float = 0.05, auc: float | None = None
) -> Deviation:
    """σ/√δ with (14); without an AUC with σ² ≤ 1/(4k), which is then a guarantee.

    >>> round(float(chebyshev_deviation(100, 400)), 4)
    0.2236
    """
    known = known_variance(auc, n_pos, n_neg)
    return _claim(known).deviation(_epsilon(known.value, delta, "two-sided"), delta)


def _claim(known: KnownVariance) -> Claim:
    source = f"Agarwal et al. 2005, (11) with {known.source}"
    return Claim("chebyshev", source, (*IID, known.assumption), certified=not known.plug_in)


def _epsilon(variance: float, delta: float, alternative: Alternative) -> float:
    share = check_delta(delta)
    return math.sqrt(variance * (1 / share if alternative == "two-sided" else (1 - share) / share))
