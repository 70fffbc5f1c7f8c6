"""Sums over sorted rows of a segment, or of all rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.check import Group, statistics
from rocsolid.engines.duckdb.checked import CheckedSource, Score
from rocsolid.engines.duckdb.limited import BATCH, Limited
from rocsolid.engines.duckdb.row_feed import RowFeed, SortedRows, changed
from rocsolid.engines.engine import Segment
from rocsolid.engines.memory import AS_IT_CAME, Scale, summarise
from rocsolid.engines.sums import Weighted, summary_of
from rocsolid.inputs.arrays import column
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.groups import codes, plain
from rocsolid.summaries.binary_summary import BinarySummary, Fingerprint
from rocsolid.summaries.grouped_placements import GroupedPlacements
from rocsolid.summaries.groups import ALONE, Groups
from rocsolid.summaries.ranges.cluster_sums import ClusterRuns, Tables, glued, table_of_sorted
from rocsolid.summaries.ranges.range_placements import RangePlacements, RangeWeights
from rocsolid.summaries.ranked_groups import RankedGroups
from rocsolid.summaries.score_counts import ScoreCounts, thinned
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


def reduce_rows(
    batches: Iterable[SortedRows], group: Group, clusters: int | None, terms: Sequence[Term]
) -> tuple[BinarySummary, ScoreCounts, dict[Term, TermSums]]:
    """Return the summary, a table for plots, and the sums of terms.

    ``clusters`` is the number of cluster codes, if rows have codes.
    """
    counts, weights, fingerprint = RangePlacements(), RangeWeights(), Fingerprint(1)
    beyond = 0.0  # the weight of the rows that are heavier than every row of one class
    scale = group.scale if group.weighted else AS_IT_CAME
    unit = Scale(group.unit / scale.pos, group.unit / scale.neg)  # from scaled weights to one unit
    counted, terms = not group.weighted and clusters is None, group.weighed(terms)
    walks = [TermWalk.of(term, *group.totals, counted=counted) for term in terms]
    runs: ClusterRuns | None = None
    if clusters is not None:
        pairs = None if group.weighted else 2 * group.n_pos * group.n_neg
        of_clusters = [
            ClusterWalk.of(term, *group.totals, clusters, (unit.pos, unit.neg)) for term in terms
        ]
        runs = ClusterRuns.empty(clusters, pairs, of_clusters)

    def of_batch(rows: SortedRows) -> Tables:
        nonlocal fingerprint, beyond
        fingerprint *= Fingerprint.of(rows.score)
        scaled: NDArray[np.float64] | None = None
        powers: Tables = ()
        if group.weighted and rows.weight is not None:
            beyond += float(rows.weight[rows.weight > group.lighter].sum())
            scaled = scale.down(rows.weight, rows.positive)
            powers = powers_of(rows, scaled, (1, 2, 4))
        if runs is not None and rows.cluster is not None:
            runs.add(rows.score, rows.positive, rows.cluster, scaled)
        return table_of_sorted(rows.score, rows.positive), *powers

    def tables() -> Iterator[ScoreCounts]:
        """Add all rows, and yield their weights (or counts) by score."""
        nonlocal counts, weights
        for count, *powers in glued(map(of_batch, batches)):
            counts = counts.then(RangePlacements.of(count))
            weight = square = count
            if powers:
                weights = weights.then(RangeWeights.of(*powers))
            if powers and walks:
                weight, square = unit.times(powers[0]), unit.times(powers[1], 2)
            for walk in walks:
                walk.add(weight, square)
            yield powers[0] if powers else count

    pos, neg = group.weighs
    curve = thinned(tables(), pos * scale.pos, neg * scale.neg)
    if (counts.n_pos, counts.n_neg) != (group.n_pos, group.n_neg):
        raise changed()
    weighted = of_auc = None
    along: Sequence[ClusterWalk | None] = [None] * len(walks)
    if group.weighted:
        curve = scale.up(curve)
        weighted = Weighted(weights, group.pos, group.neg, beyond)
    if runs is not None:
        cluster_sums, along = runs.finished(), runs.walks
        of_auc = cluster_sums.influences, cluster_sums.auc
    summary = summary_of(counts, fingerprint, weighted, of_auc, evened=group.evened)
    ended = zip(walks, along, strict=True)
    return summary, curve, {walk.term: walk.end(of_cluster) for walk, of_cluster in ended}


def term_tables(batches: Iterable[SortedRows], group: Group) -> Iterator[Tables]:
    """Yield the sums of weights and of squared weights of each score, in the group's unit."""
    if not group.weighted:
        tables = ((table_of_sorted(rows.score, rows.positive),) for rows in batches)
        yield from (2 * counts for counts in glued(tables))
        return
    yield from glued(
        powers_of(rows, rows.weight * group.unit, (1, 2))
        for rows in batches
        if rows.weight is not None
    )


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
    ranked = RankedGroups.of(rows.positive, rows.score, of_group)
    placements = GroupedPlacements.of(ranked, rows.score, of_group)
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
