"""Evaluate and compare scores by the concordance, or the volume, of ordered outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from rocsolid.answer.answer import Answer, AnswerKind, Facts, blocks
from rocsolid.answer.entry import Entry, Refused, verdict_of_comparison, verdict_of_many
from rocsolid.answer.overview import Overview, overview_of
from rocsolid.binary.concordance import OrderedRows, check_scale
from rocsolid.comparison.build import OrderKeywords
from rocsolid.comparison.models import compare_outcomes
from rocsolid.comparison.options import ComparisonQuestion
from rocsolid.errors import OneClassError
from rocsolid.inputs.folds import segments_of
from rocsolid.inputs.models import outcome_rows
from rocsolid.inputs.tables import read_table
from rocsolid.parameters import Scale, column_names
from rocsolid.report.blocks import Form
from rocsolid.results.comparison import Comparison
from rocsolid.results.concordance_estimate import NAMES
from rocsolid.results.framed import library_of


def _concordance_verdict(answer: Answer) -> tuple[str, ...]:
    title = NAMES[answer.results[0].measure].lower()
    values = {one.score: one for one in answer.results if one.by is None}
    for comparison in answer.comparisons.values():
        return verdict_of_comparison(comparison, title, values)
    return verdict_of_many(title, values, (), answer.level)


def _concordance_overview(answer: Answer, _form: Form) -> Overview:
    of = f"{answer.source}: {answer.rows:,} rows, outcome {answer.label}."
    return overview_of(answer, of, _concordance_verdict(answer))


def _comparison(answer: Answer) -> Comparison | None:
    return next(iter(answer.comparisons.values()), None)


OUTCOMES = AnswerKind(
    "source outcome=label rows results comparison skipped", blocks, _concordance_verdict,
    shapes={"comparison": _comparison}, overview=_concordance_overview,
)  # fmt: skip


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
) -> Answer:
    """Compute `rocsolid.concordance` of each score column, and compare all scores on the same rows.

    ``data`` is any source of `rocsolid.evaluate`, and is read into memory. With ``nan="omit"`` a
    row that lacks any score is left out for all. Differences are of concordances, whatever the
    scale.

    >>> table = {"grade": [0, 1, 1, 2, 3], "a": [1, 2, 3, 3, 5], "b": [2, 1, 3, 5, 4]}
    >>> answer = concordance_table(table, outcome="grade", scores=["a", "b"])
    >>> [(entry.score, round(entry.value, 4)) for entry in answer.results]
    [('a', 0.9444), ('b', 0.7778)]
    """
    check_scale(scale)
    question = ComparisonQuestion.of(resamples=1, **how)
    names = column_names(scores, "scores")
    columns = () if by is None else column_names(by, "by")
    weights = [] if sample_weight is None else [sample_weight]
    clusters = [] if cluster is None else [cluster]
    table = read_table(data, numbers=[outcome, *names, *weights], keys=[*columns, *clusters])
    parts: list[tuple[dict[str, Any] | None, Any]] = [(None, slice(None))]
    if columns:
        segments = segments_of(table, columns)
        parts += [(segments.key(i), segments.code == i) for i in range(len(segments))]
    results: list[Entry] = []
    skipped: list[Entry] = []
    compared: dict[str | None, Comparison] = {}
    for key, inside in parts:
        try:
            rows = outcome_rows(
                table[outcome][inside],
                {name: table[name][inside] for name in names},
                sample_weight=None if sample_weight is None else table[sample_weight][inside],
                cluster=None if cluster is None else table[cluster][inside],
                lower_is_better=question.options.lower_is_better,
                nan=question.options.nan,
                word="column",
                name=f"column {outcome!r}",
                rows=table.rows,
            )
        except OneClassError as error:
            if key is None:
                raise
            skipped.append(Entry("", "", key, Refused(error.what)))
            continue
        ordered = OrderedRows.of(rows)
        results += [
            Entry(name, scale, key, ordered.estimate(name, scale, question.options))
            for name in names
        ]
        if key is None and len(names) > 1:
            compared[None] = compare_outcomes(rows, question, scale)
    results.sort(key=lambda entry: names.index(entry.score))
    return Answer(
        OUTCOMES, table.source, results, skipped, compared,
        basis=Facts(outcome, len(table), columns, level=question.question.level),
        library=library_of(data),
    )  # fmt: skip
