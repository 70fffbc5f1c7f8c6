"""Linear constraints on the unknown labels, and searches for labelings that satisfy them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.leaks.evidence import Line
from rocsolid.leaks.query_bits import subset_sums


@dataclass(frozen=True)
class System:
    """low ≤ weights·y ≤ high for y ∈ {0, 1}^f, row by row: integers of at most 2^52 in all."""

    weights: NDArray[np.int64]
    low: tuple[int, ...]
    high: tuple[int, ...]

    @property
    def free(self) -> int:
        return int(self.weights.shape[1])

    def fits(self, y: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the mask of labelings (one per row) that satisfy every row of the system."""
        sums = y.astype(np.int64) @ self.weights.T
        low, high = np.array(self.low, np.int64), np.array(self.high, np.int64)
        return np.asarray(((low <= sums) & (sums <= high)).all(axis=1))


def system(
    lines: Sequence[Line], labels: NDArray[np.bool_], is_known: NDArray[np.bool_]
) -> System | None:
    """Remove the known labels, divide by common factors, and drop rows that exclude no labeling.

    Return None if a row is impossible.

    >>> system([Line(np.array([2, 4, 6]), 5, 7)], np.zeros(3, bool), np.zeros(3, bool))
    System(weights=array([[1, 2, 3]]), low=(3,), high=(3,))
    """
    rows, low, high = [], [], []
    for line in lines:
        weights = line.weights[~is_known]
        taken = int(line.weights[labels].sum())
        factor = int(np.gcd.reduce(weights)) if len(weights) else 0
        factor = factor or 1
        weights = weights // factor
        least = -((taken - line.low) // factor)
        most = (line.high - taken) // factor
        smallest, largest = int(weights[weights < 0].sum()), int(weights[weights > 0].sum())
        least, most = max(least, smallest), min(most, largest)
        if least > most:
            return None
        if (least, most) != (smallest, largest):
            rows.append(weights)
            low.append(least)
            high.append(most)
    free = int((~is_known).sum())
    return System(np.array(rows, np.int64).reshape(len(rows), free), tuple(low), tuple(high))


_SLACK_UNIT = 16  # resolution of the interval rows in the reduction; the basis itself is exact


@dataclass(frozen=True)
class Box:
    """The labelings that fit: start + (integers)·basis with all coordinates in [−1, 1].

    The first coordinates are 2y − 1, one for each label. Each interval row then has one coordinate:
    (2·weights·y − low − high)/(high − low).
    """

    basis: NDArray[np.float64]
    start: NDArray[np.float64]


def box(question: System) -> Box | None:
    """Reduce the lattice of the exact rows, with the interval rows as further coordinates.

    A first LLL reduction finds a basis of the integer (y, c) that satisfy weights·y = c·target. In
    a second reduction c has the largest weight, so the last vector alone has c ≠ 0. The solutions
    are the last vector plus integer combinations of the other vectors. The result is None if no
    integer solution exists.

    >>> region = box(System(np.array([[1, 2, 3]]), (3,), (3,)))
    >>> region.basis.shape, region.start.shape
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
    """Return a basis of the integer (y, c) with rows·y = c·targets; None if only c = 0 occurs."""
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
        # the other vectors are independent in the weighted columns, so the kernel is complete
        if len(kernel) == size - rank:
            break
        weight <<= 20
    return kernel if gcd(*(row[-1] for row in kernel)) == 1 else None


def _reduced(kernel: Any, rows: list[tuple[list[int], int, int]]) -> Any:
    """Reduce the kernel in the box's metric, c = 0 in all vectors but the last, where c = 1."""
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
    coordinates = [float(2 * v - c) for v in y]
    for weights, low, high in rows:
        total = sum(w * v for w, v in zip(weights, y, strict=True))
        coordinates.append((2 * total - c * (low + high)) / (high - low))
    return coordinates


_KEY_BITS = 62
_CHUNK = 1 << 16


@dataclass(frozen=True)
class SearchOutcome:
    """The result of a search of one system."""

    labelings: tuple[NDArray[np.bool_], ...]
    """Labelings that fit, at most two, each verified."""
    complete: bool
    """Whether every labeling was examined."""
    work: int
    """The number of partial labelings examined."""
    count: int | None = None
    """The number of labelings that fit, if all were counted."""
    positive: tuple[int, ...] | None = None
    """For each label, the number of these labelings where it is 1, if all were counted."""


def meet_in_middle(question: System, work: int) -> SearchOutcome:
    """Count and find the labelings by Horowitz and Sahni's (1974) two lists of 2^(f/2) sums.

    The exact rows and at most one interval row are packed into one integer key in mixed radix. Each
    candidate is checked against the remaining rows. The search is skipped if the lists alone would
    exceed ``work``.

    >>> two = System(np.array([[1, 1, 1, 1], [4, 3, 2, 1]]), (2, 5), (2, 5))
    >>> outcome = meet_in_middle(two, 100)
    >>> outcome.count, outcome.positive
    (2, (1, 1, 1, 1))
    """
    half = question.free // 2
    lists = 2**half + 2 ** (question.free - half)
    if lists > work:
        return SearchOutcome((), False, 0)
    weights, low, high, packed = _pack(question)
    left, right = subset_sums(weights[:half]), subset_sums(weights[half:])
    order = np.argsort(right, kind="stable")
    right = right[order]
    begin = np.searchsorted(right, low - left, "left")
    end = np.searchsorted(right, high - left, "right")
    sizes = end - begin
    total = int(sizes.sum())
    if packed == len(question.low):
        chosen = pairs(begin, end, 0, min(2, total))
        examples = _labelings(chosen[0], order[chosen[1]], half, question.free)
        cover = np.zeros(len(right) + 1, dtype=np.int64)
        np.add.at(cover, begin, 1)
        np.subtract.at(cover, end, 1)
        times = np.cumsum(cover[:-1])
        positive = [int(sizes[np.arange(len(left)) >> i & 1 == 1].sum()) for i in range(half)]
        positive += [int(times[order >> i & 1 == 1].sum()) for i in range(question.free - half)]
        return SearchOutcome(tuple(examples), True, lists, total, tuple(positive))
    kept: list[NDArray[np.bool_]] = []
    count, ones = 0, np.zeros(question.free, dtype=np.int64)
    complete = total + lists <= work
    for first in range(0, total, _CHUNK):
        if not complete and (len(kept) == 2 or first + lists > work):
            return SearchOutcome(tuple(kept), False, lists + first)
        chosen = pairs(begin, end, first, min(first + _CHUNK, total))
        y = _labelings(chosen[0], order[chosen[1]], half, question.free)
        y = y[question.fits(y)]
        count += len(y)
        ones += y.sum(axis=0)
        kept += list(y[: 2 - len(kept)])
    return SearchOutcome(tuple(kept), True, lists + total, count, tuple(ones.tolist()))


def _pack(question: System) -> tuple[NDArray[np.int64], int, int, int]:
    """Return the label weights, the interval of the key, and the number of packed rows."""
    radix = [int(np.abs(row).sum()) + 1 for row in question.weights]
    widths = [high - low for low, high in zip(question.low, question.high, strict=True)]
    exact = sorted((r for r, width in enumerate(widths) if width == 0), key=lambda r: radix[r])
    loose = sorted(
        (r for r, width in enumerate(widths) if width > 0), key=lambda r: widths[r] / radix[r]
    )
    chosen: list[int] = []
    size = 1
    # the interval takes the last digit, and so comes first
    for r in [*loose[:1], *exact]:
        if math.log2(size) + math.log2(radix[r]) < _KEY_BITS:
            chosen.append(r)
            size *= radix[r]
    key = np.zeros(question.free, dtype=np.int64)
    low = high = 0
    unit = 1
    for r in chosen:
        key += unit * question.weights[r]
        low += unit * question.low[r]
        high += unit * question.high[r]
        unit *= radix[r]
    return key, low, high, len(chosen)


def pairs(
    begin: NDArray[np.intp], end: NDArray[np.intp], first: int, last: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return pairs ``first`` to ``last`` of (left subset, position in the sorted right list)."""
    through = np.cumsum(end - begin)
    number = np.arange(first, last)
    left = np.searchsorted(through, number, "right")
    before = through[left] - (end - begin)[left]
    return left, begin[left] + number - before


def _labelings(
    left: NDArray[np.intp], right: NDArray[np.intp], half: int, free: int
) -> NDArray[np.bool_]:
    y = np.empty((len(left), free), dtype=bool)
    y[:, :half] = left[:, None] >> np.arange(half) & 1
    y[:, half:] = right[:, None] >> np.arange(free - half) & 1
    return y
