"""A picture as a file in pixels: SVG with its style, or PNG."""

from __future__ import annotations

import io

import numpy as np

from rocsolid.markup import Markup, element
from rocsolid.pictures.marks import AreaMark, Picture
from rocsolid.pictures.svg import Frame, Plane

_STYLE = """
text { font-family: system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  fill: #191d23; font-variant-numeric: tabular-nums }
.tick { fill: #59616c } .strong { font-weight: 700 } .end { text-anchor: end }
.c0 { --c: #0b5fa5 } .c1 { --c: #bd4b00 } .c2 { --c: #00765a } .c5 { --c: #4a5563 }
.paper { fill: #fff }
.base, .chance, .cut { fill: none; vector-effect: non-scaling-stroke }
.base { stroke: #dcdfe3; stroke-width: 2 } .cut { stroke: #191d23; stroke-width: 5 }
.chance { stroke: #59616c; stroke-width: 2; stroke-dasharray: 3 5 }
.calibrated { stroke: var(--c); stroke-width: 5; stroke-opacity: .75 }
.certified { stroke: #59616c; stroke-width: 1.25; fill: none }
.value, .mark { fill: var(--c) } .here { fill: #fff; stroke: var(--c); stroke-width: 2.5 }
"""


def svg_sheet(picture: Picture, scale: int) -> bytes:
    """The picture over its whole area, with title and description for screen readers.

    Fonts are those of the machine that shows it.
    """
    width, height = picture.x.high, picture.y.low
    plane = Plane(Frame(top=0.0, height=height, left=0.0, width=width), picture.x, picture.y)
    known = {"xmlns": "http://www.w3.org/2000/svg", "role": "img"}
    about = [element("metadata", picture.discloses)] if picture.discloses else []
    sheet = element(
        "svg",
        element("title", picture.title),
        element("desc", picture.description),
        *about,
        element("style", Markup(_STYLE)),
        plane.shape(_ground(picture)),
        *[
            element("g", plane.shape(mark), class_=f"c{getattr(mark, 'tint', 0)}")
            for mark in picture.single_marks
        ],
        width=f"{scale * width:g}",
        height=f"{scale * height:g}",
        viewBox=f"0 0 {width:g} {height:g}",
        **known,
    )
    return f"{sheet}\n".encode()


def _ground(picture: Picture) -> AreaMark:
    x = np.array([picture.x.low, picture.x.high])
    y = np.array([[picture.y.low], [picture.y.high]]).repeat(2, axis=1)
    return AreaMark(x, y[0], y[1], "paper")


def png_sheet(picture: Picture, scale: int) -> bytes:
    """The picture as PNG, by matplotlib, which must be installed."""
    from rocsolid.pictures.matplotlib import on_sheet

    file = io.BytesIO()
    on_sheet(picture, scale).savefig(file, format="png")
    return file.getvalue()
