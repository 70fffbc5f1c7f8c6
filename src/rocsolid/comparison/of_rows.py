"""Rows with labels of two classes, estimated and compared."""

from __future__ import annotations

from typing import Literal

from rocsolid.comparison.asked import ComparisonQuestion
from rocsolid.comparison.build import comparison_of
from rocsolid.comparison.compared_rows import ComparedRows
from rocsolid.inputs import BinaryRows
from rocsolid.measures.scored import ScoredRows
from rocsolid.remarks.remark import Remark
from rocsolid.results.comparison import Comparison


def compared_rows_of(
    kind: Literal["scores", "samples"],
    asked: ComparisonQuestion,
    rows: dict[str, BinaryRows],
    paired: bool,
    omitted: int,
    warnings: list[Remark],
) -> Comparison:
    """Estimates of each score or sample, and their comparison."""
    estimates = {
        name: asked.measure.estimate(ScoredRows(part), asked.options) for name, part in rows.items()
    }
    compared = ComparedRows.of(asked.measure, rows, estimates, paired)
    return comparison_of(
        compared, asked.request, kind=kind, warnings=warnings,
        settings={**asked.settings(paired, omitted), **compared.described()},
    )  # fmt: skip
