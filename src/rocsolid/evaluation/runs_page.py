"""Evaluated runs as the plain data of a page."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence

import numpy as np

from rocsolid._version import __version__
from rocsolid.evaluation import runs_tables as tables
from rocsolid.evaluation.graded_audit import graded_audit
from rocsolid.evaluation.randomness import of_measures, randomness
from rocsolid.evaluation.runs_numbers import MeasuredRuns, RunsNumbers
from rocsolid.report import Note, Page
from rocsolid.report.bars import Bar, BarRow, BarTable
from rocsolid.report.runs_page import MeasureSection, RunsPage, render_runs
from rocsolid.results import Interval, percent
from rocsolid.results.query_comparison import QueryComparison

_PAIRS = 120  # differences drawn for each measure
KEY = (
    "Dot: the value. Thick line: the interval (of a difference: the one that holds together with "
    "all others). Thin line with ends: the certified interval, which holds at its level for every "
    "distribution that meets its assumptions."
)


def runs_page(found: RunsNumbers, *, title: str = "", command: str = "") -> str:
    """The page as one HTML text."""
    colours = {name: i for i, name in enumerate(found.runs)}
    count = len(found.runs)
    lead = (
        f"{f'{count} runs' if count > 1 else 'One run'} against {tables.audit_caption(found)}.",
        "Each query has one value, and what is compared is their mean. The queries are a sample: "
        "the intervals say how far other queries like these could move it.",
    )
    page = Page(
        title=title or found.qrels,
        lead=lead,
        answers=(),
        rows=(),
        notes=methods(found.measures),
        facts=_facts(found),
        command=command,
        leaks=graded_audit(found.measures, single=0),
    )
    return render_runs(
        RunsPage(
            page,
            tables.overview_cells(found.runs, found.measures) if len(found.measures) > 1 else None,
            tuple(measure_section(one, colours) for one in found.measures),
            tables.audit_cells(found),
            (*tables.audit_notes(found), tables.AUDIT_KEY),
        )
    )


def measure_section(one: MeasuredRuns, colours: Mapping[str, int]) -> MeasureSection:
    """What to remember of one measure, its runs drawn, all differences, and what to mind."""
    cells = tables.value_cells(one)
    rows = tuple(
        BarRow((name,), texts[1:], bar_of(estimate.value, estimate.interval, estimate.certified),
               colours[name])
        for (name, estimate), texts in zip(one.estimates.items(), cells.rows, strict=True)
    )  # fmt: skip
    differences = None if one.comparison is None else _differences(one.comparison, colours)
    return MeasureSection(
        one.asked,
        _sentences(one),
        BarTable(f"{cells.caption}.", cells.heads, rows),
        differences,
        (KEY, *(() if one.comparison is None else _below(one.comparison, one.noun))),
        one.warnings,
    )


def _sentences(one: MeasuredRuns) -> tuple[str, ...]:
    best = next(iter(one.estimates))
    first = one.estimates[best].sentences()[0]
    said = [first if one.comparison is None else f"{best} is highest. {first}"]
    if one.comparison is not None:
        level = [name for group in one.comparison.groups if best in group for name in group]
        others = [name for name in dict.fromkeys(level) if name != best]
        if others:
            said.append(f"It is not significantly different from {', '.join(others)}.")
        else:
            said.append(f"It is significantly different from every other {one.noun}.")
    return tuple(said)


def _below(comparison: QueryComparison, noun: str) -> tuple[str, ...]:
    said = (tables.detectable(comparison), tables.how_compared(comparison, noun))
    return tuple(text for text in said if text)


def _differences(comparison: QueryComparison, colours: Mapping[str, int]) -> BarTable:
    cells = tables.pair_cells(comparison, digits=3)
    rows = tuple(
        BarRow(
            texts[:2],
            texts[2:],
            bar_of(pair.difference, pair.simultaneous or pair.interval, pair.certified),
            colours[pair.a],
        )
        for pair, texts in zip(comparison.pairs[:_PAIRS], cells.rows, strict=False)
    )
    more = len(comparison.pairs) - len(rows)
    left = f" The JSON output has {more:,} more." if more else ""
    return BarTable(f"{cells.caption}.{left}", cells.heads, rows, level=0.0)


def bar_of(value: float, inner: Interval, outer: Interval | None) -> Bar:
    return Bar(value, (inner.low, inner.high), None if outer is None else (outer.low, outer.high))


def methods(measures: Sequence[MeasuredRuns]) -> tuple[Note, ...]:
    """What each method used promises and assumes, and what a short name of a measure stands for."""
    used: dict[str, Interval] = {}
    for one in measures:
        for estimate in one.estimates.values():
            for interval in (estimate.interval, estimate.certified):
                if interval is not None and interval.method != "none":
                    used.setdefault(interval.method, interval)
    notes = [
        Note(
            method,
            "Certified: holds at its level for any number of queries, whatever the distribution."
            if interval.certified
            else "Calibrated: right on average for many queries, by theory and simulation.",
            interval.assumptions,
            interval.source,
        )
        for method, interval in used.items()
    ]
    first = next((one for one in measures if one.comparison), None)
    if first is not None and (comparison := first.comparison) is not None:
        pair = comparison.pairs[0].interval
        notes.append(
            Note(
                f"Differences: {comparison.settings['test']}, {comparison.settings['adjust']}",
                tables.how_compared(comparison, first.noun),
                pair.assumptions,
                pair.source,
            )
        )
    for one in measures:
        if one.asked != one.full_name:
            notes.append(Note(one.asked, f"Its conventions in full: {one.full_name}."))
    return tuple(notes)


def _facts(found: RunsNumbers) -> tuple[tuple[str, str], ...]:
    settings = found.settings
    return (
        ("Judgements", found.qrels),
        ("Level", percent(settings["level"])),
        ("Conventions", settings["profile"] or "rocsolid's own"),
        ("Tied documents", str(settings["ties"])),
        ("Queries that a run lacks", str(settings["missing"])),
        ("Queries without a relevant document", str(settings["empty"])),
        ("Unjudged documents", str(settings["unjudged"])),
        ("rocsolid", __version__),
        ("NumPy", np.__version__),
        ("Python", platform.python_version()),
        ("Randomness", randomness(of_measures(found.measures))),
    )
