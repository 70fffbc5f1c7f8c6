"""The error rate of a classifier, from labels and scores, and bounds for it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocsolid.arguments import whole
from rocsolid.inputs.binary import binary_rows
from rocsolid.intervals.guarantees.checks import (
    FIXED_SCORER,
    INDEPENDENT,
    Deviation,
    check_deviation,
    check_sizes,
    check_value,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.hoeffding import hoeffding_epsilon, hoeffding_limits
from rocsolid.results import Alternative, Interval
from rocsolid.results.interval import VALUE

SOURCE = "Agarwal et al. 2005, (16)"
ASSUMPTIONS = (INDEPENDENT, "rows identically distributed", FIXED_SCORER)
CLAIM = Claim("error-rate", SOURCE, ASSUMPTIONS, VALUE)


def error_rate(
    error: float,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for the error rate L of a fixed classifier: P(|L̂−L| ≥ ε) ≤ 2exp(−2Nε²).

    All N = m+n rows count, whereas bounds for the AUC use mn/(m+n) or min(m, n).

    Reference: Agarwal et al. 2005, equation (16).

    >>> print(error_rate(0.2, 100, 400))
    [0.1393, 0.2607] at 95 % (error-rate)
    """
    rows = sum(check_sizes(n_pos, n_neg))
    low, high = hoeffding_limits(check_value(error, "error"), rows, delta, alternative)
    return CLAIM.interval((low, high), delta)


def error_rate_deviation(
    n_pos: int, n_neg: int, delta: float = 0.05, error: float | None = None
) -> Deviation:
    """Return the deviation ε of `error_rate`, which is the same for every error rate."""
    rows = sum(check_sizes(n_pos, n_neg))
    if error is not None:
        check_value(error, "error")
    epsilon = float(hoeffding_epsilon(rows, delta))
    return CLAIM.deviation(epsilon, delta)


def error_rate_tail(epsilon: float, n: int) -> float:
    """Return 2exp(−2Nε²), which bounds P(|L̂−L| ≥ ε), at most 1 (Agarwal et al. 2005, (16)).

    >>> round(error_rate_tail(0.1, 200), 5)
    0.03663
    """
    check_deviation(epsilon)
    return min(1.0, 2.0 * math.exp(-2.0 * whole(n, "n") * epsilon**2))


def empirical_error(
    y_true: Any, y_score: Any, *, threshold: float = 0.0, pos_label: Any = None
) -> float:
    """Return the share of rows whose class differs from θ(score − threshold).

    θ(u) is the positive class for u > 0 and the negative class otherwise (Agarwal et al. 2005,
    equations (1) to (3)).

    >>> empirical_error([0, 0, 1, 1], [-1.0, 0.5, 0.0, 2.0])
    0.5
    """
    rows = binary_rows(y_true, y_score, pos_label=pos_label)
    return float(np.mean((rows.score > threshold) != rows.positive))


def error_rate_variance(error: float, n: int) -> float:
    """Return L(1−L)/N, the variance of an observed error rate (Agarwal et al. 2005, equation (17)).

    >>> error_rate_variance(0.5, 100)
    0.0025
    """
    return check_value(error, "error") * (1 - error) / whole(n, "n")
