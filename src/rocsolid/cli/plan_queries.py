"""``rocsolid plan queries``: how many queries a test or an interval needs, from a pilot or not."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.options import (
    COLUMNS,
    Alternative,
    File,
    Json,
    Label,
    Level,
    Measure,
    Power,
    Qid,
    Scores,
    Width,
    given,
)
from rocsolid.cli.output import print_json
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.source import source_of
from rocsolid.errors import InputError
from rocsolid.evaluation import evaluate
from rocsolid.evaluation.runs import evaluate_runs
from rocsolid.plan import query_anova, query_power, query_precision, query_spread
from rocsolid.plan.query_anova import QueryAnova
from rocsolid.plan.query_power import QueryPower
from rocsolid.plan.query_precision import QueryPrecision
from rocsolid.plan.query_spread import QuerySpread


def queries(
    *files: File,
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
    """Plan a comparison over queries, or an interval: leave out what is to be found.

    Of --difference, --queries and --power leave one out: for the paired t test of two systems, or
    with --systems for one-way ANOVA of several. Without --difference and --power it is --width or
    --queries, for the interval of one system's mean.

    A pilot of two or more systems takes the place of --sd: judgements and runs, or a table with
    --qid, --label and --score.

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
            "nothing says how values vary over queries" if spread is None else
            "the pilot says how values vary over queries, and so does --sd",
            fix="give --sd, or a pilot: judgements and runs, or a table with --qid",
        )  # fmt: skip
    options = given(difference=difference, queries=queries, power=power)
    of_interval = difference is None and power is None
    if (width is not None and not of_interval) or (systems is not None and of_interval):
        raise InputError(
            "an interval has a width, and a test a difference and a power",
            fix="give --width without --difference, --power and --systems, or leave it out",
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
                "a pilot has two systems at least", where="files", value=list(files),
                fix="name the judgements and two runs, or a table with --qid, --label and --score",
            )  # fmt: skip
        with progress_bar("reading"):
            measured = evaluate_runs(judged, runs, measure).measures
    elif not files or qid is None or label is None or scores is None or len(scores) < 2:
        raise InputError(
            "half a pilot", fix="give a table with --qid, --label and --score twice or more"
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
            fix="take a pilot of more queries, or give --sd",
        )  # fmt: skip
    return spread
