"""Where a close-up lies in the whole drawing, and the areas in it that were requested, hatched."""

from __future__ import annotations

import numpy as np

from rocsolid.markup import Markup, element, join
from rocsolid.report import svg
from rocsolid.report.curve_data import WHOLE, Box, FloatArray, Zoom
from rocsolid.report.data import Panel

_POINTS, _PAGE_POINTS, _LEAST = 60, 600, 25


def windows(panel: Panel, identity: str, frame: svg.Frame) -> Markup:
    """Where the zooms lie in the whole drawing, and the hatching that it shades areas with."""
    measured = any(zoom.region is not None for zoom in panel.zooms)
    parts = [hatching(identity, frame)] if measured else []
    for zoom in panel.zooms:
        (left, right), (bottom, top) = zoom.box
        x, y = frame.x(left), frame.y(top)
        across, down = frame.width * (right - left), frame.height * (top - bottom)
        outline = f"M{x:.6g} {y:.6g}h{across:.6g}v{down:.6g}h{-across:.6g}z"
        parts.append(element("path", d=outline, class_="window"))
    return join(parts)


def shadings(panel: Panel, order: int, identity: str) -> list[Markup]:
    """The areas under one curve that were requested, in the whole drawing."""
    return [shading(zoom, order, WHOLE, identity) for zoom in panel.zooms if zoom.region]


def shares(x: FloatArray, y: FloatArray, box: Box) -> tuple[FloatArray, FloatArray]:
    """Where points lie in the box, from 0 to 1 each way; what is beyond its sides is on them."""
    (left, right), (bottom, top) = box
    return (
        np.clip((x - left) / (right - left), 0.0, 1.0),
        np.clip((y - bottom) / (top - bottom), 0.0, 1.0),
    )


def shading(zoom: Zoom, order: int, box: Box, identity: str) -> Markup:
    """The region's part under the curve: along the curve, then down, and back below it."""
    (_, right), (bottom, _) = zoom.region or zoom.box
    part = zoom.parts[order]
    kept = np.arange(len(part.fpr))
    most = max(_LEAST, min(_POINTS, _PAGE_POINTS // len(zoom.parts)))
    if len(kept) > most:
        kept = np.unique(np.rint(np.linspace(0, kept[-1], most)).astype(np.intp))
    fpr = np.concatenate((part.fpr[:1], part.fpr[kept], [right, right]))
    tpr = np.concatenate(([bottom], part.tpr[kept], [part.tpr[-1], bottom]))
    outline = svg.path(*shares(fpr, tpr, box))
    return element("path", d=f"{outline}z", class_="under", fill=f"url(#{identity}-hatch)")


def hatching(identity: str, frame: svg.Frame) -> Markup:
    """What shaded areas are filled with: thin slanted lines, six pixels apart, in path units."""
    step = 6.0 * svg.UNITS / frame.width
    return element(
        "pattern",
        element("path", d=f"M0 0V{step:.6g}", class_="hatch", stroke_width=f"{step / 5:.6g}"),
        id=f"{identity}-hatch",
        width=f"{step:.6g}",
        height=f"{step:.6g}",
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )
