"""``rocsolid leak exposure``: how surely a released AUC tells the label of each row."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.leak.output import Flag, finish, print_table, print_words
from rocsolid.cli.leak.question import ReleasedScore, described, read_scored
from rocsolid.cli.progress import progress_bar
from rocsolid.evaluation.disclosure import ExposedRows, released_decimals, review_release, roundings
from rocsolid.leaks import count as count_labelings
from rocsolid.leaks import exposure as expose
from rocsolid.report.disclosure import Disclosure


def exposure(
    table: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    question: ReleasedScore,
    score: str,
    known: str | None = None,
    rows: int = 10,
    fail_above: float | None = None,
    json: Flag = False,
    html: str | None = None,
) -> int:
    """How surely a released AUC tells the label of each row, if all that fit are equally likely.

    Example: `rocsolid leak exposure scores.csv --score risk --auc 0.83 --n-pos 20 --html page.html`

    Parameters
    ----------
    table
        CSV, TSV, JSON Lines, Parquet or Arrow IPC file with the scores; `-` reads standard input.
    score
        The column of scores.
    known
        A column of the labels that are known already: 0, 1, or empty.
    rows
        How many of the most exposed rows to show.
    fail_above
        End with code 1 if the surprise is above this many bits, counted as in leak count.
    json
        Print JSON, with the probability of every row, in place of the table.
    html
        Write a page for a disclosure review to this file as well; it shows rows but no labels.
    """
    scored = read_scored(table, [score], known)
    options = question.options(scored.known)
    with progress_bar("computing probabilities"):
        found = expose(question.auc, scored.scores[0], **options)
        counted = count_labelings(question.auc, scored.scores[0], **options)
    exposed = found.most_exposed(rows)
    names = scored.row_names([one.row for one in exposed])

    def page(command: str) -> Disclosure:
        with progress_bar("counting for fewer decimals"):
            rounded = roundings(question.auc, scored.scores[0], **options)
        return review_release(
            counted,
            tuple(described(question, scored, len(scored), score)),
            exposure=found,
            rows=ExposedRows(
                scored.named_by,
                tuple((names[o.row], o.probability, o.row in found.forced) for o in exposed),
            ),
            rounded=rounded,
            decimals=released_decimals(question.auc, question.decimals),
            limit=fail_above,
            command=command,
        )

    def show() -> None:
        print_words(found.explain())
        print_words(str(counted))
        if exposed:
            print_words("")
            print_table(
                [scored.named_by, "likelier label", "probability", "certain"],
                [
                    [
                        names[one.row],
                        str(one.label),
                        f"{one.probability:.4f}",
                        "yes" if one.row in found.forced else "",
                    ]
                    for one in exposed
                ],
            )

    return finish(
        {**found.to_dict(), "count": counted.to_dict()},
        show,
        json=json,
        html=html,
        page=page,
        bits=counted.surprise_bits,
        fail_above=fail_above,
    )
