"""Scores as ordered 64-bit integers, and cells of such keys."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.rows import EXACT_IN_FLOAT64
from rocsolid.summaries.moments import exact_dot
from rocsolid.summaries.score_counts import run_begins, total

ScoreType = Literal["float64", "int64", "uint64"]
SCORE_TYPES: tuple[ScoreType, ...] = get_args(ScoreType)

Keys = NDArray[np.uint64]

_SIGN = np.uint64(1 << 63)
_TOP = np.int64(63)


def exact_scores(score: NDArray[Any], kind: ScoreType = "float64") -> NDArray[Any]:
    """Convert scores to ``kind``; a score that would be rounded is an error.

    >>> exact_scores(np.array([2**53 + 1]))
    Traceback (most recent call last):
    rocsolid.errors.InputError: an integer score beyond 2**53 is not exact as a float64:
    9007199254740993 (y_score). Fix: ...
    """
    return _as_float64(score) if kind == "float64" else _as_integer(score, kind)


def score_keys(score: NDArray[Any]) -> Keys:
    """An integer key for each of `exact_scores`: equal for equal scores, and increasing.

    The bits of a positive float64 increase with the number, the bits of a negative float64
    decrease. Flipping the sign bit of the former and all bits of the latter yields the order of the
    numbers. -0.0 becomes 0.0.

    >>> keys = score_keys(np.array([-np.inf, -1.0, -0.0, 0.0, 1e-310, np.inf]))
    >>> (keys[1:] > keys[:-1]).tolist()
    [True, True, False, True, True]
    """
    if score.dtype.kind == "f":
        bits: Keys = (score + 0.0).view(np.uint64)
        if_negative = (bits.view(np.int64) >> _TOP).view(np.uint64)  # all bits, or none
        bits ^= if_negative | _SIGN
        return bits
    return score.view(np.uint64) ^ _SIGN if score.dtype.kind == "i" else score.view(np.uint64)


def _as_float64(score: NDArray[Any]) -> NDArray[np.float64]:
    if score.dtype.kind == "f":
        values = score.astype(np.float64, copy=False)
        if score.dtype.itemsize > 8:
            changed = values != score
            if changed.any():
                raise InputError(
                    "a score of more than 64 bits is not exact as a float64",
                    where="y_score",
                    value=score[np.argmax(changed)],
                    fix="convert the scores to float64 first, which may tie some of them",
                )
        return values
    if score.dtype.itemsize == 8 and len(score):
        wide = score > EXACT_IN_FLOAT64
        if score.dtype.kind == "i":
            wide |= score < -EXACT_IN_FLOAT64
        if wide.any():
            raise InputError(
                "an integer score beyond 2**53 is not exact as a float64",
                where="y_score",
                value=score[np.argmax(wide)],
                fix='begin the sketch with scores="int64" or scores="uint64"',
            )
    return score.astype(np.float64)


def _as_integer(score: NDArray[Any], kind: ScoreType) -> NDArray[Any]:
    if score.dtype.kind not in "iu":
        raise InputError(
            f"a sketch of {kind} scores takes integers, not {score.dtype}",
            where="y_score",
            fix='begin the sketch with scores="float64", or convert the scores',
        )
    limits = np.iinfo(kind)
    if len(score) and (int(score.min()) < limits.min or int(score.max()) > limits.max):
        beyond = score.min() if int(score.min()) < limits.min else score.max()
        raise InputError(
            f"a score is outside the range of {kind}",
            where="y_score",
            value=beyond,
            fix='begin the sketch with scores="int64" for negative scores, '
            'scores="uint64" for large ones',
        )
    return score.astype(kind, copy=False)


LEVELS = 64
_OFFSETS = np.array([(1 << level) - 1 for level in range(LEVELS + 1)], dtype=np.uint64)

_Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class KnownPairs:
    """The known part of all pairs of a positive and a negative.

    ``doubled_wins`` counts correctly ordered pairs twice and tied pairs once; ``unknown`` pairs may
    be in any order.
    """

    n_pos: int
    n_neg: int
    doubled_wins: int
    unknown: int


@dataclass(frozen=True, slots=True, eq=False)
class KeyCells:
    """The numbers of positives and negatives in cells of keys; each row is in one cell.

    A cell of level l contains the 2^l keys that agree in all but their last l bits, from ``low``.
    Two cells are nested or disjoint, so the sum of two tables is such a table. A cell of level 0 is
    one score. The table ascends by ``low``, with an outer cell before its inner cells.

    >>> cells = KeyCells.of(np.array([2, 3], dtype=np.uint64), np.array([2], dtype=np.uint64))
    >>> cells.low.tolist(), cells.pos.tolist(), cells.neg.tolist()
    ([2, 3], [1, 1], [1, 0])
    >>> cells.pairs()
    KnownPairs(n_pos=2, n_neg=1, doubled_wins=3, unknown=0)
    """

    low: Keys
    level: NDArray[np.uint8]
    pos: _Counts
    neg: _Counts

    @classmethod
    def empty(cls) -> KeyCells:
        none = np.zeros(0, dtype=np.int64)
        return cls(none.astype(np.uint64), none.astype(np.uint8), none, none)

    @classmethod
    def of(cls, pos: Keys, neg: Keys) -> KeyCells:
        """One cell of level 0 for each distinct key; the keys of each class ascend."""
        return _of_class(pos, True) + _of_class(neg, False)

    def __len__(self) -> int:
        return len(self.low)

    def __add__(self, other: KeyCells) -> KeyCells:
        return combined(
            np.concatenate([self.low, other.low]),
            np.concatenate([self.level, other.level]),
            np.concatenate([self.pos, other.pos]),
            np.concatenate([self.neg, other.neg]),
        )

    @property
    def last(self) -> Keys:
        return self.low | _OFFSETS[self.level]

    @property
    def n_pos(self) -> int:
        return int(total(self.pos))

    @property
    def n_neg(self) -> int:
        return int(total(self.neg))

    def below(self, counts: _Counts) -> tuple[_Counts, _Counts]:
        """Return, for each cell, the doubled number of ``counts`` below a row, and the unknown
        number.

        ``counts`` is one of the two columns. Rows of cells that end before this cell are below, and
        rows of the same single score count once. Rows of nested cells are unknown.
        """
        last = self.last
        by_end = np.argsort(last, kind="stable")
        ended = _from_zero(counts[by_end])[np.searchsorted(last[by_end], self.low)]
        begun = _from_zero(counts)[np.searchsorted(self.low, last, side="right")]
        tied = np.where(self.level == 0, counts, 0)
        return 2 * ended + tied, begun - ended - tied

    def pairs(self) -> KnownPairs:
        """The exact numbers of pairs in order, tied, or unknown.

        Only pairs in nested cells are unknown: Σ P_b·N_b over cells b if none contains another,
        less the ties in cells of a single score.
        """
        m, n = self.n_pos, self.n_neg
        doubled, unknown = self.below(self.neg)
        bound = 2 * m * n
        return KnownPairs(
            m, n, exact_dot(self.pos, doubled, bound), exact_dot(self.pos, unknown, bound)
        )


def combined(low: Keys, level: NDArray[np.uint8], pos: _Counts, neg: _Counts) -> KeyCells:
    """The table of cells in any order, with the counts of equal cells summed."""
    order = np.argsort(low, kind="stable")  # fast, since the cells are one or two sorted runs
    same = ~run_begins(low[order])
    if (level[order[1:]] > level[order[:-1]])[same[1:]].any():
        tied = order[some := np.flatnonzero(same | np.append(same[1:], False))]
        order[some] = tied[np.lexsort((LEVELS - level[tied], low[tied]))]
    low, level = low[order], level[order]
    pos, neg = pos[order], neg[order]
    starts = np.flatnonzero(run_begins(low) | run_begins(level))
    if len(starts) < len(low):
        low, level = low[starts], level[starts]
        pos, neg = np.add.reduceat(pos, starts), np.add.reduceat(neg, starts)
    return KeyCells(low, level, pos, neg)


def cell_low(key: Keys, level: NDArray[np.uint8]) -> Keys:
    """The smallest key of the cell of this level that contains the key.

    >>> cell_low(np.array([13], dtype=np.uint64), np.array([2], dtype=np.uint8))
    array([12], dtype=uint64)
    """
    low: Keys = key & ~_OFFSETS[level]
    return low


def _of_class(key: Keys, positive: bool) -> KeyCells:
    starts = np.flatnonzero(run_begins(key))
    count = np.diff(starts, append=len(key)).astype(np.int64, copy=False)
    none, level = np.zeros_like(count), np.zeros(len(starts), dtype=np.uint8)
    pos, neg = (count, none) if positive else (none, count)
    return KeyCells(key[starts], level, pos, neg)


def _from_zero(counts: _Counts) -> NDArray[Any]:
    sums = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


_OUTSIDE = 255  # a level above all levels, at both ends of the table
_NEAR = 16  # neighbours that each wall compares with before it uses the results of others


def collapsed(cells: KeyCells, capacity: int) -> KeyCells:
    """Merge cells until at most ``capacity`` remain.

    A wall separates two neighbouring cells; its level is that of the smallest cell around both.
    Removing the wall costs what that cell costs (`cell_costs`), which is at least the cost of a
    cell inside. Therefore the innermost walls are the cheapest, and are removed.

    >>> pos, neg = np.array([0, 2], dtype=np.uint64), np.array([1, 300], dtype=np.uint64)
    >>> small = collapsed(KeyCells.of(pos, neg), 3)
    >>> small.low.tolist(), small.level.tolist()
    ([0, 2, 300], [1, 0, 0])
    """
    gone_count = len(cells) - capacity
    if gone_count <= 0:
        return cells
    level = _wall_levels(cells)
    gone = _cheapest(_costs(cells, level), level, gone_count)
    starts = np.flatnonzero(np.concatenate([[True], ~gone]))
    inside = np.concatenate([[np.uint8(0)], np.where(gone, level, np.uint8(0))])
    merged = np.maximum.reduceat(np.maximum(inside, cells.level), starts)
    return combined(
        cell_low(cells.low[starts], merged),
        merged,
        np.add.reduceat(cells.pos, starts),
        np.add.reduceat(cells.neg, starts),
    )


def _wall_levels(cells: KeyCells) -> NDArray[np.uint8]:
    """The level of the smallest cell around every two neighbours."""
    apart = _bit_lengths(cells.low[1:] ^ cells.low[:-1])
    return np.maximum(apart, np.maximum(cells.level[1:], cells.level[:-1]))


def _bit_lengths(number: Keys) -> NDArray[np.uint8]:
    """The bit length of each number.

    >>> _bit_lengths(np.array([0, 1, 8, 2**64 - 1], dtype=np.uint64)).tolist()
    [0, 1, 4, 64]
    """
    filled = number.copy()
    for shift in (1, 2, 4, 8, 16, 32):
        filled |= filled >> np.uint64(shift)
    return np.bitwise_count(filled)


def _costs(cells: KeyCells, level: NDArray[np.uint8]) -> NDArray[np.float64]:
    pos, neg = (
        np.concatenate([[0.0], np.cumsum(counts, dtype=np.float64)])
        for counts in (cells.pos, cells.neg)
    )
    first, end = _reach(level, -1), _reach(level, 1)
    return cell_costs(pos[end] - pos[first], neg[end] - neg[first], pos[-1], neg[-1])


def cell_costs(
    pos: NDArray[Any], neg: NDArray[Any], n_pos: float, n_neg: float
) -> NDArray[np.float64]:
    """The costs of cells that contain ``pos`` of ``n_pos`` and ``neg`` of ``n_neg`` rows.

    The cost is the share of all pairs that a cell makes unknown, P_c·N_c/(PN), plus the square of
    its share of all rows, which keeps cells small where only one class has occurred.
    """
    cost: NDArray[np.float64] = np.square((pos + neg) / (n_pos + n_neg))
    if n_pos and n_neg:
        cost += (pos / n_pos) * (neg / n_neg)
    return cost


def absorbed(cells: KeyCells, pos: Keys, neg: Keys, most_cost: float) -> KeyCells:
    """Add rows, as each class's ascending keys, to a table.

    The rows from the start of a cell up to the next cell join the cell if all are inside and its
    cost stays at most ``most_cost``, or if the cell is a single score. Other rows get cells of
    their own, which only affects the width of a bracket.

    >>> low, level = np.array([0, 8], dtype=np.uint64), np.array([2, 1], dtype=np.uint8)
    >>> cells = KeyCells(low, level, np.array([1, 1]), np.array([1, 1]))
    >>> keys = np.array([3, 9, 11], dtype=np.uint64)  # 11 is outside, so 9 does not join either
    >>> found = absorbed(cells, keys, keys[:0], 1.0)
    >>> found.low.tolist(), found.level.tolist(), found.pos.tolist()
    ([0, 8, 9, 11], [2, 1, 0, 0], [2, 1, 1, 1])
    """
    last, counts = cells.last, []
    joins = np.ones(len(cells), dtype=np.bool_)
    for key in (pos, neg):
        begins = np.append(key.searchsorted(cells.low), len(key))
        # the last key before the next cell, which is below this cell if there is no row between
        joins &= np.append(np.uint64(0), key)[begins[1:]] <= last
        counts.append(np.diff(begins, prepend=0))  # below all cells, then after each start
    more_pos, more_neg = (cells.pos + counts[0][1:], cells.neg + counts[1][1:])
    costs = cell_costs(more_pos, more_neg, cells.n_pos + len(pos), cells.n_neg + len(neg))
    joins &= (cells.level == 0) | (costs <= most_cost)
    left = np.append(True, ~joins)
    own = KeyCells.of(pos[np.repeat(left, counts[0])], neg[np.repeat(left, counts[1])])
    new_pos, new_neg = (
        np.where(joins, more, old) for more, old in ((more_pos, cells.pos), (more_neg, cells.neg))
    )
    return KeyCells(cells.low, cells.level, new_pos, new_neg) + own


def _reach(level: NDArray[np.uint8], step: int) -> NDArray[np.int32]:
    """Return, for each wall, the nearest higher wall on one side, or the end of the table.

    All walls first compare with their nearest neighbours. Walls without a higher neighbour continue
    from the result of the last neighbour.

    >>> _reach(np.array([1, 3, 2], dtype=np.uint8), -1), _reach(np.array([1, 3, 2]), 1)
    (array([0, 0, 2], dtype=int32), array([2, 4, 4], dtype=int32))
    """
    n = len(level)
    padded = np.pad(level, _NEAR, constant_values=_OUTSIDE)
    steps, going = np.zeros(n, dtype=np.uint8), np.ones(n, dtype=np.bool_)
    for away in range(1, _NEAR + 1):
        steps += going
        begin = _NEAR + step * away
        going &= padded[begin : begin + n] <= level
    nearest = np.arange(1, n + 1, dtype=np.int32) + np.int32(step) * steps
    todo = np.flatnonzero(going)
    while len(todo):
        beyond = nearest[nearest[todo] - 1]
        nearest[todo] = beyond
        todo = todo[padded[beyond + (_NEAR - 1)] <= level[todo]]
    return nearest


def _cheapest(cost: NDArray[np.float64], level: NDArray[np.uint8], count: int) -> NDArray[np.bool_]:
    """The walls of least cost, inner before outer for equal costs."""
    limit = np.partition(cost, count - 1)[count - 1]
    gone: NDArray[np.bool_] = cost < limit
    equal = np.flatnonzero(cost == limit)
    innermost = np.argsort(level[equal], kind="stable")
    gone[equal[innermost[: count - np.count_nonzero(gone)]]] = True
    return gone
