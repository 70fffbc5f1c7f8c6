"""The AUC as a measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.design import refuse_undeclared
from rocsolid.binary.estimate import Options, estimate
from rocsolid.binary.grouped_auc import GroupedAuc, grouped_auc
from rocsolid.binary.inference import NAMES, OF_PLACEMENTS, asked_interval, plain_certificate
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.engines.capabilities import Feature
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.scored import Scored
from rocsolid.results import Estimate, Interval
from rocsolid.summaries.groups import Groups
from rocsolid.summaries.weighted_placements import WeightedPlacements, row_placements


@dataclass(frozen=True, slots=True)
class WholeArea(BinaryMeasure):
    """The probability that a positive is scored above a negative, ties counting half.

    >>> WholeArea().name, WholeArea().span
    ('auc', (-1.0, 1.0))
    """

    intervals: ClassVar[tuple[str, ...]] = NAMES
    intervals_of_rows: ClassVar[tuple[str, ...]] = (*BOOTSTRAPS, *OF_PLACEMENTS)
    bounds: ClassVar[tuple[str, ...]] = (
        "matchings", "hinge", "kl", "hoeffding", "mcdiarmid", "e-value", "betting",
    )  # fmt: skip
    reads: ClassVar[Feature] = "auc"
    reads_by_segment: ClassVar[Feature] = "auc"
    reads_clusters: ClassVar[Feature] = "clusters"

    @property
    def text(self) -> str:
        return "auc"

    @property
    def words(self) -> str:
        return "the probability that a positive is scored above a negative, a tie counting half"

    @property
    def pairwise(self) -> bool:
        return True

    def misplaced(self, value: float, n_pos: float, n_neg: float) -> float:
        return min(n_pos, n_neg) * min(value, 1.0 - value)

    def estimate(self, scored: Scored, options: Options) -> Estimate:
        return estimate(scored.summary, options, scored.omitted, scored.rows)

    def grouped(self, rows: BinaryRows, groups: Groups, options: Options) -> GroupedAuc:
        return grouped_auc(rows, groups, options)

    def influence(self, rows: BinaryRows) -> NDArray[np.float64]:
        """The share of the other class on the right side of each row: DeLong's V10 and V01."""
        if rows.weight is None:
            return row_placements(rows.positive, rows.score, rows.there)
        placed = WeightedPlacements.from_arrays(rows.positive, rows.score, rows.weight, rows.there)
        return placed.placement

    def certified(self, scored: Scored, options: Options) -> tuple[Estimate, Interval]:
        summary, level, side = scored.summary, options.level, options.alternative
        if options.interval != "auto" or summary.squared_shares is not None:
            name = "mcdiarmid" if options.interval == "auto" else options.interval
            interval = asked_interval(summary, name, level, side, design=options.design)
        else:
            refuse_undeclared(summary, options.design, "auto")
            interval = plain_certificate(summary, level, side)
        found = self.estimate(scored, Options(level=level, alternative=side, design=options.design))
        return found, interval


def parse(text: str, inside: str | None) -> WholeArea:
    """From ``auc``; it takes nothing in brackets."""
    if inside is not None:
        raise InputError(
            "the AUC takes nothing in brackets",
            where="measure",
            value=text,
            fix="write auc, or partial_auc(fpr<=0.1) for a part of it",
        )
    return WholeArea()
