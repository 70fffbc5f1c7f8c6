"""Scores of rows of two classes as an answer: which blocks, which page, what may be published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rocsolid.answer.answer import Answer, AnswerKind
from rocsolid.answer.entry import Entry, Later, verdict_of_scores
from rocsolid.answer.tables import value_block, warnings_of, why_skipped
from rocsolid.evaluation.segment_evidence import EvaluationNumbers
from rocsolid.report.blocks import PAGE, Form, TextBlock
from rocsolid.report.data import Page
from rocsolid.results.segments import evidence_sentences


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    """The values, what is said of all segments, and warnings; a page has parts of its own."""
    if form is PAGE:
        return
    results = answer.results[: form.rows]
    of = f"{answer.source}: {answer.n_rows:,} rows, label {answer.label}."
    measures = list(dict.fromkeys(result.measure for result in results))
    skipped = answer.skipped
    notes = (*warnings_of(results), *why_skipped(skipped[: form.rows]), *_unsaid(skipped, form))
    sentences = tuple(_segments(answer))[: form.rows]
    if form.narrow and len(measures) > 1:  # the decimals of measures differ, as do their scales
        yield TextBlock(said=(of,))
        for measure in measures:
            each = [result for result in results if result.measure == measure]
            yield value_block(each, "", form, heading=measure)
        yield TextBlock(said=sentences, notes=notes, more=len(answer.results) - len(results))
    else:
        sentences = sentences if form.verdict else (*answer.notes, *sentences)
        yield replace(value_block(answer.results, of, form, sentences=sentences), notes=notes)


def _segments(answer: Answer) -> tuple[str, ...]:
    """Whether segments differ, and what is certain of the lowest."""
    return (*evidence_sentences(answer.basis.evidence()), *map(str, answer.lowest))


def _unsaid(skipped: Sequence[Entry], form: Form) -> tuple[str, ...]:
    more = 0 if form.rows is None else len(skipped) - form.rows
    return (f"{more:,} more without a result are in .skipped.",) if more > 0 else ()


def _verdict(answer: Answer) -> tuple[str, ...]:
    overall = [one for one in answer.results if one.by is None]
    return (verdict_of_scores(overall, ())[0], *answer.notes)


def _page(answer: Answer, title: str, command: str) -> Page:
    from rocsolid.evaluation.page import page_of

    return page_of(answer.basis, title=title, command=command)


def _publish(
    answer: Answer, max_exposed: int, max_posterior: float, max_bits: float | None
) -> Answer:
    from rocsolid.evaluation.public.ladder import publish

    return publish(
        answer.basis, max_exposed=max_exposed, max_posterior=max_posterior, max_bits=max_bits
    )


ROWS = AnswerKind(
    "rows=n_rows source engine label results skipped heterogeneity lowest notes",
    _blocks, _verdict, _page, segments=_segments, publish=_publish,
)  # fmt: skip


def rows_answer(numbers: EvaluationNumbers) -> Answer:
    """The answer that has these numbers."""
    return Answer(
        ROWS, numbers.source, numbers.results, Later(numbers, "skipped"),
        notes=numbers.notes, basis=numbers, library=numbers.library,
    )  # fmt: skip
