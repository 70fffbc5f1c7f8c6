"""How often the sign is right, by the size of the sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.results.plain import Plain
from rocsolid.theory.asymptotics.distinguishing.share import Share

_F = NDArray[np.float64]

ENOUGH = 0.95
CREDITED = 0.5
"""Samples of more than this share of the data say little beyond the data themselves."""

EQUAL = 1e-12
"""Two NDCG that differ by less differ by rounding."""


@dataclass(frozen=True, slots=True)
class AtSize(Plain):
    """Samples of n items of each query, or of n whole queries.

    ``gap`` is the mean difference a − b. ``agrees`` is the share of samples whose difference has
    the sign that all data have, ``on_new_data`` the same for new samples if the difference on all
    data is the true one, by the share ``overlap`` of the data that a sample holds (None at all).
    ``undecided`` is the share without a difference, which count as not right. ``swaps``: how often
    two samples without a common item have opposite signs; None where there is too little for two.
    ``settled`` is the share of random orders in which the sign is right at this size and at all
    larger ones that were looked at.
    """

    n: int
    overlap: float
    gap: float
    undecided: float
    agrees: Share
    on_new_data: Share | None
    swaps: Share | None
    settled: Share


def at_sizes(
    sizes: Sequence[int],
    overlap: _F,
    gap: _F,
    apart: tuple[_F, _F],
    paired: Sequence[bool],
    truth: float,
) -> tuple[AtSize, ...]:
    """From the differences by size and random order; ``truth`` has the sign of all data.

    ``apart`` are the differences of two samples without a common item, ``paired`` says at which
    sizes there are any.
    """
    signs, here, there = sign(gap), sign(apart[0]), sign(apart[1])
    of_all = float(sign(np.array(truth)))
    right = (signs == of_all) & (of_all != 0.0)  # without a difference no sign is right
    onwards = np.logical_and.accumulate(right[::-1])[::-1]
    orders = gap.shape[1]
    found = []
    for i, n in enumerate(sizes):
        agrees = Share.of(int(right[i].sum()), orders)
        known = gap[i][~np.isnan(gap[i])]
        found.append(
            AtSize(
                n,
                float(overlap[i]),
                float(known.mean()) if known.size else float("nan"),
                float(np.mean(signs[i] == 0.0)),
                agrees,
                None if overlap[i] >= 1.0 else agrees.on_new_data(float(overlap[i])),
                Share.of(int(np.count_nonzero(here[i] * there[i] < 0.0)), orders)
                if paired[i]
                else None,
                Share.of(int(onwards[i].sum()), orders),
            )
        )
    return tuple(found)


def sign(gap: _F) -> _F:
    """−1, 0 or 1; 0 where there is no difference, or none but rounding.

    >>> sign(np.array([0.1, -1e-15, np.nan]))
    array([1., 0., 0.])
    """
    return np.where(np.abs(np.nan_to_num(gap, nan=0.0)) <= EQUAL, 0.0, np.sign(gap))


def smallest(points: Sequence[AtSize], share: Callable[[AtSize], Share | None]) -> int | None:
    """The smallest size from which on the share is at least 95 %, at all sizes of half the data."""
    found = None
    for point in reversed([point for point in points if point.overlap <= CREDITED]):
        here = share(point)
        if here is None or here.value < ENOUGH:
            break
        found = point.n
    return found


def half_of(points: Sequence[AtSize]) -> AtSize | None:
    """The largest samples that hold at most half of the data."""
    found = [point for point in points if point.overlap <= CREDITED]
    return found[-1] if found else None
