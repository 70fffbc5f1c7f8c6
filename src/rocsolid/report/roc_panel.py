"""One segment's ROC curves over each other: drawing, choice of the score, read-out, figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.markup import Markup, element, join, name
from rocsolid.measures.picture import Picture
from rocsolid.report import svg
from rocsolid.report.closeup import closeups
from rocsolid.report.corner_table import Corners, corner_table
from rocsolid.report.curve_data import Zoom
from rocsolid.report.data import Panel, ScoreCurve
from rocsolid.report.explorer import cut_data, explorer
from rocsolid.report.leak_data import CoarseCurve
from rocsolid.report.operating_points import operating_points
from rocsolid.report.point_marks import point_marks
from rocsolid.report.rank_strip import rank_strips, rank_table
from rocsolid.report.seen import ROC, Seen
from rocsolid.report.shading import shadings, windows
from rocsolid.report.text import letter, number, prose, threshold

_FEW = 5  # curves with a letter and a colour of their own where there are more
_REST = " rest"
_OVERVIEW = 240  # corners of all lines in the small picture
_FRAME = svg.Frame(top=10, height=340)
_HEIGHT = 394.0


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
    places = [_stops(curve, stops, panel.zooms) for curve in panel.curves]
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


def roc_drawing(
    panel: Panel, identity: str, colours: Mapping[str, int], places: list[NDArray[np.intp]]
) -> Markup:
    """The square with every curve; the script and the style bring the chosen one forward."""
    alone = len(panel.curves) == 1
    few = _few(panel.curves)
    named = [curve.score for curve in panel.curves if curve.score in few]
    groups, badges = [], []
    for i, (curve, kept) in enumerate(zip(panel.curves, places, strict=True)):
        colour = colours[curve.score]
        parts = [element("path", d=svg.path(curve.fpr, curve.tpr), class_="line")]
        if curve.band is not None:
            outline = svg.area(curve.band.fpr, curve.band.low, curve.band.high)
            parts.insert(0, element("path", d=outline, class_="band"))
        parts += shadings(panel, i, identity)
        group = element("g", *parts, transform=_FRAME.transform)
        first = _rest(curve, few) + (" chosen" if i == 0 else "")
        if not alone:
            share = (named.index(curve.score) + 0.5) / len(named) if curve.score in few else 0.5
            badges.append(_badge(curve, colour, share, i, first))
        groups.append(
            element(
                "g",
                group,
                point_marks(curve, _FRAME),
                class_=f"curve {svg.tint(colour)}{first}",
                data_of=str(i),
                data_rule=curve.rule,
                data_name=curve.score,
                **(_places(curve, kept) if curve.cuts is None else cut_data(curve.cuts)),
            )
        )
    chance = element(
        "path",
        d=f"M{_FRAME.left:g} {_FRAME.bottom:g}L{_FRAME.right:g} {_FRAME.top:g}",
        class_="chance",
    )
    middle = f"rotate(-45 {_FRAME.x(0.36):g} {_FRAME.y(0.36):g})"
    by_chance = element(
        "text", "chance", x=_FRAME.x(0.36), y=_FRAME.y(0.36) + 11, class_="tick", transform=middle
    )
    listed = [] if alone else [_list(panel, few, colours)]
    return svg.drawing(
        f"{identity}-roc",
        f"ROC of {panel.title}",
        _description(panel),
        _HEIGHT,
        svg.square_axes(_FRAME, "False-positive rate", "True-positive rate"),
        chance,
        by_chance,
        *listed,
        windows(panel, identity, _FRAME),
        element("g", *sorted(groups, key=lambda group: _REST not in group[:40])),
        element("g", *badges),
        svg.pointer(_FRAME),
        class_="roc",
        data_box="0 1 0 1",
    )


def _places(curve: ScoreCurve, kept: NDArray[np.intp]) -> dict[str, str]:
    return {
        "data_fpr": " ".join(number(v) for v in curve.fpr[kept]),
        "data_tpr": " ".join(number(v) for v in curve.tpr[kept]),
        "data_cut": " ".join(threshold(v) for v in curve.thresholds[kept]),
    }


def overview_drawing(
    curves: Sequence[ScoreCurve | CoarseCurve], colours: Mapping[str, int], seen: Seen = ROC
) -> Markup:
    """A square with the lines and their letters, small and still, as the measure sees them.

    Hidden from screen readers, which find the numbers beside it and the curves further down.
    """
    corners = max(20, _OVERVIEW // len(curves))
    few = _few(curves)
    groups: list[Markup] = []
    badges: list[Markup] = []
    # the others first, so that they lie under the few
    for curve in sorted(curves, key=lambda one: one.score in few):
        kept = _stops(curve, corners, ())
        line = svg.path(*seen.line(curve.fpr[kept], curve.tpr[kept]))
        colour = colours.get(curve.score, 0)
        drawn = element("path", d=line, class_="line", transform=_FRAME.transform)
        groups.append(element("g", drawn, class_=svg.tint(colour) + _rest(curve, few)))
        if len(curves) > 1 and curve.score in few:
            badges.append(_badge(curve, colour, (len(badges) + 0.5) / len(few), seen=seen))
    chance = svg.path(*seen.chance())
    return element(
        "svg",
        svg.square_axes(_FRAME, *seen.axes),
        element("path", d=chance, class_="chance", transform=_FRAME.transform),
        *groups,
        *badges,
        viewBox=f"0 0 {svg.WIDTH:g} {_HEIGHT:g}",
        class_="overview",
        aria_hidden="true",
        focusable="false",
    )


def _description(panel: Panel) -> str:
    curves = "; ".join(f"{c.score}: AUC {number(c.value)}" for c in panel.curves)
    return (
        "True-positive rate against false-positive rate, from (0, 0) to (1, 1). "
        f"The diagonal is ranking by chance. {curves}."
    )


def _few(curves: Sequence[ScoreCurve | CoarseCurve]) -> set[str]:
    """The scores that are coloured and named from the start: those with the largest areas."""
    return {one.score for one in sorted(curves, key=_area, reverse=True)[:_FEW]}


def _area(curve: ScoreCurve | CoarseCurve) -> float:
    return float(np.dot(np.diff(curve.fpr), curve.tpr[1:] + curve.tpr[:-1]))


def _rest(curve: ScoreCurve | CoarseCurve, few: set[str]) -> str:
    """The class of a line that stays grey until it is chosen."""
    return "" if curve.score in few else _REST


def _badge(
    curve: ScoreCurve | CoarseCurve,
    colour: int,
    share: float,
    order: int | None = None,
    more: str = "",
    seen: Seen = ROC,
) -> Markup:
    """A letter on the line; ``share`` spreads the letters of close curves along them.

    ``order``: its place among the curves that can be chosen.
    """
    target = 0.45 + 0.8 * share
    along = curve.fpr + curve.tpr
    rates = (np.interp([target], along, of) for of in (curve.fpr, curve.tpr))
    (x,), (y,) = seen.at(*rates)
    return element(
        "g",
        element("circle", r=7, class_="badge"),
        element("text", letter(colour), y=3.3, class_="badge-letter middle"),
        class_=f"tag {svg.tint(colour)}{more}",
        transform=f"translate({_FRAME.x(x):.5g} {_FRAME.y(y):.5g})",
        **({} if order is None else {"data_of": str(order)}),
    )


def _list(panel: Panel, few: set[str], colours: Mapping[str, int]) -> Markup:
    """Names and values in the empty corner below the diagonal, for paper and for the eye."""
    step = 17.0
    listed = [curve for curve in panel.curves if curve.score in few]
    y = _FRAME.bottom - 10 - step * (len(listed) - 1)
    rows = []
    for i, curve in enumerate(listed):
        colour = colours[curve.score]
        base = y + step * i
        text = element(
            "text",
            f"{letter(colour)} ",
            element("tspan", svg.shorten(curve.score, 20), dx=3),
            element("tspan", number(curve.value), dx=8, class_="strong"),
            x=_FRAME.right - 24,
            y=base,
            class_="listed end",
        )
        bar = f"M{_FRAME.right - 18:g} {base - 3.5:g}h12"
        rows += [text, element("path", d=bar, class_=f"swatch {svg.tint(colour)}")]
    return join(rows)


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


def _stops(curve: ScoreCurve | CoarseCurve, most: int, zooms: Sequence[Zoom]) -> NDArray[np.intp]:
    """Corners spread evenly along the line, both ends among them; some more inside each zoom."""
    if len(curve.fpr) <= most:
        return np.arange(len(curve.fpr))
    along = curve.fpr + curve.tpr
    everywhere = most if not zooms else most * 2 // 3
    places = [np.searchsorted(along, np.linspace(0.0, along[-1], everywhere), side="left")]
    for zoom in zooms:
        (left, right), (bottom, top) = zoom.box
        inside = (curve.fpr >= left) & (curve.fpr <= right)
        found = np.flatnonzero(inside & (curve.tpr >= bottom) & (curve.tpr <= top))
        some = np.linspace(0, len(found) - 1, min(len(found), (most - everywhere) // len(zooms)))
        places.append(found[np.rint(some).astype(np.intp)])
    return np.unique(np.concatenate(places))
