"""What areas under the curve have in common, whatever they count where."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import Area
from rocsolid.binary.area_estimate import area_estimate
from rocsolid.binary.area_inference import CERTIFIED, NAMES
from rocsolid.binary.clustered_area import influence
from rocsolid.binary.estimate import Options, Wording
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.binary import clustered, unclustered
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.scored import Scored
from rocsolid.results import Estimate
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.weights.weight import Axis

OnScale = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class CurveArea(BinaryMeasure):
    """An area under the completed curve, out of ``largest``, turned by ``on_scale``."""

    intervals: ClassVar[tuple[str, ...]] = NAMES
    intervals_of_rows: ClassVar[tuple[str, ...]] = (*BOOTSTRAPS, "weighted-band")
    bounds: ClassVar[tuple[str, ...]] = CERTIFIED

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

    @property
    @abstractmethod
    def wording(self) -> Wording:
        """How the area is named and what it means; its chance is a raw area."""

    @property
    def range(self) -> tuple[float, float]:
        return self.on_scale(0.0), self.on_scale(self.largest)

    def estimate(self, scored: Scored, options: Options) -> Estimate:
        rows = scored.rows
        if rows is None:
            area, by_cluster = self.elsewhere(scored), None
        else:
            area, by_cluster = self.area(unclustered(rows)), clustered(rows)
        return area_estimate(area, options, self.wording, self.on_scale, scored.omitted, by_cluster)

    def influence(self, rows: BinaryRows) -> NDArray[np.float64]:
        area = self.area(unclustered(rows))
        bottom, top = self.range
        return (top - bottom) / self.largest * influence(area, rows)

    def of_table(self, rows: BinaryRows) -> Callable[[ScoreCounts], float]:
        recompute, on_scale = self.area(unclustered(rows)).recompute, self.on_scale
        return lambda table: on_scale(recompute(table))


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
