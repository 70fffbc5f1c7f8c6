"""The contents of a page as plain data; nothing is computed here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.measures.picture import Picture
from rocsolid.pictures.rates import Box, Rates
from rocsolid.remarks.remark import Remark
from rocsolid.report.frame import Large
from rocsolid.report.sections import SampleSizes, ScoreComparison, Segmented
from rocsolid.report.text import Cells
from rocsolid.results.card import Card
from rocsolid.results.json_schema import holds
from rocsolid.results.plain import Plain

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CutPoint:
    """A threshold with its rates; without limits if the rows have none or none were requested.

    The point publishes a score of the data, and with the class sizes two counts of labels.
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
    """Limits for both rates that hold jointly at all thresholds; two tables for each class.

    If ``k`` rows of a class are flagged, the rate is at least the limit of the largest rank up to
    ``k`` in the first table (else 0), and at most that of the smallest rank above ``k`` in the
    second (else 1).
    """

    positives: tuple[RankLimits, RankLimits]
    negatives: tuple[RankLimits, RankLimits]


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """Thresholds in order, starting with the threshold that flags nothing, with the counts of each
    class.

    The data have ``total`` thresholds. The first ``exact`` are complete, and the others are
    complete or have ``digits`` significant digits: one for every count that such a threshold can
    have. ``hits`` and ``alarms`` may be sums of weights. The table publishes the numbers of
    positives and negatives above each threshold: with all thresholds the path of the curve. The
    limits follow from the class sizes; without them, ``no_limits`` is the reason.
    """

    thresholds: FloatArray
    hits: NDArray[Any]
    alarms: NDArray[Any]
    total: int
    exact: int
    level: float
    limits: RateLimits | None = None
    digits: int = 0
    no_limits: str = ""

    @property
    def complete(self) -> bool:
        return not self.digits


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One curve inside a box, from its entry to its exit.

    The data have ``corners`` corners; ``area_error`` bounds the effect of dropping some. A curve
    that passes above or below the box runs along that side. The part publishes some corners of the
    exact curve (each two counts of labels), and limits that follow from the whole curve.
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

    The part of a requested ``region`` under the curve is shaded, and ``rows`` are its values, as in
    the table of results. A zoom publishes its parts and these values.
    """

    title: str
    box: Box
    parts: tuple[Part, ...]
    region: Box | None = None
    rows: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class LeakReport(Plain):
    """The kind of the page (``public`` or private) and what it reveals about the labels.

    ``banner`` comes first on the page and advises what to do.
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
    """Limits for the true-positive rate, joined by straight lines; ``fpr`` ascends, twice at a
    step.

    ``label`` describes the band in full: "95 % band for the whole curve (equal-local-levels)".
    """

    fpr: FloatArray
    low: FloatArray
    high: FloatArray
    label: str


@dataclass(frozen=True, slots=True)
class RankMarks:
    """The positives one by one: for each, the share of negatives ranked below it.

    A tied negative counts one half, so ``mean`` is exactly the AUC.
    """

    ranks: FloatArray
    mean: float


@dataclass(frozen=True, slots=True)
class RankBins:
    """The positives, or their weights, counted by rank between ascending ``edges`` from 0 to 1.

    ``mean`` is the mean of the ranks themselves, not of the bins: the AUC.
    """

    edges: FloatArray
    counts: FloatArray
    mean: float


@dataclass(frozen=True, slots=True)
class ScoreCurve:
    """The curve of one score in one segment, with the AUC of the data as its ``value``.

    ``fpr``, ``tpr``, ``thresholds`` are the corners of the path from (0, 0) to (1, 1), joined by
    straight lines. At corner i, rows are flagged whose score is ``rule`` the threshold; the first
    corner flags nothing and has an infinite threshold. The data have ``corners`` corners, and
    ``area_error`` bounds the change of the area by those left out (0.0 if it was kept exactly).
    ``points`` are marked on the line. With ``cuts`` every threshold can be explored, on a private
    page.
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

    ``notes`` are sentences about the segment, with the reason if it has no curves. ``zooms``
    enlarge parts of it. The explorer ``starts`` at this threshold, by default in the middle of the
    first curve.
    """

    title: str
    curves: tuple[ScoreCurve, ...]
    notes: tuple[str, ...] = ()
    zooms: tuple[Zoom, ...] = ()
    starts: float | None = None


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

    All kinds of answers have ``title``, ``verdict`` (a sentence or two in large letters), ``lead``
    (the measure and the data), ``card`` (the number and the decisions about it), ``large`` (the
    first pictures), ``worries`` (at most three sentences to read before relying on the verdict),
    ``notes`` (each method once), ``facts`` for reproducing the page, ``command`` and ``leaks``.
    Other fields are for curves of rows: ``rows`` are those of the JSON output, with "score", "by",
    and "decimals" if four are too few. ``panels`` begins with all rows. ``left_out`` are sentences
    on what the page omits. ``coarse`` and ``told_apart`` replace curves and comparisons on a public
    page. ``picture`` is the curve behind the first measure, and ``prevalence`` its share of
    positives.
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
    card: Card | None = None
    large: tuple[Large, ...] = ()
    picture: Picture = "roc"
    prevalence: float = 0.5
    leaks: LeakReport = field(kw_only=True)
