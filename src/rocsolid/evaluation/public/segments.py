"""Published results, which reveal no more about the labels than necessary."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import MANY_TIES, reversed_score
from rocsolid.counts import both_classes, counted
from rocsolid.dataclass import dataclass
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult
from rocsolid.intervals.calibrated.auto import METHODS as CALIBRATED
from rocsolid.intervals.guarantees.best import interval as guarantee
from rocsolid.leaks.simulate import public_decimals
from rocsolid.measures.by_group import Grouped
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark, doubted
from rocsolid.remarks.rows import (
    BootstrapNearEnd,
    ManyTies,
    ReversedScore,
    TiesInPublic,
    WithheldFigures,
)
from rocsolid.results import Alternative, percent
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import PLACEMENTS, VALUE, Certified, Interval, how_often, whatever
from rocsolid.results.json_schema import Count, MeasureName, ScoreName, SegmentOrAll, Warnings
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.moments import Moments

_NO_INTERVAL = "none"
_FLOATING = 1e-12  # the largest error of an AUC that was computed in floating point


@dataclass(frozen=True, slots=True, repr=False)
class RoundedResult(Plain, Checked):
    """One published result. ``n_pos`` and ``n_neg`` are None if withheld.

    The limits are rounded outward, so that they hold at the level of the unrounded limits.
    """

    score: ScoreName
    measure: MeasureName
    by: SegmentOrAll
    value: Annotated[float, "The value, rounded."]
    interval: Interval
    certified: Certified
    decimals: Annotated[Count, "The decimals of the value."]
    rows: Annotated[Count, "Its rows."]
    n_pos: Annotated[Count | None, "Positives; null if withheld."]
    n_neg: Annotated[Count | None, "Negatives; null if withheld."]
    meaning: str
    chance: float
    warnings: Warnings
    _columns = "positives=n_pos negatives=n_neg"
    _json = (
        "score by measure value low=interval.low high=interval.high level=interval.level "
        "method=interval.method assumptions=interval.assumptions certified decimals rows n_pos "
        "n_neg warnings"
    )

    @property
    def basis(self) -> str:
        """The published counts behind the value."""
        if self.n_pos is None or self.n_neg is None:
            return counted(self.rows, "row")
        return both_classes(self.n_pos, self.n_neg)

    __repr__ = one_line

    def __str__(self) -> str:
        title = "AUC" if self.measure == "auc" else self.measure
        limits = "no interval"
        if self.interval.method != _NO_INTERVAL:
            limits = f"[{self._ends(self.interval)}] at {percent(self.interval.level)}"
            limits += f" ({self.interval.method})"
        return f"{title} {self.text}, {limits}, rounded, {self.basis}"

    @property
    def text(self) -> str:
        """The rounded value with its decimals; 1.00 does not promise a perfect score."""
        return f"{self.value:.{self.decimals}f}"

    @property
    def deciding(self) -> Interval:
        """The deciding interval, as in `Estimate`."""
        if self.certified is not None and doubted(self.warnings):
            return self.certified
        return self.interval

    def sentences(self) -> tuple[str, ...]:
        places = counted(self.decimals, "decimal")
        sentences = [
            self.meaning,
            f"Rounded to {places}: {self.text} represents every value that rounds to it.",
            self._in_words(self.interval, f"calibrated: {how_often(self.interval.level)}"),
        ]
        if self.certified is not None and self.certified != self.interval:
            sentences.append(self._in_words(self.certified, ""))
        if self.chance in self.deciding:
            sentences.append("A random ranking is not ruled out.")
        return (*sentences, *self.warnings)

    def _in_words(self, limits: Interval, holds: str) -> str:
        if limits.method == _NO_INTERVAL:
            return "No interval is published."
        if limits.vacuous:
            return f"The {percent(limits.level)} interval by {limits.method} is uninformative."
        if limits.certified:
            holds = whatever(limits.assumptions)
        return (
            f"The {percent(limits.level)} interval for the value in the whole population is "
            f"{self._ends(limits, ' to ')}, with limits rounded outward ({limits.method}, "
            f"{holds})."
        )

    def _ends(self, limits: Interval, between: str = ", ") -> str:
        return between.join(f"{end:.{self.decimals}f}" for end in (limits.low, limits.high))


def rounded(
    estimate: Estimate,
    decimals: int,
    *,
    score: str,
    measure: str,
    by: Mapping[str, Any] | None,
    rows: int,
    tied: float,
    limits: bool = True,
) -> RoundedResult:
    """Round the value to the nearest unit (a half to the even unit) and the limits outward.

    ``decimals`` are for a measure between 0 and 1; a measure with a smaller range gets more. The
    certified interval of an AUC of equally weighted rows is recomputed from the rounded AUC and the
    class sizes, so it reveals nothing more. Without ``limits`` it replaces the requested interval.
    ``tied`` is the share of pairs of rows with the same score.
    """
    decimals += estimate.interval.decimals - 4
    unit = Fraction(1, 10**decimals)
    exact = Fraction(estimate.value)
    if measure == "auc" and estimate.exact is not None:
        exact = estimate.exact
    elif measure == "auc" and estimate.n_pos and estimate.n_neg:
        of_pairs = exact.limit_denominator(2 * int(estimate.n_pos) * int(estimate.n_neg))
        if abs(of_pairs - exact) < _FLOATING:  # so that a tie of halves rounds as stated
            exact = of_pairs
    value = round(exact / unit) * unit
    requested, proven, whole = estimate.interval, estimate.certified, by is None
    remade = whole and from_sizes(estimate, measure)
    certified = None
    if proven is not None and remade:
        certified = _remade(proven, estimate, value, unit)
    elif proven is not None and whole and limits:
        certified = _outward(proven, unit)
    if not limits:
        interval = certified or _nothing(requested)
    elif remade and requested.reads <= VALUE:
        interval = _remade(requested, estimate, value, unit)
    else:
        interval = _outward(requested, unit)
    share = f"{100 * float(value):.{max(0, decimals - 2)}f} %"
    return RoundedResult(
        score=score,
        measure=measure,
        by=by,
        value=float(value),
        interval=interval,
        certified=certified,
        decimals=decimals,
        rows=rows,
        n_pos=estimate.n_pos if whole else None,
        n_neg=estimate.n_neg if whole else None,
        meaning=estimate.meaning.format(
            value=f"{float(value):.{decimals}f}",
            percent=f"about {share}",
            ties=", a tie counting as half" if tied else "",
        ),
        chance=estimate.chance,
        warnings=_warnings(
            estimate, interval, certified, measure, whole=whole, many=tied > MANY_TIES
        ),
    )


def _remade(certified: Interval, estimate: Estimate, value: Fraction, unit: Fraction) -> Interval:
    """Return an interval from the AUC and the sizes, for all AUCs that round to the same value."""
    method = certified.method if certified.reads <= VALUE else "hinge"
    sizes, alternative = (estimate.n_pos, estimate.n_neg), estimate.settings["alternative"]
    ends = [
        float(end)
        for end in (max(Fraction(0), value - unit / 2), min(Fraction(1), value + unit / 2))
    ]
    if method in CALIBRATED:
        low, _ = _calibrated(method, ends[0], *sizes, certified.level, alternative)
        _, high = _calibrated(method, ends[1], *sizes, certified.level, alternative)
        return _outward(replace(certified, low=low, high=high), unit)
    first, last = (
        _guaranteed(method, end, *sizes, 1.0 - certified.level, alternative) for end in ends
    )
    return _outward(replace(first, high=last.high), unit)


@lru_cache(maxsize=4096)
def _calibrated(
    method: str, auc: float, n_pos: int, n_neg: int, level: float, alternative: Alternative
) -> tuple[float, float]:
    """Return limits from the AUC and the sizes; without limits, the AUC itself."""
    group = Moments(np.array([auc]), np.zeros(1), np.zeros(1), float(n_pos), float(n_neg))
    low, high = CALIBRATED[method].limits(group, level, alternative)
    return float(np.nan_to_num(low[0], nan=auc)), float(np.nan_to_num(high[0], nan=auc))


@lru_cache(maxsize=4096)
def _guaranteed(
    method: str, auc: float, n_pos: int, n_neg: int, delta: float, alternative: Alternative
) -> Interval:
    """Cache the interval, because the audit makes the same page from many labelings."""
    return guarantee(method, auc, n_pos, n_neg, delta=delta, alternative=alternative)


def from_sizes(estimate: Estimate, measure: str) -> bool:
    """Return whether the AUC and the sizes determine a certified interval, at least that of
    `hinge`.
    """
    certified = estimate.certified
    return measure == "auc" and certified is not None and certified.reads <= VALUE | PLACEMENTS


def _nothing(asked: Interval) -> Interval:
    return Interval(*asked.range, asked.level, _NO_INTERVAL, range=asked.range)


def _outward(interval: Interval, unit: Fraction) -> Interval:
    bottom, top = interval.range
    low = max(float(math.floor(Fraction(interval.low) / unit) * unit), bottom)
    high = min(float(math.ceil(Fraction(interval.high) / unit) * unit), top)
    return replace(interval, low=low, high=high, drawn="")


def _warnings(
    estimate: Estimate,
    interval: Interval,
    certified: Interval | None,
    measure: str,
    *,
    whole: bool,
    many: bool,
) -> tuple[Remark, ...]:
    """Return warnings without figures, and those with published or public figures.

    Warnings with other figures concern the requested interval; if that is withheld, they are too.
    Only an AUC is called reversed, because its value by chance reveals nothing.
    """
    withheld = interval.method != estimate.interval.method
    kept: dict[Remark, None] = {}
    for one in estimate.warnings:
        if isinstance(one, ReversedScore) or (isinstance(one, BootstrapNearEnd) and withheld):
            continue
        if one.quotes == "nothing" or (whole and one.quotes == "counts"):
            kept[one] = None
        elif not isinstance(one, ManyTies) and not withheld:
            kept[WithheldFigures()] = None
    deciding = certified if certified is not None and doubted(kept) else interval
    backward = reversed_score(deciding) if measure == "auc" else []
    return (*kept, *([TiesInPublic(MANY_TIES)] if many else []), *backward)


def form_bits(
    estimate: Estimate, decimals: int, *, measure: str, whole: bool, limits: bool = True
) -> float:
    """Return an upper bound on log₂ of the number of possible `RoundedResult` values.

    The forms are low ≤ value ≤ high, each in steps of one unit, with the warnings. The bound
    depends on the options and the scores alone, so it is the same for all labels.
    """
    interval = estimate.interval
    name = estimate.settings["interval"]
    resampled = name.startswith("bootstrap")
    span = Fraction(interval.range[1] - interval.range[0])
    steps = math.ceil(span * 10 ** (decimals + interval.decimals - 4))
    figures = int(measure != "auc" or estimate.settings["weighted"])
    if not limits:
        return math.log2(steps + 1) + figures
    # a resampled interval need not contain the value
    choices = (steps + 1) * math.comb(steps + 2, 2) if resampled else math.comb(steps + 3, 3)
    alone = estimate.certified is None or estimate.certified is interval
    if whole and not alone and not from_sizes(estimate, measure):
        choices *= math.comb(steps + 2, 2)
    # the method and the warnings, in the region
    method = 1 if name == "auto" else 3 if resampled else 0
    return math.log2(choices) + method + figures


SEGMENT_ROWS = 20
"""A segment is published if it has at least this many positives and negatives."""

SEGMENTS = 100
"""At most this many segments are published, the first ones."""


def shown_segments(evaluation: EvaluationNumbers) -> list[int]:
    """Return segments with enough rows of both classes and an estimate for every score and
    measure.
    """
    if evaluation.segments is None:
        return []
    groups = len(evaluation.segments)
    enough = np.ones(groups, dtype=bool)
    for part in evaluation.parts:
        if part.grouped is not None:
            enough &= _sizes(part.grouped, groups).min(axis=1) >= SEGMENT_ROWS
            enough[list(part.grouped.refused)] = False
    return [int(group) for group in np.flatnonzero(enough)[:SEGMENTS]]


def large_segments(evaluation: EvaluationNumbers) -> NDArray[np.bool_]:
    """Mark segments with enough rows to be shown for some labels with the same class sizes."""
    groups = 0 if evaluation.segments is None else len(evaluation.segments)
    large = np.ones(groups, dtype=bool)
    for scored in evaluation.parts:
        large &= sum(scored.sizes) < evaluation.n_rows or min(scored.sizes) >= SEGMENT_ROWS
        if scored.grouped is not None:
            large &= _sizes(scored.grouped, groups).sum(axis=1) >= 2 * SEGMENT_ROWS
    return large


def segment_forms(evaluation: EvaluationNumbers, coarse: Coarseness) -> Iterator[tuple[str, float]]:
    """Count the forms of each segment that is large enough: withheld, or one of its forms."""
    if evaluation.segments is None:
        return
    groups, large = len(evaluation.segments), large_segments(evaluation)
    bits = np.zeros(groups)
    for scored in evaluation.parts:
        if scored.grouped is None:
            continue
        name = scored.measure.name
        rows = _sizes(scored.grouped, groups).sum(axis=1)
        for group in np.flatnonzero(large).tolist():
            places = coarse.places(segment_decimals(scored, int(rows[group])))
            bits[group] += form_bits(
                scored.overall, places, measure=name, whole=False, limits=coarse.limits
            )
    total = float(np.logaddexp2(0.0, bits[large]).sum())
    yield f"results in {np.count_nonzero(large):,} segments, and which are shown", total


def segment_decimals(part: ScoreResult, count: int) -> int:
    """Return the decimals by the overall share of positives; a segment's own share is withheld."""
    expected = min(max(1, round(count * (part.sizes[0] / sum(part.sizes)))), count - 1)
    most = public_decimals(*part.sizes)
    return min(most, public_decimals(expected, count - expected))


def tied(part: ScoreResult) -> float:
    """Return the share of pairs of rows with the same score; a small number without the rows."""
    if part.rows is None:
        return MANY_TIES / 2
    rows = float(len(part.rows))
    times = np.unique(part.rows.score, return_counts=True)[1].astype(np.float64)
    return float((times * (times - 1.0)).sum() / (rows * (rows - 1.0)))


def _sizes(grouped: Grouped, groups: int) -> NDArray[np.int64]:
    sizes = np.zeros((groups, 2), dtype=np.int64)
    for group in range(groups):
        if group in grouped.refused:
            sizes[group] = grouped.refused[group][1:]
        else:
            estimate = grouped[group]
            sizes[group] = estimate.n_pos, estimate.n_neg
    return sizes
