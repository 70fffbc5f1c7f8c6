"""A box of a ROC drawing, drawn large on axes of its own, with the area requested shaded."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rocsolid.markup import Markup, element, join, name
from rocsolid.report import svg
from rocsolid.report.area_table import area_table
from rocsolid.report.axis import Axis
from rocsolid.report.corner_table import Corners, corner_table
from rocsolid.report.curve_data import Box, Part, Zoom
from rocsolid.report.data import Panel
from rocsolid.report.point_marks import point_marks
from rocsolid.report.shading import hatching, shading, shares
from rocsolid.report.text import letter, number, prose

_FRAME = svg.Frame(top=10, height=250, left=58, width=330)  # room for longer numbers at its left
_HEIGHT = 304.0


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
            part.score,
            part.fpr,
            part.tpr,
            None,
            (part.band_fpr, part.band_low, part.band_high) if len(part.band_fpr) else None,
        )
        for part in zoom.parts
    ]
    figure = element(
        "figure",
        _drawing(panel, zoom, identity, colours),
        element("figcaption", prose(_caption(zoom))),
        *[_about(part, i) for i, part in enumerate(zoom.parts)],
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


def _about(part: Part, order: int) -> Markup:
    text = f"The line has all {part.corners:,} corners of the data here."
    if len(part.fpr) < part.corners:
        text = (
            f"The line keeps {len(part.fpr):,} of {part.corners:,} corners here; the area moved by "
            f"at most {part.area_error:.2g}."
        )
    first = " chosen" if order == 0 else ""
    return element(
        "p",
        element("strong", name(part.score)),
        f" {text}",
        class_=f"about{first}",
        data_of=str(order),
    )


def _drawing(panel: Panel, zoom: Zoom, identity: str, colours: Mapping[str, int]) -> Markup:
    box = zoom.box
    groups, badges = [], []
    for i, (curve, part) in enumerate(zip(panel.curves, zoom.parts, strict=True)):
        colour = colours[curve.score]
        first = " chosen" if i == 0 else ""
        shapes = []
        if len(part.band_fpr):
            x, low = shares(part.band_fpr, part.band_low, box)
            _, high = shares(part.band_fpr, part.band_high, box)
            shapes.append(element("path", d=svg.area(x, low, high), class_="band"))
        if zoom.region is not None:
            shapes.append(shading(zoom, i, box, identity))
        shapes.append(element("path", d=svg.path(*shares(part.fpr, part.tpr, box)), class_="line"))
        groups.append(
            element(
                "g",
                element("g", *shapes, transform=_FRAME.transform),
                point_marks(curve, _FRAME, box),
                class_=f"curve {svg.tint(colour)}{first}",
                data_of=str(i),
            )
        )
        if len(panel.curves) > 1:
            badges.append(_badge(part, box, colour, i, len(panel.curves)))
    return svg.drawing(
        f"{identity}-roc",
        f"ROC of {panel.title}, {zoom.title[0].lower()}{zoom.title[1:]}",
        _description(zoom),
        _HEIGHT,
        *([hatching(identity, _FRAME)] if zoom.region is not None else []),
        _axes(box),
        element("g", *groups),
        element("g", *badges),
        svg.pointer(_FRAME),
        class_="zoom",
        data_box=" ".join(f"{side:.6g}" for ends in box for side in ends),
    )


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


def _axes(box: Box) -> Markup:
    parts = []
    across, up = (Axis(*ends) for ends in box)
    for tick in across.ticks(6):
        x = _FRAME.x(float(across.share(np.array(tick))))
        parts += [
            element("path", d=f"M{x:.6g} {_FRAME.top:g}V{_FRAME.bottom:g}", class_="grid"),
            svg.label(f"{tick:g}", x, _FRAME.bottom + 15, "tick middle"),
        ]
    for tick in up.ticks(6):
        y = _FRAME.y(float(up.share(np.array(tick))))
        parts += [
            element("path", d=f"M{_FRAME.left:g} {y:.6g}H{_FRAME.right:g}", class_="grid"),
            svg.label(f"{tick:g}", _FRAME.left - 6, y + 4, "tick end"),
        ]
    return join([*parts, svg.axis_titles(_FRAME, "False-positive rate", "True-positive rate")])


def _badge(part: Part, box: Box, colour: int, order: int, of: int) -> Markup:
    """A letter on the line; those of different scores are spread along it."""
    x, y = shares(part.fpr, part.tpr, box)
    along = x + y
    target = along[0] + (order + 0.7) / (of + 0.4) * (along[-1] - along[0])
    across, upward = float(np.interp(target, along, x)), float(np.interp(target, along, y))
    return element(
        "g",
        element("circle", r=7, class_="badge"),
        element("text", letter(colour), y=3.3, class_="badge-letter middle"),
        class_=f"tag {svg.tint(colour)}" + (" chosen" if order == 0 else ""),
        transform=f"translate({_FRAME.x(across):.5g} {_FRAME.y(upward):.5g})",
        data_of=str(order),
    )
