"""A page of any result that says itself in blocks, with charts where it has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocsolid.markup import Markup, element, join
from rocsolid.pictures.lines import LineChart
from rocsolid.report.bars import BarRow, BarTable, bar_table
from rocsolid.report.blocks import TextBlock, methods_of
from rocsolid.report.cells import Cells, cells_table
from rocsolid.report.data import Page
from rocsolid.report.document import document
from rocsolid.report.leak_data import EXACT_FIGURES, LeakReport
from rocsolid.report.line_chart import figure
from rocsolid.report.section import section
from rocsolid.report.text import point, prose

_FIRST = "Results"
_BARS = "Dot: the value. Thick line: the interval."
_OUTER = "Thin line with ends: the certified interval."


def as_html(
    blocks: Iterable[TextBlock],
    *,
    title: str = "",
    command: str = "",
    verdict: Sequence[str] = (),
    charts: Sequence[LineChart] = (),
    leaks: LeakReport = EXACT_FIGURES,
) -> str:
    """One HTML text, complete in itself; ``verdict`` stands first, then charts, then the blocks.

    Without a title it is the first heading, or the caption of the first table.

    >>> page = as_html([TextBlock("Runs", None, ("All of them.",), ("Few.",))])
    >>> "<h1><bdi>Runs</bdi></h1>" in page, '<li>Few.</li>' in page
    (True, True)
    """
    listed = list(blocks)
    first = next((one for one in listed if not one.empty), TextBlock())
    named = title or first.heading or (first.cells.caption if first.cells else _FIRST)
    page = Page(named, (), command=command, verdict=tuple(verdict), leaks=leaks)
    drawn = [_chart(one, f"chart-{i}") for i, one in enumerate(charts)]
    pictures = [section("In a picture", join(drawn))] if drawn else []
    return document(page, [*pictures, *block_sections(listed, named)])


def block_sections(blocks: Iterable[TextBlock], title: str = "") -> list[Markup]:
    """A section for each heading of level 2 that is not the title's; all methods in the last.

    How to read a drawing is said once.
    """
    listed = [block for block in blocks if not block.empty]
    colours: dict[str, int] = {}
    explained: set[str] = set()
    parts: list[tuple[str, list[Markup]]] = []
    for block in listed:
        heading = block.heading if block.heading != title and block.level == 2 else ""
        if heading or not parts:
            parts.append((heading, []))
        parts[-1][1].append(_drawn(block, colours, explained))
    if made := methods_of(listed):
        remarks = [element("p", prose(text), class_="remark") for text in made]
        parts.append(("Methods", remarks))
    shown = [(head or _FIRST, join(content)) for head, content in parts]
    return [
        section(head, element("div", content, class_="group runs"), f"part-{i}")
        for i, (head, content) in enumerate(shown)
        if content
    ]


def _chart(chart: LineChart, identity: str) -> Markup:
    return figure(chart, identity, {line.name: i for i, line in enumerate(chart.lines)})


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
    """With the intervals drawn beside the numbers, a score in one colour on the whole page."""
    bars = [bar for bar in block.bars if bar is not None]
    marks = 0 if block.mark is None else 1
    if len(bars) < len(cells.rows) or len(bars) + marks < 2:  # nothing to compare
        return cells_table(cells)
    rows = tuple(
        BarRow(row[: cells.names], row[cells.names :], bar, _colour(row[0], colours))
        for row, bar in zip(cells.rows, bars, strict=True)
    )
    table = bar_table(BarTable(cells.caption, cells.heads, rows, block.mark))
    outer = [_OUTER] if any(bar.outer is not None for bar in bars) else []
    legend = [_BARS, *outer, *([f"Dashed line: {_marked(block.mark)}."] if marks else [])]
    new = [text for text in legend if text not in explained]
    explained.update(new)
    return join([table, *([element("p", " ".join(new), class_="remark")] if new else [])])


def _marked(mark: float | None) -> str:
    return f"{mark:g}" if mark else "no difference"


def _colour(name: str, colours: dict[str, int]) -> int:
    return colours.setdefault(name, len(colours))
