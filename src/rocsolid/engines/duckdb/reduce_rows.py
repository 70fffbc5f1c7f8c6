"""Sums over sorted rows of a segment, or of all rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.engines.check import Group, statistics
from rocsolid.engines.duckdb.checked import CheckedSource, Score
from rocsolid.engines.duckdb.limited import BATCH, Limited
from rocsolid.engines.duckdb.row_feed import RowFeed, SortedRows, changed
from rocsolid.engines.engine import DRAWN, Segment
from rocsolid.engines.memory import AS_IT_CAME, Scale, summarise
from rocsolid.engines.sums import Weighted, summary_of
from rocsolid.inputs.arrays import column
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.groups import codes, plain
from rocsolid.summaries.binary_summary import BinarySummary, Fingerprint
from rocsolid.summaries.grouped_placements import GroupedPlacements
from rocsolid.summaries.groups import ALONE, Groups
from rocsolid.summaries.ranges.cluster_sums import ClusterRuns, Tables, glued, table_of_sorted
from rocsolid.summaries.ranges.coarse_table import thinned
from rocsolid.summaries.ranges.range_placements import RangePlacements, RangeWeights
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.terms import ClusterWalk, Term, TermSums, TermWalk


def groups(db: Limited, table: CheckedSource, score: Score) -> list[Group]:
    keys = ", ".join(table.keys)
    sums = [
        sql
        for p in (1, 0)
        for sql in statistics(f"NOT {score.missing} AND p = {p}", weighted=table.weighted)
    ]
    rows = db.arrow(
        f"SELECT {keys}, count(*), {', '.join(sums)} FROM ({table.query})"
        f" GROUP BY {keys} ORDER BY {keys}"
    )
    # keys as they are read into memory, whatever DuckDB's own Python types are
    named = [map(plain, column(rows[name], name)) for name in table.keys]
    numbers = (rows[i].to_pylist() for i in range(len(named), rows.num_columns))
    half = len(sums) // 2
    summed = [
        Group.of(key, size, [each[:half]], [each[half:]])
        for key, (size, *each) in zip(
            zip(*named, strict=True), zip(*numbers, strict=True), strict=True
        )
    ]
    if all(group.least == summed[0].least == group.most for group in summed):
        return summed
    return [
        group if group.weighted or not group.most > 0.0 else replace(group, each=group.most)
        for group in summed
    ]


@dataclass(slots=True, eq=False)
class Passed:
    group: Group
    clusters: int | None = None
    """The number of cluster codes, if rows have codes."""

    terms: Sequence[Term] = ()

    fingerprint: Fingerprint = field(default=Fingerprint(1))
    counts: RangePlacements = field(default=RangePlacements())
    weights: RangeWeights = field(default=RangeWeights())
    beyond: float = 0.0
    """The weight of the rows that are heavier than every row of one class."""

    runs: ClusterRuns | None = None
    walks: list[TermWalk] = field(default_factory=list)
    unit: Scale = AS_IT_CAME
    """Factors that convert the scaled weights of each class to one unit."""

    def __post_init__(self) -> None:
        group = self.group
        if group.weighted:
            self.unit = Scale(group.unit / group.scale.pos, group.unit / group.scale.neg)
        counted, terms = not group.weighted and self.clusters is None, group.weighed(self.terms)
        self.walks = [TermWalk.of(term, *group.totals, counted=counted) for term in terms]
        if self.clusters is not None:
            pairs = None if group.weighted else 2 * group.n_pos * group.n_neg
            unit_of = self.unit.pos, self.unit.neg
            along = [ClusterWalk.of(term, *group.totals, self.clusters, unit_of) for term in terms]
            self.runs = ClusterRuns.empty(self.clusters, pairs, along)

    def tables(self, batches: Iterable[SortedRows]) -> Iterator[ScoreCounts]:
        """Add all rows, and yield their weights (or counts) by score."""
        for count, *powers in glued(map(self._added, batches)):
            self.counts = self.counts.then(RangePlacements.of(count))
            weight = square = count
            if powers:
                self.weights = self.weights.then(RangeWeights.of(*powers))
            if powers and self.walks:
                weight, square = self.unit.times(powers[0]), self.unit.times(powers[1], 2)
            for walk in self.walks:
                walk.add(weight, square)
            yield powers[0] if powers else count

    def sums(self) -> dict[Term, TermSums]:
        along = [None] * len(self.terms) if self.runs is None else self.runs.walks
        return {
            walk.term: walk.end(clusters) for walk, clusters in zip(self.walks, along, strict=True)
        }

    def summary(self) -> BinarySummary:
        group = self.group
        placed = self.counts.placements
        if (placed.n_pos, placed.n_neg) != (group.n_pos, group.n_neg):
            raise changed()
        weights = clusters = None
        if group.weighted:
            weights = Weighted(self.weights, group.pos, group.neg, self.beyond)
        if self.runs is not None:
            sums = self.runs.finished()
            clusters = sums.influences, sums.auc
        return summary_of(self.counts, self.fingerprint, weights, clusters, evened=group.evened)

    def _added(self, rows: SortedRows) -> Tables:
        self.fingerprint *= Fingerprint.of(rows.score)
        scaled: NDArray[np.float64] | None = None
        powers: Tables = ()
        if self.group.weighted:
            weight = rows.weights()
            self.beyond += float(weight[weight > self.group.lighter].sum())
            scaled = self.group.scale.down(weight, rows.positive)
            powers = powers_of(rows, scaled, (1, 2, 4))
        if self.runs is not None and rows.cluster is not None:
            self.runs.add(rows.score, rows.positive, rows.cluster, scaled)
        return table_of_sorted(rows.score, rows.positive), *powers


def reduce_rows(
    batches: Iterable[SortedRows], group: Group, clusters: int | None, terms: Sequence[Term]
) -> tuple[BinarySummary, ScoreCounts, dict[Term, TermSums]]:
    """Return the summary, a table for plots, and the sums of terms."""
    passed = Passed(group, clusters, terms)
    scale = group.scale if group.weighted else AS_IT_CAME
    pos, neg = group.weighs
    curve = thinned(passed.tables(batches), pos * scale.pos, neg * scale.neg, DRAWN)
    return passed.summary(), scale.up(curve) if group.weighted else curve, passed.sums()


def term_tables(batches: Iterable[SortedRows], group: Group) -> Iterator[Tables]:
    """Yield the sums of weights and of squared weights of each score, in the group's unit."""
    if not group.weighted:
        tables = ((table_of_sorted(rows.score, rows.positive),) for rows in batches)
        yield from (2 * counts for counts in glued(tables))
        return
    weights = ((rows, rows.weights() * group.unit) for rows in batches)
    yield from glued(powers_of(rows, weight, (1, 2)) for rows, weight in weights)


def powers_of(rows: SortedRows, weight: NDArray[np.float64], powers: Sequence[int]) -> Tables:
    return tuple(table_of_sorted(rows.score, rows.positive, weight**power) for power in powers)


def segment_parts(
    feed: RowFeed, groups: list[Group], clusters: int | None, terms: Sequence[Term]
) -> Iterator[Segment]:
    for some in _runs(groups, alone=clusters is not None or bool(terms)):
        if len(some) > 1:
            yield from _side_by_side(feed, some)
        else:
            yield _alone(feed, some[0], clusters, terms)
    feed.end()


def _runs(groups: list[Group], *, alone: bool) -> Iterator[list[Group]]:
    """Yield each group alone, or runs of small groups with equal weights and a batch of rows."""
    run: list[Group] = []
    rows = 0
    for group in groups:
        small = 0 < group.size <= ALONE and not (alone or group.weighted)
        if run and (not small or rows >= BATCH):
            yield run
            run, rows = [], 0
        if small:
            run.append(group)
            rows += group.size
        else:
            yield [group]
    if run:
        yield run


def _side_by_side(feed: RowFeed, groups: list[Group]) -> Iterator[Segment]:
    sizes = [group.size for group in groups]
    rows = feed.take(sum(sizes))
    of_group = Groups.of(np.repeat(np.arange(len(groups)), sizes), len(groups))
    placements = GroupedPlacements.from_arrays(rows.positive, rows.score, of_group)
    for i, group in enumerate(groups):
        if (int(placements.n_pos[i]), int(placements.n_neg[i])) != (group.n_pos, group.n_neg):
            raise changed()
        summary = None
        if group.has_both:  # its rows are not kept, so nothing is computed later
            fingerprint, board = Fingerprint(int(placements.fingerprint[i])), placements.board(i)
            summary = placements.summary(
                i, fingerprint=fingerprint, board=board, evened=group.evened
            )
        yield Segment(group.key, group.n_pos, group.n_neg, group.omitted, summary)


def _alone(feed: RowFeed, group: Group, clusters: int | None, terms: Sequence[Term]) -> Segment:
    summary: BinarySummary | None = None
    sums: dict[Term, TermSums] = {}
    if not group.has_both:
        for _ in feed.batches(group.size):
            pass
    elif group.size > BATCH:
        batches = feed.batches(group.size)
        summary, _, sums = reduce_rows(batches, group, clusters, terms)
    else:
        rows = feed.take(group.size)
        if int(rows.positive.sum()) != group.n_pos:
            raise changed()
        if rows.cluster is not None:  # clusters get new numbers
            cluster, names = codes(rows.cluster)
            rows, clusters = replace(rows, cluster=cluster), len(names)
        in_memory = BinaryRows(rows.positive, rows.score, rows.weight, rows.cluster)
        summary = replace(summarise(in_memory), classes=None)
        if terms:
            sums = reduce_rows([rows], group, clusters, terms)[2]
    return Segment(group.key, group.n_pos, group.n_neg, group.omitted, summary, sums)
