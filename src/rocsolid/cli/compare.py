"""``rocsolid compare``: is one score better than another, or one segment than the next?"""

from __future__ import annotations

from dataclasses import replace

from rocsolid.cli.columns import ColumnOptions, FoldOptions, GroupOptions
from rocsolid.cli.forms import ReportForms
from rocsolid.cli.lists import (
    Adjust,
    Doc,
    IntervalOptions,
    ListOptions,
    Margin,
    Measure,
    MemoryOptions,
    Next,
    Null,
    Qid,
    TableFiles,
    given,
    keywords,
    option_name,
)
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.source import source_of
from rocsolid.comparison.ranks import with_next
from rocsolid.engines.engine import Reading
from rocsolid.evaluation.compare_table import compare_query_table, compare_table
from rocsolid.evaluation.evaluate_within import group_column
from rocsolid.evaluation.folded_table import fold_columns, refuse_pairs
from rocsolid.evaluation.query_answer import with_next_ranks
from rocsolid.evaluation.query_keywords import refuse_without_queries


def compare(
    *table: TableFiles,
    columns: ColumnOptions,
    qid: Qid | None = None,
    measure: Measure = "auc",
    test: str | None = None,
    adjust: Adjust = None,
    null: Null = 0.0,
    margin: Margin | None = None,
    next_size: Next | None = None,
    folds: FoldOptions = FoldOptions(),
    intervals: IntervalOptions = IntervalOptions(),
    forms: ReportForms = ReportForms(),
    reading: MemoryOptions = MemoryOptions(),
    lists: ListOptions = ListOptions(),
    doc: Doc = None,
    groups: GroupOptions = GroupOptions(),
) -> int:
    """Compare scores on the same rows, or with --by each score between segments.

    A difference is the earlier score's value minus the later one's. With --qid a measure of ranked
    lists is compared query by query; labels are then grades of relevance. With --fold scores are
    learners; with --within they are compared among rows of the same group.

    Example: `rocsolid compare scores.csv --label ill --score risk --score lab`

    Example: `rocsolid compare t.csv --label grade --score a --score b --qid q --measure ndcg@10`

    Parameters
    ----------
    test
        auto (the default: delong-t, or bootstrap-t where few rows decide a difference), delong-t
        (Student's t), bootstrap-t (studentised), delong (that of pROC), bootstrap (percentile
        interval), bootstrap-bca, permutation, or venkatraman-curves (tests whether the whole curves
        are equal, not the AUCs; so does permutation with fewer than 20 rows of a class). With
        --qid: auto, t, bootstrap-t, or sign-flip, exact for few queries.
    """
    forms.check(*table)
    slow = (test or "").startswith(("bootstrap", "permutation", "venkatraman"))
    options = keywords(columns, intervals) | given(test=test, adjust=adjust)
    options |= {"measure": measure, "null": null, "margin": margin}
    of_lists = keywords(lists) | given(doc=doc)
    with progress_bar("resampling" if slow else "comparing") as bar:
        options["reading"] = Reading(reading.memory, None, bar)
        if qid is not None:
            refuse_pairs(written=option_name, qid=qid, fold=folds.fold, within=groups.within)
            result = compare_query_table(source_of(table), qid=qid, **options, **of_lists)
        else:
            refuse_without_queries(of_lists)
            refuse_pairs(written=option_name, fold=folds.fold, within=groups.within, next=next_size)
            grouped = fold_columns(**keywords(folds)) or group_column(**keywords(groups))
            result = compare_table(source_of(table), grouped=grouped, **options)
    if qid is not None:
        result = with_next_ranks(result, next_size)
    else:
        each = {score: with_next(one, next_size) for score, one in result.comparisons.items()}
        result = replace(result, comparisons=each)
    forms.show(forms.muted(result))
    return 0
