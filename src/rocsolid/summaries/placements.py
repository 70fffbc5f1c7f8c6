"""Exact sums over the placements of sorted classes, on two threads or on a device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.inputs.files import watcher
from rocsolid.inputs.matrices import in_main_memory, is_tensor, library_of, taken
from rocsolid.summaries.moments import INT64, Moments, exact_dot

T = TypeVar("T")
_Item = TypeVar("_Item")
_First = TypeVar("_First")
_Second = TypeVar("_Second")

_WORTH_A_THREAD = 1 << 17  # rows; a thread costs about as much as some thousands of rows


def side_by_side(
    first: Callable[[], _First], second: Callable[[], _Second], rows: int
) -> tuple[_First, _Second]:
    """The results of both tasks, which must not write to the same data.

    For many rows, the second task runs on a thread, because NumPy releases the interpreter lock.

    >>> side_by_side(lambda: 1 + 1, lambda: "b", rows=10)
    (2, 'b')
    """
    if rows < _WORTH_A_THREAD:
        return first(), second()
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1) as pool:
        other = pool.submit(second)
        return first(), other.result()


def each_side_by_side(of_each: Callable[[_Item], T], items: Sequence[_Item], rows: int) -> list[T]:
    """The result of ``of_each`` for each item, with half of the items on each thread.

    >>> each_side_by_side(len, ["a", "bc"], rows=10)
    [1, 2]
    """
    if rows < _WORTH_A_THREAD:
        return [of_each(item) for item in items]
    half = len(items) // 2
    first, second = side_by_side(
        lambda: [of_each(item) for item in items[:half]],
        lambda: [of_each(item) for item in items[half:]],
        rows,
    )
    return first + second


def blocks_side_by_side(of_block: Callable[[int], T], blocks: int, rows: int) -> list[T]:
    """The result of ``of_block`` for each number below ``blocks``.

    An interrupt reaches only the main thread, so a half that ends early stops the other half before
    its next block.

    >>> blocks_side_by_side(lambda block: block * block, 4, rows=10)
    [0, 1, 4, 9]
    """
    stopped, done, report = False, count(1), watcher()

    def some(numbers: range) -> list[T]:
        nonlocal stopped
        results = []
        try:
            for number in numbers:
                if stopped:
                    break
                results.append(of_block(number))
                if report is not None:
                    report(next(done), blocks)
        except BaseException:
            stopped = True
            raise
        return results

    if rows < _WORTH_A_THREAD:
        return some(range(blocks))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1) as pool:
        other = pool.submit(some, range(blocks // 2, blocks))
        try:
            return some(range(blocks // 2)) + other.result()
        except BaseException:
            stopped = True
            raise


@dataclass(frozen=True, slots=True, eq=False)
class SortedClasses:
    """The scores of the positives and of the negatives, each ascending."""

    pos: NDArray[Any]
    neg: NDArray[Any]

    @classmethod
    def from_arrays(cls, positive: NDArray[np.bool_], score: NDArray[Any]) -> SortedClasses:
        """Split by class and sort.

        >>> SortedClasses.from_arrays(np.array([True, False, True]), np.array([3, 2, 1])).pos
        array([1, 3])
        """
        pos, neg = side_by_side(
            lambda: _ascending(positive, score), lambda: _ascending(~positive, score), len(score)
        )
        return cls(pos, neg)

    @classmethod
    def of_ascending(cls, score: NDArray[Any], positive: NDArray[np.bool_]) -> SortedClasses:
        return cls(np.compress(positive, score), np.compress(~positive, score))

    def smaller_placements(self) -> NDArray[np.float64]:
        """For each row of the smaller class, the share of the larger class on its correct side.

        >>> SortedClasses(np.array([1, 2]), np.array([0, 1, 1])).smaller_placements()
        array([0.66666667, 1.        ])
        """
        fewer_pos = len(self.pos) <= len(self.neg)
        small, big = (self.pos, self.neg) if fewer_pos else (self.neg, self.pos)
        below = (big.searchsorted(small) + big.searchsorted(small, side="right")) / (2 * len(big))
        return below if fewer_pos else 1.0 - below


def _ascending(member: NDArray[np.bool_], score: NDArray[Any]) -> NDArray[Any]:
    some = np.compress(member, score)  # twice as fast as boolean indexing here
    some.sort()
    return some


# rows in a block: large against NumPy's call overhead, small enough for the cache
_BLOCK = 8192


@dataclass(frozen=True, slots=True)
class Placements:
    """Exact sums over the placements of both classes, as Python integers of any size.

    A positive's doubled placement is twice the number of negatives below plus the number of tied
    negatives; a negative's is twice the number of positives above plus the number tied.
    ``doubled_wins`` is the sum over either class; squares are summed by class.
    """

    n_pos: int
    n_neg: int
    doubled_wins: int
    pos_squares: int
    neg_squares: int
    tied_pairs: int

    @property
    def ratio(self) -> tuple[int, int]:
        return self.doubled_wins, 2 * self.n_pos * self.n_neg

    @property
    def auc(self) -> float:
        return self.doubled_wins / (2 * self.n_pos * self.n_neg)

    @property
    def moments(self) -> Moments:
        """The AUC and the two parts of DeLong's variance (DeLong et al. 1988), from exact sums."""
        m, n = self.n_pos, self.n_neg
        return Moments(
            auc=self.auc,
            var_pos=_mean_variance(m, self.doubled_wins, self.pos_squares, 2 * n),
            var_neg=_mean_variance(n, self.doubled_wins, self.neg_squares, 2 * m),
            n_pos=float(m),
            n_neg=float(n),
        )

    @classmethod
    def from_sorted(cls, classes: SortedClasses) -> Placements:
        """Search the smaller class in the larger, so that few positives cost little.

        >>> p = Placements.from_sorted(SortedClasses(np.array([1, 2, 3]), np.array([0, 2])))
        >>> p.ratio, p.tied_pairs
        ((9, 12), 1)
        """
        m, n = len(classes.pos), len(classes.neg)
        small, big = (classes.pos, classes.neg) if m <= n else (classes.neg, classes.pos)
        below, squares, other_squares, ties = _look_up(small, big)
        sides = [(below, squares), (2 * m * n - below, other_squares)]
        (wins, pos_squares), (under, neg_squares) = sides if m <= n else sides[::-1]
        return cls(m, n, wins, pos_squares, mirrored_squares(under, neg_squares, m, n), ties)


def mirrored_squares(below: int, squares: int, n_other: int, count: int) -> int:
    """The sum of squares after each doubled placement a becomes 2·n_other − a."""
    return squares - 4 * n_other * below + 4 * n_other * n_other * count


def _mean_variance(count: int, total: int, squares: int, scale: int) -> float:
    """Return s²/count of the values a/scale, from the integers Σa and Σa²; NaN for one value."""
    if count < 2:
        return float("nan")
    return (count * squares - total * total) / (count * count * (count - 1) * scale * scale)


def _look_up(small: NDArray[Any], big: NDArray[Any]) -> tuple[int, int, int, int]:
    if len(small) < _WORTH_A_THREAD:
        return _look_up_rows(small, big, 0, len(small))
    half = len(small) // 2
    sums = side_by_side(
        lambda: _look_up_rows(small, big, 0, half),
        lambda: _look_up_rows(small, big, half, len(small)),
        len(small),
    )
    total, squares, other_squares, tied = (a + b for a, b in zip(*sums, strict=True))
    return total, squares, other_squares, tied


def _look_up_rows(
    small: NDArray[Any], big: NDArray[Any], begin: int, end: int
) -> tuple[int, int, int, int]:
    """The contribution of rows ``begin`` to ``end`` of ``small`` to the sums.

    With L and U the numbers of ``big`` below and not above the i-th of ``small``, a doubled
    placement is L + U. In the other direction, the doubled number of ``small`` below the j-th of
    ``big`` counts the values L and U that are <= j. Its square summed over j is Σ_r (2r − 1)(size −
    e_r) over these values in ascending order e_1 <= e_2 <= ..., with r = 2i+1 for L and 2i+2 for U.
    Within a run of c equal rows the order is L..LU..U, not LULU.., which subtracts c(c − 1)(U − L).
    """
    size = len(big)
    total = squares = other_squares = tied = 0
    lefts = np.append(np.searchsorted(big, small[begin:end:_BLOCK]), size)
    for block, start in enumerate(range(begin, end, _BLOCK)):
        keys = small[start : min(start + _BLOCK, end)]
        # every key of the block is in this stretch of the larger class, or just beyond it
        first = int(lefts[block])
        stretch = big[first : int(lefts[block + 1]) + 1]
        left = stretch.searchsorted(keys)
        in_range = left < len(stretch)
        equal = np.zeros(len(keys), dtype=bool)
        equal[in_range] = stretch[left[in_range]] == keys[in_range]
        if equal.any():
            right = left.copy()
            right[equal] = np.searchsorted(big, keys[equal], side="right") - first
        else:
            right = left
        rows, reach = len(keys), len(stretch) if right is left else size - first
        both = left + right
        both_sum = int(both.sum())
        total += 2 * first * rows + both_sum
        squares += 4 * first * (first * rows + both_sum)
        squares += exact_dot(both, both, 4 * reach * reach * rows)
        other_squares += (
            (size - first) * 4 * ((start + rows) ** 2 - start**2)
            - (4 * start + 1) * both_sum
            - 4 * exact_dot(np.arange(rows), both, 2 * reach * rows * rows)
            - 2 * int(right.sum())
        )
        if right is not left:
            width = (right - left)[equal]
            place = start + np.flatnonzero(equal) - np.searchsorted(small, keys[equal])
            other_squares -= 2 * exact_dot(place, width, len(small) * reach * len(place))
            tied += int(width.sum())
    return total, squares, other_squares, tied


def squares_of(counts: NDArray[Any], most: int) -> int:
    """Return Σa² of integers from 0 to ``most``, exactly.

    >>> squares_of(np.array([3, 4]), 4)
    25
    """
    blocks = (counts[start : start + _BLOCK] for start in range(0, len(counts), _BLOCK))
    return sum(exact_dot(block, block, most * most * len(block)) for block in blocks)


def exact_sums(count: NDArray[Any], value: NDArray[Any]) -> tuple[int, int]:
    first = second = 0
    for start in range(0, len(count), _BLOCK):
        c, v = count[start : start + _BLOCK], value[start : start + _BLOCK]
        base = int(v.min())
        offset = v - base
        reach, rows = int(offset.max()), int(c.sum())
        if reach * reach * rows >= INT64:
            c, offset = c.astype(object), offset.astype(object)
        s0, s1, s2 = rows, int(np.dot(c, offset)), int(np.dot(c, offset * offset))
        first += base * s0 + s1
        second += base * base * s0 + 2 * base * s1 + s2
    return first, second


_DEVICE_CLASSES_BLOCK = 1 << 22  # rows in a block of placements: 200 MB, and no sum overflows
_RUN = 1 << 24  # rows in a sort by torch, which takes 32 additional bytes for each on a GPU
_LOW = 20  # bits of the lower part of a placement, so that squares are summed in parts


@dataclass(frozen=True, slots=True, eq=False)
class DeviceClasses:
    """Both classes sorted on the device, with int64 counts there and Python integers here."""

    pos: Any
    neg: Any

    @classmethod
    def of(cls, positive: NDArray[np.bool_], score: Any) -> DeviceClasses:
        return cls(
            *(_ascending_of_device_classes(taken(score, some)) for some in (positive, ~positive))
        )

    def classes(self, dtype: np.dtype[Any]) -> SortedClasses:
        pos, neg = (in_main_memory(each, "y_score") for each in (self.pos, self.neg))
        return SortedClasses(pos.astype(dtype, copy=False), neg.astype(dtype, copy=False))

    def placements(self) -> Placements:
        """The sums of `Placements.from_sorted`, by a search of each class in the other."""
        m, n = (each.shape[0] for each in (self.pos, self.neg))
        wins, squares, ties = _sums(self.pos, self.neg)
        other = mirrored_squares(*_sums(self.neg, self.pos)[:2], m, n)
        return Placements(m, n, wins, squares, other, ties)


def runs_on_device(score: Any) -> tuple[int, NDArray[np.int64]]:
    """The number of distinct scores, and the index of each row's score among them."""
    library, ascending = library_of(score), _ascending_of_device_classes(score)
    later = ascending[1:]
    distinct = library.concat([ascending[:1], later[later != ascending[:-1]]])
    return distinct.shape[0], in_main_memory(library.searchsorted(distinct, score), "y_score")


def _ascending_of_device_classes(score: Any) -> Any:
    """The sorted scores; torch sorts them in runs, because it also sorts positions.

    One sort of 10⁸ float32 scores would need 32 bytes each on a GPU; merging needs 8.
    """
    if not is_tensor(score):
        return library_of(score).sort(score)
    runs = [run.sort().values for run in score.split(_RUN)]
    while len(runs) > 1:
        runs.append(_merged(runs.pop(0), runs.pop(0)))
    return runs[0]


def _merged(a: Any, b: Any) -> Any:
    """Two ascending tensors as one: a row moves up by the number of rows before it in the other."""
    library, merged = library_of(a), a.new_empty(len(a) + len(b))
    for mine, theirs, side in ((a, b, "left"), (b, a, "right")):
        for start in range(0, len(mine), _DEVICE_CLASSES_BLOCK):
            block = mine[start : start + _DEVICE_CLASSES_BLOCK]
            place = library.searchsorted(theirs, block, side=side)
            place += library.arange(start, start + len(block), device=place.device)
            merged[place] = block
    return merged


def _sums(rows: Any, others: Any) -> tuple[int, int, int]:
    """Return Σa and Σa² of the rows' doubled placements a among the others, and the tied pairs.

    With a = 2²⁰h + l, no sum over a block reaches 2⁶³ for fewer than 2³⁸ rows.
    """
    library, size = library_of(rows), rows.shape[0]

    def total(counts: Any) -> int:
        return int(library.sum(counts, dtype=library.int64))

    first = second = tied = 0
    for start in range(0, size, _DEVICE_CLASSES_BLOCK):
        block = rows[start : min(start + _DEVICE_CLASSES_BLOCK, size)]
        left = library.searchsorted(others, block)
        right = library.searchsorted(others, block, side="right")
        tied += total(right - left)
        a = left + right
        high, low = a >> _LOW, a & ((1 << _LOW) - 1)
        first += total(a)
        second += (
            (total(high * high) << 2 * _LOW) + (total(high * low) << _LOW + 1) + total(low * low)
        )
    return first, second, tied
