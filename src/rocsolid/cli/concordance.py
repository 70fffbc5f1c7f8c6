"""``rocsolid concordance``: how scores order an outcome that is no label of two classes."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from rocsolid.binary.concordance import Scale
from rocsolid.cli.columns import OutcomeOptions
from rocsolid.cli.forms import ReportForms
from rocsolid.cli.options import ADJUST, INTERVALS, Alternative, Level, TableFiles, keywords
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.source import source_of
from rocsolid.evaluation.concordance_table import concordance_table


def concordance(
    *table: TableFiles,
    columns: OutcomeOptions,
    scale: Scale = "concordance",
    adjust: Annotated[Literal["auto", "holm", "max-t", "none"], ADJUST] = "auto",
    level: Annotated[Level, Parameter(group=INTERVALS)] = 0.95,
    alternative: Annotated[Alternative, Parameter(group=INTERVALS)] = "two-sided",
    forms: ReportForms = ReportForms(),
) -> int:
    """The AUC for grades, amounts or times: the share of pairs that a score orders right.

    Several scores are compared on the same rows. There is no --public: exact numbers rule out
    outcomes for anybody who has the scores.

    Example: `rocsolid concordance stays.csv --outcome days --score risk --score age --by ward`

    Parameters
    ----------
    scale
        concordance (from 0 to 1), or somers_d or gini (both 2 × concordance − 1).
    """
    forms.check(*table)
    with progress_bar("reading"):
        result = concordance_table(
            source_of(table), scale=scale, adjust=adjust, level=level, alternative=alternative,
            **keywords(columns),
        )  # fmt: skip
    forms.show(forms.muted(result))
    return 0
