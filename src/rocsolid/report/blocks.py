"""Blocks: the contents of a result, which every form renders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rocsolid.markup import NOTHING, Markup, element, join, name
from rocsolid.report.data import Page, Panel
from rocsolid.report.sections import folded, sample_size_section, section, segment_section
from rocsolid.report.text import (
    Bar,
    Cells,
    bar_table,
    cells_table,
    escape_markdown,
    latex_table,
    markdown_points,
    markdown_table,
    point,
    prose,
)
from rocsolid.visible import visible


@dataclass(frozen=True, slots=True)
class Form:
    """An output format; its tables have up to ``rows`` rows, ``None`` for all.

    A ``narrow`` line has 78 letters. ``paper`` omits what publications do not print. ``per_query``
    adds the value of each query.
    """

    name: str
    rows: int | None = None
    narrow: bool = False
    paper: bool = False
    verdict: bool = False
    per_query: bool = False


BRIEF = Form("brief", 60, narrow=True, verdict=True)
TERMINAL = Form("terminal", 60, narrow=True, verdict=True)
NOTEBOOK = Form("notebook", 40, verdict=True)
MARKDOWN = Form("markdown")
LATEX = Form("latex", paper=True)
PAGE = Form("page", verdict=True)


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A heading, a table, sentences, warnings and methods; each may be missing.

    ``bars`` are the intervals of the rows (``None`` for a row without one), and ``mark`` is a
    reference value. ``more`` rows did not fit, and ``hidden`` names what a short form leaves out. A
    heading of ``level`` 3 belongs to the preceding heading of level 2.
    """

    heading: str = ""
    cells: Cells | None = None
    said: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    bars: tuple[Bar | None, ...] = ()
    mark: float | None = None
    more: int = 0
    picture: Markup = NOTHING
    level: int = 2
    hidden: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        shown = (self.heading, self.cells, self.said, self.notes, self.methods, self.picture)
        return not any(shown) and not self.more


def methods_of(blocks: Iterable[TextBlock]) -> tuple[str, ...]:
    """All methods, each sentence once."""
    return tuple(dict.fromkeys(text for block in blocks for text in block.methods))


def as_markdown(blocks: Iterable[TextBlock]) -> str:
    """Tables under their headings with their sentences, and the methods.

    >>> print(as_markdown([TextBlock("Runs", Cells("All.", ("run",), (("a",),)), (), ("Few.",))]))
    ## Runs
    <BLANKLINE>
    All.
    <BLANKLINE>
    | run |
    |:--|
    | a |
    <BLANKLINE>
    - Few.
    <BLANKLINE>
    """
    listed = list(blocks)
    parts: list[str] = []
    for block in listed:
        hashes = "#" * block.level
        parts += [f"{hashes} {escape_markdown(block.heading)}"] if block.heading else []
        parts += [] if block.cells is None else [markdown_table(block.cells)]
        parts += [escape_markdown(text) for text in block.said if text]
        parts += markdown_points(block.notes)
    made = [escape_markdown(text) for text in methods_of(listed)]
    parts += ["## Methods", *made] if made else []
    return "\n\n".join(parts) + "\n"


def as_latex(blocks: Iterable[TextBlock]) -> str:
    """A float for each table with its notes; comments for blocks without a table."""
    parts = []
    heading = ""
    for block in blocks:
        heading = block.heading or heading
        sentences = [text for text in (*block.methods, *block.said, *block.notes) if text]
        if block.cells is None:
            parts += [f"% {visible(text)}" for text in sentences]
            continue
        first = [_sentence(text) for text in (heading, block.cells.caption)]
        caption = " ".join(text for text in first if text)
        parts.append(latex_table(replace(block.cells, caption=caption), sentences))
    return "\n\n".join(parts) + "\n"


def _sentence(text: str) -> str:
    return text if not text or text.endswith(".") else f"{text}."


_FIRST = "Results"
_BARS = "Dot: the value. Thick line: the interval."
_OUTER = "Thin line with ends: the certified interval."
_PARTS = 3  # of a page's own: further ones are in the last


def block_sections(blocks: Iterable[TextBlock], title: str = "") -> list[Markup]:
    """A section for each heading of level 2 except the title's; the last section has all methods.

    All sections except the first are folded, and from the third on they are merged.
    """
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
    from rocsolid.report.document import document
    from rocsolid.report.table import summary

    colours = _colours(page)
    explored = any(curve.cuts for panel in page.panels for curve in panel.curves)
    scripts: tuple[str, ...] = ("explorer.js", "pictures.js") if explored else ()
    scripts += ("page.js",) if page.rows or page.panels else ()  # moves along curves
    scripts += ("points.js",) if any(large.points for large in page.large) else ()
    sections = [*_sections(page, colours), *block_sections(blocks, page.title)]
    return document(page, sections, scripts=scripts, summary=summary(page, colours))


def _sections(page: Page, colours: Mapping[str, int]) -> list[Markup]:
    from rocsolid.report.comparison_section import comparison_section
    from rocsolid.report.panels import coarse_panels, precision_recall_panel
    from rocsolid.report.table import results_table

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
    from rocsolid.report.panels import panel_section, segment_tables

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


_LEFT, _RIGHT = "text-align: left", "text-align: right"


def blocks_output(blocks: Iterable[TextBlock], card: Markup) -> Markup:
    """The card, and folded below it every table and all sentences."""
    listed = list(blocks)
    said: list[str] = []
    for block in listed:
        said += [f"{block.more:,} more results are in .results."] if block.more else []
        said += [*block.said, *block.notes]
    tables = [block.cells for block in listed if block.cells is not None]
    every = notebook_output(tables, [*said, *methods_of(listed)])
    folded_away = element("details", element("summary", "All numbers and methods"), every)
    return element("div", card, folded_away)


def notebook_output(tables: Sequence[Cells], sentences: Sequence[str]) -> Markup:
    """The tables, each under its caption, then the sentences as a list.

    >>> print(notebook_output([Cells("", ("run", "map"), (("a<b", "0.5"),))], []))
    <div><table><thead><tr><th scope="col" style="text-align: left">run</th><th scope="col"
    style="text-align: right">map</th></tr></thead><tbody><tr><th scope="row" style="text-align:
    left"><bdi>a&lt;b</bdi></th><td style="text-align: right">0.5</td></tr></tbody></table></div>
    """
    said = [element("ul", *[element("li", prose(text)) for text in sentences])] if sentences else []
    return element("div", *[_notebook_table(cells) for cells in tables], *said)


def _notebook_table(cells: Cells) -> Markup:
    sides = [_LEFT if i < cells.names else _RIGHT for i in range(len(cells.heads))]
    head = [
        element("th", text, scope="col", style=side)
        for text, side in zip(cells.heads, sides, strict=True)
    ]
    body = [
        element(
            "tr",
            element("th", name(row[0]), scope="row", style=_LEFT),
            *[
                element("td", name(text) if i < cells.names else text, style=sides[i])
                for i, text in enumerate(row[1:], start=1)
            ],
        )
        for row in cells.rows
    ]
    caption = [element("caption", prose(cells.caption), style=_LEFT)] if cells.caption else []
    return element(
        "table", *caption, element("thead", element("tr", *head)), element("tbody", *body)
    )
