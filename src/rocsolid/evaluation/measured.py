"""A measure of validated rows: over all of them, and in each group."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from rocsolid.binary.estimate import Options, estimate
from rocsolid.binary.grouped_auc import grouped_auc
from rocsolid.binary.measure_name import Measure
from rocsolid.binary.partial_area import Region, Scale
from rocsolid.binary.partial_auc import partial_auc
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.binary.warnings import missing_rows
from rocsolid.engines.memory import summarise
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.results import Estimate
from rocsolid.summaries.groups import Groups


class Grouped(Protocol):
    """Estimates by group, and for each group without one why, with its class sizes."""

    @property
    def groups(self) -> Groups: ...

    @property
    def refused(self) -> dict[int, tuple[str, int, int]]: ...

    def __getitem__(self, group: int) -> Estimate: ...


@dataclass(frozen=True, slots=True, eq=False)
class GroupByGroup:
    """Estimates that were made one group after another."""

    groups: Groups
    found: dict[int, Estimate]
    refused: dict[int, tuple[str, int, int]]

    def __getitem__(self, group: int) -> Estimate:
        return self.found[group]


@dataclass(frozen=True, slots=True)
class Asked:
    """How every measure of an evaluation is asked for.

    ``options`` are those of the AUC. ``interval`` is the method asked for: some are for partial
    areas only, so ``options`` has it, and its ``resampling``, only where the AUC is asked for.
    """

    options: Options
    interval: str
    resampling: Resampling

    def whole(self, rows: BinaryRows, measure: Measure) -> Estimate:
        """The estimate from all rows."""
        if measure.region is None:
            return estimate(summarise(rows), self.options, rows.omitted, rows)
        return self._partial(rows, measure.region, measure.scale)

    def grouped(self, rows: BinaryRows, groups: Groups, measure: Measure) -> Grouped:
        """The estimates by group: the AUC of small groups side by side, partial areas in a loop."""
        if measure.region is None:
            return grouped_auc(rows, groups, self.options)
        found: dict[int, Estimate] = {}
        refused: dict[int, tuple[str, int, int]] = {}
        for group in range(len(groups)):
            part = rows.subset(groups.rows(group), int(groups.omitted[group]))
            try:
                found[group] = self._partial(part, measure.region, measure.scale)
            except (OneClassError, UnsoundError) as error:
                n_pos = int(np.count_nonzero(part.positive))
                refused[group] = (error.what, n_pos, len(part) - n_pos)
        return GroupByGroup(groups, found, refused)

    def _partial(self, rows: BinaryRows, region: Region, scale: Scale) -> Estimate:
        """The public function on rows that are valid already, with their own history put back."""
        options = self.options
        found = partial_auc(
            rows.positive,
            rows.score,
            fpr=region.fpr,
            tpr=region.tpr,
            scale=scale,
            sample_weight=rows.weight,
            interval=self.interval,
            level=options.level,
            alternative=options.alternative,
            resamples=self.resampling.resamples,
            seed=self.resampling.seed,
            scheme=self.resampling.scheme,
        )
        history = {
            "pos_label": options.pos_label,
            "lower_is_better": options.lower_is_better,
            "nan": options.nan,
            "omitted": rows.omitted,
        }
        return replace(
            found,
            warnings=(*missing_rows(rows.omitted), *found.warnings),
            settings={**found.settings, **history},
        )
