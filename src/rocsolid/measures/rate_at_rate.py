"""Measures of the point of the ROC curve at one rate."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import rate_at
from rocsolid.binary.curve_reading import drawn_sizes, resampled_readings
from rocsolid.binary.rate_term import RateTerm
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.dataclass import dataclass
from rocsolid.inputs.binary import BinaryRows
from rocsolid.measures.binary_measure import ResampledMeasure
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import FewInRegion
from rocsolid.results.deferred import Deferred
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.score_counts import ScoreCounts, mirrored
from rocsolid.weights.weight import complement

BEYOND = 15.0
"""With fewer rows beyond the given rate, one-sided 95 % percentile limits missed in up to 39 % of
simulated samples."""
MISPLACED = 5.0
"""With fewer rows of the other class on a side of the threshold they missed in up to 56 %. Where
neither is few, they missed in at most 9 %."""


@dataclass(frozen=True, slots=True)
class RateAtRate(ResampledMeasure):
    """A measure of the point of the completed curve where one class has a given rate.

    The curve around the rate determines the value, its certificate, and its values on resamples of
    rows of equal weight, so streamed rows have all three.
    """

    merged: ClassVar[bool] = True
    intervals_of_rows: ClassVar[tuple[str, ...]] = ()

    @property
    @abstractmethod
    def term(self) -> RateTerm: ...

    @property
    def sums_variance(self) -> bool:
        return False

    def few(self, table: ScoreCounts, summary: BinarySummary, certified: bool) -> list[Remark]:
        term, moments = self.term, summary.moments
        sizes = None if moments.units is None else moments.units.effective
        pos, neg = (float(size) for size in sizes or (moments.n_pos, moments.n_neg))
        if term.of == "pos":
            given, opposite = (pos, "positive"), (neg, "negative")
            rate = rate_at(table, term.at)
        else:
            given, opposite = (neg, "negative"), (pos, "positive")
            rate = rate_at(mirrored(table), complement(term.at))
        return [
            FewInRegion(inside, name, certified)
            for (size, name), share, enough in (
                (given, term.at, BEYOND),
                (opposite, rate, MISPLACED),
            )
            if (inside := size * min(share, 1.0 - share)) < enough * (1.0 - 1e-9)
        ]

    def drawn(
        self, rows: BinaryRows | None, table: Deferred[ScoreCounts], draws: Resampling
    ) -> Deferred[NDArray[np.float64]]:
        equal = rows is None or (rows.weight is None and rows.cluster is None)
        if rows is not None and not (equal and draws.scheme in (None, "stratified", "plain")):
            return ResampledMeasure.drawn(self, rows, table, draws)
        return Deferred(lambda: self.of_resamples(table(), draws))

    def of_resamples(self, table: ScoreCounts, draws: Resampling) -> NDArray[np.float64]:
        """The values on resamples, without a table of each."""
        n_pos: int | NDArray[np.int64] = int(table.n_pos)
        rows = int(table.n_pos + table.n_neg)
        if draws.scheme == "plain":
            n_pos = drawn_sizes(int(table.n_pos), rows, draws.resamples, draws.seed)
        seen, sizes = table, (n_pos, rows - n_pos)
        rate = self.term.at
        if self.term.of == "pos":
            seen, sizes, rate = mirrored(table), (rows - n_pos, n_pos), complement(rate)
        height = resampled_readings(seen, rate, draws.resamples, draws.seed, sizes)
        return self.at_height(height, n_pos / rows)

    @abstractmethod
    def at_height(
        self, height: NDArray[np.float64], share: float | NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The values where the share of positives is ``share`` and the curve has this height.

        The height is the true-positive rate, or the true-negative rate where the class of the term
        is the positives.
        """
