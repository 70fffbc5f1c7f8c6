"""A page of any result that says itself in blocks, with charts where it has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocsolid.markup import Markup, element, join
from rocsolid.report.blocks import TextBlock
from rocsolid.report.cells import cells_table
from rocsolid.report.data import Page
from rocsolid.report.document import document
from rocsolid.report.leak_data import EXACT_FIGURES, LeakReport
from rocsolid.report.line_chart import LineChart, figure
from rocsolid.report.section import section
from rocsolid.report.text import point, prose

_FIRST = "Results"


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
    listed = [one for one in blocks if one.cells or one.said or one.notes]
    first = listed[0] if listed else TextBlock()
    named = title or first.heading or (first.cells.caption if first.cells else _FIRST)
    parts: list[tuple[str, list[Markup]]] = []
    for one in listed:
        if (one.heading and one.heading != named) or not parts:
            new = one.heading if one.heading != named else ""
            parts.append((new or _FIRST, []))
        parts[-1][1].append(_drawn(one))
    drawn = [_chart(one, f"chart-{i}") for i, one in enumerate(charts)]
    pictures = [section("In a picture", join(drawn))] if drawn else []
    shown = [section(head, join(found), f"part-{i}") for i, (head, found) in enumerate(parts)]
    page = Page(named, (), command=command, verdict=tuple(verdict), leaks=leaks)
    return document(page, [*pictures, *shown])


def _chart(chart: LineChart, identity: str) -> Markup:
    return figure(chart, identity, {line.name: i for i, line in enumerate(chart.lines)})


def _drawn(block: TextBlock) -> Markup:
    parts = [cells_table(block.cells)] if block.cells else []
    parts += [element("p", prose(text), class_="remark") for text in block.said if text]
    notes = [point(text) for text in block.notes]
    return join([*parts, *([element("ul", *notes, class_="points")] if notes else [])])
