"""``rocsolid runs``: evaluate and compare TREC runs."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from rocsolid.cli.forms import ReportForms
from rocsolid.cli.lists import (
    Adjust,
    Duplicates,
    File,
    Interval,
    ListOptions,
    Margin,
    Measures,
    Next,
    PerQuery,
    Qrels,
    ResamplingOptions,
    TestOfQueries,
    given,
    keywords,
)
from rocsolid.cli.progress import progress_bar
from rocsolid.errors import InputError
from rocsolid.evaluation.query_answer import with_next_ranks
from rocsolid.evaluation.runs import evaluate_runs


def runs(
    qrels: Qrels,
    /,
    *run: File,
    measures: Measures | None = None,
    interval: Interval = "auto",
    intervals: ResamplingOptions = ResamplingOptions(),
    lists: Annotated[ListOptions, Parameter(name="*", group="Judgements")] = ListOptions(),
    missing: Annotated[Literal["zero", "exclude"] | None, Parameter(group="Judgements")] = None,
    duplicates: Annotated[Duplicates, Parameter(group="Judgements")] = "raise",
    test: TestOfQueries = None,
    adjust: Adjust = None,
    margin: Margin | None = None,
    per_query: PerQuery = False,
    next_size: Next | None = None,
    forms: ReportForms = ReportForms(),
) -> int:
    """Evaluate and compare TREC runs: an audit, means over queries with intervals, differences.

    The default measure is ndcg@10. trec_eval's names are also accepted. With --margin the runs are
    compared in the given order, each with those after it.

    Example: `rocsolid runs qrels.txt bm25.run bert.run --measure ndcg@10 --measure map`

    Example: `rocsolid runs qrels.txt bm25.run --measure recip_rank --profile trec_eval-9`

    Example: `rocsolid runs qrels.txt new.run old.run --measure ndcg@10 --margin 0.02`

    Parameters
    ----------
    missing
        A judged query that a run lacks: it counts 0 for that run (the default), or is left out
        for all runs.
    run
        One or more runs, each a TREC file, a table with qid, doc and score, or a JSON object.
    """
    if not run:
        raise InputError(
            "no run is given", where="run", fix="name one or more runs after the qrels"
        )
    if [qrels, *run].count("-") > 1:
        raise InputError("standard input can be read only once", value="-", fix="name a file")
    forms.check(qrels, *run)
    with progress_bar("reading"):
        answer = evaluate_runs(
            qrels, list(run), measures or "ndcg@10", interval=interval, duplicates=duplicates,
            **keywords(intervals, lists),
            **given(missing=missing, test=test, adjust=adjust, margin=margin),
        )  # fmt: skip
    forms.show(forms.muted(with_next_ranks(answer, next_size)), per_query=per_query)
    return 0
