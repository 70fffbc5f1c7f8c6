"""Scores in a table, evaluated over all rows and by segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from rocsolid.binary.estimate import Options, estimate
from rocsolid.binary.grouped_auc import grouped_auc
from rocsolid.engines.memory import summarise
from rocsolid.errors import InputError
from rocsolid.evaluation.evaluation import Evaluation, ScoreResult
from rocsolid.evaluation.segments import segments_of
from rocsolid.inputs import (
    TextLabel,
    binary_rows,
    codes,
    pos_label_from_text,
    positives,
    read_table,
    sample_weights,
)
from rocsolid.inputs import scores as valid_scores
from rocsolid.results import Alternative
from rocsolid.summaries.groups import Groups


def evaluate(
    data: Any,
    *,
    label: str,
    scores: str | Sequence[str],
    by: str | Sequence[str] | None = None,
    sample_weight: str | None = None,
    cluster: str | None = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    interval: str = "auto",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Evaluation:
    """The AUC of each score column, over all rows and in each segment, with both intervals.

    ``data`` is a path (CSV, Parquet, Arrow IPC, JSON Lines, ``"-"`` for standard input), a
    dataframe, or a mapping of names to columns; the other arguments name its columns. ``by`` names
    one or more segment columns: every combination that occurs is a segment. The remaining options
    are those of `rocsolid.auc`. A segment of one class has no AUC: it is listed in ``skipped``.

    >>> result = evaluate({"y": [0, 0, 1, 1], "a": [1, 2, 2, 3]}, label="y", scores="a")
    >>> result.results[0].value
    0.875
    """
    options = Options(interval, level, alternative, pos_label, lower_is_better, nan)
    names = _names(scores, "scores")
    segment_names = () if by is None else _names(by, "by")
    table = read_table(
        data,
        labels=[label],
        numbers=[*names, *([] if sample_weight is None else [sample_weight])],
        keys=[*segment_names, *([] if cluster is None else [cluster])],
    )
    if isinstance(pos_label, TextLabel):
        pos_label = pos_label_from_text(pos_label, table[label])
        options = replace(options, pos_label=pos_label)
    positive = positives(
        table[label], pos_label=pos_label, name=f"column {label!r}", rows=table.rows
    )
    weight = (
        None
        if sample_weight is None
        else sample_weights(
            table[sample_weight], len(table), name=f"column {sample_weight!r}", rows=table.rows
        )
    )
    clusters = (
        None
        if cluster is None
        else codes(table[cluster], name=f"column {cluster!r}", rows=table.rows)[0]
    )
    segments = segments_of(table, segment_names) if segment_names else None
    parts = []
    for name in names:
        score = valid_scores(
            table[name],
            name=f"column {name!r}",
            rows=table.rows,
            nan="raise" if nan == "raise" else "allow",
        )
        rows = binary_rows(
            positive,
            score,
            sample_weight=weight,
            cluster=clusters,
            lower_is_better=lower_is_better,
            nan=nan,
        )
        overall = estimate(summarise(rows), options, rows.omitted)
        grouped = None
        if segments is not None:
            code = segments.code if not rows.omitted else segments.code[~np.isnan(score)]
            grouped = grouped_auc(rows, Groups.of(code, len(segments)), options)
        parts.append(ScoreResult(name, rows, overall, grouped))
    return Evaluation(table.source, label, options, len(table), tuple(parts), segments)


def _names(given: str | Sequence[str], argument: str) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else tuple(given)
    if not names:
        raise InputError(f"{argument} names no column", where=argument, fix="name at least one")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError("a column is named twice", where=argument, value=twice)
    return names
