"""``rocsolid evaluate``: the AUC of score columns in a table."""

from __future__ import annotations

import shlex
import sys
from contextlib import nullcontext
from typing import Annotated, Literal

from cyclopts import Parameter

from rocsolid.binary.resampling.schemes import Scheme
from rocsolid.cli.output import print_evaluation, print_json, refuse_overwriting, write_text
from rocsolid.cli.progress import progress_bar
from rocsolid.evaluation import evaluate as evaluate_table
from rocsolid.inputs import TextLabel


def evaluate(
    table: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    label: str,
    score: Annotated[list[str], Parameter(negative=())],
    measure: Annotated[list[str] | None, Parameter(negative=())] = None,
    by: Annotated[list[str] | None, Parameter(negative=())] = None,
    sample_weight: str | None = None,
    cluster: str | None = None,
    pos_label: str | None = None,
    lower_is_better: Annotated[bool, Parameter(negative=())] = False,
    nan: Literal["raise", "omit"] = "raise",
    interval: str = "auto",
    level: float = 0.95,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    resamples: int = 2000,
    seed: int = 0,
    scheme: Scheme | None = None,
    json: Annotated[bool, Parameter(negative=())] = False,
    html: str | None = None,
) -> int:
    """The AUC of one or more scores, or partial areas, with a calibrated and a certified interval.

    Example: `rocsolid evaluate scores.csv --label ill --score risk --score lab --by hospital`

    Example: `rocsolid evaluate a.csv --label ill --score risk --measure "partial_auc(fpr<=0.05)"`

    Parameters
    ----------
    table
        CSV, TSV, JSON Lines, Parquet or Arrow IPC file; `-` reads standard input.
    label
        The column of labels: 0 and 1, -1 and 1, or true and false; else name one with --pos-label.
    score
        A score column; repeat the option for more.
    measure
        "auc", which is what you get unless you ask, or a partial area such as
        "partial_auc(fpr<=0.05)", "partial_auc(tpr>=0.9, scale=mcclish)" or
        "partial_auc(fpr<=0.1, tpr>=0.8)"; repeat the option for more.
    by
        A column whose values are segments to evaluate apart; repeat it for combinations.
    sample_weight
        The column of row weights (importance, not replication).
    cluster
        The column that says which rows belong together, such as a patient.
    pos_label
        The label that counts as positive.
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
        How many resamples a bootstrap interval takes.
    seed
        The seed of the resamples: the same one gives the same interval.
    scheme
        What a resample draws: rows of each class (stratified), rows of either class (plain), whole
        clusters (cluster), or random weights of Poisson or exponential numbers (bayesian).
    json
        Print JSON in place of the table.
    html
        Write a self-contained report to this file as well.
    """
    if html is not None:
        refuse_overwriting(table, html)
    with progress_bar("resampling") if interval.startswith("bootstrap") else nullcontext() as bar:
        result = evaluate_table(
            table,
            label=label,
            scores=score,
            measures=measure or ["auc"],
            by=by or None,
            sample_weight=sample_weight,
            cluster=cluster,
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
        )
    if html is not None:
        write_text(html, result.to_html(command=shlex.join(["rocsolid", *sys.argv[1:]])))
    if json:
        print_json(result.to_dict())
    else:
        print_evaluation(result)
        if html is not None:
            print(f"\nReport: {html}")  # noqa: T201 -- the path is the answer here
    return 0
