"""Audit a run and its judgements before any measure is computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.delimited import listed
from rocsolid.inputs.trec.lines import to_numpy
from rocsolid.inputs.trec.run import Qrels, Run
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.tables import (
    ConflictingGrades,
    DuplicateLines,
    EmptyQueries,
    MissingQueries,
    NegativeGrades,
    RankColumnContradicts,
    TiedDocuments,
    TiedInFloat32,
)
from rocsolid.results.json_schema import Count, FloatOrNaN
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit(Plain, Checked):
    """Every property of the files that can change a number, or make two tools disagree."""

    run: Annotated[str, "The run."]
    qrels: Annotated[str, "The judgements."]
    queries: Annotated[Count, "Judged queries."]
    missing: Annotated[tuple[str, ...], "Judged queries that the run lacks."]
    empty: Annotated[tuple[str, ...], "Judged queries without a relevant document."]
    not_judged: Annotated[
        tuple[str, ...], "Queries of the run without judgements; they do not count."
    ]
    documents: Annotated[Count, "Retrieved for them."]
    judged: Annotated[Count, "Of these, judged."]
    judged_at: Annotated[
        dict[int, float],
        dict[str, FloatOrNaN],
        "The share of judged documents among the first k, by k, averaged over the queries in "
        "the run.",
    ]
    tied: Annotated[Count, "Documents that share their score with another document of the query."]
    tied_queries: Annotated[Count, "Queries with such."]
    tied_float32: Annotated[Count, "Documents tied after scores are rounded to 32 bits."]
    tied_float32_queries: Annotated[Count, "Queries with such."]
    duplicates: Annotated[Count, "Lines left out because they repeat a document."]
    duplicate: Annotated[str, "An example of a duplicate; empty without duplicates."]
    rank_conflicts: Annotated[Count, "Positions where the score is higher than at the rank above."]
    rank_conflict_queries: Annotated[Count, "Queries with such."]
    rank_conflict: Annotated[str, "An example of a conflict."]
    ranks_repeated: Annotated[Count, "Documents that share a rank."]
    no_rank: Annotated[str, "The reason for not reading ranks; empty if they were read."]
    repeated: Annotated[Count, "Judgements that repeat an earlier one."]
    conflicting: Annotated[Count, "Judgements that contradict an earlier one."]
    negative: Annotated[Count, "Judgements below 0."]
    _json = (
        "run qrels queries missing empty not_judged documents judged judged_at tied tied_queries "
        "tied_float32 tied_float32_queries duplicates duplicate rank_conflicts "
        "rank_conflict_queries rank_conflict ranks_repeated no_rank repeated conflicting negative "
        "in_run counted"
    )

    @property
    def in_run(self) -> Count:
        """The judged queries for which the run has documents."""
        return self.queries - len(self.missing)

    @property
    def counted(self) -> Count:
        """The queries that a mean counts by default: those with a relevant document."""
        return self.queries - len(self.empty)

    @property
    def warnings(self) -> tuple[Remark, ...]:
        """The warnings for readers of the results, one sentence each."""
        remarks: list[Remark] = []
        if self.missing:
            remarks.append(MissingQueries(len(self.missing), listed(self.missing, limit=3)))
        if self.empty:
            remarks.append(EmptyQueries(len(self.empty), listed(self.empty, limit=3)))
        if self.tied:
            tied = _documents(self.tied, self.documents)
            remarks.append(TiedDocuments(tied, self.tied_queries, self.in_run))
        if self.tied_float32 > self.tied:
            remarks.append(TiedInFloat32(self.tied_float32 - self.tied))
        if self.rank_conflicts:
            where = (self.rank_conflict_queries, self.in_run, self.rank_conflict)
            remarks.append(RankColumnContradicts(self.rank_conflicts, *where))
        if self.duplicates:
            remarks.append(DuplicateLines(self.duplicates, self.duplicate))
        if self.conflicting:
            remarks.append(ConflictingGrades(self.conflicting))
        if self.negative:
            remarks.append(NegativeGrades(self.negative))
        return tuple(remarks)

    @property
    def beside_ties(self) -> tuple[Remark, ...]:
        """The ``warnings`` except those about tied documents."""
        ties = (TiedDocuments, TiedInFloat32)
        return tuple(warning for warning in self.warnings if not isinstance(warning, ties))

    def to_dict(self) -> dict[str, Any]:
        judged_at = {str(k): share for k, share in self.judged_at.items()}
        return Plain.to_dict(self) | {"judged_at": judged_at}

    __repr__ = one_line

    def __str__(self) -> str:
        depths = ", ".join(f"{100 * v:.1f} % at {k}" for k, v in self.judged_at.items())
        lines = [
            f"{self.run} against {self.qrels}",
            f"  queries     {self.queries:,} judged, {self.in_run:,} of them in the run; "
            f"{self.counted:,} have a relevant document",
            f"  documents   {self.documents:,} retrieved for them, {self.judged:,} judged "
            f"({depths})",
            f"  ties        {_documents(self.tied, self.documents)} tied with another",
            f"  ranks       {self._ranks()}",
            f"  duplicates  {f'{self.duplicates:,} left out' if self.duplicates else 'none'}",
        ]
        if self.not_judged:
            names = listed(self.not_judged, limit=3)
            lines.append(f"  not judged  {len(self.not_judged):,} of the run's queries: {names}")
        if self.repeated:
            lines.append(f"  repeated    {self.repeated:,} of the judgements, with the same grade")
        return "\n".join([*lines, *(f"  ! {warning}" for warning in self.warnings)])

    def _ranks(self) -> str:
        if self.no_rank:
            return f"not read: {self.no_rank}"
        repeats = f"; {self.ranks_repeated:,} documents share a rank" if self.ranks_repeated else ""
        return f"{'contradict' if self.rank_conflicts else 'agree with'} the scores{repeats}"


def _documents(count: int, whole: int) -> str:
    """The share of the documents, or a count if the share would print as 0."""
    if count == 0:
        return "no document"
    if count < whole / 1000:
        return f"{count:,} of {whole:,} documents"
    return f"{100 * count / whole:.1f} % of documents"


class Ties(NamedTuple):
    """Rows that share their score with another row of their query, in two precisions.

    ``order`` sorts the rows by query and by falling score; None if they are sorted already.
    """

    tied: NDArray[np.bool_]
    tied_float32: NDArray[np.bool_]
    order: NDArray[np.intp] | None


def ties(query: NDArray[Any], score: NDArray[np.float64]) -> Ties:
    """Find ties among rows that are grouped by query.

    trec_eval 9 stores scores as 32-bit floats, which creates ties that are not in the file.

    >>> found = ties(np.array([0, 0, 0]), np.array([0.5, 0.7, 0.7000000001]))
    >>> found.tied.tolist(), found.tied_float32.tolist()
    ([False, False, False], [False, True, True])
    """
    within = query[1:] == query[:-1]
    order = None
    if bool(np.any(within & (score[1:] > score[:-1]))):
        order = np.lexsort((-score, query))
        score = score[order]  # the queries are grouped: theirs stay where they are
    with np.errstate(over="ignore"):
        short = score.astype(np.float32)
    equal = within & (score[1:] == score[:-1])
    equal_float32 = within & (short[1:] == short[:-1])
    return Ties(_of_rows(equal, order), _of_rows(equal_float32, order), order)


def document_order(document: Any) -> NDArray[np.int64]:
    """Rank the documents by the bytes of their ids, from 1.

    trec_eval ranks the last id first. Sorting text is slow, so pass only tied documents.
    """
    place = np.empty(len(document), dtype=np.int64)
    place[_alphabetical(document)] = np.arange(1, len(document) + 1)
    return place


_SORTED_HERE = 20_000  # Python sorts so many texts while pyarrow.compute loads


def _alphabetical(texts: Any) -> Any:
    if len(texts) <= _SORTED_HERE:  # by code points, which is the order of the bytes of UTF-8
        return sorted(range(len(texts)), key=texts.to_pylist().__getitem__)
    import pyarrow.compute as pc

    return to_numpy(pc.sort_indices(texts))


def _of_rows(equal: NDArray[np.bool_], order: NDArray[np.intp] | None) -> NDArray[np.bool_]:
    """Convert "equals the next one in order" to "equals a neighbour", in the order of the rows."""
    sorted_rows = np.zeros(len(equal) + 1, dtype=np.bool_)
    sorted_rows[1:] = equal
    sorted_rows[:-1] |= equal
    if order is None:
        return sorted_rows
    rows = np.empty_like(sorted_rows)
    rows[order] = sorted_rows
    return rows


class RankCheck(NamedTuple):
    """Rows whose score is higher than that of the row one rank up, with that row.

    ``repeated`` counts the rows whose rank another document of the query shares.
    """

    rows: NDArray[np.intp]
    above: NDArray[np.intp]
    repeated: int


def check_ranks(
    query: NDArray[Any], rank: NDArray[np.int32], score: NDArray[np.float64]
) -> RankCheck:
    """Find every rank whose score is higher than that of the rank before, by query.

    The rows are grouped by query. Evaluation tools use the scores and not the ranks, so they judge
    such a run in another order than its author saw.

    >>> found = check_ranks(np.array([0, 0, 0]), np.array([1, 2, 3]), np.array([3.0, 9.0, 1.0]))
    >>> found.rows.tolist(), found.above.tolist(), found.repeated
    ([1], [0], 0)
    """
    within = query[1:] == query[:-1]
    order = None
    if bool(np.any(within & (rank[1:] < rank[:-1]))):
        order = np.lexsort((rank, query))
        rank, score = rank[order], score[order]
    same = within & (rank[1:] == rank[:-1])
    rises = np.flatnonzero(within & ~same & (score[1:] > score[:-1]))
    shared = np.zeros(len(rank), dtype=np.bool_)
    shared[1:] = same
    shared[:-1] |= same
    lower, upper = rises + 1, rises
    if order is not None:
        lower, upper = order[lower], order[upper]
    return RankCheck(lower, upper, int(np.count_nonzero(shared)))


@dataclass(frozen=True, slots=True, eq=False)
class Retrieved:
    """The documents of judged queries, grouped by query, each with the row of its judgement or −1.

    ``close`` are the rows that are tied in float32, and ``places`` the ranks of their documents in
    the order of the ids. ``taken`` are the rows of the run, and ``queries`` counts the judged
    queries.
    """

    query: NDArray[np.int32]
    judgement: NDArray[np.int32]
    score: NDArray[np.float64]
    rank: NDArray[np.int32] | None
    ties: Ties
    close: NDArray[np.intp]
    places: NDArray[np.int64]
    taken: NDArray[np.intp] | slice
    queries: int

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of documents of each query; 0 for a query that the run lacks."""
        numbers = np.arange(self.queries + 1, dtype=self.query.dtype)
        return np.diff(np.searchsorted(self.query, numbers))

    def in_trec_order(self, values: NDArray[Any]) -> NDArray[Any]:
        """Sort a value per row by falling score, and tied documents by falling id."""
        order, tied = self.ties.order, self.ties.tied
        ranked = values.copy() if order is None else values[order]
        # tied documents stand together by now, so they only change places with each other
        slots = np.flatnonzero(tied if order is None else tied[order])
        rows = slots if order is None else order[slots]
        places = np.searchsorted(self.close, rows)
        down = np.lexsort((-self.places[places], -self.score[rows], self.query[rows]))
        ranked[slots] = values[rows[down]]
        return ranked


def audit_run(
    run: Run, qrels: Qrels, retrieved: Retrieved, *, name: str, depths: Sequence[int]
) -> Audit:
    size = retrieved.queries
    judged = retrieved.judgement >= 0
    relevant = np.bincount(qrels.query[qrels.grade > 0.0], minlength=size)
    known = set(qrels.queries)
    conflicts, conflict_queries, conflict, repeated = _ranks(run, retrieved)
    return Audit(
        run=name,
        qrels=qrels.source,
        queries=size,
        missing=_named(qrels, retrieved.sizes == 0),
        empty=_named(qrels, relevant == 0),
        not_judged=tuple(query for query in run.queries if query not in known),
        documents=len(retrieved.query),
        judged=int(np.count_nonzero(judged)),
        judged_at=_judged_at(retrieved, judged, depths),
        tied=int(np.count_nonzero(retrieved.ties.tied)),
        tied_queries=_queries(retrieved, retrieved.ties.tied),
        tied_float32=int(np.count_nonzero(retrieved.ties.tied_float32)),
        tied_float32_queries=_queries(retrieved, retrieved.ties.tied_float32),
        duplicates=run.duplicates,
        duplicate=run.duplicate,
        rank_conflicts=conflicts,
        rank_conflict_queries=conflict_queries,
        rank_conflict=conflict,
        ranks_repeated=repeated,
        no_rank=run.no_rank,
        repeated=qrels.repeated,
        conflicting=qrels.conflicting,
        negative=qrels.negative,
    )


def _judged_at(
    retrieved: Retrieved, judged: NDArray[np.bool_], depths: Sequence[int]
) -> dict[int, float]:
    """Ties are broken as in trec_eval; a query with fewer than k documents counts those it has."""
    if not isinstance(depths, Sequence):
        raise InputError(
            "depths is a list of whole numbers", where="depths", value=depths, fix="write [10]"
        )
    for k in depths:
        whole(k, "k")
    judged = retrieved.in_trec_order(judged)
    sizes = retrieved.sizes[retrieved.sizes > 0]
    starts = np.cumsum(sizes) - sizes
    running = np.zeros(len(judged) + 1, dtype=np.int32)
    np.cumsum(judged, out=running[1:])
    shares = {}
    for k in depths:
        first = np.minimum(sizes, k)
        shares[int(k)] = float(np.mean((running[starts + first] - running[starts]) / first))
    return shares


def _ranks(run: Run, retrieved: Retrieved) -> tuple[int, int, str, int]:
    if retrieved.rank is None:
        return 0, 0, "", 0
    checked = check_ranks(retrieved.query, retrieved.rank, retrieved.score)
    if not len(checked.rows):
        return 0, 0, "", checked.repeated
    upper, lower = int(checked.above[0]), int(checked.rows[0])
    row = upper if isinstance(retrieved.taken, slice) else int(retrieved.taken[upper])
    example = (
        f"in query {run.queries[run.query[row]]!r}, where rank {retrieved.rank[upper]} has the "
        f"score {retrieved.score[upper]:g} and rank {retrieved.rank[lower]} has "
        f"{retrieved.score[lower]:g}"
    )
    queries = len(np.unique(retrieved.query[checked.rows]))
    return len(checked.rows), queries, example, checked.repeated


def _named(qrels: Qrels, chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(qrels.queries[i] for i in np.flatnonzero(chosen))


def _queries(retrieved: Retrieved, rows: NDArray[np.bool_]) -> int:
    return len(np.unique(retrieved.query[rows]))
