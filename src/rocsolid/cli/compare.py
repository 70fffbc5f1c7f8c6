"""``rocsolid compare``: test whether scores, or segments, differ."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from rocsolid.cli.columns import FoldOptions, GroupOptions, TableOrLogOptions
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
    option,
)
from rocsolid.cli.logs import of_logs
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.source import source_of
from rocsolid.comparison.ranks import with_next
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.parameters import option_name, refuse_pairs


def compare(
    *table: TableFiles,
    columns: TableOrLogOptions = TableOrLogOptions(),
    qid: Qid | None = None,
    measure: Measure = "auc",
    test: Annotated[str | None, option("test")] = None,
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

    A pair's difference is the earlier score minus the later one; "− best" is a score minus the best
    one. With --qid a measure of ranked lists is compared query by query; labels are then grades of
    relevance. With --fold scores are learners; with --within rows of the same group are compared.
    Without --label, files are logs of language models.

    Example: `rocsolid compare scores.csv --label ill --score risk --score lab`

    Example: `rocsolid compare t.csv --label grade --score a --score b --qid q --measure ndcg@10`"""
    forms.check(*table)
    refuse_pairs(
        written=option_name, qid=qid, fold=folds.fold, within=groups.within, next=next_size
    )
    slow = (test or "").startswith(("bootstrap", "permutation", "venkatraman"))
    if columns.of_logs:
        from rocsolid.evaluation.logs import compare_logs

        answer = of_logs(
            compare_logs, table, columns, intervals, (folds, groups, reading, lists),
            {"qid": qid, "doc": doc},
            measure=None if measure == "auc" else measure, test=test, adjust=adjust, null=null,
            margin=margin,
        )  # fmt: skip
        ((scorer, comparison),) = answer.comparisons.items()
        ranked = replace(answer, comparisons={scorer: with_next(comparison, next_size)})
        forms.show(forms.muted(ranked))
        return 0
    with progress_bar("resampling" if slow else "comparing") as bar:
        result = compare_table(
            source_of(table), qid=qid, measure=measure, null=null, progress=bar,
            **keywords(columns, folds, groups, intervals, reading, lists),
            **given(test=test, adjust=adjust, margin=margin, doc=doc),
        )  # fmt: skip
    if qid is not None and columns.cluster is None:
        # rows need no ranked lists
        from rocsolid.evaluation.query_answer import with_next_ranks

        result = with_next_ranks(result, next_size)
    else:
        each = {score: with_next(one, next_size) for score, one in result.comparisons.items()}
        result = replace(result, comparisons=each)
    forms.show(forms.muted(result))
    return 0
