"""The pairs of each row with rows of other outcomes, and their order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.score_counts import run_begins

_FLOATS = NDArray[np.float64]
_CODES = NDArray[np.intp]

_FEW = 12  # up to this many outcomes are processed one by one
# Rows of a block that are compared pairwise instead of being halved; without weights, bytes are
# compared and added so fast that longer blocks are worth it.
_SMALL, _SMALL_WEIGHED = 64, 16


@dataclass(frozen=True, slots=True, eq=False)
class ConcordantCounts:
    """Weights of other rows, summed for each row, in input order.

    ``comparable`` is the weight of rows with another outcome, ``right`` the weight of comparable
    rows whose score lies on the same side as their outcome, and ``tied`` the weight of comparable
    rows with the same score. Without weights these are integers. ``ties`` counts pairs of rows with
    different outcomes and the same score.

    >>> found = ConcordantCounts.of(np.array([0, 0, 1]), np.array([0, 2, 1]))
    >>> found.comparable, found.right, found.tied
    (array([1, 1, 2]), array([1, 0, 1]), array([0, 0, 0]))
    """

    comparable: NDArray[Any]
    right: NDArray[Any]
    tied: NDArray[Any]
    ties: int

    @classmethod
    def of(cls, outcome: _CODES, score: _CODES, weight: _FLOATS | None = None) -> ConcordantCounts:
        """Build from outcome and score codes, in O(n log n).

        A few outcomes are processed one by one. Otherwise `smaller_before` counts the rows below in
        both. Rows are ordered by score and, within a score, by descending outcome; rows of an
        outcome go from last to first. Therefore rows that are equal in either are not counted. The
        rows above in both are the remainder.
        """
        n, levels, steps = len(outcome), int(outcome.max()) + 1, int(score.max()) + 1
        if levels <= _FEW:
            return cls._of_few(outcome, score, weight, levels)
        place = _ranked(score, lambda: score * levels + (levels - 1 - outcome))
        rank = _ranked(outcome, lambda: outcome * n + (n - 1 - place))
        weighed = None if weight is None else _moved(weight, rank)
        below = smaller_before(_moved(place, rank), weighed)
        both_below = below[place]
        if weight is None and levels == n == steps:  # without ties
            both = 2 * both_below + (n - 1 - outcome - score)
            return cls(np.full(n, n - 1), both, np.zeros(n, dtype=np.int64), 0)
        of_outcome = np.bincount(outcome, weight)
        lower = np.cumsum(of_outcome) - of_outcome
        of_score = np.bincount(score, weight)
        up_to = np.cumsum(of_score)
        total = up_to[-1]
        cell, above_level, ties = _level(place, score, outcome, weight)
        _, level_above, _ = _level(rank, outcome, score, weight)
        tied = of_score[score] - cell
        not_above = both_below + (tied - above_level) + (of_outcome[outcome] - level_above)
        higher = total - lower[outcome] - of_outcome[outcome]
        both_above = higher - (up_to[score] - not_above)
        return cls(total - of_outcome[outcome], both_below + both_above, tied, ties)

    @classmethod
    def _of_few(
        cls, outcome: _CODES, score: _CODES, weight: _FLOATS | None, levels: int
    ) -> ConcordantCounts:
        steps, n = int(score.max()) + 1, len(outcome)
        kind: Any = np.int64 if weight is None else np.float64
        members = [np.flatnonzero(outcome == level) for level in range(levels)]
        counts: list[NDArray[Any]] = [
            np.bincount(score[rows], None if weight is None else weight[rows], minlength=steps)
            for rows in members
        ]
        right, own = np.zeros(n, dtype=kind), np.empty(n, dtype=kind)
        for turn in (1, -1):  # lower outcomes below, then higher outcomes above
            beyond: NDArray[Any] = np.zeros(steps, dtype=kind)
            for rows, count in zip(members[::turn], counts[::turn], strict=True):
                right[rows] += beyond[::turn][score[rows]]
                ahead = count[::turn]
                beyond += np.cumsum(ahead) - ahead
        for rows, count in zip(members, counts, strict=True):
            own[rows] = count[score[rows]]
        of_outcome = np.array([count.sum() for count in counts])
        sizes = np.bincount(score), *(np.bincount(score[rows]) for rows in members)
        pairs = [int((size * size).sum()) for size in sizes]
        tied = np.bincount(score, weight)[score] - own
        return cls(
            of_outcome.sum() - of_outcome[outcome], right, tied, (pairs[0] - sum(pairs[1:])) // 2
        )


def smaller_before(permutation: _CODES, weight: _FLOATS | None = None) -> NDArray[Any]:
    """Return, for each value of a permutation of 0 … n−1, the number of smaller values before it.

    ``weight`` moves with the permutation and is summed instead. Values are halved from the top:
    each block counts its lower values before each upper value, and each half becomes a block.

    >>> smaller_before(np.array([1, 0, 2]))
    array([0, 0, 2])
    """
    n, halvings = len(permutation), 0
    most = _SMALL if weight is None else _SMALL_WEIGHED
    while -(-n >> halvings) > most:
        halvings += 1
    small = -(-n >> halvings)
    size = small << halvings  # padding makes all blocks equally long
    narrow: Any = np.int32 if size < 1 << 31 else np.int64
    values: NDArray[Any] = np.arange(size, dtype=narrow)
    values[:n] = permutation
    counts: NDArray[Any] = np.zeros(size, dtype=narrow if weight is None else np.float64)
    weights = None if weight is None else np.concatenate([weight, np.zeros(size - n)])
    for level in range(halvings - 1, -1, -1):
        half = small << level
        first = np.arange(0, size, 2 * half)[:, None]
        upper = values.reshape(-1, 2 * half) >= first.astype(narrow) + half
        at_upper = np.flatnonzero(upper)
        if weights is None:  # the position of an upper value minus the upper values before it
            gain = at_upper.reshape(-1, half) - (first + np.arange(half))
        else:
            summed = np.cumsum(np.where(upper, 0.0, weights.reshape(upper.shape)), axis=1)
            gain = summed.ravel()[at_upper].reshape(-1, half)
        at_lower = np.flatnonzero(~upper)
        order = np.hstack([at_lower.reshape(-1, half), at_upper.reshape(-1, half)]).ravel()
        values, counts = values[order], counts[order]
        weights = None if weights is None else weights[order]
        counts.reshape(-1, 2, half)[:, 1] += gain.astype(counts.dtype)
    blocks, sums = values.reshape(-1, small), counts.reshape(-1, small)
    columns = np.ascontiguousarray((blocks - blocks.min(axis=1, keepdims=True)).T.astype(np.uint8))
    beside = None if weights is None else np.ascontiguousarray(weights.reshape(-1, small).T)
    for later in range(1, small):
        below = columns[:later] < columns[later]
        sums[:, later] += (
            below.sum(axis=0, dtype=np.uint8)
            if beside is None
            else np.einsum("ij,ij->j", below, beside[:later])
        )
    return _moved(counts, values)[:n].astype(np.int64 if weight is None else np.float64)


def _ranked(code: _CODES, key: Any) -> _CODES:
    """The rank of each row by a key, or the code itself if no rows are tied."""
    if int(code.max()) + 1 == len(code):
        return code
    return _moved(np.arange(len(code)), np.argsort(key()))


def _moved(values: NDArray[Any], to: NDArray[Any]) -> NDArray[Any]:
    moved = np.empty_like(values)
    moved[to] = values
    return moved


def _level(
    place: _CODES, run: _CODES, other_code: _CODES, weight: _FLOATS | None
) -> tuple[NDArray[Any], NDArray[Any], int]:
    """The weight of equal rows in the run of a row, of earlier rows of the run, and the pairs."""
    n = len(place)
    if int(run.max()) + 1 == n:
        return np.ones(n, dtype=np.int64) if weight is None else weight, np.zeros(n, np.int64), 0
    runs = run_begins(_moved(run, place))
    cells = runs | run_begins(_moved(other_code, place))
    before = np.arange(n + 1)
    if weight is not None:
        before = np.concatenate([[0.0], np.cumsum(_moved(weight, place))])
    starts, run_starts = np.flatnonzero(cells), np.flatnonzero(runs)
    number, of_run = np.cumsum(cells) - 1, np.cumsum(runs) - 1
    alike = np.diff(before[np.append(starts, n)])[number]
    earlier = before[starts][number] - before[run_starts][of_run]
    sizes = [np.diff(np.append(at, n)) for at in (run_starts, starts)]
    pairs = [int((size * size).sum()) for size in sizes]
    ties = (pairs[0] - pairs[1]) // 2
    return alike[place], earlier[place], ties
