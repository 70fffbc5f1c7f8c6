"""``rocsolid plan``: rows to label first, queries, and rows for certified results."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from rocsolid import plan as plans
from rocsolid.cli.lists import (
    COLUMNS,
    N_NEG,
    N_POS,
    Alternative,
    AucB,
    Bound,
    Candidates,
    Correlation,
    Errors,
    ExpectedAuc,
    HalfWidth,
    Json,
    Label,
    Level,
    LowerIsBetter,
    Measure,
    Out,
    Power,
    Prevalence,
    Qid,
    Scores,
    Seed,
    TableFile,
    Width,
    given,
    shown,
)
from rocsolid.cli.lists import File as OptionsFile
from rocsolid.cli.output import print_json, print_table, print_words, write_text
from rocsolid.cli.power import difference, power, precision
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.source import source_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.evaluation.evaluate_table import evaluate
from rocsolid.evaluation.runs import evaluate_runs
from rocsolid.inputs.delimited import records, separator
from rocsolid.inputs.files import File, find_file
from rocsolid.inputs.tables import read_table
from rocsolid.parameters import option_name
from rocsolid.plan.holdout import Holdout
from rocsolid.plan.pilot import LabelPlan
from rocsolid.plan.pilot import labels as rows_to_label
from rocsolid.plan.queries import (
    QueryAnova,
    QueryPower,
    QueryPrecision,
    QuerySpread,
    query_anova,
    query_power,
    query_precision,
    query_spread,
)

_ADDED = ("inclusion_probability", "weight", "label_me")


def labels(
    table: TableFile,
    /,
    *,
    scores: Annotated[Scores, Parameter(group=COLUMNS)],
    chance: Annotated[str, Parameter(group=COLUMNS)],
    lower_is_better: Annotated[LowerIsBetter, Parameter(group=COLUMNS)] = False,
    budget: int,
    measure: Measure = "pr_auc",
    seed: Seed = 0,
    out: Out | None = None,
    json: Json = False,
) -> int:
    """Which rows to label first when labels are expensive: those that move a measure most.

    Two scores plan for their difference. --out adds the columns inclusion_probability, weight and
    label_me to the table: label the rows with label_me 1, keep only them, and evaluate with
    --sample-weight weight.

    Example: `rocsolid plan labels t.csv --score a --chance p --budget 500 --out to_label.csv`

    Parameters
    ----------
    chance
        The column of guessed probabilities of being positive, such as a calibrated score.
    budget
        The expected number of labels.
    """
    file = find_file(table)
    if out is not None and file.format not in ("csv", "tsv"):
        raise InputError("only CSV and TSV tables can be written", where="--out", value=file.name,
                         fix="use rs.plan.labels in Python, or convert the table")  # fmt: skip
    read = read_table(file, numbers=list(dict.fromkeys([*scores, chance])))
    planned = rows_to_label(
        {name: read[name] for name in scores}, chance=read[chance], budget=budget,
        measure=measure, lower_is_better=lower_is_better, seed=seed,
    )  # fmt: skip
    if out is not None:
        write_text(out, _with_plan(file, planned))
    if json:
        print_json(planned.to_dict())
        return 0
    print(planned)  # noqa: T201 -- the answer
    for warning in planned.warnings:
        print(f"note: {warning}")  # noqa: T201
    return 0


def _with_plan(file: File, planned: LabelPlan) -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator(file), lineterminator="\n")
    cells = (row for _, row in records(file))
    header = next(cells)
    for name in _ADDED:
        if name in header:
            raise InputError("the table already has this column", where=file.name, value=name,
                             fix="rename it, or leave it out")  # fmt: skip
    writer.writerow([*header, *_ADDED])
    added = zip(
        planned.inclusion_probability.tolist(), planned.weight.tolist(),
        planned.label_me.astype(int).tolist(), strict=True,
    )  # fmt: skip
    writer.writerows([*row, *more] for row, more in zip(cells, added, strict=True))
    return text.getvalue()


def queries(
    *files: OptionsFile,
    qid: Annotated[Qid | None, Parameter(group=COLUMNS)] = None,
    label: Annotated[Label | None, Parameter(group=COLUMNS)] = None,
    scores: Annotated[Scores | None, Parameter(group=COLUMNS)] = None,
    measure: Measure = "ndcg@10",
    sd: float | None = None,
    difference: float | None = None,
    width: Width | None = None,
    queries: float | None = None,
    power: Power | None = None,
    systems: int | None = None,
    level: Level = 0.95,
    alternative: Alternative = "two-sided",
    json: Json = False,
) -> int:
    """Plan a comparison over queries, or an interval: omit the quantity to be found.

    Omit one of --difference, --queries and --power: this plans the paired t test of two systems, or
    with --systems one-way ANOVA of several. Without --difference and --power, omit --width or
    --queries, for the interval of one system's mean.

    A pilot of two or more systems replaces --sd: judgements and runs, or a table with --qid,
    --label and --score.

    Example: `rocsolid plan queries --sd 0.12 --difference 0.03 --power 0.8`

    Example: `rocsolid plan queries qrels.txt bm25.run bert.run --difference 0.03 --power 0.8`

    Example: `rocsolid plan queries t.csv --qid q --label grade --score a --score b --width 0.05`

    Parameters
    ----------
    files
        The pilot: the judgements and then the runs, or with --qid a table.
    sd
        The standard deviation over queries: of the differences of two systems, or for --systems and
        --width of one system's values.
    difference
        The difference of the means to plan for; with --systems that of the best and the worst.
    queries
        The number of queries.
    systems
        Plan one-way ANOVA of so many systems.
    """
    spread = _pilot(files, qid, label, scores, measure)
    if (spread is None) == (sd is None):
        raise InputError(
            "the variation of values over queries is not known" if spread is None else
            "both the pilot and --sd define the variation over queries",
            fix="pass --sd, or a pilot: judgements and runs, or a table with --qid",
        )  # fmt: skip
    options = given(difference=difference, queries=queries, power=power)
    of_interval = difference is None and power is None
    if (width is not None and not of_interval) or (systems is not None and of_interval):
        raise InputError(
            "an interval has a width; a test has a difference and a power",
            fix="pass --width without --difference, --power and --systems, or omit it",
        )
    if alternative != "two-sided" and (of_interval or systems is not None):
        raise InputError(
            "only the test of two systems has a side", where="--alternative", value=alternative,
            fix="leave it out",
        )  # fmt: skip
    planned: QueryAnova | QueryPower | QueryPrecision
    alone = spread.value if spread is not None else sd or 0.0
    if of_interval:
        planned = query_precision(sd=alone, width=width, queries=queries, level=level)
    elif systems is not None:
        planned = query_anova(sd=alone, systems=systems, level=level, **options)
    else:
        paired = spread.difference if spread is not None else sd or 0.0
        planned = query_power(sd=paired, level=level, alternative=alternative, **options)
    if json:
        pilot = None if spread is None else spread.to_dict()
        print_json({**planned.to_dict(), "pilot": pilot})
        return 0
    if spread is not None:
        print(f"Pilot by {measure}: {spread}")  # noqa: T201 -- part of the answer
    print(planned)  # noqa: T201 -- the answer
    return 0


def _pilot(
    files: tuple[str, ...],
    qid: str | None,
    label: str | None,
    scores: list[str] | None,
    measure: str,
) -> QuerySpread | None:
    columns = (qid, label, scores)
    if not files and columns == (None, None, None):
        return None
    if columns == (None, None, None):
        judged, *runs = files
        if len(runs) < 2:
            raise InputError(
                "a pilot needs at least two systems", where="files", value=list(files),
                fix="pass the judgements and two runs, or a table with --qid, --label and --score",
            )  # fmt: skip
        with progress_bar("reading"):
            measured = evaluate_runs(judged, runs, measure).measures
    elif not files or qid is None or label is None or scores is None or len(scores) < 2:
        raise InputError(
            "half a pilot", fix="pass a table with --qid, --label and --score twice or more"
        )
    else:
        with progress_bar("reading"):
            measured = evaluate(
                source_of(files), label=label, scores=scores, qid=qid, measures=measure
            ).measures
    spread = query_spread(measured[0].estimates)
    if spread.value == 0.0 or spread.difference == 0.0:
        raise InputError(
            "the pilot shows no variation over queries", where=str(spread),
            fix="use a pilot with more queries, or pass --sd",
        )  # fmt: skip
    return spread


plan = App(name="plan", **shown("plan"))
plan.command(difference)
plan.command(labels)
plan.command(power)
plan.command(precision)
plan.command(queries)


@dataclass(frozen=True, slots=True)
class Purpose:
    plan: Callable[..., Any]
    needs: str
    may_have: str

    def check(self, name: str, options: dict[str, Any]) -> None:
        for missing in self.needs.split():
            if missing not in options:
                raise InputError(
                    f"--for {name} needs {option_name(missing)}", fix=f"give {option_name(missing)}"
                )
        known = [*self.needs.split(), *self.may_have.split()]
        for other in options:
            if other not in known:
                raise InputError(
                    f"--for {name} does not use {option_name(other)}",
                    fix=f"omit it; the options are {', '.join(map(option_name, known))}",
                )


_BY_BOUND = "prevalence level bound candidates measure auc_b correlation"
PURPOSES = {
    "certify": Purpose(plans.labels_to_certify, "target auc", _BY_BOUND),
    "samples": Purpose(plans.samples, "epsilon", f"auc {_BY_BOUND}"),
    "top": Purpose(plans.top_precision, "value prevalence", "measure half_width rows level"),
    "error-rate": Purpose(plans.error_rate_samples, "epsilon", "prevalence level"),
    "rankings": Purpose(plans.auc_at_error_rate, "errors n_pos n_neg", "level"),
    "holdout": Purpose(plans.holdout, "width auc n_pos n_neg", "level"),
}


@plan.command
def size(
    *,
    purpose: Annotated[
        Literal["certify", "samples", "top", "error-rate", "rankings", "holdout"],
        Parameter(name="--for"),
    ],
    auc: ExpectedAuc | None = None,
    auc_b: AucB | None = None,
    correlation: Correlation | None = None,
    target: float | None = None,
    epsilon: float | None = None,
    value: float | None = None,
    measure: Measure | None = None,
    half_width: HalfWidth | None = None,
    rows: int | None = None,
    errors: Errors | None = None,
    width: Width | None = None,
    n_pos: Annotated[int | None, N_POS] = None,
    n_neg: Annotated[int | None, N_NEG] = None,
    bound: Bound | None = None,
    candidates: Candidates | None = None,
    prevalence: Prevalence | None = None,
    level: Level | None = None,
    json: Json = False,
) -> int:
    """Rows for a certified claim, or the claims that rows allow.

    - certify: rows for the claim "the AUC is at least --target", if the AUC comes out as --auc.
    - samples: rows for an AUC within --epsilon of the true one, for every distribution. With
      --auc, both are for normal scores: an AUC, an area (--measure "partial_auc(fpr<=0.1)"), or
      with --auc-b and --correlation a difference of AUCs.
    - top: rows for average precision, or for the precision among the best rows.
    - error-rate: rows for an error rate, and for an AUC, to within --epsilon.
    - rankings: the AUC of rankings with a given number of --errors.
    - holdout: the answers that keep the intervals of a test set within --width.

    Example: `rocsolid plan size --for certify --target 0 --auc 0.85 --auc-b 0.8 --correlation 0.5`

    Example: `rocsolid plan size --for top --value 0.4 --prevalence 0.1 --rows 2000`

    Example: `rocsolid plan size --for holdout --auc 0.8 --n-pos 900 --n-neg 900 --width 0.2`

    Parameters
    ----------
    purpose
        What to plan.
    target
        The AUC that you want to claim. Give a cautious --auc with it: half of the time the AUC of
        the labelled rows is lower than the true one.
    epsilon
        The largest distance from the true value that you accept.
    value
        The value that you expect.
    rows
        The number of labelled rows; give it or --half-width to find the other.
    """
    options = given(
        auc=auc, auc_b=auc_b, correlation=correlation, target=target, epsilon=epsilon,
        value=value, measure=measure, rows=rows, half_width=half_width, errors=errors,
        width=width, n_pos=n_pos, n_neg=n_neg, bound=bound, candidates=candidates,
        prevalence=prevalence, level=level,
    )  # fmt: skip
    chosen = PURPOSES[purpose]
    chosen.check(purpose, options)
    planned = chosen.plan(**options)
    if json:
        print_json(planned.to_dict())
    elif isinstance(planned, Holdout):
        print_words(f"{planned}.\n")
        print_table(
            ["answers by", "at the end", "shown"],
            [[way.answer, f"{way.at_end:,}", f"{way.shown:,}"] for way in planned.answers],
        )
    else:
        print(planned)  # noqa: T201 -- the answer
        of = "difference of AUCs" if auc_b is not None else measure or "AUC"
        if purpose == "samples":
            print(f"within {planned.reaches:.4f} of the true {of}; {planned.source}")  # noqa: T201
        elif purpose == "certify":
            at = f"{auc:g}" if auc_b is None else f"{auc:g} and {auc_b:g}"
            print(f"lower limit {planned.reaches:.4f} of the {of} at an AUC of {at}; "  # noqa: T201
                  f"{planned.source}")  # fmt: skip
    return 0
