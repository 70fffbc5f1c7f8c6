"""Lazy frames of any library that Narwhals knows: grouped where they are, exact sums here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.capabilities import EngineName
from rocsolid.engines.counted import Counted
from rocsolid.engines.engine import Columns, Key, Progress, QueryBlock, Segment, T
from rocsolid.engines.kinds import Kinds
from rocsolid.engines.memory import refuse_one_class
from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs.arrays import column
from rocsolid.inputs.groups import codes, stable_order
from rocsolid.inputs.labels import TextLabel, pos_label_from_text, positives
from rocsolid.inputs.rows import Unnumbered
from rocsolid.inputs.scores import reverse, scores
from rocsolid.inputs.wanted import Wanted
from rocsolid.inputs.weights import sample_weights
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.exact_dot import exact_dot
from rocsolid.summaries.ranges.paired_placements import PairedPlacements
from rocsolid.summaries.ranges.thinned import thinned
from rocsolid.summaries.score_counts import ScoreCounts

_CELL = 32  # bytes that a cell of a collected table may take until it is summed up
_BLOCK = 1 << 20  # rows of whole queries handed out at a time
_ROWS = Unnumbered()
_COUNT = "rocsolid_rows"


def open_narwhals(
    source: Any,
    columns: Columns,
    *,
    memory: int | None = None,
    progress: Progress | None = None,
) -> NarwhalsEngine:
    """An engine over a lazy frame: Polars, Ibis, SQLFrame, DuckDB, PySpark, Dask ..."""
    import narwhals as nw

    return NarwhalsEngine(nw.from_native(source), columns, memory, progress)


@dataclass(slots=True, eq=False)
class NarwhalsEngine:
    """The frame's own library groups rows that are alike; what comes here are kinds and counts.

    So memory goes with the number of distinct scores (and weights and clusters, where there are
    any), not of rows. Where ``memory`` is given and they would take more, that is an error.
    """

    frame: Any
    columns: Columns
    memory: int | None = None
    progress: Progress | None = None
    name: EngineName = "narwhals"
    source: str = "the lazy frame"
    _rows: int = 0
    _pos_label: Any = None
    _kinds: dict[tuple[str, ...], Kinds] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return self._rows

    def check(self) -> None:
        import narwhals as nw

        asked = self.columns
        numbers = (*asked.scores, *([] if asked.weight is None else [asked.weight]))
        keys = (*asked.by, *([] if asked.cluster is None else [asked.cluster]))
        wanted = Wanted((asked.label,), numbers, keys)
        wanted.check(list(self.frame.collect_schema().names()), self.source)
        labels = self._collected(
            self.frame.group_by(asked.label).agg(nw.len().alias(_COUNT)), [asked.label, _COUNT]
        )
        self._rows = int(labels[_COUNT].sum())
        if self._rows == 0:
            raise InputError("the table has no rows", where=self.source)
        found = column(labels[asked.label], self._called(asked.label), rows=_ROWS)
        self._pos_label = asked.pos_label
        if isinstance(self._pos_label, TextLabel):
            self._pos_label = pos_label_from_text(self._pos_label, found)
        self._positive(found)

    def summary(self, score: str) -> Segment:
        counted, omitted = self._of(score).without_missing(score, self.columns)
        counted.check()
        return Segment((), counted.n_pos, counted.n_neg, omitted, counted.summary())

    def segments(self, score: str) -> Iterator[Segment]:
        kinds = self._of(score)
        code, keys = _segments([kinds.keys[name] for name in self.columns.by])
        order = stable_order(code)
        ends = np.cumsum(np.bincount(code, minlength=len(keys)))
        for key, end, start in zip(keys, ends, [0, *ends[:-1]], strict=True):
            counted, omitted = kinds.subset(order[start:end]).without_missing(score, self.columns)
            yield Segment(key, counted.n_pos, counted.n_neg, omitted, _summary(counted))

    def curve(self, score: str, entries: int) -> ScoreCounts:
        table, _ = self._tables(score)
        return thinned([table], float(table.n_pos), float(table.n_neg), entries)

    def region(
        self,
        score: str,
        axis: Literal["fpr", "tpr"],  # noqa: ARG002 -- the whole table has any region
        low: float,  # noqa: ARG002
        high: float,  # noqa: ARG002
    ) -> tuple[ScoreCounts, ScoreCounts]:
        """The whole table, which is here already: nothing needs to be lumped together."""
        return self._tables(score)

    def paired(self) -> tuple[PairedPlacements, int]:
        names = self.columns.scores
        kinds = self._of(*names)
        lacking = np.zeros(len(kinds.count), dtype=bool)
        for name in names:
            lacking |= kinds.missing(name, self.columns.nan)
        whole = kinds.subset(np.flatnonzero(~lacking))
        pos, neg = whole.classes
        below, under = [], []
        for name in names:
            table, _, run = Counted(self._turned(whole.scores[name]), pos, neg).tables()
            below.append((2 * np.cumsum(table.neg) - table.neg)[run])
            under.append((2 * np.cumsum(table.pos) - table.pos)[run])
        m, n = int(pos.sum()), int(neg.sum())
        refuse_one_class(m, n)
        return PairedPlacements(
            names, m, n,
            tuple(exact_dot(pos, one, 2 * m * n) for one in below),
            _products(pos, below, 4 * n * n * m),
            _products(neg, under, 4 * m * m * n),
        ), int(kinds.count[lacking].sum())  # fmt: skip

    def by_query(
        self, qid: str, reduce: Callable[[QueryBlock], T], keys: tuple[str, ...] = ()
    ) -> Iterator[T]:
        names = [qid, self.columns.label, *self.columns.scores, *keys]
        rows = self._collected(self.frame, list(dict.fromkeys(names)))
        code, _ = codes(rows[qid], self._called(qid), rows=_ROWS)
        order = stable_order(code)
        key = column(rows[qid], qid)
        label = self.columns.label
        grade = scores(rows[label], name=self._called(label), nan="allow", rows=_ROWS)
        found = {
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
                    {name: values[some] for name, values in found.items()},
                    {name: values[some] for name, values in others.items()},
                )
            )

    def close(self) -> None:
        self._kinds.clear()

    def _tables(self, score: str) -> tuple[ScoreCounts, ScoreCounts]:
        counted, _ = self._of(score).without_missing(score, self.columns)
        table, squares, _ = counted.tables()
        return table, squares

    def _of(self, *names: str) -> Kinds:
        """The kinds of rows by these scores and all else that matters, fetched once."""
        import narwhals as nw

        if names in self._kinds:
            return self._kinds[names]
        asked = self.columns
        keys = [asked.label, *names, *asked.by]
        keys += [name for name in (asked.weight, asked.cluster) if name is not None]
        keys = list(dict.fromkeys(keys))
        grouped = self.frame.group_by(*keys).agg(nw.len().alias(_COUNT))
        table = self._collected(grouped, [*keys, _COUNT])
        count = np.asarray(column(table[_COUNT], _COUNT), dtype=np.int64)
        found = Kinds(
            count,
            self._positive(table[asked.label]),
            {name: scores(table[name], name=self._called(name), nan="allow", rows=_ROWS)
             for name in names},
            {name: column(table[name], self._called(name), rows=_ROWS) for name in asked.by},
            None if asked.weight is None else sample_weights(
                table[asked.weight], len(count), self._called(asked.weight), rows=_ROWS
            ),
            None if asked.cluster is None else codes(
                table[asked.cluster], self._called(asked.cluster), rows=_ROWS
            )[0],
        )  # fmt: skip
        self._kinds = {names: found}  # one at a time: each may take all the memory allowed
        return found

    def _collected(self, frame: Any, names: Sequence[str]) -> dict[str, Any]:
        """The columns of a lazy frame, unless they would not fit into the memory allowed."""
        import narwhals as nw

        frame = frame.select(*names)
        if self.memory is not None:
            size = int(frame.select(nw.len()).collect().item()) * len(names) * _CELL
            if size > self.memory:
                raise InputError(
                    f"the distinct rows would take about {size / 1e6:,.0f} MB of memory, more than "
                    f"the {self.memory / 1e6:,.0f} MB allowed",
                    where=self.source,
                    fix="allow more memory, or write the rows to Parquet files and name those",
                )
        table = frame.collect()
        return {name: table[name] for name in names}

    def _positive(self, labels: Any) -> NDArray[np.bool_]:
        return positives(
            labels, pos_label=self._pos_label, name=self._called(self.columns.label), rows=_ROWS
        )

    def _turned(self, score: NDArray[Any]) -> NDArray[Any]:
        return reverse(score) if self.columns.lower_is_better else score

    @staticmethod
    def _called(name: str) -> str:
        return f"column {name!r}"


def _summary(counted: Counted) -> BinarySummary | None:
    try:
        counted.check()
    except OneClassError:
        return None
    return counted.summary()


def _segments(columns: list[NDArray[Any]]) -> tuple[NDArray[np.int64], list[Key]]:
    """A number for each row, and the combinations of values that occur, in ascending order."""
    coded = [codes(values) for values in columns]
    rows = np.stack([code for code, _ in coded], axis=1)
    occurring, number = np.unique(rows, axis=0, return_inverse=True)
    plain = [
        [value.item() if isinstance(value, np.generic) else value for value in distinct]
        for _, distinct in coded
    ]
    keys = [tuple(plain[i][at] for i, at in enumerate(one)) for one in occurring.tolist()]
    return number.astype(np.int64), keys


def _whole_groups(sizes: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Stretches of whole groups of about a block's rows, or of one larger group.

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


def _products(
    count: NDArray[np.int64], placed: list[NDArray[np.int64]], bound: int
) -> tuple[tuple[int, ...], ...]:
    """Σ count·a·b for each two scores' placements, exactly."""
    if bound >= 1 << 63:
        placed = [one.astype(object) for one in placed]
    return tuple(tuple(exact_dot(count * a, b, bound) for b in placed) for a in placed)
