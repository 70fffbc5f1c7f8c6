"""Pairs of a positive and a negative within groups, and means over them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.groups import codes
from rocsolid.remarks.remark import Remark
from rocsolid.summaries.moments import Moments, Units, as_rare, carriers
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import distinct_scores, integer_order
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.strata import ROUNDING

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class GroupPairs:
    """The pairs of each row with the other class of its group.

    ``others`` is the weight of the other class, and ``doubled`` twice its weight on the correct
    side of the row, ties half. ``others`` and ``doubled`` are integers for rows of equal weight.
    """

    others: NDArray[Any]
    doubled: NDArray[Any]
    tied: int

    @classmethod
    def of(cls, rows: BinaryRows, rank: NDArray[np.intp], code: _INT) -> GroupPairs:
        """Build from each row's group ``code`` and ``rank``, the index of its score.

        >>> y, s = np.array([True, False, True, False]), np.array([2, 1, 0, 0])
        >>> pairs = GroupPairs.of(BinaryRows(y, s), s, np.array([0, 0, 0, 1]))
        >>> pairs.others, pairs.doubled
        (array([1, 2, 1, 0]), array([2, 2, 0, 0]))
        """
        order = integer_order(code * (int(rank.max()) + 1) + rank)
        group, positive = code[order], rows.positive[order]
        weight = np.ones(len(order), np.int64) if rows.weight is None else rows.weight[order]
        new_group = np.ones(len(order), dtype=bool)
        np.not_equal(group[1:], group[:-1], out=new_group[1:])
        new_run, ranked = new_group.copy(), rank[order]
        new_run[1:] |= ranked[1:] != ranked[:-1]
        start, stop, equal = _blocks(new_run)
        first, last, members = _blocks(new_group)
        doubled, others = {}, {}
        for of_class in (True, False):
            own = np.where(positive == of_class, weight, 0)
            through = np.cumsum(own)
            before = through - own
            base, end = before[first], through[last]
            doubled[of_class] = np.repeat(before[start] + through[stop], equal)
            doubled[of_class] -= np.repeat(2 * base, members)
            others[of_class] = np.repeat(end - base, members)
        held = np.add.reduceat(positive, start, dtype=np.int64)
        of_rows = np.empty((2, len(order)), dtype=weight.dtype)
        of_rows[0, order] = np.where(positive, others[False], others[True])
        of_rows[1, order] = np.where(positive, doubled[False], 2 * others[True] - doubled[True])
        return cls(of_rows[0], of_rows[1], int((held * (equal - held)).sum()))

    def weight(self, rows: BinaryRows) -> float:
        positive = rows.positive
        own = self.others[positive]
        return float(own.sum() if rows.weight is None else dot(rows.weight[positive], own))

    def __sub__(self, other: GroupPairs) -> GroupPairs:
        return GroupPairs(
            self.others - other.others, self.doubled - other.doubled, self.tied - other.tied
        )


def _blocks(new: NDArray[np.bool_]) -> tuple[_INT, _INT, _INT]:
    """The first row of each block, its last row, and its number of rows."""
    first = np.flatnonzero(new)
    beyond = np.append(first[1:], len(new))
    return first, beyond - 1, beyond - first


@dataclass(frozen=True, slots=True, eq=False)
class PairValue:
    """A mean over pairs, and the influence of each row.

    ``slope`` is the derivative of the value in the weight of a row, ``share`` the row's share of
    the weight of its class, and ``placed`` its own value. Unless ``centred``, the sizes of groups
    are random.
    """

    rows: BinaryRows
    value: float
    slope: _FLOATS
    share: _FLOATS
    placed: _FLOATS
    pairs: float | None = None
    of_all: float | None = None
    tied: int = 0
    ratio: tuple[int, int] | None = None
    centred: bool = True
    known: tuple[Remark, ...] = ()

    @property
    def influence(self) -> _FLOATS:
        """The slope times the weight of the row's class, as in `Spread.of`."""
        return self.slope * class_weights(self.rows)

    def subset(self, kept: NDArray[np.bool_]) -> PairValue:
        """The value for some of the rows, which include all nonzero slopes."""
        return replace(
            self, rows=self.rows.subset(kept), slope=self.slope[kept], share=self.share[kept],
            placed=self.placed[kept],
        )  # fmt: skip

    def moments(self, bottom: float, top: float) -> Moments:
        """The value and its variance by class, on the scale from 0 to 1."""
        rows, reach = self.rows, top - bottom
        spread = Spread.of(rows, [self.influence], centred=self.centred)
        variance = [float(part[0, 0]) / reach**2 for part in spread.own(0).covariances]
        value, placed = (self.value - bottom) / reach, (self.placed - bottom) / reach

        def by_unit(parts: _FLOATS) -> _FLOATS:
            if rows.cluster is None:
                return parts
            return np.bincount(rows.cluster, parts).astype(np.float64)

        shares, sizes, rare = [], [], []
        for of_class in (rows.positive, ~rows.positive):
            share = np.where(of_class, self.share, 0.0)
            shares.append(by_unit(share))
            sizes.append(1.0 / dot(shares[-1], shares[-1]))
            lost, kept = (by_unit(share * side) for side in (1.0 - placed, placed))
            rare.append(as_rare(carriers(lost, kept), float(np.count_nonzero(shares[-1]))))
        misplaced = None
        if rows.cluster is not None:
            alone = min(float(1.0 / np.sum(self.share[of] ** 2))
                        for of in (rows.positive, ~rows.positive))  # fmt: skip
            misplaced = min(*rare, alone * min(value, 1.0 - value))
        units = Units.of_shares(shares[0], shares[1], misplaced)
        return Moments(value, *variance, *sizes, units=units)


def class_weights(rows: BinaryRows) -> _FLOATS:
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    sums = (float(weight[own].sum()) for own in (rows.positive, ~rows.positive))
    return np.where(rows.positive, *sums)


def scaled_by_class(rows: BinaryRows) -> BinaryRows:
    """Divide weights by the largest of their class, so that products cannot overflow."""
    if rows.weight is None:
        return rows
    weight = rows.weight.astype(np.float64)
    for of_class in (rows.positive, ~rows.positive):
        weight[of_class] /= weight[of_class].max(initial=0.0) or 1.0
    return replace(rows, weight=weight)


@dataclass(frozen=True, slots=True, eq=False)
class PairsInside:
    """The pairs within groups, and the pairs within both a group and a cluster."""

    rank: NDArray[np.intp]
    pairs: GroupPairs
    clustered: GroupPairs | None
    every: float

    @classmethod
    def of(cls, rows: BinaryRows, code: _INT) -> PairsInside:
        rank, clustered = distinct_scores(rows.score)[1], None
        pairs = GroupPairs.of(rows, rank, code)
        if rows.cluster is not None:
            both = codes(code * (int(rows.cluster.max()) + 1) + rows.cluster)[0]
            clustered = GroupPairs.of(rows, rank, both)
        weight = class_weights(rows)
        every = float(weight[rows.positive][0] * weight[~rows.positive][0])
        return cls(rank, pairs, clustered, every)

    def value(self, rows: BinaryRows) -> PairValue:
        return mean_over_pairs(rows, self.pairs, self.clustered, self.every)

    def rest(self, rows: BinaryRows) -> PairValue | None:
        """The mean over all other pairs, if any."""
        pairs = GroupPairs.of(rows, self.rank, np.zeros(len(rows), np.int64)) - self.pairs
        if not pairs.weight(rows) > ROUNDING * self.every:
            return None
        clustered = None
        if self.clustered is not None and rows.cluster is not None:
            clustered = GroupPairs.of(rows, self.rank, rows.cluster) - self.clustered
        return mean_over_pairs(rows, pairs, clustered, self.every)


def mean_over_pairs(
    rows: BinaryRows, pairs: GroupPairs, same: GroupPairs | None, every: float
) -> PairValue:
    """The mean over some of ``every`` pair; pairs of the ``same`` cluster count half per row."""
    positive, weight = rows.positive, rows.weight
    own = np.ones(len(rows), np.int64) if weight is None else weight
    doubled, total = (own * pairs.doubled)[positive].sum(), pairs.weight(rows)
    value = min(max(float(doubled / (2 * total)), 0.0), 1.0)  # weights are rounded
    others, won = pairs.others, 0.5 * pairs.doubled
    if same is not None:
        others, won = others - 0.5 * same.others, won - 0.25 * same.doubled
    return PairValue(
        rows, value, (won - value * others) / total,
        own * pairs.others / total,
        np.clip(0.5 * pairs.doubled / np.where(pairs.others > 0, pairs.others, 1), 0.0, 1.0),
        int(total) if weight is None else total,
        total / every,
        pairs.tied,
        (int(doubled), 2 * int(total)) if weight is None else None,
    )  # fmt: skip
