"""The comparison of scores: a matrix of differences, their intervals, and groups."""

from __future__ import annotations

from collections.abc import Mapping

from rocsolid.markup import Markup, element, join, name
from rocsolid.pictures import svg
from rocsolid.pictures.marks import letter
from rocsolid.report.drawn import bar_table
from rocsolid.report.sections import Ends, Pair, ScoreComparison, remarks
from rocsolid.report.text import (
    Bar,
    Cells,
    cells_table,
    folded_if_long,
    measure_title,
    number,
    point,
    prose,
    scrolling,
)
from rocsolid.results.equivalence import p_text
from rocsolid.results.interval import percent

_DRAWN = 10  # pairs drawn one under the other; more of them only fill a table
_MATRIX, _ROOMY = 20, 10  # scores in the matrix, and in one that has room for every digit
_LISTED = 400  # pairs in the table
_GROUPS = 12
_CERTIFIED = "Thin line with ends: the certified interval. "
_MARKS = f"Dot: the difference. Thick line: its interval. {_CERTIFIED}Dashed line: no difference."


def comparison_section(
    comparisons: tuple[ScoreComparison, ...], colours: Mapping[str, int]
) -> Markup:
    titled = len(comparisons) > 1
    first, *others = [_comparison(one, colours, "h4" if titled else "h3") for one in comparisons]
    heads = [element("h3", measure_title(one.measure)) for one in comparisons]
    closed = [
        element("details", element("summary", head), part, class_="fold")
        for head, part in zip(heads[1:], others, strict=True)
    ]
    return join([*heads[:titled], first, *closed])


def _comparison(comparison: ScoreComparison, colours: Mapping[str, int], heading: str) -> Markup:
    parts = [element("p", prose(text)) for text in comparison.sentences]
    if comparison.pairs:
        few = len(comparison.pairs) <= _DRAWN
        if not few:
            parts.append(_matrix(comparison, colours))
        if len(comparison.pairs) > 1:
            parts.append(_groups(comparison, heading))
        if comparison.places:
            parts += [element(heading, "Places"), folded_if_long(_place_cells(comparison))]
        parts.append((_drawn if few else _folded)(comparison, colours))
    parts.append(remarks("How they were compared", comparison.below))
    if comparison.warnings:
        points = [point(text) for text in comparison.warnings]
        parts += [element(heading, "Warnings"), element("ul", *points, class_="points")]
    return element("div", *parts, class_="group compared")


def _matrix(comparison: ScoreComparison, colours: Mapping[str, int]) -> Markup:
    names = list(comparison.values)[:_MATRIX]
    dense = len(names) > _ROOMY
    pairs = {(pair.a, pair.b): pair for pair in comparison.pairs}
    heads = [
        element("th", element("span", "Score", class_="unseen"), scope="col"),
        element("th", "Value", scope="col", class_="figure"),
        *[
            element("th", _key(one, colours), element("span", one, class_="unseen"), scope="col")
            for one in names
        ],
    ]
    body = []
    for i, row in enumerate(names):
        cells = [
            element("th", _key(row, colours), " ", name(row), scope="row"),
            element(
                "td", number(comparison.values[row], comparison.decimals), class_="figure value"
            ),
        ]
        for j, column in enumerate(names):
            if i == j:
                cells.append(element("td", "", class_="own"))
                continue
            pair = pairs[(row, column) if i < j else (column, row)]
            text = _signed(pair.difference, comparison.decimals) if i < j else _p(pair)
            if dense:
                text = _short(text) if i < j else _short_p(text)
            cells.append(element("td", text, class_=_shade(pair, comparison.level)))
        body.append(element("tr", *cells))
    left = len(comparison.values) - len(names)
    caption = (
        "Above the diagonal: the value of the row minus that of the column. Below the diagonal: "
        "the adjusted p-value of that difference. Shaded: significantly different (p below "
        f"{1.0 - comparison.level:.4g}); the darker, the smaller p."
        + (
            (f" The matrix has the {_MATRIX} highest scores; {left:,} more are not in it.")
            if left
            else ""
        )
    )
    label = f"Matrix of differences of {len(names)} scores"
    table = element(
        "table",
        element("caption", label, class_="unseen"),
        element("thead", element("tr", *heads)),
        element("tbody", *body),
    )
    box = scrolling(table, label, "scroll matrix dense" if dense else "scroll matrix")
    return join([box, element("p", prose(caption), class_="remark")])


def _short(text: str) -> str:
    """Drop the zero before the point, so that twenty columns fit.

    >>> _short("+0.0123"), _short("−1.2e-05")
    ('+.0123', '−1.2e-05')
    """
    return text.replace("0.", ".", 1) if text[1:3] == "0." else text


def _short_p(text: str) -> str:
    """
    >>> _short_p("0.0123"), _short_p("<0.0001"), _short_p("1.0000")
    ('.0123', '<.0001', '1')
    """
    return "1" if text == "1.0000" else text.replace("0.", ".", 1)


def _p(pair: Pair) -> str:
    return p_text(pair.p_adjusted, floor=pair.p_adjusted_at_floor)


def _key(score: str, colours: Mapping[str, int]) -> Markup:
    index = colours.get(score, 0)
    return element("span", letter(index), class_=f"key {svg.tint(index)}", aria_hidden="true")


def _shade(pair: Pair, level: float) -> str:
    return "p" + str(sum(pair.p_adjusted < (1.0 - level) / part for part in (1, 5, 50)))


def _groups(found: ScoreComparison, heading: str) -> Markup:
    several = [group for group in found.groups if len(group) > 1]
    if not several:
        return element("p", "All pairs of scores are significantly different.")
    items = [
        element("li", *[part for one in group for part in (", ", name(one))][1:])
        for group in several[:_GROUPS]
    ]
    more = len(several) - len(items)
    after = f" The first {_GROUPS} of {len(several)}; the matrix shows the others." if more else ""
    return join(
        [
            element(heading, "Groups without a significant difference"),
            element(
                "p",
                f"No two scores of a group are significantly different.{after}",
                class_="remark",
            ),
            element("ul", *items, class_="points"),
        ]
    )


def _place_cells(comparison: ScoreComparison) -> Cells:
    rows = tuple(
        (name, number(comparison.values[name], comparison.decimals), *places)
        for name, places in list(comparison.places.items())[:_LISTED]
    )
    level = percent(comparison.level)
    caption = (
        f"Possible ranks of each score. Jointly: they hold for all scores together, at {level}. "
        "Alone: they hold for that score only."
    )
    cells = Cells(caption, ("Score", "Value", "All at once", "Alone", "Certified"), rows)
    return cells if comparison.certified else cells.without("Certified")


def _drawn(comparison: ScoreComparison, colours: Mapping[str, int]) -> Markup:
    cells = _cells(comparison)
    bars = [Bar(pair.difference, pair.limits, pair.certified) for pair in comparison.pairs]
    table = bar_table(cells, bars, [colours.get(pair.a, 0) for pair in comparison.pairs], 0.0)
    marks = _MARKS if comparison.certified else _MARKS.replace(_CERTIFIED, "")
    return join([table, element("p", marks, class_="remark")])


def _folded(comparison: ScoreComparison, _colours: Mapping[str, int]) -> Markup:
    cells = _cells(comparison)
    return element(
        "details",
        element("summary", f"The {len(comparison.pairs):,} pairs with their intervals as a table"),
        cells_table(cells),
    )


def _cells(comparison: ScoreComparison) -> Cells:
    shown = comparison.pairs
    caption = "Every pair: the difference a − b, its intervals, and p adjusted for all pairs."
    if len(shown) > _LISTED:
        shown = shown[:_LISTED]
        caption = f"Differences a − b: the first {_LISTED} of {len(comparison.pairs):,} pairs."
    rows = tuple(
        (
            pair.a,
            pair.b,
            _signed(pair.difference, comparison.decimals),
            _ends(pair.limits, comparison.decimals),
            _ends(pair.certified, comparison.decimals),
            _p(pair),
        )
        for pair in shown
    )
    level = percent(comparison.level)
    heads = ("a", "b", "a − b", f"{level} interval", "certified", "p, adjusted")
    cells = Cells(caption, heads, rows, names=2)
    return cells if comparison.certified else cells.without("certified")


def _signed(value: float, decimals: int) -> str:
    if value == 0.0:
        return "0"
    text = f"{value:+.{decimals}f}"
    if float(text) == 0.0:
        text = f"{value:+.1e}"
    return text.replace("-", "−")


def _ends(ends: Ends | None, decimals: int) -> str:
    if ends is None:
        return "none"
    return " to ".join(_signed(end, decimals) for end in ends)
