"""A certified interval for the mean true AUC of models that are tested on folds."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.intervals.guarantees.betting import log_mean_exp, smallest_plausible
from rocsolid.intervals.guarantees.checks import (
    ALIKE,
    INDEPENDENT,
    check_alternative,
    check_value,
    tail_share,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.results import Alternative, Interval
from rocsolid.results.interval import VALUE, Reads

PROGRESSIVE, CROSSED = "progressive validation", "one fold's rows"
SOURCE = (
    "exponential moments of the AUC (Hoeffding 1963, section 5), joined over folds by {}, "
    "at five fixed rates whose weights add up to 1"
)
_JOINED = {PROGRESSIVE: "the tower rule", CROSSED: "Hölder's inequality"}
_MADE = {
    PROGRESSIVE: "each model fitted, and chosen, only on rows of earlier folds",
    CROSSED: "each model fitted, and chosen, without the rows of its own fold",
}
SIZED: Reads = VALUE | {"folds"}
"""How many rows of each class the smallest fold has is known, beside the mean."""

RATES = (1.0, 2.0, 4.0, 8.0, 16.0)
WEIGHTS = (1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 16)


def mean_of_folds(
    mean: float,
    folds: int,
    least: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    progressive: bool = False,
) -> Interval:
    """Return limits for Ā = ΣA_t/T, A_t the true AUC of the model that fold t tests, from ΣÂ_t/T.

    ``least`` is s, the fewest rows of a class in a fold, and ``folds`` is T. Given its model, the
    AUC of a fold with s_t rows of the smaller class is a mean over matchings of means of s_t
    independent values in [0, 1] with mean A_t. So for λ > 0

        E exp(λsÂ_t) ≤ (1−A_t+A_t·e^{λs/s_t})^{s_t} ≤ (1−A_t+A_t·e^λ)^s,

    where the second step uses E e^{rλB} ≤ (E e^{λB})^r for r = s/s_t ≤ 1. Let E_t be exp(λsÂ_t)
    over that bound: its expectation given the model of fold t is at most 1.

    *Progressive*: the model of step t, and with it A_t, is known before fold t is used. The product
    of the E_t therefore has expectation at most 1 (tower rule), although A_t is random. The
    logarithm of 1−a+a·e^λ is concave in a, so the product is at least

        E(Ā) = exp(λkΣÂ_t/T) / (1−Ā+Ā·e^λ)^k    with k = T·s.

    *Cross-validation*: the model of a fold depends on the other folds, so nothing is known of the
    product. By Hölder's inequality the geometric mean of the E_t still has expectation at most 1,
    and it is at least the same E(Ā) with k = s: the interval is as long as one fold's rows allow.
    Limits for each fold by itself, joined by Bonferroni, have those k = s rows at a level of δ/T.

    E(Ā) falls in Ā. Ā is random and must not choose its own rate, so the rates λ are fixed in
    advance. The weighted mean over five rates also has expectation at most 1, and by Markov's
    inequality it exceeds 1/share with probability at most share. The other limit is the limit for
    reversed scores.

    >>> print(mean_of_folds(0.8, 10, 30, progressive=True))
    [0.7259, 0.8631] at 95 % (progressive validation)
    >>> print(mean_of_folds(0.8, 10, 30))
    [0.5427, 0.9544] at 95 % (one fold's rows)
    """
    check_value(mean, "mean")
    whole(folds, "folds")
    rows = whole(least, "least") * (folds if progressive else 1)
    share = tail_share(delta, check_alternative(alternative))
    method = PROGRESSIVE if progressive else CROSSED
    low = 0.0 if alternative == "less" else _lower(mean, rows, share)
    high = 1.0 if alternative == "greater" else 1.0 - _lower(1.0 - mean, rows, share)
    assumptions = (INDEPENDENT, ALIKE, _MADE[method])
    claim = Claim(method, SOURCE.format(_JOINED[method]), assumptions, SIZED)
    return claim.interval((low, high), delta)


def log_e_value(
    mean: float, rows: int, a: float | NDArray[np.float64], share: float
) -> NDArray[np.float64]:
    """Return ln of the weighted mean of E(a) over the rates, which are scaled by ``share``."""
    scale = math.sqrt(-8.0 * math.log(share) / rows)
    logs = [rows * (rate * scale * mean - np.log1p(a * np.expm1(rate * scale))) for rate in RATES]
    return log_mean_exp(logs, WEIGHTS)


def _lower(mean: float, rows: int, share: float) -> float:
    return float(smallest_plausible(lambda a: log_e_value(mean, rows, a, share), mean, share))
