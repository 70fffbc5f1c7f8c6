"""Integrals of relevance curves to 12 digits, and sums of discounts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts.discount import Discount
from rocsolid.errors import InputError

_F = NDArray[np.float64]

_DEPTH = 60
_PIECES = 1 << 15


def integrate(function: Callable[[_F], _F], edges: _F, scale: float = 0.0) -> float:
    """Integrate a function over [edges[0], edges[-1]], to 1e-14 of the whole.

    ``edges`` mark the points where the function is not smooth. A piece is halved while Clenshaw and
    Curtis's rules with 33 and with 17 nodes differ. For a difference that may cancel, ``scale`` is
    the size of the subtracted terms.

    >>> integrate(np.sqrt, np.array([0.0, 1.0]))
    0.66666666666666...
    """
    low, high = edges[:-1], edges[1:]
    parts: list[float] = []
    total = 0.0
    for depth in range(_DEPTH):
        middle, half = (low + high) / 2, (high - low) / 2
        fine, coarse, size = _rules(function, middle, half)
        if depth == 0:
            total = max(math.fsum(size), scale)
        error = np.abs(fine - coarse)
        split = (error > 1e-14 * total + 1e-13 * size) & (low < middle) & (middle < high)
        parts.extend(fine[~split].tolist())
        if not split.any():
            return math.fsum(parts)
        if np.count_nonzero(split) > _PIECES:
            break
        low, high = (
            np.concatenate([low[split], middle[split]]),
            np.concatenate([middle[split], high[split]]),
        )
    if np.count_nonzero(split) <= 64:  # a few jumps, each caught to the last digits
        return math.fsum([*parts, *fine[split].tolist()])
    raise InputError(
        "the function is too rough to be integrated to 12 digits",
        where="curve",
        fix="pass the points where it jumps or bends as breaks=, or use a smoother function",
    )


def edges_towards_zero(breaks: Iterable[float], end: float, start: float = 2.0**-80) -> _F:
    """Return edges on (start, end]: the breaks, and halvings towards a singularity at zero.

    >>> edges_towards_zero([0.3], 1.0, 0.25)
    array([0.25, 0.3 , 0.5 , 1.  ])
    """
    steps = math.ceil(math.log2(end / start))
    halvings = end * 2.0 ** -np.arange(steps, dtype=np.float64)
    inner = np.asarray([b for b in breaks if start < b < end], dtype=np.float64)
    return np.unique(np.concatenate([[start], inner, halvings]))


def _rules(function: Callable[[_F], _F], middle: _F, half: _F) -> tuple[_F, _F, _F]:
    nodes, fine, coarse = _nodes()
    at = middle[:, None] + half[:, None] * nodes
    values = function(at.ravel()).reshape(at.shape)
    return half * (values @ fine), half * (values[:, ::2] @ coarse), half * (np.abs(values) @ fine)


@cache
def _nodes() -> tuple[_F, _F, _F]:
    nodes = np.cos(np.pi * np.arange(33) / 32)
    # just inside, because at an edge the function may have the value of the neighbouring piece
    nodes[0], nodes[-1] = 1.0 - 2.0**-40, 2.0**-40 - 1.0
    return nodes, _weights(32), _weights(16)


def _weights(n: int) -> _F:
    """Return the weights for the nodes cos(πj/n), j = 0 … n, n even (Clenshaw and Curtis 1960)."""
    angle = np.pi * np.arange(n + 1) / n
    k = np.arange(1, n // 2)
    series = 1.0 - 2.0 * np.cos(2.0 * np.outer(angle, k)) @ (1.0 / (4.0 * k**2 - 1.0))
    weights = (series - np.cos(n * angle) / (n**2 - 1.0)) * 2.0 / n
    weights[[0, -1]] /= 2.0
    return np.asarray(weights)


_EXACT = 1 << 22
_HEAD = 1 << 20


def discount_sum(discount: Discount, depth: float) -> float:
    """Return Σ D(r) over r ≤ depth, with the last rank counted in part.

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
    """Return Σ D(r)·relevance(r) over the ranks 1 to depth.

    Beyond four million ranks, an integral replaces the sum after the first million, with a relative
    error below 1e-7. ``breaks`` are the ranks near which the relevance is not smooth.
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
    return integrate(lambda x: discount(x) * relevance(x), _edges(1.0, depth, breaks))


def _edges(start: float, end: float, breaks: Iterable[float]) -> _F:
    """Return the breaks and pieces that double, because discounts change over ratios of ranks."""
    steps = max(1, math.ceil(math.log2(end / start)))
    doublings = np.minimum(start * 2.0 ** np.arange(steps + 1), end)
    inner = np.asarray([b for b in breaks if start < b < end], dtype=np.float64)
    return np.unique(np.concatenate([doublings, inner]))
