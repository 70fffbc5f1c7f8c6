"""Score columns of a table compared with each other, or one score between segments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from rocsolid.comparison.asked import ComparisonQuestion
from rocsolid.comparison.keywords import ComparisonKeywords
from rocsolid.comparison.models import compare_rows
from rocsolid.comparison.of_summaries import (
    CLOSED_FORM,
    ReducedComparison,
    compare_segments,
    paired_summaries,
)
from rocsolid.comparison.samples import compare_sample_rows
from rocsolid.engines.at_hand import checked, collected, has_room
from rocsolid.engines.capabilities import Feature
from rocsolid.engines.engine import Columns, Engine, Reading, Segment
from rocsolid.engines.in_memory import InMemory
from rocsolid.engines.opening import open_engine
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.evaluation.column_names import column_names
from rocsolid.evaluation.table_comparison import TableComparison
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.watcher import watched
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.whole_area import WholeArea
from rocsolid.results import Comparison
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
    reading: Reading = Reading(),
    **how: Unpack[ComparisonKeywords],
) -> TableComparison:
    """The score columns compared on the same rows, or with ``by`` each score between segments.

    ``data`` is whatever `rocsolid.evaluate` reads, and the other arguments name its columns;
    ``how`` is as in `rocsolid.compare`. Segments must be independent: a cluster with rows in two of
    them is refused. ``reading`` is for sources that are reduced where they are.

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

    asked = ComparisonQuestion.of(**how)
    columns = Columns(
        label, names, segment_names, sample_weight, cluster, asked.pos_label,
        asked.lower_is_better, asked.nan, frequency,
    )  # fmt: skip
    with watched(reading.progress), closing(open_engine(data, columns, reading)) as engine:
        return compare_source(engine, asked)


Skipped = tuple[str, str, str]
_LEAST = 2  # rows of each class that a segment needs to be compared, and segments


def compare_source(engine: Engine | InMemory, asked: ComparisonQuestion) -> TableComparison:
    """`compare_table` of a source that is open: from exact sums, or from its rows.

    Sums are enough for DeLong's tests of AUCs alone.
    """
    columns = engine.columns
    engine = checked(engine, needed_to_compare(columns, asked.measure, asked.test))
    asked = replace(asked, pos_label=engine.pos_label)
    if columns.by:
        _check_apart(engine)
    comparisons: dict[str | None, Comparison] = {}
    skipped: list[Skipped] = []
    if columns.by:
        for score in columns.scores:
            if isinstance(engine, InMemory):
                comparisons[score] = _in_memory(engine, score, asked, skipped)
            else:
                comparisons[score] = _elsewhere(engine, score, asked, skipped)
    else:
        if not isinstance(engine, InMemory):
            reduced = _reduced(engine, asked)
            if reduced.undecided and has_room(engine):
                engine = collected(engine)
            else:
                comparisons[None] = reduced.comparison()
        if isinstance(engine, InMemory):
            comparisons[None] = compare_rows(engine.complete_rows(), asked, paired=True)
    for key, comparison in comparisons.items():
        warnings = (*comparison.warnings, *engine.warnings)
        comparisons[key] = replace(comparison, warnings=warnings)
    return TableComparison(
        engine.source, columns.label, engine.rows, columns.by, comparisons, tuple(skipped),
        library_of(engine.data),
    )  # fmt: skip


def _reduced(engine: Engine, asked: ComparisonQuestion) -> ReducedComparison:
    """What the engine makes of the rows."""
    paired, lacking = engine.paired()
    summaries = {
        name: _whole(engine.summary(name, complete=True), engine.source)
        for name in engine.columns.scores
    }
    missing = engine.missing() if lacking else {}
    return paired_summaries(paired, summaries, asked, omitted=lacking, missing=missing)


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
    engine: InMemory, score: str, asked: ComparisonQuestion, skipped: list[Skipped]
) -> Comparison:
    rows, kept = engine.rows_of(score)
    groups, segments = engine.groups_of(kept), engine.segments
    parts: dict[str, BinaryRows] = {}
    assert groups is not None
    assert segments is not None
    for segment in range(len(segments)):
        part = rows.subset(groups.rows(segment), int(groups.omitted[segment]))
        n_pos = int(np.count_nonzero(part.positive))
        key = _key(segments.key(segment).values())
        if (reason := _not_comparable(n_pos, len(part) - n_pos)) is not None:
            skipped.append((score, key, reason))
        else:
            parts[key] = part
    _check_two(parts, engine.columns.by)
    return compare_sample_rows(parts, asked)


def _elsewhere(
    engine: Engine, score: str, asked: ComparisonQuestion, skipped: list[Skipped]
) -> Comparison:
    parts: dict[str, BinarySummary] = {}
    omitted: dict[str, int] = {}
    for part in engine.segments(score):
        key, reason = _key(part.key), _not_comparable(part.n_pos, part.n_neg)
        if reason is not None or part.summary is None:
            skipped.append((score, key, reason or "a class has a total weight of zero"))
        else:
            parts[key], omitted[key] = part.summary, part.omitted
    _check_two(parts, engine.columns.by)
    return compare_segments(parts, asked, omitted)


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
