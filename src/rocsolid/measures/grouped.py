"""Estimates by group, whatever measure made them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from rocsolid.results import Estimate, Interval
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.groups import Groups


class Grouped(Protocol):
    """Estimates by group, and for each group without one why, with its class sizes."""

    @property
    def groups(self) -> Groups: ...

    @property
    def refused(self) -> dict[int, tuple[str, int, int]]: ...

    def __getitem__(self, group: int) -> Estimate: ...

    def together(self) -> Mapping[int, Interval | None]:
        """Of each group that has an estimate, certified intervals that hold for all together."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class GroupByGroup:
    """Estimates that were made one group after another.

    ``summaries`` has those of an engine that reduced the rows elsewhere.
    """

    groups: Groups
    made: dict[int, Estimate]
    joint: dict[int, Interval | None]
    refused: dict[int, tuple[str, int, int]]
    summaries: Mapping[int, BinarySummary] = field(default_factory=dict)

    def __getitem__(self, group: int) -> Estimate:
        return self.made[group]

    def together(self) -> Mapping[int, Interval | None]:
        return self.joint
