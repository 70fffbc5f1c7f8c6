"""The AUC of a scorer that was picked from a finite class or a weighted list of candidates."""

from __future__ import annotations

import math

import numpy as np

from rocsolid.arguments import is_number, whole
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import (
    ALIKE,
    INDEPENDENT,
    check_sizes,
    check_value,
    log_inverse_share,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.kl import kl_lower
from rocsolid.intervals.guarantees.sides import mirrored, symmetric
from rocsolid.results import Alternative, Interval

CLASS_FIXED = "class of scorers fixed before this data was seen"
WEIGHTS_FIXED = "candidates and their weights fixed before this data was seen"
_FINITE_CLASS = Claim(
    "finite class",
    "Agarwal et al. 2005, Theorem 10 and Corollary 11 (Theorem 13: random labels)",
    (INDEPENDENT, CLASS_FIXED),
)
_OCCAM_KL = Claim(
    "Occam-kl",
    "Hoeffding 1963, Theorem 1 and section 5, with a weighted union bound",
    (INDEPENDENT, ALIKE, WEIGHTS_FIXED),
)


def finite_class(
    auc: float,
    n_pos: int,
    n_neg: int,
    size: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """The interval for a scorer picked, in any way, from ``size`` scorers.

    Agarwal et al. 2005, Theorem 10 and Corollary 11: ε = √((ln|F| + ln(2/δ))(m+n)/(2mn)); by
    Theorem 13 it also holds without conditioning on the labels. The rows may be those that chose
    the scorer (training rows), as long as the class was fixed before them. ``occam_kl`` is never
    wider where rows of one class are alike.

    >>> print(finite_class(0.8, 1000, 1000, size=40))
    [0.7141, 0.8859] at 95 % (finite class)
    """
    m, n = check_sizes(n_pos, n_neg)
    epsilon = finite_class_epsilon(m, n, size, delta, alternative)
    return _FINITE_CLASS.interval(symmetric(check_value(auc), epsilon, alternative), delta)


def finite_class_epsilon(
    n_pos: int, n_neg: int, size: int, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> float:
    """√((ln|F| + ln(2/δ))/2·(1/m + 1/n)), or with ln(1/δ) for one limit.

    >>> round(finite_class_epsilon(1000, 1000, 40), 4)
    0.0859
    """
    m, n = check_sizes(n_pos, n_neg)
    exponent = math.log(whole(size, "size")) + log_inverse_share(delta, alternative)
    return math.sqrt(exponent / 2 * (1 / m + 1 / n))


def finite_class_tail(epsilon: float, n_pos: int, n_neg: int, size: int) -> float:
    """Theorem 10 itself: a bound on the probability that the picked scorer's AUC is off by ε.

    2|F|exp(−2mnε²/(m+n)), cut off at 1 (Agarwal et al. 2005).

    >>> round(finite_class_tail(0.1, 1000, 1000, 40), 5)
    0.00363
    """
    m, n = check_sizes(n_pos, n_neg)
    if not (is_number(epsilon) and epsilon > 0):
        raise InputError("not a positive deviation", where="epsilon", value=epsilon)
    log_tail = math.log(2 * whole(size, "size")) - 2 * epsilon**2 / (1 / m + 1 / n)
    return math.exp(min(0.0, log_tail))


def occam_kl(
    auc: float,
    n_pos: int,
    n_neg: int,
    weight: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """The interval for a picked candidate that had prior weight π: kl(Â‖A) ≤ ln(1/(πδ))/k a side.

    The weights of all candidates sum to at most 1 and were fixed before these rows were seen; then
    all the candidates' intervals hold at once with probability 1 − δ (ln(2/(πδ)) for two sides), so
    any of them may be picked. For a grid of K candidates take π = 1/K: the choice costs ln K. On a
    test set the candidates may have been trained on other rows; on the training rows themselves,
    the candidates must be a list that existed before them. k = min(m, n) blocks, as in ``kl``.

    >>> print(occam_kl(0.8, 1000, 1000, weight=1 / 40))
    [0.7486, 0.8455] at 95 % (Occam-kl)
    """
    k = min(check_sizes(n_pos, n_neg))
    if not (is_number(weight) and 0 < weight <= 1):
        raise InputError(
            "the weight of a candidate must lie in (0, 1]", value=weight, fix="use 1/K for one of K"
        )
    low, high = mirrored(
        lambda x, share: kl_lower(x, np.asarray((-np.log(share) - math.log(weight)) / k)),
        check_value(auc),
        delta,
        alternative,
    )
    return _OCCAM_KL.interval((low, high), delta)
