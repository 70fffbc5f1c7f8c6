"""What each engine reduces in place, in one table; for everything else the rows are collected.

What an engine must answer, and what it gives: a source of rows in, summaries out.

An engine reads one source (files, a relation, a lazy frame, a cluster's table) and reduces it where
it is. It knows nothing of intervals and levels; what comes out is exact and small. It checks what
the in-memory readers check (labels, missing values, weights) and says the same of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs.delimited import Wanted
from rocsolid.remarks.remark import Remark
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.summed_influences import SummedInfluences
from rocsolid.summaries.terms import Term, TermSums

EngineName = Literal["memory", "duckdb", "narwhals", "spark"]

Feature = Literal[
    "auc", "weights", "clusters", "segments", "partial areas", "terms", "comparison",
    "comparison with weights or clusters", "queries", "rows",
]  # fmt: skip

ELSEWHERE: tuple[EngineName, ...] = ("duckdb", "narwhals", "spark")

STREAMS: dict[Feature, tuple[EngineName, ...]] = {
    "auc": ELSEWHERE,
    "weights": ELSEWHERE,
    "clusters": ELSEWHERE,
    "segments": ELSEWHERE,
    "partial areas": ELSEWHERE,
    "terms": ELSEWHERE,
    "comparison": ELSEWHERE,
    "comparison with weights or clusters": ELSEWHERE,
    "queries": ELSEWHERE,
    "rows": (),
}
"""Which engines make what of summaries; what needs the rows themselves, all at once, none does."""


def streams(engine: EngineName, features: Collection[Feature]) -> bool:
    """Whether an engine has all of this without collecting the rows.

    >>> streams("spark", {"auc", "weights"}), streams("spark", {"auc", "rows"})
    (True, False)
    """
    return all(engine in STREAMS[feature] for feature in features)


Paired = Spread | SummedInfluences
"""How the estimates of several scores of the same rows vary together."""

T = TypeVar("T")

Key = tuple[Any, ...]
"""The values of the segment columns, in their order, in plain Python types; () for all rows."""

Progress = Callable[[int, int], None]
"""Called with the work done and all there is (rows, usually), for a bar."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How much of the machine reading may take, and what is called with the work done and all."""

    memory: int | str | None = None
    threads: int | None = None
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a source that matter, and how they are read; see `rocsolid.evaluate`."""

    label: str
    scores: tuple[str, ...]
    by: tuple[str, ...] = ()
    weight: str | None = None
    cluster: str | None = None
    pos_label: Any = None
    lower_is_better: bool = False
    nan: Literal["raise", "omit"] = "raise"
    frequency: str | None = None

    @property
    def wanted(self) -> Wanted:
        """What each column is for."""
        counted = [name for name in (self.weight, self.frequency) if name is not None]
        numbers = (*self.scores, *counted)
        keys = (*self.by, *(() if self.cluster is None else (self.cluster,)))
        return Wanted((self.label,), numbers, keys, suspect=True)


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """One score in one segment: its summary, and the rows left out for want of that score.

    ``summary`` is ``None`` for a segment with rows of one class only (or of no weight in one):
    then ``n_pos`` and ``n_neg`` still count its rows. ``sums`` has the terms that were requested.
    """

    key: Key
    n_pos: int
    n_neg: int
    omitted: int
    summary: BinarySummary | None
    sums: Mapping[Term, TermSums] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class QueryBlock:
    """The rows of some whole queries, those of one query together and in the source's order.

    ``qid`` has the key of each row, ``grade`` the label column as numbers, ``scores`` a column for
    each score (NaN where it is missing), ``keys`` further columns as they are.
    """

    qid: NDArray[Any]
    grade: NDArray[np.float64]
    scores: Mapping[str, NDArray[Any]]
    keys: Mapping[str, NDArray[Any]] = field(default_factory=dict)


class Engine(Protocol):
    """A source that is open for questions about the ``columns`` that it was opened with."""

    name: EngineName
    """As in the table of capabilities."""

    source: str
    """What an error or a report calls the source."""

    columns: Columns

    @property
    def warnings(self) -> tuple[Remark, ...]:
        """That a column is named like folds of a cross-validation; known after `check`."""

    @property
    def data(self) -> Any:
        """What it was opened with: files, a relation, a lazy frame or a dataframe of Spark."""

    @property
    def room(self) -> int:
        """The bytes that rows collected from it may take in this process."""

    @property
    def rows(self) -> int:
        """The number of rows, those with a missing score included; known after `check`."""

    @property
    def pos_label(self) -> Any:
        """The positive label in the type of the labels, whatever was typed; known after `check`."""

    def check(self) -> None:
        """Validate labels, weights, keys and scores, before any other work.

        Whatever is wrong is an `InputError` or `OneClassError` as from memory, which names the
        column and the part of the source: the file and the row in it, where there are files.
        """

    def missing(self) -> dict[str, int]:
        """The scores that some rows lack, and how many rows lack each."""

    def summary(self, score: str, *, complete: bool = False, terms: Sequence[Term] = ()) -> Segment:
        """All rows that have the score, or every score; a class without a row is an error here.

        An engine that streams "terms" walks them along as it makes the summary.
        """

    def segments(self, score: str, terms: Sequence[Term] = ()) -> Iterator[Segment]:
        """Every combination of values of the ``by`` columns that occurs, in ascending order."""

    def clusters_apart(self) -> bool:
        """Whether no cluster has rows in two segments."""

    def curve(self, score: str, entries: int) -> ScoreCounts:
        """A table of about that many scores to draw from: see `rocsolid.summaries.ranges.region`.

        Its scores have the direction in which higher is better; under weights it sums weights.
        """

    def region(
        self, score: str, axis: Literal["fpr", "tpr"], low: float, high: float
    ) -> tuple[ScoreCounts, ScoreCounts]:
        """The table with all scores outside the rates from ``low`` to ``high`` lumped together.

        An entry of margin stays on each side, so that a partial area over the region is that of
        the whole table. The second table sums squared weights (it is the first one where rows
        count alike); the weights of a class are in any unit. More distinct scores in the region
        than the memory allowed can hold is an error.
        """

    def paired(self, term: Term) -> tuple[Paired, int]:
        """How a term of each score varies on the rows that have every score; how many lack one."""

    def by_query(
        self, qid: str, reduce: Callable[[QueryBlock], T], keys: tuple[str, ...] = ()
    ) -> Iterator[T]:
        """``reduce`` of blocks of whole queries, in ascending order of the queries' keys.

        ``keys`` are further columns for the blocks. It may run elsewhere, so it must be a plain
        function with a small result that pickles.
        """

    def close(self) -> None:
        """Give up connections, temporary files and cached tables; a second time does nothing."""
