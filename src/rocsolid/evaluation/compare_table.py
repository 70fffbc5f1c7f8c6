"""Compare score columns of a table with each other, or one score between segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, cast

import numpy as np

from rocsolid.answer.answer import Answer, AnswerKind, Facts, blocks, verdict
from rocsolid.answer.entry import Entry, Refused
from rocsolid.answer.grouping import Grouping
from rocsolid.answer.overview import ByMeasure, Overview, brief_verdict, remarks_of
from rocsolid.answer.tables import best_first, why_skipped
from rocsolid.comparison.build import DEFAULT, OF_QUERIES, ComparisonKeywords, PairKeywords
from rocsolid.comparison.cross_validated import compare_folded
from rocsolid.comparison.models import compare_sample_rows, compare_within
from rocsolid.comparison.of_summaries import CLOSED_FORM, compare_segments, reduced_comparison
from rocsolid.comparison.options import ComparisonQuestion, compare_rows
from rocsolid.counts import counted
from rocsolid.engines.engine import Columns, Engine, Reading
from rocsolid.engines.in_memory import InMemory, checked, collected, has_room, open_engine
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.evaluation.folds import (
    FoldColumns,
    FoldedTable,
    GroupColumn,
    GroupedTable,
    PartedTable,
    fold_columns,
    group_column,
)
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.files import watched
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.binary_measure import BinaryMeasure, Scored, ScoredElsewhere
from rocsolid.measures.concordance import of_outcomes, refuse_for_outcomes
from rocsolid.measures.folded import folded as folded_measure
from rocsolid.measures.within import within
from rocsolid.parameters import (
    column_names,
    keywords_of,
    refuse_pairs,
    refuse_without,
    sorted_keywords,
)
from rocsolid.report.blocks import Form
from rocsolid.report.text import measure_title
from rocsolid.results.comparison import Comparison
from rocsolid.results.framed import library_of
from rocsolid.results.segments import segment_name


def compare_table(
    data: Any, *, label: str, scores: str | Sequence[str], qid: str | None = None, **how: Any
) -> Answer:
    """Compare the score columns on the same rows, or with ``by`` each score between segments.

    ``data`` is any source of `rocsolid.evaluate`, and the other arguments name its columns; ``how``
    has the keywords of `rocsolid.compare` and the reading options of `rocsolid.evaluate`. Segments
    must be independent: a cluster with rows in two segments is an error. With ``fold`` the scores
    are learners; with ``within`` they are compared within the groups of a column. With ``qid`` they
    are compared query by query, in the given order.

    >>> table = {"y": [0, 0, 1, 1, 0, 1], "a": [1, 2, 3, 4, 5, 6], "b": [3, 1, 2, 5, 4, 6]}
    >>> compare_table(table, label="y", scores=["a", "b"]).comparisons[None].pairs[0].difference
    0.0
    >>> table = {"query": [1, 1, 2, 2, 3, 3], "grade": [0, 2, 1, 0, 1, 0],
    ...          "a": [1, 3, 2, 0, 1, 2], "b": [2, 1, 2, 0, 2, 1]}
    >>> answer = compare_table(table, label="grade", scores=["a", "b"], qid="query", margin=0.1)
    >>> print(answer.comparisons["ndcg@10"].non_inferiority[0])
    a is not shown to be non-inferior to b at margin 0.1 (one-sided 5 %): ...
    """
    names = column_names(scores, "scores")
    if (scale := of_outcomes(how.get("measure"))) is not None:
        from rocsolid.evaluation.evaluate_outcomes import concordance_table

        of_order = {name: how.pop(name) for name in _OF_OUTCOMES if name in how}
        further = {name: value for name, value in how.items() if value not in _UNSET}
        of_order |= {name: further.pop(name) for name in ("memory", "threads") if name in further}
        refuse_for_outcomes(qid=qid, **(further | dict.fromkeys(("measure", "progress"))))
        answer = concordance_table(data, outcome=label, scores=names, scale=scale, **of_order)
        if answer.uncompared is not None:
            raise answer.uncompared
        return answer
    reading, folds, groups, lists, of_queries, columns, tests = sorted_keywords(
        how, keywords_of("reading"), keywords_of("folds"), keywords_of("groups"),
        keywords_of("lists"),
        keywords_of("queries"), keywords_of("columns"), _TESTS,
    )  # fmt: skip
    refuse_pairs(qid=qid, **how)
    if qid is None:
        refuse_without("qid", of_queries)
    segments = columns.pop("by", None)
    by = () if segments is None else column_names(segments, "by")
    if qid is not None and by:
        raise UnsoundError(
            "segments of ranked lists are evaluated, not compared",
            where="by",
            fix="omit by, or evaluate each segment separately with rocsolid evaluate",
        )
    if not by and len(names) < 2:
        raise InputError(
            "there is one score and no segments, so there is nothing to compare",
            where="scores",
            value=names[0],
            fix="name a second score, or a column of segments with by=",
        )
    read = {name: columns[name] for name in ("lower_is_better", "nan") if name in columns}
    if qid is not None:
        tests.pop("certified", None)  # False is refused above
        measure = tests.pop("measure", "ndcg@10")
        pairs = cast(PairKeywords, tests | of_queries)
        table = Columns(label, names, cluster=columns.get("cluster"), **read)
        return _compare_queries(data, table, qid, measure, pairs, lists, Reading(**reading))
    drawn = {name: columns.pop(name, None) for name in ("sample_weight", "cluster", "frequency")}
    weight, cluster, frequency = drawn.values()
    question = ComparisonQuestion.of(**cast(ComparisonKeywords, columns | tests))
    table = Columns(
        label, names, by, weight, cluster, question.options.pos_label, frequency=frequency, **read
    )
    folding = fold_columns(**folds)
    if folding is not None:
        return _compare_learners(data, table, folding, question)
    grouping = group_column(**groups)
    if grouping is not None:
        return _compare_groups(data, table, grouping, question)
    source = Reading(**reading)
    with watched(source.progress), closing(open_engine(data, table, source)) as engine:
        return compare_source(engine, question)


_TESTS = (
    "measure", *keywords_of("tests"), "level", "alternative", "resamples", "seed", "certified",
)  # fmt: skip


_UNSET = (None, 0, True, DEFAULT, "any")
_OF_OUTCOMES = (
    "sample_weight", "cluster", "lower_is_better", "nan", "level", "alternative", "adjust",
    "design", "certified",
)  # fmt: skip


def _compare_learners(
    data: Any, columns: Columns, folding: FoldColumns, question: ComparisonQuestion
) -> Answer:
    for name, value in (("by", columns.by or None), ("test", question.test)):
        if value not in (None, DEFAULT):
            raise InputError(
                f"{name} does not apply to learners compared over folds", where=name, value=value,
                fix="leave it out, or fold",
            )  # fmt: skip
    table = FoldedTable.read(data, columns, folding)
    measure, samples = folded_measure(question.measure, table.order), table.samples(*table.scored)
    comparison = compare_folded(measure, samples, question.options, question.request)
    grouping = Grouping(columns.cluster, folding.fold, folding.repeat)
    return _one_comparison(data, columns, table, comparison, question, grouping)


def _compare_groups(
    data: Any, columns: Columns, groups: GroupColumn, question: ComparisonQuestion
) -> Answer:
    if columns.by:
        raise InputError(
            "segments are not compared within groups", where="by", value=columns.by,
            fix="leave it out, or within",
        )  # fmt: skip
    measure = within(question.measure, groups.name, groups.counts)
    table = GroupedTable.read(data, columns, groups.name)
    comparison = compare_within(table.scored, table.code, measure, question)
    grouping = Grouping(columns.cluster)
    return _one_comparison(data, columns, table, comparison, question, grouping)


def _one_comparison(
    data: Any, columns: Columns, table: PartedTable, comparison: Comparison,
    question: ComparisonQuestion, grouping: Grouping,
) -> Answer:  # fmt: skip
    return Answer(
        PAIRS, table.source, _by_score(comparison), (), {None: comparison},
        basis=Facts(columns.label, table.rows, level=question.question.level, grouping=grouping),
        library=library_of(data),
    )  # fmt: skip


def _by_score(comparison: Comparison) -> list[Entry]:
    shown = best_first(comparison)
    return [Entry(name, shown.measure, None, one) for name, one in shown.estimates.items()]


def _records(answer: Answer) -> Iterator[dict[str, Any]]:
    for score, comparison in answer.comparisons.items():
        named = {} if score is None else {"score": score}
        yield from (named | pair.to_dict() for pair in comparison.pairs)


def _compared(answer: Answer) -> list[dict[str, Any]]:
    return [{"score": score, **one.to_dict()} for score, one in answer.comparisons.items()]


def _left_out(answer: Answer) -> list[dict[str, Any]]:
    return [
        {"score": one.score, "segment": segment_name(one.by), "reason": one.reason}
        for one in answer.skipped
    ]


def _overview(answer: Answer, _form: Form) -> Overview:
    noun, rankings = "score", []
    for score, comparison in answer.comparisons.items():
        title = measure_title(comparison.measure)
        if answer.by:
            noun = ", ".join(answer.by)
            title = str(score) if len(answer.comparisons) > 1 else title
        rankings.append(ByMeasure(title, comparison.estimates, comparison))
    of = f"{answer.source}: {counted(answer.rows, 'row')}, label {answer.label}."
    if not answer.by:
        read = answer.grouping.of_rows(answer.rows, rankings[0].estimates.values())
        of = f"{answer.source}: {read}."
    return Overview(
        brief_verdict(answer.comparisons.values()) or verdict(answer),
        of, noun,
        tuple(rankings), (*remarks_of(rankings), *why_skipped(answer.skipped)), all_pairs=True,
    )  # fmt: skip


PAIRS = AnswerKind(
    "source label rows by comparisons skipped", blocks, verdict, records=_records,
    overview=_overview,
    shapes={"comparisons": _compared, "skipped": _left_out},
)  # fmt: skip
_LEAST = 2  # rows of each class that a segment needs to be compared, and segments


def compare_source(engine: Engine | InMemory, question: ComparisonQuestion) -> Answer:
    """Compare within an open source.

    Exact sums suffice for DeLong's tests of AUCs and of measures that have a term.
    """
    columns = engine.columns
    needs_rows = comparison_needs_rows(columns, question.measure, question.test)
    engine = checked(engine, needs_rows=needs_rows)
    options = replace(question.options, pos_label=engine.pos_label)
    question = replace(question, options=options)
    _check_apart(engine)
    comparisons: dict[str | None, Comparison] = {}
    results: list[Entry] = []
    skipped: list[Entry] = []
    if columns.by:
        for score in columns.scores:
            comparison, keys = _of_segments(engine, score, question, skipped)
            comparisons[score] = comparison
            results += [
                Entry(score, comparison.measure, keys[name], estimate)
                for name, estimate in comparison.estimates.items()
            ]
    else:
        if not isinstance(engine, InMemory):
            reduced = reduced_comparison(engine, question)
            if reduced.undecided and has_room(engine):
                engine = collected(engine)
            else:
                comparisons[None] = reduced.comparison()
        if isinstance(engine, InMemory):
            comparisons[None] = compare_rows(engine.complete_rows(), question, paired=True)
        results = _by_score(comparisons[None])
    for key, comparison in comparisons.items():
        warnings = (*comparison.warnings, *engine.warnings)
        comparisons[key] = replace(comparison, warnings=warnings)
    return Answer(
        PAIRS, engine.source, results, skipped, comparisons,
        basis=Facts(
            columns.label, engine.rows, columns.by, level=question.question.level,
            grouping=Grouping(columns.cluster),
        ),
        library=library_of(engine.data),
    )  # fmt: skip


def comparison_needs_rows(columns: Columns, measure: BinaryMeasure, test: str) -> bool:
    return columns.frequency is not None or not measure.streams or test not in CLOSED_FORM


def _check_apart(engine: Engine | InMemory) -> None:
    cluster = engine.columns.cluster
    if engine.columns.by and cluster is not None and not engine.clusters_apart():
        raise UnsoundError(
            "a cluster has rows in two segments, so the segments are not independent",
            where=f"column {cluster!r}",
            fix="compare segments that share no cluster; rocsolid evaluate --by tests them jointly",
        )


def _of_segments(
    engine: Engine | InMemory, score: str, question: ComparisonQuestion, skipped: list[Entry]
) -> tuple[Comparison, dict[str, dict[str, Any]]]:
    samples: dict[str, Any] = {}
    keys: dict[str, dict[str, Any]] = {}
    segments = (
        _in_memory(engine, score)
        if isinstance(engine, InMemory)
        else _elsewhere(engine, score, question.measure.term)
    )
    for by, n_pos, n_neg, sample in segments:
        reason = _not_comparable(n_pos, n_neg)
        if reason is None and sample is None:
            reason = "a class has a total weight of zero"
        if reason is not None:
            skipped.append(Entry(score, "", by, Refused(reason)))
        else:
            samples[segment_name(by)], keys[segment_name(by)] = sample, by
    if len(samples) < _LEAST:
        raise OneClassError(
            "fewer than two segments have two rows of each class, so nothing can be compared",
            where=", ".join(engine.columns.by),
            fix="choose larger segments",
        )
    compare = compare_sample_rows if isinstance(engine, InMemory) else compare_segments
    return compare(samples, question), keys


_Segment = tuple[dict[str, Any], int, int, BinaryRows | Scored | None]


def _in_memory(engine: InMemory, score: str) -> Iterator[_Segment]:
    rows, kept = engine.rows_of(score)
    groups, segments = engine.groups_of(kept), engine.segments
    assert groups is not None
    assert segments is not None
    for segment in range(len(segments)):
        subset = rows.subset(groups.rows(segment), int(groups.omitted[segment]))
        n_pos = int(np.count_nonzero(subset.positive))
        weight, classes = subset.weight, (subset.positive, ~subset.positive)
        counts = weight is None or all(bool(weight[rows_of].any()) for rows_of in classes)
        yield segments.key(segment), n_pos, len(subset) - n_pos, subset if counts else None


def _elsewhere(engine: Engine, score: str, term: Any) -> Iterator[_Segment]:
    for segment in engine.segments(score, () if term is None else (term,)):
        by = dict(zip(engine.columns.by, segment.key, strict=True))
        sample = None if segment.summary is None else ScoredElsewhere(engine, score, segment)
        yield by, segment.n_pos, segment.n_neg, sample


def _not_comparable(n_pos: int, n_neg: int) -> str | None:
    for word, count in (("positive", n_pos), ("negative", n_neg)):
        if count < _LEAST:
            return f"it has {'no' if count == 0 else 'one'} {word} row"
    return None


def _compare_queries(
    data: Any, columns: Columns, qid: str, measure: str, pairs: PairKeywords,
    lists: Mapping[str, Any], reading: Reading,
) -> Answer:  # fmt: skip
    # rows need no ranked lists
    from rocsolid.evaluation.evaluate_queries import evaluate_queries

    answer = evaluate_queries(
        data, columns, qid, measure, best_first=False, reading=reading, how=pairs,
        options=EstimateOptions(
            level=pairs.get("level", OF_QUERIES["level"]),
            lower_is_better=columns.lower_is_better, nan=columns.nan,
        ),
        **lists,
    )  # fmt: skip
    if columns.cluster is not None:
        return answer
    (measured,) = answer.measures
    if measured.comparison is None:
        raise UnsoundError(measured.said[-1].rstrip("."), where=qid, fix="evaluate more queries")
    return answer
