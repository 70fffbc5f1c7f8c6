"""Precision against recall, beside the ROC curves where positives are rare."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rocsolid.markup import NOTHING, Markup, element, join
from rocsolid.pictures.lines import ChartLine, LineChart
from rocsolid.report.curve_data import Cuts, FloatArray
from rocsolid.report.data import ScoreCurve
from rocsolid.report.line_chart import figure, key
from rocsolid.report.text import prose, share

RARE = 0.2
"""With fewer positives than this share, few false alarms by rate are many by number."""
_RECALLS = np.linspace(0.04, 1.0, 25)
_MOST = 6  # lines that can be read, and that a page has room for


def precision_recall_panel(
    curves: tuple[ScoreCurve, ...], colours: Mapping[str, int], *, requested: bool = False
) -> Markup:
    """Nothing unless every curve has its counts, and it is requested or positives are rare."""
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
        + (f" Drawn are the {_MOST} scores with the highest AUC." if len(curves) > _MOST else "")
    )
    drawn = figure(chart, "precision-recall", colours)
    several = key({score: colours[score] for score in cuts}) if len(cuts) > 1 else NOTHING
    return join([element("p", prose(remark), class_="remark"), several, drawn])


def _precision(cuts: Cuts) -> FloatArray:
    """At the first threshold, from the highest down, that reaches each recall."""
    recall = cuts.hits / cuts.hits[-1]
    flagged = cuts.hits + cuts.alarms
    # a recall is a ratio of counts, and may miss its round value by rounding
    at = np.searchsorted(recall, _RECALLS * (1.0 - 1e-12))
    return np.asarray(cuts.hits[at] / flagged[at], dtype=np.float64)
