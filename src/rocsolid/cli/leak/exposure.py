"""``rocsolid leak exposure``: how surely a released AUC tells the label of each row."""

from __future__ import annotations

from rocsolid.cli.leak.output import ReviewForms
from rocsolid.cli.leak.question import (
    MostExposed,
    ReleasedScore,
    SharedLabels,
    described,
    read_scored,
)
from rocsolid.cli.options import Score, TableFile
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.screen import print_table, print_words
from rocsolid.evaluation.disclosure import ExposedRows, released_decimals, review_release, roundings
from rocsolid.leaks import count as count_labelings
from rocsolid.leaks import exposure as expose
from rocsolid.report.disclosure import Disclosure


def exposure(
    table: TableFile,
    /,
    *,
    released: ReleasedScore,
    score: Score,
    rows: MostExposed = 10,
    shared: SharedLabels = SharedLabels(),
    forms: ReviewForms = ReviewForms(),
) -> int:
    """Which rows a released AUC exposes: how surely it tells the label of each row.

    All labelings that fit count as equally likely. Of rows that share a label one is shown. --json
    has the probability of every row; the page shows rows but no labels. Bits are counted as in
    `rocsolid leak count`.

    Example: `rocsolid leak exposure scores.csv --score risk --auc 0.83 --n-pos 20 --html page.html`
    """
    scored = read_scored(table, [score], released.known, shared)
    options = released.options(scored)
    with progress_bar("computing probabilities"):
        found = expose(released.auc, scored.scores[0], **options)
        counted = count_labelings(released.auc, scored.scores[0], **options)
    exposed = found.most_exposed(rows)
    names = scored.row_names([one.row for one in exposed])

    def page(command: str) -> Disclosure:
        with progress_bar("counting for fewer decimals"):
            rounded = roundings(released.auc, scored.scores[0], **options)
        return review_release(
            counted,
            tuple(described(released, scored, len(scored), score)),
            exposure=found,
            rows=ExposedRows(
                scored.named_by,
                tuple((names[o.row], o.probability, o.row in found.forced) for o in exposed),
            ),
            rounded=rounded,
            decimals=released_decimals(released.auc, released.decimals),
            limit=forms.fail_above,
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

    return forms.finish(
        found,
        show,
        review=page,
        bits=counted.surprise_bits,
        data={**found.to_dict(), "count": counted.to_dict()},
    )
