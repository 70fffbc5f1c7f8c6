"""Scores in a table, evaluated over all rows and by segment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, Literal, overload

from rocsolid.binary.design import Design
from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.binary.resampling.schemes import Scheme
from rocsolid.engines.engine import Columns
from rocsolid.engines.opening import open_engine
from rocsolid.evaluation.column_names import column_names
from rocsolid.evaluation.evaluate_source import evaluate_source
from rocsolid.evaluation.evaluation import Evaluation
from rocsolid.evaluation.query_keywords import refuse_without_queries
from rocsolid.measures.named import measures_of
from rocsolid.results import Alternative

if TYPE_CHECKING:
    from rocsolid.evaluation.query_evaluation import QueryEvaluation


@overload
def evaluate(
    data: Any, *, label: str, scores: str | Sequence[str], qid: None = None, **options: Any
) -> Evaluation: ...


@overload
def evaluate(
    data: Any, *, label: str, scores: str | Sequence[str], qid: str, **options: Any
) -> QueryEvaluation: ...


def evaluate(
    data: Any,
    *,
    label: str,
    scores: str | Sequence[str],
    qid: str | None = None,
    measures: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    sample_weight: str | None = None,
    frequency: str | None = None,
    cluster: str | None = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    interval: str = "auto",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    resamples: int | None = None,
    seed: int = 0,
    scheme: Scheme | None = None,
    design: Design = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **queries: Any,
) -> Evaluation | QueryEvaluation:
    """The AUC of each score column, over all rows and in each segment, with both intervals.

    ``measures`` asks for others beside the AUC or in its place, as text such as
    ``"partial_auc(fpr<=0.05)"``, ``"partial_auc(recall>=0.9, scale=mcclish)"``,
    ``"weighted_auc(power(2))"`` or ``"sensitivity(specificity=0.9)"``; each result says which
    ``measure`` it is. The AUC of many small segments is computed side by side, other measures one
    segment after another.

    ``data`` is a path (CSV, Parquet, Arrow IPC, JSON Lines, ``"-"`` for standard input), a
    dataframe, or a mapping of names to columns; the other arguments name its columns. ``by`` names
    one or more segment columns: every combination that occurs is a segment. The remaining options
    are those of `rocsolid.auc`. A segment of one class has no AUC: it is listed in ``skipped``.
    ``progress`` is called with the work done and all there is, for a bar.

    A list of paths, a pattern or a folder is one table. With ``memory``, in bytes or as text such
    as "1GB", files that would take more are sorted on disk by DuckDB, with as many ``threads``. A
    DuckDB relation, a Spark dataframe and a lazy frame are reduced where they are. The numbers are
    those of the same rows in memory. What has to look at rows again, such as a bootstrap, collects
    the columns named here, or is refused where they would take more than ``memory``.

    With ``qid``, the column that says which query a row belongs to, the measures are those of
    ranked lists ("ndcg@10", "map"), the label is a grade of relevance, the sample is the queries,
    and all scores are compared; `evaluate_queries` has the further keywords. ``resamples`` are
    2,000, for tests over queries 10,000.

    >>> result = evaluate({"y": [0, 0, 1, 1], "a": [1, 2, 2, 3]}, label="y", scores="a")
    >>> result.results[0].value
    0.875
    """
    if qid is not None:
        from rocsolid.evaluation.evaluate_queries import evaluate_queries

        return evaluate_queries(
            data,
            label=label,
            scores=scores,
            qid=qid,
            measures=measures,
            by=by,
            lower_is_better=lower_is_better,
            nan=nan,
            interval=interval,
            level=level,
            alternative=alternative,
            resamples=resamples,
            seed=seed,
            of_rows={
                "sample_weight": sample_weight,
                "frequency": frequency,
                "cluster": cluster,
                "pos_label": pos_label,
                "scheme": scheme,
                "design": design,
            },
            memory=memory,
            threads=threads,
            progress=progress,
            **queries,
        )
    refuse_without_queries(queries, measures)
    wanted = measures_of("auc" if measures is None else measures)
    options = Options(
        interval, level, alternative, pos_label, lower_is_better, nan,
        Resampling(2000 if resamples is None else resamples, seed, scheme), design,
    )  # fmt: skip
    for measure in wanted:
        measure.check(options)
    names = column_names(scores, "scores")
    segment_names = () if by is None else column_names(by, "by")
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
        return evaluate_source(engine, wanted, options, progress)
