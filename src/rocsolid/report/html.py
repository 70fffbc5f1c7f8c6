"""A page as one HTML text: its own parts, then blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rocsolid.markup import NOTHING, Markup, element, join, name
from rocsolid.report.blocks import TextBlock, methods_of
from rocsolid.report.comparison_section import comparison_section
from rocsolid.report.data import Page, Panel
from rocsolid.report.document import document
from rocsolid.report.drawn import bar_table
from rocsolid.report.panels import (
    coarse_panels,
    panel_section,
    precision_recall_panel,
    segment_tables,
)
from rocsolid.report.sections import folded, sample_size_section, section, segment_section
from rocsolid.report.table import results_table, summary
from rocsolid.report.text import Cells, cells_table, point, prose

_FIRST = "Results"
_BARS = "Dot: the value. Thick line: the interval."
_OUTER = "Thin line with ends: the certified interval."
_PARTS = 3  # of a page's own: further ones are in the last


def block_sections(blocks: Iterable[TextBlock], title: str = "") -> list[Markup]:
    """A section for each heading of level 2 except the title's; the last has all methods."""
    listed = [block for block in blocks if not block.empty]
    colours: dict[str, int] = {}
    explained: set[str] = set()
    parts: list[tuple[str, list[Markup]]] = []
    for block in listed:
        heading = block.heading if block.heading != title and block.level == 2 else ""
        if heading or not parts:
            parts.append((heading, []))
        parts[-1][-1].append(_drawn(block, colours, explained))
    if made := methods_of(listed):
        remarks = [element("p", prose(text), class_="remark") for text in made]
        parts.append(("Methods", remarks))
    parts = [(heading, content) for heading, content in parts if any(content)]
    if len(parts) > _PARTS:
        rest = parts[_PARTS - 1 :]
        nested = [element("section", element("h3", heading), *content) for heading, content in rest]
        parts = [*parts[: _PARTS - 1], (_listed([heading for heading, _ in rest]), nested)]
    return [
        folded(
            heading or _FIRST, element("div", *content, class_="group runs"), f"part-{i}",
            opened=i == 0,
        )
        for i, (heading, content) in enumerate(parts)
    ]  # fmt: skip


def _listed(headings: Sequence[str]) -> str:
    first, *others = headings
    return ", ".join([first, *(each[0].lower() + each[1:] for each in others)])


def _drawn(block: TextBlock, colours: dict[str, int], explained: set[str]) -> Markup:
    parts = [element("h3", block.heading)] if block.heading and block.level > 2 else []
    parts += [block.picture] if block.picture else []
    parts += [_table(block, block.cells, colours, explained)] if block.cells else []
    if block.more:
        more = f"The JSON output has {block.more:,} more rows."
        parts.append(element("p", more, class_="remark"))
    parts += [element("p", prose(text), class_="remark") for text in block.said if text]
    notes = [point(text) for text in block.notes]
    return join([*parts, *([element("ul", *notes, class_="points")] if notes else [])])


def _table(block: TextBlock, cells: Cells, colours: dict[str, int], explained: set[str]) -> Markup:
    bars = [bar for bar in block.bars if bar is not None]
    marks = 0 if block.mark is None else 1
    if len(bars) < len(cells.rows) or len(bars) + marks < 2:  # nothing to compare
        return cells_table(cells)
    tints = [colours.setdefault(row[0], len(colours)) for row in cells.rows]
    table = bar_table(cells, bars, tints, block.mark)
    outer = [_OUTER] if any(bar.outer is not None for bar in bars) else []
    legend = [_BARS, *outer, *([f"Dashed line: {_marked(block.mark)}."] if marks else [])]
    new = [text for text in legend if text not in explained]
    explained.update(new)
    return join([table, *([element("p", " ".join(new), class_="remark")] if new else [])])


def _marked(mark: float | None) -> str:
    return f"{mark:g}" if mark else "no difference"


_STOPS, _PAGE_STOPS = 500, 1_000


def render(page: Page, blocks: Iterable[TextBlock] = ()) -> str:
    """Render the page as one HTML text, to be written as UTF-8; ``blocks`` follow its own parts.

    A content policy with two hashes allows only the style and the script of the page.
    """
    colours = _colours(page)
    explored = any(curve.cuts for panel in page.panels for curve in panel.curves)
    scripts: tuple[str, ...] = ("explorer.js", "pictures.js") if explored else ()
    scripts += ("page.js",) if page.rows or page.panels else ()  # moves along curves
    scripts += ("points.js",) if any(large.points for large in page.large) else ()
    sections = [*_sections(page, colours), *block_sections(blocks, page.title)]
    return document(page, sections, scripts=scripts, summary=summary(page, colours))


def _sections(page: Page, colours: Mapping[str, int]) -> list[Markup]:
    rare = NOTHING
    if page.panels:
        requested = page.picture == "pr"
        rare = precision_recall_panel(page.panels[0].curves, colours, requested=requested)
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
    ]


def _curves(page: Page, colours: Mapping[str, int]) -> Markup:
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
    order = [row["score"] for row in page.rows]
    order += [curve.score for panel in page.panels for curve in panel.curves]
    return {score: i for i, score in enumerate(dict.fromkeys(order))}
