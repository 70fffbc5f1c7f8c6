"""Score columns of a table compared with each other, or one score between segments."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any, Literal

import numpy as np

from rocsolid.comparison.asked import Asked
from rocsolid.comparison.models import compare_rows
from rocsolid.comparison.samples import compare_sample_rows
from rocsolid.engines.engine import Columns, Progress
from rocsolid.engines.opening import open_engine
from rocsolid.errors import InputError, OneClassError
from rocsolid.evaluation.column_names import column_names
from rocsolid.evaluation.compare_source import compare_source, shared_cluster
from rocsolid.evaluation.segments import segments_of
from rocsolid.evaluation.table_comparison import TableComparison
from rocsolid.inputs import (
    BinaryRows,
    Table,
    TextLabel,
    binary_rows,
    codes,
    pos_label_from_text,
    positives,
    read_table,
    sample_weights,
)
from rocsolid.inputs import scores as valid_scores
from rocsolid.inputs.models import model_rows
from rocsolid.results import Alternative, Comparison
from rocsolid.summaries.groups import Groups
from rocsolid.weights import Weight


def compare_table(
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
    measure: str | Weight = "auc",
    test: str = "delong",
    adjust: str = "holm",
    null: float = 0.0,
    margin: float | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    resamples: int = 2000,
    seed: int = 0,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> TableComparison:
    """The score columns compared on the same rows, or with ``by`` each score between segments.

    ``data`` is whatever `rocsolid.evaluate` reads, and the other arguments name its columns; the
    rest is as in `rocsolid.compare`. Segments must be independent: a cluster with rows in two of
    them is refused. ``memory``, ``threads`` and ``progress`` are for sources that are reduced where
    they are, as in `rocsolid.evaluate`.

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
            fix="name a second score, or segments with by",
        )

    def asked_with(label_of_positives: Any) -> Asked:
        return Asked.of(
            measure=measure,
            test=test,
            adjust=adjust,
            null=null,
            margin=margin,
            level=level,
            alternative=alternative,
            resamples=resamples,
            seed=seed,
            pos_label=label_of_positives,
            lower_is_better=lower_is_better,
            nan=nan,
        )

    engine = open_engine(
        data,
        Columns(
            label, tuple(names), tuple(segment_names), sample_weight, cluster, pos_label,
            lower_is_better, nan,
        ),
        memory=memory,
        threads=threads,
        progress=progress,
    )  # fmt: skip
    if engine is not None:
        with closing(engine):
            return compare_source(engine, asked_with(pos_label))
    table = read_table(
        data,
        labels=[label],
        numbers=[*names, *([] if sample_weight is None else [sample_weight])],
        keys=[*segment_names, *([] if cluster is None else [cluster])],
    )
    if isinstance(pos_label, TextLabel):
        pos_label = pos_label_from_text(pos_label, table[label])
    asked = asked_with(pos_label)
    columns = _columns(table, label, pos_label, sample_weight, cluster)
    if not segment_names:
        rows = model_rows(
            columns.positive,
            {name: table[name] for name in names},
            sample_weight=columns.weight,
            cluster=columns.cluster,
            lower_is_better=lower_is_better,
            nan=nan,
            word="column",
            rows=table.rows,
        )
        found: dict[str | None, Comparison] = {None: compare_rows(rows, asked, paired=True)}
        return TableComparison(table.source, label, len(table), (), found)
    found, skipped = {}, []
    segments = segments_of(table, segment_names)
    _check_apart(columns.cluster, segments.code, cluster)
    groups = Groups.of(segments.code, len(segments))
    for name in names:
        score = valid_scores(
            table[name],
            name=f"column {name!r}",
            rows=table.rows,
            nan="raise" if nan == "raise" else "allow",
        )
        parts: dict[str, BinaryRows] = {}
        for segment in range(len(segments)):
            key = ", ".join(str(value) for value in segments.key(segment).values())
            at = groups.rows(segment)
            reason = _not_comparable(columns.positive[at])
            if reason is not None:
                skipped.append((name, key, reason))
                continue
            parts[key] = binary_rows(
                columns.positive[at],
                score[at],
                sample_weight=None if columns.weight is None else columns.weight[at],
                cluster=None if columns.cluster is None else columns.cluster[at],
                lower_is_better=lower_is_better,
                nan=nan,
            )
        if len(parts) < 2:
            raise OneClassError(
                "fewer than two segments have two rows of each class, so nothing can be compared",
                where=", ".join(segment_names),
                fix="choose larger segments",
            )
        found[name] = compare_sample_rows(parts, asked)
    return TableComparison(table.source, label, len(table), segment_names, found, tuple(skipped))


def _columns(
    table: Table, label: str, pos_label: Any, sample_weight: str | None, cluster: str | None
) -> BinaryRows:
    """Labels, weights and clusters of the table, validated with its own way to name rows."""
    positive = positives(
        table[label], pos_label=pos_label, name=f"column {label!r}", rows=table.rows
    )
    weight = group = None
    if sample_weight is not None:
        weight = sample_weights(
            table[sample_weight], len(table), name=f"column {sample_weight!r}", rows=table.rows
        )
    if cluster is not None:
        group = codes(table[cluster], name=f"column {cluster!r}", rows=table.rows)[0]
    return BinaryRows(positive, positive, weight, group)


def _not_comparable(positive: np.ndarray[Any, np.dtype[np.bool_]]) -> str | None:
    for word, count in (
        ("positive", int(np.count_nonzero(positive))),
        ("negative", int(np.count_nonzero(~positive))),
    ):
        if count < 2:
            return f"it has {'no' if count == 0 else 'one'} {word} row"
    return None


def _check_apart(cluster: Any, segment: Any, name: str | None) -> None:
    """A cluster with rows in two segments makes them dependent."""
    if cluster is None or name is None:
        return
    least = np.full(int(cluster.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(least, cluster, segment)
    if (least[cluster] != segment).any():
        raise shared_cluster(name)
