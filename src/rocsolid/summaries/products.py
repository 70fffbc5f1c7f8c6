"""Sums of products over rows, in one thread.

OpenBLAS uses threads for long arrays. The order of a sum, and so its last digits, then depends on
their number, and waiting threads consume processor time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FEW = 256  # sums without BLAS; this many cost little compared with the sorts of scores
_ONE_THREAD = 1 << 18  # products that OpenBLAS multiplies in one thread
_BLOCK = 64  # terms of a block, which NumPy sums in an order that depends on their number alone
_SIDE = 64  # rows of either matrix in a block; the product with a single row has 4,096 factors


def dot(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Return Σ a_i b_i, with the same bits for any number of threads.

    >>> dot(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    11.0
    """
    return float(np.einsum("i,i->", a, b))


def line_dots(a: NDArray[Any], b: NDArray[Any]) -> Any:
    """Return Σ_k a_k b_k along the last axis, a number for each line.

    >>> line_dots(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]]))
    array([11.])
    """
    return line_sums(a * b)


def line_sums(terms: NDArray[Any]) -> Any:
    """Return Σ_k a_k along the last axis, with the same bits for any number of trailing zeros.

    >>> float(line_sums(np.arange(200.0))), line_sums(np.array([[1.0, 2.0], [3.0, 0.0]]))
    (19900.0, array([3., 3.]))
    """
    while terms.shape[-1] > 1:
        terms = _block_sums(terms)
    return terms[..., 0] if terms.shape[-1] else terms.sum(axis=-1)


def stretch_sums(terms: Callable[[slice], NDArray[Any]], size: int, stretch: int) -> Any:
    """Return `line_sums` of terms that are computed for one stretch of the last axis at a time.

    >>> float(stretch_sums(lambda some: np.arange(20_000.0)[some], 20_000, 8192))
    199990000.0
    """
    starts = range(0, max(size, 1), stretch)
    sums = [_block_sums(terms(slice(start, start + stretch))) for start in starts]
    return line_sums(np.concatenate(sums, axis=-1))


def _block_sums(terms: NDArray[Any]) -> NDArray[Any]:
    blocks = -(-terms.shape[-1] // _BLOCK)
    if terms.shape[-1] < blocks * _BLOCK:
        padded = np.zeros((*terms.shape[:-1], blocks * _BLOCK))
        padded[..., : terms.shape[-1]] = terms
        terms = padded
    sums: NDArray[Any] = terms.reshape(*terms.shape[:-1], blocks, _BLOCK).sum(axis=-1)
    return sums


def products(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float64]:
    """Return Σ_k a_ik b_jk, which is a @ b.T, with the same bits for any number of threads.

    >>> products(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [5.0, 6.0]]))
    array([[11., 17.]])
    """
    if len(a) == 1 or len(b) == 1 or len(a) * len(b) <= _FEW:
        return np.asarray(np.einsum("ik,jk->ij", a, b), dtype=np.float64)
    total = np.zeros((len(a), len(b)))
    wide = min(len(b), _SIDE)
    long = max(1, min(a.shape[1], _ONE_THREAD // (wide * min(len(a), _SIDE))))
    high = _ONE_THREAD // (wide * long)
    for start in range(0, a.shape[1], long):
        left, right = (matrix[:, start : start + long] for matrix in (a, b))
        for i in range(0, len(a), high):
            for j in range(0, len(b), wide):
                total[i : i + high, j : j + wide] += left[i : i + high] @ right[j : j + wide].T
    return total
