"""One self-contained HTML page from plain data. This layer draws; it computes no statistics."""

from rocsolid.report.curve_data import Part, Point, Zoom
from rocsolid.report.data import (
    Answer,
    Band,
    Curve,
    Note,
    Page,
    Panel,
    RankBins,
    RankMarks,
    places_per_band,
    points_per_curve,
)
from rocsolid.report.page import render

__all__ = [
    "Answer",
    "Band",
    "Curve",
    "Note",
    "Page",
    "Panel",
    "Part",
    "Point",
    "RankBins",
    "RankMarks",
    "Zoom",
    "places_per_band",
    "points_per_curve",
    "render",
]
