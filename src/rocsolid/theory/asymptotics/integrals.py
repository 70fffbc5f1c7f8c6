"""Integrals of relevance curves to 12 digits, many pieces at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError

_F = NDArray[np.float64]

_DEPTH = 60
_PIECES = 1 << 15


def integrate(function: Callable[[_F], _F], edges: _F, scale: float = 0.0) -> float:
    """∫ function over [edges[0], edges[-1]]; the edges lie where the function is not smooth.

    Clenshaw and Curtis's rule with 33 nodes on every piece at once; pieces on which it differs from
    the rule with 17 of these nodes by more than 1e-14 of the whole are halved. Both rules look at
    the ends of a piece, so that a jump which no edge announces costs time and no digits, wherever
    it is. For a difference that may cancel, ``scale`` is the size of what was subtracted.

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
        fix="say where it jumps or bends with breaks=, or use a smoother one",
    )


def edges_towards_zero(breaks: Iterable[float], end: float, start: float = 2.0**-80) -> _F:
    """Edges on (start, end]: the breaks, and halvings towards zero for what is singular there.

    >>> edges_towards_zero([0.3], 1.0, 0.25)
    array([0.25, 0.3 , 0.5 , 1.  ])
    """
    steps = math.ceil(math.log2(end / start))
    halvings = end * 2.0 ** -np.arange(steps, dtype=np.float64)
    inner = np.asarray([b for b in breaks if start < b < end], dtype=np.float64)
    return np.unique(np.concatenate([[start], inner, halvings]))


def _rules(function: Callable[[_F], _F], middle: _F, half: _F) -> tuple[_F, _F, _F]:
    """The values of both rules on each piece, and that of the finer one for |function|."""
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
    """The weights for the nodes cos(πj/n), j = 0 … n, n even: Clenshaw and Curtis 1960."""
    angle = np.pi * np.arange(n + 1) / n
    k = np.arange(1, n // 2)
    series = 1.0 - 2.0 * np.cos(2.0 * np.outer(angle, k)) @ (1.0 / (4.0 * k**2 - 1.0))
    weights = (series - np.cos(n * angle) / (n**2 - 1.0)) * 2.0 / n
    weights[[0, -1]] /= 2.0
    return np.asarray(weights)
