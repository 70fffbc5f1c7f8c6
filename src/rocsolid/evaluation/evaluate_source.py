"""Scores in a source that is open, evaluated over all rows and by segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.engines.capabilities import require
from rocsolid.engines.engine import Engine, Key, Progress
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

_PLACEMENTS = ("e-value", "betting")
_DRAWN = 2_000  # entries of the table that a curve is drawn from


def evaluate_source(
    engine: Engine | InMemory,
    wanted: Sequence[BinaryMeasure],
    options: Options,
    progress: Progress | None = None,
) -> Evaluation:
    """`rocsolid.evaluate` of a source that is open; what its engine does not do is refused by name.

    Where no row comes here the ROC curves are fetched as well, as tables of a few thousand scores.
    ``progress`` counts the estimates of a source in memory; other engines count what they read.
    """
    columns = engine.columns
    _check(engine, wanted, options)
    engine.check()
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


def _check(engine: Engine | InMemory, wanted: Sequence[BinaryMeasure], options: Options) -> None:
    columns = engine.columns
    if columns.weight is not None:
        require(engine.name, "weights")
    if columns.cluster is not None:
        require(engine.name, "clusters")
    if columns.frequency is not None:
        require(engine.name, "frequencies")
    if columns.by:
        require(engine.name, "segments")
    for measure in wanted:
        require(engine.name, measure.reads)
        if columns.by:
            require(engine.name, measure.reads_by_segment)
        if columns.cluster is not None:
            require(engine.name, measure.reads_clusters)
    if options.interval in BOOTSTRAPS:
        require(engine.name, "resampling")
    if options.interval in _PLACEMENTS:
        require(engine.name, "placements")


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
