"""``rocsolid certify``: a limit below a score's AUC, or another measure, that holds with proof."""

from __future__ import annotations

from rocsolid.cli.columns import RowOptions
from rocsolid.cli.forms import CheckedForms
from rocsolid.cli.options import (
    Alternative,
    Bound,
    Candidates,
    Flag,
    Level,
    Measure,
    Qid,
    TableFile,
    keywords,
)
from rocsolid.cli.progress import progress_bar
from rocsolid.evaluation.certify_table import certify_table

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
    independent: Flag = False,
    fail_below: float | None = None,
    forms: CheckedForms = CheckedForms(),
) -> int:
    """Certify an AUC: a lower limit for the true value, proven for every distribution.

    The rows must be new: not used to fit the scores. Several scores are certified together, and the
    best is named. With --qid the labels are grades of relevance.

    Example: `rocsolid certify held_out.csv --label ill --score risk`

    Example: `rocsolid certify ltr.csv --label grade --score s --qid q --measure ndcg@10`

    Parameters
    ----------
    independent
        Declare that the scores were fitted on other rows; the certificate mentions it.
    fail_below
        End with exit code 1 if the limit of the best score is below this value.
    """
    forms.check(table)
    with progress_bar("reading"):
        result = certify_table(
            table, qid=qid, measure=measure, bound=bound, level=level, alternative=alternative,
            candidates=candidates, independent=independent, at_least=fail_below, **keywords(rows),
        )  # fmt: skip
    result = forms.muted(result)
    forms.show(result)
    return FINDING if result.reached is False else 0
