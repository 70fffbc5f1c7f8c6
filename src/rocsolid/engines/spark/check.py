"""One aggregate job that finds what is wrong with the rows, and their totals."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np

from rocsolid.engines.memory import Scale, refuse_one_class
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
from rocsolid.inputs.arrays import (
    FILL_OR_DROP,
    FILL_OR_OMIT,
    missing_text,
    of_bad_weights,
    of_huge_weights,
)
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.inputs.binary import positives
from rocsolid.inputs.delimited import Wanted, listed
from rocsolid.inputs.rows import EXACT_IN_FLOAT64

STABLE = "write the dataframe to a file, or checkpoint it, and pass what is read from there"

_APART = 1e-140
_SHOWN = 1000  # labels looked at for a message


@dataclass(frozen=True, slots=True)
class Totals:
    """What is known of one score, or of the rows that have all of them.

    ``distinct`` is the approximate number of different rows as a summary sees them, with and
    without the segments. ``largest`` weights are of either class.
    """

    n_pos: int
    n_neg: int
    omitted: int = 0
    as_float: bool = False
    distinct: float = 0.0
    distinct_by: float = 0.0
    largest: tuple[float, float] = (1.0, 1.0)
    weight: tuple[float, float] = (1.0, 1.0)
    sums: tuple[float, float] | None = None

    @property
    def weighs(self) -> tuple[float, float]:
        """What the positives and the negatives weigh; of equal weights how many there are."""
        if self.sums is None or self.weight[0] == self.weight[1]:
            return self.n_pos, self.n_neg
        return self.sums

    @property
    def scale(self) -> Scale:
        """The unit for the weights of each class."""
        return Scale.of(*self.largest)


@dataclass(frozen=True, slots=True)
class CheckedTotals:
    """The number of rows, the totals of each score, and those of the rows without a gap."""

    rows: int
    scores: dict[str, Totals]
    complete: Totals

    @property
    def has_gaps(self) -> bool:
        """Whether a row lacks a score."""
        return self.complete.omitted > 0


def check(source: Source, base: Any) -> CheckedTotals:
    """Refuse what the array readers refuse, in their words, and count the rest."""
    columns = source.columns
    for name in columns.wanted.numbers:
        if not source.is_number(name):
            _refuse_type(source, name)
    groups = {row.y: row for row in collected(base.groupBy("y").agg(*_sums(source)), NAME)}
    rows = _some(sum(row["rows"] for row in groups.values()), columns.label)
    if MISSING in groups:
        raise _missing(columns.label, groups[MISSING]["rows"])
    for i, name in enumerate(columns.wanted.keys):
        if gaps := sum(row[f"k{i}"] for row in groups.values()):
            raise _missing(name, gaps)
    if OTHER in groups or {0, -1} <= groups.keys():
        _refuse_labels(source)
    if columns.pos_label is not None and 1 not in groups:
        _refuse_labels(source)
    if columns.weight is not None:
        _check_weights(source, list(groups.values()))
    pos = [row for y, row in groups.items() if y == 1]
    neg = [row for y, row in groups.items() if y != 1]
    totals = {name: _totals(source, i, pos, neg) for i, name in enumerate(columns.scores)}
    for i, name in enumerate(columns.scores):
        _check_score(source, base, name, i, totals[name], rows)
    complete = [sum(row.complete for row in of_class) for of_class in (pos, neg)]
    whole = Totals(complete[0], complete[1], rows - sum(complete))
    if columns.weight is not None:
        most = [max((row.most or 0.0 for row in of_class), default=0.0) for of_class in (pos, neg)]
        whole = replace(whole, largest=(most[0], most[1]))
    return CheckedTotals(rows, totals, whole)


def _sums(source: Source) -> list[Any]:
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
        row = [value, *(F.col(c) for c in ("w", "c")[not weighted : 1 + _clustered(source)])]
        sums.append(F.approx_count_distinct(F.xxhash64(*row), 0.1).alias(f"distinct{i}"))
        if columns.by:
            row += [F.col(key) for key in source.keys]
            sums.append(F.approx_count_distinct(F.xxhash64(*row), 0.1).alias(f"apart{i}"))
    if weighted:
        sums.append(F.max(F.when(complete, F.col("w"))).alias("most"))
    return [*sums, F.count_if(complete).alias("complete")]


def _clustered(source: Source) -> bool:
    return source.columns.cluster is not None


def _totals(source: Source, i: int, pos: list[Any], neg: list[Any]) -> Totals:
    n_pos, n_neg = (sum(row["rows"] - row[f"gap{i}"] for row in rows) for rows in (pos, neg))
    omitted = sum(row[f"gap{i}"] for row in (*pos, *neg))
    as_float = False
    if omitted and source.is_whole(source.columns.scores[i]):
        ends = [row[f"{end}{i}"] for row in (*pos, *neg) for end in ("min", "max")]
        # as in memory, where NaN marks a gap; larger integers stay as they are
        as_float = all(abs(end) < EXACT_IN_FLOAT64 for end in ends if end is not None)
    distinct = sum(row[f"distinct{i}"] for row in (*pos, *neg))
    apart = sum(row[f"apart{i}"] for row in (*pos, *neg)) if source.columns.by else distinct
    totals = Totals(n_pos, n_neg, omitted, as_float, distinct, apart)
    if source.columns.weight is None:
        return totals
    least = [row[f"least{i}"] for row in (*pos, *neg) if row[f"least{i}"] is not None]
    most = [
        max((row[f"most{i}"] for row in rows if row[f"most{i}"] is not None), default=0.0)
        for rows in (pos, neg)
    ]
    sums = [sum(row[f"sum{i}"] or 0.0 for row in rows) for rows in (pos, neg)]
    return replace(
        totals,
        largest=(most[0], most[1]),
        weight=(min(least, default=0.0), max(most)),
        sums=(sums[0], sums[1]),
    )


def _refuse_type(source: Source, name: str) -> NoReturn:
    """The error that the readers of arrays raise for such a value, with one that occurs."""
    import pyarrow as pa

    found = source.frame.select(column(name).alias("v")).where("v is not null").limit(1)
    rows = collected(found, NAME)
    if not rows:
        raise _missing_score(name, source.frame.count(), None)
    where = f"column {name!r}"
    valid_scores(pa.array([rows[0].v]), name=where, rows=SOME_ROW)
    raise InputError("scores must be numbers", where=where, value=source.types[name])


def _refuse_labels(source: Source) -> NoReturn:
    """The error of labels that are not two, or of a positive label that does not occur."""
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
            f"the weights differ by more than a factor of {1 / _APART:.0e}, and squares of the "
            f"small ones beside the large ones are zero in float64",
            where=where,
            value=(tiny, huge),
            fix="give weights of a like size",
        )


def _check_score(source: Source, base: Any, name: str, i: int, totals: Totals, rows: int) -> None:
    if totals.omitted and source.columns.nan == "raise":
        example = collected(base.where(score_is_missing(source, name)).limit(1), NAME)
        raise _missing_score(name, totals.omitted, _shown(source, i, example[0]))
    if totals.omitted == rows:
        raise InputError("every score is missing, so no row is left", where=f"column {name!r}")
    positive, negative = totals.largest
    refuse_one_class(totals.n_pos, totals.n_neg, positive > 0, negative > 0)


def _shown(source: Source, i: int, row: Any) -> str:
    """The other columns of a row, for its owner to find it by."""
    names = {f"s{j}": name for j, name in enumerate(source.columns.scores) if j != i}
    names |= {f"b{j}": name for j, name in enumerate(source.columns.by)}
    names |= {"c": source.columns.cluster or "", "w": source.columns.weight or ""}
    return ", ".join(f"{names[k]} = {v!r}" for k, v in row.asDict().items() if names.get(k))


def _some(rows: int, name: str) -> int:
    if rows == 0:
        raise InputError("there are no rows", where=f"column {name!r}", fix="pass at least one row")
    return rows


def _missing(name: str, count: int) -> InputError:
    return InputError(
        missing_text(count), where=f"column {name!r}, {SOME_ROW.name(())}", fix=FILL_OR_DROP
    )


def _missing_score(name: str, count: int, example: str | None) -> InputError:
    error = _missing(name, count)
    where = error.where if not example else f"{error.where}, such as the row with {example}"
    return InputError(error.what, where=where, fix=FILL_OR_OMIT)


def check_queries(source: Source, keys: tuple[str, ...]) -> int:
    """The number of rows, all of which have the keys; the label is a grade."""
    from pyspark.sql import functions as F

    Wanted(keys=keys).check(list(source.frame.columns), NAME)
    for name in (source.columns.label, *source.columns.scores):
        if not source.is_number(name):
            _refuse_type(source, name)
    found = source.frame.select(*(column(name).alias(f"k{i}") for i, name in enumerate(keys)))
    kinds = [field.dataType.typeName() for field in found.schema.fields]
    gaps = [
        F.count_if(key_is_missing(f"k{i}", kind)).alias(f"k{i}") for i, kind in enumerate(kinds)
    ]
    by_part = found.groupBy(F.spark_partition_id()).agg(F.count(F.lit(1)).alias("rows"), *gaps)
    groups = collected(by_part, NAME)
    for i, name in enumerate(keys):
        if missing := sum(row[f"k{i}"] for row in groups):
            raise _missing(name, missing)
    return _some(sum(row["rows"] for row in groups), keys[0])


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


def changed_ranges() -> InputError:
    """For ranges of a later pass that are not those of the first."""
    return InputError("the rows changed between two passes", where=NAME, fix=STABLE)


def class_sizes(parts: list[RangePart]) -> tuple[int, int]:
    """How many rows of either class the ranges hold together."""
    counts = [part.placements for part in parts]
    return sum(each.n_pos for each in counts), sum(each.n_neg for each in counts)


def _same(before: float, now: float) -> bool:
    if isinstance(before, int) and isinstance(now, int):
        return before == now
    return math.isclose(before, now, rel_tol=1e-9)
