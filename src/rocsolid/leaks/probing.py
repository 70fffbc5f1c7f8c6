"""Signs that a submission was made to ask about labels rather than to rank.

A sign is a reason to look, not a proof: small ensembles and reruns show some of them too.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

SIGNS = {
    "two-valued": "the scores take one or two values",
    "mostly tied": "more than half of the rows have the same score",
    "repeated": "the same ranking was submitted before",
    "near-duplicate": "at least 90 % of the scores are those of an earlier submission, or the "
    "ranks moved by at most 1 % of the rows on average",
    "block swap": "blocks of rows changed places against an earlier submission, all else kept",
    "burst": "more than ten releases to the account within an hour",
    "small steps": "five or more releases in a row that moved by at most five pairs each",
}
"""What each sign means."""

_BURST = 10
_HOUR = timedelta(hours=1)
_STEPS = 5
_STEP_PAIRS = 5


def ranking_signs(
    scores: NDArray[np.float64], doubled: NDArray[np.int64], previous: Sequence[int]
) -> list[set[str]]:
    """The signs of each submission, a row of ``scores`` and of its doubled midranks each.

    Each is compared with all before it. ``previous`` gives the row of the same account's submission
    before it, −1 for none.

    >>> ranks = 2 * np.array([[1, 2, 3, 4, 5, 6], [3, 4, 1, 2, 5, 6]])
    >>> ranking_signs(ranks / 2, ranks, [-1, 0])
    [set(), {'block swap'}]
    """
    signs_by_release: list[set[str]] = []
    n, placed = doubled.shape[1], doubled.astype(np.float64)
    for t, ranks in enumerate(doubled):
        signs: set[str] = set()
        sizes = np.unique(ranks, return_counts=True)[1]
        if len(sizes) <= 2:
            signs.add("two-valued")
        if sizes.max() > n / 2:
            signs.add("mostly tied")
        if t:
            shift = cdist(placed[:t], placed[t : t + 1], "cityblock")[:, 0]
            changed = cdist(scores[:t], scores[t : t + 1], "hamming")
            if shift.min() == 0:
                signs.add("repeated")
            elif changed.min() <= 0.1 or shift.min() / (2 * n) <= 0.01 * n:
                signs.add("near-duplicate")
            nearest = int(np.argmin(shift))
            if any(p >= 0 and _blocks_swapped(doubled[p], ranks) for p in (nearest, previous[t])):
                signs.add("block swap")
        signs_by_release.append(signs)
    return signs_by_release


def release_signs(
    time: Sequence[datetime], score: NDArray[np.float64], pairs: int
) -> list[set[str]]:
    """The signs that one account's releases show without the submissions, in order of time.

    >>> start = datetime(2024, 5, 1)
    >>> times = [start + timedelta(minutes=i) for i in range(12)]
    >>> [sorted(s) for s in release_signs(times, np.linspace(0.6, 0.9, 12), 2500)][-2:]
    [['burst'], ['burst']]
    """
    signs_by_release: list[set[str]] = [set() for _ in time]
    for t in range(_BURST, len(time)):
        if time[t] - time[t - _BURST] <= _HOUR:
            for i in range(t - _BURST, t + 1):
                signs_by_release[i].add("burst")
    moved = np.abs(np.diff(score)) * pairs
    small = (moved > 0) & (moved <= _STEP_PAIRS + 1e-6)
    run = 0
    for t, step in enumerate(small, start=1):
        run = run + 1 if step else 0
        if run >= _STEPS:
            for i in range(t - run + 1, t + 1):
                signs_by_release[i].add("small steps")
    return signs_by_release


def _blocks_swapped(before: NDArray[np.int64], after: NDArray[np.int64]) -> bool:
    """Whether few distances explain all moves: two blocks that exchange places move by two, or by
    three where the rows between them shift along."""
    move = after - before
    return 1 <= len(np.unique(move[move != 0])) <= 3
