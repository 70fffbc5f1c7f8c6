"""One self-contained HTML page from plain data. This layer draws; it computes no statistics."""

from rocsolid.report.curve_data import CutPoint, Part, Zoom
from rocsolid.report.data import (
    Band,
    Note,
    Page,
    Panel,
    RankBins,
    RankMarks,
    ScoreCurve,
    ScoreSummary,
    places_per_band,
    points_per_curve,
)
from rocsolid.report.page import render

__all__ = [
    "Band", "CutPoint", "Note", "Page", "Panel", "Part", "RankBins", "RankMarks", "ScoreCurve",
    "ScoreSummary", "Zoom", "places_per_band", "points_per_curve", "render",
]  # fmt: skip
