"""The engine for lazy frames, whose own library counts equal rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.check import refuse_empty, refuse_missing
from rocsolid.engines.engine import (
    DRAWN,
    Columns,
    EngineName,
    Key,
    Paired,
    Progress,
    QueryBlock,
    Segment,
    T,
)
from rocsolid.engines.memory import Counted, paired_kinds
from rocsolid.errors import InputError, OneClassError, RocsolidError
from rocsolid.inputs.arrays import FILL_OR_DROP, FILL_OR_OMIT, column, reverse, scores
from rocsolid.inputs.binary import TextLabel, pos_label_from_text, positives, sample_weights
from rocsolid.inputs.groups import codes, combined, plain, stable_order
from rocsolid.inputs.rows import Unnumbered
from rocsolid.remarks.remark import Remark
from rocsolid.room import half_of_bound
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.ranges.region import thinned
from rocsolid.summaries.terms import Term, TermSums


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The distinct rows in the needed columns, and the count of each kind of row."""

    count: NDArray[np.int64]
    positive: NDArray[np.bool_]
    scores: dict[str, NDArray[Any]]
    keys: dict[str, NDArray[Any]]
    weight: NDArray[np.float64] | None
    cluster: NDArray[np.int64] | None

    @property
    def classes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self.count * self.positive, self.count * ~self.positive

    def subset(self, rows: NDArray[np.intp]) -> Kinds:
        return Kinds(
            self.count[rows],
            self.positive[rows],
            {name: values[rows] for name, values in self.scores.items()},
            {name: values[rows] for name, values in self.keys.items()},
            None if self.weight is None else self.weight[rows],
            None if self.cluster is None else self.cluster[rows],
        )

    def missing(self, score: str, nan: Literal["raise", "omit"]) -> NDArray[np.bool_]:
        values = self.scores[score]
        bad = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
        if nan == "raise":
            refuse_gaps(bad, self.count, score, FILL_OR_OMIT)
        return bad

    def whole(self, scores: Sequence[str], nan: Literal["raise", "omit"]) -> tuple[Kinds, int]:
        lacking = np.zeros(len(self.count), dtype=bool)
        for name in scores:
            lacking |= self.missing(name, nan)
        if not lacking.any():
            return self, 0
        return self.subset(np.flatnonzero(~lacking)), int(self.count[lacking].sum())

    def of(self, score: str, *, lower_is_better: bool) -> Counted:
        cluster = None if self.cluster is None else codes(self.cluster)[0]
        values = self.scores[score]
        score_of = reverse(values) if lower_is_better else values
        return Counted(score_of, *self.classes, self.weight, cluster)


NAME = "the lazy frame"

_CELL = 32  # the most bytes of a cell in a collected table before it is summed


@dataclass(frozen=True, slots=True, eq=False)
class LazyFrame:
    """A Narwhals frame, and the memory that a collected table may use.

    NumPy finds missing values and NaN in collected tables, because databases that filter by value
    ranges miss NaN.
    """

    native: Any
    memory: int | None

    @classmethod
    def of(cls, source: Any, memory: int | None) -> LazyFrame:
        import narwhals as nw

        return cls(nw.from_native(source), memory)

    @property
    def names(self) -> list[str]:
        with _computing():
            return list(self.native.collect_schema().names())

    def counted(self, keys: list[str]) -> tuple[dict[str, Any], NDArray[np.int64]]:
        import narwhals as nw

        count = "rows"
        while count.casefold() in (key.casefold() for key in keys):
            count += "_"
        with _computing():
            grouped = self.native.group_by(*keys).agg(nw.len().alias(count))
        table = self._collected(grouped, [*keys, count])
        return table, np.asarray(column(table.pop(count), count), dtype=np.int64)

    def rows(self, names: list[str]) -> dict[str, Any]:
        return self._collected(self.native, names)

    def _collected(self, frame: Any, names: list[str]) -> dict[str, Any]:
        import narwhals as nw

        with _computing():
            frame = frame.select(*names)
            if self.memory is not None:
                size = int(frame.select(nw.len()).collect().item()) * len(names) * _CELL
                if size > self.memory:
                    raise InputError(
                        f"the distinct rows would take about {size / 1e6:,.0f} MB of memory, more "
                        f"than the {self.memory / 1e6:,.0f} MB allowed",
                        where=NAME,
                        fix="allow more memory, or write the rows to Parquet files and name those",
                    )
            table = frame.collect()
        return {name: table[name] for name in names}


def refuse_gaps(
    bad: NDArray[np.bool_], count: NDArray[np.int64], name: str, fix: str = FILL_OR_DROP
) -> None:
    refuse_missing(int(count[bad].sum()), lambda: f"column {name!r}", fix)


def _missing(values: Any) -> NDArray[np.bool_]:
    bad: NDArray[np.bool_] = values.is_null().to_numpy()
    if values.dtype.is_float():
        bad = bad | values.is_nan().fill_null(value=False).to_numpy()
    return bad


@contextmanager
def _computing() -> Iterator[None]:
    try:
        yield
    except RocsolidError:
        raise
    except Exception as error:  # each library has its own classes
        message = str(error).strip().partition("\n")[0]
        raise InputError(
            f"the lazy frame cannot be computed: {(message or type(error).__name__).rstrip('.')}",
            where=NAME,
            fix="fix what creates it; collecting it on its own usually fails in the same way",
        ) from error


_BLOCK = 1 << 20  # rows of whole queries in a block
_ROWS = Unnumbered()


def open_narwhals(
    source: Any, columns: Columns, *, memory: int | None = None, progress: Progress | None = None
) -> NarwhalsEngine:
    """Open a lazy frame of Polars, Ibis, SQLFrame, DuckDB, PySpark, Dask ..."""
    frame = LazyFrame.of(source, memory)
    return NarwhalsEngine(frame, columns, progress, _pos_label=columns.pos_label)


@dataclass(slots=True, eq=False)
class NarwhalsEngine:
    """A lazy frame whose own library counts equal rows.

    Memory grows with the number of distinct scores (with weights and clusters), not with the number
    of rows. Distinct rows that need more than ``memory`` are an error.
    """

    frame: LazyFrame
    columns: Columns
    progress: Progress | None = None
    name: EngineName = "narwhals"
    source: str = NAME
    _rows: int = 0
    _pos_label: Any = None
    _kinds: dict[tuple[str, ...], Kinds] = field(default_factory=dict)

    @property
    def data(self) -> Any:
        return self.frame.native

    @property
    def warnings(self) -> tuple[Remark, ...]:
        wanted = self.columns.wanted
        return wanted.warned(wanted.suspects(self.frame.names))

    @property
    def room(self) -> int:
        return half_of_bound() if self.frame.memory is None else self.frame.memory

    @property
    def rows(self) -> int:
        return self._rows

    def check(self) -> None:
        columns = self.columns
        columns.wanted.check(self.frame.names, self.source)
        labels, count = self.frame.counted([columns.label])
        self._rows = int(count.sum())
        refuse_empty(self._rows, self.source)
        refuse_gaps(_missing(labels[columns.label]), count, columns.label)
        values = column(labels[columns.label], self._called(columns.label), rows=_ROWS)
        if isinstance(self._pos_label, TextLabel):
            self._pos_label = pos_label_from_text(self._pos_label, values)
        self._positive(values)

    @property
    def pos_label(self) -> Any:
        return self._pos_label

    def missing(self) -> dict[str, int]:
        kinds = self._of(*self.columns.scores)
        counts = {name: kinds.whole([name], "omit")[1] for name in self.columns.scores}
        return {name: count for name, count in counts.items() if count}

    def summary(
        self, score: str, *, complete: bool = False, terms: Sequence[Term] = (), drawn: int = DRAWN
    ) -> Segment:
        counted, omitted = self._whole(score, complete=complete)
        evened = counted.evened()
        table = evened.tables(evened.scale)[0]
        if evened.weight is not None:
            table = evened.scale.up(table)
        curve = thinned([table], float(table.n_pos), float(table.n_neg), drawn)
        segment = _segment((), counted, omitted, counted.summary(), evened.sums(terms))
        return replace(segment, curve=curve)

    def segments(self, score: str, terms: Sequence[Term] = ()) -> Iterator[Segment]:
        kinds = self._of(score)
        kinds.missing(score, self.columns.nan)
        code, keys = self._segments(kinds)
        order = stable_order(code)
        ends = np.cumsum(np.bincount(code, minlength=len(keys)))
        for key, end, start in zip(keys, ends, [0, *ends[:-1]], strict=True):
            part, omitted = kinds.subset(order[start:end]).whole([score], self.columns.nan)
            counted = part.of(score, lower_is_better=self.columns.lower_is_better)
            summary = _summary(counted)
            sums = {} if summary is None else counted.sums(terms)
            yield _segment(key, counted, omitted, summary, sums)

    def clusters_apart(self) -> bool:
        kinds = self._of(self.columns.scores[0])
        if kinds.cluster is None:
            return True
        code, _ = self._segments(kinds)
        both, _ = combined([(kinds.cluster, np.unique(kinds.cluster)), codes(code)])
        return int(both.max()) == int(kinds.cluster.max())

    def paired(self, term: Term) -> tuple[Paired, int]:
        scores = [self._whole(name, complete=True) for name in self.columns.scores]
        return paired_kinds([counted for counted, _ in scores], term), scores[0][1]

    def by_query(
        self, qid: str, reduce: Callable[[QueryBlock], T], keys: tuple[str, ...] = ()
    ) -> Iterator[T]:
        names = [qid, self.columns.label, *self.columns.scores, *keys]
        rows = self.frame.rows(list(dict.fromkeys(names)))
        code, _ = codes(rows[qid], self._called(qid), rows=_ROWS)
        order = stable_order(code)
        key = column(rows[qid], qid)
        label = self.columns.label
        grade = scores(rows[label], name=self._called(label), nan="allow", rows=_ROWS)
        score_columns = {
            name: scores(rows[name], name=self._called(name), nan="allow", rows=_ROWS)
            for name in self.columns.scores
        }
        others = {name: column(rows[name], self._called(name), rows=_ROWS) for name in keys}
        for first, last in _whole_groups(np.bincount(code)):
            some = order[first:last]
            yield reduce(
                QueryBlock(
                    key[some],
                    grade[some].astype(np.float64),
                    {name: values[some] for name, values in score_columns.items()},
                    {name: values[some] for name, values in others.items()},
                )
            )

    def close(self) -> None:
        self._kinds.clear()

    def _whole(self, score: str, *, complete: bool = False) -> tuple[Counted, int]:
        needed = self.columns.scores if complete else (score,)
        kinds, omitted = self._of(*needed).whole(needed, self.columns.nan)
        if not len(kinds.count):
            raise InputError(
                "no row has all of its scores" if len(needed) > 1
                else "every score is missing, so no row is left",
                where=", ".join(map(self._called, needed)),
            )  # fmt: skip
        counted = kinds.of(score, lower_is_better=self.columns.lower_is_better)
        counted.check()
        return counted, omitted

    def _segments(self, kinds: Kinds) -> tuple[NDArray[np.int64], list[Key]]:
        columns = [
            codes(kinds.keys[name], self._called(name), rows=_ROWS) for name in self.columns.by
        ]
        code, values = combined(columns)
        return code, [tuple(map(plain, key)) for key in zip(*values, strict=True)]

    def _of(self, *names: str) -> Kinds:
        if names in self._kinds:
            return self._kinds[names]
        columns = self.columns
        keys = [columns.label, *names, *columns.by]
        keys += [name for name in (columns.weight, columns.cluster) if name is not None]
        table, count = self.frame.counted(list(dict.fromkeys(keys)))
        for name in columns.wanted.keys:
            refuse_gaps(_missing(table[name]), count, name)
        kinds = Kinds(
            count,
            self._positive(table[columns.label]),
            {name: scores(table[name], name=self._called(name), nan="allow", rows=_ROWS)
             for name in names},
            {name: column(table[name], self._called(name), rows=_ROWS) for name in columns.by},
            None if columns.weight is None else sample_weights(
                table[columns.weight], len(count), self._called(columns.weight), rows=_ROWS
            ),
            None if columns.cluster is None else codes(
                table[columns.cluster], self._called(columns.cluster), rows=_ROWS
            )[0],
        )  # fmt: skip
        self._kinds = {names: kinds}  # only one is kept: each may need all of the allowed memory
        return kinds

    def _positive(self, labels: Any) -> NDArray[np.bool_]:
        return positives(
            labels, pos_label=self._pos_label, name=self._called(self.columns.label), rows=_ROWS
        )

    @staticmethod
    def _called(name: str) -> str:
        return f"column {name!r}"


def _segment(
    key: Key,
    counted: Counted,
    omitted: int,
    summary: BinarySummary | None,
    sums: Mapping[Term, TermSums],
) -> Segment:
    return Segment(key, counted.n_pos, counted.n_neg, omitted, summary, sums)


def _summary(counted: Counted) -> BinarySummary | None:
    try:
        counted.check()
    except OneClassError:
        return None
    return counted.summary()


def _whole_groups(sizes: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield ranges of rows of whole groups, each about a block long or one larger group.

    >>> list(_whole_groups(np.array([2, 3])))
    [(0, 5)]
    """
    first = 0
    for end in np.cumsum(sizes).tolist():
        if end - first >= _BLOCK:
            yield first, end
            first = end
    if first < int(sizes.sum()):
        yield first, int(sizes.sum())
