"""One aggregate job that checks the rows and counts them."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NoReturn

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.engines.check import RowCounts, Tally, not_numbers, refuse_missing, sums_by_label
from rocsolid.engines.spark.range_part import RangePart
from rocsolid.engines.spark.source import (
    MISSING,
    NAME,
    OTHER,
    SOME_ROW,
    Source,
    collected,
    column,
    missing,
)
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import FILL_OR_OMIT, missing_text, of_bad_weights
from rocsolid.inputs.binary import positives
from rocsolid.inputs.delimited import Wanted, listed
from rocsolid.inputs.rows import EXACT_IN_FLOAT64

STABLE = "write the dataframe to a file, or checkpoint it, and pass the result"

_APART = 1e-140
_SHOWN = 1000  # the most labels that are collected for a message


@dataclass(frozen=True, slots=True)
class SparkCounts(RowCounts):
    """The counts of rows, and facts about each score.

    Scores ``as_float`` are integers with gaps. ``distinct`` is the approximate number of distinct
    rows in a summary of a score, and ``distinct_by`` in a summary by segments.
    """

    as_float: dict[str, bool]
    distinct: dict[str, float]
    distinct_by: dict[str, float]


def check(source: Source, base: Any) -> SparkCounts:
    from pyspark.sql import functions as F

    columns = source.columns
    for name in columns.wanted.numbers:
        if not source.is_number(name):
            raise refused_type(source, name)
    absent = {name: missing(name, source.types[column]) for name, column in columns.short.items()}
    del absent["l"]
    if columns.weight is not None:
        absent["w"] = _BAD
    sums = sums_by_label(columns, absent) | _sums(source, base)
    aggregates = [F.expr(sql).alias(name) for name, sql in sums.items()]
    rows = collected(base.groupBy("y").agg(*aggregates), NAME)
    by_label = {name: np.array([row[name] for row in rows]) for name in sums}
    labels = np.array([row.y for row in rows])
    by_label["no_l"] = np.where(labels == MISSING, by_label["n"], 0)
    tally = Tally(columns, by_label, partial(_where, source, base))
    _refuse_empty(len(rows), columns.label)
    tally.check_keys()
    if columns.weight is not None:
        _check_weights(tally, base)
    no_positive = columns.pos_label is not None and 1 not in labels
    if OTHER in labels or {0, -1} <= set(labels) or no_positive:
        _refuse_labels(source)
    counted = tally.counted(labels == 1)
    if not columns.ordered:
        for group in counted.groups.values():
            group.check()
    as_float, distinct, distinct_by = {}, {}, {}
    for i, name in enumerate(columns.scores):
        as_float[name] = False
        if counted.groups[name].omitted and source.is_whole(name):
            ends = [end for side in ("min", "max") for end in by_label[f"{side}{i}"]]
            # as in memory, where NaN marks a gap; larger integers stay as they are
            as_float[name] = all(abs(end) < EXACT_IN_FLOAT64 for end in ends if end is not None)
        distinct[name] = by_label[f"distinct{i}"].sum()
        distinct_by[name] = by_label[f"apart{i}"].sum() if columns.by else distinct[name]
    return SparkCounts(
        counted.rows, counted.groups, counted.complete, as_float, distinct, distinct_by
    )


_BAD = "(w IS NULL OR NOT (w >= 0 AND w < double('Infinity')))"


def _sums(source: Source, base: Any) -> dict[str, str]:
    """Return SQL for the range of integers and the numbers of distinct rows for each label."""
    columns, sums = source.columns, {}
    if columns.weight is not None:
        sums["tiny"] = "min(w) FILTER (WHERE w > 0)"
    beside = [short for short in ("w", "c") if short in base.columns]
    for i, name in enumerate(columns.scores):
        value = f"if({missing(f's{i}', source.types[name])}, NULL, s{i})"
        if source.is_whole(name):
            sums |= {f"{end}{i}": f"{end}(CAST({value} AS long))" for end in ("min", "max")}
        row = ", ".join([value, *beside])
        sums[f"distinct{i}"] = f"approx_count_distinct(xxhash64({row}), 0.1)"
        if columns.by:
            row = ", ".join([row, *source.keys])
            sums[f"apart{i}"] = f"approx_count_distinct(xxhash64({row}), 0.1)"
    return sums


def refused_type(source: Source, name: str) -> InputError:
    import pyarrow as pa

    values = source.frame.select(column(name).alias("v")).where("v is not null").limit(1)
    rows = collected(values, NAME)
    if not rows:
        where = f"column {name!r}, {SOME_ROW.name(())}"
        return InputError(missing_text(source.frame.count()), where=where, fix=FILL_OR_OMIT)
    return not_numbers(pa.array([rows[0].v]), name, source.types[name], SOME_ROW)


def _refuse_labels(source: Source) -> NoReturn:
    """Raise the error for more or fewer than two labels, or for an absent positive label."""
    labels = source.frame.select(column(source.columns.label).alias("v")).distinct()
    distinct = sorted(row.v for row in collected(labels.limit(_SHOWN + 1), NAME))
    where = f"column {source.columns.label!r}"
    pos_label = source.columns.pos_label
    if len(distinct) > _SHOWN and pos_label is None:
        raise InputError(
            f"labels must have two values, not more than {_SHOWN:,}: {listed(distinct, 5)}",
            where=where,
            fix="name the positive label with pos_label=...; all others then count as negative",
        )
    values = np.array(distinct, dtype=object)
    positives(values, pos_label=pos_label, name=where, rows=SOME_ROW)
    raise InputError("the labels changed while they were read", where=where, fix=STABLE)


def _check_weights(tally: Tally, base: Any) -> None:
    where = f"column {tally.columns.weight!r}"
    if bad := tally.sums["no_w"].sum():
        (worst,) = collected(base.where(_BAD).select("w").limit(1), NAME)
        value = math.nan if worst.w is None else worst.w
        raise of_bad_weights(f"{where}, {bad:,} in {NAME}", value)
    tally.check_total()
    tiny = min((each for each in tally.sums["tiny"] if each is not None), default=1.0)
    huge = tally.sums["largest"].max() or 1.0
    if tiny / huge < _APART:
        raise InputError(
            f"the weights differ by more than a factor of {1 / _APART:.0e}, so the squares of the "
            f"small weights vanish in float64",
            where=where,
            value=(tiny, huge),
            fix="use weights of similar size",
        )


def _where(source: Source, base: Any, short: str) -> str:
    column = source.columns.short[short]
    where = f"column {column!r}, {SOME_ROW.name(())}"
    if not short.startswith("s"):
        return where
    (row,) = collected(base.where(missing(short, source.types[column])).limit(1), NAME)
    names = {**source.columns.short, "w": source.columns.weight}
    others = {k: v for k, v in row.asDict().items() if k in names and k != short}
    example = ", ".join(f"{names[k]} = {v!r}" for k, v in others.items())
    return f"{where}, such as the row with {example}" if example else where


def check_queries(source: Source, keys: tuple[str, ...]) -> int:
    from pyspark.sql import functions as F

    Wanted(keys=keys).check(list(source.frame.columns), NAME)
    for name in (source.columns.label, *source.columns.scores):
        if not source.is_number(name):
            raise refused_type(source, name)
    keyed = source.frame.select(*(column(name).alias(f"k{i}") for i, name in enumerate(keys)))
    kinds = [field.dataType.typeName() for field in keyed.schema.fields]
    gaps = [
        F.expr(f"count_if({missing(f'k{i}', kind)})").alias(f"k{i}") for i, kind in enumerate(kinds)
    ]
    by_part = keyed.groupBy(F.spark_partition_id()).agg(F.count(F.lit(1)).alias("rows"), *gaps)
    groups = collected(by_part, NAME)
    for i, name in enumerate(keys):
        gap = sum(row[f"k{i}"] for row in groups)
        refuse_missing(gap, lambda name=name: f"column {name!r}, in {NAME}")  # type: ignore[misc]
    rows = int(sum(row["rows"] for row in groups))
    _refuse_empty(rows, keys[0])
    return rows


def _refuse_empty(rows: int, column: str) -> None:
    if not rows:
        raise InputError(
            "there are no rows", where=f"column {column!r}", fix="pass at least one row"
        )


def kinds_of(rows: Any, positive: Any, columns: list[str], score: Any) -> Any:
    return rows.select(
        *columns,
        score.alias("s"),
        positive.cast("long").alias("pos"),
        (~positive).cast("long").alias("neg"),
    )


def counted(kinds: Any) -> Any:
    from pyspark.sql import functions as F

    keys = [name for name in kinds.columns if name not in ("pos", "neg")]
    return kinds.groupBy(*keys).agg(F.sum("pos").alias("pos"), F.sum("neg").alias("neg"))


def with_lighter(kinds: Any, keys: list[str], lighter_of_all: float) -> Any:
    """Add the column ``lighter``: the smaller of the two classes' largest weights, by segment.

    The weights of heavier rows can then be summed range by range.
    """
    from pyspark.sql import functions as F

    if not keys:
        return kinds.withColumn("lighter", F.lit(lighter_of_all))
    most = [
        F.max(F.when((F.col(name) > 0) & F.col("s").isNotNull(), F.col("w")))
        for name in ("pos", "neg")
    ]
    lighter = F.coalesce(F.least(*most), F.lit(0.0)).alias("lighter")
    return kinds.join(kinds.groupBy(*keys).agg(lighter), keys)


def refuse_changed(before: tuple[float, float], now: tuple[float, float]) -> None:
    """Reject rows that changed between two passes, because Spark may recompute them.

    Numbers of rows must be equal, and sums of weights must be equal up to rounding.
    """
    if not all(map(_same, before, now)):
        raise InputError(
            f"the rows changed between two passes: {before[0]:,} positives and {before[1]:,} "
            f"negatives at first, {now[0]:,} and {now[1]:,} later",
            where=NAME,
            fix=STABLE,
        )


def changed_ranges() -> InputError:
    return InputError("the rows changed between two passes", where=NAME, fix=STABLE)


def class_sizes(parts: list[RangePart]) -> tuple[int, int]:
    return sum(part.counts[0] for part in parts), sum(part.counts[1] for part in parts)


def _same(before: float, now: float) -> bool:
    if isinstance(before, int) and isinstance(now, int):
        return before == now
    return math.isclose(before, now, rel_tol=1e-9)
