"""``rocsolid leak sample``: labelings that fit a released AUC, drawn at random."""

from __future__ import annotations

from rocsolid.cli.leak.question import ReleasedScore, read_scored
from rocsolid.cli.options import Json, Score, Seed, TableFile
from rocsolid.cli.output import print_json
from rocsolid.cli.progress import progress_bar
from rocsolid.leaks import sample as sample_labelings


def sample(
    table: TableFile,
    /,
    *,
    released: ReleasedScore,
    score: Score,
    size: int = 10,
    seed: Seed = 0,
    json: Json = False,
) -> int:
    """Labelings drawn at random from those that fit a released AUC, each equally likely.

    Example: `rocsolid leak sample scores.csv --score risk --auc 0.83 --n-pos 20 --size 3`

    Parameters
    ----------
    size
        How many to draw.
    """
    scored = read_scored(table, [score], released.known)
    with progress_bar("drawing labelings"):
        drawn = sample_labelings(
            released.auc,
            scored.scores[0],
            size=size,
            seed=seed,
            **released.options(scored.known),
        )
    lines = ["".join("01"[label] for label in one) for one in drawn.tolist()]
    if json:
        print_json({"n": len(scored), "seed": seed, "labelings": lines})
    else:
        for line in lines:
            print(line)  # noqa: T201 -- the answer
    return 0
