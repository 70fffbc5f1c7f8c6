"""``rocsolid evaluate``: measures of score columns in a table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from rocsolid.binary.resampling.schemes import Scheme
from rocsolid.cli.columns import ColumnOptions
from rocsolid.cli.evaluation_output import PublicOptions, print_blocks, print_evaluation
from rocsolid.cli.forms import EvaluationForms
from rocsolid.cli.lists import QueryOptions
from rocsolid.cli.options import (
    COLUMNS,
    INTERVALS,
    QUERIES,
    Interval,
    IntervalOptions,
    Measures,
    MemoryOptions,
    PerQuery,
    Qid,
    TableFiles,
    keywords,
)
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.source import source_of
from rocsolid.errors import InputError
from rocsolid.evaluation import Evaluation
from rocsolid.evaluation import evaluate as evaluate_table
from rocsolid.evaluation.evaluate_across import AcrossEvaluation
from rocsolid.evaluation.evaluate_folds import FoldEvaluation
from rocsolid.measures.folded import Order

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsolid.evaluation.query_evaluation import QueryEvaluation

# one of its results, which one the options say
_EVALUATE: Callable[..., Evaluation | QueryEvaluation | FoldEvaluation | AcrossEvaluation]
_EVALUATE = evaluate_table


def evaluate(
    *table: TableFiles,
    columns: ColumnOptions,
    qid: Qid | None = None,
    measures: Measures | None = None,
    interval: Annotated[Interval, Parameter(group=INTERVALS)] = "auto",
    intervals: IntervalOptions = IntervalOptions(),
    scheme: Annotated[Scheme | None, Parameter(group=INTERVALS)] = None,
    forms: EvaluationForms = EvaluationForms(),
    public: PublicOptions = PublicOptions(),
    reading: MemoryOptions = MemoryOptions(),
    queries: QueryOptions = QueryOptions(),
    per_query: Annotated[PerQuery, Parameter(group=QUERIES)] = False,
    fold: Annotated[str | None, Parameter(group=COLUMNS)] = None,
    repeat: Annotated[str | None, Parameter(group=COLUMNS)] = None,
    order: Annotated[Order, Parameter(group=COLUMNS)] = "any",
    across: Annotated[str | None, Parameter(group=COLUMNS)] = None,
) -> int:
    """The AUC, or another measure, of each score, with a calibrated and a certified interval.

    For ranked lists name the column of queries with --qid: labels are then grades of relevance
    (numbers from 0, empty where nobody judged), the default measure is ndcg@10, and all scores are
    compared.

    Example: `rocsolid evaluate scores.csv --label ill --score risk --score lab --by hospital`

    Example: `rocsolid evaluate a.csv --label ill --score risk --measure "partial_auc(fpr<=0.05)"`

    Example: `rocsolid evaluate cv.csv --label ill --score risk --score lab --fold fold`

    Example: `rocsolid evaluate t.csv --qid query --label grade --score a --score b --measure map`

    Parameters
    ----------
    scheme
        How a bootstrap resamples: rows within each class (stratified, the default), all rows
        (plain), whole clusters (cluster), or random weights (poisson, bayesian).
    fold
        The scores come from cross-validation: the column of the fold in which a row was held out.
    repeat
        With --fold: the column that numbers the repeats of the cross-validation. --cluster must
        then identify the original row.
    order
        With --fold: "progressive" declares that each model was fitted and chosen on earlier folds
        only. The certified interval then uses all folds.
    across
        A column of groups: compare the positives of each group with the negatives of every group.
    """
    source = source_of(table)
    public.check(
        {
            "--qid": qid is not None,
            "--fold": fold is not None,
            "--across": across is not None,
            "--plot": forms.plot is not None,
        }
    )
    forms.check(*table)
    if qid is not None and forms.plot is not None:
        raise InputError(
            "measures of queries have no ROC curve to draw",
            where="--plot",
            value=forms.plot,
            fix="leave it out; --html draws the values and their differences",
        )
    if (fold is not None or across is not None) and forms.plot is not None:
        raise InputError(
            f"{'pairs of groups' if fold is None else 'folds'} have no picture",
            where="--plot",
            value=forms.plot,
            fix="leave it out; --html has the tables",
        )
    slow = interval.startswith("bootstrap")
    what = "samples" if queries.distinguish else "segments" if qid is not None else "reading"
    with progress_bar("resampling" if slow else what) as bar:
        result = _EVALUATE(
            source, qid=qid, fold=fold, repeat=repeat, order=order, across=across,
            measures=measures, interval=interval, scheme=scheme, progress=bar,
            **keywords(columns, intervals, reading, queries),
        )  # fmt: skip
    result = forms.muted(result)
    if isinstance(result, FoldEvaluation | AcrossEvaluation):
        forms.show(result, partial(print_blocks, result))
    elif not isinstance(result, Evaluation):
        from rocsolid.cli.evaluate_queries import print_queries

        words = partial(print_queries, result, per_query=per_query)
        forms.show(result, words, per_query=per_query)
    elif public.public:
        public.show(result, forms)
    else:
        forms.show(result, partial(print_evaluation, result), axes=partial(_drawn, result))
    return 0


def _drawn(result: Evaluation) -> Axes:
    from rocsolid import plots

    return plots.roc(result)
