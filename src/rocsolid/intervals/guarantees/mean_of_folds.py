from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.intervals.guarantees.betting import log_mean_exp, smallest_plausible
from rocsolid.intervals.guarantees.checks import ALIKE, INDEPENDENT, check_value, tail_share
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
"""The mean is known, and the number of rows of each class in the smallest fold."""

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
    AUC of a fold has E exp(λsÂ_t) ≤ (1−A_t+A_t·e^λ)^s (Hoeffding 1963, section 5). Joined over
    folds,

        E(Ā) = exp(λkΣÂ_t/T) / (1−Ā+Ā·e^λ)^k

    has expectation at most 1. *Progressive* validation has k = T·s, because A_t is known before
    fold t is used (tower rule). In *cross-validation* the model of a fold depends on the other
    folds, and Hölder's inequality yields k = s: the interval is as long as one fold's rows allow. E
    falls in Ā and is averaged over five rates λ fixed in advance. The upper limit is one minus the
    lower limit for reversed scores.

    >>> print(mean_of_folds(0.8, 10, 30, progressive=True))
    [0.7259, 0.8631] at 95 % (progressive validation)
    >>> print(mean_of_folds(0.8, 10, 30))
    [0.5427, 0.9544] at 95 % (one fold's rows)
    """
    check_value(mean, "mean")
    whole(folds, "folds")
    rows = whole(least, "least") * (folds if progressive else 1)
    share = tail_share(delta, alternative)
    method = PROGRESSIVE if progressive else CROSSED
    low = 0.0 if alternative == "less" else _lower(mean, rows, share)
    high = 1.0 if alternative == "greater" else 1.0 - _lower(1.0 - mean, rows, share)
    assumptions = (INDEPENDENT, ALIKE, _MADE[method])
    claim = Claim(method, SOURCE.format(_JOINED[method]), assumptions, SIZED)
    return claim.interval((low, high), delta)


def log_e_value(
    mean: float, rows: int, a: float | NDArray[np.float64], share: float
) -> NDArray[np.float64]:
    scale = math.sqrt(-8.0 * math.log(share) / rows)
    logs = [rows * (rate * scale * mean - np.log1p(a * np.expm1(rate * scale))) for rate in RATES]
    return log_mean_exp(logs, WEIGHTS)


def _lower(mean: float, rows: int, share: float) -> float:
    return float(smallest_plausible(lambda a: log_e_value(mean, rows, a, share), mean, share))
