"""The contents of a page as plain data: curves, operating points, enlarged parts, leaks.

Callers fill these classes from results, and the page draws them.

Nothing here is computed: a page can be made from results that were stored, merged or rounded
before, and a drawing can be tested without statistics.
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
    """A threshold with its rates. Without limits, the rows have none, or none were requested.

    ``chosen`` describes the rule that selected the threshold. ``method`` names the intervals and
    ``warnings`` list their limitations.

    It publishes a threshold, which is a score of the data, and the exact shares of both classes
    that it flags: with the class sizes, two counts of labels.
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
"""Ranks from the top, ascending, with the limit of each."""


@dataclass(frozen=True, slots=True, eq=False)
class RateLimits:
    """Limits for both rates that hold jointly at all thresholds; a pair of tables for each class.

    If ``k`` rows of a class are flagged, the rate is at least the first table's limit of the
    largest rank up to ``k`` (0 without one), and at most the second table's limit of the smallest
    rank above ``k`` (1 without one).
    """

    positives: tuple[RankLimits, RankLimits]
    negatives: tuple[RankLimits, RankLimits]


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """Thresholds in order, starting with the one that flags nothing, with the counts of each class.

    ``total`` is the number of thresholds in the data, and the first ``exact`` are complete.
    ``hits`` and ``alarms`` may be sums of weights, and without ``limits`` there are no intervals.

    They publish the numbers of positives and negatives above each threshold: with all thresholds
    that is the path of the curve. The limits follow from the class sizes.
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
    """One curve inside a box, from its entry to its exit.

    ``corners`` is the number of corners in the data; ``area_error`` bounds the effect of dropping
    some. A curve that passes above or below the box runs along that side. The band's arrays are
    empty without a band; its edges are joined by straight lines.

    It publishes some corners of the exact curve (each two counts of labels), and limits that follow
    from the whole curve.
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
    """An enlarged box of rates: the same curves in the same order as in their panel.

    ``box`` is the drawn box. ``region`` is set if a partial area was requested: the part of the box
    under the curve is shaded, and ``rows`` are its values, as in the table of results.

    It publishes the contents of its parts, and the values in ``rows``.
    """

    title: str
    box: Box
    parts: tuple[Part, ...]
    region: Box | None = None
    rows: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class LeakReport(Plain):
    """The kind of the page (``public`` or private) and what it reveals about the labels.

    ``banner`` comes first on the page and advises what to do. Every page has such a report; if
    nothing was computed, as for simulated data, the report gives the reason.
    """

    public: Annotated[bool, "True if the output may be shown to anyone."]
    banner: Annotated[str, "The kind of output."]
    verdict: Annotated[str, "The answer in a sentence."]
    readers: Annotated[tuple[str, ...], "The possible readers and what each can learn."] = ()
    tables: Annotated[tuple[Cells, ...], "The figures."] = ()
    uncounted: Annotated[tuple[str, ...], "The limits of the figures."] = ()
    likeliest: Annotated[
        float | None,
        float,
        holds(exclusiveMinimum=0, maximum=1),
        "Probability of the likeliest label: exact, at most, or about; see verdict.",
    ] = None
    _json = "public banner verdict readers tables uncounted likeliest?"


MADE_UP = LeakReport(
    public=True,
    banner="Made-up data: nothing on this page is about real rows.",
    verdict="All labels and scores on this page were drawn at random or chosen as an example, "
    "so it reveals nothing about anyone.",
)

COLLECTIONS = LeakReport(
    public=False,
    banner="Figures from collections: in addition to made-up data this page has averages over "
    "the queries of the named collections. If their relevance grades are not public, "
    "read below what it reveals before you publish it.",
    verdict="Each average is an equation in the relevance grades for someone who has the ranked "
    "lists. The number of grades that follow from all of them together was not counted.",
)

REVIEW_FORM = LeakReport(
    public=False,
    banner="Form for reviewers: it may name the rows whose labels follow from the outputs under "
    "review. Do not give it to the recipients of these outputs.",
    verdict="The form is computed from the named outputs and the scores, as a recipient could "
    "do it; rocsolid read no hidden label for it. It saves a recipient the work.",
)


EXACT_FIGURES = LeakReport(
    public=False,
    banner="Private page: its figures are exact. If the labels or outcomes are not public, read "
    "below what they reveal before you publish it.",
    verdict="For someone with the scores each value, limit and p-value is an equation in the "
    "labels or outcomes. The number of these that follow from all of them together was "
    "not counted.",
    uncounted=("Other publications on the same rows.",),
)

PLANNED = LeakReport(
    public=True,
    banner="Planning figures: they depend on assumptions about future rows.",
    verdict="They reveal nothing, except that the variances of a pilot, if one was used, follow "
    "from its labels.",
)


@dataclass(frozen=True, slots=True, eq=False)
class CoarseCurve:
    """A curve at a few cuts, with rates from rounded counts and a matching number of decimals."""

    score: str
    fpr: NDArray[np.float64]
    tpr: NDArray[np.float64]
    text: str
    decimals: int = 2


MARKS_LIMIT = 60
"""Up to this many positives are drawn one by one (``RankMarks``), and more as ``RankBins``."""

_CURVE_POINTS = 2_000
_PAGE_POINTS = 3_000
_BAND_PLACES = 200
_PAGE_PLACES = 600


def points_per_curve(curves: int) -> int:
    """The number of corners for each of ``curves`` curves that keeps a page below 400 kB.

    A drawing is about 340 pixels wide and high, so 150 corners already look like all of them.

    >>> points_per_curve(3), points_per_curve(20), points_per_curve(80)
    (1000, 150, 50)
    """
    return max(50, min(_CURVE_POINTS, _PAGE_POINTS // max(1, curves)))


def places_per_band(curves: int) -> int:
    """The number of false-positive rates at which each of ``curves`` bands may have a step.

    >>> places_per_band(3), places_per_band(20), places_per_band(80)
    (200, 30, 20)
    """
    return max(20, min(_BAND_PLACES, _PAGE_PLACES // max(1, curves)))


@dataclass(frozen=True, slots=True)
class Band:
    """Limits for the true-positive rate on a grid of false-positive rates.

    ``fpr`` ascends; the three arrays have equal lengths. The edges are joined by straight lines;
    steps list a rate twice. ``label`` describes the band and its scope in full: "95 % band for the
    whole curve (equal-local-levels)".
    """

    fpr: FloatArray
    low: FloatArray
    high: FloatArray
    label: str


@dataclass(frozen=True, slots=True)
class RankMarks:
    """The positives one by one: for each, the share of negatives ranked below it.

    A tied negative counts one half, so ``mean`` is exactly the AUC. The order does not matter.
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
    """The curve of one score in one segment.

    ``fpr``, ``tpr``, ``thresholds`` are the corners of the path from (0, 0) to (1, 1), each joined
    to the next by a straight line: an upward or a sideways step, or the diagonal of tied scores.
    ``thresholds[i]`` is the cut of corner i: rows count as positive if their score is ``rule``
    ("≥", or "≤" if low scores are positive) the threshold; the first corner flags nothing and has
    an infinite threshold.

    A simplified path has fewer points than ``corners``, the number in the data; ``area_error`` is
    then a bound on the change of the area (0.0 if the area was kept exactly). ``value`` is the AUC
    of the data, never of the drawing. ``points`` are marked on the line and listed below it. With
    ``cuts`` every threshold can be explored, on a private page.
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
    """The curves of one segment in one drawing: "All rows", "hospital = North".

    ``notes`` are sentences about this segment; a segment without curves needs a note with the
    reason. ``zooms`` enlarge parts of it. Scores keep their colour over all panels, by name.
    """

    title: str
    curves: tuple[ScoreCurve, ...]
    notes: tuple[str, ...] = ()
    zooms: tuple[Zoom, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A method on the page: its description, its assumptions and its source."""

    title: str
    text: str
    assumptions: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """The contents of one page, in reading order.

    All kinds of answers share the frame: ``title``, ``verdict``, ``lead``, ``headline``, ``large``,
    ``worries``, then the folded parts. Fields that only curves of rows have are empty otherwise.

    ``verdict``: the answer in a sentence or two, in large letters under the title. ``headline``:
    its number, and the decision for each rival; ``large``: the first pictures. ``lead``: short
    paragraphs in plain words below: the measure and the data. ``worries``: at most three sentences
    to read before relying on the verdict. ``rows``: the table: ``Estimate.to_dict()`` with two more
    keys, "score" (text) and "by" (a mapping of segment column to value, or None for all rows), as
    in the JSON output. A key "decimals" sets the number to print if four are too few. ``panels``:
    one for all rows first, then one for each drawn segment. ``notes``: each interval method and
    band once. ``facts``: label and text, in order: rows, fingerprint, versions, seed. ``command``:
    the command that makes this page ("" omits it). ``left_out``: sentences on what the page omits
    (such as segments beyond a limit). ``comparisons``: the comparison of scores, one for each
    measure. ``segments``: every score by segment. ``sample_sizes``: how much narrower the intervals
    would be with more rows. ``leaks``: the kind of the page, and what it reveals; every page has
    it. ``coarse`` and ``told_apart``: a public page's replacement of curves and comparisons.
    ``picture``: the curve behind the first measure, and ``prevalence`` its share of positives.
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
