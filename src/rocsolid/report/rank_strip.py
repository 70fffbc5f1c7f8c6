"""The positives by rank, under the curve: their average is the AUC.

The axis runs from 1 to 0, so that it lines up with the false-positive rate above it: a positive
ranked above a share r of the negatives is the upward step of the curve at 1 - r.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from rocsolid.markup import Markup, element, join, name
from rocsolid.report import svg
from rocsolid.report.curve_data import FloatArray
from rocsolid.report.data import RankBins, RankMarks, ScoreCurve
from rocsolid.report.text import letter, number, prose, share

_ROW, _TEXT, _AXIS = 52.0, 16.0, 40.0
_WORDS, _LETTER = 146.0, 9.6
"""Widths of "average 0.1234" and of a letter in the largest size, that of narrow screens."""


def rank_strips(
    title: str, curves: Sequence[ScoreCurve], identity: str, colours: Mapping[str, int]
) -> Markup:
    """One strip for each score that has ranks, over one axis, with its explanation."""
    height = _ROW * len(curves) + _AXIS
    several = len(curves) > 1
    parts = [
        _strip(curve, svg.Frame(top=_ROW * i + _TEXT, height=_ROW - _TEXT - 4), colours, several)
        for i, curve in enumerate(curves)
    ]
    means = "; ".join(f"{c.score}: average {number(c.ranks.mean)}" for c in curves if c.ranks)
    picture = svg.drawing(
        f"{identity}-ranks",
        f"Ranks of the positives of {title}",
        f"The positives by the share of negatives that they are ranked above. {means}.",
        height,
        *parts,
        _axis(svg.Frame(top=0, height=_ROW * len(curves))),
        class_="ranks",
    )
    one_by_one = all(isinstance(curve.ranks, RankMarks) for curve in curves)
    caption = element(
        "figcaption",
        element("strong", "Where the positives stand. "),
        "Each mark is a positive example, placed by the share of negatives it is ranked above; "
        "their average is the AUC. "
        if one_by_one
        else "Each positive example is placed by the share of negatives it is ranked above, and "
        "the bars count them; their average is the AUC. ",
        "A positive lies straight below its step of the curve, tied ones below the middle of "
        "their slope.",
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
    return element(
        "details", element("summary", "Where the positives stand"), figure, class_="strips"
    )


def _strip(
    curve: ScoreCurve, frame: svg.Frame, colours: Mapping[str, int], several: bool
) -> Markup:
    ranks = curve.ranks
    if ranks is None:
        return Markup("")
    shape = _marks(ranks, frame) if isinstance(ranks, RankMarks) else _bars(ranks, frame)
    mean = frame.x(1.0 - ranks.mean)
    words_right = ranks.mean > 0.45
    room_left = mean - frame.left - (0 if words_right else _WORDS)
    room_right = frame.right - mean - (_WORDS if words_right else 0)
    title = f"{letter(colours[curve.score])} {curve.score}" if several else curve.score
    title = svg.shorten(title, int(max(room_left, room_right) / _LETTER))
    name_right = room_right >= room_left
    return element(
        "g",
        shape,
        element("path", d=f"M{frame.left:g} {frame.bottom:g}H{frame.right:g}", class_="base"),
        element("path", d=f"M{mean:.5g} {frame.top - 12:g}V{frame.bottom:g}", class_="mean"),
        svg.label(
            f"average {number(ranks.mean)}",
            mean + (5 if words_right else -5),
            frame.top - 4,
            "tick strong" if words_right else "tick strong end",
        ),
        svg.label(
            title,
            frame.right if name_right else frame.left,
            frame.top - 4,
            "tick end" if name_right else "tick",
        ),
        class_=f"strip {svg.tint(colours[curve.score])}",
    )


def _marks(ranks: RankMarks, frame: svg.Frame) -> Markup:
    """One dot for each positive; equal ranks pile up, closer where the pile is high."""
    places = Counter(round(float(frame.x(1.0 - r)), 1) for r in ranks.ranks)
    lift = min(8.0, (frame.height - 4) / max(places.values()))
    radius = 3.5 if lift >= 7 else 2.5
    return join(
        [
            element("circle", cx=x, cy=frame.bottom - radius - lift * i, r=radius, class_="mark")
            for x, count in sorted(places.items())
            for i in range(count)
        ]
    )


def _bars(ranks: RankBins, frame: svg.Frame) -> Markup:
    """Bars whose area is the count, as one walk along the base; places are rounded, not steps."""
    widths = ranks.edges[1:] - ranks.edges[:-1]
    density = ranks.counts / widths
    tallest = float(density.max())
    outline, at = f"M{frame.left:g} {frame.bottom:g}", round(10 * frame.left)
    # the highest ranks stand on the left
    for high, low, value in zip(
        ranks.edges[:0:-1], ranks.edges[-2::-1], density[::-1], strict=True
    ):
        if value > 0:
            left, right = (round(10 * frame.x(1.0 - float(rank))) for rank in (high, low))
            tall = max(0.4, frame.height * float(value) / tallest)
            skipped = f"h{(left - at) / 10:g}" if left > at else ""
            at = right - 6 if right - left > 12 else right  # a narrow gap, where there is room
            outline += f"{skipped}v{-tall:.3g}h{(at - left) / 10:g}v{tall:.3g}"
    return element("path", d=outline, class_="bars")


def _axis(frame: svg.Frame) -> Markup:
    parts = [
        svg.label(f"{share:g}", frame.x(1.0 - share), frame.bottom + 13, "tick middle")
        for share in svg.ticks(0.0, 1.0)
    ]
    title = "Share of negatives ranked below the positive"
    return join([*parts, svg.label(title, frame.x(0.5), frame.bottom + 31, "axis middle")])


_BINS = 10


def rank_table(title: str, curves: Sequence[ScoreCurve]) -> Markup:
    """Tenths of the scale, folded away below the drawing."""
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
    caption = f"Positives of {title} by the share of negatives that they are ranked above"
    table = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *[element("th", h, scope="col") for h in heads])),
        element("tbody", *rows),
        class_="figures",
    )
    box = element("div", table, class_="scroll", role="group", tabindex=0, aria_label=caption)
    return element("details", element("summary", "The ranks as a table"), box)


def tenths(ranks: RankMarks | RankBins) -> FloatArray:
    """How many positives (or how much weight) are in each tenth, its lower end included.

    >>> tenths(RankMarks(np.array([1.0, 0.75, 0.7]), 0.8)).tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 1.0]
    """
    edges = np.arange(_BINS + 1) / _BINS
    if isinstance(ranks, RankMarks):
        return np.histogram(ranks.ranks, edges)[0].astype(np.float64)
    middles = (ranks.edges[:-1] + ranks.edges[1:]) / 2.0
    return np.histogram(middles, edges, weights=ranks.counts)[0].astype(np.float64)
