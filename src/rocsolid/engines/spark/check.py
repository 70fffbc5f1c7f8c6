"""One aggregate job that checks the rows and counts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocsolid.counts import both_classes
from rocsolid.dataclass import dataclass
from rocsolid.engines.check import MOST_LABELS, RowCounts, check_rows, not_numbers, refuse_missing
from rocsolid.engines.spark.source import NAME, SOME_ROW, Source, collected, column, missing
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import FILL_OR_OMIT, missing_text
from rocsolid.inputs.delimited import Wanted
from rocsolid.inputs.rows import EXACT_IN_FLOAT64

_APART = 1e-140


@dataclass(frozen=True, slots=True, eq=False)
class SparkCounts:
    """The counts of rows, and facts about each score.

    Scores ``as_float`` are integers with gaps. ``distinct`` is the approximate number of distinct
    rows in a summary of a score, and ``distinct_by`` in a summary by segments.
    """

    rows: RowCounts
    as_float: dict[str, bool]
    distinct: dict[str, float]
    distinct_by: dict[str, float]

    @property
    def positive(self) -> Any:
        """The condition for positive rows."""
        from pyspark.sql import functions as F

        return F.col("l").isin(self.rows.sums["l"][self.rows.positive].tolist())


def check(source: Source, base: Any) -> SparkCounts:
    columns = source.columns
    _refuse_types(source, columns.wanted.numbers)
    absent = {name: missing(name, source.types[column]) for name, column in columns.short.items()}
    if columns.weight is not None:
        # isnan: Spark skips cached rows by their ranges of values, which ignore NaN
        absent["w"] = "(w IS NULL OR isnan(w) OR NOT (w >= 0 AND w < double('Infinity')))"
    counted = check_rows(_FrameRows(source, base), columns, absent)
    sums = counted.sums
    if columns.weight is not None:
        _check_range(columns.weight, sums)
    if not columns.ordered:
        for group in counted.groups.values():
            group.check()
    as_float, distinct, distinct_by = {}, {}, {}
    for i, name in enumerate(columns.scores):
        as_float[name] = False
        if counted.groups[name].omitted and source.is_whole(name):
            ends = [end for side in ("min", "max") for end in sums[f"{side}{i}"]]
            # as in memory, where NaN marks a gap; larger integers stay as they are
            as_float[name] = all(abs(end) < EXACT_IN_FLOAT64 for end in ends if end is not None)
        distinct[name] = sums[f"distinct{i}"].sum()
        distinct_by[name] = sums[f"apart{i}"].sum() if columns.by else distinct[name]
    return SparkCounts(counted, as_float, distinct, distinct_by)


@dataclass(frozen=True, slots=True, eq=False)
class _FrameRows:
    """The rows of a dataframe; see `rocsolid.engines.check.LocatedRows`."""

    source: Source
    base: Any

    def by_label(self, sums: Mapping[str, str]) -> dict[str, Any]:
        from pyspark.sql import functions as F

        each = {**sums, **_sums(self.source, self.base)}
        by_label = self.base.groupBy("l").agg(*(F.expr(sql).alias(n) for n, sql in each.items()))
        rows = collected(by_label.orderBy("l").limit(MOST_LABELS + 1))
        _refuse_empty(len(rows), self.source.columns.label)
        columns = {name: np.array([row[name] for row in rows]) for name in each}
        return {**columns, "l": np.array([row.l for row in rows])}

    def where(self, name: str, bad: str) -> str:
        """Return the column and, for a score, the other columns of a row."""
        names = self.source.columns.short
        if name == "w":
            return f"column {names[name]!r}, {self.base.where(bad).count():,} in {NAME}"
        where = f"column {names[name]!r}, in {NAME}"
        if not name.startswith("s"):
            return where
        (row,) = collected(self.base.where(bad).limit(1))
        others = {k: v for k, v in row.asDict().items() if k not in ("l", name)}
        example = ", ".join(f"{names[k]} = {v!r}" for k, v in others.items())
        return f"{where}, such as the row with {example}" if example else where

    def first(self, name: str, bad: str) -> Any:
        return collected(self.base.where(bad).select(name).limit(1))[0][0]


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


def _refuse_types(source: Source, numbers: Sequence[str]) -> None:
    """Reject a column that has no numbers."""
    import pyarrow as pa

    name = next((name for name in numbers if not source.is_number(name)), None)
    if name is None:
        return
    values = source.frame.select(column(name).alias("v")).where("v is not null").limit(1)
    rows = collected(values)
    if not rows:
        where = f"column {name!r}, in {NAME}"
        raise InputError(missing_text(source.frame.count()), where=where, fix=FILL_OR_OMIT)
    raise not_numbers(pa.array([rows[0].v]), name, source.types[name], SOME_ROW)


def _check_range(weight: str, sums: Mapping[str, Any]) -> None:
    tiny = min((each for each in sums["tiny"] if each is not None), default=1.0)
    huge = sums["largest"].max() or 1.0
    if tiny / huge < _APART:
        raise InputError(
            f"the weights differ by more than a factor of {1 / _APART:.0e}, so the squares of the "
            f"small weights vanish in float64",
            where=f"column {weight!r}",
            value=(tiny, huge),
            fix="use weights of similar size",
        )


def check_queries(source: Source, keys: tuple[str, ...]) -> int:
    from pyspark.sql import functions as F

    Wanted(keys=keys).check(list(source.frame.columns), NAME)
    _refuse_types(source, (source.columns.label, *source.columns.scores))
    keyed = source.frame.select(*(column(name).alias(f"k{i}") for i, name in enumerate(keys)))
    kinds = [field.dataType.typeName() for field in keyed.schema.fields]
    gaps = [
        F.expr(f"count_if({missing(f'k{i}', kind)})").alias(f"k{i}") for i, kind in enumerate(kinds)
    ]
    by_part = keyed.groupBy(F.spark_partition_id()).agg(F.count(F.lit(1)).alias("rows"), *gaps)
    groups = collected(by_part)
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


def kinds_of(rows: Any, positive: Any, columns: list[str], score: Any, *, counted: bool) -> Any:
    """Return the columns, the score ``s`` and the class of each row, or ``counted`` equal rows."""
    from pyspark.sql import functions as F

    classes = [side.cast("long").alias(n) for side, n in ((positive, "pos"), (~positive, "neg"))]
    kinds = rows.select(*columns, score.alias("s"), *classes)
    if not counted:
        return kinds
    return kinds.groupBy(*columns, "s").agg(F.sum("pos").alias("pos"), F.sum("neg").alias("neg"))


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


def refuse_changed(before: tuple[int, int], now: tuple[int, int]) -> None:
    """Reject rows whose classes changed between two passes, because Spark may recompute them."""
    if before != now:
        raise changed(f": {both_classes(*before)} at first, {now[0]:,} and {now[1]:,} later")


def changed(how: str = "") -> InputError:
    return InputError(
        f"the rows changed between two passes{how}",
        where=NAME,
        fix="write the dataframe to a file, or checkpoint it, and pass the result",
    )
