"""``rocsolid leak simulate``: what attacks would learn of the host's labels through a defence."""

from __future__ import annotations

from rocsolid.cli.columns import LabelOptions
from rocsolid.cli.leak.question import ServerDecimals
from rocsolid.cli.options import Json, Seed, TableFile
from rocsolid.cli.output import print_json
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.screen import print_table, print_words
from rocsolid.errors import InputError
from rocsolid.inputs import read_table
from rocsolid.leaks import simulate as simulate_attacks
from rocsolid.leaks.release import Defence, Gaussian, Ladder, Laplace, Rounded


def simulate(
    table: TableFile,
    /,
    *,
    labels: LabelOptions,
    decimals: ServerDecimals = None,
    ladder: str | None = None,
    laplace_epsilon: float | None = None,
    gaussian_rho: float | None = None,
    queries: int = 200,
    seed: Seed = 0,
    json: Json = False,
) -> int:
    """Measure a defence by five attacks on your own labels, on this machine only.

    Without a defence the attacks see exact AUCs; --decimals is a defence too. At most 2,000 labels;
    none is printed. Privacy noise differs from run to run, whatever the seed.

    Example: `rocsolid leak simulate scores.csv --label ill --decimals 2 --queries 50`

    Parameters
    ----------
    ladder
        Defence: an account hears only of improvements by this step, such as 0.01.
    laplace_epsilon
        Defence: Laplace noise, with this privacy of label swaps for each release.
    gaussian_rho
        Defence: Gaussian noise, with this zCDP cost of label swaps for each release.
    queries
        The number of releases that each attack gets.
    """
    found = read_table(table, labels=[labels.label])
    positive = labels.positive(found[labels.label], found.rows)
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

    if json:
        print_json(result.to_dict())
    else:
        show()
    return 0


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
