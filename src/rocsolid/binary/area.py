"""Areas under parts of the ROC curve."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area_term import MOST_KEPT, AreaTerm
from rocsolid.binary.curve_area import (
    Variance,
    area_and_influence,
    curve_area,
    influence,
    plug_in,
    plug_in_influence,
    slice_area,
)
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import Scale, row_influences, row_sums, summarise
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.ranked_classes import RankedClasses
from rocsolid.summaries.ranked_groups import RankedGroups
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.terms import TermSums, TermWalk
from rocsolid.weights.losses import Loss
from rocsolid.weights.losses import step_of_ramp as step
from rocsolid.weights.weight import Weight, check_region

AreaScale = Literal["raw", "mean", "mcclish"]
Rates = float | tuple[float, float]
_ALL = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Region:
    """A box of false- and true-positive rates; an unlimited side is [0, 1]."""

    fpr: tuple[float, float]
    tpr: tuple[float, float]

    @classmethod
    def of(cls, fpr: Rates | None = None, tpr: Rates | None = None) -> Region:
        """The region for arguments: ``fpr=b`` means rates up to b, ``tpr=a`` rates from a on.

        >>> print(Region.of(fpr=0.05)), print(Region.of(fpr=(0.1, 0.2), tpr=0.8))
        fpr<=0.05
        0.1<=fpr<=0.2, tpr>=0.8
        (None, None)
        """
        if fpr is None and tpr is None:
            raise InputError(
                "a partial area needs a region", fix="give fpr=, tpr= or both, such as fpr=0.05"
            )
        box = []
        for name, rates, open_end in (("fpr", fpr, 0), ("tpr", tpr, 1)):
            if rates is None:
                ends = _ALL
            elif isinstance(rates, tuple | list):
                if len(rates) != 2:
                    raise InputError("a region has two ends", where=name, value=rates)
                ends = (rates[0], rates[1])
            else:
                ends = (0.0, rates) if open_end == 0 else (rates, 1.0)
            box.append(check_region(*ends, name))
        return cls(*box)

    @property
    def maximum(self) -> float:
        return (self.fpr[1] - self.fpr[0]) * (self.tpr[1] - self.tpr[0])

    @property
    def term(self) -> AreaTerm:
        if self.fpr == _ALL != self.tpr:
            return AreaTerm(step(*self.tpr, axis="tpr"))
        return AreaTerm(step(*self.fpr), self.tpr)

    @property
    def diagonal(self) -> float:
        """The area of the box below the diagonal, which is the curve of a random score."""
        (a, b), (c, d) = self.fpr, self.tpr
        left, right = min(max(a, c), b), max(min(b, d), a)  # where the diagonal is in the box
        slanted = (right - left) * ((left + right) / 2 - c) if right > left else 0.0
        return slanted + max(b - max(a, d), 0.0) * (d - c)

    def __str__(self) -> str:
        named = (("fpr", self.fpr), ("tpr", self.tpr))
        return ", ".join(_in_words(name, ends) for name, ends in named if ends != _ALL) or "all"


def rescaled(raw: float, region: Region, scale: AreaScale) -> float:
    """Convert a raw area to another scale, which increases with the area.

    "mean" divides by the area of the box: the result is the mean height of the curve over a region
    of false-positive rates, or the mean specificity over a region of true-positive rates. "mcclish"
    is (1 + (A−min)/(max−min))/2 with the area below the diagonal as min and that of the box as max
    (McClish 1989 for false-positive rates; pROC's partial.auc.correct for both). The "mcclish"
    value is one half for a random score and one for a perfect score in every region.

    >>> rescaled(0.1, Region.of(fpr=0.2), "mean"), rescaled(0.02, Region.of(fpr=0.2), "mcclish")
    (0.5, 0.5)
    """
    if scale == "raw":
        return raw
    if scale == "mean":
        return raw / region.maximum
    span = region.maximum - region.diagonal
    if not span > 0.0:
        raise UnsoundError(
            "McClish's scale needs a region that reaches above the diagonal",
            where="scale",
            value=str(region),
            fix='use scale="mean", or a region with higher true-positive rates',
        )
    return (1.0 + (raw - region.diagonal) / span) / 2.0


def _in_words(name: str, ends: tuple[float, float]) -> str:
    low, high = ends
    if low == 0.0:
        return f"{name}<={high:g}"
    return f"{name}>={low:g}" if high == 1.0 else f"{low:g}<={name}<={high:g}"


Data = SortedClasses | ScoreCounts
Sizes = TypeVar("Sizes", float, NDArray[np.float64])


@dataclass(frozen=True, slots=True, eq=False)
class Area:
    """The raw ``value`` of an area, at most ``largest``.

    ``box`` is set for a region that limits both rates; ``weight`` is then over its false-positive
    rates. ``loss`` is set for the plug-in estimator. ``rows`` are set in memory. ``data`` are not
    set for streamed rows with weights or clusters. ``again`` is set elsewhere and computes the area
    with another weight. ``in_region`` counts the positives and the negatives in the region, and all
    rows of a class whose rates are free.
    """

    value: float
    largest: float
    variance: Variance
    weight: Weight
    data: Data | RankedClasses | None
    summary: BinarySummary
    in_region: tuple[float, float]
    rows: BinaryRows | None
    box: Region | None = None
    loss: Loss | None = None
    again: Callable[[Weight], float] | None = None

    @classmethod
    def of_sums(
        cls, term: AreaTerm, sums: Callable[[AreaTerm], TermSums], summary: BinarySummary,
        region: Region | None,
    ) -> Area:  # fmt: skip
        own = sums(term)
        return cls(
            own.value, term.largest, _variance(own), term.weight, _classes(own.ranked), summary,
            in_region_of(term.weight, *own.trials, term.tpr), None,
            None if term.tpr == _ALL else region,
            again=lambda weight: sums(AreaTerm(weight)).value,
        )  # fmt: skip

    @property
    def shares(self) -> Moments:
        share, scale = min(max(self.value / self.largest, 0.0), 1.0), self.largest**2
        m, n = sizes_of(self.summary)
        return Moments(
            share, self.variance.pos / scale, self.variance.neg / scale, m, n,
            units=self.summary.moments.units,
        )  # fmt: skip

    @property
    def recompute(self) -> Callable[[ScoreCounts], float]:
        loss = self.loss
        if loss is not None:
            return lambda table: plug_in(table.classes, self.weight, loss)
        box = self.box
        if box is not None:
            return lambda table: slice_area(table, step(*box.fpr), box.tpr)
        return lambda table: curve_area(table, self.weight)

    @property
    def remeasure(self) -> Callable[[ScoreCounts, ScoreCounts], tuple[float, float]]:
        """The value and its variance as functions of a table and the table of squared weights."""
        value, loss = self.recompute, self.loss

        def variance(table: ScoreCounts, squares: ScoreCounts) -> Variance:
            if loss is not None:
                return plug_in_influence(table.classes, self.weight, loss)
            return variance_of_tables(self._term, table, squares)

        return lambda table, squares: (value(table), sum(variance(table, squares)))

    def with_weight(self, weight: Weight) -> float:
        if self.again is not None:
            return self.again(weight)
        assert isinstance(self.data, Data)
        return curve_area(self.data, weight)

    def influence(self, rows: BinaryRows) -> NDArray[np.float64]:
        """The influence of each row on the raw area, up to a constant for each class."""
        return row_influences(rows, self._term)

    @property
    def _term(self) -> AreaTerm:
        return AreaTerm(self.weight) if self.box is None else self.box.term


def curve(rows: BinaryRows, weight: Weight) -> Area:
    """The area under the completed curve with a weight."""
    summary, data, variance = _read(rows)
    if isinstance(data, SortedClasses) and weight.constant is None:
        value, parts = area_and_influence(data, weight)
    else:
        value, parts = curve_area(data, weight), variance(weight)
    return Area(
        value, weight.l1_norm, parts, weight, data, summary,
        in_region_of(weight, *sizes_of(summary)), rows,
    )  # fmt: skip


def box_area(rows: BinaryRows, region: Region) -> Area:
    """The area under the completed curve in a box of rates."""
    summary, data, _ = _read(rows)
    weight, sums = step(*region.fpr), row_sums(rows, region.term)
    return Area(
        slice_area(data, weight, region.tpr), region.maximum, _variance(sums), weight, data,
        summary, in_region_of(weight, *sizes_of(summary), region.tpr), rows, region,
    )  # fmt: skip


def plugged_in(rows: BinaryRows, weight: Weight, loss: Loss) -> Area:
    """The plug-in estimate of Maurer and Pontil (2020), for rows of equal weight."""
    summary = summarise(rows)
    if summary.classes is None:
        raise UnsoundError(
            "the plug-in estimator is defined for rows of equal weight only",
            where="sample_weight",
            fix='use estimator="curve"',
        )
    return Area(
        plug_in(summary.classes, weight, loss), weight.l1_norm,
        plug_in_influence(summary.classes, weight, loss), weight, summary.classes, summary,
        in_region_of(weight, *sizes_of(summary)), rows, loss=loss,
    )  # fmt: skip


def variance_of_tables(term: AreaTerm, table: ScoreCounts, squares: ScoreCounts) -> Variance:
    walk = TermWalk.of(term, float(table.n_pos), float(table.n_neg), counted=False)
    walk.add(table, squares)
    return _variance(walk.end())


def _classes(ranked: RankedClasses | None) -> SortedClasses | RankedClasses | None:
    if ranked is None or max(len(ranked.pos), len(ranked.neg)) > MOST_KEPT:
        return ranked
    return SortedClasses(*(side[np.arange(len(side))] for side in (ranked.pos, ranked.neg)))


def _variance(sums: TermSums) -> Variance:
    return Variance(*(float(part[0, 0]) for part in sums.alone.covariances))


def sizes_of(summary: BinarySummary) -> tuple[float, float]:
    """The class sizes, or effective sizes under weights."""
    return float(np.asarray(summary.moments.n_pos)), float(np.asarray(summary.moments.n_neg))


def rate_at(data: Data, height: float) -> float:
    """The false-positive rate at which the completed curve reaches a true-positive rate.

    >>> rate_at(SortedClasses(np.array([1.0, 2.0]), np.array([0.0, 2.0])), 0.25)
    0.25
    """
    if height <= 0.0:
        return 0.0
    if isinstance(data, SortedClasses):
        m, n = len(data.pos), len(data.neg)
        score = data.pos[m - max(int(np.ceil(height * m - 1e-9)), 1)]
        right = [len(c) - c.searchsorted(score, side="right") for c in (data.pos, data.neg)]
        left = [len(c) - c.searchsorted(score, side="left") for c in (data.pos, data.neg)]
        return float(np.interp(height, [right[0] / m, left[0] / m], [right[1] / n, left[1] / n]))
    hits = np.append(0.0, np.cumsum(data.pos[::-1])) / data.pos.sum()
    at = max(int(np.searchsorted(hits, height - 1e-12)), 1)
    at = min(at, len(hits) - 1)
    alarms = np.append(0.0, np.cumsum(data.neg[::-1][:at])) / data.neg.sum()
    return float(np.interp(height, hits[at - 1 : at + 1], alarms[-2:]))


def rates_at(ranked: RankedGroups, height: float) -> NDArray[np.float64]:
    """`rate_at` of each group.

    >>> from rocsolid.summaries.groups import Groups
    >>> y, s = np.array([True, True, False, False]), np.array([1.0, 2.0, 0.0, 2.0])
    >>> (ranked,) = RankedGroups.of(y, s, Groups.of(np.zeros(4, dtype=np.int64), 1))
    >>> rates_at(ranked, 0.25)
    array([0.25])
    """
    down = ranked.turned  # from the best score on, its negatives being the positives
    (left, hits), (start, end) = (down.around(member) for member in (down.negative, down.positive))
    m, n = hits[:, -1:], end[:, -1:]
    at = np.argmax(hits / m >= height - 1e-12, axis=1)[:, None]
    x, y = (
        [np.take_along_axis(count, at, axis=1) / size for count in counts]
        for counts, size in (((left, hits), m), ((start, end), n))
    )
    between = (y[1] - y[0]) / (x[1] - x[0]) * (height - x[0]) + y[0]
    return np.asarray(np.where(height < x[1], between, y[1])[:, 0])


def _read(rows: BinaryRows) -> tuple[BinarySummary, Data, Callable[[Weight], Variance]]:
    summary = summarise(rows)
    if summary.classes is not None:
        return summary, summary.classes, partial(influence, summary.classes)
    weight = np.ones(len(rows))
    if rows.weight is not None:  # scaled so that squares do not overflow
        most = (float(rows.weight[of_class].max()) for of_class in (rows.positive, ~rows.positive))
        weight = Scale.of(*most).down(rows.weight, rows.positive)
    table = ScoreCounts.from_arrays(rows.positive, rows.score, weight)
    squares = ScoreCounts.from_arrays(rows.positive, rows.score, weight**2)
    return summary, table, lambda weight: variance_of_tables(AreaTerm(weight), table, squares)


def in_region_of(
    weight: Weight, m: Sizes, n: Sizes, tpr: tuple[float, float] = _ALL
) -> tuple[Sizes, Sizes]:
    share = weight.l1_norm / weight.sup_norm
    if weight.axis == "tpr":
        return m * share, n
    return m * (tpr[1] - tpr[0]), n * share
