"""The scores of each class in ascending order, on the device that the caller's scores lie on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs.tensors import in_main_memory, is_tensor, library_of, taken
from rocsolid.summaries.placements import Placements, mirrored_squares
from rocsolid.summaries.sorted_classes import SortedClasses

_BLOCK = 1 << 22  # rows whose placements are held at once: 200 MB of them, and no sum overflows
_RUN = 1 << 24  # rows that torch sorts at once: on a GPU it takes 32 bytes for each beside it
_LOW = 20  # bits of the lower part of a placement, so that squares are summed in parts


@dataclass(frozen=True, slots=True, eq=False)
class DeviceClasses:
    """Both classes sorted where they are. Counts are int64 there, and Python integers here."""

    pos: Any
    neg: Any

    @classmethod
    def of(cls, positive: NDArray[np.bool_], score: Any) -> DeviceClasses:
        return cls(*(_ascending(taken(score, some)) for some in (positive, ~positive)))

    def classes(self, dtype: np.dtype[Any]) -> SortedClasses:
        """The same in main memory, in the type of the scores there."""
        pos, neg = (in_main_memory(each, "y_score") for each in (self.pos, self.neg))
        return SortedClasses(pos.astype(dtype, copy=False), neg.astype(dtype, copy=False))

    def placements(self) -> Placements:
        """The sums that `Placements.from_sorted` makes, by looking up either class in the other."""
        m, n = (each.shape[0] for each in (self.pos, self.neg))
        wins, squares, ties = _sums(self.pos, self.neg)
        other = mirrored_squares(*_sums(self.neg, self.pos)[:2], m, n)
        return Placements(m, n, wins, squares, other, ties)


def runs_on_device(score: Any) -> tuple[int, NDArray[np.int64]]:
    """How many distinct scores there are, and the number of each row's among them, ascending."""
    library, ascending = library_of(score), _ascending(score)
    later = ascending[1:]
    distinct = library.concat([ascending[:1], later[later != ascending[:-1]]])
    return distinct.shape[0], in_main_memory(library.searchsorted(distinct, score), "y_score")


def _ascending(score: Any) -> Any:
    """The scores in order. As torch sorts the rows' positions too, they are sorted in runs.

    Whole, 10⁸ float32 scores would take 32 bytes each on a GPU: two columns of places of 8 bytes
    and one of scores, and as much again of one each to sort in. Merged, they take 8.
    """
    if not is_tensor(score):
        return library_of(score).sort(score)
    runs = [run.sort().values for run in score.split(_RUN)]
    while len(runs) > 1:
        runs.append(_merged(runs.pop(0), runs.pop(0)))
    return runs[0]


def _merged(one: Any, other: Any) -> Any:
    """Two ascending tensors as one: a row moves up by the number of the other's rows before it."""
    library, merged = library_of(one), one.new_empty(len(one) + len(other))
    for mine, theirs, side in ((one, other, "left"), (other, one, "right")):
        for start in range(0, len(mine), _BLOCK):
            block = mine[start : start + _BLOCK]
            place = library.searchsorted(theirs, block, side=side)
            place += library.arange(start, start + len(block), device=place.device)
            merged[place] = block
    return merged


def _sums(rows: Any, others: Any) -> tuple[int, int, int]:
    """Σa and Σa² of the rows' doubled placements a among the others, and the pairs that are tied.

    With a = 2²⁰h + l, no sum over a block reaches 2⁶³ below 2³⁸ rows.
    """
    library, size = library_of(rows), rows.shape[0]

    def total(counts: Any) -> int:
        return int(library.sum(counts, dtype=library.int64))

    first = second = tied = 0
    for start in range(0, size, _BLOCK):
        block = rows[start : min(start + _BLOCK, size)]
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
