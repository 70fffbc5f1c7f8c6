"""What areas under the curve have in common, whatever they count where."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import Area
from rocsolid.binary.area_inference import CERTIFIED, ENOUGH, NAMES
from rocsolid.binary.estimate import Options
from rocsolid.binary.influence import row_influence
from rocsolid.engines.capabilities import Feature
from rocsolid.errors import UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.auto import auto
from rocsolid.measures.binary_measure import BinaryMeasure, unclustered
from rocsolid.measures.scored import Scored
from rocsolid.results import Estimate, Interval
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread
from rocsolid.weights.weight import Axis

_CLUSTERS = "clusters independent; rows within one depend in any way"
OnScale = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class CurveArea(BinaryMeasure):
    """An area under the completed curve, out of ``largest``, turned by ``on_scale``."""

    intervals: ClassVar[tuple[str, ...]] = NAMES
    bounds: ClassVar[tuple[str, ...]] = CERTIFIED
    reads_by_segment: ClassVar[Feature] = "partial areas by segment"
    reads_clusters: ClassVar[Feature] = "partial areas of clusters"

    @property
    @abstractmethod
    def largest(self) -> float:
        """The raw area of a perfect score."""

    @property
    def on_scale(self) -> OnScale:
        """The value from the raw area, with which it grows."""
        return float

    @abstractmethod
    def area(self, rows: BinaryRows) -> Area:
        """The raw area of rows."""

    @abstractmethod
    def elsewhere(self, scored: Scored) -> Area:
        """The raw area of a score whose rows are not at hand."""

    @abstractmethod
    def worded(self, area: Area, options: Options, omitted: int) -> Estimate:
        """The estimate from the raw area."""

    @property
    def range(self) -> tuple[float, float]:
        return self.on_scale(0.0), self.on_scale(self.largest)

    def estimate(self, scored: Scored, options: Options) -> Estimate:
        rows = scored.rows
        if rows is None:
            return self.worded(self.elsewhere(scored), options, scored.omitted)
        if rows.cluster is None:
            return self.worded(self.area(rows), options, scored.omitted)
        if options.interval != "auto":
            raise UnsoundError(
                f"the interval {options.interval!r} of an area holds for independent rows only",
                where="cluster",
                value=self.name,
                fix='use interval="auto"',
            )
        return self._clustered(rows, options)

    def influence(self, rows: BinaryRows) -> NDArray[np.float64]:
        area = self.area(unclustered(rows))
        if area.box is not None and area.variance == (0.0, 0.0):
            return np.zeros(len(rows))  # the curve does not run through the box
        bottom, top = self.range
        of_rows = row_influence(rows.positive, rows.score, rows.weight, area.weight)
        return (top - bottom) / self.largest * of_rows

    def of_table(self, rows: BinaryRows) -> Callable[[ScoreCounts], float]:
        recompute, on_scale = self.area(unclustered(rows)).recompute, self.on_scale
        return lambda table: on_scale(recompute(table))

    def _clustered(self, rows: BinaryRows, options: Options) -> Estimate:
        """The same value with Obuchowski's variance of the influences; nothing is certified."""
        area = self.area(unclustered(rows))
        plain = self.worded(area, options, rows.omitted)
        spread = Spread.of(rows, [self.influence(rows)])
        bottom, top = self.range
        parts = [float(part[0, 0]) / (top - bottom) ** 2 for part in spread.own(0).covariances]
        held = [
            float(len(np.unique(rows.cluster[of_class])))
            for of_class in (rows.positive, ~rows.positive)
            if rows.cluster is not None
        ]
        inside = area.in_region
        if min(inside) < ENOUGH:
            held = [min(pair) for pair in zip(held, inside, strict=True)]
        if min(inside) < 1.0:
            low, high, method = 0.0, 1.0, "auto (no row in the region)"
        else:
            share = min(max((plain.value - bottom) / (top - bottom), 0.0), 1.0)
            ends = auto(Moments(share, *parts, *held), options.level, options.alternative)
            low, high, method = float(ends[0]), float(ends[1]), "auto (clusters)"
        interval = Interval(
            bottom + (top - bottom) * low,
            bottom + (top - bottom) * high,
            options.level,
            method,
            assumptions=(_CLUSTERS, *plain.interval.assumptions[1:]),
            source=plain.interval.source,
            range=(bottom, top),
        )
        return replace(
            plain,
            interval=interval,
            certified=None,
            std_error=float(np.sqrt(spread.covariance()[0, 0])),
            settings={**plain.settings, "clusters": int(spread.units)},
        )


def table_of(
    scored: Scored, axis: Axis, low: float, high: float
) -> tuple[ScoreCounts, ScoreCounts]:
    """The table of a region, and of squared weights, of a score whose rows are not at hand.

    Under weights the certificate looks a little beyond the region: at the sides of its ramps.
    """
    pad, summary = 0.0, scored.summary
    if summary.squared_shares is not None:
        size = summary.moments.n_neg if axis == "fpr" else summary.moments.n_pos
        pad = 1.0 / float(np.sqrt(np.asarray(size)))
    return scored.region(axis, max(low - pad, 0.0), min(high + pad, 1.0))
