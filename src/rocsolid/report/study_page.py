"""A page of line charts and tables, group by group, in the frame of every other page."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.report import words
from rocsolid.report.cells import Cells, cells_table
from rocsolid.report.data import Page
from rocsolid.report.document import document, section
from rocsolid.report.line_chart import LineChart, figure, key
from rocsolid.report.markup import Markup, element
from rocsolid.report.text import prose


@dataclass(frozen=True, slots=True, eq=False)
class ChartGroup:
    """Charts that belong together: their lines keep their colours from one to the next.

    A group may also be words alone, or words and ``tables``, which come last.
    """

    title: str
    paragraphs: tuple[str, ...]
    charts: tuple[LineChart, ...]
    tables: tuple[Cells, ...] = ()


def render_study(page: Page, groups: tuple[ChartGroup, ...]) -> str:
    """The page as one HTML text without any script, to be written as UTF-8.

    Of ``page`` it takes the title, the lead, the notes, the facts and the command.
    """
    sections = [_group(group, f"figure-{i}") for i, group in enumerate(groups)]
    sections += [
        section("How the numbers were made", words.methods(page)) if page.notes else Markup(""),
        section("Where this page comes from", words.provenance(page)),
    ]
    return document(page.title, words.header(page), sections)


def _group(group: ChartGroup, identity: str) -> Markup:
    names = dict.fromkeys(line.name for chart in group.charts for line in chart.lines)
    colours = {name: i for i, name in enumerate(names)}
    figures = [figure(chart, f"{identity}-{i}", colours) for i, chart in enumerate(group.charts)]
    drawings = [key(colours), element("div", *figures, class_="charts")] if figures else []
    paragraphs = [element("p", prose(text)) for text in group.paragraphs]
    tables = map(cells_table, group.tables)
    content = element("div", *paragraphs, *drawings, *tables, class_="group")
    return section(group.title, content)
