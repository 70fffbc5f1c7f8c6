"""``rocsolid leak count``: how many labelings fit a released AUC."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.leak.output import Flag, finish, print_words
from rocsolid.cli.leak.question import ReleasedScore, described, read_scored
from rocsolid.cli.progress import progress_bar
from rocsolid.errors import InputError
from rocsolid.evaluation.disclosure import released_decimals, review_release, roundings
from rocsolid.leaks import count as count_labelings
from rocsolid.report.disclosure import Disclosure


def count(
    table: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    /,
    *,
    question: ReleasedScore,
    score: str | None = None,
    known: str | None = None,
    n: int | None = None,
    fail_above: float | None = None,
    json: Flag = False,
    html: str | None = None,
) -> int:
    """How many labelings fit a released AUC, and how many bits are left unknown.

    Example: `rocsolid leak count --n 76 --auc 1387/1440`

    Example: `rocsolid leak count scores.csv --score risk --auc 0.83 --n-pos 20 --fail-above 10`

    Parameters
    ----------
    table
        CSV, TSV, JSON Lines, Parquet or Arrow IPC file with the scores; `-` reads standard input.
    score
        The column of scores; their ties matter.
    known
        A column of the labels that are known already: 0, 1, or empty.
    n
        The number of rows, in place of a table, if all scores are different.
    fail_above
        End with code 1 if the surprise is above this many bits: the logarithm (base 2) of the
        number of all labelings less that of the labelings that fit this very value.
    json
        Print JSON in place of words.
    html
        Write a page for a disclosure review to this file as well.
    """
    if (table is None) == (n is None) or (table is None) != (score is None):
        raise InputError(
            "not one set of rows", fix="give a table with --score, or --n for different scores"
        )
    if known is not None and table is None:
        raise InputError("--known names a column of a table", fix="give the table, with --score")
    scored = None if table is None else read_scored(table, [str(score)], known)
    rows = n if scored is None else scored.scores[0]
    options = question.options(None if scored is None else scored.known)
    with progress_bar("counting labelings"):
        found = count_labelings(question.auc, rows, **options)
    if not found.support and (html is not None or fail_above is not None):
        raise InputError(
            "no labeling of these rows has this AUC, so there is nothing to judge",
            value=question.auc,
            fix="check the scores and options; give --decimals if the value was rounded",
        )

    def page(command: str) -> Disclosure:
        with progress_bar("counting for fewer decimals"):
            rounded = roundings(question.auc, rows, **options)
        return review_release(
            found,
            tuple(described(question, scored, found.n, score or "")),
            rounded=rounded,
            decimals=released_decimals(question.auc, question.decimals),
            limit=fail_above,
            command=command,
        )

    return finish(
        found.to_dict(),
        lambda: print_words(found.explain()),
        json=json,
        html=html,
        page=page,
        bits=found.surprise_bits,
        fail_above=fail_above,
    )
