"""``rocsolid certify``: a limit below a score's AUC, or another measure, that holds with proof."""

from __future__ import annotations

from rocsolid.cli.columns import RowOptions
from rocsolid.cli.forms import PageForms
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
from rocsolid.cli.screen import Screen, text_table
from rocsolid.evaluation.certify_table import TableCertificates, certify_table
from rocsolid.learners.certificate.certificate import rounded_down
from rocsolid.learners.certificate.grid import ranked
from rocsolid.report.cells import Cells

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
    forms: PageForms = PageForms(),
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
    forms.show(result, lambda: print_certificates(result))
    return FINDING if result.reached is False else 0


def print_certificates(result: TableCertificates) -> None:
    """The best candidate in words, and before it a line for each where there are several."""
    screen = Screen()
    if len(result.grid) > 1:
        _print_candidates(screen, result)
        screen.print()
    best = result.grid.certificate
    screen.print(f"{result.grid.best}: {best}", style="bold")
    if result.decision:
        screen.print(result.decision, style="bold")
    screen.print()
    for sentence in best.sentences():
        screen.print(sentence)
    screen.print()
    features = f"features {best.data}, " if best.data else ""
    screen.print(f"Fingerprint: {features}scores {best.scores}.", style="dim")


def _print_candidates(screen: Screen, result: TableCertificates) -> None:
    table = text_table(Cells("", ("score", result.grid.certificate.measure, "at least"), ()))
    table.add_column("verdict", no_wrap=True)
    for name, one in ranked(result.grid.certificates):
        digits = one.interval.decimals
        table.add_row(name, f"{one.value:.{digits}f}", rounded_down(one.low, digits), one.verdict)
    screen.show(table)
