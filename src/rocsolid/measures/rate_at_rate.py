"""Measures of the point of the ROC curve at one rate."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.curve_reading import drawn_sizes, resampled_readings
from rocsolid.binary.limits_at_rate import LimitsAtRate
from rocsolid.binary.rate_term import RateTerm
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import row_influences, row_sums, score_counts
from rocsolid.inputs.binary import BinaryRows
from rocsolid.measures.binary_measure import ResampledMeasure, Scored
from rocsolid.results.deferred import Deferred
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.score_counts import ScoreCounts, mirrored
from rocsolid.summaries.terms import TermSums
from rocsolid.weights.weight import complement


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

    def influence(self, rows: BinaryRows) -> NDArray[np.float64]:
        return row_influences(rows, self.term)

    def misplaced(self, value: float, n_pos: float, n_neg: float) -> float:
        """The rows of a class on the rarer side of the threshold."""
        given, opposite = (n_pos, n_neg) if self.term.of == "pos" else (n_neg, n_pos)
        height = self.height_of(value, n_pos / (n_pos + n_neg))
        return min(
            size * min(share, 1.0 - share)
            for size, share in ((given, self.term.at), (opposite, height))
        )

    def table(self, rows: BinaryRows) -> ScoreCounts:
        """The curve around the rate suffices for independent rows of equal weight."""
        if rows.weight is None and rows.cluster is None:
            around: ScoreCounts = row_sums(rows, self.term).details
            return around
        return score_counts(rows)

    def by_formula(self, scored: Scored, table: ScoreCounts) -> LimitsAtRate:  # noqa: ARG002
        return self.limits(scored.sums(self.term), scored.summary)

    def limits(self, sums: TermSums, summary: BinarySummary) -> LimitsAtRate:
        return LimitsAtRate.of(
            self.term, sums, summary,
            lambda height, share: float(self.at_height(np.array(height), share)),
        )  # fmt: skip

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
    def height_of(self, value: float, share: float) -> float:
        """The height at which `at_height` is this value."""

    @abstractmethod
    def at_height(
        self, height: NDArray[np.float64], share: float | NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The values where the share of positives is ``share`` and the curve has this height.

        The height is the true-positive rate, or the true-negative rate where the class of the term
        is the positives.
        """
