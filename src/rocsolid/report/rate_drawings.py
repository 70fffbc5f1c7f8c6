"""Drawings of rates: operating points, ranks, ROC curves and close-ups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.markup import Markup, element, name
from rocsolid.pictures import svg
from rocsolid.pictures.marks import AreaMark, DotsMark, LineMark, Mark, Picture, letter
from rocsolid.pictures.rates import ROC, WHOLE, Box, RateCurve, Rates, Seen, rates_picture
from rocsolid.pictures.roc import RankStrip, strips_picture
from rocsolid.report.data import (
    CoarseCurve,
    CutPoint,
    FloatArray,
    Panel,
    RankBins,
    RankMarks,
    ScoreCurve,
    Zoom,
)
from rocsolid.report.explorer import cut_data
from rocsolid.report.text import figures_table, number, prose, share, threshold
from rocsolid.results.interval import percent
from rocsolid.summaries.products import dot

_ROUNDED = (
    "Thresholds are shown to six significant digits, which can move the row at a threshold to "
    "the other side; rocsolid curve --json prints them in full."
)
_IN_WORDS = 6  # curves; with more of them the tables alone


def operating_points(panel: Panel, identity: str) -> Markup:
    if not any(curve.points for curve in panel.curves):
        return Markup("")
    lists = [
        _of_one(curve, i, len(panel.curves)) for i, curve in enumerate(panel.curves) if curve.points
    ]
    points = [point for curve in panel.curves for point in curve.points]
    remarks: list[str] = list(dict.fromkeys(text for point in points for text in point.warnings))
    explored = any(curve.cuts for curve in panel.curves)  # which shows them in full
    if not explored and any(point.threshold != float(f"{point.threshold:.6g}") for point in points):
        remarks.append(_ROUNDED)
    heading = f"{identity}-points"
    return element(
        "div",
        element("h4", "Operating points", id=heading),
        *lists,
        *[element("p", prose(text), class_="remark") for text in (*_intervals(panel), *remarks)],
        class_="operating",
    )


def _of_one(curve: ScoreCurve, order: int, curves: int) -> Markup:
    said = [] if curves > _IN_WORDS else [sentence(point, curve.rule) for point in curve.points]
    items = [element("li", prose(text)) for text in said]
    worded = [element("details", element("summary", "The same in words"),
                      element("ol", *items, class_="points"))]  # fmt: skip
    title = f"Operating points of {curve.score}"
    first = " chosen" if order == 0 else ""
    return element(
        "div",
        *([element("h5", name(curve.score))] if curves > 1 else []),
        _table(curve, title),
        *(worded if items else []),
        class_=f"of-one{first}",
        data_of=str(order),
    )


def sentence(point: CutPoint, rule: str) -> str:
    """A sentence on the effect of the threshold.

    >>> sentence(CutPoint("Given", 0.61, 0.8, 0.05, (0.62, 0.9), (0.03, 0.08)), "≥")
    'Flagging scores ≥ 0.61 finds 80.0 % (62.0 to 90.0 %) of the positives and flags 5.0 % (3.0 to
    8.0 %) of the negatives.'
    """
    return (
        f"Flagging scores {rule} {threshold(point.threshold)} finds "
        f"{_with_limits(point.tpr, point.tpr_limits)} of the positives and flags "
        f"{_with_limits(point.fpr, point.fpr_limits)} of the negatives."
    )


def _with_limits(value: float, limits: Rates | None) -> str:
    if limits is None:
        return share(value)
    return f"{share(value)} ({share(limits[0])[:-2]} to {share(limits[1])})"


def _intervals(panel: Panel) -> list[str]:
    kinds: dict[tuple[float, str], list[int]] = {}
    for curve in panel.curves:
        for order, point in enumerate(curve.points, start=1):
            if point.tpr_limits is not None:
                kinds.setdefault((point.level, point.method), []).append(order)
    return [
        f"In brackets: {percent(level)} intervals"
        + (f" ({method}) for {', '.join(map(str, orders))}." if len(kinds) > 1 else ".")
        for (level, method), orders in kinds.items()
    ]


def _table(curve: ScoreCurve, title: str) -> Markup:
    heads = ("Chosen as", f"Threshold ({curve.rule})", "Sensitivity", "Specificity")
    rows = []
    for order, point in enumerate(curve.points, start=1):
        specificity = None
        if point.fpr_limits is not None:
            specificity = (1.0 - point.fpr_limits[1], 1.0 - point.fpr_limits[0])
        rows.append(
            element(
                "tr",
                element("th", f"{order}. {point.chosen}", scope="row", class_="words"),
                element("td", threshold(point.threshold)),
                _rate(point.tpr, point.tpr_limits),
                _rate(1.0 - point.fpr, specificity),
            )
        )
    return figures_table(title, heads, rows)


def _rate(value: float, limits: Rates | None) -> Markup:
    small = []
    if limits is not None:
        small = [element("small", f"{share(limits[0])[:-2]} – {share(limits[1])}")]
    return element("td", share(value), *small)


_ROW = 52.0


def rank_strips(
    title: str, curves: Sequence[ScoreCurve], identity: str, colours: Mapping[str, int]
) -> Markup:
    strips = [_strip(curve, curve.ranks, colours, several=len(curves) > 1) for curve in curves
              if curve.ranks is not None]  # fmt: skip
    picture = svg.drawing(
        strips_picture(strips, f"Ranks of the positives of {title}", inside=True),
        f"{identity}-ranks",
        svg.Frame(top=0, height=_ROW * (len(strips) + 0.1)),
        class_="ranks",
    )
    one_by_one = all(isinstance(curve.ranks, RankMarks) for curve in curves)
    caption = element(
        "figcaption",
        element("strong", "Ranks of the positives. "),
        "Each mark is a positive example, at the share of negatives ranked below it; the "
        "average of these shares is the AUC. "
        if one_by_one
        else "Each positive example is counted by the share of negatives ranked below it; the "
        "average of these shares is the AUC. ",
        "A positive is directly below its step of the curve, and tied positives are below the "
        "middle of their slope.",
    )
    averages = [
        element(
            "li",
            element("strong", name(curve.score)),
            ": the average positive example is ranked above ",
            prose(share(curve.ranks.mean)),
            " of the negatives.",
        )
        for curve in curves
        if curve.ranks is not None
    ]
    figure = element(
        "figure",
        picture,
        caption,
        element("ul", *averages, class_="averages"),
        rank_table(title, curves),
        class_="pictures",
    )
    return element("details", element("summary", "Ranks of the positives"), figure, class_="strips")


def _strip(
    curve: ScoreCurve, ranks: RankMarks | RankBins, colours: Mapping[str, int], *, several: bool
) -> RankStrip:
    tint = colours[curve.score]
    name = f"{letter(tint)} {curve.score}" if several else curve.score
    placed = ranks.ranks if isinstance(ranks, RankMarks) else (ranks.edges, ranks.counts)
    return RankStrip(name, ranks.mean, f"average {number(ranks.mean)}", placed, tint)


_BINS = 10


def rank_table(title: str, curves: Sequence[ScoreCurve]) -> Markup:
    heads = ["Score", "Average", *[f"{10 * i}–{10 * (i + 1)} %" for i in range(_BINS)]]
    rows = [
        element(
            "tr",
            element("th", name(curve.score), scope="row"),
            element("td", number(curve.ranks.mean)),
            *[element("td", f"{count:,.6g}") for count in tenths(curve.ranks).tolist()],
        )
        for curve in curves
        if curve.ranks is not None
    ]
    caption = f"Positives of {title} by the share of negatives ranked below them"
    table = figures_table(caption, heads, rows)
    return element("details", element("summary", "The ranks as a table"), table)


def tenths(ranks: RankMarks | RankBins) -> FloatArray:
    """The number (or weight) of positives in each tenth, including its lower end.

    >>> tenths(RankMarks(np.array([1.0, 0.75, 0.7]), 0.8)).tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 1.0]
    """
    edges = np.arange(_BINS + 1) / _BINS
    if isinstance(ranks, RankMarks):
        return np.histogram(ranks.ranks, edges)[0].astype(np.float64)
    middles = (ranks.edges[:-1] + ranks.edges[1:]) / 2.0
    return np.histogram(middles, edges, weights=ranks.counts)[0].astype(np.float64)


_FEW = 5  # curves with a letter and a colour of their own where there are more
_OVERVIEW = 240  # corners of all lines in the small picture
_SHADED, _PAGE_SHADED, _LEAST_SHADED = 60, 600, 25


def roc_drawing(
    panel: Panel, identity: str, colours: Mapping[str, int], places: list[NDArray[np.intp]]
) -> Markup:
    """The square with every curve; the script and the style emphasise the chosen one."""
    few = _few(panel.curves)
    curves = [
        RateCurve(
            curve.score,
            curve.fpr,
            curve.tpr,
            colours[curve.score],
            number(curve.value),
            (*_band(curve), *(_under(zoom, i) for zoom in panel.zooms if zoom.region)),
            _points(curve, WHOLE),
            curve.score in few,
            i,
        )
        for i, curve in enumerate(panel.curves)
    ]
    values = "; ".join(f"{c.score}: AUC {number(c.value)}" for c in panel.curves)
    picture = rates_picture(
        curves,
        f"ROC of {panel.title}",
        "True-positive rate against false-positive rate, from (0, 0) to (1, 1). The diagonal is "
        f"a random ranking. {values}.",
        windows=[zoom.box for zoom in panel.zooms],
    )
    own = {
        i: {
            "data_rule": curve.rule,
            "data_name": curve.score,
            **(_places(curve, kept) if curve.cuts is None else cut_data(curve.cuts)),
        }
        for i, (curve, kept) in enumerate(zip(panel.curves, places, strict=True))
    }
    return svg.drawing(
        picture, f"{identity}-roc", svg.SQUARE, class_="roc", front=0, own=own,
        listed=len(curves) > 1, over=svg.pointer(svg.SQUARE), data_box="0 1 0 1",
    )  # fmt: skip


def zoom_drawing(panel: Panel, zoom: Zoom, identity: str, colours: Mapping[str, int]) -> Markup:
    """The part of the square inside a box, with the requested area shaded."""
    curves = []
    for i, (curve, cut) in enumerate(zip(panel.curves, zoom.parts, strict=True)):
        band = (AreaMark(cut.band_fpr, cut.band_low, cut.band_high),) if len(cut.band_fpr) else ()
        under = (_under(zoom, i),) if zoom.region is not None else ()
        tint, points = colours[curve.score], _points(curve, zoom.box)
        curves.append(
            RateCurve(cut.score, cut.fpr, cut.tpr, tint, "", (*band, *under), points, order=i)
        )
    picture = rates_picture(
        curves,
        f"ROC of {panel.title}, {zoom.title[0].lower()}{zoom.title[1:]}",
        _description(zoom),
        box=zoom.box,
    )
    return svg.drawing(
        picture, f"{identity}-roc", svg.WIDE, class_="zoom", front=0, own={},
        over=svg.pointer(svg.WIDE),
        data_box=" ".join(f"{side:.6g}" for ends in zoom.box for side in ends),
    )  # fmt: skip


def overview_drawing(
    curves: Sequence[ScoreCurve | CoarseCurve], colours: Mapping[str, int], seen: Seen = ROC
) -> Markup:
    """A small static square with the lines and their letters, in the measure's axes."""
    picture = overview_picture(curves, colours, seen)
    return svg.drawing(picture, "", svg.SQUARE, class_="overview")


def overview_picture(
    curves: Sequence[ScoreCurve | CoarseCurve], colours: Mapping[str, int], seen: Seen = ROC
) -> Picture:
    corners = max(20, _OVERVIEW // len(curves))
    few = _few(curves)
    lines = []
    for curve in curves:
        kept = read_out_stops(curve, corners, ())
        fpr, tpr = curve.fpr[kept], curve.tpr[kept]
        tint = colours.get(curve.score, 0)
        band = _band(curve) if isinstance(curve, ScoreCurve) and len(curves) == 1 else ()
        lines.append(RateCurve(curve.score, fpr, tpr, tint, behind=band if seen == ROC else (),
                               named=curve.score in few))  # fmt: skip
    across, up = seen.axes
    scores = ", ".join(curve.score for curve in curves)
    return rates_picture(lines, f"{up} by {across[0].lower()}{across[1:]}", f"{scores}.", seen=seen)


def coarse_drawing(curve: CoarseCurve, identity: str, tint: int) -> Markup:
    dots = [DotsMark(curve.fpr[i : i + 1], curve.tpr[i : i + 1], "dot")
            for i in range(len(curve.fpr))]  # fmt: skip
    picture = rates_picture(
        [RateCurve(curve.score, curve.fpr, curve.tpr, tint, before=tuple(dots))],
        f"Coarse ROC curve of {curve.score}",
        f"True-positive rate against false-positive rate at {len(curve.fpr)} rounded points, "
        "from (0, 0) to (1, 1). The diagonal is a random ranking. The table below lists the "
        "points.",
    )
    return svg.drawing(picture, identity, svg.SQUARE, class_="chart")


def read_out_stops(
    curve: ScoreCurve | CoarseCurve, most: int, zooms: Sequence[Zoom]
) -> NDArray[np.intp]:
    """Corners spread evenly along the line, including both ends, and more inside each zoom."""
    if len(curve.fpr) <= most:
        return np.arange(len(curve.fpr))
    along = curve.fpr + curve.tpr
    everywhere = most if not zooms else most * 2 // 3
    places = [np.searchsorted(along, np.linspace(0.0, along[-1], everywhere), side="left")]
    for zoom in zooms:
        (left, right), (bottom, top) = zoom.box
        across = (curve.fpr >= left) & (curve.fpr <= right)
        inside = np.flatnonzero(across & (curve.tpr >= bottom) & (curve.tpr <= top))
        some = np.linspace(0, len(inside) - 1, min(len(inside), (most - everywhere) // len(zooms)))
        places.append(inside[np.rint(some).astype(np.intp)])
    return np.unique(np.concatenate(places))


def _few(curves: Sequence[ScoreCurve | CoarseCurve]) -> set[str]:

    def area(curve: ScoreCurve | CoarseCurve) -> float:
        return dot(np.diff(curve.fpr), curve.tpr[1:] + curve.tpr[:-1])

    return {one.score for one in sorted(curves, key=area, reverse=True)[:_FEW]}


def _places(curve: ScoreCurve, kept: NDArray[np.intp]) -> dict[str, str]:
    return {
        "data_fpr": " ".join(number(v) for v in curve.fpr[kept]),
        "data_tpr": " ".join(number(v) for v in curve.tpr[kept]),
        "data_cut": " ".join(threshold(v) for v in curve.thresholds[kept]),
    }


def _band(curve: ScoreCurve) -> tuple[Mark, ...]:
    band = curve.band
    return () if band is None else (AreaMark(band.fpr, band.low, band.high),)


def _under(zoom: Zoom, order: int) -> LineMark:
    (_, right), (bottom, _) = zoom.region or zoom.box
    curve = zoom.parts[order]
    kept = np.arange(len(curve.fpr))
    most = max(_LEAST_SHADED, min(_SHADED, _PAGE_SHADED // len(zoom.parts)))
    if len(kept) > most:
        kept = np.unique(np.rint(np.linspace(0, kept[-1], most)).astype(np.intp))
    fpr = np.concatenate((curve.fpr[:1], curve.fpr[kept], [right, right]))
    tpr = np.concatenate(([bottom], curve.tpr[kept], [curve.tpr[-1], bottom]))
    return LineMark(fpr, tpr, role="under", closed=True)


def _points(curve: ScoreCurve, box: Box) -> tuple[Mark, ...]:
    (left, right), (bottom, top) = box
    inside = [
        (point.fpr, point.tpr, str(order))
        for order, point in enumerate(curve.points, start=1)
        if left <= point.fpr <= right and bottom <= point.tpr <= top
    ]
    if not inside:
        return ()
    fpr, tpr, words = zip(*inside, strict=True)
    return (DotsMark(np.array(fpr), np.array(tpr), "dot", words=words),)


def _description(zoom: Zoom) -> str:
    ends = "; ".join(
        f"{part.score}: from ({number(float(part.fpr[0]))}, {number(float(part.tpr[0]))}) to "
        f"({number(float(part.fpr[-1]))}, {number(float(part.tpr[-1]))})"
        for part in zoom.parts
    )
    values = "; ".join(
        f"{row['measure']} of {row['score']}: {number(row['value'], row['decimals'])}"
        for row in zoom.rows
    )
    text = f"True-positive rate against false-positive rate, a part of the whole drawing. {ends}."
    return f"{text} Areas: {values}." if values else text
