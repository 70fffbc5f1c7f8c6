"""Counts of subsets from two tables, for the light and the heavy half of the weights."""

from __future__ import annotations

import math
import operator
from collections.abc import Collection
from itertools import accumulate
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.leaks.gaussian import log2_comb, subset_bits

_Floats = NDArray[np.float64]
_DOUBLE_BITS = 1000  # a double holds numbers below 2^1024
_MOST_CELLS = 3e7
_MOST_STEPS = 1e10


@dataclass(frozen=True)
class Half:
    """``by_size[a]`` contains the counts of ``a``-subsets by the sum of weight − ``lightest``."""

    lightest: int
    by_size: list[Any]


class ExactTables:
    """The exact number of subsets of given size with a sum in a given interval.

    Each half is Π_g Σ_j C(t_g, j)·z^j·x^(j·w_g) over its groups of t_g equal weights w_g (derived
    here). A coefficient of their product is a scalar product. ``weights`` are ascending; subsets
    have at most ``most`` rows.

    >>> ExactTables(np.array([0, 1, 1, 2, 3]), 2).count(2, 3, 3)
    3
    """

    def __init__(self, weights: NDArray[np.int64], most: int) -> None:
        light, heavy = (_exact_half(*half, most) for half in _split(weights))
        self._light = Half(light.lightest, [[int(c) for c in f.coeffs()] for f in light.by_size])
        through = [[0, *accumulate(int(c) for c in g.coeffs())] for g in heavy.by_size]
        self._heavy = Half(heavy.lightest, through)

    def count(self, k: int, low: int, high: int) -> int:
        total = 0
        for f, through, shift in _pairs(self._light, self._heavy, k):
            begin, end = low - shift, high - shift + 1
            # the omitted entries of f have g's whole interval outside
            first, last = max(0, begin - len(through) + 2), min(len(f), end)
            if first < last:
                upper = _downwards(through, end - first, last - first)
                lower = _downwards(through, begin - first, last - first)
                total += sum(map(operator.mul, f[first:last], map(operator.sub, upper, lower)))
        return total


class FloatTables:
    """Counts in double precision: all terms are positive, so no digits cancel.

    ``relative_error`` is a bound.

    >>> FloatTables(np.array([0, 1, 1, 2, 3]), 2).count(2, 3, 3)
    3.0
    """

    def __init__(self, weights: NDArray[np.int64], most: int) -> None:
        halves = _split(weights)
        self._light, self._heavy = (_float_half(*half, most) for half in halves)
        # a table entry is a sum over the rows, a result is a sum over a table
        longest = max(len(f) for half in (self._light, self._heavy) for f in half.by_size)
        self.relative_error = float(np.finfo(float).eps) * (2 * len(weights) + 2 * longest)

    def count(self, k: int, low: int, high: int) -> float:
        return math.fsum(
            _interval_product(f, g, low - shift, high - shift)
            for f, g, shift in _pairs(self._light, self._heavy, k)
        )


def exact_tables_work(weights: NDArray[np.int64], most: int) -> float:
    """Estimate the time to make `ExactTables`, in units of 10 ns."""
    return _cells(weights, most) * _groups(weights) * (_bits(weights) + 40) / 30


def exact_lookup_work(weights: NDArray[np.int64], most: int) -> float:
    return _cells(weights, most) * (1 + _bits(weights) / 16)


def float_tables_fit(weights: NDArray[np.int64], most: int) -> bool:
    """Return whether all numbers fit a double, and the tables are small and fast to compute."""
    cells = _cells(weights, most)
    if cells > _MOST_CELLS or cells * _groups(weights) > _MOST_STEPS:
        return False
    return log2_comb(len(weights), len(weights) // 2) < _DOUBLE_BITS


def _cells(weights: NDArray[np.int64], most: int) -> float:
    m = len(weights)
    return min(most, m / 2) * m / 2 * (1 + float(weights[-1] - weights[0]) / 8)


def _groups(weights: NDArray[np.int64]) -> int:
    return 1 + int(np.count_nonzero(np.diff(weights)))


def _bits(weights: NDArray[np.int64]) -> float:
    return log2_comb(len(weights) // 2, len(weights) // 4)


def _split(weights: NDArray[np.int64]) -> list[tuple[NDArray[np.int64], NDArray[np.intp]]]:
    """Return the distinct weights in each half and their numbers of rows; ties stay together."""
    values, sizes = np.unique(weights, return_counts=True)
    cut = int(np.searchsorted(np.cumsum(sizes), len(weights) // 2, "right"))
    return [(values[:cut], sizes[:cut]), (values[cut:], sizes[cut:])]


def _pairs(light: Half, heavy: Half, k: int) -> Any:
    """Yield, for each split of ``k`` rows, the two tables and the sum at which they begin."""
    for a in range(max(0, k - len(heavy.by_size) + 1), min(k + 1, len(light.by_size))):
        shift = a * light.lightest + (k - a) * heavy.lightest
        yield light.by_size[a], heavy.by_size[k - a], shift


def _exact_half(weights: NDArray[np.int64], sizes: NDArray[np.intp], most: int) -> Half:
    from flint import fmpz_poly

    table = [fmpz_poly([1])]
    lightest = int(weights[0]) if len(weights) else 0
    for weight, size in zip((weights - lightest).tolist(), sizes.tolist(), strict=True):
        larger = [fmpz_poly() for _ in range(min(most, len(table) - 1 + size) + 1)]
        for j in range(min(size, len(larger) - 1) + 1):
            ways = comb(size, j)
            for a, poly in enumerate(table[: len(larger) - j], start=j):
                moved = poly.left_shift(j * weight)
                larger[a] += moved if ways == 1 else ways * moved
        table = larger
    return Half(lightest, table)


def _float_half(weights: NDArray[np.int64], sizes: NDArray[np.intp], most: int) -> Half:
    table = [np.ones(1)]
    lightest = int(weights[0]) if len(weights) else 0
    for weight, size in zip((weights - lightest).tolist(), sizes.tolist(), strict=True):
        sizes_kept = min(most, len(table) - 1 + size) + 1
        # weights ascend, so the last rows have the largest sum
        length = [
            max(
                len(table[a - j]) + j * weight
                for j in range(min(a, size) + 1)
                if a - j < len(table)
            )
            for a in range(sizes_kept)
        ]
        larger = [np.zeros(n) for n in length]
        for j in range(min(size, sizes_kept - 1) + 1):
            ways = float(comb(size, j))
            for a, f in enumerate(table[: sizes_kept - j], start=j):
                larger[a][j * weight : j * weight + len(f)] += f if ways == 1.0 else ways * f
        table = larger
    return Half(lightest, table)


def _downwards(through: list[int], place: int, length: int) -> list[int]:
    """Return ``length`` values from ``place`` down; repeat the last value beyond either end."""
    above = min(max(place - len(through) + 1, 0), length)
    begin, end = max(place - length + 1, 0), max(place - above + 1, 0)
    inside = through[begin:end][::-1]
    return [through[-1]] * above + inside + [0] * (length - above - len(inside))


def _interval_product(f: _Floats, g: _Floats, low: int, high: int) -> float:
    """Return the sum of the coefficients ``low`` to ``high`` of the product of two polynomials."""
    low, high = max(low, 0), min(high, len(f) + len(g) - 2)
    if low > high:
        return 0.0
    width = high - low + 1
    # window[i] is the sum of g[i − width + 1 … i]
    window = _window_sums(np.concatenate([np.zeros(width - 1), g, np.zeros(width - 1)]), width)
    first, last = max(0, high - len(window) + 1), min(len(f) - 1, high)
    return float(f[first : last + 1] @ window[high - last : high - first + 1][::-1])


def _window_sums(g: _Floats, width: int) -> _Floats:
    """Return sums of ``width`` neighbours by additions alone.

    >>> _window_sums(np.array([1.0, 2, 4, 8, 16]), 3)
    array([ 7., 14., 28.])
    """
    if width == 1:
        return g
    kept = len(g) - width + 1
    blocks = np.concatenate([g, np.zeros(-len(g) % width)]).reshape(-1, width)
    starts = np.cumsum(blocks, axis=1).ravel()
    ends = np.cumsum(blocks[:, ::-1], axis=1)[:, ::-1].ravel()
    sums: _Floats = ends[:kept] + starts[width - 1 : width - 1 + kept]
    sums[::width] = ends[:kept:width]
    return sums


def label_bits(
    free: int | NDArray[np.int64], known_positives: int, sizes: Collection[int]
) -> float:
    """Return log₂ of the number of labelings of ``free`` unknown rows.

    ``sizes`` are the possible numbers of positives, including the ``known_positives``. Where rows
    share labels, ``free`` contains the number of rows in each unit of unknown label.

    >>> label_bits(4, 0, [2]), label_bits(3, 1, [1, 2, 3, 4])
    (2.584962500721156, 3.0)
    >>> label_bits(np.array([2, 2, 3]), 0, [2, 5])
    2.0
    """
    if isinstance(free, np.ndarray):
        return subset_bits(free, [size - known_positives for size in sizes])
    choices = [size - known_positives for size in sizes]
    bits = np.array([log2_comb(free, k) for k in choices if 0 <= k <= free])
    return float(np.logaddexp2.reduce(bits)) if len(bits) else -math.inf
