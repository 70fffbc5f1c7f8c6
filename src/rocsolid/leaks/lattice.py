"""The labelings that fit several releases, as points of a shifted lattice inside a box."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.system import System

_SLACK_UNIT = 16  # resolution of the interval rows in the reduction; the basis itself is exact


@dataclass(frozen=True)
class Box:
    """Every labeling that fits is start + (integers)·basis with all coordinates in [−1, 1].

    The first coordinates are 2y − 1, one a label, so that they are odd; then comes one for each row
    that is an interval: (2·weights·y − low − high)/(high − low).
    """

    basis: NDArray[np.float64]
    start: NDArray[np.float64]


def box(question: System) -> Box | None:
    """Reduce the lattice of the exact rows, with the interval rows as further coordinates.

    With y the labels and c a multiple, the integer vectors (y, c) that satisfy the exact rows
    weights·y = c·target form a lattice; a first LLL reduction finds a basis of it, a second one,
    in which c weighs more than all else, one where only the last vector has c ≠ 0. That vector
    with c = 1, moved by the others, gives all solutions of the exact rows. None where none exists
    even over the integers.

    >>> found = box(System(np.array([[1, 2, 3]]), (3,), (3,)))
    >>> found.basis.shape, found.start.shape
    ((2, 3), (3,))
    """
    exact = [r for r in range(len(question.low)) if question.low[r] == question.high[r]]
    loose = [r for r in range(len(question.low)) if question.low[r] < question.high[r]]
    weights = [[int(w) for w in row] for row in question.weights]
    targets = [question.low[r] for r in exact]
    kernel = _integer_kernel([weights[r] for r in exact], targets, question.free + 1)
    if kernel is None:
        return None
    rows = [(weights[r], question.low[r], question.high[r]) for r in loose]
    vectors = _reduced(kernel, rows)
    if vectors is None:
        return None
    points = np.array([_coordinates(vector, rows) for vector in vectors], dtype=np.float64)
    return Box(points[:-1], points[-1])


def _integer_kernel(rows: list[list[int]], targets: list[int], size: int) -> Any:
    """A basis of the integer (y, c) with rows·y = c·targets; None if only c = 0 occurs."""
    from flint import fmpz_mat

    identity = [[int(i == j) for j in range(size)] for i in range(size)]
    if not rows:
        return identity
    columns = [[*row, -target] for row, target in zip(rows, targets, strict=True)]
    rank = int(fmpz_mat(columns).rank())
    weight = 2**40
    while True:
        matrix = [identity[i] + [weight * column[i] for column in columns] for i in range(size)]
        reduced = [[int(x) for x in row] for row in fmpz_mat(matrix).lll().tolist()]
        kernel = [row[:size] for row in reduced if not any(row[size:])]
        # the other vectors are then independent in the weighted columns: the kernel is complete
        if len(kernel) == size - rank:
            break
        weight <<= 20
    return kernel if gcd(*(row[-1] for row in kernel)) == 1 else None


def _reduced(kernel: Any, rows: list[tuple[list[int], int, int]]) -> Any:
    """The kernel reduced in the box's metric, c = 0 in all vectors but the last, where c = 1."""
    from flint import fmpz_mat

    weight = 2**20
    while True:
        matrix = []
        for *y, c in kernel:
            line = [_SLACK_UNIT * (2 * v - c) for v in y]
            for weights, low, high in rows:
                slack = 2 * sum(w * v for w, v in zip(weights, y, strict=True)) - c * (low + high)
                line.append(_SLACK_UNIT * slack // (high - low))
            matrix.append([*line, weight * c])
        reduced = [[int(x) for x in row] for row in fmpz_mat(matrix).lll().tolist()]
        vectors = []
        for row in reduced:
            c = row[-1] // weight
            vectors.append([(x // _SLACK_UNIT + c) // 2 for x in row[: len(kernel[0]) - 1]] + [c])
        if all(vector[-1] == 0 for vector in vectors[:-1]):
            break
        weight <<= 20
    last = vectors[-1]
    return [*vectors[:-1], last if last[-1] == 1 else [-v for v in last]]


def _coordinates(vector: list[int], rows: list[tuple[list[int], int, int]]) -> list[float]:
    *y, c = vector
    found = [float(2 * v - c) for v in y]
    for weights, low, high in rows:
        total = sum(w * v for w, v in zip(weights, y, strict=True))
        found.append((2 * total - c * (low + high)) / (high - low))
    return found
