"""``rocsolid leak joint``: what several releases on the same labels tell together."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.leak.output import ReviewForms
from rocsolid.cli.leak.question import (
    RELEASED,
    KnownLabels,
    MostExposed,
    SharedLabels,
    positives,
    read_scored,
)
from rocsolid.cli.options import Scores, TableFile
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.screen import print_table, print_words
from rocsolid.errors import InputError
from rocsolid.evaluation.disclosure import ExposedRows, review_joint
from rocsolid.leaks import Measure, Release
from rocsolid.leaks import joint as join_releases
from rocsolid.report.disclosure import Disclosure


def joint(
    table: TableFile,
    /,
    *,
    scores: Scores,
    auc: Annotated[list[str], RELEASED, Parameter(name=["--auc", "--value"], negative=())],
    measures: Annotated[list[Measure] | None, Parameter(name="--measure", negative=())] = None,
    labels: KnownLabels = KnownLabels(),
    threshold: float = 0.5,
    k: int | None = None,
    max_work: int = 5_000_000,
    rows: MostExposed = 10,
    shared: SharedLabels = SharedLabels(),
    forms: ReviewForms = ReviewForms(),
) -> int:
    """What several releases on the same labels give away together.

    Give --score and --auc once for each release, in the same order. --json has the probability of
    every row; the page shows rows but no labels. --fail-above counts the surprise of these values,
    or its upper bound if the labelings were not counted.

    Example: `rocsolid leak joint scores.csv --score risk --auc 0.83 --score lab --auc 0.85`

    Parameters
    ----------
    measures
        The measure of the values if it is not the AUC: once for all, or once for each.
    threshold
        For "accuracy", "precision" and "recall": rows from this score on are called positive.
    k
        For "precision" and "recall": the best k rows are called positive.
    max_work
        Give up after this many partial labelings.
    """
    if len(auc) != len(scores):
        raise InputError(
            f"{len(auc)} values for {len(scores)} scores", fix="give one --auc for each --score"
        )
    measures = measures or ["auc"]
    if len(measures) == 1:
        measures = measures * len(scores)
    elif len(measures) != len(scores):
        raise InputError(
            f"{len(measures)} measures for {len(scores)} scores",
            fix="give --measure once, or once for each --score",
        )
    scored = read_scored(table, scores, labels.known, shared)
    releases = [
        Release(column, value, labels.decimals, kind, threshold, k)
        for column, value, kind in zip(scored.scores, auc, measures, strict=True)
    ]
    with progress_bar("searching labelings"):
        found = join_releases(
            releases,
            n_pos=positives(labels.n_pos),
            known=scored.known,
            max_work=max_work,
            **scored.shared,
        )
    exposed = found.most_exposed(rows)
    names = scored.row_names([one.row for one in exposed])

    def page(command: str) -> Disclosure:
        told = [
            (f"Released for {column}", f"{kind} {value}")
            for column, value, kind in zip(scores, auc, measures, strict=True)
        ]
        output = (
            ("Scores", f"{len(scored):,} rows of {scored.source}"),
            *told,
            ("Number of positives", "not told" if labels.n_pos is None else labels.n_pos),
            ("Labels known beside it", f"{len(scored.known):,}"),
        )
        shown = tuple(
            (
                names[one.row],
                one.probability,
                found.verdict == "unique" or (found.exact and one.probability == 1),
            )
            for one in exposed
        )
        return review_joint(
            found,
            output,
            rows=ExposedRows(scored.named_by, shown),
            limit=forms.fail_above,
            command=command,
        )

    def show() -> None:
        print_words(found.explain())
        print_words("")
        print_table(
            [scored.named_by, "likelier label", "probability"],
            [[names[o.row], str(o.label), f"{o.probability:.4f}"] for o in exposed],
        )

    return forms.finish(
        found,
        show,
        review=page,
        what="the surprise" if found.surprise_exact else "the most that the surprise can be",
        bits=found.surprise_bits,
    )
