"""Scores in a source that an engine reduces where it is, evaluated from exact sums alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from rocsolid.binary.area import area_of_tables
from rocsolid.binary.area_inference import Asked as AreaAsked
from rocsolid.binary.estimate import Options, estimate
from rocsolid.binary.measure_name import Measure
from rocsolid.binary.partial_auc import partial_estimate
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.engines.capabilities import require
from rocsolid.engines.engine import Engine, Key
from rocsolid.engines.engine import Segment as Part
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.evaluation import Evaluation, Reduced, ScoreResult
from rocsolid.evaluation.measured import Asked, GroupByGroup, Grouped
from rocsolid.evaluation.segments import Segments
from rocsolid.results import Estimate
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.groups import Groups

_PLACEMENTS = ("e-value", "betting")
_DRAWN = 2_000  # entries of the table that a curve is drawn from
_ALL = (0.0, 1.0)


def evaluate_source(engine: Engine, wanted: Sequence[Measure], asked: Asked) -> Evaluation:
    """`rocsolid.evaluate` where no row comes here; whatever needs rows is refused by name.

    The ROC curves are fetched as well, as tables of a few thousand scores.
    """
    columns = engine.columns
    _check(engine, wanted, asked)
    engine.check()
    asked = replace(asked, options=replace(asked.options, pos_label=engine.pos_label))
    parts: list[ScoreResult] = []
    keys: list[Key] | None = None
    for score in columns.scores:
        whole = engine.summary(score)
        segments = list(engine.segments(score)) if columns.by else None
        reduced = Reduced(_whole(engine, whole), engine.curve(score, _DRAWN))
        for measure in wanted:
            overall = _estimate(engine, score, whole, measure, asked)
            grouped = None
            if segments is not None:
                keys = [part.key for part in segments]
                grouped = _grouped(segments, asked.options)
            parts.append(ScoreResult(score, measure, None, overall, grouped, reduced=reduced))
    return Evaluation(
        engine.source,
        columns.label,
        asked.options,
        engine.rows,
        tuple(parts),
        None if keys is None else _segments(columns.by, keys),
        engine=engine.name,
    )


def _check(engine: Engine, wanted: Sequence[Measure], asked: Asked) -> None:
    columns = engine.columns
    require(engine.name, "auc")
    if columns.weight is not None:
        require(engine.name, "weights")
    if columns.cluster is not None:
        require(engine.name, "clusters")
    if columns.by:
        require(engine.name, "segments")
    if any(measure.region is not None for measure in wanted):
        require(engine.name, "partial areas")
        if columns.by:
            require(engine.name, "partial areas by segment")
    if asked.interval in BOOTSTRAPS:
        require(engine.name, "resampling")
    if asked.interval in _PLACEMENTS:
        require(engine.name, "placements")


def _estimate(engine: Engine, score: str, whole: Part, measure: Measure, asked: Asked) -> Estimate:
    summary = _whole(engine, whole)
    if measure.region is None:
        return estimate(summary, asked.options, whole.omitted)
    region = measure.region
    axis: Literal["fpr", "tpr"] = "tpr" if region.fpr == _ALL else "fpr"
    low, high = getattr(region, axis)
    pad = _margin(summary, axis)
    tables = engine.region(score, axis, max(low - pad, 0.0), min(high + pad, 1.0))
    options, resampling = asked.options, asked.resampling
    how = AreaAsked(
        asked.interval, options.level, options.alternative, resampling.resamples, resampling.seed,
        resampling.scheme,
    )  # fmt: skip
    history = {
        "pos_label": options.pos_label,
        "lower_is_better": options.lower_is_better,
        "nan": options.nan,
    }
    area = area_of_tables(summary, *tables, region)
    return partial_estimate(area, how, region, measure.scale, whole.omitted, history)


def _whole(engine: Engine, part: Part) -> BinarySummary:
    if part.summary is None:  # an engine has refused such a source already
        raise OneClassError("a class has no row, so nothing is defined", where=engine.source)
    return part.summary


def _margin(summary: BinarySummary, axis: Literal["fpr", "tpr"]) -> float:
    """How far beyond the region the certificate for weighted rows looks: the sides of its ramps."""
    if summary.squared_shares is None:
        return 0.0
    size = summary.moments.n_neg if axis == "fpr" else summary.moments.n_pos
    return 1.0 / float(np.sqrt(np.asarray(size)))


def _grouped(segments: Sequence[Part], options: Options) -> Grouped:
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
            found[group] = estimate(part.summary, options, part.omitted)
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
