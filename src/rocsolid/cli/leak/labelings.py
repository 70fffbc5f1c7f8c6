"""``rocsolid leak list`` and ``sample``: labelings that fit a released AUC, each or at random."""

from __future__ import annotations

import itertools

from rocsolid.cli.leak.output import say
from rocsolid.cli.leak.question import ReleasedScore, read_scored
from rocsolid.cli.options import Json, Score, Seed, TableFile
from rocsolid.cli.output import print_json
from rocsolid.cli.progress import progress_bar
from rocsolid.errors import InputError
from rocsolid.leaks import labelings
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
    """Draw labelings that fit a released AUC at random, each equally likely.

    Example: `rocsolid leak sample scores.csv --score risk --auc 0.83 --n-pos 20 --size 3`

    Parameters
    ----------
    size
        How many to draw.
    """
    scored = read_scored(table, [score], released.known)
    with progress_bar("drawing labelings"):
        drawn = sample_labelings(
            released.auc, scored.scores[0], size=size, seed=seed, **released.options(scored)
        )
    lines = ["".join("01"[label] for label in one) for one in drawn.tolist()]
    if json:
        print_json({"n": len(scored), "seed": seed, "labelings": lines})
    else:
        for line in lines:
            print(line)  # noqa: T201 -- the answer
    return 0


def listing(
    table: TableFile,
    /,
    *,
    released: ReleasedScore,
    score: Score,
    limit: int = 20,
    json: Json = False,
) -> int:
    """List the labelings that fit a released AUC, one a line: the label of every row in turn.

    Example: `rocsolid leak list scores.csv --score risk --auc 0.83 --n-pos 20 --limit 3`

    Parameters
    ----------
    limit
        Stop after this many.
    """
    if limit < 1:
        raise InputError("at least one labeling", where="--limit", value=limit)
    scored = read_scored(table, [score], released.known)
    found = labelings(released.auc, scored.scores[0], **released.options(scored))
    lines = ("".join("01"[label] for label in one.tolist()) for one in found)
    first = itertools.islice(lines, limit)
    if json:
        listed = list(first)
        complete = next(lines, None) is None
        print_json({"n": len(scored), "labelings": listed, "complete": complete})
        return 0
    shown = 0
    for shown, line in enumerate(first, start=1):
        print(line, flush=shown < 10)  # noqa: T201 -- the answer
    if not shown:
        say("no labeling fits; give --decimals if the value was rounded")
    elif next(lines, None) is not None:
        say(f"there are more than these {shown:,}; --limit gives more, leak count their number")
    return 0
