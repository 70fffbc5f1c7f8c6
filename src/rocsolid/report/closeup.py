"""A box of a ROC drawing, drawn large on axes of its own, with the area requested shaded."""

from __future__ import annotations

from collections.abc import Mapping

from rocsolid.markup import Markup, element, name
from rocsolid.pictures.rates import Box
from rocsolid.report.area_table import area_table
from rocsolid.report.corner_table import Corners, corner_table
from rocsolid.report.curve_data import Part, Zoom
from rocsolid.report.data import Panel
from rocsolid.report.rate_drawings import zoom_drawing
from rocsolid.report.text import prose


def closeups(panel: Panel, identity: str, colours: Mapping[str, int]) -> Markup:
    """Each zoom of the panel under its heading, with its areas and its numbers."""
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
    text = "The part inside the dashed frame above, drawn large."
    if zoom.region is None:
        return text
    return (
        f"{text} Hatched, here and above: the area under the curve of the score in front that was "
        f"requested, at most {_most(zoom.region):.6g}."
    )


def _most(region: Box) -> float:
    (left, right), (bottom, top) = region
    return (right - left) * (top - bottom)


def _about(curve: Part, order: int) -> Markup:
    text = f"The line has all {curve.corners:,} corners of the data here."
    if len(curve.fpr) < curve.corners:
        text = (
            f"The line keeps {len(curve.fpr):,} of {curve.corners:,} corners here; the area moved "
            f"by at most {curve.area_error:.2g}."
        )
    first = " chosen" if order == 0 else ""
    return element(
        "p",
        element("strong", name(curve.score)),
        f" {text}",
        class_=f"about{first}",
        data_of=str(order),
    )
