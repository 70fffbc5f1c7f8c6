"""The sorted rows of one group become its summary, a batch at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rocsolid.engines.duckdb.groups import Group
from rocsolid.engines.duckdb.row_feed import SortedRows, changed
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.class_weights import allowing
from rocsolid.summaries.fingerprint import Fingerprint
from rocsolid.summaries.ranges.cluster_runs import ClusterRuns
from rocsolid.summaries.ranges.glued import glued, table_of_sorted
from rocsolid.summaries.ranges.range_placements import RangePlacements
from rocsolid.summaries.ranges.range_weights import RangeWeights
from rocsolid.summaries.ranges.thinned import thinned
from rocsolid.summaries.score_counts import ScoreCounts

ENTRIES = 2_000
"""Entries of the table to draw from that a summary leaves behind."""

Tables = tuple[ScoreCounts, ScoreCounts, ScoreCounts, ScoreCounts]
"""Rows, weights and squared weights of the same scores."""


@dataclass(slots=True, eq=False)
class Passed:
    """What is added up while rows go by."""

    group: Group
    clusters: int | None = None
    """The number of cluster codes, where rows have one."""

    fingerprint: Fingerprint = field(default=Fingerprint(1))
    counts: RangePlacements = field(default=RangePlacements())
    weights: RangeWeights = field(default=RangeWeights())
    beyond: float = 0.0
    """What the rows weigh that are heavier than every row of one class."""

    runs: ClusterRuns | None = None

    def __post_init__(self) -> None:
        if self.clusters is not None:
            group = self.group
            pairs = None if group.weighted else 2 * group.n_pos * group.n_neg
            self.runs = ClusterRuns.empty(self.clusters, pairs)

    def counted(self, batches: Iterable[SortedRows]) -> Iterator[ScoreCounts]:
        """Tables of rows that count alike."""
        for table in glued(self._tables(batches)):
            self.counts = self.counts.then(RangePlacements.of(table))
            yield table

    def weighed(self, batches: Iterable[SortedRows]) -> Iterator[ScoreCounts]:
        """Tables of scaled weights."""
        columns = _apart(self._weighed_tables(batches), 4)
        for count, weight, square, fourth in zip(*map(glued, columns), strict=True):
            self.counts = self.counts.then(RangePlacements.of(count))
            self.weights = self.weights.then(RangeWeights.of(weight, square, fourth))
            yield weight

    def summary(self) -> BinarySummary:
        """After the last row; other classes than were counted at first are an error."""
        group, weighted = self.group, self.group.weighted
        placed = self.counts.placements
        if (placed.n_pos, placed.n_neg) != (group.n_pos, group.n_neg):
            raise changed()
        known = (group.n_pos, group.n_neg, placed.tied_pairs)
        if self.runs is not None:
            sums = self.runs.finished()
            return BinarySummary(
                *known,
                sums.moments,
                self.fingerprint,
                squared_shares=sums.squared_shares,
                weighted=weighted,
                evened=group.evened,
                clusters=len(sums.pos),
            )
        if weighted:
            return BinarySummary(
                *known,
                allowing(self.weights.moments, *group.weights, self.beyond),
                self.fingerprint,
                squared_shares=self.weights.squared_shares,
                weighted=True,
            )
        return BinarySummary(
            *known, placed.moments, self.fingerprint, ratio=placed.ratio, board=self.counts.board,
            evened=group.evened,
        )  # fmt: skip

    def _tables(self, batches: Iterable[SortedRows]) -> Iterator[ScoreCounts]:
        for rows in batches:
            self.fingerprint *= Fingerprint.of(rows.score)
            if self.runs is not None and rows.cluster is not None:
                self.runs.add(rows.score, rows.positive, rows.cluster)
            yield table_of_sorted(rows.score, rows.positive)

    def _weighed_tables(self, batches: Iterable[SortedRows]) -> Iterator[Tables]:
        scale, lighter = self.group.scale, min(self.group.most_pos, self.group.most_neg)
        for rows in batches:
            score, positive, weight = rows.score, rows.positive, rows.weights()
            self.beyond += float(weight[weight > lighter].sum())
            self.fingerprint *= Fingerprint.of(score)
            scaled = scale.down(weight, positive)
            if self.runs is not None and rows.cluster is not None:
                self.runs.add(score, positive, rows.cluster, scaled)
            yield (
                table_of_sorted(score, positive),
                table_of_sorted(score, positive, scaled),
                table_of_sorted(score, positive, scaled**2),
                table_of_sorted(score, positive, scaled**4),
            )


def reduce_rows(
    batches: Iterable[SortedRows], group: Group, clusters: int | None, entries: int = ENTRIES
) -> tuple[BinarySummary, ScoreCounts]:
    """The summary, and a table of about ``entries`` scores to draw from."""
    passed = Passed(group, clusters)
    if not group.weighted:
        curve = thinned(passed.counted(batches), group.n_pos, group.n_neg, entries)
        return passed.summary(), curve
    scale = group.scale
    totals = group.sum_pos * scale.pos, group.sum_neg * scale.neg
    curve = thinned(passed.weighed(batches), *totals, entries)
    return passed.summary(), scale.up(curve)


def _apart(rows: Iterator[Tables], count: int) -> list[Iterator[ScoreCounts]]:
    """The columns of a stream of tuples as streams, to be read in step with each other.

    `itertools.tee` would keep more than fifty batches.
    """
    waiting: list[deque[ScoreCounts]] = [deque() for _ in range(count)]

    def column(own: deque[ScoreCounts]) -> Iterator[ScoreCounts]:
        while True:
            if not own:
                parts = next(rows, None)
                if parts is None:
                    return
                for one, part in zip(waiting, parts, strict=True):
                    one.append(part)
            yield own.popleft()

    return [column(own) for own in waiting]
