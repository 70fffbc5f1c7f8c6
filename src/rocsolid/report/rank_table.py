"""The strips of ranks as a table: how many positives are ranked above which share of negatives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocsolid.markup import Markup, element, name
from rocsolid.report.curve_data import FloatArray
from rocsolid.report.data import RankBins, RankMarks, ScoreCurve
from rocsolid.report.text import number

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
