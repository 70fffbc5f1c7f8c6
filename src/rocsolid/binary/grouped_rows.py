"""Rows of one score in many groups, ranked together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Measured
from rocsolid.dataclass import dataclass
from rocsolid.inputs.binary import BinaryRows
from rocsolid.results.deferred import Deferred
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.grouped_placements import GroupedPlacements
from rocsolid.summaries.groups import Groups
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.ranked_groups import RankedGroups
from rocsolid.summaries.score_counts import ScoreCounts

_INT = NDArray[np.int64]
_FLOATS = NDArray[np.float64]
_KEPT = 1_000
"""The largest number of summaries that are kept for all measures."""


@dataclass(frozen=True, slots=True, eq=False)
class GroupColumns:
    """The values of a measure in many groups, and the parts of each group's estimate.

    ``refused`` maps groups with both classes but without an estimate to the reason.
    """

    value: _FLOATS
    measured: Callable[[int, BinarySummary], Measured]
    refused: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """Small groups of independent rows of equal weight, with rows of both classes.

    ``blocks`` contains these groups; ``n_pos`` and ``n_neg`` count the rows of all groups.
    """

    rows: BinaryRows
    groups: Groups
    n_pos: _INT
    n_neg: _INT
    blocks: Sequence[RankedGroups]

    @classmethod
    def of(cls, rows: BinaryRows, groups: Groups) -> GroupedRows:
        """Sort the rows once for all measures.

        >>> rows = BinaryRows(np.array([True, False, True]), np.array([2, 1, 0]))
        >>> ranked = GroupedRows.of(rows, Groups.of(np.array([0, 0, 1]), 2))
        >>> ranked.n_pos, ranked.n_neg, [block.groups.tolist() for block in ranked.blocks]
        (array([1, 1]), array([1, 0]), [[0]])
        """
        n_pos = class_sizes(rows.positive, groups)
        n_neg = groups.size - n_pos
        ranked = RankedGroups.of(rows.positive, rows.score, groups)
        both = (n_pos > 0) & (n_neg > 0)
        blocks = [
            block
            if both[block.groups].all()
            else RankedGroups(block.groups[both[block.groups]], block.cells[both[block.groups]])
            for block in ranked
        ]
        return cls(rows, groups, n_pos, n_neg, [block for block in blocks if len(block.groups)])

    def __contains__(self, group: int) -> bool:
        return bool(self._place[0][group] >= 0)

    @property
    def left_out(self) -> list[int]:
        return np.flatnonzero(self._place[0] < 0).tolist()

    @cached_property
    def _place(self) -> tuple[_INT, _INT]:
        block, line = (np.full(len(self.groups), -1) for _ in range(2))
        for number, ranked in enumerate(self.blocks):
            block[ranked.groups] = number
            line[ranked.groups] = np.arange(len(ranked.groups))
        return block, line

    @cached_property
    def placements(self) -> GroupedPlacements:
        return GroupedPlacements.of(self.blocks, self.rows.score, self.groups)

    def columns(
        self, count: int, of_block: Callable[[RankedGroups], Sequence[_FLOATS]]
    ) -> list[_FLOATS]:
        columns = [np.full(len(self.groups), np.nan) for _ in range(count)]
        for block in self.blocks:
            for column, numbers in zip(columns, of_block(block), strict=True):
                column[block.groups] = numbers
        return columns

    def classes(self, group: int) -> SortedClasses:
        return self.table(group).classes

    def table(self, group: int) -> ScoreCounts:
        block, line = self._place
        return self.blocks[int(block[group])].table(int(line[group]))

    def summary(self, group: int) -> BinarySummary:
        summary = self._summaries.get(group)
        if summary is None:
            summary = self.placements.summary(group, classes=Deferred(lambda: self.classes(group)))
            if len(self._summaries) < _KEPT:
                self._summaries[group] = summary
        return summary

    @cached_property
    def _summaries(self) -> dict[int, BinarySummary]:
        return {}


def class_sizes(positive: NDArray[np.bool_], groups: Groups) -> _INT:
    """The number of positives in each group."""
    group = np.repeat(np.arange(len(groups)), groups.size)
    return np.bincount(group[positive[groups.order]], minlength=len(groups)).astype(np.int64)


def as_lists(*columns: NDArray[Any]) -> list[list[Any]]:
    return [column.tolist() for column in columns]
