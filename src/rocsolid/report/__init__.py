"""Render plain data as one self-contained HTML page; this layer computes no statistics."""

from rocsolid.report.blocks import render
from rocsolid.report.data import (
    Band,
    CutPoint,
    Note,
    Page,
    Panel,
    Part,
    RankBins,
    RankMarks,
    ScoreCurve,
    Zoom,
    places_per_band,
    points_per_curve,
)

__all__ = [
    "Band", "CutPoint", "Note", "Page", "Panel", "Part", "RankBins", "RankMarks", "ScoreCurve",
    "Zoom", "places_per_band", "points_per_curve", "render",
]  # fmt: skip
