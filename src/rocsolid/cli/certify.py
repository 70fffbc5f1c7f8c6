"""``rocsolid certify`` and ``concordance``: proven lower limits; the AUC for grades and times."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.columns import OutcomeOptions, RowOptions
from rocsolid.cli.forms import AnswerForms, ReportForms
from rocsolid.cli.lists import (
    INTERVALS,
    Alternative,
    Bound,
    Candidates,
    Flag,
    Level,
    Measure,
    MemoryOptions,
    Qid,
    TableFile,
    TableFiles,
    keywords,
    option,
)
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.source import source_of
from rocsolid.evaluation.certify_table import certify_table
from rocsolid.evaluation.evaluate_outcomes import concordance_table
from rocsolid.parameters import AdjustOfRows, Scale

FINDING = 1


def certify(
    table: TableFile,
    /,
    *,
    rows: RowOptions,
    qid: Qid | None = None,
    measure: Measure = "auc",
    bound: Bound = "auto",
    level: Level = 0.95,
    alternative: Alternative = "greater",
    candidates: Candidates | None = None,
    independent: Annotated[Flag, option("independent")] = False,
    at_least: Annotated[float | None, option("at_least")] = None,
    reading: MemoryOptions = MemoryOptions(),
    forms: AnswerForms = AnswerForms(),
) -> int:
    """Certify an AUC: a lower limit for the true value, proven for every distribution.

    The rows must be new: not used to fit the scores. Several scores are certified together, and the
    best is named. With --qid the labels are grades of relevance.

    Example: `rocsolid certify held_out.csv --label ill --score risk`

    Example: `rocsolid certify ltr.csv --label grade --score s --qid q --measure ndcg@10`"""
    forms.check(table)
    with progress_bar("reading"):
        result = certify_table(
            table, qid=qid, measure=measure, bound=bound, level=level, alternative=alternative,
            candidates=candidates, independent=independent, at_least=at_least,
            **keywords(rows, reading),
        )  # fmt: skip
    result = forms.muted(result)
    forms.show(result)
    return FINDING if result.reached is False else 0


def concordance(
    *table: TableFiles,
    columns: OutcomeOptions,
    scale: Annotated[Scale, option("scale")] = "concordance",
    adjust: Annotated[AdjustOfRows, option("adjust")] = "auto",
    level: Annotated[Level, Parameter(group=INTERVALS)] = 0.95,
    alternative: Annotated[Alternative, Parameter(group=INTERVALS)] = "two-sided",
    forms: ReportForms = ReportForms(),
) -> int:
    """The AUC for grades, amounts or times: the share of pairs that a score orders correctly.

    Several scores are compared on the same rows. There is no --public, because exact numbers rule
    out outcomes for anyone who has the scores.

    Example: `rocsolid concordance stays.csv --outcome days --score risk --score age --by ward`"""
    forms.check(*table)
    with progress_bar("reading"):
        result = concordance_table(
            source_of(table), scale=scale, adjust=adjust, level=level, alternative=alternative,
            **keywords(columns),
        )  # fmt: skip
    forms.show(forms.muted(result))
    return 0
