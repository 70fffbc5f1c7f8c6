"""A page of line charts and tables, group by group."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.markup import Markup, element
from rocsolid.pictures.marks import LineChart
from rocsolid.report.data import Page, Panel
from rocsolid.report.document import document
from rocsolid.report.drawn import figure, key
from rocsolid.report.rate_drawings import rank_strips, roc_drawing
from rocsolid.report.sections import section
from rocsolid.report.text import Cells, cells_table, prose


@dataclass(frozen=True, slots=True, eq=False)
class ChartGroup:
    """Charts that share their lines' colours, with paragraphs and tables.

    ``tables`` come last; ``panels`` are ROC curves with the ranks of their positives. ``anchor`` is
    the end of a link to the group; its charts have the anchors ``anchor``-0, ``anchor``-1 and so
    on.
    """

    title: str
    paragraphs: tuple[str, ...]
    charts: tuple[LineChart, ...] = ()
    tables: tuple[Cells, ...] = ()
    panels: tuple[Panel, ...] = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class StudyPage:
    frame: Page
    groups: tuple[ChartGroup, ...]


@dataclass(frozen=True, slots=True)
class Link:
    text: str
    href: str
    here: bool = False

    def element(self) -> Markup:
        return element("a", self.text, href=self.href, aria_current="page" if self.here else False)


def render_study(page: Page, groups: tuple[ChartGroup, ...], links: Sequence[Link] = ()) -> str:
    """Return the page as one HTML text without scripts.

    ``page`` supplies the title, the lead, the notes, the facts and the command. ``links`` lead to
    the other pages of a site.
    """
    sections = [_group(group, f"figure-{i}") for i, group in enumerate(groups)]
    return document(page, sections, before=_links(links))


def _links(links: Sequence[Link]) -> Markup:
    if not links:
        return Markup("")
    entries = [element("li", link.element()) for link in links]
    return element("nav", element("ul", *entries), class_="site", aria_label="Pages of this site")


def _group(group: ChartGroup, default: str) -> Markup:
    identity = group.anchor or default
    names = dict.fromkeys(line.name for chart in group.charts for line in chart.lines)
    colours = {name: i for i, name in enumerate(names)}
    figures = [figure(chart, f"{identity}-{i}", colours) for i, chart in enumerate(group.charts)]
    drawings = [key(colours), element("div", *figures, class_="charts")] if figures else []
    paragraphs = [element("p", prose(text)) for text in group.paragraphs]
    curves = [_panel(panel, f"{identity}-curve-{i}") for i, panel in enumerate(group.panels)]
    pictures = [element("div", *curves, class_="charts")] if curves else []
    tables = map(cells_table, group.tables)
    content = element("div", *paragraphs, *drawings, *pictures, *tables, class_="group")
    return section(group.title, content, group.anchor)


def _panel(panel: Panel, identity: str) -> Markup:
    colours = {curve.score: i for i, curve in enumerate(panel.curves)}
    nowhere = [np.empty(0, dtype=np.intp) for _ in panel.curves]
    ranked = [curve for curve in panel.curves if curve.ranks is not None]
    return element(
        "article",
        element("h3", panel.title, id=identity),
        element("figure", roc_drawing(panel, identity, colours, nowhere), class_="pictures"),
        rank_strips(panel.title, ranked, identity, colours) if ranked else Markup(""),
        class_="chart",
    )
