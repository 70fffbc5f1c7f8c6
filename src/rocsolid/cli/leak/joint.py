"""``rocsolid leak count`` of several releases: what they tell together."""

from __future__ import annotations

from rocsolid.cli.leak.output import ReviewForms
from rocsolid.cli.leak.question import KnownLabels, ScoredTable, positives
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.screen import print_table, print_words
from rocsolid.errors import InputError
from rocsolid.evaluation.disclosure import ExposedRows, review_joint
from rocsolid.leaks import Measure, Release
from rocsolid.leaks import joint as join_releases
from rocsolid.report.disclosure import Disclosure


def joint(
    scored: ScoredTable,
    scores: list[str],
    released: list[str],
    measures: list[Measure] | None,
    labels: KnownLabels,
    rows: int,
    forms: ReviewForms,
) -> int:
    """Show what several releases on the same labels give away together, and exit."""
    measures = measures or ["auc"]
    if len(measures) == 1:
        measures = measures * len(scores)
    elif len(measures) != len(scores):
        raise InputError(
            f"{len(measures)} measures for {len(scores)} scores",
            fix="give --measure once, or once for each --score",
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
            ("Labels known beside it", f"{len(scored.known):,}"),
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
        what="the surprise" if together.surprise_exact else "the most that the surprise can be",
        bits=together.surprise_bits,
    )
