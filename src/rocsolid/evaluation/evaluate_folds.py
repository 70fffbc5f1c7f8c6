"""Out-of-fold scores in a table: values over folds, by segment, and learners compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from rocsolid.answer.answer import Answer, AnswerKind, Facts, blocks
from rocsolid.answer.entry import Entry, Later, Refused, verdict_of_many, verdict_of_scores
from rocsolid.answer.tables import value_block, warnings_of, why_skipped
from rocsolid.binary.cross_group_auc import across_groups
from rocsolid.binary.estimate import Options
from rocsolid.comparison.build import Request
from rocsolid.comparison.compared import Question
from rocsolid.comparison.cross_validated import compare_folded
from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import InMemory
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.folded_table import FoldColumns, FoldedTable
from rocsolid.evaluation.segment_evidence import EvaluationNumbers
from rocsolid.leaks.page_leaks import page
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.folded import FoldMean, ScoredFolds, folded
from rocsolid.remarks.tables import NotCompared
from rocsolid.report.blocks import PAGE, Form, TextBlock
from rocsolid.report.data import Page
from rocsolid.report.text import measure_title, number, span
from rocsolid.results import percent
from rocsolid.results.comparison import Comparison
from rocsolid.results.concordance_estimate import MEAN, POOLED
from rocsolid.results.framed import library_of
from rocsolid.results.plain import plain_key, plain_segment
from rocsolid.results.segments import evidence_sentences


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    yield from blocks(answer, form)
    yield TextBlock(said=(MEAN, POOLED), notes=() if form.paper else page(["folds"]).sentences)


def _verdict(answer: Answer) -> tuple[str, ...]:
    """Of the first measure over all rows."""
    overall = [entry for entry in answer.results if entry.by is None]
    first = overall[0]
    values = {entry.score: entry for entry in overall if entry.measure == first.measure}
    title = f"{measure_title(first.measure)} (mean of {len(first.folds)} folds)"
    compared = answer.comparisons.get(first.measure)
    return verdict_of_many(title, values, compared.pairs if compared else (), answer.level)


def _skipped(answer: Answer) -> list[dict[str, Any]]:
    return [
        {"score": entry.score, "by": plain_segment(entry.by), "reason": entry.reason}
        for entry in answer.skipped
    ]


FOLDS = AnswerKind(
    "rows source label results skipped comparisons", _blocks, _verdict,
    shapes={"skipped": _skipped},
)  # fmt: skip


def evaluate_folds(
    data: Any, columns: Columns, folding: FoldColumns, wanted: Sequence[BinaryMeasure],
    options: Options,
) -> Answer:  # fmt: skip
    """`rocsolid.evaluate` with ``fold``."""
    table = FoldedTable.read(data, columns, folding)
    samples = table.samples(*table.scored)
    segments = [
        (key, table.samples(*table.scored, segment=number))
        for number, (key, _) in enumerate(table.segments)
    ]
    entries: list[Entry] = []
    comparisons: dict[str | None, Comparison] = {}
    for measure in (folded(each, table.order) for each in wanted):
        if len(samples) > 1:
            question = Question(0.0, options.alternative, options.level, 0, measure.measure.span)
            request = Request(None, "holm", question)
            compared = compare_folded(measure, samples, options, request)
            comparisons[measure.name] = compared
            whole: Mapping[str, Any] = compared.estimates
        else:
            whole = {name: measure.estimate(own, options) for name, own in samples.items()}
        for score in samples:
            entries.append(Entry(score, measure.name, None, whole[score]))
            entries += [
                _of_segment(score, key, measure, inside[score], options) for key, inside in segments
            ]
    return Answer(
        FOLDS, table.source,
        tuple(entry for entry in entries if not entry.refused),
        tuple(entry for entry in entries if entry.refused), comparisons,
        basis=Facts(columns.label, table.rows, level=options.level),
        library=library_of(data),
    )  # fmt: skip


def _of_segment(
    score: str, key: dict[str, Any], measure: FoldMean, sample: ScoredFolds, options: Options
) -> Entry:
    try:
        return Entry(score, measure.name, key, measure.estimate(sample, options))
    except (OneClassError, UnsoundError) as error:
        return Entry(score, measure.name, key, Refused(error.what))


_NAMED = 3  # scores with a sentence of their own


def _pairs(answer: Answer) -> list[Entry]:
    """Each pair of groups of each score."""
    return [
        Entry(found.score, "auc", {"positives of": g, "negatives of": h}, one)
        for found in answer.results
        for (g, h), one in found.estimates.items()
    ]


def _records(answer: Answer) -> Iterator[dict[str, Any]]:
    for one in _pairs(answer):
        positives, negatives = map(plain_key, (one.by or {}).values())
        pair = {"positives": positives, "negatives": negatives}
        yield {"score": one.score, **pair, **one.result.to_dict()}


def _across_verdict(answer: Answer) -> tuple[str, ...]:
    """Where each score ranks worst, and what is guaranteed of that."""
    sentences = []
    for entry in answer.results[:_NAMED]:
        (g, h), worst = entry.worst, entry.estimates[entry.worst]
        sure = entry.lowest
        ends = f"{percent(entry.result.level)} interval {span(worst.low, worst.high)}"
        least = "" if sure is None else f"; guaranteed at least {number(sure[0])}"
        sentences.append(
            f"{entry.score} ranks worst for positives of {g} against negatives of {h}: AUC "
            f"{number(worst.value)} ({ends} for all pairs together{least})."
        )
    more = len(answer.results) - _NAMED
    return (*sentences, *([f"{more} more scores are in the table."] if more > 0 else []))


def _across_blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    pairs, first = _pairs(answer), answer.results[0]
    of = f"{answer.source}: {answer.rows:,} rows, label {answer.label}, across {answer.across}."
    level = percent(first.result.level)
    held = f"All {level} intervals of a score hold together, and so do the certified ones."
    yield value_block(pairs, of, form, sentences=(held,))
    left_out = [NotCompared(why).of(f"{g} against {h}") for (g, h), why in first.skipped.items()]
    seen = () if form.paper else page(["auc", "class sizes"]).sentences
    yield TextBlock(notes=(*warnings_of(pairs), *left_out, *seen))


def _results(answer: Answer) -> list[dict[str, Any]]:
    return [{"score": one.score, **one.result.to_dict()} for one in answer.results]


ACROSS = AnswerKind(
    "rows source label across results", _across_blocks, _across_verdict, records=_records,
    shapes={"results": _results},
)  # fmt: skip


def evaluate_across(data: Any, columns: Columns, across: str, options: Options) -> Answer:
    """`rocsolid.cross_group_auc` of each score column; ``across`` names the column of groups.

    >>> table = {"y": [0, 1, 0, 1], "s": [1, 3, 5, 7], "site": ["a", "a", "b", "b"]}
    >>> found = evaluate_across(table, Columns("y", ("s",)), "site", Options())
    >>> found.results[0].worst
    ('a', 'b')
    """
    engine = InMemory(data, replace(columns, by=(across,)))
    with closing(engine):
        engine.check()
        assert engine.segments is not None
        groups = tuple(engine.segments.key(i)[across] for i in range(len(engine.segments)))
        results = []
        for score in engine.columns.scores:
            rows, kept = engine.rows_of(score)
            code = engine.segments.code if kept is None else engine.segments.code[kept]
            results.append(Entry(score, "", None, across_groups(rows, code, groups, options)))
        return Answer(
            ACROSS, engine.source, tuple(results),
            basis=Facts(columns.label, engine.rows, across=across), library=library_of(data),
        )  # fmt: skip


def _rows_blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
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


def _rows_verdict(answer: Answer) -> tuple[str, ...]:
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
    _rows_blocks, _rows_verdict, _page, segments=_segments, publish=_publish,
)  # fmt: skip


def rows_answer(numbers: EvaluationNumbers) -> Answer:
    """The answer that has these numbers."""
    return Answer(
        ROWS, numbers.source, numbers.results, Later(numbers, "skipped"),
        notes=numbers.notes, basis=numbers, library=numbers.library,
    )  # fmt: skip
