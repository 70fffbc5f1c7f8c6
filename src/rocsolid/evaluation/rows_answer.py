"""Scores of rows of two classes as an answer: its blocks, its page and its public form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsolid.answer.answer import Answer, AnswerKind, lines_of
from rocsolid.answer.entry import (
    Entry,
    Later,
    by_measure,
    overall,
    verdict_of_many,
    verdict_of_scores,
)
from rocsolid.answer.overview import (
    SEGMENTS,
    ByMeasure,
    Overview,
    overview_blocks,
    remarks_of,
    with_segments,
)
from rocsolid.answer.tables import best_first, pair_block, value_block, warnings_of, why_skipped
from rocsolid.evaluation.scores_compared import OnPage, comparisons_of
from rocsolid.evaluation.segment_evidence import EvaluationNumbers
from rocsolid.report.blocks import BRIEF, PAGE, TERMINAL, Form, TextBlock
from rocsolid.report.text import measure_title
from rocsolid.results.interval import certificates_wanted
from rocsolid.results.segments import SegmentEvidence, evidence_sentences

if TYPE_CHECKING:
    from rocsolid.report.data import Page


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    if form is PAGE:
        return
    results = answer.results[: form.rows]
    rows = answer.grouping.of_rows(answer.n_rows, overall(answer.results), classes=False)
    of = f"{answer.source}: {rows}, label {answer.label}."
    measures = list(dict.fromkeys(result.measure for result in results))
    skipped = answer.skipped
    notes = (*warnings_of(results), *why_skipped(skipped[: form.rows]), *_unsaid(skipped, form))
    sentences = tuple(_segments(answer))[: form.rows]
    if form.narrow and len(measures) > 1:  # the decimals of measures differ, as do their scales
        yield TextBlock(said=(of,), methods=answer.grouping.sentences)
        for measure in measures:
            each = [result for result in results if result.measure == measure]
            yield value_block(each, "", form, heading=measure)
        yield TextBlock(said=sentences, notes=notes, more=len(answer.results) - len(results))
    else:
        sentences = sentences if form.verdict else (*_verdict(answer), *sentences)
        values = value_block(answer.results, of, form, sentences=sentences)
        yield replace(values, notes=notes, methods=(*answer.grouping.sentences, *values.methods))
    if form.name == TERMINAL.name:
        rankings = _rankings(answer)
        for ranking in rankings:
            if ranking.comparison is not None:
                heading = ranking.title if len(rankings) > 1 else ""
                yield pair_block(ranking.comparison, form, heading=heading)


def _rankings(answer: Answer) -> tuple[ByMeasure, ...]:
    numbers: EvaluationNumbers = answer.basis
    compared = comparisons_of(numbers)
    rankings = []
    for measure, estimates in by_measure(numbers.results.within(())).items():
        made = compared.get(measure, OnPage())
        rankings.append(ByMeasure(measure_title(measure), estimates, made.comparison, made.reason))
    return tuple(rankings)


def _overview(answer: Answer, _form: Form) -> Overview:
    numbers: EvaluationNumbers = answer.basis
    rankings = _rankings(answer)
    first = rankings[0]
    read = answer.grouping.of_rows(answer.n_rows, first.estimates.values())
    evidence = tuple(
        one for one in answer.basis.evidence()
        if isinstance(one, SegmentEvidence) and measure_title(one.measure) == first.title
    )  # fmt: skip
    overview = Overview(
        _standing(first), f"{answer.source}: {read}.", "score", rankings,
        (*remarks_of(rankings), *why_skipped(answer.skipped)), evidence=evidence,
    )  # fmt: skip
    if numbers.segments is None:
        return overview
    largest = numbers.results.within(numbers.segments.largest(SEGMENTS))
    return replace(with_segments(overview, largest), many=len(numbers.segments))


def _segments(answer: Answer) -> tuple[str, ...]:
    return (*evidence_sentences(answer.basis.evidence()), *map(str, answer.lowest))


def _unsaid(skipped: Sequence[Entry], form: Form) -> tuple[str, ...]:
    more = 0 if form.rows is None else len(skipped) - form.rows
    return (f"{more:,} more without a result are in .skipped.",) if more > 0 else ()


def _verdict(answer: Answer) -> tuple[str, ...]:
    first = _rankings(answer)[0]
    return tuple(filter(None, (*_standing(first), first.reason)))


def _standing(first: ByMeasure) -> tuple[str, ...]:
    if first.comparison is None:
        return verdict_of_scores(list(first.estimates.values()), ())[:1]
    comparison = best_first(first.comparison)
    return verdict_of_many(
        first.title, first.estimates, comparison.pairs, comparison.level,
        warnings=comparison.warnings if certificates_wanted(comparison.settings) else (),
    )  # fmt: skip


def _text(answer: Answer) -> list[str]:
    several = len({entry.score for entry in answer.results}) > 1
    return lines_of(answer, (*_segments(answer), *(_verdict(answer) if several else ())))


def _page(answer: Answer, title: str, command: str) -> Page:
    from rocsolid.evaluation.page import page_of

    return page_of(answer.basis, title=title, command=command)


def _publish(answer: Answer, **how: Any) -> Answer:
    from rocsolid.evaluation.public.publish import publish

    return publish(answer.basis, **how)


def standing(answer: Answer) -> list[TextBlock]:
    overview = replace(_overview(answer, BRIEF), source="", segments={}, evidence=(), notes=())
    return list(overview_blocks(overview))[:1]


ROWS = AnswerKind(
    "rows=n_rows source engine label results skipped heterogeneity lowest notes",
    _blocks, _verdict, _page, publish=_publish, overview=_overview, text=_text,
)  # fmt: skip


def rows_answer(numbers: EvaluationNumbers) -> Answer:
    return Answer(
        ROWS, numbers.source, numbers.results, Later(numbers, "skipped"),
        basis=numbers, library=numbers.library,
    )  # fmt: skip
