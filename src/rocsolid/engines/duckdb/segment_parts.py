"""One sort gives all segments: small ones are worked on side by side, large ones streamed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rocsolid.engines.duckdb.groups import Group
from rocsolid.engines.duckdb.limited import BATCH
from rocsolid.engines.duckdb.reduce_rows import reduce_rows
from rocsolid.engines.duckdb.row_feed import RowFeed, SortedRows, changed
from rocsolid.engines.engine import Segment
from rocsolid.engines.memory import summarise
from rocsolid.errors import OneClassError
from rocsolid.inputs import BinaryRows, codes
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.fingerprint import Fingerprint
from rocsolid.summaries.grouped_placements import GroupedPlacements
from rocsolid.summaries.groups import ALONE, Groups
from rocsolid.summaries.moments import Moments


def segment_parts(feed: RowFeed, groups: list[Group], clusters: int | None) -> Iterator[Segment]:
    """A segment for each group, in their order; ``feed`` has the rows in the same order."""
    code = 0
    while code < len(groups):
        end = _alike(groups, code, clusters)
        if end > code + 1:
            yield from _side_by_side(feed, groups, code, end)
        else:
            end = code + 1
            yield _alone(feed, groups[code], code, clusters)
        code = end
    feed.end()


def _alike(groups: list[Group], first: int, clusters: int | None) -> int:
    """How far from ``first`` on groups are small and of equal weights, up to a batch of rows."""
    end, rows = first, 0
    while end < len(groups) and clusters is None and rows < BATCH:
        if groups[end].weighted or groups[end].size > ALONE:
            break
        rows += groups[end].size
        end += 1
    return end


def _side_by_side(feed: RowFeed, groups: list[Group], first: int, end: int) -> Iterator[Segment]:
    some = groups[first:end]
    if not any(group.size for group in some):
        for group in some:
            yield Segment(group.key, 0, 0, group.omitted, None)
        return
    rows = feed.take(sum(group.size for group in some))
    of_group = np.repeat(np.arange(len(some)), [group.size for group in some])
    _expect(rows, of_group + first)
    placements = GroupedPlacements.from_arrays(
        rows.positive, rows.score, Groups.of(of_group, len(some))
    )
    for i, group in enumerate(some):
        if min(group.n_pos, group.n_neg) == 0 or group.most == 0.0:
            yield Segment(group.key, group.n_pos, group.n_neg, group.omitted, None)
            continue
        m, n = group.n_pos, group.n_neg
        if (int(placements.n_pos[i]), int(placements.n_neg[i])) != (m, n):
            raise changed()
        auc, var_pos, var_neg = (
            float(np.asarray(column)[i])
            for column in (
                placements.moments.auc,
                placements.moments.var_pos,
                placements.moments.var_neg,
            )
        )
        summary = BinarySummary(
            m,
            n,
            int(placements.tied_pairs[i]),
            Moments(auc, var_pos, var_neg, float(m), float(n)),
            Fingerprint(int(placements.fingerprint[i])),
            ratio=(int(placements.doubled_wins[i]), 2 * m * n),
            board=placements.board(i),
            evened=group.evened,
        )
        yield Segment(group.key, m, n, group.omitted, summary)


def _alone(feed: RowFeed, group: Group, code: int, clusters: int | None) -> Segment:
    summary = None
    if group.size <= BATCH:
        rows = feed.take(group.size) if group.size else None
        if rows is not None:
            _expect(rows, code)
            if int(rows.positive.sum()) != group.n_pos:
                raise changed()
            summary = _in_memory(rows)
    else:
        batches = _expected(feed.batches(group.size), code)
        if group.has_both:
            summary, _ = reduce_rows(batches, group, clusters)
        else:
            for _ in batches:
                pass
    return Segment(group.key, group.n_pos, group.n_neg, group.omitted, summary)


def _in_memory(rows: SortedRows) -> BinarySummary | None:
    cluster = None if rows.cluster is None else codes(rows.cluster)[0]
    try:
        found = summarise(BinaryRows(rows.positive, rows.score, rows.weight, cluster))
    except OneClassError:
        return None
    return replace(found, classes=None)


def _expect(rows: SortedRows, code: int | np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
    if rows.group is None or not bool(np.all(rows.group == code)):
        raise changed()


def _expected(batches: Iterator[SortedRows], code: int) -> Iterator[SortedRows]:
    for rows in batches:
        _expect(rows, code)
        yield rows
