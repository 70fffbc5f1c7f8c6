"""``rocsolid leak sample``: labelings that fit a released AUC, drawn at random."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.leak.output import Flag
from rocsolid.cli.leak.question import ReleasedScore, read_scored
from rocsolid.cli.output import print_json
from rocsolid.cli.progress import progress_bar
from rocsolid.leaks import sample as sample_labelings


def sample(
    table: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    question: ReleasedScore,
    score: str,
    known: str | None = None,
    size: int = 10,
    seed: int = 0,
    json: Flag = False,
) -> int:
    """Labelings drawn at random from those that fit a released AUC, each equally likely.

    Example: `rocsolid leak sample scores.csv --score risk --auc 0.83 --n-pos 20 --size 3`

    Parameters
    ----------
    table
        CSV, TSV, JSON Lines, Parquet or Arrow IPC file with the scores; `-` reads standard input.
    score
        The column of scores.
    known
        A column of the labels that are known already: 0, 1, or empty.
    size
        How many to draw.
    seed
        Where the random numbers start.
    json
        Print JSON in place of lines.
    """
    scored = read_scored(table, [score], known)
    with progress_bar("drawing labelings"):
        drawn = sample_labelings(
            question.auc,
            scored.scores[0],
            size=size,
            seed=seed,
            **question.options(scored.known),
        )
    lines = ["".join("01"[label] for label in one) for one in drawn.tolist()]
    if json:
        print_json({"n": len(scored), "seed": seed, "labelings": lines})
    else:
        for line in lines:
            print(line)  # noqa: T201 -- the answer
    return 0
