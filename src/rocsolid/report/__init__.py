"""One self-contained HTML page from plain data. This layer draws; it computes no statistics."""

from rocsolid.report.data import (
    Answer,
    Band,
    Curve,
    Mark,
    Note,
    Page,
    Panel,
    RankBins,
    RankMarks,
    points_per_curve,
)
from rocsolid.report.page import render

__all__ = [
    "Answer",
    "Band",
    "Curve",
    "Mark",
    "Note",
    "Page",
    "Panel",
    "RankBins",
    "RankMarks",
    "points_per_curve",
    "render",
]
