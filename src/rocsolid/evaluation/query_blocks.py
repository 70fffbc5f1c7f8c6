"""Runs and scores measured over queries as blocks of a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rocsolid.evaluation.query_numbers import MeasuredRuns, QueryNumbers, RunsNumbers
from rocsolid.evaluation.query_tables import (
    AUDIT_KEY,
    audit_cells,
    audit_notes,
    caption,
    distinction_cells,
    how_compared,
    how_estimated,
    overview_cells,
    pair_cells,
    segment_cells,
    segment_notes,
    value_caption,
    value_cells,
)
from rocsolid.report.blocks import TextBlock


def runs_blocks(found: RunsNumbers, *, paper: bool) -> Iterator[TextBlock]:
    """Audit, overview and each measure; in a paper the overview and the differences."""
    if not paper:
        yield TextBlock("Audit", audit_cells(found), (AUDIT_KEY,), audit_notes(found))
    yield _overview(found.measures, paper=paper)
    for one in found.measures:
        yield from _measure(one, paper=paper)


def query_blocks(found: QueryNumbers, *, paper: bool) -> Iterator[TextBlock]:
    """The same of scores, with the segments, and which discount separates two scores."""
    if not paper:
        yield TextBlock(said=(f"{caption(found)}.",), notes=found.notes)
    yield _overview(found.measures, paper=paper)
    for one in found.measures:
        yield from _measure(one, paper=paper)
        if found.segments is not None:
            notes = () if paper else segment_notes(found, one)
            said = tuple(map(str, found.about_segments(one)))
            yield TextBlock(cells=segment_cells(found, one), said=said, notes=notes)
    if found.distinction is not None:
        said = (found.distinction.choose().words, found.distinction.about)
        yield TextBlock(cells=distinction_cells(found.distinction), said=said)


def _overview(measures: Sequence[MeasuredRuns], *, paper: bool) -> TextBlock:
    """All by all measures; nothing where the one measure's own table says it."""
    names = tuple(measures[0].estimates)
    if not paper:
        several = len(measures) > 1
        return TextBlock("Overview", overview_cells(names, measures)) if several else TextBlock()
    cells = overview_cells(names, measures, letters=True)
    averaged = "; ".join(value_caption(one) for one in measures)
    notes = [
        f"{one.asked}: {text}" if len(measures) > 1 else text
        for one in measures
        for text in one.warnings
    ]
    caption = f"{cells.caption} {averaged}."
    return TextBlock("", replace(cells, caption=caption), (how_estimated(measures[0]),), (*notes,))


def _measure(one: MeasuredRuns, *, paper: bool) -> Iterator[TextBlock]:
    """The values and the differences by one measure, with what they rest on."""
    if not paper:
        yield TextBlock(one.asked, value_cells(one), (how_estimated(one),))
    if one.comparison is not None:
        how, found = how_compared(one.comparison, one.noun), one.comparison
        said = (how, *found.decided(), *found.detectable(), *found.crowned())
        yield TextBlock(cells=pair_cells(one.comparison), said=said)
    if not paper:
        yield TextBlock(notes=one.warnings)
