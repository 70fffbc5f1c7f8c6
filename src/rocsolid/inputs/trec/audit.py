"""What a run and its judgements are like, before any measure is taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit(Plain, Checked):
    """Everything about the files that can move a number, or make two tools disagree.

    - ``queries`` judged, of which ``missing`` are not in the run and ``empty`` have no relevant
      document; ``not_judged`` are in the run alone, and count nowhere.
    - ``documents`` retrieved for judged queries, ``judged`` of them; ``judged_at[k]`` is the share
      of judged documents among the first k of a query, averaged over the queries in the run.
    - ``tied`` documents share their score with another one of their query; ``tied_float32`` do so
      once scores are cut to 32 bits.
    - ``duplicates`` lines of the run were left out, their document being there already.
    - ``rank_conflicts``: how often the score rises from one rank to the next.
      ``ranks_repeated`` documents share their rank; ``no_rank`` says why no rank was read.
    - ``repeated``, ``conflicting`` and ``negative`` judgements, as in ``Qrels``.
    """

    run: str
    qrels: str
    queries: int
    missing: tuple[str, ...]
    empty: tuple[str, ...]
    not_judged: tuple[str, ...]
    documents: int
    judged: int
    judged_at: dict[int, float]
    tied: int
    tied_queries: int
    tied_float32: int
    tied_float32_queries: int
    duplicates: int
    duplicate: str
    rank_conflicts: int
    rank_conflict_queries: int
    rank_conflict: str
    ranks_repeated: int
    no_rank: str
    repeated: int
    conflicting: int
    negative: int

    @property
    def in_run(self) -> int:
        """The judged queries for which the run has documents."""
        return self.queries - len(self.missing)

    @property
    def counted(self) -> int:
        """The queries that a mean counts by default: those with a relevant document.

        One that the run lacks counts 0.
        """
        return self.queries - len(self.empty)

    @property
    def warnings(self) -> tuple[Remark, ...]:
        """What a reader of the results should know, a sentence each."""
        found: list[Remark] = []
        if self.missing:
            found.append(MissingQueries(len(self.missing), listed(self.missing, limit=3)))
        if self.empty:
            found.append(EmptyQueries(len(self.empty), listed(self.empty, limit=3)))
        if self.tied:
            tied = _documents(self.tied, self.documents)
            found.append(TiedDocuments(tied, self.tied_queries, self.in_run))
        if self.tied_float32 > self.tied:
            found.append(TiedInFloat32(self.tied_float32 - self.tied))
        if self.rank_conflicts:
            where = (self.rank_conflict_queries, self.in_run, self.rank_conflict)
            found.append(RankColumnContradicts(self.rank_conflicts, *where))
        if self.duplicates:
            found.append(DuplicateLines(self.duplicates, self.duplicate))
        if self.conflicting:
            found.append(ConflictingGrades(self.conflicting))
        if self.negative:
            found.append(NegativeGrades(self.negative))
        return tuple(found)

    @property
    def beside_ties(self) -> tuple[Remark, ...]:
        """Those of the ``warnings`` that are not about tied documents."""
        ties = (TiedDocuments, TiedInFloat32)
        return tuple(one for one in self.warnings if not isinstance(one, ties))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        judged_at = {str(k): share for k, share in self.judged_at.items()}
        more = {"in_run": self.in_run, "counted": self.counted}
        return Plain.to_dict(self) | {"judged_at": judged_at} | more

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


def _documents(part: int, whole: int) -> str:
    """How many of the documents: a share, or a count where the share would look like nothing."""
    if part == 0:
        return "no document"
    if part < whole / 1000:
        return f"{part:,} of {whole:,} documents"
    return f"{100 * part / whole:.1f} % of documents"
