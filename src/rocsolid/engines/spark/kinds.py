"""Kinds of rows: a score, what else matters, and how many rows of either class are alike."""

from __future__ import annotations

import math
from typing import Any

from rocsolid.engines.spark.check import STABLE
from rocsolid.engines.spark.range_part import RangePart
from rocsolid.engines.spark.source import NAME
from rocsolid.errors import InputError


def kinds_of(rows: Any, positive: Any, columns: list[str], score: Any) -> Any:
    """One kind a row: not counted together yet."""
    return rows.select(
        *columns,
        score.alias("s"),
        positive.cast("long").alias("pos"),
        (~positive).cast("long").alias("neg"),
    )


def counted(kinds: Any) -> Any:
    """Each kind once, with the number of its rows."""
    from pyspark.sql import functions as F

    keys = [name for name in kinds.columns if name not in ("pos", "neg")]
    return kinds.groupBy(*keys).agg(F.sum("pos").alias("pos"), F.sum("neg").alias("neg"))


def with_lighter(kinds: Any, keys: list[str], largest: tuple[float, float]) -> Any:
    """With the largest weight of the lighter class of each segment, or where there are none of all.

    What rows weigh that are heavier can then be added up range by range. ``largest`` are the
    largest weights of either class over all rows.
    """
    from pyspark.sql import functions as F

    if not keys:
        return kinds.withColumn("lighter", F.lit(min(largest)))
    most = [
        F.max(F.when((F.col(name) > 0) & F.col("s").isNotNull(), F.col("w")))
        for name in ("pos", "neg")
    ]
    lighter = F.coalesce(F.least(*most), F.lit(0.0)).alias("lighter")
    return kinds.join(kinds.groupBy(*keys).agg(lighter), keys)


def refuse_changed(before: tuple[float, float], now: tuple[float, float]) -> None:
    """Two passes over rows that are recomputed each time may see different rows.

    Numbers of rows are compared exactly, sums of weights within their rounding.
    """
    if not all(map(_same, before, now)):
        raise InputError(
            f"the rows changed between two passes: {before[0]:,} positives and {before[1]:,} "
            f"negatives at first, {now[0]:,} and {now[1]:,} later",
            where=NAME,
            fix=STABLE,
        )


def class_sizes(parts: list[RangePart]) -> tuple[int, int]:
    """How many rows of either class the ranges hold together."""
    counts = [part.placements for part in parts]
    return sum(each.n_pos for each in counts), sum(each.n_neg for each in counts)


def _same(before: float, now: float) -> bool:
    if isinstance(before, int) and isinstance(now, int):
        return before == now
    return math.isclose(before, now, rel_tol=1e-9)
