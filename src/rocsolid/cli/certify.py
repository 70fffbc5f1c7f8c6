"""``rocsolid certify``: a limit below a score's AUC, or another measure, that holds with proof."""

from __future__ import annotations

import shlex
import sys
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.table import Table

from rocsolid.cli.output import print_json, refuse_overwriting, write_text
from rocsolid.cli.screen import Screen, tell
from rocsolid.evaluation.certify_table import TableCertificates, certify_table
from rocsolid.inputs import TextLabel
from rocsolid.learners.certificate.certificate import rounded_down
from rocsolid.learners.certificate.grid import ranked

Flag = Annotated[bool, Parameter(negative=())]
FINDING = 1


def certify(
    table: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    label: str,
    score: Annotated[list[str], Parameter(negative=())],
    measure: str = "auc",
    delta: float = 0.05,
    candidates: int | None = None,
    bound: str = "auto",
    alternative: Literal["two-sided", "greater", "less"] = "greater",
    qid: str | None = None,
    sample_weight: str | None = None,
    cluster: str | None = None,
    design: Literal["fixed"] | None = None,
    pos_label: str | None = None,
    lower_is_better: Flag = False,
    independent: Flag = False,
    at_least: float | None = None,
    json: Flag = False,
    html: str | None = None,
) -> int:
    """A lower limit for a score's true AUC, proven for every distribution, on rows new to it.

    Example: `rocsolid certify held_out.csv --label ill --score risk`

    Example: `rocsolid certify ltr.csv --label grade --score s --qid q --measure ndcg@10`

    Parameters
    ----------
    table
        CSV, TSV, JSON Lines, Parquet or Arrow IPC file; `-` reads standard input. None of its rows
        may have been used to fit the scores.
    label
        The column of labels: 0 and 1, -1 and 1, or true and false (else name one with --pos-label);
        with --qid of grades.
    score
        A score column; repeat the option for candidates of which the best is to be picked.
    measure
        "auc", "partial_auc(fpr<=0.1)" or the like, or with --qid "ndcg@10" or the like.
    delta
        The probability with which the limit may fail: 0.05 for 95 %.
    candidates
        How many scores were looked at on these rows, if more than are named: ln of it is charged.
    bound
        A guarantee by name, such as hinge, kl, hoeffding or mcdiarmid; "auto" is usually shortest.
    alternative
        "greater" for a lower limit, "less" for an upper one, "two-sided" for both.
    qid
        The column that names the query of each row, for measures of ranked lists.
    sample_weight
        The column of row weights (importance, not replication).
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
    independent
        Assert that the scores were fitted on other rows; the certificate then says that you did.
    at_least
        Say whether the limit of the best score reaches this, and end with exit code 1 if not.
    json
        Print JSON in place of the text.
    html
        Write the certificate to this file as a self-contained page as well.
    """
    if html is not None:
        refuse_overwriting(table, html)
    result = certify_table(
        table,
        label=label,
        scores=score,
        measure=measure,
        delta=delta,
        n_candidates=candidates,
        bound=bound,
        alternative=alternative,
        qid=qid,
        sample_weight=sample_weight,
        cluster=cluster,
        design=design,
        pos_label=None if pos_label is None else TextLabel(pos_label),
        lower_is_better=lower_is_better,
        independent=independent,
        at_least=at_least,
    )
    if html is not None:
        write_text(html, result.to_html(command=shlex.join(["rocsolid", *sys.argv[1:]])))
    if json:
        print_json(result.to_dict())
    else:
        print_certificates(result)
        if html is not None:
            tell(f"\nReport: {html}")
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
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("score", overflow="fold")
    for name in (result.grid.certificate.measure, "at least"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for name, one in ranked(result.grid.certificates):
        digits = one.interval.decimals
        table.add_row(name, f"{one.value:.{digits}f}", rounded_down(one.low, digits), one.verdict)
    screen.show(table)
