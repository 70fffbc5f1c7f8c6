"""Sorted scores, runs of equal scores, and tables of counts by score, of all or of a few scores."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import reverse
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.ranked_classes import RankedClasses

_MANY = 1 << 15  # the fewest rows for which sorting integers is faster, with the conversion
_BLOCK = 1 << 15  # rows in a block, which fit in the cache


def run_begins(ascending: NDArray[Any]) -> NDArray[np.bool_]:
    """A mask of rows that begin a new value; 0.0 and -0.0 are one value.

    >>> run_begins(np.array([1, 1, 2]))
    array([ True, False,  True])
    """
    new = np.empty(len(ascending), dtype=bool)
    new[:1] = True
    np.not_equal(ascending[1:], ascending[:-1], out=new[1:])
    return new


def all_differ(ascending: NDArray[Any]) -> bool:
    """Whether no value repeats; the comparison stops at the first block with a repeated value.

    >>> all_differ(np.array([1, 2])), all_differ(np.array([1, 1]))
    (True, False)
    """
    return all(
        run_begins(ascending[start : start + _BLOCK + 1]).all()
        for start in range(0, len(ascending), _BLOCK)
    )


def distinct_scores(score: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The ascending distinct scores, and the index of each row's score among them.

    >>> distinct_scores(np.array([3, 1, 3]))
    (array([1, 3]), array([1, 0, 1]))
    """
    order, ascending = in_order(score)
    new = run_begins(ascending)
    run = np.empty(len(score), dtype=np.intp)
    run[order] = np.cumsum(new) - 1
    return ascending[new], run


def in_order(score: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """The sorting permutation and the sorted scores; ties are in any order."""
    if len(score) >= _MANY and score.dtype == np.float64:
        return _by_prefix(score)
    halves = len(score) >= _MANY and score.dtype == np.float32
    order = _order_by_halves(score) if halves else score.argsort()
    return order, score.take(order)


def integer_order(values: NDArray[np.int64]) -> NDArray[np.intp]:
    """The sorting permutation of integers from 0, with ties in the order of rows.

    Values joined with row numbers sort faster, if 63 bits hold both.

    >>> integer_order(np.array([2, 0, 2])), integer_order(np.array([2**62, 0, 2**61]))
    (array([1, 0, 2]), array([1, 2, 0]))
    """
    bits = len(values).bit_length()
    if int(values.max(initial=0)) >> (63 - bits):
        return np.argsort(values, kind="stable")
    key = (values << bits) | np.arange(len(values))
    key.sort()
    key &= (1 << bits) - 1
    return key


def _by_prefix(score: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """`in_order` for many floats: an in-place sort of leading bits joined with row numbers.

    The sort takes half as long as `argsort`; floats with equal leading bits are sorted again.
    """
    low = (1 << len(score).bit_length()) - 1
    key = np.empty(len(score), dtype=np.int64)
    for start in range(0, len(score), _BLOCK):
        some = key[start : start + _BLOCK]
        np.bitwise_or(
            _leading(score[start : start + _BLOCK], low),
            np.arange(start, start + len(some)),
            out=some,
        )
    key.sort()
    ascending = np.empty_like(score)
    ascends = True
    for start in range(0, len(score), _BLOCK):
        numbers, values = key[start : start + _BLOCK], ascending[start : start + _BLOCK]
        numbers &= low
        score.take(numbers, out=values, mode="clip")  # other modes copy ``out``
        from_previous = ascending[max(start - 1, 0) : start + _BLOCK]
        ascends = ascends and not (from_previous[1:] < from_previous[:-1]).any()
    if not ascends:
        shared = _sharing(ascending, low)
        rows, values = key[shared], ascending[shared]
        sorting = np.argsort(values)
        key[shared], ascending[shared] = rows[sorting], values[sorting]
    return key, ascending


def _sharing(score: NDArray[np.float64], low: int) -> NDArray[np.intp]:
    """The places of scores that share their leading bits with a neighbour."""
    places = []
    for start in range(0, len(score), _BLOCK):
        first = max(start - 1, 0)
        leading = _leading(score[first : start + _BLOCK + 1], low)
        same = np.zeros(len(leading) + 1, dtype=bool)
        np.equal(leading[1:], leading[:-1], out=same[1:-1])
        shares = (same[1:] | same[:-1])[start - first :][:_BLOCK]
        places.append(start + np.flatnonzero(shares))
    return np.concatenate(places)


def _leading(score: NDArray[np.float64], low: int) -> NDArray[np.int64]:
    """Integers that ascend with the scores, without their ``low`` bits."""
    key = (score + 0.0).view(np.int64)  # -0.0 becomes 0.0
    signs = key >> 63  # negative floats decrease as their bits increase
    signs &= np.int64(2**63 - 1)
    key ^= signs
    key &= ~np.int64(low)
    return key


def _order_by_halves(score: NDArray[np.float32]) -> NDArray[np.intp]:
    """Sort 32-bit floats by lower halves, then by upper halves, whose digits NumPy sorts fast."""
    key = (score + np.float32(0.0)).view(np.int32)  # -0.0 becomes 0.0
    key ^= (key >> 31) & np.int32(2**31 - 1)  # negative floats decrease as their bits increase
    lower, upper = key.astype(np.uint16), (key >> 16).astype(np.int16)
    order = np.argsort(lower, kind="stable")
    return order[np.argsort(upper[order], kind="stable")]


@dataclass(frozen=True, eq=False)
class ScoreCounts:
    """Distinct scores in ascending order, with counts of positives and negatives.

    Counts are int64, or float64 sums of weights. ``+`` merges the tables of two parts of the data.

    >>> a = ScoreCounts.from_arrays(np.array([True, False, True]), np.array([2.0, 2.0, 3.0]))
    >>> b = ScoreCounts.from_arrays(np.array([False]), np.array([1.0]))
    >>> whole = a + b
    >>> whole.score.tolist(), whole.pos.tolist(), whole.neg.tolist()
    ([1.0, 2.0, 3.0], [0, 1, 1], [1, 1, 0])
    """

    score: NDArray[Any]
    pos: NDArray[Any]
    neg: NDArray[Any]

    def __post_init__(self) -> None:
        if not (self.score.ndim == 1 and self.score.shape == self.pos.shape == self.neg.shape):
            raise InputError(
                "the columns of a table of scores differ in length",
                value=(self.score.shape, self.pos.shape, self.neg.shape),
                fix="give one count of positives and one of negatives for each distinct score",
            )
        if not bool(np.all(self.score[1:] > self.score[:-1])):
            row = int(np.flatnonzero(~(self.score[1:] > self.score[:-1]))[0]) + 1
            raise InputError(
                "the scores of a table must be distinct and in ascending order",
                where=f"row {row}",
                value=self.score[row],
                fix="use ScoreCounts.from_arrays, or sort the scores and merge equal ones",
            )

    @classmethod
    def from_arrays(
        cls,
        positive: NDArray[np.bool_],
        score: NDArray[Any],
        weight: NDArray[np.float64] | None = None,
    ) -> ScoreCounts:
        """Count rows, or sum their weights, for each distinct score and class."""
        if weight is None:
            return cls.from_sorted(SortedClasses.from_arrays(positive, score))
        distinct, run = distinct_scores(score)
        pos, neg = (
            np.bincount(run, of_class, len(distinct)).astype(np.float64)  # integers without rows
            for of_class in (np.where(positive, weight, 0.0), np.where(positive, 0.0, weight))
        )
        return cls(one_zero(distinct), pos, neg)

    @classmethod
    def from_sorted(cls, classes: SortedClasses) -> ScoreCounts:
        """Count the sorted scores of each class."""
        pos_score, pos = _distinct_counts(classes.pos)
        neg_score, neg = _distinct_counts(classes.neg)
        return _merged(pos_score, pos, np.zeros_like(pos), neg_score, np.zeros_like(neg), neg)

    def __add__(self, other: ScoreCounts) -> ScoreCounts:
        if not isinstance(other, ScoreCounts):
            return NotImplemented
        if self.pos.dtype.kind != other.pos.dtype.kind:
            raise InputError(
                "a table of counts and a table of weights cannot be added",
                fix="give sample weights for both parts or for neither",
            )
        return _merged(self.score, self.pos, self.neg, other.score, other.pos, other.neg)

    def __len__(self) -> int:
        return len(self.score)

    @property
    def classes(self) -> SortedClasses:
        """The score of every row by class, in ascending order."""
        return SortedClasses(np.repeat(self.score, self.pos), np.repeat(self.score, self.neg))

    @cached_property
    def corners(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The counts of each class flagged at each corner of the curve, the strictest first."""
        flagged = np.zeros((2, len(self) + 1), dtype=self.pos.dtype)
        for out, of_class in zip(flagged, (self.pos, self.neg), strict=True):
            np.cumsum(of_class[::-1], out=out[1:])
        return flagged[0], flagged[1]

    @cached_property
    def n_pos(self) -> int | float:
        """The number of positives, or their weight."""
        return total(self.pos)

    @cached_property
    def n_neg(self) -> int | float:
        """The number of negatives, or their weight."""
        return total(self.neg)


def total(counts: NDArray[Any]) -> int | float:
    """The sum of a column: a Python integer of any size for counts, a float for weights.

    >>> total(np.array([2**62, 2**62, 2**62]))
    13835058055282163712
    """
    if counts.dtype.kind == "f":
        return float(counts.sum())
    if len(counts) * int(counts.max(initial=0)) < 1 << 63:
        return int(counts.sum())
    return int(counts.sum(dtype=object))


def _distinct_counts(ascending: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    new = run_begins(ascending)
    if new.all():
        return ascending, np.ones(len(ascending), dtype=np.int64)
    starts = np.flatnonzero(new)
    return ascending[starts], np.diff(starts, append=len(ascending)).astype(np.int64, copy=False)


def one_zero(score: NDArray[Any]) -> NDArray[Any]:
    """Replace -0.0 by 0.0 in place, in ascending scores without other references."""
    at = int(score.searchsorted(0.0)) if score.dtype.kind == "f" else len(score)
    if at < len(score) and score[at] == 0.0:
        score[at] = 0.0
    return score


def _merged(
    score_a: NDArray[Any],
    pos_a: NDArray[Any],
    neg_a: NDArray[Any],
    score_b: NDArray[Any],
    pos_b: NDArray[Any],
    neg_b: NDArray[Any],
) -> ScoreCounts:
    if score_a.dtype != score_b.dtype:
        raise InputError(
            "two tables hold scores of different types",
            value=(str(score_a.dtype), str(score_b.dtype)),
            fix="convert the scores of both parts to one type first",
        )
    # both ascend: each entry comes after the entries of both that are below
    at_a = score_b.searchsorted(score_a) + np.arange(len(score_a))
    of_b = np.ones(len(score_a) + len(score_b), dtype=bool)
    of_b[at_a] = False
    at_b = np.flatnonzero(of_b)
    both, pos, neg = (
        _placed(a, at_a, b, at_b) for a, b in ((score_a, score_b), (pos_a, pos_b), (neg_a, neg_b))
    )
    new = run_begins(both)
    if not new.all():
        starts = np.flatnonzero(new)
        both = both[starts]
        pos, neg = np.add.reduceat(pos, starts), np.add.reduceat(neg, starts)
    return ScoreCounts(one_zero(both), pos, neg)


def _placed(
    a: NDArray[Any], at_a: NDArray[np.intp], b: NDArray[Any], at_b: NDArray[np.intp]
) -> NDArray[Any]:
    whole = np.empty(len(a) + len(b), dtype=a.dtype)
    whole[at_a] = a
    whole[at_b] = b
    return whole


@overload
def mirrored(data: SortedClasses) -> SortedClasses: ...
@overload
def mirrored(data: RankedClasses) -> RankedClasses: ...
@overload
def mirrored(data: ScoreCounts) -> ScoreCounts: ...
def mirrored(
    data: SortedClasses | RankedClasses | ScoreCounts,
) -> SortedClasses | RankedClasses | ScoreCounts:
    """Exchange the classes and reverse the order of scores, which keeps the area.

    The curve is reflected at the falling diagonal: the false-positive rate v becomes the
    true-positive rate 1−v.

    >>> import numpy as np
    >>> m = mirrored(SortedClasses(np.array([1.0, 3.0]), np.array([0.0, 2.0])))
    >>> m.pos, m.neg
    (array([-2., -0.]), array([-3., -1.]))
    """
    if isinstance(data, SortedClasses):
        return SortedClasses(reverse(data.neg)[::-1], reverse(data.pos)[::-1])
    if isinstance(data, RankedClasses):
        return RankedClasses(data.neg.reversed(), data.pos.reversed())
    return ScoreCounts(reverse(data.score)[::-1], data.neg[::-1], data.pos[::-1])


DRAWN = 2_000
"""The approximate number of entries in a table for plots."""

_ROUNDING = 1e-9  # tolerance of a rate, since sums of weights are rounded


def thinned(
    tables: Iterable[ScoreCounts], n_pos: float, n_neg: float, entries: int | None = None
) -> ScoreCounts:
    """Merge neighbouring scores under the lowest of them, into some ``entries`` (or `DRAWN`).

    Every kept score is a threshold with its exact rates. A new entry begins when the rows since the
    last entry exceed that share of ``n_pos`` or of ``n_neg``, the totals.

    >>> many = ScoreCounts(np.arange(1000), np.ones(1000, int), np.ones(1000, int))
    >>> few = thinned([many], 1000, 1000, entries=10)
    >>> len(few), few.n_pos, few.score[:3].tolist()
    (10, 1000, [0, 100, 200])
    """
    step = 2.0 / (entries or DRAWN)
    scores: list[Any] = []
    pos: list[Any] = []
    neg: list[Any] = []
    passed = 0.0  # the sum of both shares below the next table
    last = -1
    for table in tables:
        if len(table) == 0:
            continue
        up_to = np.cumsum(table.pos) / n_pos
        up_to += np.cumsum(table.neg) / n_neg
        up_to += passed
        before = passed if len(table) == 1 else float(up_to[-2])
        newest = int(before / step + _ROUNDING)
        # the first entries at which the sum reaches each bin that begins in this table
        reached = (np.arange(last + 1, newest + 1) - _ROUNDING) * step
        starts = np.unique(np.where(reached <= passed, 0, np.searchsorted(up_to, reached) + 1))
        passed, last = float(up_to[-1]), max(newest, last)
        bounds = starts if len(starts) and starts[0] == 0 else np.concatenate([[0], starts])
        sums = [np.add.reduceat(column, bounds) for column in (table.pos, table.neg)]
        if len(bounds) > len(starts):  # the first rows belong to the previous entry
            pos[-1], neg[-1] = pos[-1] + sums[0][0], neg[-1] + sums[1][0]
            sums = [column[1:] for column in sums]
        scores += list(table.score[starts])
        pos += list(sums[0])
        neg += list(sums[1])
    return ScoreCounts(np.array(scores), np.array(pos), np.array(neg))
