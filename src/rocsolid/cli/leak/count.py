"""``rocsolid leak count``: how many labelings fit a released AUC."""

from __future__ import annotations

from rocsolid.cli.leak.output import ReviewForms
from rocsolid.cli.leak.question import Hidden, ReleasedScore, SharedLabels, described, read_scored
from rocsolid.cli.options import Score, TableFile
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.screen import print_words
from rocsolid.errors import InputError
from rocsolid.evaluation.disclosure import released_decimals, review_release, roundings
from rocsolid.leaks import count as count_labelings
from rocsolid.report.disclosure import Disclosure


def count(
    table: TableFile | None = None,
    /,
    *,
    released: ReleasedScore,
    score: Score | None = None,
    n: Hidden | None = None,
    shared: SharedLabels = SharedLabels(),
    forms: ReviewForms = ReviewForms(),
) -> int:
    """How many labelings fit a released AUC, and how many bits are left unknown.

    Give the number of rows, --n, if all scores differ, or else a table with --score. --fail-above
    counts the surprise: log2 of the number of all labelings less log2 of the number that fit.

    Example: `rocsolid leak count --n 76 --auc 1387/1440`

    Example: `rocsolid leak count scores.csv --score risk --auc 0.83 --n-pos 20 --fail-above 10`

    Example: `rocsolid leak count scores.csv --score risk --auc 0.83 --cluster patient`
    """
    if (table is None) == (n is None) or (table is None) != (score is None):
        raise InputError(
            "the rows are named twice, or not at all",
            fix="give a table with --score, or --n rows whose scores all differ",
        )
    if (released.known is not None or shared.given) and table is None:
        raise InputError(
            "--known, --cluster and --frequency name columns of a table",
            fix="give the table, with --score",
        )
    scored = None if table is None else read_scored(table, [str(score)], released.known, shared)
    rows = n if scored is None else scored.scores[0]
    options = released.options(scored)
    with progress_bar("counting labelings"):
        found = count_labelings(released.auc, rows, **options)
    if not found.support and (forms.html is not None or forms.fail_above is not None):
        raise InputError(
            "no labeling of these rows has this AUC, so there is nothing to judge",
            value=released.auc,
            fix="check the scores and options; give --decimals if the value was rounded",
        )

    def page(command: str) -> Disclosure:
        with progress_bar("counting for fewer decimals"):
            rounded = roundings(released.auc, rows, **options)
        return review_release(
            found,
            tuple(described(released, scored, found.n, score or "")),
            rounded=rounded,
            decimals=released_decimals(released.auc, released.decimals),
            limit=forms.fail_above,
            command=command,
        )

    return forms.finish(
        found, lambda: print_words(found.explain()), review=page, bits=found.surprise_bits
    )
