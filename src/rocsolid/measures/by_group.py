"""Estimates by group: small groups in columns, others one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options, estimated
from rocsolid.binary.grouped_rows import GroupColumns, GroupedRows, class_sizes
from rocsolid.dataclass import dataclass
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.measures.binary_measure import BinaryMeasure, Scored, ScoredRows
from rocsolid.results.deferred import KEPT, Deferred
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.summaries.groups import Groups


class Grouped(Protocol):
    """Estimates by group, and for groups without one the reason and the class sizes."""

    @property
    def groups(self) -> Groups: ...

    @property
    def refused(self) -> dict[int, tuple[str, int, int]]: ...

    def __getitem__(self, group: int) -> Estimate: ...

    def values(self, groups: Sequence[int]) -> list[float]:
        """The values of groups, without building the estimates."""
        ...

    def together(self) -> Mapping[int, Interval | None]:
        """Simultaneous certified intervals of all groups that have an estimate."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class GroupByGroup:
    """Estimates that were computed group by group.

    ``elsewhere`` contains the groups of an engine that reduced the rows at their source.
    """

    groups: Groups
    made: dict[int, Estimate]
    joint: Deferred[dict[int, Interval | None]]
    refused: dict[int, tuple[str, int, int]]
    elsewhere: Mapping[int, Scored] = field(default_factory=dict)

    def __getitem__(self, group: int) -> Estimate:
        return self.made[group]

    def values(self, groups: Sequence[int]) -> list[float]:
        return [self.made[group].value for group in groups]

    def together(self) -> Mapping[int, Interval | None]:
        return self.joint()


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """Estimates that are built from columns when read; ``others`` have no columns.

    ``joint`` contains the columns for simultaneous certified intervals.
    """

    ranked: GroupedRows
    columns: GroupColumns
    joint: Deferred[GroupColumns]
    others: GroupByGroup
    options: Options
    refused: dict[int, tuple[str, int, int]]

    @property
    def groups(self) -> Groups:
        return self.ranked.groups

    def __reduce__(self) -> tuple[Any, ...]:
        """Store the built estimates, because functions cannot be pickled."""
        made = {
            group: self[group] for group in range(len(self.groups)) if group not in self.refused
        }
        known = dict(self.together())
        return GroupByGroup, (self.groups, made, Deferred(lambda: known), self.refused)

    def __getitem__(self, group: int) -> Estimate:
        if group in self.others.made:
            return self.others[group]
        summary = self.ranked.summary(group)
        measured = self.columns.measured(group, summary)
        return estimated(summary, measured, self.options, int(self.groups.omitted[group]))

    def values(self, groups: Sequence[int]) -> list[float]:
        values: list[float] = self.columns.value[np.asarray(groups, dtype=np.intp)].tolist()
        others = self.others.made
        if not others:
            return values
        pairs = zip(groups, values, strict=True)
        return [others[group].value if group in others else value for group, value in pairs]

    def together(self) -> Mapping[int, Interval | None]:
        intervals = dict(self.others.together())
        for group in range(len(self.groups)):
            if group not in intervals and group not in self.refused:
                summary = self.ranked.summary(group)
                certified = self.joint().measured(group, summary).certified
                intervals[group] = certified() if isinstance(certified, Deferred) else certified
        return intervals


def by_group(
    measures: Sequence[BinaryMeasure], rows: BinaryRows, groups: Groups, options: Options
) -> list[Grouped]:
    """The estimates of each measure in every group.

    Independent rows of equal weight are sorted once, for measures with columns in small groups.
    Other groups are summarised once for all measures.
    """
    every = options.together(max(len(groups), 1))
    plain = rows.weight is None and rows.cluster is None and not rows.evened
    ranked = GroupedRows.of(rows, groups) if plain else None
    columns = [None if ranked is None else each.columns(ranked, options) for each in measures]
    one_class = _one_class(
        class_sizes(rows.positive, groups) if ranked is None else ranked.n_pos, groups.size
    )
    made: list[dict[int, Estimate]] = [{} for _ in measures]
    refused: list[dict[int, tuple[str, int, int]]] = [dict(one_class) for _ in measures]
    scored: dict[int, ScoredRows] = {}
    each_group = range(len(groups))
    for group in each_group if ranked is None or None in columns else ranked.left_out:
        if group in one_class:
            continue
        one_by_one = [
            place
            for place, column in enumerate(columns)
            if column is None or ranked is None or group not in ranked
        ]
        scored[group] = own = ScoredRows(
            rows.subset(groups.rows(group), int(groups.omitted[group]))
        )
        for place in one_by_one:
            try:
                made[place][group] = measures[place].estimate(own, options)
            except (OneClassError, UnsoundError) as error:
                n_pos = int(np.count_nonzero(own.rows.positive))
                refused[place][group] = (error.what, n_pos, len(own.rows) - n_pos)
    results: list[Grouped] = []
    for measure, column, estimates, without in zip(measures, columns, made, refused, strict=True):
        others = GroupByGroup(
            groups, estimates, _joint(measure, estimates, scored, every, options.certified), without
        )
        if column is None or ranked is None:
            results.append(others)
            continue
        for group, reason in column.refused.items():
            without[group] = (reason, int(ranked.n_pos[group]), int(ranked.n_neg[group]))
        joint = _columns(measure, ranked, every)
        results.append(SideBySide(ranked, column, joint, others, options, without))
    return results


def _columns(
    measure: BinaryMeasure, ranked: GroupedRows, options: Options
) -> Deferred[GroupColumns]:
    def columns() -> GroupColumns:
        made = measure.columns(ranked, options)
        assert made is not None  # the default interval exists wherever another one does
        return made

    return Deferred(columns)


def _joint(
    measure: BinaryMeasure,
    estimates: Mapping[int, Estimate],
    scored: Mapping[int, ScoredRows],
    every: Options,
    read: bool,
) -> Deferred[dict[int, Interval | None]]:
    own = {group: scored[group] for group in estimates}
    joint = Deferred(
        lambda: {group: measure.estimate(rows, every).certified for group, rows in own.items()}
    )
    if read and sum(len(each.rows) for each in own.values()) > KEPT:
        joint()
    return joint


def _one_class(
    n_pos: NDArray[np.int64], size: NDArray[np.int64]
) -> dict[int, tuple[str, int, int]]:
    """The reason and the class sizes for each group without positives or without negatives."""
    n_neg = size - n_pos
    return {
        group: (
            f"there is no {'positive' if n_pos[group] == 0 else 'negative'} row, so nothing can be "
            "ranked",
            int(n_pos[group]),
            int(n_neg[group]),
        )
        for group in np.flatnonzero((n_pos == 0) | (n_neg == 0)).tolist()
    }
