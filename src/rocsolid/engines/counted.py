"""Counts of equal rows, as a grouping query gives them, and their summary."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.memory import refuse_one_class
from rocsolid.engines.scale import AS_IT_CAME, Scale
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.class_weights import allowing_unseen
from rocsolid.summaries.fingerprint import Fingerprint
from rocsolid.summaries.ranges.cluster_sums import ClusterSums
from rocsolid.summaries.ranges.range_placements import RangePlacements
from rocsolid.summaries.ranges.range_weights import RangeWeights
from rocsolid.summaries.runs import run_begins
from rocsolid.summaries.score_counts import ScoreCounts

_INT = NDArray[np.int64]
_INT64 = 1 << 63


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Kinds of rows and how many of each: a score, and where they matter a weight and a cluster.

    ``pos`` and ``neg`` count the rows of either class. A higher score is better.
    """

    score: NDArray[Any]
    pos: _INT
    neg: _INT
    weight: NDArray[np.float64] | None = None
    cluster: _INT | None = None

    @property
    def n_pos(self) -> int:
        return int(self.pos.sum())

    @property
    def n_neg(self) -> int:
        return int(self.neg.sum())

    def check(self) -> None:
        """Both classes have rows, and weight, or there is no AUC: an error as from memory."""
        weighs = [
            self.weight is None or bool((self.weight[count > 0] > 0).any())
            for count in (self.pos, self.neg)
        ]
        refuse_one_class(self.n_pos, self.n_neg, *weighs)

    def tables(
        self, scale: Scale = AS_IT_CAME
    ) -> tuple[ScoreCounts, ScoreCounts, NDArray[np.intp]]:
        """Sums of weights and of their squares for each distinct score, and each kind's entry.

        Without weights both are the counts; with them ``scale`` gives their unit.
        """
        order = np.argsort(self.score, kind="stable")
        begins = run_begins(self.score[order])
        starts = np.flatnonzero(begins)
        run = np.empty(len(order), dtype=np.intp)
        run[order] = np.cumsum(begins) - 1
        distinct = self.score[order][starts]
        if distinct.dtype.kind == "f":
            distinct = distinct + 0.0  # one spelling of zero

        def table(power: int) -> ScoreCounts:
            columns = self._weighing(scale, power)
            return ScoreCounts(
                distinct, *(np.add.reduceat(column[order], starts) for column in columns)
            )

        once = table(1)
        return once, once if self.weight is None else table(2), run

    @property
    def scale(self) -> Scale:
        """The unit in which squares of the weights fit into floats."""
        if self.weight is None:
            return AS_IT_CAME
        pos, neg = (self.weight[count > 0].max(initial=0.0) for count in (self.pos, self.neg))
        return Scale.of(float(pos), float(neg))

    def evened(self) -> Counted:
        """The same without weights where all weights are equal, as these change nothing."""
        if self.weight is None or self.weight.min() < self.weight.max():
            return self
        return replace(self, weight=None)

    def summary(self) -> BinarySummary:
        """The same as of the rows in memory; both classes must have a row with weight."""
        rows = self.evened()
        evened = rows is not self
        m, n = rows.n_pos, rows.n_neg
        fingerprint = Fingerprint.of_counts(rows.score, rows.pos + rows.neg)
        table, squares, run = rows.tables(rows.scale)
        if rows.weight is None and rows.cluster is None:
            whole = RangePlacements.of(table)
            found = whole.placements
            return BinarySummary(
                m, n, found.tied_pairs, found.moments, fingerprint,
                ratio=found.ratio, board=whole.board, evened=evened,
            )  # fmt: skip
        by_rows = table if rows.weight is None else replace(rows, weight=None).tables()[0]
        ties = RangePlacements.of(by_rows).ties
        if rows.cluster is None:
            assert rows.weight is not None
            columns = rows._weighing(rows.scale, 4)
            fourths = ScoreCounts(table.score, *(np.bincount(run, each) for each in columns))
            weighted = RangeWeights.of(table, squares, fourths)
            moments = allowing_unseen(weighted.moments, rows.weight, rows.pos, rows.neg)
            return BinarySummary(
                m, n, ties, moments, fingerprint,
                squared_shares=weighted.squared_shares, weighted=True,
            )  # fmt: skip
        clusters = int(rows.cluster.max()) + 1
        pos, neg = rows._weighing(rows.scale)
        if 2 * m * n >= _INT64:  # sums of doubled placements would not fit
            pos, neg = pos.astype(np.float64), neg.astype(np.float64)
        sums = ClusterSums.of(table, run, rows.cluster, pos, neg, clusters)
        return BinarySummary(
            m, n, ties, sums.moments, fingerprint,
            squared_shares=sums.squared_shares, weighted=rows.weight is not None,
            evened=evened, clusters=clusters,
        )  # fmt: skip

    def _weighing(self, scale: Scale, power: int = 1) -> tuple[NDArray[Any], NDArray[Any]]:
        """What the rows of either class of each kind weigh together, or how many they are."""
        if self.weight is None:
            return self.pos, self.neg
        return scale.of_kinds(self.pos, self.neg, self.weight, power)
