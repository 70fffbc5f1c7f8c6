"""Rows that are alike, counted: what a query that groups them gives, down to a summary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.memory import refuse_one_class
from rocsolid.inputs.groups import codes
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.fingerprint import Fingerprint
from rocsolid.summaries.ranges.cluster_sums import ClusterSums
from rocsolid.summaries.ranges.range_placements import RangePlacements
from rocsolid.summaries.ranges.range_weights import RangeWeights
from rocsolid.summaries.runs import run_begins
from rocsolid.summaries.score_counts import ScoreCounts

_INT = NDArray[np.int64]
_REPEATED = 1 << 20  # rows written out at a time for a fingerprint


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

    def subset(self, rows: NDArray[Any]) -> Counted:
        """Some of the kinds; clusters are numbered anew, as some may have lost all their rows."""
        return Counted(
            self.score[rows],
            self.pos[rows],
            self.neg[rows],
            None if self.weight is None else self.weight[rows],
            None if self.cluster is None else codes(self.cluster[rows])[0],
        )

    def check(self) -> None:
        """Both classes have rows, and weight, or there is no AUC: an error as from memory."""
        weighs = [
            self.weight is None or bool((self.weight[count > 0] > 0).any())
            for count in (self.pos, self.neg)
        ]
        refuse_one_class(self.n_pos, self.n_neg, *weighs)

    def tables(self) -> tuple[ScoreCounts, ScoreCounts, NDArray[np.intp]]:
        """Sums of weights and of their squares for each distinct score, and each kind's entry.

        Without weights both are the counts.
        """
        order = np.argsort(self.score, kind="stable")
        begins = run_begins(self.score[order])
        starts = np.flatnonzero(begins)
        run = np.empty(len(order), dtype=np.intp)
        run[order] = np.cumsum(begins) - 1
        distinct = self.score[order][starts]
        if distinct.dtype.kind == "f":
            distinct = distinct + 0.0  # one spelling of zero

        def table(weight: NDArray[np.float64] | None) -> ScoreCounts:
            columns = [count if weight is None else count * weight for count in self._counts]
            return ScoreCounts(
                distinct, *(np.add.reduceat(column[order], starts) for column in columns)
            )

        once = table(self.weight)
        return once, once if self.weight is None else table(self.weight**2), run

    def summary(self) -> BinarySummary:
        """The same as of the rows in memory; both classes must have a row with weight."""
        even = self.weight is not None and self.weight.min() == self.weight.max()
        rows = Counted(self.score, self.pos, self.neg, None, self.cluster) if even else self
        return rows._summary()

    @property
    def _counts(self) -> tuple[_INT, _INT]:
        return self.pos, self.neg

    def _summary(self) -> BinarySummary:
        table, squares, run = self.tables()
        m, n, fingerprint = self.n_pos, self.n_neg, self._fingerprint()
        if self.weight is None and self.cluster is None:
            found = RangePlacements.of(table).placements
            return BinarySummary(
                m, n, found.tied_pairs, found.moments, fingerprint, ratio=found.ratio
            )
        by_rows = table
        if self.weight is not None:
            by_rows = Counted(self.score, self.pos, self.neg).tables()[0]
        ties = RangePlacements.of(by_rows).ties
        if self.cluster is None:
            weighted = RangeWeights.of(table, squares)
            return BinarySummary(
                m, n, ties, weighted.moments, fingerprint,
                squared_shares=weighted.squared_shares, weighted=True,
            )  # fmt: skip
        pos, neg = (count if self.weight is None else count * self.weight for count in self._counts)
        clusters = int(self.cluster.max()) + 1
        sums = ClusterSums.of(table, run, self.cluster, pos, neg, clusters)
        return BinarySummary(
            m, n, ties, sums.moments, fingerprint,
            squared_shares=sums.squared_shares, weighted=self.weight is not None,
            clusters=clusters,
        )  # fmt: skip

    def _fingerprint(self) -> Fingerprint:
        """Of every row: kinds are written out as often as they occur, some at a time."""
        count = self.pos + self.neg
        ends = np.cumsum(count)
        whole = Fingerprint(1)
        first = 0
        while first < len(count):
            passed = int(ends[first - 1]) if first else 0
            last = max(int(np.searchsorted(ends, passed + _REPEATED, side="right")), first + 1)
            some = slice(first, last)
            part = _of_repeated(
                self.score[some],
                None if self.weight is None else self.weight[some],
                count[some],
            )
            whole, first = whole * part, last
        return whole


def _of_repeated(
    score: NDArray[Any], weight: NDArray[np.float64] | None, count: _INT
) -> Fingerprint:
    if len(count) > 1 or int(count[0]) <= _REPEATED:
        return Fingerprint.of(
            np.repeat(score, count), None if weight is None else np.repeat(weight, count)
        )
    one = Fingerprint.of(score, weight)  # a kind too frequent to write out: a power of its own
    return one.power(int(count[0]))
