"""Score columns of a table compared with each other, or one score between segments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Unpack, cast

import numpy as np

from rocsolid.answer.answer import Answer, AnswerKind, Facts, blocks, verdict
from rocsolid.answer.entry import Entry, Refused
from rocsolid.answer.tables import best_first
from rocsolid.comparison.build import DEFAULT, OF_QUERIES, ComparisonKeywords, PairKeywords
from rocsolid.comparison.cross_validated import compare_folded
from rocsolid.comparison.models import compare_rows, compare_sample_rows, compare_within
from rocsolid.comparison.of_summaries import (
    CLOSED_FORM,
    ReducedComparison,
    compare_segments,
    paired_summaries,
)
from rocsolid.comparison.options import ComparisonQuestion
from rocsolid.engines.engine import Columns, Engine, Feature, Reading, Segment
from rocsolid.engines.in_memory import InMemory, checked, collected, has_room, open_engine
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.evaluation.evaluate_queries import evaluate_queries
from rocsolid.evaluation.evaluate_within import GroupColumn, GroupedTable
from rocsolid.evaluation.folded_table import (
    OF_ROWS,
    FoldColumns,
    FoldedTable,
    column_names,
    refuse_pairs,
)
from rocsolid.evaluation.query_keywords import check_query_keywords
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.files import watched
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.folded import folded as folded_measure
from rocsolid.measures.whole_area import WholeArea
from rocsolid.measures.within import within
from rocsolid.results.comparison import Comparison
from rocsolid.results.framed import library_of
from rocsolid.summaries.binary_summary import BinarySummary


def compare_table(
    data: Any,
    *,
    label: str,
    scores: str | Sequence[str],
    by: str | Sequence[str] | None = None,
    sample_weight: str | None = None,
    frequency: str | None = None,
    cluster: str | None = None,
    grouped: FoldColumns | GroupColumn | None = None,
    reading: Reading = Reading(),
    **how: Unpack[ComparisonKeywords],
) -> Answer:
    """The score columns compared on the same rows, or with ``by`` each score between segments.

    ``data`` is whatever `rocsolid.evaluate` reads, and the other arguments name its columns;
    ``how`` is as in `rocsolid.compare`. Segments must be independent: a cluster with rows in two of
    them is refused. With ``grouped``, the columns of folds make the scores learners, and
    scores are compared within the groups of a column. ``reading`` is for sources that are reduced
    where they are.

    >>> table = {"y": [0, 0, 1, 1, 0, 1], "a": [1, 2, 3, 4, 5, 6], "b": [3, 1, 2, 5, 4, 6]}
    >>> compare_table(table, label="y", scores=["a", "b"]).comparisons[None].pairs[0].difference
    0.0
    """
    names = column_names(scores, "scores")
    segment_names = () if by is None else column_names(by, "by")
    if not segment_names and len(names) < 2:
        raise InputError(
            "there is one score and no segments, so nothing to compare",
            where="scores",
            value=names[0],
            fix="name a second score, or a column of segments with by=",
        )

    question = ComparisonQuestion.of(**how)
    columns = Columns(
        label, names, segment_names, sample_weight, cluster, question.pos_label,
        question.lower_is_better, question.nan, frequency,
    )  # fmt: skip
    if isinstance(grouped, FoldColumns):
        refuse_pairs(
            fold=grouped.fold, frequency=frequency, nan=question.nan, design=how.get("design"),
            resamples=how.get("resamples"), memory=reading.memory,
        )  # fmt: skip
        return _compare_learners(data, columns, grouped, question)
    if grouped is not None:
        refuse_pairs(
            within=grouped.name, nan=question.nan, resamples=how.get("resamples"),
            memory=reading.memory,
        )  # fmt: skip
        return _compare_groups(data, columns, grouped, question)
    with watched(reading.progress), closing(open_engine(data, columns, reading)) as engine:
        return compare_source(engine, question)


def _compare_learners(
    data: Any, columns: Columns, folding: FoldColumns, question: ComparisonQuestion
) -> Answer:
    for name, value in (("by", columns.by or None), ("test", question.test)):
        if value not in (None, DEFAULT):
            raise InputError(
                f"{name} is not for learners compared over folds", where=name, value=value,
                fix="leave it out, or fold",
            )  # fmt: skip
    table = FoldedTable.read(data, columns, folding)
    measure, samples = folded_measure(question.measure, table.order), table.samples(*table.scored)
    comparison = compare_folded(measure, samples, question.options, question.request)
    return _one_comparison(data, columns, table, comparison, question)


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
    return _one_comparison(data, columns, table, comparison, question)


def _one_comparison(
    data: Any, columns: Columns, table: FoldedTable | GroupedTable, comparison: Comparison,
    question: ComparisonQuestion,
) -> Answer:  # fmt: skip
    shown = best_first(comparison)
    results = [
        Entry(name, shown.measure, None, estimate) for name, estimate in shown.estimates.items()
    ]
    return Answer(
        PAIRS, table.source, results, (), {None: comparison},
        basis=Facts(columns.label, table.rows, level=question.question.level),
        library=library_of(data),
    )  # fmt: skip


def _records(answer: Answer) -> Iterator[dict[str, Any]]:
    """Every pair; where segments are compared, of every score."""
    for score, comparison in answer.comparisons.items():
        named = {} if score is None else {"score": score}
        yield from (named | pair.to_dict() for pair in comparison.pairs)


def _compared(answer: Answer) -> list[dict[str, Any]]:
    return [{"score": score, **one.to_dict()} for score, one in answer.comparisons.items()]


def _left_out(answer: Answer) -> list[dict[str, Any]]:
    return [
        {"score": one.score, "segment": _key((one.by or {}).values()), "reason": one.reason}
        for one in answer.skipped
    ]


PAIRS = AnswerKind(
    "source label rows by comparisons skipped", blocks, verdict, records=_records,
    shapes={"comparisons": _compared, "skipped": _left_out},
)  # fmt: skip
_LEAST = 2  # rows of each class that a segment needs to be compared, and segments


def compare_source(engine: Engine | InMemory, question: ComparisonQuestion) -> Answer:
    """`compare_table` of a source that is open: from exact sums, or from its rows.

    Sums are enough for DeLong's tests of AUCs alone.
    """
    columns = engine.columns
    engine = checked(engine, needed_to_compare(columns, question.measure, question.test))
    question = replace(question, pos_label=engine.pos_label)
    if columns.by:
        _check_apart(engine)
    comparisons: dict[str | None, Comparison] = {}
    results: list[Entry] = []
    skipped: list[Entry] = []
    if columns.by:
        for score in columns.scores:
            keys: dict[str, dict[str, Any]] = {}
            if isinstance(engine, InMemory):
                apart = _in_memory(engine, score, question, skipped, keys)
            else:
                apart = _elsewhere(engine, score, question, skipped, keys)
            comparisons[score] = apart
            results += [
                Entry(score, apart.measure, keys[name], estimate)
                for name, estimate in apart.estimates.items()
            ]
    else:
        if not isinstance(engine, InMemory):
            reduced = _reduced(engine, question)
            if reduced.undecided and has_room(engine):
                engine = collected(engine)
            else:
                comparisons[None] = reduced.comparison()
        if isinstance(engine, InMemory):
            comparisons[None] = compare_rows(engine.complete_rows(), question, paired=True)
        shown = best_first(comparisons[None])
        results = [
            Entry(name, shown.measure, None, estimate) for name, estimate in shown.estimates.items()
        ]
    for key, comparison in comparisons.items():
        warnings = (*comparison.warnings, *engine.warnings)
        comparisons[key] = replace(comparison, warnings=warnings)
    return Answer(
        PAIRS, engine.source, results, skipped, comparisons,
        basis=Facts(columns.label, engine.rows, columns.by, level=question.question.level),
        library=library_of(engine.data),
    )  # fmt: skip


def _reduced(engine: Engine, question: ComparisonQuestion) -> ReducedComparison:
    """What the engine makes of the rows."""
    paired, lacking = engine.paired()
    summaries = {
        name: _whole(engine.summary(name, complete=True), engine.source)
        for name in engine.columns.scores
    }
    missing = engine.missing() if lacking else {}
    return paired_summaries(paired, summaries, question, omitted=lacking, missing=missing)


def needed_to_compare(columns: Columns, measure: BinaryMeasure, test: str) -> set[Feature]:
    """What a comparison by a test needs of a source."""
    needed: set[Feature] = {"comparison"}
    closed = measure == WholeArea() and test in CLOSED_FORM
    if not closed or columns.frequency is not None:
        needed.add("rows")
    if columns.by:
        needed.add("segments")
    elif columns.weight is not None or columns.cluster is not None:
        needed.add("comparison with weights or clusters")
    return needed


def _check_apart(engine: Engine | InMemory) -> None:
    """A cluster with rows in two segments makes them dependent."""
    cluster = engine.columns.cluster
    if cluster is not None and not engine.clusters_apart():
        raise UnsoundError(
            "a cluster has rows in two segments, so the segments are not independent",
            where=f"column {cluster!r}",
            fix="compare segments that share no cluster; rocsolid evaluate --by tests all together",
        )


def _in_memory(
    engine: InMemory, score: str, question: ComparisonQuestion, skipped: list[Entry],
    keys: dict[str, dict[str, Any]],
) -> Comparison:  # fmt: skip
    rows, kept = engine.rows_of(score)
    groups, segments = engine.groups_of(kept), engine.segments
    parts: dict[str, BinaryRows] = {}
    assert groups is not None
    assert segments is not None
    for segment in range(len(segments)):
        subset = rows.subset(groups.rows(segment), int(groups.omitted[segment]))
        n_pos = int(np.count_nonzero(subset.positive))
        by = segments.key(segment)
        if (reason := _not_comparable(n_pos, len(subset) - n_pos)) is not None:
            skipped.append(Entry(score, "", by, Refused(reason)))
        else:
            parts[_key(by.values())] = subset
            keys[_key(by.values())] = by
    _check_two(parts, engine.columns.by)
    return compare_sample_rows(parts, question)


def _elsewhere(
    engine: Engine, score: str, question: ComparisonQuestion, skipped: list[Entry],
    keys: dict[str, dict[str, Any]],
) -> Comparison:  # fmt: skip
    parts: dict[str, BinarySummary] = {}
    omitted: dict[str, int] = {}
    for segment in engine.segments(score):
        key, by = _key(segment.key), dict(zip(engine.columns.by, segment.key, strict=True))
        reason = _not_comparable(segment.n_pos, segment.n_neg)
        if reason is not None or segment.summary is None:
            why = reason or "a class has a total weight of zero"
            skipped.append(Entry(score, "", by, Refused(why)))
        else:
            parts[key], omitted[key] = segment.summary, segment.omitted
            keys[key] = by
    _check_two(parts, engine.columns.by)
    return compare_segments(parts, question, omitted)


def _check_two(parts: Collection[str], by: tuple[str, ...]) -> None:
    if len(parts) < _LEAST:
        raise OneClassError(
            "fewer than two segments have two rows of each class, so nothing can be compared",
            where=", ".join(by),
            fix="choose larger segments",
        )


def _key(values: Iterable[Any]) -> str:
    return ", ".join(str(value) for value in values)


def _whole(part: Segment, source: str) -> BinarySummary:
    if part.summary is None:  # an engine has refused such a source already
        raise OneClassError("a class has no row, so there is nothing to compare", where=source)
    return part.summary


def _not_comparable(n_pos: int, n_neg: int) -> str | None:
    for word, count in (("positive", n_pos), ("negative", n_neg)):
        if count < _LEAST:
            return f"it has {'no' if count == 0 else 'one'} {word} row"
    return None


def compare_query_table(
    data: Any,
    *,
    label: str,
    scores: str | Sequence[str],
    qid: str,
    measure: str,
    reading: Reading = Reading(),
    **how: Any,
) -> Answer:
    """What `rocsolid.compare` with ``qid`` says of columns, in the order given, and their means.

    ``data`` is whatever `rocsolid.evaluate` reads, and the other arguments name its columns;
    ``how`` has the keywords of `rocsolid.compare`, and those of `rocsolid.evaluate` with ``qid``.
    Columns, weights and segments that only rows have a use for must be missing or ``None``.

    >>> table = {"query": [1, 1, 2, 2, 3, 3], "grade": [0, 2, 1, 0, 1, 0],
    ...          "a": [1, 3, 2, 0, 1, 2], "b": [2, 1, 2, 0, 2, 1]}
    >>> answer = compare_query_table(table, label="grade", scores=["a", "b"], qid="query",
    ...                              measure="ndcg@10", margin=0.1)
    >>> print(answer.comparisons["ndcg@10"].non_inferiority[0])
    a is not shown to be non-inferior to b at margin 0.1 (one-sided 5 %): ...
    """
    if how.pop("by", None) is not None:
        raise UnsoundError(
            "segments of ranked lists are evaluated, and not compared",
            where="by",
            fix="leave by out, or evaluate each segment by itself with rocsolid evaluate",
        )
    refuse_pairs(qid=qid, **{name: how.pop(name, None) for name in OF_ROWS})
    given = {name: value for name, value in how.items() if value is not None}
    columns = {name: given.pop(name) for name in ("lower_is_better", "nan") if name in given}
    pairs = {name: given.pop(name) for name in PairKeywords.__annotations__ if name in given}
    check_query_keywords(given)
    names = column_names(scores, "scores")
    if len(names) < 2:
        raise InputError(
            "there is one score, so nothing to compare",
            where="scores",
            value=names[0],
            fix="name a second score",
        )
    answer = evaluate_queries(
        data, Columns(label, names, **columns), qid, measure, best_first=False, reading=reading,
        options=EstimateOptions(level=pairs.get("level", OF_QUERIES["level"]), **columns),
        how=cast(PairKeywords, pairs), **given,
    )  # fmt: skip
    (measured,) = answer.measures
    if measured.comparison is None:
        raise UnsoundError(measured.said[-1].rstrip("."), where=qid, fix="evaluate more queries")
    return answer
