"""Scores in a table, judged by how they order an outcome of any number of values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Unpack

from rocsolid.binary.concordance import OrderedRows, Scale, check_scale
from rocsolid.comparison.asked import ComparisonQuestion, OrderKeywords
from rocsolid.comparison.concordance import compare_outcomes
from rocsolid.errors import OneClassError
from rocsolid.evaluation.column_names import column_names
from rocsolid.evaluation.table_comparison import how_compared, pair_cells
from rocsolid.evaluation.text_forms import BlockPages
from rocsolid.evaluation.verdicts import verdict_of_comparison, verdict_of_many
from rocsolid.inputs import read_table
from rocsolid.inputs.outcomes import outcome_rows
from rocsolid.inputs.segments import segments_of
from rocsolid.remarks.muting import shown
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.tables import NotCompared
from rocsolid.report.blocks import TextBlock
from rocsolid.report.cells import Cells
from rocsolid.results import Comparison, percent
from rocsolid.results.concordance_estimate import NAMES, ConcordanceEstimate
from rocsolid.results.framed import Framed, library_of
from rocsolid.results.plain import one_line, plain_segment

By = Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, eq=False)
class ConcordanceTable(BlockPages, Framed):
    """The concordance of each score, over all rows and by segment, and of all rows the comparison.

    ``results`` are (score, segment, estimate); ``skipped`` are (segment, reason) for segments whose
    outcomes are all the same. An exact concordance is a function of the outcomes: with the scores
    at hand it rules out outcomes, and so do these tables.
    """

    source: str
    outcome: str
    rows: int
    level: float
    results: tuple[tuple[str, By, ConcordanceEstimate], ...]
    comparison: Comparison | None
    skipped: tuple[tuple[By, str], ...] = ()
    library: str = ""
    muted: frozenset[str] = field(default=frozenset(), repr=False)

    __repr__ = one_line

    def __str__(self) -> str:
        return "\n".join(f"{_where(score, by)}: {one}" for score, by, one in self.results)

    @property
    def notes(self) -> tuple[Remark, ...]:
        """Each warning, with where it applies."""
        said = [
            warning.of(_where(score, by))
            for score, by, one in self.results
            for warning in one.warnings
        ]
        said += [NotCompared(reason).of(_where("", by)) for by, reason in self.skipped]
        compared = () if self.comparison is None else self.comparison.warnings
        return shown((*said, *compared), self.muted)

    @property
    def cells(self) -> tuple[Cells, ...]:
        """The values, and where there are several scores their differences."""
        columns = tuple(next((by for _, by, _ in self.results if by is not None), ()))
        rows = tuple(
            (
                score,
                *("all" if by is None else str(by[name]) for name in columns),
                f"{one.value:.4f}",
                f"{one.low:.4f}–{one.high:.4f}",
                "none" if (sure := one.certified) is None else f"{sure.low:.4f}–{sure.high:.4f}",
                f"{one.rows:,}",
                f"{one.outcomes:,}",
                f"{one.ties / one.pairs:.1%}",
            )
            for score, by, one in self.results
        )
        name = NAMES[self.results[0][2].measure]
        caption = f"{name} with {self.outcome}, {self.rows:,} rows of {self.source}."
        heads = (
            "score", *columns, name, percent(self.level), "certified", "rows", "outcomes", "tied",
        )  # fmt: skip
        values = Cells(caption, heads, rows, names=1 + len(columns))
        return (values,) if self.comparison is None else (values, pair_cells(self.comparison))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {
            "source": self.source,
            "outcome": self.outcome,
            "rows": self.rows,
            "results": [
                {"score": score, "by": plain_segment(by), **one.to_dict()}
                for score, by, one in self.results
            ],
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "skipped": [{"by": plain_segment(by), "reason": reason} for by, reason in self.skipped],
        }

    def answer(self) -> tuple[str, ...]:
        title = NAMES[self.results[0][2].measure].lower()
        values = {score: one for score, by, one in self.results if by is None}
        if self.comparison is not None:
            return verdict_of_comparison(self.comparison, title, values)
        return verdict_of_many(title, values, (), self.level)

    def _blocks(self, *, paper: bool) -> Iterator[TextBlock]:
        """The tables, how scores are compared, and warnings."""
        values, *pairs = self.cells
        yield TextBlock("", values)
        if self.comparison is not None:
            how = (how_compared(self.comparison),)
            yield TextBlock("", pairs[0], how if paper else ())
            yield TextBlock(notes=tuple(self.notes))
            yield TextBlock("Methods", said=() if paper else how)
        else:
            yield TextBlock(notes=tuple(self.notes))


def concordance_table(
    data: Any,
    *,
    outcome: str,
    scores: str | Sequence[str],
    by: str | Sequence[str] | None = None,
    sample_weight: str | None = None,
    cluster: str | None = None,
    scale: Scale = "concordance",
    **how: Unpack[OrderKeywords],
) -> ConcordanceTable:
    """`rocsolid.concordance` of each score column, and all scores compared on the same rows.

    ``data`` is whatever `rocsolid.evaluate` reads, and is read into memory. With ``nan="omit"`` a
    row that lacks any score is left out for all. Differences are of concordances, whatever the
    scale.

    >>> table = {"grade": [0, 1, 1, 2, 3], "a": [1, 2, 3, 3, 5], "b": [2, 1, 3, 5, 4]}
    >>> found = concordance_table(table, outcome="grade", scores=["a", "b"])
    >>> [(score, round(one.value, 4)) for score, _, one in found.results]
    [('a', 0.9444), ('b', 0.7778)]
    """
    check_scale(scale)
    asked = ComparisonQuestion.of(resamples=1, **how)
    names = column_names(scores, "scores")
    columns = () if by is None else column_names(by, "by")
    weights = [] if sample_weight is None else [sample_weight]
    clusters = [] if cluster is None else [cluster]
    table = read_table(data, numbers=[outcome, *names, *weights], keys=[*columns, *clusters])
    parts: list[tuple[By, Any]] = [(None, slice(None))]
    if columns:
        segments = segments_of(table, columns)
        parts += [(segments.key(i), segments.code == i) for i in range(len(segments))]
    results: list[tuple[str, By, ConcordanceEstimate]] = []
    skipped: list[tuple[By, str]] = []
    compared = None
    for key, at in parts:
        try:
            rows = outcome_rows(
                table[outcome][at],
                {name: table[name][at] for name in names},
                sample_weight=None if sample_weight is None else table[sample_weight][at],
                cluster=None if cluster is None else table[cluster][at],
                lower_is_better=asked.lower_is_better,
                nan=asked.nan,
                word="column",
                name=f"column {outcome!r}",
                rows=table.rows,
            )
        except OneClassError as error:
            if key is None:
                raise
            skipped.append((key, error.what))
            continue
        ordered = OrderedRows.of(rows)
        results += [(name, key, ordered.estimate(name, scale, asked.options)) for name in names]
        if key is None and len(names) > 1:
            compared = compare_outcomes(rows, asked)
    results.sort(key=lambda result: names.index(result[0]))
    return ConcordanceTable(
        table.source, outcome, len(table), asked.question.level, tuple(results), compared,
        tuple(skipped), library_of(data),
    )  # fmt: skip


def _where(score: str, by: By) -> str:
    said = [score] if score else []
    return ", ".join([*said, *(f"{name} = {value}" for name, value in (by or {}).items())])
