"""Partial and weighted areas as measures to compare by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import Area, box_area, curve
from rocsolid.binary.area_inference import ENOUGH
from rocsolid.binary.estimate import Options
from rocsolid.binary.influence import row_influence
from rocsolid.binary.partial_area import Region, Scale, rescaled
from rocsolid.binary.partial_auc import partial_auc
from rocsolid.binary.weighted_auc import weighted_auc
from rocsolid.comparison.measure import Measure
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.auto import auto
from rocsolid.results import Estimate, Interval
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread
from rocsolid.weights import Weight, step

_FLOATS = NDArray[np.float64]
_ALL = (0.0, 1.0)
_CLUSTERS = "clusters independent; rows within one depend in any way"


def partial_area_measure(region: Region, scale: Scale) -> Measure:
    """The area of a box of rates under the curve, on its scale.

    >>> measure = partial_area_measure(Region.of(fpr=0.1), "raw")
    >>> print(measure.name, measure.values)
    partial_auc(fpr<=0.1) (0.0, 0.1)
    """

    def on_scale(raw: float) -> float:
        return rescaled(raw, region, scale)

    def public(y: Any, s: Any, **options: Any) -> Estimate:
        return partial_auc(y, s, fpr=region.fpr, tpr=region.tpr, scale=scale, **options)

    def area(rows: BinaryRows) -> Area:
        if region.tpr == _ALL:
            return curve(rows, step(*region.fpr))
        if region.fpr == _ALL:
            return curve(rows, step(*region.tpr, axis="tpr"))
        return box_area(rows, region)

    name = str(region) if scale == "raw" else f"{region}, scale={scale}"
    largest = region.maximum
    return _Areas(public, area, on_scale, largest).measure(f"partial_auc({name})")


def weighted_area_measure(weight: Weight, name: str) -> Measure:
    """The area under the curve with a weight W, by its completed-curve estimator."""

    def public(y: Any, s: Any, **options: Any) -> Estimate:
        return weighted_auc(y, s, weight=weight, **options)

    def area(rows: BinaryRows) -> Area:
        return curve(rows, weight)

    return _Areas(public, area, float, weight.l1_norm).measure(name)


@dataclass(frozen=True, slots=True)
class _Areas:
    """One kind of area: the public function, what it computes from, and the scale of its values."""

    public: Callable[..., Estimate]
    area: Callable[[BinaryRows], Area]
    on_scale: Callable[[float], float]
    largest: float

    @property
    def slope(self) -> float:
        return (self.on_scale(self.largest) - self.on_scale(0.0)) / self.largest

    def measure(self, name: str) -> Measure:
        values = (self.on_scale(0.0), self.on_scale(self.largest))
        return Measure(name, self.estimate, self.influence, values, table=self.of_table)

    def of_table(self, rows: BinaryRows) -> Callable[[ScoreCounts], float]:
        """The value as a function of a table of counts, for resamples of the rows."""
        recompute = self.area(_unclustered(rows)).recompute
        return lambda table: self.on_scale(recompute(table))

    def influence(self, rows: BinaryRows) -> _FLOATS:
        area = self.area(_unclustered(rows))
        if area.box is not None and area.variance == (0.0, 0.0):
            return np.zeros(len(rows))  # the curve does not run through the box
        of_rows = row_influence(rows.positive, rows.score, rows.weight, area.weight)
        return self.slope * of_rows

    def estimate(self, rows: BinaryRows, options: Options) -> Estimate:
        """What the public function says of the rows, with the history of how they were read."""
        found = self.public(
            rows.positive,
            rows.score,
            sample_weight=rows.weight,
            level=options.level,
            alternative=options.alternative,
        )
        if rows.cluster is not None:
            found = self._clustered(found, rows, options)
        history = {
            "pos_label": options.pos_label,
            "lower_is_better": options.lower_is_better,
            "nan": options.nan,
            "omitted": rows.omitted,
        }
        return replace(found, settings={**found.settings, **history})

    def _clustered(self, found: Estimate, rows: BinaryRows, options: Options) -> Estimate:
        """The same value with Obuchowski's variance of the influences; nothing is certified."""
        spread = Spread.of(rows, [self.influence(rows)])
        bottom, top = self.on_scale(0.0), self.on_scale(self.largest)
        parts = [part / (top - bottom) ** 2 for part in spread.parts(0)]
        held = [
            float(len(np.unique(rows.cluster[of_class])))
            for of_class in (rows.positive, ~rows.positive)
            if rows.cluster is not None
        ]
        inside = self.area(_unclustered(rows)).in_region
        if min(inside) < ENOUGH:
            held = [min(pair) for pair in zip(held, inside, strict=True)]
        if min(inside) < 1.0:
            low, high, method = 0.0, 1.0, "auto (no row in the region)"
        else:
            share = min(max((found.value - bottom) / (top - bottom), 0.0), 1.0)
            ends = auto(Moments(share, *parts, *held), options.level, options.alternative)
            low, high, method = float(ends[0]), float(ends[1]), "auto (clusters)"
        interval = Interval(
            bottom + (top - bottom) * low,
            bottom + (top - bottom) * high,
            options.level,
            method,
            assumptions=(_CLUSTERS, *found.interval.assumptions[1:]),
            source=found.interval.source,
            range=(bottom, top),
        )
        return replace(
            found,
            interval=interval,
            certified=None,
            std_error=float(np.sqrt(spread.covariance()[0, 0])),
        )


def _unclustered(rows: BinaryRows) -> BinaryRows:
    return rows if rows.cluster is None else replace(rows, cluster=None)
