"""What the methods share: the size of a tail, which end is open, and refusals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError, UnsoundError
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Moments

Limits = tuple[NDArray[np.float64], NDArray[np.float64]]


def tail(level: float, alternative: Alternative) -> float:
    """The probability below the quantile to use: a two-sided interval splits its error.

    >>> tail(0.95, "two-sided"), tail(0.95, "greater")
    (0.975, 0.95)
    """
    if alternative == "two-sided":
        return (1.0 + level) / 2.0
    if level < 0.5:
        raise InputError(
            "a one-sided limit at less than even odds would fall on the wrong side of the estimate",
            where="level",
            value=level,
            fix="use a level of at least 0.5, such as 0.95",
        )
    return level


def quantile(level: float, alternative: Alternative) -> float:
    """The standard normal quantile that belongs to the level.

    >>> round(quantile(0.95, "two-sided"), 6)
    1.959964
    """
    from scipy.special import ndtri

    return float(ndtri(tail(level, alternative)))


def within_range(
    low: NDArray[np.float64], high: NDArray[np.float64], alternative: Alternative
) -> Limits:
    """Limits cut to [0, 1], the range of an AUC; the end that was not requested is open.

    A limit of 1.03 says no more than 1 does, so the cut loses nothing; pROC does the same. NaN
    stays NaN at both ends.

    >>> low, high = within_range(np.array([0.7]), np.array([1.03]), "two-sided")
    >>> low.item(), high.item()
    (0.7, 1.0)
    >>> within_range(np.array([0.7]), np.array([1.03]), "less")[0].item()
    0.0
    """
    unknown = np.isnan(low) | np.isnan(high)
    low = np.zeros_like(low) if alternative == "less" else np.clip(low, 0.0, 1.0)
    high = np.ones_like(high) if alternative == "greater" else np.clip(high, 0.0, 1.0)
    return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)


def refuse_scalar(
    unsound: NDArray[np.bool_], moments: Moments, method: str, reason: str, fix: str
) -> None:
    """Raise for one data set; a group among many gets NaN limits, and the caller's warning."""
    if np.ndim(unsound) == 0 and bool(unsound):
        sizes = f"{moments.n_pos:g} positives, {moments.n_neg:g} negatives"
        raise UnsoundError(
            f"{method} does not hold here: {reason}",
            where=f"AUC {moments.auc:.6g} from {sizes}",
            fix=fix,
        )
