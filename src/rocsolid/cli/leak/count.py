"""``rocsolid leak count``: what one or several releases reveal."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.leak.question import (
    RELEASED,
    Hidden,
    KnownLabels,
    ReviewForms,
    ScoredTable,
    SharedLabels,
    described,
    positives,
    read_scored,
)
from rocsolid.cli.lists import Scores, TableFile
from rocsolid.cli.output import print_table, print_words
from rocsolid.cli.progress import progress_bar
from rocsolid.counts import counted
from rocsolid.errors import InputError
from rocsolid.evaluation.disclosure.release import (
    ExposedRows,
    released_decimals,
    review_joint,
    review_release,
    roundings,
)
from rocsolid.leaks.counting import count as count_labelings
from rocsolid.leaks.evidence import Measure, Release
from rocsolid.leaks.exposure import exposure as expose
from rocsolid.leaks.joint import joint as join_releases
from rocsolid.report.document import Disclosure


def joint(
    scored: ScoredTable,
    scores: list[str],
    released: list[str],
    measures: list[Measure] | None,
    labels: KnownLabels,
    rows: int,
    forms: ReviewForms,
) -> int:
    measures = measures or ["auc"]
    if len(measures) == 1:
        measures = measures * len(scores)
    elif len(measures) != len(scores):
        raise InputError(
            f"{counted(len(measures), 'measure')} for {counted(len(scores), 'score')}",
            fix="pass --measure once, or once for each --score",
        )
    with progress_bar("searching labelings"):
        together = join_releases(
            [
                Release(column, value, labels.decimals, measure)
                for column, value, measure in zip(scored.scores, released, measures, strict=True)
            ],
            n_pos=positives(labels.n_pos),
            known=scored.known,
            **scored.shared,
        )
    exposed = together.most_exposed(rows)
    names = scored.row_names([row.row for row in exposed])

    def page(command: str) -> Disclosure:
        output = (
            ("Scores", f"{len(scored):,} rows of {scored.source}"),
            *(
                (f"Released for {column}", f"{measure} {value}")
                for column, value, measure in zip(scores, released, measures, strict=True)
            ),
            ("Number of positives", "not told" if labels.n_pos is None else labels.n_pos),
            ("Labels known from elsewhere", f"{len(scored.known):,}"),
        )
        shown = tuple(
            (
                names[row.row],
                row.probability,
                together.verdict == "unique" or (together.exact and row.probability == 1),
            )
            for row in exposed
        )
        return review_joint(
            together,
            output,
            rows=ExposedRows(scored.named_by, shown),
            limit=forms.fail_above,
            command=command,
        )

    def show() -> None:
        print_words(together.explain())
        print_words("")
        print_table(
            [scored.named_by, "likelier label", "probability"],
            [[names[row.row], str(row.label), f"{row.probability:.4f}"] for row in exposed],
        )

    return forms.finish(
        together,
        show,
        review=page,
        what="the number of bits revealed"
        if together.surprise_exact
        else "the most bits that can be revealed",
        bits=together.surprise_bits,
    )


def count(
    table: TableFile | None = None,
    /,
    *,
    auc: Annotated[list[str], RELEASED, Parameter(name=["--auc", "--value"], negative=())],
    scores: Scores | None = None,
    measures: Annotated[list[Measure] | None, Parameter(name="--measure", negative=())] = None,
    n: Hidden | None = None,
    rows: int | None = None,
    labels: KnownLabels = KnownLabels(),
    shared: SharedLabels = SharedLabels(),
    forms: ReviewForms = ReviewForms(),
) -> int:
    """Count the labelings that fit a released value, and how surely it reveals a row's label.

    Pass the number of rows, --n, if all scores differ, or else a table with --score. For several
    releases on the same labels repeat --score and --auc in the same order. All labelings that fit
    count as equally likely. --fail-above limits the bits revealed: log2 of the number of all
    labelings minus log2 of the number that fit; for several releases it uses an upper bound if the
    labelings were not counted. A page shows rows but no labels.

    Example: `rocsolid leak count --n 76 --auc 1387/1440`

    Example: `rocsolid leak count scores.csv --score risk --auc 0.83 --n-pos 20 --fail-above 10`

    Example: `rocsolid leak count scores.csv --score risk --auc 0.83 --cluster patient --rows 5`

    Example: `rocsolid leak count scores.csv --score risk --auc 0.83 --score lab --auc 0.85`

    Parameters
    ----------
    measures
        The measure of the values if it is not the AUC: once for all, or once for each.
    rows
        Show so many of the most exposed rows, or of units that share a label; --json then has the
        probability of every row. With several releases 10 are shown by default.
    """
    if (table is None) == (n is None) or (table is None) != (scores is None):
        raise InputError(
            "either a table or --n is needed, and not both",
            fix="pass a table with --score, or --n rows whose scores all differ",
        )
    alone = len(auc) == 1 and set(measures or ["auc"]) == {"auc"}
    if table is None or scores is None:
        if labels.known is not None or shared.given:
            raise InputError(
                "--known, --cluster and --frequency name columns of a table",
                fix="pass the table, with --score",
            )
        if not alone or rows is not None:
            raise InputError(
                "--n allows one AUC; rows, other measures and several releases need scores",
                fix="pass the table, with --score",
            )
        return _count(auc[0], n or 0, None, "", labels, forms)
    if len(auc) != len(scores):
        raise InputError(
            f"{counted(len(auc), 'value')} for {counted(len(scores), 'score')}",
            fix="pass one --auc for each --score",
        )
    scored = read_scored(table, scores, labels.known, shared)
    if not alone:
        return joint(scored, scores, auc, measures, labels, 10 if rows is None else rows, forms)
    if rows is None:
        return _count(auc[0], scored.scores[0], scored, scores[0], labels, forms)
    return _exposure(auc[0], scored, scores[0], labels, rows, forms)


def _count(
    auc: str,
    rows: object,
    scored: ScoredTable | None,
    score: str,
    labels: KnownLabels,
    forms: ReviewForms,
) -> int:
    options = labels.options(scored)
    with progress_bar("counting labelings"):
        counted = count_labelings(auc, rows, **options)
    if not counted.support and (forms.html is not None or forms.fail_above is not None):
        raise InputError(
            "no labeling of these rows has this AUC, so nothing can be counted",
            value=auc,
            fix="check the scores and options; use --decimals if the value was rounded",
        )

    def page(command: str) -> Disclosure:
        with progress_bar("counting for fewer decimals"):
            rounded = roundings(auc, rows, **options)
        return review_release(
            counted,
            tuple(described(auc, labels, scored, counted.n, score)),
            rounded=rounded,
            decimals=released_decimals(auc, labels.decimals),
            limit=forms.fail_above,
            command=command,
        )

    return forms.finish(
        counted, lambda: print_words(counted.explain()), review=page, bits=counted.surprise_bits
    )


def _exposure(
    auc: str, scored: ScoredTable, score: str, labels: KnownLabels, rows: int, forms: ReviewForms
) -> int:
    options = labels.options(scored)
    with progress_bar("computing probabilities"):
        exposure = expose(auc, scored.scores[0], **options)
        counted = count_labelings(auc, scored.scores[0], **options)
    exposed = exposure.most_exposed(rows)
    names = scored.row_names([row.row for row in exposed])

    def page(command: str) -> Disclosure:
        with progress_bar("counting for fewer decimals"):
            rounded = roundings(auc, scored.scores[0], **options)
        return review_release(
            counted,
            tuple(described(auc, labels, scored, len(scored), score)),
            exposure=exposure,
            rows=ExposedRows(
                scored.named_by,
                tuple(
                    (names[row.row], row.probability, row.row in exposure.forced) for row in exposed
                ),
            ),
            rounded=rounded,
            decimals=released_decimals(auc, labels.decimals),
            limit=forms.fail_above,
            command=command,
        )

    def show() -> None:
        print_words(exposure.explain())
        print_words(str(counted))
        if exposed:
            print_words("")
            print_table(
                [scored.named_by, "likelier label", "probability", "certain"],
                [
                    [
                        names[row.row],
                        str(row.label),
                        f"{row.probability:.4f}",
                        "yes" if row.row in exposure.forced else "",
                    ]
                    for row in exposed
                ],
            )

    return forms.finish(
        exposure,
        show,
        review=page,
        bits=counted.surprise_bits,
        data={**exposure.to_dict(), "count": counted.to_dict()},
    )
