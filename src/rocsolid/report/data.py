"""What a page shows, as plain data: whoever has results fills these, and the page draws them.

Nothing here computes. Every number arrives finished, so that a page can be made from results that
were stored, merged or rounded before, and so that a drawing can be tested without statistics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.measures.picture import Picture
from rocsolid.report.cells import Cells
from rocsolid.report.curve_data import CutPoint, Cuts, Zoom
from rocsolid.report.leak_data import CoarseCurve, LeakReport
from rocsolid.report.section_data import SampleSizes, ScoreComparison, Segmented

FloatArray = NDArray[np.float64]

MARKS_LIMIT = 60
"""Up to this many positives are drawn one by one (``RankMarks``), more of them as ``RankBins``."""

_CURVE_POINTS = 2_000
_PAGE_POINTS = 3_000
_BAND_PLACES = 200
_PAGE_PLACES = 600


def points_per_curve(curves: int) -> int:
    """How many corners each of ``curves`` curves may keep, so that a page stays below 400 kB.

    A drawing is some 340 pixels wide and high, so that 150 corners already look like all of them.

    >>> points_per_curve(3), points_per_curve(20), points_per_curve(80)
    (1000, 150, 50)
    """
    return max(50, min(_CURVE_POINTS, _PAGE_POINTS // max(1, curves)))


def places_per_band(curves: int) -> int:
    """At how many false-positive rates the edges of each of ``curves`` bands may have a stair.

    >>> places_per_band(3), places_per_band(20), places_per_band(80)
    (200, 30, 20)
    """
    return max(20, min(_BAND_PLACES, _PAGE_PLACES // max(1, curves)))


@dataclass(frozen=True, slots=True)
class Band:
    """Limits for the true-positive rate on a grid of false-positive rates.

    ``fpr`` ascends; the three arrays are equally long. The edges are joined by straight lines;
    stairs list a rate twice. ``label`` says what the band is, and for what it holds, in full:
    "95 % band for the whole curve at once (equal-local-levels)".
    """

    fpr: FloatArray
    low: FloatArray
    high: FloatArray
    label: str


@dataclass(frozen=True, slots=True)
class RankMarks:
    """The positives one by one: for each, the share of negatives that it is ranked above.

    A tied negative counts one half, so that ``mean`` is the AUC exactly. Order does not matter.
    """

    ranks: FloatArray
    mean: float


@dataclass(frozen=True, slots=True)
class RankBins:
    """The positives counted by rank: ``counts[i]`` of them between ``edges[i]`` and ``edges[i+1]``.

    ``edges`` ascends from 0 to 1 and is one longer than ``counts`` (which may be sums of weights).
    ``mean`` is the mean of the ranks themselves, not of the bins: the AUC.
    """

    edges: FloatArray
    counts: FloatArray
    mean: float


@dataclass(frozen=True, slots=True)
class ScoreCurve:
    """One score in one segment.

    ``fpr``, ``tpr``, ``thresholds`` are the corners of the path from (0, 0) to (1, 1), each joined
    to the next by a straight line: an upward or a sideways step, or the diagonal of tied scores.
    ``thresholds[i]`` is the cut that leads to corner i: rows count as positive whose score is
    ``rule`` ("≥", or "≤" where low scores are the positive ones) the threshold; the first corner
    flags nothing and has an infinite threshold.

    A simplified path has fewer points than ``corners``, the number that the data has;
    ``area_error`` is then a bound on how much area the simplification moved (0.0 where the area was
    kept exactly). ``value`` is the AUC of the data, never of the drawing. ``points`` are marked on
    the line and listed below it. With ``cuts`` every threshold can be explored, on a private page.
    """

    score: str
    value: float
    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray
    corners: int
    area_error: float = 0.0
    band: Band | None = None
    ranks: RankMarks | RankBins | None = None
    rule: Literal["≥", "≤"] = "≥"
    points: tuple[CutPoint, ...] = ()
    cuts: Cuts | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """The curves of one segment, drawn over each other: "All rows", "hospital = North".

    ``notes`` are sentences about this segment; a segment without curves needs one that says why.
    ``zooms`` draw parts of it large. Scores keep their colour over all panels, by their name.
    """

    title: str
    curves: tuple[ScoreCurve, ...]
    notes: tuple[str, ...] = ()
    zooms: tuple[Zoom, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreSummary:
    """One score's result in words: the first paragraph is the sentence to remember.

    ``measure`` names what was measured where that is not the AUC.
    """

    score: str
    value: float
    low: float
    high: float
    level: float
    paragraphs: tuple[str, ...]
    measure: str = ""
    decimals: int = 4


@dataclass(frozen=True, slots=True)
class Note:
    """A method used on the page: what it is, what it assumes and where it is proven."""

    title: str
    text: str
    assumptions: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Everything on one page, in the order in which it is read.

    ``verdict``: the answer in a sentence or two, in large letters under the title.
    ``lead``: short paragraphs in plain words under it: what was measured, on what.
    ``worries``: at most three sentences on what to know before relying on the verdict.
    ``answers``: one for each score, over all rows.
    ``rows``: the table: ``Estimate.to_dict()`` with two keys more, "score" (text) and "by" (a
    mapping of segment column to value, or None for all rows): the very entries of the JSON output.
    A key "decimals" says how many to print where four are too few.
    ``panels``: one for all rows first, then one for each segment that is to be drawn.
    ``notes``: each interval method and band once.
    ``facts``: label and text, in order: rows, fingerprint, versions, seed.
    ``command``: what to type to make this page again ("" leaves it out).
    ``left_out``: sentences on what the page does not show (segments beyond a limit, say).
    ``comparisons``: the scores against each other, one for each measure.
    ``segments``: every score by segment.
    ``sample_sizes``: how much narrower the intervals would be with more rows.
    ``leaks``: which kind of page this is, and what it gives away. No page is without it.
    ``coarse`` and ``told_apart``: what a public page has in place of curves and comparisons.
    ``picture``: the curve that the first measure is read off, and ``prevalence`` the share of
    positives in it.
    """

    title: str
    lead: tuple[str, ...]
    answers: tuple[ScoreSummary, ...] = ()
    rows: tuple[Mapping[str, Any], ...] = ()
    panels: tuple[Panel, ...] = ()
    notes: tuple[Note, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    command: str = ""
    left_out: tuple[str, ...] = ()
    comparisons: tuple[ScoreComparison, ...] = ()
    segments: Segmented | None = None
    sample_sizes: SampleSizes | None = None
    coarse: tuple[CoarseCurve, ...] = ()
    told_apart: tuple[Cells, ...] = ()
    verdict: tuple[str, ...] = ()
    worries: tuple[str, ...] = ()
    picture: Picture = "roc"
    prevalence: float = 0.5
    leaks: LeakReport = field(kw_only=True)
