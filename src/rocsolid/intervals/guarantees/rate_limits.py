"""Limits for the share of a class at or above a threshold, for every threshold at once."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.guarantees.dkw import dkw_radius
from rocsolid.intervals.guarantees.rank_band import lower_band, upper_band

_FLOATS = NDArray[np.float64]
Limits = tuple[_FLOATS, _FLOATS]


def dkw_limits(above: NDArray[np.int64], rows: int, share: float) -> Limits:
    """The empirical share ± √(ln(2/share)/(2·rows)): Dvoretzky, Kiefer, Wolfowitz and Massart.

    All of them hold together except with a probability of ``share``, whatever the distribution. The
    width is the same everywhere, which makes the limits useless where rates are small.

    >>> low, high = dkw_limits(np.array([0, 50, 100]), 100, 0.05)
    >>> low.round(3), high.round(3)
    (array([0.   , 0.364, 0.864]), array([0.136, 0.636, 1.   ]))
    """
    rate, radius = above / rows, dkw_radius(rows, share)
    return np.maximum(rate - radius, 0.0), np.minimum(rate + radius, 1.0)


def equal_local_limits(above: NDArray[np.int64], rows: int, share: float) -> Limits:
    """Beta quantiles of the order statistics, each at the same level (Berk and Jones 1979).

    Between the k-th and the (k+1)-th largest row the share above a threshold is at least the lower
    limit for the one and at most the upper limit for the other, ties included. Each side fails at
    any threshold with probability at most share/2, computed without an asymptotic step. Narrow
    where the rate is near 0 or 1, a little wider than `dkw_limits` in the middle.

    >>> low, high = equal_local_limits(np.array([0, 50, 100]), 100, 0.05)
    >>> low.round(3), high.round(3)
    (array([0.   , 0.346, 0.934]), array([0.066, 0.654, 1.   ]))
    """
    return at_least(above, rows, share / 2.0), at_most(above, rows, share / 2.0)


def at_least(above: NDArray[np.int64], rows: int, share: float) -> _FLOATS:
    """The lower limits alone, which fail anywhere with a chance of at most ``share``.

    Large classes have limits at some ranks only: the next one on the safe side is used.
    """
    band = lower_band(rows, 0.0, 1.0, share)
    return np.append(0.0, band.limit)[np.searchsorted(band.ranks, above, side="right")]


def at_most(above: NDArray[np.int64], rows: int, share: float) -> _FLOATS:
    """The upper limits alone."""
    band = upper_band(rows, 0.0, 1.0, share)
    return np.append(band.limit, 1.0)[np.searchsorted(band.ranks, above + 1, side="left")]


def jumps(rows: int, level: float) -> NDArray[np.int64]:
    """The counts at which the equal local limits of `rate_boxes` for such a class change."""
    share = (1.0 - math.sqrt(level)) / 2.0
    bands = lower_band(rows, 0.0, 1.0, share), upper_band(rows, 0.0, 1.0, share)
    return np.union1d(bands[0].ranks, bands[1].ranks)


SIMULTANEOUS: dict[str, Callable[[NDArray[np.int64], int, float], Limits]] = {
    "dkw": dkw_limits,
    "equal-local-levels": equal_local_limits,
}


def rate_boxes(
    hits: NDArray[np.int64],
    alarms: NDArray[np.int64],
    sizes: tuple[int, int],
    kind: str,
    level: float,
) -> tuple[Limits, Limits]:
    """Limits for the true-positive and the false-positive rates at all thresholds at once.

    ``hits`` and ``alarms`` of the ``sizes`` positives and negatives are at or above a threshold.
    The classes are independent, so that limits which hold for each with probability √level hold
    for both with probability ``level``. Any choice of threshold is allowed, whatever it looked at.
    """
    share = 1.0 - math.sqrt(level)
    limits = SIMULTANEOUS[kind]
    return limits(hits, sizes[0], share), limits(alarms, sizes[1], share)
