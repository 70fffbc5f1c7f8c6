"""Panels of curves: tables of corners, coarse curves, precision by recall, and close-ups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.markup import NOTHING, Markup, element, join, name
from rocsolid.measures.picture import Picture
from rocsolid.pictures import svg
from rocsolid.pictures.marks import ChartLine, LineChart, letter
from rocsolid.pictures.rates import Box
from rocsolid.report.area_table import area_table
from rocsolid.report.data import CoarseCurve, Cuts, FloatArray, Panel, Part, ScoreCurve, Zoom
from rocsolid.report.drawn import figure, key
from rocsolid.report.explorer import explorer
from rocsolid.report.rate_drawings import (
    coarse_drawing,
    operating_points,
    rank_strips,
    rank_table,
    read_out_stops,
    roc_drawing,
    zoom_drawing,
)
from rocsolid.report.text import figures_table, number, prose, share, span, threshold

_ROWS, _PAGE_ROWS, _LEAST = 11, 100, 5


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    score: str
    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray | None
    band: tuple[FloatArray, FloatArray, FloatArray] | None


def corner_table(curves: Sequence[Corners], caption: str, summary: str) -> Markup:
    most = max(_LEAST, min(_ROWS, _PAGE_ROWS // len(curves)))
    banded = any(curve.band is not None for curve in curves)
    cuts = any(curve.thresholds is not None for curve in curves)
    rows = []
    for curve in curves:
        some = np.unique(np.rint(np.linspace(0, len(curve.fpr) - 1, most)).astype(np.intp))
        for i in some.tolist():
            fpr, tpr = float(curve.fpr[i]), float(curve.tpr[i])
            cells = [number(fpr), number(tpr)]
            if cuts:
                cells.insert(0, "" if curve.thresholds is None else threshold(curve.thresholds[i]))
            if banded:
                cells.append("none" if curve.band is None else span(*band_at(curve.band, fpr)))
            first = element("th", name(curve.score), scope="row")
            rows.append(element("tr", first, *[element("td", cell) for cell in cells]))
    heads = [
        "Score",
        *(["Threshold"] if cuts else []),
        "False-positive rate",
        "True-positive rate",
        *(["Band of the true-positive rate"] if banded else []),
    ]
    return element("details", element("summary", summary), figures_table(caption, heads, rows))


def band_at(edges: tuple[FloatArray, FloatArray, FloatArray], fpr: float) -> tuple[float, float]:
    """The widest limits drawn at a rate: at a step, those of both sides.

    >>> x = np.array([0.0, 0.5, 0.5, 1.0])
    >>> band_at((x, np.array([0.0, 0.0, 0.3, 0.3]), np.array([0.6, 0.6, 1.0, 1.0])), 0.5)
    (0.0, 1.0)
    """
    x, low, high = edges
    first, last = (int(np.searchsorted(x, fpr, side=side)) for side in ("left", "right"))
    if last > first:
        return float(low[first:last].min()), float(high[first:last].max())
    return float(np.interp(fpr, x, low)), float(np.interp(fpr, x, high))


def coarse_panels(curves: Sequence[CoarseCurve], colours: Mapping[str, int]) -> Markup:
    panels = [_panel(curve, f"coarse-{i}", colours) for i, curve in enumerate(curves)]
    return element("div", *panels, class_="coarse")


def _panel(curve: CoarseCurve, identity: str, colours: Mapping[str, int]) -> Markup:
    drawing = coarse_drawing(curve, identity, colours.get(curve.score, 0))
    heading = element("h3", name(curve.score), id=f"{identity}-name")
    caption = element("figcaption", curve.text)
    figure = element("figure", drawing, caption, class_="pictures")
    return element("section", heading, figure, _figures(curve), aria_labelledby=f"{identity}-name")


def _figures(curve: CoarseCurve) -> Markup:
    heads = ("Point", "False-positive rate", "True-positive rate")
    rows = [
        element(
            "tr",
            element("th", str(i), scope="row"),
            *[element("td", number(v, curve.decimals), class_="figure") for v in (x, y)],
        )
        for i, (x, y) in enumerate(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))
    ]
    table = figures_table(f"The points of the drawing of {curve.score}", heads, rows)
    return element("details", element("summary", "The curve as a table"), table)


RARE = 0.2
"""With fewer positives than this share, a low false-positive rate can mean many false alarms."""
_RECALLS = np.linspace(0.04, 1.0, 25)
_MOST = 6  # lines that can be read, and that a page has room for


def precision_recall_panel(
    curves: tuple[ScoreCurve, ...], colours: Mapping[str, int], *, requested: bool = False
) -> Markup:
    best = sorted(curves, key=lambda curve: -curve.value)[:_MOST]
    cuts = {curve.score: curve.cuts for curve in best if curve.cuts is not None}
    if not cuts or len(cuts) < len(best):
        return NOTHING
    first = next(iter(cuts.values()))
    baseline = float(first.hits[-1] / (first.hits[-1] + first.alarms[-1]))
    if baseline >= RARE and not requested:
        return NOTHING
    chart = LineChart(
        "Precision by recall",
        "Recall: share of positives that are flagged",
        "Precision: share of flagged rows that are positive",
        _RECALLS,
        tuple(ChartLine(score, _precision(one)) for score, one in cuts.items()),
        levels=((baseline, "ranking at random"),),
    )
    many = (
        ", so that even at a small false-positive rate most flagged rows can be negative"
        if baseline < RARE
        else ""
    )
    remark = (
        f"Positives are {share(baseline)} of the rows{many}. Each point is the first threshold "
        "that reaches the recall."
        + (
            (f" Only the {_MOST} scores with the highest AUC are drawn.")
            if len(curves) > _MOST
            else ""
        )
    )
    drawn = figure(chart, "precision-recall", colours)
    several = key({score: colours[score] for score in cuts}) if len(cuts) > 1 else NOTHING
    return join([element("p", prose(remark), class_="remark"), several, drawn])


def _precision(cuts: Cuts) -> FloatArray:
    recall = cuts.hits / cuts.hits[-1]
    flagged = cuts.hits + cuts.alarms
    # a recall is a ratio of counts, and may miss its round value by rounding
    at = np.searchsorted(recall, _RECALLS * (1.0 - 1e-12))
    return np.asarray(cuts.hits[at] / flagged[at], dtype=np.float64)


def closeups(panel: Panel, identity: str, colours: Mapping[str, int]) -> Markup:
    articles = [
        _closeup(panel, zoom, f"{identity}-zoom-{i}", colours) for i, zoom in enumerate(panel.zooms)
    ]
    return element("div", *articles, class_="closeups") if articles else Markup("")


def _closeup(panel: Panel, zoom: Zoom, identity: str, colours: Mapping[str, int]) -> Markup:
    title = f"Close-up: {zoom.title[0].lower()}{zoom.title[1:]}"
    tables = [
        Corners(
            curve.score,
            curve.fpr,
            curve.tpr,
            None,
            (curve.band_fpr, curve.band_low, curve.band_high) if len(curve.band_fpr) else None,
        )
        for curve in zoom.parts
    ]
    figure = element(
        "figure",
        zoom_drawing(panel, zoom, identity, colours),
        element("figcaption", prose(_caption(zoom))),
        *[_about(curve, i) for i, curve in enumerate(zoom.parts)],
        class_="pictures",
    )
    return element(
        "details",
        element("summary", element("h4", title, id=identity)),
        figure,
        area_table(zoom, colours) if zoom.rows else Markup(""),
        corner_table(tables, f"{title}: some corners of the curves", "The close-up as a table"),
        class_="closeup",
        aria_labelledby=identity,
        open=zoom.region is not None,
    )


def _caption(zoom: Zoom) -> str:
    text = "An enlargement of the part inside the dashed frame above."
    if zoom.region is None:
        return text
    return (
        f"{text} Hatched, here and above: the requested area under the curve of the score in "
        f"front, at most {_most(zoom.region):.6g}."
    )


def _most(region: Box) -> float:
    (left, right), (bottom, top) = region
    return (right - left) * (top - bottom)


def _about(curve: Part, order: int) -> Markup:
    text = f"The line includes all {curve.corners:,} corners of the curve in this region."
    if len(curve.fpr) < curve.corners:
        text = (
            f"The line keeps {len(curve.fpr):,} of {curve.corners:,} corners in this region; "
            f"the area changed by at most {curve.area_error:.2g}."
        )
    first = " chosen" if order == 0 else ""
    return element(
        "p",
        element("strong", name(curve.score)),
        f" {text}",
        class_=f"about{first}",
        data_of=str(order),
    )


def panel_section(
    panel: Panel,
    identity: str,
    colours: Mapping[str, int],
    stops: int,
    segments: Sequence[Panel] = (),
    picture: Picture = "roc",
) -> Markup:
    """All rows, or a segment. ``stops`` is the number of corners at which each read-out can stop.

    ``segments`` have the same curves; the explorer shows them instead of the panel's.
    """
    notes = [element("p", text, class_="remark") for text in panel.notes]
    heading = element("h3", name(panel.title), id=identity)
    if not panel.curves:
        return element("section", heading, *notes, class_="panel", aria_labelledby=identity)
    places = [read_out_stops(curve, stops, panel.zooms) for curve in panel.curves]
    ranked = [curve for curve in panel.curves if curve.ranks is not None]
    figure = element("figure", roc_drawing(panel, identity, colours, places), class_="pictures")
    large = closeups(panel, identity, colours)
    points = operating_points(panel, identity)
    explored = explorer(panel, identity, colours, segments)
    strips = [rank_strips(panel.title, ranked, identity, colours)] if ranked else []
    side = element(
        "div",
        _reader(panel, identity, colours),
        *[
            _about_curve(curve, len(kept), i)
            for i, (curve, kept) in enumerate(zip(panel.curves, places, strict=True))
        ],
        *notes,
        corner_table(
            [_corners(curve, kept) for curve, kept in zip(panel.curves, places, strict=True)],
            f"Some corners of the curves of {panel.title}",
            "The curves as a table",
        ),
        class_="side",
    )
    return element(
        "section",
        heading,
        figure,
        side,
        *[part for part in (explored, large, points) if part],
        *strips,
        class_="panel",
        data_picture=picture,
        aria_labelledby=identity,
    )


def segment_tables(segments: Sequence[Panel]) -> Markup:
    parts = [element("summary", "Curves and ranks of segments as tables")]
    for panel in segments:
        corners = [_corners(curve, np.arange(len(curve.fpr))) for curve in panel.curves]
        caption = f"Some corners of the curves of {panel.title}"
        parts += [corner_table(corners, caption, panel.title)]
        parts += [element("p", text, class_="remark") for text in panel.notes]
        ranked = [curve for curve in panel.curves if curve.ranks is not None]
        if ranked:
            parts += [rank_table(panel.title, ranked)]
    return element("details", *parts, class_="segment")


def _reader(panel: Panel, identity: str, colours: Mapping[str, int]) -> Markup:
    choices = [
        element(
            "label",
            element("input", type="radio", name=f"{identity}-score", value=str(i), checked=i == 0),
            element("span", letter(colours[curve.score]), class_="key", aria_hidden="true"),
            name(curve.score),
            class_=f"chip {svg.tint(colours[curve.score])}",
        )
        for i, curve in enumerate(panel.curves)
    ]
    chooser = element(
        "fieldset",
        element("legend", "Score in front"),
        element("div", *choices, class_="chips"),
        hidden=len(choices) == 1,
    )
    slider = element("input", type="range", min=0, max=1, step=1, value="0", id=f"{identity}-place")
    readings = [
        element("div", element("dt", label), element("dd", "", data_out=key))
        for label, key in (
            ("True-positive rate", "tpr"),
            ("False-positive rate", "fpr"),
            ("Threshold", "cut"),
        )
    ]
    return element(
        "div",
        chooser,
        element("dl", *readings, class_="readings"),
        element("label", "Move along the curve", for_=f"{identity}-place"),
        slider,
        element("p", "Point at the curve, drag, or use the arrow keys.", class_="hint"),
        class_="reader",
        hidden=True,
    )


def _about_curve(curve: ScoreCurve, stops: int, order: int) -> Markup:
    sentences = []
    if curve.band is not None:
        sentences.append(f"Shaded on the ROC curve: {curve.band.label.rsplit(' (', 1)[0]}.")
    else:
        sentences.append("There is no band.")
    points = len(curve.fpr)
    if points == curve.corners:
        sentences.append(f"The line includes all {points:,} corners of the curve.")
    else:
        moved = (
            "the area is kept exactly"
            if curve.area_error == 0.0
            else f"the area changed by at most {curve.area_error:.2g}"
        )
        sentences.append(f"The line keeps {points:,} of {curve.corners:,} corners; {moved}.")
    cuts = curve.cuts
    if cuts is not None and not cuts.complete:
        sentences.append(
            f"The explorer has the first {cuts.exact - 1:,} of {cuts.total:,} thresholds, and then "
            f"every threshold of up to {cuts.digits} significant digits."
        )
    elif cuts is None and stops < points:
        sentences.append(f"The read-out stops at {stops:,} of them.")
    return element(
        "p",
        element("strong", name(curve.score)),
        " ",
        prose(" ".join(sentences)),
        class_="about" if order else "about chosen",
        data_of=str(order),
    )


def _corners(curve: ScoreCurve, kept: NDArray[np.intp]) -> Corners:
    band = curve.band
    edges = None if band is None else (band.fpr, band.low, band.high)
    return Corners(curve.score, curve.fpr[kept], curve.tpr[kept], curve.thresholds[kept], edges)
