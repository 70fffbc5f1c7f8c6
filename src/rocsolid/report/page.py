"""The whole page: one file that needs nothing else and allows nothing else."""

from __future__ import annotations

from rocsolid.report import words
from rocsolid.report.cells import cells_table
from rocsolid.report.coarse_panel import coarse_panels
from rocsolid.report.comparison_section import comparison_section
from rocsolid.report.data import Page
from rocsolid.report.document import document
from rocsolid.report.markup import Markup, element, join
from rocsolid.report.roc_panel import panel_section
from rocsolid.report.sample_size_section import sample_size_section
from rocsolid.report.section import section
from rocsolid.report.segment_section import segment_section
from rocsolid.report.table import results_table

_STOPS, _PAGE_STOPS = 500, 1_000


def render(page: Page) -> str:
    """The page as one HTML text, to be written as UTF-8.

    It loads nothing and runs only its own script: a content policy in its head names the two
    hashes. The same ``page`` gives the same text.
    """
    return document(page, _sections(page), script="page.js")


def _sections(page: Page) -> list[Markup]:
    """In the order of reading; a section without content is left out."""
    colours = _colours(page)
    curves = sum(len(panel.curves) for panel in page.panels)
    stops = max(50, min(_STOPS, _PAGE_STOPS // max(1, curves)))
    panels = [
        panel_section(panel, f"panel-{i}", colours, stops) for i, panel in enumerate(page.panels)
    ]
    left_out = [element("p", text, class_="remark") for text in page.left_out]
    return [
        section("In short", words.answers(page, colours)) if page.answers else Markup(""),
        section("Results", join([results_table(page.rows, colours), *left_out]))
        if page.rows
        else Markup(""),
        section("Curves and ranks", join(panels)) if panels else Markup(""),
        section("Coarse curves", coarse_panels(page.coarse, colours))
        if page.coarse
        else Markup(""),
        section("Significant differences", join([cells_table(cells) for cells in page.told_apart]))
        if page.told_apart
        else Markup(""),
        section("Scores compared", comparison_section(page.comparisons, colours))
        if page.comparisons
        else Markup(""),
        section("Segments", segment_section(page.segments, colours))
        if page.segments
        else Markup(""),
        section("How much more data would help", sample_size_section(page.sample_sizes, colours))
        if page.sample_sizes
        else Markup(""),
    ]


def _colours(page: Page) -> dict[str, int]:
    """A number for each score, the same on the whole page."""
    order = [row["score"] for row in page.rows]
    order += [curve.score for panel in page.panels for curve in panel.curves]
    return {score: i for i, score in enumerate(dict.fromkeys(order))}
