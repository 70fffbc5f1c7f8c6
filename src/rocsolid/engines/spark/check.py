"""One aggregate job that checks the rows and counts them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import field, replace
from functools import partial
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.engines.check import (
    Group,
    RowCounts,
    Sizes,
    not_numbers,
    refuse_empty,
    refuse_missing,
)
from rocsolid.engines.spark.range_part import RangePart
from rocsolid.engines.spark.source import (
    MISSING,
    NAME,
    OTHER,
    SOME_ROW,
    Source,
    collected,
    column,
    key_is_missing,
    score_is_missing,
)
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import FILL_OR_OMIT, missing_text, of_bad_weights, of_huge_weights
from rocsolid.inputs.binary import positives
from rocsolid.inputs.delimited import Wanted, listed
from rocsolid.inputs.rows import EXACT_IN_FLOAT64
from rocsolid.summaries.moments import NO_WEIGHTS, ClassWeights

STABLE = "write the dataframe to a file, or checkpoint it, and pass the result"

_APART = 1e-140
_SHOWN = 1000  # the most labels that are collected for a message


@dataclass(frozen=True, slots=True)
class Totals(Group):
    """The sizes and weights of the rows that have one score, or all scores.

    ``distinct`` is the approximate number of distinct rows in a summary, with and without segments.
    """

    as_float: bool = field(default=False, kw_only=True)
    distinct: float = field(default=0.0, kw_only=True)
    distinct_by: float = field(default=0.0, kw_only=True)


@dataclass(frozen=True, slots=True)
class CheckedTotals:
    rows: int
    scores: dict[str, Totals]
    complete: Totals

    @property
    def has_gaps(self) -> bool:
        return self.complete.omitted > 0


def check(source: Source, base: Any) -> CheckedTotals:
    columns = source.columns
    for name in columns.wanted.numbers:
        if not source.is_number(name):
            raise refused_type(source, name)
    groups = {row.y: row for row in collected(base.groupBy("y").agg(*_sums(source, base)), NAME)}
    each = list(groups.values())

    def counted(alias: str) -> NDArray[np.int64]:
        return np.array([row[alias] for row in each], dtype=np.int64)

    rows = counted("rows")
    missing = {columns.label: rows * np.array([y == MISSING for y in groups], dtype=np.int64)}
    missing |= {name: counted(f"k{i}") for i, name in enumerate(columns.wanted.keys)}
    missing |= {name: counted(f"gap{i}") for i, name in enumerate(columns.scores)}
    where = partial(_where, source, base)
    counts = RowCounts(f"column {columns.label!r}", rows, missing, where)
    counts.check_keys(columns)
    if columns.weight is not None:
        _check_weights(source, each)
    if OTHER in groups or {0, -1} <= groups.keys():
        _refuse_labels(source)
    if columns.pos_label is not None and 1 not in groups:
        _refuse_labels(source)
    sizes = counts.sizes(columns, np.array([y == 1 for y in groups]))
    pos = [row for y, row in groups.items() if y == 1]
    neg = [row for y, row in groups.items() if y != 1]
    totals = {
        name: _totals(source, i, sizes[name], pos, neg) for i, name in enumerate(columns.scores)
    }
    for total in totals.values():
        total.check()
    complete = [sum(row.complete for row in of_class) for of_class in (pos, neg)]
    whole = Totals((), complete[0], complete[1], int(rows.sum()) - sum(complete))
    if columns.weight is not None:
        most = [max((row.most or 0.0 for row in of_class), default=0.0) for of_class in (pos, neg)]
        # only the largest weights are needed
        of_pos, of_neg = (ClassWeights(each, each, 0.0) for each in most)
        whole = replace(whole, pos=of_pos, neg=of_neg)
    return CheckedTotals(int(rows.sum()), totals, whole)


def _sums(source: Source, base: Any) -> list[Any]:
    from pyspark.sql import functions as F

    columns = source.columns
    sums = [F.count(F.lit(1)).alias("rows")]
    for i, name in enumerate(columns.wanted.keys):
        short = f"b{i}" if i < len(columns.by) else "c"
        sums.append(F.count_if(key_is_missing(short, source.types[name])).alias(f"k{i}"))
    weighted = columns.weight is not None
    if weighted:
        bad = ~F.coalesce((F.col("w") >= 0) & (F.col("w") < math.inf), F.lit(False))
        sums += [F.count_if(bad).alias("bad"), F.first(F.when(bad, F.col("w"))).alias("worst")]
        some = F.when(F.col("w") > 0, F.col("w"))
        sums += [F.sum("w").alias("weight"), F.min(some).alias("tiny"), F.max(some).alias("huge")]
    beside = [short for short in ("w", "c") if short in base.columns]
    gaps = [score_is_missing(source, name) for name in columns.scores]
    complete = F.lit(True)
    for i, (name, gap) in enumerate(zip(columns.scores, gaps, strict=True)):
        complete = complete & ~gap
        sums.append(F.count_if(gap).alias(f"gap{i}"))
        value = F.when(~gap, F.col(f"s{i}"))
        if source.is_whole(name):
            whole = value.cast("long")
            sums += [F.min(whole).alias(f"min{i}"), F.max(whole).alias(f"max{i}")]
        if weighted:
            weight = F.when(~gap, F.col("w"))
            sums += [F.min(weight).alias(f"least{i}"), F.max(weight).alias(f"most{i}")]
            sums.append(F.sum(weight).alias(f"sum{i}"))
        row = [value, *(F.col(name) for name in beside)]
        sums.append(F.approx_count_distinct(F.xxhash64(*row), 0.1).alias(f"distinct{i}"))
        if columns.by:
            row += [F.col(key) for key in source.keys]
            sums.append(F.approx_count_distinct(F.xxhash64(*row), 0.1).alias(f"apart{i}"))
    if weighted:
        sums.append(F.max(F.when(complete, F.col("w"))).alias("most"))
    return [*sums, F.count_if(complete).alias("complete")]


def _totals(source: Source, i: int, sizes: Sizes, pos: list[Any], neg: list[Any]) -> Totals:
    rows = (*pos, *neg)
    as_float = False
    if sizes[2] and source.is_whole(source.columns.scores[i]):
        ends = [row[f"{end}{i}"] for row in rows for end in ("min", "max")]
        # as in memory, where NaN marks a gap; larger integers stay as they are
        as_float = all(abs(end) < EXACT_IN_FLOAT64 for end in ends if end is not None)
    distinct = sum(row[f"distinct{i}"] for row in rows)
    apart = sum(row[f"apart{i}"] for row in rows) if source.columns.by else distinct
    totals = Totals((), *sizes, as_float=as_float, distinct=distinct, distinct_by=apart)
    if source.columns.weight is None:
        return totals
    return replace(totals, pos=_weights(i, pos), neg=_weights(i, neg))


def _weights(i: int, of_class: Iterable[Any]) -> ClassWeights:
    rows = (row for row in of_class if row[f"most{i}"] is not None)
    each = (ClassWeights(row[f"least{i}"], row[f"most{i}"], row[f"sum{i}"]) for row in rows)
    return sum(each, NO_WEIGHTS)


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


def _check_weights(source: Source, groups: list[Any]) -> None:
    where = f"column {source.columns.weight!r}"
    if any(row.bad for row in groups):
        worst = next((row.worst for row in groups if row.worst is not None), math.nan)
        raise of_bad_weights(f"{where}, {sum(row.bad for row in groups):,} in {NAME}", worst)
    if math.isinf(sum(row.weight or 0.0 for row in groups)):
        raise of_huge_weights(where)
    tiny = min((row.tiny for row in groups if row.tiny is not None), default=1.0)
    huge = max((row.huge for row in groups if row.huge is not None), default=1.0)
    if tiny / huge < _APART:
        raise InputError(
            f"the weights differ by more than a factor of {1 / _APART:.0e}, so the squares of the "
            f"small weights vanish in float64",
            where=where,
            value=(tiny, huge),
            fix="use weights of similar size",
        )


def _where(source: Source, base: Any, name: str) -> str:
    where = f"column {name!r}, {SOME_ROW.name(())}"
    if name not in source.columns.scores:
        return where
    (row,) = collected(base.where(score_is_missing(source, name)).limit(1), NAME)
    example = _shown(source, source.columns.scores.index(name), row)
    return f"{where}, such as the row with {example}" if example else where


def _shown(source: Source, i: int, row: Any) -> str:
    names = {f"s{j}": name for j, name in enumerate(source.columns.scores) if j != i}
    names |= {f"b{j}": name for j, name in enumerate(source.columns.by)}
    names |= {"c": source.columns.cluster or "", "w": source.columns.weight or ""}
    return ", ".join(f"{names[k]} = {v!r}" for k, v in row.asDict().items() if names.get(k))


def check_queries(source: Source, keys: tuple[str, ...]) -> int:
    from pyspark.sql import functions as F

    Wanted(keys=keys).check(list(source.frame.columns), NAME)
    for name in (source.columns.label, *source.columns.scores):
        if not source.is_number(name):
            raise refused_type(source, name)
    keyed = source.frame.select(*(column(name).alias(f"k{i}") for i, name in enumerate(keys)))
    kinds = [field.dataType.typeName() for field in keyed.schema.fields]
    gaps = [
        F.count_if(key_is_missing(f"k{i}", kind)).alias(f"k{i}") for i, kind in enumerate(kinds)
    ]
    by_part = keyed.groupBy(F.spark_partition_id()).agg(F.count(F.lit(1)).alias("rows"), *gaps)
    groups = collected(by_part, NAME)
    for i, name in enumerate(keys):
        where = partial(_where, source, keyed, name)
        refuse_missing(sum(row[f"k{i}"] for row in groups), where)
    rows = int(sum(row["rows"] for row in groups))
    refuse_empty(rows, f"column {keys[0]!r}")
    return rows


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
