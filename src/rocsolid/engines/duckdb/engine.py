"""DuckDB sorts files, relations and lazy frames, and this process sums the sorted stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import Any, TypeVar

from rocsolid.dataclass import dataclass
from rocsolid.engines.duckdb.checked import (
    CheckedSource,
    Codes,
    Score,
    checked,
    numbered,
    sorted_rows,
)
from rocsolid.engines.duckdb.columns import Scan, missing, typed_columns
from rocsolid.engines.duckdb.copied_rows import is_relation, scan_lazy, scan_relation
from rocsolid.engines.duckdb.file_scan import scan_files
from rocsolid.engines.duckdb.limited import Limited, UnreadableError
from rocsolid.engines.duckdb.queries import query_blocks, wanted_of_queries
from rocsolid.engines.duckdb.reduce_rows import groups, reduce_rows, segment_parts
from rocsolid.engines.duckdb.row_feed import RowFeed
from rocsolid.engines.duckdb.terms import paired_terms
from rocsolid.engines.engine import Columns, EngineName, Paired, Progress, QueryBlock, Segment
from rocsolid.engines.outcomes import OutcomeQueries
from rocsolid.inputs.arrays import reverse
from rocsolid.inputs.delimited import Wanted
from rocsolid.inputs.many_files import is_path
from rocsolid.inputs.tables import BESIDE
from rocsolid.remarks.remark import Remark
from rocsolid.summaries.binary_summary import Fingerprint
from rocsolid.summaries.ranges.cluster_sums import BYTES
from rocsolid.summaries.terms import BYTES_OF_TERM, Term

T = TypeVar("T")
_OF_CLUSTER = 100  # bytes of a cluster's sums for each score, including copies


class DuckDBEngine:
    """Files, a relation or a lazy frame, sorted by DuckDB; see `rocsolid.engines.engine.Engine`."""

    name: EngineName = "duckdb"

    def __init__(
        self, source: Any, columns: Columns, db: Limited, progress: Progress | None
    ) -> None:
        self.columns = columns
        self.data = source
        self._db = db
        self._progress = progress
        self._scan = self._opened(columns.wanted)
        self.source = self._scan.name
        self._checked: CheckedSource | None = None
        self._codes: dict[tuple[str, ...], Codes] = {}

    @property
    def warnings(self) -> tuple[Remark, ...]:
        return self.columns.wanted.warned(self._scan.suspects)

    @property
    def room(self) -> int:
        return max(self._db.memory - BESIDE, 0)

    @property
    def rows(self) -> int:
        return self._table.counted.rows

    @property
    def pos_label(self) -> Any:
        return self._table.counted.pos_label

    def check(self) -> None:
        if self._checked is None:
            with self._reading():
                self._checked = checked(self._scan, self.columns, self._db)

    def missing(self) -> dict[str, int]:
        return self._table.counted.missing()

    def summary(self, score: str, *, complete: bool = False, terms: Sequence[Term] = ()) -> Segment:
        """Sort all rows once."""
        table = self._table.complete() if complete else self._table
        column, group = table.scores[score], table.counted.groups[score]
        group.check()
        rows = self._sorted(table, column, group.size, terms, weighted=group.weighted)
        with rows as (feed, clusters):
            batches = feed.batches(group.size)
            summary, curve, sums = reduce_rows(batches, group, clusters, terms)
            feed.end()
        return Segment((), group.n_pos, group.n_neg, group.omitted, summary, sums, curve)

    def segments(self, score: str, terms: Sequence[Term] = ()) -> Iterator[Segment]:
        """Sort all rows once, by segment and score."""
        table = self._table
        column = table.scores[score]
        with self._reading():
            each = groups(self._db, table, column)
            codes = self._numbered(table.keys, "true")
        size = sum(group.size for group in each)
        rows = self._sorted(table, column, size, terms, weighted=table.weighted, segments=codes)
        with rows as (feed, clusters):
            yield from segment_parts(feed, each, clusters, terms)

    def clusters_apart(self) -> bool:
        if self.columns.cluster is None:
            return True
        keys = ", ".join(self._table.keys)
        with self._reading():
            shared = self._db.rows(
                f"SELECT c FROM (SELECT DISTINCT c, {keys} FROM ({self._table.query}))"
                " GROUP BY c HAVING count(*) > 1 LIMIT 1"
            )
        return not shared

    def paired(self, term: Term) -> tuple[Paired, int]:
        """Sort and join once for each score."""
        descending = self.columns.lower_is_better
        with self._reading():
            table = self._table.complete()
            first = next(iter(table.scores.values()))
            group = table.counted.complete
            group.check()
            clusters = None
            if self.columns.cluster is not None:
                clusters = numbered(self._db, table, ("c",), f"NOT {first.missing}")
            size = 0 if clusters is None else clusters.count * _OF_CLUSTER * len(table.scores)
            with self._db.leaving(size, "the sums of clusters"):
                spread = paired_terms(self._db, table, group, term, clusters, descending=descending)
        return spread, group.omitted

    def few_outcomes(self, most: int) -> bool:
        with self._reading():
            label, kind = typed_columns(self._scan, self.columns.wanted, self._db)[
                self.columns.label
            ]
            values = self._db.rows(
                f"SELECT DISTINCT {label} FROM ({self._scan.query}) WHERE NOT"
                f" {missing(label, kind)} LIMIT {most + 1}"
            )
        highest = max((value for (value,) in values), default=None)
        self.columns = replace(self.columns, pos_label=highest)
        return len(values) <= most

    def outcomes(self) -> tuple[OutcomeQueries, int]:
        """Sort and join once for each score."""
        columns, table = self.columns, self._table.complete()
        counted = table.counted.all_scores
        queries = OutcomeQueries.of(
            _Tables(table.query, self._db, self._reading), len(columns.scores),
            weighted=counted.weighted, evened=counted.evened, most=counted.most,
            clustered=columns.cluster is not None, descending=columns.lower_is_better,
        )  # fmt: skip
        return queries, counted.omitted

    def prints(self, *, as_given: bool = False) -> dict[str, Fingerprint]:
        reversed_ = self.columns.lower_is_better and not as_given
        table, prints = self._table.complete(), dict.fromkeys(self.columns.scores, Fingerprint(1))
        chosen = ", ".join(score.value for score in table.scores.values())
        with self._reading():
            for batch in self._db.stream(f"SELECT {chosen} FROM ({table.query})"):
                for i, name in enumerate(prints):
                    score = batch.column(i).to_numpy(zero_copy_only=False)
                    prints[name] *= Fingerprint.of(reverse(score) if reversed_ else score)
        return prints

    def by_query(
        self, qid: str, reduce: Callable[[QueryBlock], T], keys: tuple[str, ...] = ()
    ) -> Iterator[T]:
        """Sort all rows once by query. Labels are grades, so `check` is not needed."""
        with self._reading():
            scan = self._opened(wanted_of_queries(self.columns, qid, keys))
            yield from query_blocks(scan, self.columns, qid, keys, self._db, reduce)

    def close(self) -> None:
        self._db.close()

    @property
    def _table(self) -> CheckedSource:
        self.check()
        assert self._checked is not None
        return self._checked

    def _opened(self, wanted: Wanted) -> Scan:
        if is_relation(self.data):
            return scan_relation(self.data, wanted, self._db)
        if is_path(self.data):
            return scan_files(self.data, wanted, self._db)
        return scan_lazy(self.data, wanted, self._db)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Locate an unreadable part of the source; close the source after an interrupt."""
        try:
            yield
        except UnreadableError as error:
            raise self._scan.unreadable(self._db, error) from error
        except KeyboardInterrupt:
            self.close()
            raise

    @contextmanager
    def _sorted(
        self,
        table: CheckedSource,
        score: Score,
        rows: int,
        terms: Sequence[Term],
        *,
        weighted: bool,
        segments: Codes | None = None,
    ) -> Iterator[tuple[RowFeed, int | None]]:
        """Sort ``rows`` rows by score; return them, and the number of clusters, if any."""
        with self._reading():
            clusters, count = None, None
            beside: AbstractContextManager[None] = nullcontext()
            if self.columns.cluster is not None:
                clusters = self._numbered(("c",), f"NOT {score.missing}")
                count = clusters.count
                size = count * (BYTES + len(terms) * BYTES_OF_TERM)
                beside = self._db.leaving(size, f"the sums of {count:,} clusters")
            with beside:
                feed = sorted_rows(
                    self._db,
                    table,
                    score,
                    descending=self.columns.lower_is_better,
                    segments=segments,
                    clusters=clusters,
                    weighted=weighted,
                    seen=self._seen(rows),
                )
                yield feed, count

    def _numbered(self, columns: tuple[str, ...], where: str) -> Codes:
        key = (*columns, where)
        if key not in self._codes:
            self._codes[key] = numbered(self._db, self._table, columns, where)
        return self._codes[key]

    def _seen(self, total: int) -> Callable[[int], None] | None:
        progress, done = self._progress, 0
        if progress is None:
            return None

        def seen(rows: int) -> None:
            nonlocal done
            done += rows
            progress(done, total)

        progress(0, total)
        return seen


@dataclass(frozen=True, slots=True)
class _Tables:
    """See `rocsolid.engines.outcomes.OutcomeTables`."""

    rows: str
    db: Limited
    reading: Callable[[], AbstractContextManager[None]]
    total: str = "fsum"

    def table(self, query: str) -> str:
        with self.reading():
            return self.db.table(f"AS {query}")

    def answers(self, query: str) -> Sequence[Sequence[Any]]:
        with self.reading():
            return self.db.rows(query)

    def running(self, order: str) -> str:  # noqa: ARG002
        """Without an order, DuckDB streams the query in its own order, in little memory."""
        return "ROWS UNBOUNDED PRECEDING"
