"""What stands on a curve and beside it, as plain data: operating points, and a part drawn large.

What a page shows, as plain data: whoever has results fills these, and the page draws them.

Nothing here computes. Every number arrives finished, so that a page can be made from results that
were stored, merged or rounded before, and so that a drawing can be tested without statistics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.measures.picture import Picture
from rocsolid.pictures.rates import Box, Rates
from rocsolid.remarks.remark import Remark
from rocsolid.report.frame import Headline, Large
from rocsolid.report.sections import SampleSizes, ScoreComparison, Segmented
from rocsolid.report.text import Cells
from rocsolid.results.json_schema import holds
from rocsolid.results.plain import Plain

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CutPoint:
    """A threshold and what it does. Without limits the rows have none, or none was requested.

    ``chosen`` says in words what the threshold was found by. ``method`` names the intervals and
    ``warnings`` say what limits them.

    Publishes a threshold, which is a score of the data, and the exact shares of both classes that
    it flags: with the class sizes, two counts of labels.
    """

    chosen: str
    threshold: float
    tpr: float
    fpr: float
    tpr_limits: Rates | None = None
    fpr_limits: Rates | None = None
    level: float = 0.95
    method: str = ""
    warnings: tuple[Remark, ...] = ()


RankLimits = tuple[NDArray[np.int64], FloatArray]
"""Ranks from the top, ascending, and the limit that belongs to each."""


@dataclass(frozen=True, slots=True, eq=False)
class RateLimits:
    """Limits for both rates that hold at all thresholds at once; a pair for each class.

    With ``k`` rows of a class flagged its rate is at least the first table's limit of the largest
    rank up to ``k`` (0 where there is none), and at most the second's of the smallest rank above
    ``k`` (else 1).
    """

    positives: tuple[RankLimits, RankLimits]
    negatives: tuple[RankLimits, RankLimits]


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """Thresholds from the one that flags nothing on, and how many rows of each class they flag.

    ``total`` is how many the data has, and before the first ``exact`` of these none is left out.
    ``hits`` and ``alarms`` may be sums of weights, and without ``limits`` there are no intervals.

    Publishes the numbers of positives and negatives above each threshold: with all thresholds that
    is the path of the curve. The limits follow from the class sizes.
    """

    thresholds: FloatArray
    hits: NDArray[Any]
    alarms: NDArray[Any]
    total: int
    exact: int
    level: float
    limits: RateLimits | None = None

    @property
    def complete(self) -> bool:
        return len(self.thresholds) == self.total


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One curve inside a box, from where it enters to where it leaves.

    ``corners`` is how many the data has there; ``area_error`` bounds what dropping some of them
    moved. A curve that passes above or below the box runs along that side. The band's arrays are
    empty where there is none; its edges are joined by straight lines.

    Publishes some corners of the exact curve (each two counts of labels), and limits that follow
    from the whole of it.
    """

    score: str
    fpr: FloatArray
    tpr: FloatArray
    corners: int
    area_error: float
    band_fpr: FloatArray
    band_low: FloatArray
    band_high: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Zoom:
    """A box of rates, drawn large: the same curves in the same order as in their panel.

    ``box`` is what is drawn. ``region`` is set where a partial area was requested: the
    part of that box under the curve is shaded, and ``rows`` are its values, as in the table of
    results.

    Publishes what its parts do, and the values in ``rows``.
    """

    title: str
    box: Box
    parts: tuple[Part, ...]
    region: Box | None = None
    rows: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class LeakReport(Plain):
    """The kind of the page (``public`` or private) and what it tells about the labels.

    ``banner`` stands above everything else, and says what to do or not to do. Every page has such a
    report, and where nothing is computed, such as for data that were made up, it says why.
    """

    public: Annotated[bool, "Whether the output may be shown to anyone."]
    banner: Annotated[str, "Which kind of output this is."]
    verdict: Annotated[str, "The answer in a sentence."]
    readers: Annotated[tuple[str, ...], "Who can learn what."] = ()
    tables: Annotated[tuple[Cells, ...], "The figures."] = ()
    uncounted: Annotated[tuple[str, ...], "What they leave out."] = ()
    likeliest: Annotated[
        float | None,
        float,
        holds(exclusiveMinimum=0, maximum=1),
        "Probability of the likeliest label: exact, at most, or about; see verdict.",
    ] = None
    _json = "public banner verdict readers tables uncounted likeliest?"


MADE_UP = LeakReport(
    public=True,
    banner="Made-up data: nothing here is about real rows.",
    verdict="All labels and scores on this page were drawn at random or chosen as an example, so "
    "it gives away nothing about anyone.",
)

COLLECTIONS = LeakReport(
    public=False,
    banner="Figures from collections: beside made-up data this page has averages over the queries "
    "of the collections that it names. If their relevance grades are not public, read below what "
    "it gives away before you publish it.",
    verdict="Each average is an equation in the relevance grades for someone who has the ranked "
    "lists. How many grades follow from all of them together was not counted.",
)

REVIEW_FORM = LeakReport(
    public=False,
    banner="Form for reviewers: it may name the rows whose labels follow from the outputs under "
    "review. Do not hand it to the recipients of these outputs.",
    verdict="It is computed from the outputs that it names and the scores, as a recipient could do "
    "it; rocsolid read no hidden label for it. It saves a recipient the work.",
)


EXACT_FIGURES = LeakReport(
    public=False,
    banner="Private page: its figures are exact. If the labels or outcomes are not public, read "
    "below what they give away before you publish it.",
    verdict="For someone with the scores each value, limit and p-value is an equation in the "
    "labels or outcomes. How many of these follow from all of them together was not counted.",
    uncounted=("Other publications on the same rows.",),
)

PLANNED = LeakReport(
    public=True,
    banner="Planning figures: they rest on what was assumed of rows to come.",
    verdict="They give nothing away, except that the variances of a pilot, where one was given, "
    "follow from its labels.",
)


@dataclass(frozen=True, slots=True, eq=False)
class CoarseCurve:
    """A curve at a few cuts. The rates are made from rounded counts, and ``decimals`` fit them."""

    score: str
    fpr: NDArray[np.float64]
    tpr: NDArray[np.float64]
    text: str
    decimals: int = 2


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
class Note:
    """A method used on the page: what it is, what it assumes and where it is proven."""

    title: str
    text: str
    assumptions: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Everything on one page, in the order in which it is read.

    All kinds of answers share its frame: ``title``, ``verdict``, ``lead``, ``headline``, ``large``,
    ``worries``, then what can be unfolded. What only curves of rows have is empty in others.

    ``verdict``: the answer in a sentence or two, in large letters under the title.
    ``headline``: its number, and what was shown of each rival; ``large``: the first pictures.
    ``lead``: short paragraphs in plain words under it: what was measured, on what.
    ``worries``: at most three sentences on what to know before relying on the verdict.
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
    lead: tuple[str, ...] = ()
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
    headline: Headline | None = None
    large: tuple[Large, ...] = ()
    picture: Picture = "roc"
    prevalence: float = 0.5
    leaks: LeakReport = field(kw_only=True)
