"""The curves of a page as pictures: all of a panel, a part of it large, and one still and small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.markup import Markup
from rocsolid.pictures import svg
from rocsolid.pictures.marks import AreaMark, DotsMark, LineMark, Mark
from rocsolid.pictures.rates import WHOLE, Box, RateCurve, rates_picture
from rocsolid.pictures.seen import ROC, Seen
from rocsolid.report.curve_data import Zoom
from rocsolid.report.data import Panel, ScoreCurve
from rocsolid.report.explorer import cut_data
from rocsolid.report.leak_data import CoarseCurve
from rocsolid.report.text import number, threshold

_FEW = 5  # curves with a letter and a colour of their own where there are more
_OVERVIEW = 240  # corners of all lines in the small picture
_SHADED, _PAGE_SHADED, _LEAST_SHADED = 60, 600, 25


def roc_drawing(
    panel: Panel, identity: str, colours: Mapping[str, int], places: list[NDArray[np.intp]]
) -> Markup:
    """The square with every curve; the script and the style bring the chosen one forward."""
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
        "True-positive rate against false-positive rate, from (0, 0) to (1, 1). "
        f"The diagonal is ranking by chance. {values}.",
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
    """The part of the square inside a box, with the area requested shaded."""
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
    """A square with the lines and their letters, small and still, as the measure sees them.

    Hidden from screen readers, which find the numbers beside it and the curves further down.
    """
    corners = max(20, _OVERVIEW // len(curves))
    few = _few(curves)
    lines = []
    for curve in curves:
        kept = read_out_stops(curve, corners, ())
        fpr, tpr = curve.fpr[kept], curve.tpr[kept]
        tint = colours.get(curve.score, 0)
        lines.append(RateCurve(curve.score, fpr, tpr, tint, named=curve.score in few))
    return svg.drawing(rates_picture(lines, "", "", seen=seen), "", svg.SQUARE, class_="overview")


def coarse_drawing(curve: CoarseCurve, identity: str, tint: int) -> Markup:
    """A line through a few rounded points, and a dot at each."""
    dots = [DotsMark(curve.fpr[i : i + 1], curve.tpr[i : i + 1], "dot")
            for i in range(len(curve.fpr))]  # fmt: skip
    picture = rates_picture(
        [RateCurve(curve.score, curve.fpr, curve.tpr, tint, before=tuple(dots))],
        f"Coarse ROC curve of {curve.score}",
        f"True-positive rate against false-positive rate at {len(curve.fpr)} rounded points, from "
        "(0, 0) to (1, 1). The diagonal is ranking by chance. The table below lists the points.",
    )
    return svg.drawing(picture, identity, svg.SQUARE, class_="chart")


def read_out_stops(
    curve: ScoreCurve | CoarseCurve, most: int, zooms: Sequence[Zoom]
) -> NDArray[np.intp]:
    """Corners spread evenly along the line, both ends among them; some more inside each zoom."""
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
    """The scores that are coloured and named from the start: those with the largest areas."""

    def area(curve: ScoreCurve | CoarseCurve) -> float:
        return float(np.dot(np.diff(curve.fpr), curve.tpr[1:] + curve.tpr[:-1]))

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
    """The region's part under the curve: along the curve, then down, and back below it."""
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
    """The operating points inside a box, each with the number that it has in the list."""
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
