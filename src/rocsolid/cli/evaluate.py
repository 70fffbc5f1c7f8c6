"""``rocsolid evaluate``: measures of score columns in a table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from rocsolid.answer.answer import Answer
from rocsolid.cli.columns import FoldOptions, GroupOptions, TableOrLogOptions
from rocsolid.cli.forms import EvaluationForms
from rocsolid.cli.lists import (
    COLUMNS,
    INTERVALS,
    QUERIES,
    Adjust,
    Doc,
    Interval,
    IntervalOptions,
    ListOptions,
    Measures,
    MemoryOptions,
    PerQuery,
    Qid,
    TableFiles,
    TestOfQueries,
    given,
    keywords,
    option,
)
from rocsolid.cli.logs import of_logs, one_measure
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.public_options import PublicOptions
from rocsolid.cli.source import source_of
from rocsolid.evaluation.evaluate_table import evaluate as evaluate_table
from rocsolid.parameters import Scheme, option_name, refuse_pairs

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def evaluate(
    *table: TableFiles,
    columns: TableOrLogOptions = TableOrLogOptions(),
    qid: Qid | None = None,
    measures: Measures | None = None,
    interval: Annotated[Interval, Parameter(group=INTERVALS)] = "auto",
    intervals: IntervalOptions = IntervalOptions(),
    scheme: Annotated[Scheme | None, option("scheme", group=INTERVALS)] = None,
    forms: EvaluationForms = EvaluationForms(),
    public: PublicOptions = PublicOptions(),
    reading: MemoryOptions = MemoryOptions(),
    lists: ListOptions = ListOptions(),
    doc: Doc = None,
    test: Annotated[TestOfQueries, Parameter(group=QUERIES)] = None,
    adjust: Annotated[Adjust, Parameter(group=QUERIES)] = None,
    distinguish: Annotated[bool, option("distinguish", group=QUERIES, negative=())] = False,
    per_query: Annotated[PerQuery, Parameter(group=QUERIES)] = False,
    folds: FoldOptions = FoldOptions(),
    across: Annotated[str | None, option("across", group=COLUMNS)] = None,
    groups: GroupOptions = GroupOptions(),
    check_columns: Annotated[bool, option("check_columns", group=COLUMNS, negative=())] = False,
) -> int:
    """The AUC, or another measure, of each score, with a calibrated and a certified interval.

    For ranked lists set --qid to the column of queries: labels are then grades of relevance
    (numbers from 0, empty if unjudged), the default measure is ndcg@10, and all scores are
    compared. Without --label, files are logs of language models.

    Example: `rocsolid evaluate a.csv --label ill --score risk --by hospital`

    Example: `rocsolid evaluate a.csv --label ill --score risk --measure pr_auc`

    Example: `rocsolid evaluate a.csv --label ill --score risk --within hospital`

    Example: `rocsolid evaluate t.csv --qid q --label grade --score a --measure map`"""
    if columns.of_logs:
        from rocsolid.evaluation.logs import evaluate_logs

        forms.check(*table)
        answer = of_logs(
            evaluate_logs, table, columns, intervals, (folds, groups, reading, lists),
            {"qid": qid, "doc": doc, "across": across, "scheme": scheme,
             "distinguish": distinguish or None, "check_columns": check_columns,
             "plot": forms.plot, "public": public.public or None},
            measure=one_measure(measures), interval=interval, test=test, adjust=adjust,
        )  # fmt: skip
        forms.show(forms.muted(answer), per_query=per_query)
        return 0
    source = source_of(table)
    refuse_pairs(
        written=option_name, qid=qid, fold=folds.fold, across=across, plot=forms.plot,
        within=groups.within, check_columns=check_columns or None,
        public=public.public or None, **keywords(public.limits),
    )  # fmt: skip
    forms.check(*table)
    slow = interval.startswith("bootstrap")
    what = "samples" if distinguish else "segments" if qid is not None else "reading"
    with progress_bar("resampling" if slow else what) as bar:
        result = evaluate_table(
            source, qid=qid, across=across,
            measures=measures, interval=interval, scheme=scheme, progress=bar,
            check_columns=check_columns,
            **keywords(columns, folds, groups, intervals, reading, lists),
            **given(doc=doc, test=test, adjust=adjust, distinguish=distinguish or None),
        )  # fmt: skip
    result = forms.muted(result)
    if public.public:
        public.show(result, forms, source)
    else:
        forms.show(result, axes=partial(_drawn, result), per_query=per_query)
    return 0


def _drawn(result: Answer) -> Axes:
    from rocsolid import plots

    return plots.roc(result)
