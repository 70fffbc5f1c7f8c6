"""The positives by rank, under the curve: their average is the AUC."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rocsolid.markup import Markup, element, name
from rocsolid.pictures import svg
from rocsolid.pictures.marks import letter
from rocsolid.pictures.ranks import RankStrip, strips_picture
from rocsolid.report.curve_data import FloatArray
from rocsolid.report.data import RankBins, RankMarks, ScoreCurve
from rocsolid.report.text import number, prose, share

_ROW = 52.0


def rank_strips(
    title: str, curves: Sequence[ScoreCurve], identity: str, colours: Mapping[str, int]
) -> Markup:
    """One strip for each score that has ranks, over one axis, with its explanation."""
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
    curve: ScoreCurve, ranks: RankMarks | RankBins, colours: Mapping[str, int], *, several: bool
) -> RankStrip:
    tint = colours[curve.score]
    name = f"{letter(tint)} {curve.score}" if several else curve.score
    placed = ranks.ranks if isinstance(ranks, RankMarks) else (ranks.edges, ranks.counts)
    return RankStrip(name, ranks.mean, f"average {number(ranks.mean)}", placed, tint)


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
