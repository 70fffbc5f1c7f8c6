"""The interface of engines.

An engine opens one source (files, a relation, a lazy frame, a Spark dataframe) and reduces it where
its rows are. Results are exact and small. Errors are the same as for rows in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.engines.outcomes import OutcomeQueries
from rocsolid.inputs.delimited import Wanted
from rocsolid.remarks.remark import Remark
from rocsolid.summaries.binary_summary import BinarySummary, Fingerprint
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.summed_influences import SummedInfluences
from rocsolid.summaries.terms import Term, TermSums

EngineName = Literal["memory", "duckdb", "spark"]

ELSEWHERE: tuple[EngineName, ...] = ("duckdb", "spark")
"""The engines that keep rows where they are."""

Paired = Spread | SummedInfluences
"""The joint variation of the estimates of several scores of the same rows."""

T = TypeVar("T")

Key = tuple[Any, ...]
"""The values of the segment columns, in order, in plain Python types; () for all rows."""

Progress = Callable[[int, int], None]
"""A callback that receives the finished work and the total (usually rows), for a progress bar."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The memory and threads for reading, and a callback for progress."""

    memory: int | str | None = None
    threads: int | None = None
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a source that are needed, and their options; see `rocsolid.evaluate`."""

    label: str
    scores: tuple[str, ...]
    by: tuple[str, ...] = ()
    weight: str | None = None
    cluster: str | None = None
    pos_label: Any = None
    lower_is_better: bool = False
    nan: Literal["raise", "omit"] = "raise"
    frequency: str | None = None
    check_columns: bool = False
    ordered: bool = False
    """Whether the label is an ordered outcome, of which the highest counts as positive."""

    @property
    def short(self) -> dict[str, str]:
        """The columns by their names in an engine's queries."""
        names = {"l": self.label, **{f"b{i}": name for i, name in enumerate(self.by)}}
        if self.cluster is not None:
            names["c"] = self.cluster
        names |= {f"s{i}": name for i, name in enumerate(self.scores)}
        return names if self.weight is None else names | {"w": self.weight}

    @property
    def wanted(self) -> Wanted:
        """The use of each column."""
        counted = [name for name in (self.weight, self.frequency) if name is not None]
        labels, numbers = ((), (self.label,)) if self.ordered else ((self.label,), ())
        numbers = (*numbers, *self.scores, *counted)
        keys = (*self.by, *(() if self.cluster is None else (self.cluster,)))
        return Wanted(labels, numbers, keys, suspect=True, every=self.check_columns)


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """One score in one segment: its summary, and the number of rows that lack the score.

    ``summary`` is ``None`` if a class has no row or no weight; ``n_pos`` and ``n_neg`` still count
    its rows. ``sums`` contains the requested terms. ``curve`` is a table of a few scores (with
    weights, if any) for plots, in which higher scores are better; see `thinned`. Only a summary of
    all rows has a curve.
    """

    key: Key
    n_pos: int
    n_neg: int
    omitted: int
    summary: BinarySummary | None
    sums: Mapping[Term, TermSums] = field(default_factory=dict)
    curve: ScoreCounts | None = None


@dataclass(frozen=True, slots=True, eq=False)
class QueryBlock:
    """The rows of whole queries, in the source's order within each query.

    ``qid`` contains the key of each row, ``grade`` the numeric label, ``scores`` a column for each
    score (NaN where it is missing), and ``keys`` the other requested columns.
    """

    qid: NDArray[Any]
    grade: NDArray[np.float64]
    scores: Mapping[str, NDArray[Any]]
    keys: Mapping[str, NDArray[Any]] = field(default_factory=dict)


class Engine(Protocol):
    """An open source with the requested ``columns``."""

    name: EngineName
    """The name in the table of features."""

    source: str
    """The name of the source in errors and reports."""

    columns: Columns

    @property
    def warnings(self) -> tuple[Remark, ...]:
        """The warnings about columns that are named like folds; available after `check`."""

    @property
    def data(self) -> Any:
        """The files, relation, lazy frame or Spark dataframe."""

    @property
    def room(self) -> int:
        """The number of bytes that collected rows may use in this process."""

    @property
    def rows(self) -> int:
        """The number of rows, including rows with a missing score; available after `check`."""

    @property
    def pos_label(self) -> Any:
        """The positive label in the type of the labels; available after `check`."""

    def check(self) -> None:
        """Validate labels, weights, keys and scores before any other work.

        Errors are the same as for rows in memory, with the column and the row of a file.
        """

    def missing(self) -> dict[str, int]:
        """Return the number of rows that lack each score with gaps."""

    def summary(self, score: str, *, complete: bool = False, terms: Sequence[Term] = ()) -> Segment:
        """Reduce all rows that have the score (or every score, if ``complete``).

        A class without a row is an error. The same pass computes ``terms`` and a table for plots.
        """

    def segments(self, score: str, terms: Sequence[Term] = ()) -> Iterator[Segment]:
        """Reduce every segment that occurs, in ascending order."""

    def clusters_apart(self) -> bool:
        """Return whether no cluster has rows in two segments."""

    def paired(self, term: Term) -> tuple[Paired, int]:
        """Return the joint variation of the term on complete rows, and the number of other rows."""

    def few_outcomes(self, most: int) -> bool:
        """Return whether the label has at most ``most`` values; then the highest is positive."""

    def outcomes(self) -> tuple[OutcomeQueries, int]:
        """Return the queries over complete rows by outcome, and the number of other rows.

        The columns declare that the label is ordered.
        """

    def prints(self, *, as_given: bool = False) -> dict[str, Fingerprint]:
        """Fingerprint each score of the complete rows, reversed if lower scores are better.

        Scores ``as_given`` are not reversed.
        """

    def by_query(
        self, qid: str, reduce: Callable[[QueryBlock], T], keys: tuple[str, ...] = ()
    ) -> Iterator[T]:
        """Apply ``reduce`` to blocks of whole queries, in ascending order of the queries' keys.

        ``keys`` are additional columns for the blocks. ``reduce`` must be a picklable function with
        a small result, because workers may call it.
        """

    def close(self) -> None:
        """Release connections, temporary files and cached tables; may be called twice."""
