"""Functions for Spark's Python workers that reduce the record batches of one partition."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Key
from rocsolid.engines.memory import Scale
from rocsolid.engines.spark.check import changed
from rocsolid.engines.spark.range_part import ClusterPart, RangePart, SortedKinds, Thin, segments
from rocsolid.summaries.binary_summary import Fingerprint
from rocsolid.summaries.moments import lost_and_kept
from rocsolid.summaries.products import dot
from rocsolid.summaries.ranges.cluster_sums import ClusterInfluences
from rocsolid.summaries.summed_influences import SummedInfluences
from rocsolid.summaries.terms import Term, TermWalk

_BATCH = 1 << 16


def parts(
    batches: Iterator[Any], by: list[str], scale: Scale, thin: Thin | None = None
) -> Iterator[list[tuple[Key, RangePart]]]:
    ranges = [(key, RangePart.of(kinds, scale, thin)) for key, kinds in segments(batches, by)]
    if ranges:
        yield ranges


KEPT = "header binary, ranges binary"


def kept(
    batches: Iterator[Any], by: list[str], scale: Scale, thin: Thin | None = None
) -> Iterator[Any]:
    """Yield the pickled ranges of a partition, and finally the result of `parts`."""
    import pyarrow as pa

    def packed(header: Any, ranges: Any) -> Any:
        columns = [
            pa.array([pickle.dumps(each) if each else None], pa.binary())
            for each in (header, ranges)
        ]
        return pa.record_batch(columns, ["header", "ranges"])

    header: list[tuple[Key, RangePart]] = []
    ranges: list[tuple[Key, SortedKinds]] = []
    size = 0
    for key, kinds in segments(batches, by):
        header.append((key, RangePart.of(kinds, scale, thin)))
        if len(kinds.score):
            ranges.append((key, replace(kinds, lighter=None)))
        size += len(kinds.score)
        if size >= _BATCH:
            yield packed(None, ranges)
            ranges, size = [], 0
    if header:
        yield packed(header, ranges)


@dataclass(frozen=True, slots=True)
class Start:
    """The totals of a segment and the sums below a range, for a pass over the range.

    ``totals`` are the class sizes of the segment, and ``below`` the class sizes below the range.
    With a ``unit``, both are sums of weights in this unit. ``placed`` is twice ``below`` in the
    units of the summary. ``turns`` has a factor and a constant for each term and class. For
    weighted rows, ``weighing`` contains the numbers of rows with weight by class, and the unit of
    their weights; see `Term.weighed`.
    """

    segment: int
    totals: tuple[float, float]
    below: tuple[float, float]
    unit: float | None
    placed: tuple[Any, Any]
    weighing: tuple[tuple[int, int], float] | None
    turns: tuple[tuple[tuple[float, float], tuple[float, float]], ...] = ()


Place = tuple[Key, Any]
"""The segment and the lowest score of a range."""

Starts = dict[Place, Start | None]
"""The start of each range; ``None`` in a segment that lacks a class."""


def _started(batches: Iterator[Any], starts: Starts) -> Iterator[tuple[Place, SortedKinds, Start]]:
    """Yield the ranges of a partition that have a start; an unknown range is an error."""
    for batch in batches:
        for packed in batch["ranges"]:
            for key, kinds in pickle.loads(packed.as_py()):
                place = key, kinds.score[0].item()
                if place not in starts:
                    raise changed()
                start = starts[place]
                if start is not None:
                    yield place, kinds, start


def walked(
    batches: Iterator[Any], terms: Sequence[Term], starts: Starts, clustered: bool
) -> Iterator[dict[Place, list[TermWalk]]]:
    by_place = {}
    for place, kinds, start in _started(batches, starts):
        tables = kinds.tables(start.unit)
        counted = start.unit is None and not clustered
        walks = [_begun(term, start, counted=counted) for term in terms]
        for walk in walks:
            walk.add(*tables)
        by_place[place] = walks
    if by_place:
        yield by_place


def _begun(term: Term, start: Start, *, counted: bool = False) -> TermWalk:
    of_rows = term if start.weighing is None else term.weighed(*start.weighing)
    return TermWalk.of(of_rows, *start.totals, counted=counted, below=start.below)


def moved_scores(batches: Iterator[Any], term: Term, starts: Starts) -> Iterator[Any]:
    for _, kinds, start in _started(batches, starts):
        tables = kinds.tables(start.unit)
        pos, neg = _turned(_begun(term, start).add(*tables), start.turns[0])
        yield from _batches({"s": tables[0].score, "pos": pos, "neg": neg})


def _turned(known: tuple[Any, Any], turns: Any) -> list[Any]:
    return [factor * each + constant for each, (factor, constant) in zip(known, turns, strict=True)]


def columns_of_moved_rows(cluster: str, terms: int, exact: bool) -> str:
    number = "long" if exact else "double"
    moved = "".join(f", p{i} double, n{i} double" for i in range(terms))
    placed = ", ".join(f"{name} {number}" for name in ("u", "v", "below", "under"))
    return f"segment int, c {cluster}, held long, {placed}{moved}"


def moved_rows(
    batches: Iterator[Any], terms: Sequence[Term], starts: Starts, scale: Scale, exact: bool
) -> Iterator[Any]:
    """Yield the sums that each kind of rows adds to its cluster.

    ``u`` and ``v`` are the weights of its positives and negatives (counts, without weights), and
    ``held`` counts its positives. ``below`` is ``u`` times twice the negatives below, and ``under``
    is ``v`` times twice the positives below. ``p0``, ``n0`` … are the influences of the rows on the
    terms.
    """
    for _, kinds, start in _started(batches, starts):
        times = np.diff(kinds.starts, append=len(kinds.score))
        weights: tuple[Any, Any] = kinds.pos, kinds.neg
        if kinds.weight is not None:
            weights = scale.of_kinds(kinds.pos, kinds.neg, kinds.weight)
        if not exact:
            weights = weights[0].astype(np.float64), weights[1].astype(np.float64)
        table = kinds.weights(scale)
        columns: dict[str, Any] = {
            "segment": np.full(len(kinds.score), start.segment, dtype=np.int32),
            "c": kinds.cluster, "held": kinds.pos, "u": weights[0], "v": weights[1],
        }  # fmt: skip
        for name, own, below, count in (
            ("below", weights[0], start.placed[1], table.neg),
            ("under", weights[1], start.placed[0], table.pos),
        ):
            columns[name] = own * np.repeat(below + 2 * np.cumsum(count) - count, times)
        tables = kinds.tables(start.unit)
        for i, term in enumerate(terms):
            moved = _turned(_begun(term, start).add(*tables), start.turns[i])
            for name, own, each in zip((f"p{i}", f"n{i}"), weights, moved, strict=True):
                columns[name] = own * np.repeat(each, times)
        yield from _batches(columns)


def _batches(columns: dict[str, Any]) -> Iterator[Any]:
    import pyarrow as pa

    yield from pa.table(columns).to_batches(_BATCH)


def cluster_parts(
    batches: Iterator[Any],
    wholes: dict[int, tuple[float, float, float]],
    ended: dict[int, list[tuple[float, float | None]]],
) -> Iterator[dict[int, ClusterPart]]:
    """Yield sums over the clusters of a partition.

    ``wholes`` has m, n and the AUC by segment; ``ended`` has the value and the largest value of
    each term.
    """
    import pyarrow as pa

    held = list(batches)
    table = pa.Table.from_batches(held) if held else None
    if not table:
        return
    segment = table["segment"].to_numpy()
    order = np.argsort(segment, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(segment[order])) + 1, len(order))
    columns = {name: table[name].to_numpy()[order] for name in table.column_names}
    parts_of, first = {}, 0
    for end in ends.tolist():
        here = {name: each[first:end] for name, each in columns.items()}
        g = int(here["segment"][0])
        u, v, below, under = (here[n].astype(np.float64) for n in ("u", "v", "below", "under"))
        terms = ended.get(g, [])
        pos, neg = (
            np.array([here[f"{side}{i}"] for i in range(len(terms))]).reshape(-1, end - first)
            for side in "pn"
        )
        shares = u / wholes[g][0], v / wholes[g][1]
        losses = [
            [_losses(moved[i], share, *of) for moved, share in zip((pos, neg), shares, strict=True)]
            for i, of in enumerate(terms)
        ]
        parts_of[g] = ClusterPart(
            ClusterInfluences.of(u, v, below, under, wholes[g]),
            SummedInfluences.of(pos, neg, np.array([u, v])),
            int(np.count_nonzero(here["held"])),
            np.array(losses).reshape(len(terms), 2, 2, 2),
        )
        first = end
    yield parts_of


def _losses(
    moved: Any, share: Any, value: float, largest: float | None
) -> list[tuple[float, float]]:
    if largest is None:
        return [(np.nan, np.nan)] * 2
    sides = lost_and_kept(moved, share, value, largest)
    return [(float(side.sum()), dot(side, side)) for side in sides]


def fingerprints(batches: Iterator[Any]) -> Iterator[list[Fingerprint]]:
    """Yield the fingerprint of every column of each batch."""
    for batch in batches:
        yield [Fingerprint.of(each.to_numpy(zero_copy_only=False)) for each in batch.columns]
