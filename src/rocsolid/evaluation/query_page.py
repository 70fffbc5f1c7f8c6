"""Scores evaluated over queries as the plain data of a page."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rocsolid._version import __version__
from rocsolid.asymptotics.distinguishing.distinction import Distinction
from rocsolid.evaluation import query_tables
from rocsolid.evaluation.graded_audit import graded_audit
from rocsolid.evaluation.query_distinction import distinction_cells
from rocsolid.evaluation.query_numbers import QueryNumbers
from rocsolid.evaluation.randomness import of_measures, randomness
from rocsolid.evaluation.runs_numbers import MeasuredRuns
from rocsolid.evaluation.runs_page import bar_of, measure_section, methods
from rocsolid.evaluation.runs_tables import overview_cells
from rocsolid.report import Page
from rocsolid.report.bars import BarRow, BarTable
from rocsolid.report.leak_data import LeakReport
from rocsolid.report.runs_page import MeasureSection, RunsPage, TableSection, render_runs
from rocsolid.results import percent

_SEGMENT_ROWS = 200  # rows of a table of segments


def query_page(found: QueryNumbers, *, title: str = "", command: str = "") -> str:
    """The page as one HTML text."""
    best_first = tuple(found.measures[0].estimates)
    colours = {name: i for i, name in enumerate(best_first)}
    sections = tuple(_section(found, one, colours) for one in found.measures)
    page = Page(
        title=title or found.source,
        lead=_lead(found),
        answers=(),
        rows=(),
        notes=methods(found.measures),
        facts=_facts(found),
        command=command,
        leaks=_leaks(found, sections),
    )
    several = len(found.measures) > 1
    return render_runs(
        RunsPage(
            page,
            overview_cells(best_first, found.measures) if several else None,
            sections,
            None,
            (),
            () if found.distinction is None else (_distinction(found.distinction),),
        )
    )


def _leaks(found: QueryNumbers, sections: Sequence[MeasureSection]) -> LeakReport:
    """Of a table of single queries every cell but the first is a value."""
    tables = [one.queries for one in sections if one.queries is not None]
    return graded_audit(
        found.measures,
        single=sum(len(row) - 1 for table in tables for row in table.rows),
        segments=sum(len(one.segments.rows) for one in sections if one.segments is not None),
    )


def _distinction(found: Distinction) -> TableSection:
    return TableSection(
        "Which discount and cut-off tell them apart",
        found.choose().words,
        distinction_cells(found),
        found.about,
    )


def _lead(found: QueryNumbers) -> tuple[str, ...]:
    scores = f"{len(found.scores)} scores" if len(found.scores) > 1 else "One score"
    queries = f"{found.queries:,} quer{'y' if found.queries == 1 else 'ies'}"
    profile = found.settings["profile"]
    return (
        f"{scores} against the grades {found.label!r} on {found.n_rows:,} rows of {queries}"
        f"{f'; everything as {profile}' if profile else ''}.",
        "Each query has one value, and what is compared is their mean. The queries are a sample: "
        "the intervals say how far other queries like these could move it.",
        *found.notes,
    )


def _section(found: QueryNumbers, one: MeasuredRuns, colours: Mapping[str, int]) -> MeasureSection:
    section = measure_section(one, colours)
    notes = section.notes
    if found.segments is not None:
        notes += query_tables.segment_notes(found, one)[:_SEGMENT_ROWS]
    return replace(
        section,
        segments=_segments(found, one, colours),
        queries=query_tables.telling_cells(one),
        notes=notes,
    )


def _segments(
    found: QueryNumbers, one: MeasuredRuns, colours: Mapping[str, int]
) -> BarTable | None:
    if found.segments is None:
        return None
    cells = query_tables.segment_cells(found, one)
    drawn = [
        (score, part.estimates[score])
        for part in found.parts_of(one.asked)
        for score in one.estimates
        if score in part.estimates
    ]
    rows = tuple(
        BarRow(
            texts[: cells.names],
            texts[cells.names :],
            bar_of(each.value, each.interval, each.certified),
            colours[score],
        )
        for texts, (score, each) in zip(
            cells.rows[:_SEGMENT_ROWS], drawn[:_SEGMENT_ROWS], strict=True
        )
    )
    if not rows:
        return None
    more = len(cells.rows) - len(rows)
    left = f" The JSON output has {more:,} more." if more else ""
    return BarTable(f"{cells.caption}.{left}", cells.heads, rows)


def _facts(found: QueryNumbers) -> tuple[tuple[str, str], ...]:
    settings = found.settings
    drawn = of_measures(found.measures)
    if found.distinction is not None:
        drawn.append(f"the samples of growing lists, seed {found.distinction.seed}")
    return (
        ("Table", found.source),
        ("Rows", f"{found.n_rows:,}"),
        ("Queries", f"{found.queries:,}, by {found.qid!r}"),
        ("Grades", found.label),
        ("Rows left out without a score", f"{settings['omitted']:,}"),
        ("Level", percent(settings["level"])),
        ("Conventions", settings["profile"] or "rocsolid's own"),
        ("Tied documents", str(settings["ties"])),
        ("Queries without a relevant document", str(settings["empty"])),
        ("Unjudged documents", str(settings["unjudged"])),
        ("rocsolid", __version__),
        ("NumPy", np.__version__),
        ("Python", platform.python_version()),
        ("Randomness", randomness(drawn)),
    )
