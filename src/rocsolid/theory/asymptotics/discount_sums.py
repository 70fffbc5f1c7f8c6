"""Sums of a discount over ranks, exact for the first million, by integral beyond four million."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts import Discount
from rocsolid.theory.asymptotics.integrals import integrate

_F = NDArray[np.float64]

_EXACT = 1 << 22
_HEAD = 1 << 20


def discount_sum(discount: Discount, depth: float) -> float:
    """Σ D(r) over r ≤ depth; a fraction of a rank counts with that fraction.

    >>> import rocsolid as rs
    >>> discount_sum(rs.discounts.zipf(), 2.5)  # 1 + 1/2 + (1/2)(1/3)
    1.6666666666666667
    """
    whole = math.floor(depth)
    part = (depth - whole) * float(discount(np.array([whole + 1.0]))[0])
    return ranks_sum(discount, lambda r: np.ones_like(r), whole) + part


def ranks_sum(
    discount: Discount, relevance: Callable[[_F], _F], depth: int, breaks: Iterable[float] = ()
) -> float:
    """Σ D(r)·relevance(r) over the ranks 1 to depth.

    Up to four million ranks are added one by one. Of more, the first million are, and the others
    are ∫ D·relevance from half a rank before the first of them to half a rank after the last:
    relative error below 1e-7 (a jump of the relevance beyond the first million costs less than one
    rank). ``breaks`` are the ranks near which the relevance is not smooth.
    """
    exact = depth if depth <= _EXACT else _HEAD
    if exact == 0:
        return 0.0
    head = discount.values(exact) * relevance(np.arange(1, exact + 1, dtype=np.float64))
    total = float(head.sum())
    if exact == depth:
        return total
    tail = integrate(lambda r: discount(r) * relevance(r), _edges(exact + 0.5, depth + 0.5, breaks))
    return total + tail


def discount_integral(
    discount: Discount, relevance: Callable[[_F], _F], depth: float, breaks: Iterable[float] = ()
) -> float:
    """∫ D(x)·relevance(x) dx from 1 to depth."""
    return integrate(lambda x: discount(x) * relevance(x), _edges(1.0, depth, breaks))


def _edges(start: float, end: float, breaks: Iterable[float]) -> _F:
    """Pieces that double, as discounts change over ratios of ranks, and the breaks."""
    steps = max(1, math.ceil(math.log2(end / start)))
    doublings = np.minimum(start * 2.0 ** np.arange(steps + 1), end)
    inner = np.asarray([b for b in breaks if start < b < end], dtype=np.float64)
    return np.unique(np.concatenate([doublings, inner]))
