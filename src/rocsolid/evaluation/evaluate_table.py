"""Evaluate scores in a table, over all rows and by segment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from rocsolid.answer.answer import Answer
from rocsolid.answer.grouping import Grouping
from rocsolid.arguments import flag
from rocsolid.binary.estimate import Options
from rocsolid.binary.inference import Design
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.engines.engine import Columns, Engine, Key, Reading
from rocsolid.engines.engine import Segment as Part
from rocsolid.engines.in_memory import CHECKED, InMemory, checked, open_engine
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.folds import FoldColumns, GroupColumn
from rocsolid.evaluation.logs import of_sample_or_logs
from rocsolid.evaluation.rows_answer import rows_answer
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, Reduced, ScoreResult
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.files import watched
from rocsolid.inputs.folds import Segments
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredElsewhere, ScoredRows
from rocsolid.measures.by_group import GroupByGroup, Grouped, by_group
from rocsolid.measures.concordance import of_outcomes, refuse_for_outcomes
from rocsolid.measures.named import measures_of
from rocsolid.measures.weighted_area import CurveArea
from rocsolid.measures.within import explained
from rocsolid.parameters import (
    Counts,
    Nan,
    Order,
    Scheme,
    column_names,
    keywords_of,
    refuse_pairs,
    refuse_without,
    sorted_keywords,
)
from rocsolid.remarks.columns import ClustersOfOneClass, ColumnsExamined, CopiesLabel
from rocsolid.remarks.remark import Remark
from rocsolid.results import Alternative, Estimate, Interval
from rocsolid.results.deferred import Deferred
from rocsolid.results.estimate import extended
from rocsolid.results.framed import library_of
from rocsolid.summaries.groups import Groups

if TYPE_CHECKING:
    from rocsolid.comparison.build import PairKeywords


@of_sample_or_logs
def evaluate(
    data: Any,
    *,
    label: str,
    scores: str | Sequence[str],
    qid: str | None = None,
    fold: str | None = None,
    repeat: str | None = None,
    order: Order = "any",
    across: str | None = None,
    within: str | None = None,
    counts: Counts | None = None,
    measures: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    sample_weight: str | None = None,
    frequency: str | None = None,
    cluster: str | None = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Nan = "raise",
    interval: str = "auto",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    resamples: int | None = None,
    seed: int = 0,
    scheme: Scheme | None = None,
    design: Design = None,
    certified: bool = True,
    check_columns: bool = False,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **queries: Any,
) -> Answer:
    """Compute the AUC of each score column, over all rows and in each segment, with both intervals.

    ``measures`` adds or replaces measures, as text such as ``"partial_auc(fpr<=0.05)"``,
    ``"partial_auc(recall>=0.9, scale=mcclish)"``, ``"weighted_auc(power(2))"`` or
    ``"sensitivity(specificity=0.9)"``; each result names its ``measure``.

    ``data`` is a path (CSV, Parquet, Arrow IPC, JSON Lines, ``"-"`` for standard input), a
    dataframe, or a mapping of names to columns; the other arguments name its columns. ``by`` names
    one or more segment columns: every combination that occurs is a segment. The remaining options
    are those of `rocsolid.auc`. ``alternative`` applies to the limits of each score: tests between
    scores are two-sided. With ``certified=False`` nothing has a certified interval. A segment of
    one class has no AUC: it is listed in ``skipped``. ``check_columns`` examines every other column
    with few values: the warning ROC017 says whether most of an AUC comes from it. ``progress`` is
    called with the work done and the total.

    A list of paths, a pattern or a folder is one table. With ``memory``, in bytes or as text such
    as "1GB", DuckDB sorts larger files on disk, with as many ``threads``. A DuckDB relation, a
    Spark dataframe and a lazy frame are reduced where they are, to the same numbers. Methods that
    need the rows again, such as a bootstrap, collect the named columns, or are refused if these
    exceed ``memory``.

    With ``qid``, the column of each row's query, the measures are those of ranked lists ("ndcg@10",
    "map"), the label is a grade of relevance, the sample is the queries, and all scores are
    compared; `rocsolid.parameters` lists the further keywords. ``resamples`` defaults to 2,000, and
    to 10,000 for tests over queries. With ``cluster``, clusters of queries are the sample.

    With ``fold``, the column of the fold in which each row was held out, each score has its mean of
    folds and its pooled value, and all scores are compared; ``repeat`` and ``order`` are those of
    `rocsolid.cross_validated`. With ``across``, a column of groups, each score has the AUC of every
    pair of groups, as in `rocsolid.cross_group_auc`.

    With ``within``, a column of groups, each score has its value over all rows, within groups, and
    between groups, as in `rocsolid.auc` with ``within`` and ``counts``; scores are compared within
    groups.

    With ``measures="concordance"`` or ``"vus"`` the label is an ordered outcome, as in
    `rocsolid.concordance`.

    A `rocsolid.Sample` of values by unit has no columns; it accepts ``interval`` and the keywords
    of ``rs.queries.compare``. So do paths without ``label`` and ``scores``, which are logs of
    language-model evaluations: each score is a model, and each unit an item. Logs also accept
    ``measure``, ``cluster`` and ``nan``, as in `rocsolid.Sample.of_logs`.

    >>> result = evaluate({"y": [0, 0, 1, 1], "a": [1, 2, 2, 3]}, label="y", scores="a")
    >>> result.results[0].value
    0.875
    """
    refuse_pairs(
        qid=qid, fold=fold, repeat=repeat, order=order, across=across, by=by, nan=nan,
        within=within, counts=counts,
        sample_weight=sample_weight, frequency=frequency, cluster=cluster, pos_label=pos_label,
        interval=interval, resamples=resamples, scheme=scheme, design=design, memory=memory,
        certified=certified, check_columns=check_columns,
    )  # fmt: skip
    if (scale := of_outcomes(measures)) is not None:
        from rocsolid.evaluation.evaluate_outcomes import concordance_table

        refuse_for_outcomes(
            qid=qid, fold=fold, repeat=repeat, across=across, within=within, counts=counts,
            frequency=frequency, pos_label=pos_label, scheme=scheme,
            interval=None if interval == "auto" else interval,
            check_columns=True if check_columns else None,
        )  # fmt: skip
        return concordance_table(
            data, outcome=label, scores=scores, by=by, sample_weight=sample_weight, cluster=cluster,
            scale=scale, lower_is_better=lower_is_better, nan=nan, level=level,
            alternative=alternative, design=design, certified=certified, memory=memory,
            threads=threads, **queries,
        )  # fmt: skip
    reading = Reading(memory, threads, progress)
    lists, tests = sorted_keywords(queries, keywords_of("lists"), ("test", "adjust"), others=_OWN)
    columns = Columns(
        label, column_names(scores, "scores"), () if by is None else column_names(by, "by"),
        sample_weight, cluster, pos_label, lower_is_better, nan, frequency,
        flag(check_columns, "check_columns"),
    )  # fmt: skip
    if qid is not None:
        from rocsolid.evaluation.evaluate_queries import evaluate_queries

        how: PairKeywords = {"seed": seed, **cast("PairKeywords", tests)}
        if resamples is not None:
            how["resamples"] = resamples
        return evaluate_queries(
            data, columns, qid, measures, how=how, reading=reading,
            options=EstimateOptions(interval, level, alternative, lower_is_better, nan), **lists,
        )  # fmt: skip
    refuse_without("qid", lists | tests)
    wanted = measures_of("auc" if measures is None else measures)
    if [measure.text for measure in wanted] != ["auc"]:
        refuse_pairs(across=across, measures=measures)
    if check_columns and not any(measure.pairwise for measure in wanted):
        raise UnsoundError(
            "only an AUC can be explained by a column", where="check_columns",
            fix='add "auc" to the measures',
        )  # fmt: skip
    options = Options(
        interval, level, alternative, lower_is_better, nan, pos_label,
        Resampling(2000 if resamples is None else resamples, seed, scheme), design,
        flag(certified, "certified"),
    )  # fmt: skip
    if fold is not None:
        from rocsolid.evaluation.evaluate_folds import evaluate_folds

        return evaluate_folds(data, columns, FoldColumns(fold, repeat, order), wanted, options)
    if across is not None:
        from rocsolid.evaluation.evaluate_across import evaluate_across

        for measure in wanted:
            measure.check(options)
        return evaluate_across(data, columns, across, options)
    if within is not None:
        from rocsolid.evaluation.evaluate_within import evaluate_within

        return evaluate_within(
            data, columns, GroupColumn(within, counts or "pairs"), wanted, options
        )
    for measure in wanted:
        measure.check(options)
    with watched(progress), closing(open_engine(data, columns, reading)) as engine:
        return evaluate_source(engine, wanted, options)


_OWN = (
    "measures",
    *keywords_of("columns", "kinds", "groups", "folds", "limits", "draws", "reading", "checks"),
)


def evaluate_source(
    engine: Engine | InMemory, wanted: Sequence[BinaryMeasure], options: Options
) -> Answer:
    columns = engine.columns
    needs_rows = evaluation_needs_rows(columns, wanted, options)
    engine = checked(engine, needs_rows=needs_rows)
    options = replace(options, pos_label=engine.pos_label)
    parts: list[ScoreResult] = []
    segments = None
    at_hand = engine if isinstance(engine, InMemory) else None
    terms = tuple({measure.term: None for measure in wanted if measure.term is not None})
    for score in columns.scores:
        if isinstance(engine, InMemory):
            segments = engine.segments
            rows, kept = engine.rows_of(score)
            groups, scored = engine.groups_of(kept), ScoredRows(rows)
            grouped: Sequence[Grouped | None] = [None] * len(wanted)
            if groups is not None:
                grouped = by_group(wanted, rows, groups, options)
            for measure, of_groups in zip(wanted, grouped, strict=True):
                overall = measure.estimate(scored, options)
                columns_of = _groups_of(engine, rows, kept)
                examined = partial(_examined, columns, measure, rows, overall, columns_of)
                estimate = _said(overall, engine, examined)
                parts.append(ScoreResult(score, measure, rows, estimate, of_groups, kept))
        else:
            whole = ScoredElsewhere(engine, score, engine.summary(score, terms=terms))
            of_segments = list(engine.segments(score, terms)) if columns.by else None
            if of_segments is not None:
                segments = _segments(columns.by, [part.key for part in of_segments])
            assert whole.part.curve is not None
            reduced = Reduced(whole.summary, whole.part.curve)
            for measure in wanted:
                overall = measure.estimate(whole, options)
                by = (
                    None
                    if of_segments is None
                    else _grouped(engine, score, of_segments, measure, options)
                )
                estimate = _said(overall, engine)
                parts.append(ScoreResult(score, measure, None, estimate, by, reduced=reduced))
    return rows_answer(
        EvaluationNumbers(
            engine.source, columns.label, options, engine.rows, tuple(parts), segments,
            engine=engine.name, library=library_of(engine.data),
            copy_of=None if at_hand is None else at_hand.copy_of,
            cluster=None if at_hand is None else at_hand.cluster,
            grouping=Grouping(engine.columns.cluster),
        )
    )  # fmt: skip


def _said(
    overall: Estimate, engine: Engine | InMemory, more: Callable[[], Sequence[Remark]] = tuple
) -> Estimate:
    warnings = Deferred(lambda: (*overall.warnings, *engine.warnings, *more()))
    return extended(Estimate, overall, warnings=warnings)


def _examined(
    columns: Columns,
    measure: BinaryMeasure,
    rows: BinaryRows,
    overall: Estimate,
    groups: Mapping[str, NDArray[np.int64]],
) -> tuple[Remark, ...]:
    remarks = explained(measure, rows, overall, groups)
    if columns.cluster is not None and columns.cluster in groups:
        remarks = (*remarks, *_of_clusters(groups[columns.cluster], rows.positive))
    if not columns.check_columns:
        return remarks
    remarks = (*remarks, ColumnsExamined(list(groups)))
    classes = (rows.score[rows.positive], rows.score[~rows.positive])
    values = [score[0] for score in classes if (score == score[0]).all()]
    return (CopiesLabel(), *remarks) if len(set(values)) == 2 else remarks


def _of_clusters(cluster: NDArray[np.int64], positive: NDArray[np.bool_]) -> list[Remark]:
    """A remark if fewer clusters have both classes than chance explains.

    The number under shuffled labels is at most as variable as a Poisson variable, whose lower tail
    at a tenth of a mean of 15 or more is below 5e-6 (Hoeffding 1956).
    """
    sizes, positives = np.bincount(cluster), np.bincount(cluster, positive)
    repeated, share = sizes >= 2, positive.mean()
    mixed = int(np.count_nonzero((positives > 0) & (positives < sizes)))
    count = int(np.count_nonzero(repeated))
    pure = float((share ** sizes[repeated] + (1.0 - share) ** sizes[repeated]).sum())
    if count - pure < 15.0 or mixed > min(0.05 * count, 0.1 * (count - pure)):
        return []
    classes = (np.count_nonzero(positives > 0), np.count_nonzero(positives < sizes))
    return [ClustersOfOneClass(count - mixed, count, pure, *map(int, classes))]


def _groups_of(
    engine: InMemory, rows: BinaryRows, kept: NDArray[np.bool_] | None
) -> dict[str, NDArray[np.int64]]:
    groups: dict[str, NDArray[np.int64]] = {}
    if engine.segments is not None:
        code = engine.segments.code
        groups[", ".join(engine.columns.by)] = code if kept is None else code[kept]
    if engine.columns.cluster is not None and rows.cluster is not None:
        groups[engine.columns.cluster] = rows.cluster
    if len(rows) > CHECKED and not engine.columns.check_columns:
        return {}
    others = engine.others.items()
    return groups | {name: code if kept is None else code[kept] for name, code in others}


def evaluation_needs_rows(
    columns: Columns, measures: Sequence[BinaryMeasure], options: Options
) -> bool:
    if columns.frequency is not None or columns.check_columns:
        return True
    if any(not each.streams or options.interval in each.intervals_of_rows for each in measures):
        return True
    designed = columns.weight is not None or columns.cluster is not None
    redrawn = designed or options.resampling.scheme not in (None, "stratified", "plain")
    if redrawn and options.interval in BOOTSTRAPS:
        return True
    if not columns.by:
        return False
    # clusters with rows in several segments show in the rows alone, and certificates of weighted
    # areas need another pass over each segment
    if columns.cluster is not None and any(each.term is not None for each in measures):
        return True
    weighed = options.design is not None and columns.weight is not None
    return weighed and any(isinstance(each, CurveArea) for each in measures)


def _grouped(
    engine: Engine, score: str, segments: Sequence[Part], measure: BinaryMeasure, options: Options
) -> Grouped:
    estimates: dict[int, Estimate] = {}
    joint: dict[int, Interval | None] = {}
    refused: dict[int, tuple[str, int, int]] = {}
    for group, segment in enumerate(segments):
        if segment.summary is None:
            name = "positive" if segment.n_pos == 0 else "negative"
            reason = f"there is no {name} row, so nothing can be ranked"
            if segment.n_pos and segment.n_neg:
                reason = "the rows of a class have a total weight of zero"
            refused[group] = (reason, segment.n_pos, segment.n_neg)
            continue
        try:
            scored = ScoredElsewhere(engine, score, segment)
            estimates[group] = measure.estimate(scored, options)
            if options.certified:
                every = options.together(len(segments))
                joint[group] = measure.estimate(scored, every).certified
        except (OneClassError, UnsoundError) as error:
            refused[group] = (error.what, segment.n_pos, segment.n_neg)
    groups = Groups.of(np.empty(0, dtype=np.int64), len(segments))
    elsewhere = {group: ScoredElsewhere(engine, score, segments[group]) for group in estimates}
    return GroupByGroup(groups, estimates, Deferred(lambda: joint), refused, elsewhere)


def _segments(columns: tuple[str, ...], keys: Sequence[Key]) -> Segments:
    values: list[np.ndarray[Any, Any]] = []
    for i in range(len(columns)):
        column = np.empty(len(keys), dtype=object)
        column[:] = [key[i] for key in keys]
        values.append(column)
    return Segments(np.empty(0, dtype=np.int64), columns, tuple(values))
