"""What a run and its judgements are like, before any measure is taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from rocsolid.inputs.wanted import listed
from rocsolid.remarks.files import (
    ConflictingGrades,
    DuplicateLines,
    EmptyQueries,
    MissingQueries,
    NegativeGrades,
    RankColumnContradicts,
    TiedDocuments,
    TiedInFloat32,
)
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results.kinds import Count, FloatOrNaN
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit(Plain, Checked):
    """Everything about the files that can move a number, or make two tools disagree."""

    run: Annotated[str, "The run."]
    qrels: Annotated[str, "The judgements."]
    queries: Annotated[Count, "Judged queries."]
    missing: Annotated[tuple[str, ...], "Judged queries that the run lacks."]
    empty: Annotated[tuple[str, ...], "Judged queries without a relevant document."]
    not_judged: Annotated[
        tuple[str, ...], "Queries of the run that nobody judged; they count nowhere."
    ]
    documents: Annotated[Count, "Retrieved for them."]
    judged: Annotated[Count, "Of these, judged."]
    judged_at: Annotated[
        dict[int, float],
        dict[str, FloatOrNaN],
        "The share of judged documents among the first k, by k, averaged over the queries in the "
        "run.",
    ]
    tied: Annotated[Count, "Documents that share their score with another one of the query."]
    tied_queries: Annotated[Count, "Queries with such."]
    tied_float32: Annotated[Count, "The same once scores are cut to 32 bits."]
    tied_float32_queries: Annotated[Count, "Queries with such."]
    duplicates: Annotated[Count, "Lines left out, as their document came before."]
    duplicate: Annotated[str, "An example of a duplicate; empty where there is none."]
    rank_conflicts: Annotated[
        Count,
        "Places where the rank column contradicts the scores: they rise from one to the next.",
    ]
    rank_conflict_queries: Annotated[Count, "Queries with such."]
    rank_conflict: Annotated[str, "An example of a conflict."]
    ranks_repeated: Annotated[Count, "Documents that share a rank."]
    no_rank: Annotated[str, "Why ranks were not read; empty where they were."]
    repeated: Annotated[Count, "Judgements that say the same again."]
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
        """The queries that a mean counts by default: those with a relevant document.

        One that the run lacks counts 0.
        """
        return self.queries - len(self.empty)

    @property
    def warnings(self) -> tuple[Remark, ...]:
        """What a reader of the results should know, a sentence each."""
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
        """Those of the ``warnings`` that are not about tied documents."""
        ties = (TiedDocuments, TiedInFloat32)
        return tuple(one for one in self.warnings if not isinstance(one, ties))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
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
    """How many of the documents: a share, or a count where the share would print as 0."""
    if count == 0:
        return "no document"
    if count < whole / 1000:
        return f"{count:,} of {whole:,} documents"
    return f"{100 * count / whole:.1f} % of documents"
