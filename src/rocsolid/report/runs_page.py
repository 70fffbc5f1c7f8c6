"""A page of runs or scores over queries: every measure, all differences, what the data are like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rocsolid.markup import Markup, element, join
from rocsolid.report.bars import BarTable, bar_table
from rocsolid.report.cells import Cells, cells_table
from rocsolid.report.data import Page
from rocsolid.report.document import document
from rocsolid.report.section import folded, section
from rocsolid.report.text import point, prose


@dataclass(frozen=True, slots=True)
class MeasureSection:
    """One measure: what to remember, its runs, all pairs of them, and the warnings.

    ``below`` are sentences on the drawings, and on how the pairs were compared. ``segments`` are
    the values by segment, and ``queries`` those queries that are worth a look.
    """

    title: str
    sentences: tuple[str, ...]
    values: BarTable
    differences: BarTable | None
    below: tuple[str, ...]
    notes: tuple[str, ...]
    segments: BarTable | None = None
    queries: Cells | None = None


@dataclass(frozen=True, slots=True)
class TableSection:
    """A table with a sentence before it and one on how to read it."""

    title: str
    sentence: str
    cells: Cells
    below: str


@dataclass(frozen=True, slots=True)
class RunsPage:
    """Everything on the page, in the order in which it is read.

    Of ``page`` it takes the title, the lead, the notes on methods, the facts and the command.
    """

    page: Page
    overview: Cells | None
    measures: tuple[MeasureSection, ...]
    audit: Cells | None
    audit_notes: tuple[str, ...]
    more: tuple[TableSection, ...] = ()


def render_runs(runs: RunsPage) -> str:
    """The page as one HTML text without any script, to be written as UTF-8."""
    page = runs.page
    sections = [
        section("All measures", cells_table(runs.overview)) if runs.overview else Markup(""),
        *[_measure(one, section if i == 0 else folded) for i, one in enumerate(runs.measures)],
        *[_table_section(one) for one in runs.more],
        _audit(runs),
    ]
    return document(page, sections)


def _table_section(one: TableSection) -> Markup:
    parts = [
        element("p", prose(one.sentence)),
        cells_table(one.cells),
        element("p", prose(one.below), class_="remark"),
    ]
    return section(one.title, element("div", *parts, class_="group runs"))


def _audit(runs: RunsPage) -> Markup:
    if runs.audit is None:
        return Markup("")
    return section("Audit of the files", join([cells_table(runs.audit), _points(runs.audit_notes)]))


def _measure(one: MeasureSection, part: Callable[[str, Markup], Markup]) -> Markup:
    parts = [element("p", prose(text)) for text in one.sentences]
    parts.append(bar_table(one.values))
    if one.differences is not None:
        parts.append(element("h3", "Differences"))
        parts.append(bar_table(one.differences))
    if one.segments is not None:
        parts.append(element("h3", "Segments"))
        parts.append(bar_table(one.segments))
    parts += [element("p", prose(text), class_="remark") for text in one.below]
    if one.queries is not None:
        parts.append(element("h3", "Queries to look at"))
        parts.append(cells_table(one.queries))
    if one.notes:
        parts.append(element("h3", "Warnings"))
        parts.append(_points(one.notes))
    return part(one.title, element("div", *parts, class_="group runs"))


def _points(sentences: tuple[str, ...]) -> Markup:
    if not sentences:
        return Markup("")
    return element("ul", *[point(text) for text in sentences], class_="points")
