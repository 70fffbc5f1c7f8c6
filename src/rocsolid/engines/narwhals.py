"""Lazy frames of any library that Narwhals knows: grouped where they are, exact sums here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.capabilities import EngineName
from rocsolid.engines.counted import Counted
from rocsolid.engines.engine import Columns, Key, Progress, QueryBlock, Segment, T
from rocsolid.engines.kinds import Kinds
from rocsolid.engines.lazy_frame import NAME, LazyFrame, refuse_gaps
from rocsolid.engines.paired_kinds import paired_kinds
from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs.arrays import column
from rocsolid.inputs.groups import codes, combined, plain, stable_order
from rocsolid.inputs.labels import TextLabel, pos_label_from_text, positives
from rocsolid.inputs.rows import Unnumbered
from rocsolid.inputs.scores import scores
from rocsolid.inputs.weights import sample_weights
from rocsolid.remarks.remark import Remark
from rocsolid.room import half_of_bound
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.ranges.paired_placements import PairedPlacements
from rocsolid.summaries.ranges.thinned import thinned
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread

_BLOCK = 1 << 20  # rows of whole queries handed out at a time
_ROWS = Unnumbered()


def open_narwhals(
    source: Any, columns: Columns, *, memory: int | None = None, progress: Progress | None = None
) -> NarwhalsEngine:
    """An engine over a lazy frame: Polars, Ibis, SQLFrame, DuckDB, PySpark, Dask ..."""
    frame = LazyFrame.of(source, memory)
    return NarwhalsEngine(frame, columns, progress, _pos_label=columns.pos_label)


@dataclass(slots=True, eq=False)
class NarwhalsEngine:
    """The frame's own library groups rows that are alike; what comes here are kinds and counts.

    So memory grows with the number of distinct scores (and weights and clusters, where there are
    any), not of rows. Where ``memory`` is given and they would take more, that is an error.
    """

    frame: LazyFrame
    columns: Columns
    progress: Progress | None = None
    name: EngineName = "narwhals"
    source: str = NAME
    warnings: tuple[Remark, ...] = ()
    _rows: int = 0
    _pos_label: Any = None
    _kinds: dict[tuple[str, ...], Kinds] = field(default_factory=dict)

    @property
    def data(self) -> Any:
        return self.frame.native

    @property
    def room(self) -> int:
        return half_of_bound() if self.frame.memory is None else self.frame.memory

    @property
    def rows(self) -> int:
        return self._rows

    def check(self) -> None:
        columns = self.columns
        present = self.frame.names
        columns.wanted.check(present, self.source)
        self.warnings = columns.wanted.warned(columns.wanted.suspects(present))
        labels, count = self.frame.counted([columns.label])
        self._rows = int(count.sum())
        if self._rows == 0:
            raise InputError("there are no rows", where=self.source, fix="pass at least one row")
        refuse_gaps(labels[columns.label], count, columns.label)
        found = column(labels[columns.label], self._called(columns.label), rows=_ROWS)
        if isinstance(self._pos_label, TextLabel):
            self._pos_label = pos_label_from_text(self._pos_label, found)
        self._positive(found)

    @property
    def pos_label(self) -> Any:
        """The positive label, in the type of the labels."""
        return self._pos_label

    def missing(self) -> dict[str, int]:
        kinds = self._of(*self.columns.scores)
        counts = {name: kinds.whole([name], "omit")[1] for name in self.columns.scores}
        return {name: count for name, count in counts.items() if count}

    def summary(self, score: str, *, complete: bool = False) -> Segment:
        counted, omitted = self._whole(score, complete=complete)
        return Segment((), counted.n_pos, counted.n_neg, omitted, counted.summary())

    def segments(self, score: str) -> Iterator[Segment]:
        kinds = self._of(score)
        kinds.missing(score, self.columns.nan)
        code, keys = self._segments(kinds)
        order = stable_order(code)
        ends = np.cumsum(np.bincount(code, minlength=len(keys)))
        for key, end, start in zip(keys, ends, [0, *ends[:-1]], strict=True):
            part, omitted = kinds.subset(order[start:end]).whole([score], self.columns.nan)
            counted = part.of(score, lower_is_better=self.columns.lower_is_better)
            yield Segment(key, counted.n_pos, counted.n_neg, omitted, _summary(counted))

    def clusters_apart(self) -> bool:
        kinds = self._of(self.columns.scores[0])
        if kinds.cluster is None:
            return True
        code, _ = self._segments(kinds)
        both, _ = combined([(kinds.cluster, np.unique(kinds.cluster)), codes(code)])
        return int(both.max()) == int(kinds.cluster.max())

    def curve(self, score: str, entries: int) -> ScoreCounts:
        counted = self._whole(score)[0].evened()
        table, _, _ = counted.tables(counted.scale)
        if counted.weight is not None:
            table = counted.scale.up(table)
        return thinned([table], float(table.n_pos), float(table.n_neg), entries)

    def region(
        self,
        score: str,
        axis: Literal["fpr", "tpr"],  # noqa: ARG002 -- the whole table has any region
        low: float,  # noqa: ARG002
        high: float,  # noqa: ARG002
    ) -> tuple[ScoreCounts, ScoreCounts]:
        """The whole table, which is here already: nothing needs to be lumped together."""
        counted = self._whole(score)[0].evened()
        table, squares, _ = counted.tables(counted.scale)
        return table, squares

    def paired(self) -> tuple[PairedPlacements | Spread, int]:
        names = self.columns.scores
        scores = [self._whole(name, complete=True) for name in names]
        return paired_kinds(names, [counted for counted, _ in scores]), scores[0][1]

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
        """The kinds that have the score, or all scores; both classes must have a row of weight."""
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
        """The number of each kind's segment, and the keys of the segments, in ascending order."""
        columns = [
            codes(kinds.keys[name], self._called(name), rows=_ROWS) for name in self.columns.by
        ]
        code, values = combined(columns)
        return code, [tuple(map(plain, key)) for key in zip(*values, strict=True)]

    def _of(self, *names: str) -> Kinds:
        """The kinds of rows by these scores and all else that matters, fetched once."""
        if names in self._kinds:
            return self._kinds[names]
        columns = self.columns
        keys = [columns.label, *names, *columns.by]
        keys += [name for name in (columns.weight, columns.cluster) if name is not None]
        table, count = self.frame.counted(list(dict.fromkeys(keys)))
        for name in columns.wanted.keys:
            refuse_gaps(table[name], count, name)
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
        self._kinds = {names: kinds}  # one at a time: each may take all the memory allowed
        return kinds

    def _positive(self, labels: Any) -> NDArray[np.bool_]:
        return positives(
            labels, pos_label=self._pos_label, name=self._called(self.columns.label), rows=_ROWS
        )

    @staticmethod
    def _called(name: str) -> str:
        return f"column {name!r}"


def _summary(counted: Counted) -> BinarySummary | None:
    try:
        counted.check()
    except OneClassError:
        return None
    return counted.summary()


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
