"""The engine for Spark dataframes."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from rocsolid.engines.check import Group
from rocsolid.engines.engine import Columns, EngineName, Paired, Progress, QueryBlock, Segment
from rocsolid.engines.outcomes import OutcomeQueries
from rocsolid.engines.queries import query_block, whole_queries
from rocsolid.engines.spark import worker
from rocsolid.engines.spark.check import (
    SparkCounts,
    check,
    check_queries,
    kinds_of,
    refuse_changed,
    with_lighter,
)
from rocsolid.engines.spark.paired import joined_influences
from rocsolid.engines.spark.placing import kept_ranges
from rocsolid.engines.spark.range_part import Thin, assembled
from rocsolid.engines.spark.source import (
    NAME,
    SOME_ROW,
    Source,
    collected,
    column,
    in_ranges,
    missing,
    results,
)
from rocsolid.engines.spark.tables import SparkTables
from rocsolid.errors import InputError, MissingExtraError, how_to_install
from rocsolid.remarks.remark import Remark
from rocsolid.summaries.binary_summary import Fingerprint
from rocsolid.summaries.ranges.cluster_sums import out_of_order
from rocsolid.summaries.score_counts import thinned
from rocsolid.summaries.terms import Term

_ROWS = 1 << 17  # rows in a block, or more if one query has more


def reduced_queries(
    batches: Iterator[Any],
    columns: Columns,
    qid: str,
    keys: tuple[str, ...],
    reduce: Callable[[QueryBlock], Any],
) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the first and last key of each block of whole queries, and the result of ``reduce``."""
    for table in whole_queries(batches, _ROWS):
        block = query_block(table, columns, qid, keys, SOME_ROW)
        yield table["q"][0].as_py(), table["q"][-1].as_py(), reduce(block)


T = TypeVar("T")

_DRIVER = 1 << 30
_FEW = 0.5  # equal rows are counted before the shuffle if less than this share of rows remains


def open_spark(
    source: Any,
    columns: Columns,
    *,
    memory: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SparkEngine:
    """Open a dataframe of a classic Spark session without running a job.

    ``memory`` limits a table that is sent to this process (1 GiB by default). The session sets the
    memory of the workers and the number of threads.
    """
    if type(source).__module__.startswith("pyspark.sql.connect"):
        raise InputError(
            "dataframes of Spark Connect are not read",
            where=NAME,
            fix="use a classic session (SparkSession.builder.master(...)), or write the rows to "
            "Parquet and pass the files",
        )
    if not hasattr(source, "mapInArrow"):
        raise InputError(
            f"this {type(source).__name__} of {type(source).__module__} is not a dataframe of "
            "Spark SQL",
            fix="pass one; a pandas-on-Spark frame becomes one by .to_spark()",
        )
    if threads is not None:
        raise InputError(
            "the threads of a Spark job are those of its session",
            where="threads",
            value=threads,
            fix='leave threads out, and set them in the session, such as master("local[4]")',
        )
    if importlib.util.find_spec("pandas") is None:  # PySpark always imports pandas
        raise MissingExtraError(
            "PySpark needs pandas, which is not installed", fix=how_to_install("spark")
        )
    return SparkEngine(Source.of(source, columns), memory or _DRIVER, progress)


class SparkEngine:
    """A Spark dataframe. Spark caches the needed columns from `check` to `close`."""

    name: EngineName = "spark"
    source = NAME

    def __init__(self, source: Source, memory: int, progress: Progress | None) -> None:
        self.columns = source.columns
        self._source = source
        self._memory = memory
        self._progress = progress
        self._done = 0
        self._tables: list[SparkTables] = []
        self._base: Any = None
        self._found: SparkCounts | None = None

    @property
    def warnings(self) -> tuple[Remark, ...]:
        wanted = self.columns.wanted
        return wanted.warned(wanted.suspects(self._source.frame.columns))

    @property
    def data(self) -> Any:
        return self._source.frame

    @property
    def room(self) -> int:
        return self._memory

    @property
    def rows(self) -> int:
        return self._checked.rows.rows

    @property
    def pos_label(self) -> Any:
        return self._checked.rows.pos_label

    def check(self) -> None:
        """Run one aggregate job over all columns, which also fills the cache."""
        from pyspark import StorageLevel

        if self._found is not None:
            return
        self.close()
        self._base = self._source.projected()
        if not self._source.frame.is_cached:
            self._base.persist(StorageLevel.MEMORY_AND_DISK)
        try:
            self._found = check(self._source, self._base)
        except Exception:
            self.close()
            raise
        self._step()

    @property
    def _checked(self) -> SparkCounts:
        self.check()
        assert self._found is not None
        return self._found

    def missing(self) -> dict[str, int]:
        return self._checked.rows.missing()

    def summary(self, score: str, *, complete: bool = False, terms: Sequence[Term] = ()) -> Segment:
        total = self._total(score, complete=complete)
        total.check()
        thin = None if complete else total.weighs
        (whole,) = self._reduced(score, [], terms, complete=complete, thin=thin)
        self._step()
        if thin is not None and whole.curve is not None:
            whole = replace(whole, curve=thinned([whole.curve], *thin))
        return replace(whole, omitted=total.omitted)

    def segments(self, score: str, terms: Sequence[Term] = ()) -> Iterator[Segment]:
        yield from self._reduced(score, self._source.keys, terms)
        self._step()

    def clusters_apart(self) -> bool:
        from pyspark.sql import functions as F

        self.check()
        if self.columns.cluster is None:
            return True
        segment = F.struct(*(F.col(key) for key in self._source.keys))
        of_cluster = self._base.groupBy("c").agg(F.countDistinct(segment).alias("segments"))
        return not collected(of_cluster.where("segments > 1").limit(1))

    def paired(self, term: Term) -> tuple[Paired, int]:
        total = self._checked.rows.all_scores
        total.check()
        names = self.columns.scores
        carried = self._carried(names[0], [])
        rows = self._without_gaps(names).select(
            self._checked.positive.cast("byte").alias("y"),
            *carried,
            *(self._oriented(name).alias(f"v{i}") for i, name in enumerate(names)),
        )
        compact = tuple(self._pays(self._checked.distinct[name]) for name in names)
        sizes, spread = joined_influences(rows, term, self.rows, compact, total.scale)
        refuse_changed((total.n_pos, total.n_neg), sizes)
        self._step()
        return spread, total.omitted

    def few_outcomes(self, most: int) -> bool:
        label = self.columns.label
        if not self._source.is_number(label):
            return True  # `check` refuses the label
        values = self._source.frame.select(column(label).alias("l")).where(
            f"NOT {missing('l', self._source.types[label])}"
        )
        rows = collected(values.distinct().limit(most + 1))
        highest = max((row.l for row in rows), default=None)
        self.columns = replace(self.columns, pos_label=highest)
        self._source = replace(self._source, columns=self.columns)
        return len(rows) <= most

    def outcomes(self) -> tuple[OutcomeQueries, int]:
        """Move the rows twice for each score; Spark sums pairs along all scores in one task."""
        total, tables = self._checked.rows.all_scores, SparkTables.of(self._complete)
        self._tables.append(tables)
        queries = OutcomeQueries.of(
            tables, len(self.columns.scores), weighted=total.weighted, evened=total.evened,
            most=total.most, clustered=self.columns.cluster is not None,
        )  # fmt: skip
        return queries, total.omitted

    def prints(self, *, as_given: bool = False) -> dict[str, Fingerprint]:
        names = self.columns.scores
        rows = self._without_gaps(names) if as_given else self._complete
        scores = rows.select(*(f"s{i}" for i in range(len(names))))
        parts = results(scores, worker.fingerprints)
        return {
            name: math.prod((part[i] for part in parts), start=Fingerprint(1))
            for i, name in enumerate(self.columns.scores)
        }

    @property
    def _complete(self) -> Any:
        """The rows that have every score; higher scores are better."""
        names = self.columns.scores
        beside = [name for name in ("l", "w", "c") if name in self._base.columns]
        scores = (self._oriented(name).alias(f"s{i}") for i, name in enumerate(names))
        return self._without_gaps(names).select(*beside, *scores)

    def by_query(
        self, qid: str, reduce: Callable[[QueryBlock], T], keys: tuple[str, ...] = ()
    ) -> Iterator[T]:
        """Sort ranges of queries in the workers without splitting a query."""
        from pyspark.sql import functions as F

        rows = check_queries(self._source, (qid, *keys))
        narrow = self._source.frame.select(
            column(qid).alias("q"),
            column(self.columns.label).alias("y"),
            *(column(name).alias(f"s{i}") for i, name in enumerate(self.columns.scores)),
            *(column(name).alias(f"k{i}") for i, name in enumerate(keys)),
            F.monotonically_increasing_id().alias("place"),
        )
        ordered = in_ranges(narrow, rows, "q").sortWithinPartitions("q", "place")
        last = None
        blocks = results(ordered, reduced_queries, self.columns, qid, keys, reduce)
        for first, end, result in blocks:
            if last is not None and not last < first:
                raise out_of_order(last, first)
            last = end
            yield result

    def close(self) -> None:
        for tables in self._tables:
            tables.drop()
        self._tables = []
        if self._base is not None:
            self._base.unpersist()
        self._base = self._found = None

    def _reduced(
        self,
        score: str,
        keys: list[str],
        terms: Sequence[Term],
        *,
        complete: bool = False,
        thin: Thin | None = None,
    ) -> list[Segment]:
        """Reduce all rows, or each segment, in one shuffle; clusters need a second shuffle."""
        total = self._total(score, complete=complete)
        kinds = self._kinds(score, keys, complete=complete)
        if "w" in kinds.columns and self.columns.cluster is None:
            kinds = with_lighter(kinds, keys, total.lighter)
        ranged = in_ranges(kinds, self.rows, *keys, "s")
        if self.columns.cluster is None and not terms:
            wholes, _ = assembled(results(ranged, worker.parts, keys, total.scale, thin))
            parts = [piece.segment(key) for key, piece in wholes]
        else:
            with kept_ranges(ranged, keys, total.scale, thin) as ranges:
                parts = ranges.segments(terms)
        sizes = sum(part.n_pos for part in parts), sum(part.n_neg for part in parts)
        refuse_changed((total.n_pos, total.n_neg), sizes)
        return parts

    def _total(self, score: str, *, complete: bool) -> Group:
        return self._checked.rows.all_scores if complete else self._checked.rows.groups[score]

    def _without_gaps(self, names: Sequence[str]) -> Any:
        rows = self._base
        for name in names:
            rows = rows.where(f"NOT {self._source.without(name)}")
        return rows

    def _kinds(self, score: str, keys: list[str], *, complete: bool = False) -> Any:
        """Return rows that have the score (all rows for segments); equal rows may be merged."""
        from pyspark.sql import functions as F

        checked, columns = self._checked, self._carried(score, keys)
        rows, value = self._base, self._oriented(score)
        if keys:
            value = F.when(F.expr(f"NOT {self._source.without(score)}"), value)
        elif complete or checked.rows.groups[score].omitted:
            rows = self._without_gaps(self.columns.scores if complete else [score])
        distinct = (checked.distinct_by if keys else checked.distinct)[score]
        return kinds_of(rows, checked.positive, columns, value, counted=self._pays(distinct))

    def _carried(self, score: str, keys: list[str]) -> list[str]:
        weight = ["w"] if self._checked.rows.groups[score].weighted else []
        return [*keys, *weight, *(["c"] if self.columns.cluster is not None else [])]

    def _pays(self, distinct: float) -> bool:
        return distinct < _FEW * self.rows

    def _oriented(self, score: str) -> Any:
        return self._source.oriented(score, self._checked.as_float[score])

    def _step(self) -> None:
        self._done += 1
        if self._progress is not None:
            steps = 1 + len(self.columns.scores) * (1 + bool(self.columns.by))
            self._progress(min(self._done, steps), steps)
