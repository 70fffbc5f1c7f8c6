"""Scores in a source that is open, evaluated over all rows and by segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocsolid.binary.estimate import Options
from rocsolid.engines.at_hand import checked
from rocsolid.engines.capabilities import Feature
from rocsolid.engines.engine import Columns, Engine, Key, Progress
from rocsolid.engines.engine import Segment as Part
from rocsolid.engines.in_memory import InMemory
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.evaluation import Evaluation
from rocsolid.evaluation.evaluation_numbers import Reduced, ScoreResult
from rocsolid.inputs.segments import Segments
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.grouped import GroupByGroup, Grouped
from rocsolid.measures.scored import ScoredElsewhere, ScoredRows
from rocsolid.results import Estimate
from rocsolid.summaries.groups import Groups

_DRAWN = 2_000  # entries of the table that a curve is drawn from


def evaluate_source(
    engine: Engine | InMemory,
    wanted: Sequence[BinaryMeasure],
    options: Options,
    progress: Progress | None = None,
) -> Evaluation:
    """`rocsolid.evaluate` of a source that is open; what its engine lacks is made of its rows here.

    Where no row comes here the ROC curves are fetched as well, as tables of a few thousand scores.
    ``progress`` counts the estimates of a source in memory; other engines count what they read.
    """
    columns = engine.columns
    engine = checked(engine, needed_to_evaluate(columns, wanted, options))
    options = replace(options, pos_label=engine.pos_label)
    parts: list[ScoreResult] = []
    segments = None
    for score in columns.scores:
        if isinstance(engine, InMemory):
            segments = engine.segments
            rows, kept = engine.rows_of(score)
            groups, scored = engine.groups_of(kept), ScoredRows(rows)
            for measure in wanted:
                if progress is not None:
                    progress(len(parts), len(columns.scores) * len(wanted))
                overall = measure.estimate(scored, options)
                grouped = None if groups is None else measure.grouped(rows, groups, options)
                parts.append(ScoreResult(score, measure, rows, overall, grouped, kept))
        else:
            whole = ScoredElsewhere(engine, score, engine.summary(score))
            found = list(engine.segments(score)) if columns.by else None
            if found is not None:
                segments = _segments(columns.by, [part.key for part in found])
            reduced = Reduced(whole.summary, engine.curve(score, _DRAWN))
            for measure in wanted:
                overall = measure.estimate(whole, options)
                by = None if found is None else _grouped(engine, score, found, measure, options)
                parts.append(ScoreResult(score, measure, None, overall, by, reduced=reduced))
    return Evaluation(
        engine.source, columns.label, options, engine.rows, tuple(parts), segments,
        engine=engine.name,
    )  # fmt: skip


def needed_to_evaluate(
    columns: Columns, wanted: Sequence[BinaryMeasure], options: Options
) -> set[Feature]:
    """What measures with such an interval need of a source."""
    needed: set[Feature] = {measure.reads for measure in wanted}
    if columns.weight is not None:
        needed.add("weights")
    if columns.cluster is not None:
        needed |= {"clusters", *(measure.reads_clusters for measure in wanted)}
    if columns.by:
        needed |= {"segments", *(measure.reads_by_segment for measure in wanted)}
    again = any(options.interval in measure.intervals_of_rows for measure in wanted)
    if again or columns.frequency is not None:
        needed.add("rows")
    return needed


def _grouped(
    engine: Engine,
    score: str,
    segments: Sequence[Part],
    measure: BinaryMeasure,
    options: Options,
) -> Grouped:
    found: dict[int, Estimate] = {}
    refused: dict[int, tuple[str, int, int]] = {}
    for group, part in enumerate(segments):
        if part.summary is None:
            name = "positive" if part.n_pos == 0 else "negative"
            reason = f"there is no {name} row, so the AUC is not defined"
            if part.n_pos and part.n_neg:
                reason = "the rows of a class have a total weight of zero"
            refused[group] = (reason, part.n_pos, part.n_neg)
            continue
        try:
            found[group] = measure.estimate(ScoredElsewhere(engine, score, part), options)
        except (OneClassError, UnsoundError) as error:
            refused[group] = (error.what, part.n_pos, part.n_neg)
    return GroupByGroup(Groups.of(np.empty(0, dtype=np.int64), len(segments)), found, refused)


def _segments(columns: tuple[str, ...], keys: Sequence[Key]) -> Segments:
    values: list[np.ndarray[Any, Any]] = []
    for i in range(len(columns)):
        column = np.empty(len(keys), dtype=object)
        column[:] = [key[i] for key in keys]
        values.append(column)
    return Segments(np.empty(0, dtype=np.int64), columns, tuple(values))
