"""What the same promise costs for an error rate: the factor 1/(ρ(1−ρ))."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocsolid.intervals.guarantees.checks import check_level
from rocsolid.plan.samples import samples
from rocsolid.plan.sizes import check_prevalence
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True)
class ErrorRateComparison(Plain):
    """Rows for an error rate (``n``) beside rows for an AUC, to within one ε at one level.

    ``n_auc`` is by McDiarmid's inequality, the AUC's counterpart of what is used for the error
    rate: ``factor`` = 1/(ρ(1−ρ)) times as many. ``n_auc_hinge`` is by the tightest bound.
    """

    n: int
    n_auc: int
    n_auc_hinge: int
    factor: float
    epsilon: float
    level: float
    prevalence: float

    __repr__ = one_line
    _cites = ("The sample sizes", "agarwal2005")

    def __str__(self) -> str:
        return (
            f"error rate {self.n:,} rows, AUC {self.n_auc:,} (mcdiarmid, {self.factor:.4g} times) "
            f"or {self.n_auc_hinge:,} (hinge)"
        )


def error_rate_samples(
    epsilon: float, *, level: float = 0.95, prevalence: float = 0.5
) -> ErrorRateComparison:
    """The rows for an error rate, N ≥ ln(2/δ)/(2ε²), and for an AUC.

    Agarwal et al. 2005, section 3.2: (16) for the error rate, Corollary 7 for the AUC, which differ
    by 1/(ρ(1−ρ)): 4 at ρ = ½, more where a class is rare. It is a comparison of two guarantees for
    the worst distribution; with a given one either quantity may be the easier.

    >>> print(error_rate_samples(0.05))
    error rate 738 rows, AUC 2,952 (mcdiarmid, 4 times) or 1,094 (hinge)
    """
    fraction = check_prevalence(prevalence)
    by_formula = samples(epsilon, level=level, prevalence=fraction, bound="mcdiarmid").n
    return ErrorRateComparison(
        math.ceil(math.log(2 / check_level(level)) / (2 * epsilon**2)),
        by_formula,
        samples(epsilon, level=level, prevalence=fraction).n,
        1 / (fraction * (1 - fraction)),
        epsilon,
        level,
        fraction,
    )
