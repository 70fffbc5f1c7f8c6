"""Render plain data as one self-contained HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsolid.public_names import homes, install_lookup

if TYPE_CHECKING:
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
    from rocsolid.report.html import render

__all__ = [
    "Band", "CutPoint", "Note", "Page", "Panel", "Part", "RankBins", "RankMarks", "ScoreCurve",
    "Zoom", "places_per_band", "points_per_curve", "render",
]  # fmt: skip
# loaded when used: the terminal's tables need no page
install_lookup(
    __name__,
    homes(
        {
            "rocsolid.report.data": "Band CutPoint Note Page Panel Part RankBins RankMarks "
            "ScoreCurve Zoom places_per_band points_per_curve",
            "rocsolid.report.html": "render",
        }
    ),
)
