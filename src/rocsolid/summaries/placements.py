"""Where each class's rows are placed among the other's: all that the AUC and its variance need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.moments import Moments
from rocsolid.summaries.side_by_side import side_by_side
from rocsolid.summaries.sorted_classes import SortedClasses

# rows handled at once: large enough to forget NumPy's call overhead, small enough to stay in cache
_BLOCK = 8192
_INT64 = 1 << 63


@dataclass(frozen=True, slots=True)
class Placements:
    """Exact sums over the placements of both classes, as Python integers of any size.

    A positive's doubled placement is twice the number of negatives below it plus the number tied
    with it; a negative's is twice the number of positives above it plus the number tied.
    ``doubled_wins`` is the sum of either; the squares are summed a class at a time.
    """

    n_pos: int
    n_neg: int
    doubled_wins: int
    pos_squares: int
    neg_squares: int
    tied_pairs: int

    @property
    def ratio(self) -> tuple[int, int]:
        """The AUC as numerator and denominator."""
        return self.doubled_wins, 2 * self.n_pos * self.n_neg

    @property
    def auc(self) -> float:
        return self.doubled_wins / (2 * self.n_pos * self.n_neg)

    @property
    def moments(self) -> Moments:
        """The AUC and DeLong's variance in its two parts (DeLong et al. 1988), from exact sums."""
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
        """From the sorted scores of each class.

        The smaller class is looked up in the larger one, so that few positives cost little.

        >>> p = Placements.from_sorted(SortedClasses(np.array([1, 2, 3]), np.array([0, 2])))
        >>> p.ratio, p.tied_pairs
        ((9, 12), 1)
        """
        m, n = len(classes.pos), len(classes.neg)
        if m <= n:
            below, squares, other_squares, ties = _look_up(classes.pos, classes.neg)
            wins, pos_squares, neg_below, neg_below_squares = (
                below, squares, 2 * m * n - below, other_squares,
            )  # fmt: skip
        else:
            below, squares, other_squares, ties = _look_up(classes.neg, classes.pos)
            wins, pos_squares, neg_below, neg_below_squares = (
                2 * m * n - below, other_squares, below, squares,
            )  # fmt: skip
        return cls(
            m, n, wins, pos_squares, mirrored_squares(neg_below, neg_below_squares, m, n), ties
        )


def mirrored_squares(below: int, squares: int, n_other: int, count: int) -> int:
    """The sum of squares after each doubled placement a is turned into 2·n_other − a."""
    return squares - 4 * n_other * below + 4 * n_other * n_other * count


def _mean_variance(count: int, total: int, squares: int, scale: int) -> float:
    """s²/count of the values a/scale, from the integers Σa and Σa²; NaN for one value."""
    if count < 2:
        return float("nan")
    return (count * squares - total * total) / (count * count * (count - 1) * scale * scale)


def _look_up(small: NDArray[Any], big: NDArray[Any]) -> tuple[int, int, int, int]:
    """Doubled placements of ``small`` in ``big``: their sum and squares, those of ``big``, ties."""
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
    """The part of the sums that rows ``begin`` to ``end`` of ``small`` contribute.

    With L and U the numbers of ``big`` below and not above the i-th of ``small``, a doubled
    placement is L + U. In the other direction, the doubled number of ``small`` below the j-th of
    ``big`` counts the values L and U that are <= j, so its square summed over j is
    Σ_r (2r − 1)(size − e_r) over all of them in ascending order e_1 <= e_2 <= ...: r = 2i+1 for L
    and 2i+2 for U. Within a run of c equal rows the order is L..LU..U, not LULU..: that takes
    c(c − 1)(U − L) off.
    """
    size = len(big)
    total = squares = other_squares = tied = 0
    lefts = np.append(np.searchsorted(big, small[begin:end:_BLOCK]), size)
    for block, start in enumerate(range(begin, end, _BLOCK)):
        keys = small[start : min(start + _BLOCK, end)]
        # every key of the block lies in this stretch of the larger class, or just past it
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
        squares += 4 * first * (first * rows + both_sum) + _dot(both, both, 2 * reach, 2 * reach)
        other_squares += (
            (size - first) * 4 * ((start + rows) ** 2 - start**2)
            - (4 * start + 1) * both_sum
            - 4 * _dot(np.arange(rows), both, rows, 2 * reach)
            - 2 * int(right.sum())
        )
        if right is not left:
            width = (right - left)[equal]
            place = start + np.flatnonzero(equal) - np.searchsorted(small, keys[equal])
            other_squares -= 2 * _dot(place, width, len(small), reach)
            tied += int(width.sum())
    return total, squares, other_squares, tied


def _dot(a: NDArray[Any], b: NDArray[Any], a_max: int, b_max: int) -> int:
    """Σ ab exactly, in int64 where the bounds of the factors allow it."""
    if a_max * b_max * len(a) >= _INT64:
        a = a.astype(object)
    return int(np.dot(a, b))


def exact_sums(count: NDArray[Any], value: NDArray[Any]) -> tuple[int, int]:
    """Σ count·value and Σ count·value² for an ascending or unordered column, as exact integers."""
    first = second = 0
    for start in range(0, len(count), _BLOCK):
        c, v = count[start : start + _BLOCK], value[start : start + _BLOCK]
        base = int(v.min())
        offset = v - base
        reach, rows = int(offset.max()), int(c.sum())
        if reach * reach * rows >= _INT64:
            c, offset = c.astype(object), offset.astype(object)
        s0, s1, s2 = rows, int(np.dot(c, offset)), int(np.dot(c, offset * offset))
        first += base * s0 + s1
        second += base * base * s0 + 2 * base * s1 + s2
    return first, second
