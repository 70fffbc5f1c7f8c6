"""Score columns of a table compared with each other, or one score between segments."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any, Literal

from rocsolid.binary.design import Design
from rocsolid.comparison.asked import ComparisonQuestion
from rocsolid.engines.engine import Columns, Progress
from rocsolid.engines.opening import open_engine
from rocsolid.errors import InputError
from rocsolid.evaluation.column_names import column_names
from rocsolid.evaluation.compare_source import compare_source
from rocsolid.evaluation.table_comparison import TableComparison
from rocsolid.results import Alternative
from rocsolid.weights import Weight


def compare_table(
    data: Any,
    *,
    label: str,
    scores: str | Sequence[str],
    by: str | Sequence[str] | None = None,
    sample_weight: str | None = None,
    frequency: str | None = None,
    cluster: str | None = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    measure: str | Weight = "auc",
    test: str = "delong-t",
    adjust: str = "holm",
    null: float = 0.0,
    margin: float | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    resamples: int = 2000,
    seed: int = 0,
    design: Design = None,
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

    asked = ComparisonQuestion.of(
        measure=measure,
        test=test,
        adjust=adjust,
        null=null,
        margin=margin,
        level=level,
        alternative=alternative,
        resamples=resamples,
        seed=seed,
        design=design,
        pos_label=pos_label,
        lower_is_better=lower_is_better,
        nan=nan,
    )
    engine = open_engine(
        data,
        Columns(
            label, tuple(names), tuple(segment_names), sample_weight, cluster, pos_label,
            lower_is_better, nan, frequency,
        ),
        memory=memory,
        threads=threads,
        progress=progress,
    )  # fmt: skip
    with closing(engine):
        return compare_source(engine, asked)
