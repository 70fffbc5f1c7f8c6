"""From one limit to an interval: the other limit is the mirror image, or trivial."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.intervals.guarantees.checks import check_alternative, tail_share
from rocsolid.results import Alternative

Limits = tuple[NDArray[np.float64], NDArray[np.float64]]
Lower = Callable[[NDArray[np.float64], float], NDArray[np.float64]]


def mirrored(lower: Lower, auc: ArrayLike, delta: float, alternative: Alternative) -> Limits:
    """Both limits from ``lower(auc, share)``, a lower limit that fails with probability ≤ share.

    Turning the scores around turns A into 1−A, so one minus the lower limit for 1−Â is an upper
    limit for A. A limit that was not requested is the end of the range.
    """
    estimate = np.asarray(auc, dtype=np.float64)
    share = tail_share(delta, alternative)
    low = _end(0.0, estimate) if alternative == "less" else lower(estimate, share)
    high = _end(1.0, estimate) if alternative == "greater" else 1 - lower(1 - estimate, share)
    return low, np.asarray(high)


def symmetric(auc: ArrayLike, epsilon: ArrayLike, alternative: Alternative) -> Limits:
    """Â−ε and Â+ε, cut at the ends of the range, where nothing is lost."""
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
    """An end of the range for every estimate that there is; NaN where there is none."""
    return np.where(np.isnan(estimate), np.nan, value)
