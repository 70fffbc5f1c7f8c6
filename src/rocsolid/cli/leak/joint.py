"""``rocsolid leak joint``: what several releases on the same labels tell together."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.leak.output import Flag, finish, print_table, print_words
from rocsolid.cli.leak.question import positives, read_scored
from rocsolid.cli.progress import progress_bar
from rocsolid.errors import InputError
from rocsolid.evaluation.disclosure import ExposedRows, review_joint
from rocsolid.leaks import Measure, Release
from rocsolid.leaks import joint as join_releases
from rocsolid.report.disclosure import Disclosure


def joint(
    table: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    score: Annotated[list[str], Parameter(negative=())],
    auc: Annotated[list[str], Parameter(name=["--auc", "--value"], negative=())],
    measure: Annotated[list[Measure] | None, Parameter(negative=())] = None,
    n_pos: str | None = None,
    decimals: int | None = None,
    threshold: float = 0.5,
    known: str | None = None,
    max_work: int = 5_000_000,
    rows: int = 10,
    fail_above: float | None = None,
    json: Flag = False,
    html: str | None = None,
) -> int:
    """What several releases on the same labels tell together: one labeling, more, or not settled.

    Example: `rocsolid leak joint scores.csv --score risk --auc 0.83 --score lab --auc 0.85`

    Parameters
    ----------
    table
        CSV, TSV, JSON Lines, Parquet or Arrow IPC file with the scores; `-` reads standard input.
    score
        A score column; repeat the option, once for each released value.
    auc
        The value released for each score, in the same order: a fraction is exact, 0.963 stands for
        all values that round to it.
    measure
        What the values are, if not AUCs: once for all of them, or once for each.
    n_pos
        The number of positives, or a range of it such as 30-40.
    decimals
        To how many decimals the values were rounded, where it is not as many as are written.
    threshold
        For "accuracy": a row is called positive from this score on.
    known
        A column of the labels that are known already: 0, 1, or empty.
    max_work
        How many partial labelings to look at before giving up.
    rows
        How many of the most exposed rows to show.
    fail_above
        End with code 1 if the surprise of these very values is above this many bits. Where the
        labelings were not counted, the most that it can be is compared: all bits, or all but one if
        a second labeling was found.
    json
        Print JSON, with the probability of every row, in place of the table.
    html
        Write a page for a disclosure review to this file as well; it shows rows but no labels.
    """
    if len(auc) != len(score):
        raise InputError(
            f"{len(auc)} values for {len(score)} scores", fix="give one --auc for each --score"
        )
    measures = measure or ["auc"]
    if len(measures) == 1:
        measures *= len(score)
    elif len(measures) != len(score):
        raise InputError(
            f"{len(measures)} measures for {len(score)} scores",
            fix="give --measure once, or once for each --score",
        )
    scored = read_scored(table, score, known)
    releases = [
        Release(column, value, decimals, kind, threshold)
        for column, value, kind in zip(scored.scores, auc, measures, strict=True)
    ]
    with progress_bar("searching labelings"):
        found = join_releases(
            releases, n_pos=positives(n_pos), known=scored.known, max_work=max_work
        )
    exposed = found.most_exposed(rows)
    names = scored.row_names([one.row for one in exposed])

    def page(command: str) -> Disclosure:
        told = [
            (f"Released for {column}", f"{kind} {value}")
            for column, value, kind in zip(score, auc, measures, strict=True)
        ]
        output = (
            ("Scores", f"{len(scored):,} rows of {scored.source}"),
            *told,
            ("Number of positives", "not told" if n_pos is None else n_pos),
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
            limit=fail_above,
            command=command,
        )

    def show() -> None:
        print_words(found.explain())
        print_words("")
        print_table(
            [scored.named_by, "likelier label", "probability"],
            [[names[o.row], str(o.label), f"{o.probability:.4f}"] for o in exposed],
        )

    return finish(
        found.to_dict(),
        show,
        json=json,
        html=html,
        page=page,
        what="the surprise" if found.surprise_exact else "the most that the surprise can be",
        bits=found.surprise_bits,
        fail_above=fail_above,
    )
