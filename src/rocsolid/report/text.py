"""Numbers and tables in the page's notation."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.markup import Markup, element
from rocsolid.remarks.remark import Remark
from rocsolid.results.card import measure_title as measure_title
from rocsolid.results.interval import certificates_wanted
from rocsolid.results.plain import Plain
from rocsolid.visible import visible


def number(value: float, decimals: int = 4) -> str:
    """Format with four decimals; a value close to 0 or 1 is not rounded to 0 or 1.

    >>> number(0.83125), number(0.99999), number(1.0), number(0.00001), number(float("nan"))
    ('0.8313', '>0.9999', '1', '<0.0001', 'not defined')
    >>> number(0.0312346, 6)
    '0.031235'
    """
    if math.isnan(value):
        return "not defined"
    if value in (0.0, 1.0):
        return f"{value:g}"
    text = f"{value:.{decimals}f}"
    if float(text) not in (0.0, 1.0):
        return text
    return f"<{10**-decimals:.{decimals}f}" if value < 0.5 else f">{1 - 10**-decimals:.{decimals}f}"


def span(low: float, high: float, decimals: int = 4) -> str:
    """An interval.

    >>> span(0.61, 1.0)
    '0.6100 – 1'
    """
    return f"{number(low, decimals)} – {number(high, decimals)}"


def share(value: float) -> str:
    """A share in percent: one decimal, or two digits below one percent; only 0 and 1 are round.

    >>> share(0.8014), share(0.0042), share(1e-9), share(0.9999), share(0.0), share(1.0)
    ('80.1 %', '0.42 %', '<0.001 %', '>99.9 %', '0 %', '100 %')
    """
    if value in (0.0, 1.0):
        return f"{100 * value:g} %"
    if value < 0.00995:
        return f"{100 * value:.2g} %" if value >= 0.00001 else "<0.001 %"
    return f"{100 * value:.1f} %" if value < 0.9995 else ">99.9 %"


def width(value: float) -> str:
    """A width or half-width: four decimals, or two digits if it is very small.

    >>> width(0.0312), width(0.000123)
    ('0.0312', '0.00012')
    """
    return f"{value:.4f}" if value >= 0.001 else f"{value:.2g}"


def threshold(value: float) -> str:
    """A score, to six significant digits.

    >>> threshold(0.43212345), threshold(float("inf")), threshold(3.0)
    ('0.432123', '∞', '3')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.6g}".replace("-", "−")


def prose(text: str) -> str:
    """A sentence whose percent signs stay on the line of their numbers.

    >>> prose("at 95 % or so") == "at 95\N{NO-BREAK SPACE}% or so"
    True
    """
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def point(sentence: str) -> Markup:
    """A sentence in a list; the sentence of a check has its code as an attribute.

    >>> from rocsolid.remarks.rows import ReversedScore
    >>> print(point(ReversedScore())[:33])
    <li data-check="ROC011">Positives
    """
    return element("li", prose(sentence), data_check=code_of(sentence) or False)


def code_of(sentence: str) -> str:
    return sentence.code if isinstance(sentence, Remark) else ""


@dataclass(frozen=True, slots=True)
class Cells(Plain):
    """A small table: a caption, heads, rows. The first ``names`` columns name the row.

    ``sentences`` allows cells with long texts, which wrap.
    """

    caption: Annotated[str, "What it shows."]
    heads: Annotated[tuple[str, ...], "Heads."]
    rows: Annotated[tuple[tuple[str, ...], ...], "Rows."]
    names: int = 1
    sentences: bool = False
    _json = "caption heads rows"

    def without(self, head: str) -> Cells:
        """Return the table without a column.

        >>> Cells("Two.", ("a", "b"), (("1", "2"),)).without("a").rows
        (('2',),)
        """
        kept = [place for place, own in enumerate(self.heads) if own != head]
        rows = tuple(tuple(row[place] for place in kept) for row in self.rows)
        return replace(self, heads=tuple(self.heads[place] for place in kept), rows=rows)


def certificates_of_rows(rows: Iterable[Mapping[str, Any]]) -> bool:
    """Whether results, in their JSON form, were requested with certified intervals."""
    return any(certificates_wanted(row.get("settings", {})) for row in rows)


_LONG = 8
_NAME = {"class_": "name"}  # in a table of figures, whose cells need no class


def folded_if_long(cells: Cells, most: int = _LONG) -> Markup:
    """The table, folded if it has many rows. The script makes long tables searchable.

    >>> folded_if_long(Cells("Few.", ("Name",), (("a",),))).startswith("<details")
    False
    >>> folded_if_long(Cells("Many.", ("Name",), (("a",),) * 9)).startswith("<details")
    True
    """
    table = cells_table(cells)
    if len(cells.rows) <= most:
        return table
    summary = f"{prose(cells.caption).partition('.')[0]}: {counted(len(cells.rows), 'row')}"
    return element("details", element("summary", summary), table, class_="long")


def cells_table(cells: Cells) -> Markup:
    """The table under its caption."""
    head = [
        element("th", text, scope="col", **(_NAME if 0 < i < cells.names else {}))
        for i, text in enumerate(cells.heads)
    ]
    body = [
        element(
            "tr",
            element("th", row[0], scope="row"),
            *[element("td", text, **_NAME) for text in row[1 : cells.names]],
            *[element("td", text) for text in row[cells.names :]],
        )
        for row in cells.rows
    ]
    kind = "scroll review worded" if cells.sentences else "scroll review"
    return figures_table(cells.caption, head, body, kind)


def figures_table(
    caption: str, heads: Iterable[str], rows: Iterable[Markup], kind: str = "scroll"
) -> Markup:
    """Rows of figures under their heads, which are texts or cells, in a box that scrolls."""
    cells = [
        head if isinstance(head, Markup) else element("th", head, scope="col") for head in heads
    ]
    table = element(
        "table",
        element("caption", prose(caption)),
        element("thead", element("tr", *cells)),
        element("tbody", *rows),
        class_="figures",
    )
    return scrolling(table, caption, kind)


def scrolling(table: Markup, label: str, kind: str = "scroll") -> Markup:
    return element("div", table, class_=kind, role="group", tabindex=0, aria_label=label)


_MINUS = re.compile(r"(?<![\w.)-])-(?=\.?\d)")
_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
    "−": r"$-$",
    "–": "--",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "≥": r"$\ge$",
    "≤": r"$\le$",
    "χ": r"$\chi$",
    "²": r"$^2$",
    "…": r"\ldots{}",
    "\N{NO-BREAK SPACE}": "~",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def latex_table(cells: Cells, notes: Iterable[str] = ()) -> str:
    """A table float for the booktabs package, with its caption, and notes below.

    >>> print(latex_table(Cells("Means.", ("run", "ndcg@10"), (("bm25_b", "-0.5060"),))))
    \\begin{table}
      \\centering
      \\caption{Means.}
      \\begin{tabular}{lr}
        \\toprule
        run & ndcg@10 \\\\
        \\midrule
        bm25\\_b & $-$0.5060 \\\\
        \\bottomrule
      \\end{tabular}
    \\end{table}
    """
    columns = "".join("l" if i < cells.names else "r" for i in range(len(cells.heads)))
    inside = ["\\toprule", _line(cells.heads), "\\midrule", *map(_line, cells.rows), "\\bottomrule"]
    lines = [
        "\\begin{table}",
        "  \\centering",
        f"  \\caption{{{escape(cells.caption)}}}",
        f"  \\begin{{tabular}}{{{columns}}}",
        *(f"    {line}" for line in inside),
        "  \\end{tabular}",
        *(f"  \\par\\smallskip\\footnotesize {escape(_MINUS.sub('−', text))}" for text in notes),
        "\\end{table}",
    ]
    return "\n".join(lines)


def escape(text: str) -> str:
    """Escape text for LaTeX.

    >>> print(escape("95 % of a_b"))
    95 \\% of a\\_b
    """
    return "".join(_SIGNS.get(sign, sign) for sign in visible(text))


def _line(row: tuple[str, ...]) -> str:
    return f"{' & '.join(escape(_MINUS.sub('−', cell)) for cell in row)} \\\\"


def markdown_table(cells: Cells) -> str:
    """A GitHub table with its caption above.

    >>> print(markdown_table(Cells("Means.", ("run", "ndcg@10"), (("a|b", "0.5060"),))))
    Means.
    <BLANKLINE>
    | run | ndcg@10 |
    |:--|--:|
    | a\\|b | 0.5060 |
    """
    sides = [":--" if i < cells.names else "--:" for i in range(len(cells.heads))]
    lines = [_markdown_row(cells.heads), f"|{'|'.join(sides)}|", *map(_markdown_row, cells.rows)]
    return "\n".join([escape_markdown(cells.caption), "", *lines])


def markdown_points(sentences: Sequence[str]) -> list[str]:
    return ["\n".join(f"- {escape_markdown(text)}" for text in sentences)] if sentences else []


def escape_markdown(text: str) -> str:
    """Escape text for Markdown.

    >>> escape_markdown("a_run*")
    'a\\\\_run\\\\*'
    """
    return "".join(f"\\{sign}" if sign in "\\`*_|<>[]" else sign for sign in visible(text))


def _markdown_row(row: tuple[str, ...]) -> str:
    return f"| {' | '.join(map(escape_markdown, row))} |"


@dataclass(frozen=True, slots=True)
class Bar:
    """A dot, a thick line and a thin line; a line with an infinite end is not drawn."""

    value: float
    inner: tuple[float, float]
    outer: tuple[float, float] | None = None
