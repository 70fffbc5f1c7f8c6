"""Scores in a source that an engine reduces where it is, evaluated from exact sums alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.engines.capabilities import require
from rocsolid.engines.engine import Engine, Key
from rocsolid.engines.engine import Segment as Part
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.evaluation import Evaluation, Reduced, ScoreResult
from rocsolid.evaluation.segments import Segments
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.grouped import GroupByGroup, Grouped
from rocsolid.measures.scored import ScoredElsewhere
from rocsolid.results import Estimate
from rocsolid.summaries.groups import Groups

_PLACEMENTS = ("e-value", "betting")
_DRAWN = 2_000  # entries of the table that a curve is drawn from


def evaluate_source(
    engine: Engine, wanted: Sequence[BinaryMeasure], options: Options
) -> Evaluation:
    """`rocsolid.evaluate` where no row comes here; whatever needs rows is refused by name.

    The ROC curves are fetched as well, as tables of a few thousand scores.
    """
    columns = engine.columns
    _check(engine, wanted, options)
    engine.check()
    options = replace(options, pos_label=engine.pos_label)
    parts: list[ScoreResult] = []
    keys: list[Key] | None = None
    for score in columns.scores:
        whole = engine.summary(score)
        segments = list(engine.segments(score)) if columns.by else None
        scored = ScoredElsewhere(engine, score, whole)
        reduced = Reduced(scored.summary, engine.curve(score, _DRAWN))
        for measure in wanted:
            overall = measure.estimate(scored, options)
            grouped = None
            if segments is not None:
                keys = [part.key for part in segments]
                grouped = _grouped(engine, score, segments, measure, options)
            parts.append(ScoreResult(score, measure, None, overall, grouped, reduced=reduced))
    return Evaluation(
        engine.source,
        columns.label,
        options,
        engine.rows,
        tuple(parts),
        None if keys is None else _segments(columns.by, keys),
        engine=engine.name,
    )


def _check(engine: Engine, wanted: Sequence[BinaryMeasure], options: Options) -> None:
    columns = engine.columns
    if columns.weight is not None:
        require(engine.name, "weights")
    if columns.cluster is not None:
        require(engine.name, "clusters")
    if columns.by:
        require(engine.name, "segments")
    for measure in wanted:
        require(engine.name, measure.reads)
        if columns.by:
            require(engine.name, measure.reads_by_segment)
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
