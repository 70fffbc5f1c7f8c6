"""Checks of the arguments that every guarantee takes, and the words for its assumptions."""

from __future__ import annotations

import math
from typing import get_args

from rocsolid.arguments import is_number, one_of, whole
from rocsolid.errors import InputError
from rocsolid.results import Alternative

INDEPENDENT = "rows independent"
ALIKE = "rows of one class identically distributed"
FIXED_SCORER = "scorer fixed before this data was seen"
IID = (INDEPENDENT, ALIKE, FIXED_SCORER)

SMALLEST_DELTA = 1e-100  # its square, which the hinge may meet, must stay a normal double


def check_value(value: float, name: str = "auc") -> float:
    """The value as a float, if it is a number in [0, 1]."""
    if not (is_number(value) and 0.0 <= value <= 1.0):
        raise InputError(f"{name} must lie in [0, 1]", value=value, fix=f"give {name} as a share")
    return float(value)


def check_difference(difference: float) -> float:
    """The value as a float, if it can be a difference of AUCs."""
    if not (is_number(difference) and -1.0 <= difference <= 1.0):
        raise InputError("a difference of AUCs must lie in [-1, 1]", value=difference)
    return float(difference)


def check_delta(delta: float) -> float:
    """The error probability as a float, if it is a number in (0, 1)."""
    if not (is_number(delta) and SMALLEST_DELTA <= delta < 1.0):
        raise InputError(
            f"delta must lie in (0, 1), and not below {SMALLEST_DELTA:g}",
            value=delta,
            fix="delta is 1 - level: 0.05 for 95 %",
        )
    return float(delta)


def check_level(level: float) -> float:
    """The error probability that belongs to a level; messages name the level.

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


def check_sizes(n_pos: int, n_neg: int) -> tuple[int, int]:
    return whole(n_pos, "n_pos"), whole(n_neg, "n_neg")


def check_alternative(alternative: Alternative) -> Alternative:
    one_of(alternative, get_args(Alternative), "alternative")
    return alternative


def check_margin_alone(null: float, alternative: Alternative) -> None:
    """A margin of non-inferiority is a null and an alternative: neither is given beside it."""
    if null != 0.0 or alternative == "less":
        raise InputError(
            "a margin asks whether a − b > −margin, which sets null and alternative",
            where="margin",
            fix="leave null and alternative out",
        )


def tail_share(delta: float, alternative: Alternative) -> float:
    """The error probability of one limit: half of delta if there are two, else all of it.

    >>> tail_share(0.05, "two-sided"), tail_share(0.05, "greater")
    (0.025, 0.05)
    """
    two_sided = check_alternative(alternative) == "two-sided"
    return check_delta(delta) / 2 if two_sided else check_delta(delta)


def log_inverse_share(delta: float, alternative: Alternative) -> float:
    """ln(2/δ) for two limits, ln(1/δ) for one: what an exponential tail bound is solved for."""
    return -math.log(tail_share(delta, alternative))
