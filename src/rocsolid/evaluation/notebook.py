"""What a notebook shows of an evaluation: its table, and what must be known beside it."""

from __future__ import annotations

from collections.abc import Sequence

from rocsolid.evaluation.query_numbers import MeasuredRuns, QueryNumbers, RunsNumbers
from rocsolid.evaluation.query_tables import (
    audit_caption,
    audit_notes,
    caption,
    how_estimated,
    overview_cells,
)
from rocsolid.report.notebook import notebook_output


def runs_output(found: RunsNumbers) -> str:
    """Runs by measures with their intervals, and which of them are not significantly different."""
    return _measured(found.runs, found.measures, audit_caption(found), audit_notes(found))


def queries_output(found: QueryNumbers) -> str:
    """The same for scores in a table, over all of its queries."""
    names = tuple(found.measures[0].estimates)
    notes: list[str] = list(found.notes)
    if found.parts:
        notes.append("The segments are in .results.")
    return _measured(names, found.measures, caption(found), notes)


def _measured(
    names: Sequence[str], measures: Sequence[MeasuredRuns], first: str, notes: Sequence[str]
) -> str:
    said = [f"{first}.", *dict.fromkeys(how_estimated(one) for one in measures)]
    for one in measures:
        if one.comparison is not None:
            found = (*one.comparison.decided(), *one.comparison.told_apart())
            said += [f"{one.asked}: {text}" for text in found]
        said += [f"{one.asked}: {warning}" for warning in one.warnings]
    return notebook_output([overview_cells(names, measures)], [*said, *notes])
