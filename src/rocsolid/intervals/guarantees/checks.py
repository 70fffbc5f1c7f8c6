"""Checks of the arguments that the guarantees share, and the texts of their assumptions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import is_number, one_of, whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.results import Alternative, percent
from rocsolid.results.card import Carded
from rocsolid.results.plain import one_line

INDEPENDENT = "rows independent"
ALIKE = "rows of one class identically distributed"
FIXED_SCORER = "scorer fixed before this data was seen"
IID = (INDEPENDENT, ALIKE, FIXED_SCORER)

_ALTERNATIVES = get_args(Alternative)
SMALLEST_DELTA = 1e-100  # its square, which the hinge may meet, must stay a normal double


def check_value(value: float, name: str = "auc") -> float:
    if not (is_number(value) and 0.0 <= value <= 1.0):
        raise InputError(f"{name} must lie in [0, 1]", value=value, fix=f"give {name} as a share")
    return float(value)


def check_difference(difference: float) -> float:
    if not (is_number(difference) and -1.0 <= difference <= 1.0):
        raise InputError("a difference of AUCs must lie in [-1, 1]", value=difference)
    return float(difference)


def check_delta(delta: float) -> float:
    if not (is_number(delta) and SMALLEST_DELTA <= delta < 1.0):
        raise InputError(
            f"delta must lie in (0, 1), and not below {SMALLEST_DELTA:g}",
            value=delta,
            fix="delta is 1 - level: 0.05 for 95 %",
        )
    return float(delta)


def check_level(level: float) -> float:
    """Return the error probability of a level; error messages name the level.

    >>> round(check_level(0.95), 4)
    0.05
    >>> check_level(95)
    Traceback (most recent call last):
    rocsolid.errors.InputError: level must lie strictly between 0 and 1: 95.
    Fix: give a share: 0.95 means 95 %.
    """
    if not (is_number(level) and 0.0 < level < 1.0):
        raise InputError(
            "level must lie strictly between 0 and 1",
            value=level,
            fix="give a share: 0.95 means 95 %",
        )
    return check_delta(1.0 - float(level))


def check_deviation(deviation: float, name: str = "epsilon") -> float:
    if not (is_number(deviation) and deviation > 0):
        raise InputError("not a positive deviation", where=name, value=deviation)
    return float(deviation)


def check_sizes(n_pos: int, n_neg: int) -> tuple[int, int]:
    return whole(n_pos, "n_pos"), whole(n_neg, "n_neg")


def check_alternative(alternative: Alternative) -> Alternative:
    one_of(alternative, _ALTERNATIVES, "alternative")
    return alternative


def check_margin_alone(null: float, alternative: Alternative) -> None:
    """Reject a margin that comes with a null or an alternative, because the margin sets both."""
    if null != 0.0 or alternative == "less":
        raise InputError(
            "a margin tests whether a − b > −margin, which sets null and alternative",
            where="margin",
            fix="leave null and alternative out",
        )


def tail_share(delta: float, alternative: Alternative) -> float:
    """Return the error probability of one limit: δ/2 for each of two limits, δ for one limit.

    >>> tail_share(0.05, "two-sided"), tail_share(0.05, "greater")
    (0.025, 0.05)
    """
    two_sided = check_alternative(alternative) == "two-sided"
    return check_delta(delta) / 2 if two_sided else check_delta(delta)


def log_inverse_share(delta: float, alternative: Alternative) -> float:
    """Return ln(2/δ) for two limits and ln(1/δ) for one."""
    return -math.log(tail_share(delta, alternative))


Limits = tuple[NDArray[np.float64], NDArray[np.float64]]
Lower = Callable[[NDArray[np.float64], float], NDArray[np.float64]]


def mirrored(lower: Lower, auc: ArrayLike, delta: float, alternative: Alternative) -> Limits:
    """Return both limits from ``lower(auc, share)``, a lower limit that fails with ≤ ``share``.

    Reversed scores have the AUC 1−A, so one minus the lower limit for 1−Â is an upper limit for A.
    """
    estimate = np.asarray(auc, dtype=np.float64)
    share = tail_share(delta, alternative)
    low = _end(0.0, estimate) if alternative == "less" else lower(estimate, share)
    high = _end(1.0, estimate) if alternative == "greater" else 1 - lower(1 - estimate, share)
    return low, np.asarray(high)


def symmetric(auc: ArrayLike, epsilon: ArrayLike, alternative: Alternative) -> Limits:
    estimate, width = np.broadcast_arrays(
        np.asarray(auc, dtype=np.float64), np.asarray(epsilon, dtype=np.float64)
    )
    check_alternative(alternative)
    low, high = np.maximum(estimate - width, 0.0), np.minimum(estimate + width, 1.0)
    return (
        _end(0.0, estimate) if alternative == "less" else low,
        _end(1.0, estimate) if alternative == "greater" else high,
    )


def _end(value: float, estimate: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an end of the range for every estimate, and NaN where the estimate is NaN."""
    return np.where(np.isnan(estimate), np.nan, value)


@dataclass(frozen=True, slots=True)
class Deviation(Carded):
    """A number ε with P(|Â−A| > ε) ≤ δ, with its method and assumptions; ``float()`` returns ε.

    >>> d = Deviation(0.12, "hoeffding-blocks", 0.05, certified=True)
    >>> float(d), d.vacuous
    (0.12, False)
    >>> print(d)
    ±0.1200 at 95 % (hoeffding-blocks)
    """

    value: float
    method: str
    delta: float
    certified: bool = False
    assumptions: tuple[str, ...] = ()
    source: str = ""

    @property
    def vacuous(self) -> bool:
        """True if the deviation is 1 or more and so excludes no AUC."""
        return self.value >= 1

    def __float__(self) -> float:
        return self.value

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"±{self.value:.4f} at {percent(1 - self.delta)} ({self.method})"
        return text + ", vacuous" if self.vacuous else text


def deviation_at(limits: Callable[[NDArray[np.float64]], Limits], auc: float) -> float:
    at = np.array([check_value(auc)])
    low, high = limits(at)
    return float(max((at - low)[0], (high - at)[0]))
