"""One segment's ROC curves over each other: drawing, choice of the score, read-out, figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.markup import Markup, element, name
from rocsolid.measures.picture import Picture
from rocsolid.pictures import svg
from rocsolid.pictures.marks import letter
from rocsolid.report.closeup import closeups
from rocsolid.report.corner_table import Corners, corner_table
from rocsolid.report.data import Panel, ScoreCurve
from rocsolid.report.explorer import explorer
from rocsolid.report.operating_points import operating_points
from rocsolid.report.rank_strip import rank_strips, rank_table
from rocsolid.report.rate_drawings import read_out_stops, roc_drawing
from rocsolid.report.text import prose


def panel_section(
    panel: Panel,
    identity: str,
    colours: Mapping[str, int],
    stops: int,
    segments: Sequence[Panel] = (),
    picture: Picture = "roc",
) -> Markup:
    """All rows, or a segment. ``stops``: at how many corners each read-out can stand.

    ``segments`` have the same curves; the explorer shows them in place of the panel's. The script
    begins with the ``picture``.
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
            _about(curve, len(kept), i)
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
    """What the explorer can show, for those who have no script and for paper."""
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
    """Hidden until the script shows it: without a script it could do nothing."""
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


def _about(curve: ScoreCurve, stops: int, order: int) -> Markup:
    """What the drawing of one score shows and what it leaves out."""
    sentences = []
    if curve.band is not None:
        sentences.append(f"Shaded on the ROC curve: {curve.band.label.rsplit(' (', 1)[0]}.")
    else:
        sentences.append("No band is drawn.")
    points = len(curve.fpr)
    if points == curve.corners:
        sentences.append(f"The line has all {points:,} corners of the data.")
    else:
        moved = (
            "the area is kept exactly"
            if curve.area_error == 0.0
            else f"the area moved by at most {curve.area_error:.2g}"
        )
        sentences.append(f"The line keeps {points:,} of {curve.corners:,} corners; {moved}.")
    cuts = curve.cuts
    if cuts is not None and not cuts.complete:
        kept = len(cuts.thresholds)
        sentences.append(
            f"The explorer has {kept:,} of {cuts.total:,} thresholds: the first "
            f"{cuts.exact - 1:,}, and some of the others."
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
