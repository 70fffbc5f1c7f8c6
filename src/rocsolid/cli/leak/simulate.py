"""``rocsolid leak simulate``: what attacks would learn of the host's labels through a defence."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.leak.output import Flag, finish, print_table, print_words
from rocsolid.cli.progress import progress_bar
from rocsolid.errors import InputError
from rocsolid.inputs import TextLabel, pos_label_from_text, read_table
from rocsolid.inputs import positives as read_labels
from rocsolid.leaks import simulate as simulate_attacks
from rocsolid.leaks.release import Defence, Gaussian, Ladder, Laplace, Rounded


def simulate(
    table: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    label: str,
    pos_label: str | None = None,
    decimals: int | None = None,
    ladder: str | None = None,
    laplace_epsilon: float | None = None,
    gaussian_rho: float | None = None,
    queries: int = 200,
    seed: int = 0,
    json: Flag = False,
) -> int:
    """Five attacks on the host's own labels, here and only here, to measure a defence.

    Without a defence the attacks see exact AUCs. No label is printed.

    Example: `rocsolid leak simulate scores.csv --label ill --decimals 2 --queries 50`

    Parameters
    ----------
    table
        CSV, TSV, JSON Lines, Parquet or Arrow IPC file with the labels; `-` reads standard input.
    label
        The column of labels, at most 2,000 of them.
    pos_label
        The label that counts as positive.
    decimals
        Defence: the server rounds to so many decimals.
    ladder
        Defence: an account hears of improvements by this step only, such as 0.01.
    laplace_epsilon
        Defence: Laplace noise, with this privacy of label swaps for each release.
    gaussian_rho
        Defence: Gaussian noise, with this zCDP cost of label swaps for each release.
    queries
        How many releases each attack may hear.
    seed
        Where the attacks' random numbers start; privacy noise differs from run to run all the same.
    json
        Print JSON in place of the table.
    """
    found = read_table(table, labels=[label])
    positive = read_labels(
        found[label],
        pos_label=None
        if pos_label is None
        else pos_label_from_text(TextLabel(pos_label), found[label]),
        name=f"column {label!r}",
        rows=found.rows,
    )
    defence = _defence(decimals, ladder, laplace_epsilon, gaussian_rho)
    with progress_bar("attacking"):
        result = simulate_attacks(positive, defence=defence, queries=queries, seed=seed)

    def show() -> None:
        print_words(f"{result}.")
        print_words("")
        print_table(
            ["attack", "releases", "held certain", "of these wrong", "guessed right", "AUC"],
            [
                [
                    one.name,
                    f"{one.queries:,}",
                    f"{one.claimed:,}",
                    f"{one.claimed_wrong:,}",
                    f"{one.guessed_right:,} of {result.n:,}",
                    f"{one.guess_auc:.4f}",
                ]
                for one in result.attacks
            ],
        )
        print_words("A defence that withstands these attacks may fall to better ones.")

    return finish(result.to_dict(), show, json=json)


def _defence(
    decimals: int | None,
    ladder: str | None,
    laplace_epsilon: float | None,
    gaussian_rho: float | None,
) -> Defence | None:
    given: list[Defence] = []
    if decimals is not None:
        given.append(Rounded(decimals))
    if ladder is not None:
        try:
            given.append(Ladder(ladder))
        except (ValueError, ZeroDivisionError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                "this is not a step", where="--ladder", value=ladder, fix="write it like 0.01"
            ) from error
    if laplace_epsilon is not None:
        given.append(Laplace(laplace_epsilon))
    if gaussian_rho is not None:
        given.append(Gaussian(gaussian_rho))
    if len(given) > 1:
        raise InputError("more than one defence", fix="measure them one at a time")
    return given[0] if given else None
