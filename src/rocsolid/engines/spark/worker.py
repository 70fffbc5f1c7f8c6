"""What runs in Spark's Python workers: record batches of one partition in, few rows out."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from rocsolid.engines.memory import AS_IT_CAME, Scale
from rocsolid.engines.spark.range_part import Key, RangePart, SortedKinds, segments
from rocsolid.summaries.ranges.cluster_sums import ClusterInfluences
from rocsolid.summaries.ranges.region import PairedPlacements, lumped, thinned
from rocsolid.summaries.score_counts import ScoreCounts

_BATCH = 1 << 16


def parts(
    batches: Iterator[Any], by: list[str], scale: Scale
) -> Iterator[list[tuple[Key, RangePart]]]:
    """The segments of a partition, and what the rows of each come down to."""
    found = [(key, RangePart.of(kinds, scale)) for key, kinds in segments(batches, by)]
    if found:
        yield found


def thin(batches: Iterator[Any], n_pos: float, n_neg: float, entries: int) -> Iterator[ScoreCounts]:
    """A table of few of the partition's scores; the totals are those of all partitions."""
    for _, kinds in segments(batches, []):
        yield thinned([kinds.weights(AS_IT_CAME)], n_pos, n_neg, entries)


def placed_schema(carried: str, weighted: bool) -> str:
    """The columns of `placed`: those of whole numbers are exact."""
    number = "double" if weighted else "long"
    sums = ", ".join(f"{name} {number}" for name in _SUMS)
    return f"part int, seg int, {carried}, {sums}, header binary"


_SUMS = ("below", "under", "u", "v")


def placed(batches: Iterator[Any], by: list[str], scale: Scale, carried: str) -> Iterator[Any]:
    """Each kind of rows with what lies below it in its own partition, and a row about the latter.

    ``below`` is twice the negatives below a score and those tied with it, ``under`` the same of
    positives; ``u`` and ``v`` are the weights of the kind's rows of either class (their numbers,
    without weights). ``seg`` numbers the segments of the partition.
    """
    import pyarrow as pa
    from pyspark import TaskContext

    context = TaskContext.get()
    partition = 0 if context is None else context.partitionId()
    header: list[tuple[Key, RangePart]] = []
    schema = None
    for seg, (key, kinds) in enumerate(segments(batches, by)):
        header.append((key, RangePart.of(kinds, scale)))
        columns = {
            "part": pa.repeat(pa.scalar(partition, pa.int32()), len(kinds.score)),
            "seg": pa.repeat(pa.scalar(seg, pa.int32()), len(kinds.score)),
            carried: kinds.table[carried].combine_chunks().take(pa.array(kinds.order)),
            **_below(kinds, scale),
            "header": pa.nulls(len(kinds.score), pa.binary()),
        }
        table = pa.table(columns)
        schema = table.schema
        yield from table.to_batches(_BATCH)
    if schema is not None:
        row = {"part": partition, "header": pickle.dumps(header)}
        yield pa.RecordBatch.from_pylist([row], schema=schema)


def _below(kinds: SortedKinds, scale: Scale) -> dict[str, Any]:
    table, starts = kinds.weights(scale), kinds.starts
    times = np.diff(starts, append=len(kinds.score))
    below, under = (np.repeat(2 * np.cumsum(c) - c, times) for c in (table.neg, table.pos))
    weights: tuple[Any, Any] = kinds.pos, kinds.neg
    if kinds.weight is not None:
        weights = scale.of_kinds(kinds.pos, kinds.neg, kinds.weight)
    return {"below": below, "under": under, "u": weights[0], "v": weights[1]}


def cluster_influences(
    batches: Iterator[Any], wholes: dict[int, tuple[float, float, float]]
) -> Iterator[dict[int, ClusterInfluences]]:
    """What the clusters of a partition add in each segment; ``wholes`` has m, n and the AUC."""
    import pyarrow as pa

    held = list(batches)
    table = pa.Table.from_batches(held) if held else None
    if not table:
        return
    segment = table["g"].to_numpy()
    order = np.argsort(segment, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(segment[order])) + 1, len(order))
    names = ("u", "v", "below", "under")
    sums = [table[name].cast(pa.float64()).to_numpy()[order] for name in names]
    influences, first = {}, 0
    for end in ends.tolist():
        u, v, below, under = (each[first:end] for each in sums)
        g = int(segment[order[first]])
        if g in wholes:  # of one class there is no AUC to influence
            influences[g] = ClusterInfluences.of(u, v, below, under, wholes[g])
        first = end
    yield influences


def products(batches: Iterator[Any], size: int) -> Iterator[PairedPlacements]:
    """Exact sums over the rows of a partition, under names that the caller changes."""
    names = tuple(f"p{i}" for i in range(size))
    whole: PairedPlacements | None = None
    for batch in batches:
        if batch.num_rows:
            placements = np.column_stack([batch[name].to_numpy() for name in names])
            some = PairedPlacements.of(names, batch["y"].to_numpy() == 1, placements)
            whole = some if whole is None else whole + some
    if whole is not None:
        yield whole


def in_region(
    batches: Iterator[Any],
    axis: Literal["fpr", "tpr"],
    ends: tuple[float, float],
    below: dict[Any, float],
    whole: float,
    scale: Scale,
) -> Iterator[tuple[ScoreCounts, ScoreCounts]]:
    """The partition's table lumped outside the region; ``below`` is known by the lowest score."""
    for _, kinds in segments(batches, []):
        table, squares = kinds.weights(scale), kinds.weights(scale, 2)
        yield lumped(table, squares, axis, *ends, below[table.score[0].item()], whole)
