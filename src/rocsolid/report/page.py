"""The whole page: one file that needs nothing else and allows nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rocsolid.markup import NOTHING, Markup, element, join, name
from rocsolid.report import words
from rocsolid.report.blocks import TextBlock
from rocsolid.report.blocks_page import block_sections
from rocsolid.report.cells import cells_table
from rocsolid.report.coarse_panel import coarse_panels
from rocsolid.report.comparison_section import comparison_section
from rocsolid.report.data import Page, Panel
from rocsolid.report.document import document
from rocsolid.report.precision_recall_panel import precision_recall_panel
from rocsolid.report.roc_panel import panel_section, segment_tables
from rocsolid.report.sample_size_section import sample_size_section
from rocsolid.report.section import folded, section
from rocsolid.report.segment_section import segment_section
from rocsolid.report.summary import summary
from rocsolid.report.table import results_table

_STOPS, _PAGE_STOPS = 500, 1_000
_CARDS = 4  # scores that are described in words beside the table


def render(page: Page, blocks: Iterable[TextBlock] = ()) -> str:
    """The page as one HTML text, to be written as UTF-8; ``blocks`` stand below its own parts.

    It loads nothing and runs only its own script, if any: a content policy in its head names the
    two hashes. The same ``page`` gives the same text.
    """
    colours = _colours(page)
    explored = any(curve.cuts for panel in page.panels for curve in panel.curves)
    script = ("page.js",) if page.rows or page.panels else ()  # it moves along curves
    scripts = ("explorer.js", "pictures.js", *script) if explored else script
    sections = [*_sections(page, colours), *block_sections(blocks, page.title)]
    return document(page, sections, scripts=scripts, summary=summary(page, colours))


def _sections(page: Page, colours: Mapping[str, int]) -> list[Markup]:
    """In the order of reading; a section without content is left out."""
    rare = NOTHING
    if page.panels:
        asked = page.picture == "pr"
        rare = precision_recall_panel(page.panels[0].curves, colours, requested=asked)
    left_out = [element("p", text, class_="remark") for text in page.left_out]
    return [
        section("Curves and thresholds", _curves(page, colours)) if page.panels else NOTHING,
        section("Precision and recall", rare) if rare else NOTHING,
        section("Coarse curves", coarse_panels(page.coarse, colours)) if page.coarse else NOTHING,
        section("Significant differences", join([cells_table(cells) for cells in page.told_apart]))
        if page.told_apart
        else NOTHING,
        section("Scores compared", comparison_section(page.comparisons, colours))
        if page.comparisons
        else NOTHING,
        section("Segments", segment_section(page.segments, colours)) if page.segments else NOTHING,
        folded("How much more data would help", sample_size_section(page.sample_sizes, colours))
        if page.sample_sizes
        else NOTHING,
        folded("All numbers", join([results_table(page.rows, colours), *left_out]))
        if page.rows
        else NOTHING,
        folded("In words", words.answers(page, colours))
        if page.answers and page.rows and len(page.answers) <= _CARDS
        else NOTHING,
    ]


def _curves(page: Page, colours: Mapping[str, int]) -> Markup:
    """All rows, where segments that have every curve can be chosen; then the other segments."""
    first, *others = page.panels
    chosen: list[Panel] = []
    drawn: list[Panel] = []
    for panel in others:
        (chosen if _explored(panel) == _explored(first) != [] else drawn).append(panel)
    count = sum(len(panel.curves) for panel in (first, *drawn))
    stops = max(50, min(_STOPS, _PAGE_STOPS // max(1, count)))
    folded_away = [
        element(
            "details",
            element("summary", name(panel.title)),
            panel_section(panel, f"panel-{i}", colours, stops),
            class_="segment",
        )
        for i, panel in enumerate(drawn, 1)
    ]
    tables = [segment_tables(chosen)] if chosen else []
    return join(
        [
            panel_section(first, "panel-0", colours, stops, chosen, page.picture),
            *tables,
            *folded_away,
        ]
    )


def _explored(panel: Panel) -> list[str]:
    return [curve.score for curve in panel.curves if curve.cuts is not None]


def _colours(page: Page) -> dict[str, int]:
    """A number for each score, the same on the whole page."""
    order = [row["score"] for row in page.rows]
    order += [curve.score for panel in page.panels for curve in panel.curves]
    return {score: i for i, score in enumerate(dict.fromkeys(order))}
