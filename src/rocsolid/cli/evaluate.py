"""``rocsolid evaluate``: the AUC of score columns in a table."""

from __future__ import annotations

import shlex
import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from rocsolid.binary.resampling.schemes import Scheme
from rocsolid.cli.output import (
    one_form,
    print_evaluation,
    print_json,
    refuse_overwriting,
    write_text,
)
from rocsolid.cli.picture import check_picture, write_picture
from rocsolid.cli.public_output import check_public, need_public, show_public
from rocsolid.cli.query_options import QueryOptions
from rocsolid.cli.screen import tell
from rocsolid.cli.source import MemoryOptions, long_work, not_an_option, source_of
from rocsolid.errors import InputError
from rocsolid.evaluation import evaluate as evaluate_table
from rocsolid.inputs import TextLabel


def evaluate(
    *table: Annotated[str, Parameter(allow_leading_hyphen=True, validator=not_an_option)],
    label: str,
    score: Annotated[list[str], Parameter(negative=())],
    qid: str | None = None,
    measure: Annotated[list[str] | None, Parameter(negative=())] = None,
    by: Annotated[list[str] | None, Parameter(negative=())] = None,
    sample_weight: str | None = None,
    frequency: str | None = None,
    cluster: str | None = None,
    design: Literal["fixed"] | None = None,
    pos_label: str | None = None,
    lower_is_better: Annotated[bool, Parameter(negative=())] = False,
    nan: Literal["raise", "omit"] = "raise",
    interval: str = "auto",
    level: float = 0.95,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    resamples: int | None = None,
    seed: int = 0,
    scheme: Scheme | None = None,
    json: Annotated[bool, Parameter(negative=())] = False,
    markdown: Annotated[bool, Parameter(negative=())] = False,
    latex: Annotated[bool, Parameter(negative=())] = False,
    html: str | None = None,
    public: Annotated[bool, Parameter(negative=())] = False,
    max_exposed: int | None = None,
    max_bits: float | None = None,
    plot: str | None = None,
    reading: MemoryOptions | None = None,
    queries: QueryOptions | None = None,
) -> int:
    """The AUC of one or more scores, or partial areas, with a calibrated and a certified interval.

    With --qid: nDCG and other measures of ranked lists, over queries, and all scores compared.

    Example: `rocsolid evaluate scores.csv --label ill --score risk --score lab --by hospital`

    Example: `rocsolid evaluate a.csv --label ill --score risk --measure "partial_auc(fpr<=0.05)"`

    Example: `rocsolid evaluate t.csv --qid query --label grade --score a --score b --measure map`

    Parameters
    ----------
    table
        CSV, TSV, JSON Lines, Parquet or Arrow IPC file; `-` reads standard input. Several files, a
        folder of them or a quoted pattern such as "part-*.parquet" are one table.
    label
        The column of labels: 0 and 1, -1 and 1, or true and false; else name one with --pos-label.
        With --qid the grades of relevance: numbers from 0, none where nobody judged.
    score
        A score column; repeat the option for more.
    qid
        The column that says which query a row belongs to.
    measure
        "auc", which is what you get unless you ask, or a partial area such as
        "partial_auc(fpr<=0.05)", "partial_auc(tpr>=0.9, scale=mcclish)" or
        "partial_auc(fpr<=0.1, tpr>=0.8)"; repeat the option for more. With --qid such as ndcg@10
        (which is what you get unless you ask), map, rr@10, P_10, "err(max=4)@20", bpref or gauc.
    by
        A column whose values are segments to evaluate apart; repeat it for combinations. With
        --qid it must be the same for all rows of a query.
    sample_weight
        The column of row weights (importance, not replication).
    frequency
        The column that says how many rows are like this one: whole numbers. Every number is that
        of the rows written out.
    cluster
        The column that says which rows belong together, such as a patient.
    design
        "fixed" declares that weights, and how many rows of each class a cluster has, were fixed
        without regard to the scores. Without it weighted or clustered rows have no certified
        interval.
    pos_label
        The label that counts as positive; all others are negative.
    lower_is_better
        Low scores mean positive.
    nan
        What to do with a missing score: stop, or leave the row out and say how many.
    interval
        The method of the interval beside the certified one, such as "auto" or "bootstrap".
    level
        The level of both intervals.
    alternative
        "greater" for a lower limit only, "less" for an upper one.
    resamples
        How many resamples a bootstrap interval takes (2,000), or exchanges a test over queries
        (10,000).
    seed
        The seed of the resamples: the same one gives the same interval.
    scheme
        What a resample draws: rows of each class (stratified), rows of either class (plain), whole
        clusters (cluster), or random weights of Poisson or exponential numbers (bayesian).
    json
        Print JSON in place of the table.
    markdown
        Print Markdown in place of the table.
    latex
        Print LaTeX tables (booktabs) in place of the table.
    html
        Write a self-contained report to this file as well.
    public
        Round the table, the JSON and the report, draw the curve at a few rounded points, leave out
        what spells out labels, and say what is still given away. All of it is made coarser until no
        label is certain; where that cannot be, nothing is written and the exit code is 1.
    max_exposed
        With --public: how many labels may be certain, or could be (0).
    max_bits
        With --public: how many bits it may tell about the labels, on average (no limit).
    plot
        Draw the ROC curves over all rows to this PNG, SVG or PDF file as well. An exact curve
        gives the labels away to whoever has the scores.
    """
    one_form(json=json, markdown=markdown, latex=latex)
    source, machine = source_of(table), MemoryOptions() if reading is None else reading
    if public:
        check_public({"--qid": qid is not None, "--plot": plot is not None})
    else:
        need_public({"--max-exposed": max_exposed, "--max-bits": max_bits})
    for file in table:
        if html is not None:
            refuse_overwriting(file, html)
        if plot is not None:
            check_picture(file, plot)
    options = QueryOptions() if queries is None else queries
    if qid is not None:
        if plot is not None:
            raise InputError(
                "measures of queries have no ROC curve to draw",
                where="--plot",
                value=plot,
                fix="leave it out; --html draws the values and their differences",
            )
        from rocsolid.cli.evaluate_queries import evaluate_by_query

        return evaluate_by_query(
            source,
            qid,
            options,
            json=json,
            markdown=markdown,
            latex=latex,
            html=html,
            label=label,
            scores=score,
            measures=measure or None,
            by=by or None,
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
                "design": design,
                "pos_label": pos_label,
                "scheme": scheme,
            },
            **machine.given(),
        )
    slow = interval.startswith("bootstrap")
    with long_work(
        "resampling" if slow else "reading", expected=slow or machine.memory is not None
    ) as bar:
        result = evaluate_table(
            source,
            label=label,
            scores=score,
            measures=measure or ["auc"],
            by=by or None,
            sample_weight=sample_weight,
            frequency=frequency,
            cluster=cluster,
            design=design,
            pos_label=None if pos_label is None else TextLabel(pos_label),
            lower_is_better=lower_is_better,
            nan=nan,
            interval=interval,
            level=level,
            alternative=alternative,
            resamples=resamples,
            seed=seed,
            scheme=scheme,
            progress=bar,
            **machine.given(),
            **options.given(),
        )
    if public:
        exposed = 0 if max_exposed is None else max_exposed
        published = result.public(max_exposed=exposed, max_bits=max_bits)
        return show_public(published, json=json, markdown=markdown, latex=latex, html=html)
    if html is not None:
        write_text(html, result.to_html(command=shlex.join(["rocsolid", *sys.argv[1:]])))
    if plot is not None:
        from rocsolid import plots

        gives = write_picture(plot, plots.roc(result))
    if json:
        print_json(result.to_dict())
    elif markdown or latex:
        sys.stdout.write(result.to_markdown() if markdown else result.to_latex())
    else:
        print_evaluation(result)
        if html is not None:
            tell(f"\nReport: {html}")
        if plot is not None:
            tell(f"Picture: {plot}. {gives}")
    return 0
