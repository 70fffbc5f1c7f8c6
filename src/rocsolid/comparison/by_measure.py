"""From a measure and scores of one sample to what tests start from: the one way, whatever it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from rocsolid.comparison.asked import ComparisonQuestion
from rocsolid.comparison.build import comparison_of
from rocsolid.comparison.compared import Compared
from rocsolid.comparison.compared_averages import ComparedAverages, ComparedLearners
from rocsolid.comparison.compared_rows import ComparedRows
from rocsolid.comparison.systems import Systems
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.folded import FoldMean
from rocsolid.measures.measure import Measure
from rocsolid.measures.scored import ScoredRows
from rocsolid.measures.unit_mean import UnitMean
from rocsolid.remarks.remark import Remark
from rocsolid.results.comparison import Comparison


def compared_by(
    measure: Measure,
    samples: Mapping[str, Any],
    options: EstimateOptions,
    *,
    paired: bool = True,
    estimates: Mapping[str, Any] | None = None,
) -> Compared:
    """The estimate of each score, and how the units of the sample move them all.

    ``estimates`` are those that are known already, or what is to be shown in their place.
    """
    if estimates is None:
        estimates = {name: measure.estimate(sample, options) for name, sample in samples.items()}
    of_each = dict(estimates)
    if isinstance(measure, BinaryMeasure):
        rows = {name: sample.rows for name, sample in samples.items()}
        return ComparedRows.of(measure, rows, of_each, paired)
    if isinstance(measure, UnitMean):
        return Systems.of(
            samples, range=measure.bounds, paired=paired, estimates=of_each, measure=measure.name
        )
    spread = measure.spread(list(samples.values()))
    if isinstance(measure, FoldMean):
        return ComparedLearners(measure, samples, options, of_each, spread)
    return ComparedAverages(measure, samples, options, of_each, spread)


def compare_by_measure(
    compared: Compared,
    asked: ComparisonQuestion,
    *,
    kind: Literal["scores", "samples"] = "scores",
    omitted: int = 0,
    warnings: Sequence[Remark] = (),
) -> Comparison:
    """The comparison that `rocsolid.compare` gives of them."""
    return comparison_of(
        compared, asked.request, kind=kind, warnings=warnings,
        settings={**asked.settings(compared.paired, omitted), **compared.described()},
    )  # fmt: skip


def compare_rows_of(
    kind: Literal["scores", "samples"],
    asked: ComparisonQuestion,
    rows: Mapping[str, BinaryRows],
    paired: bool,
    omitted: int,
    warnings: Sequence[Remark],
) -> Comparison:
    """Scores or samples of rows with labels of two classes, compared."""
    scored = {name: ScoredRows(part) for name, part in rows.items()}
    compared = compared_by(asked.measure, scored, asked.options, paired=paired)
    return compare_by_measure(compared, asked, kind=kind, omitted=omitted, warnings=warnings)
