"""Placements within many groups at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.results.deferred import Deferred, ReadLater, later
from rocsolid.summaries.binary_summary import (
    BinarySummary,
    Board,
    Fingerprint,
    fingerprints_of_rows,
)
from rocsolid.summaries.groups import ALONE, Groups
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.ranked_groups import RankedGroups

_INT = NDArray[np.int64]
_FLOAT = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class GroupedPlacements(ReadLater):
    """Placements in columns with an entry for each group; a group of one class has NaN moments.

    Groups of more than ``ALONE`` rows have zeros. ``below`` and ``tied`` contain the boards of all
    groups in sequence; the board of a group begins at ``begin``.
    """

    n_pos: _INT
    n_neg: _INT
    doubled_wins: _INT
    tied_pairs: _INT
    moments: Moments
    fingerprint: NDArray[np.uint64]
    below: NDArray[np.int16]
    tied: NDArray[np.int16]
    begin: _INT
    _later = ("fingerprint",)

    @classmethod
    def of(
        cls, ranked: Sequence[RankedGroups], score: NDArray[Any], groups: Groups
    ) -> GroupedPlacements:
        """Build from rows that are ranked within their groups.

        >>> y, s = np.array([True, False, True, False]), np.array([2, 1, 0, 1])
        >>> groups = Groups.of(np.array([0, 0, 1, 1]), 2)
        >>> GroupedPlacements.of(RankedGroups.of(y, s, groups), s, groups).moments.auc
        array([1., 0.])
        """
        count = len(groups)
        n_pos, doubled_wins, tied, begin = (np.zeros(count, dtype=np.int64) for _ in range(4))
        auc, var_pos, var_neg = (np.full(count, np.nan) for _ in range(3))
        boards, rows_so_far = [np.empty((2, 0), dtype=np.int16)], 0
        for block in ranked:
            some = block.groups
            n_pos[some] = block.positive.sum(axis=1)
            *sums, board, height = _matrix_placements(block)
            doubled_wins[some], tied[some], var_pos[some], var_neg[some] = sums
            begin[some] = rows_so_far + np.cumsum(height) - height
            rows_so_far += board.shape[1]
            boards.append(board)
        n_neg = np.where(groups.size <= ALONE, groups.size, 0) - n_pos
        both = (n_pos > 0) & (n_neg > 0)
        np.divide(doubled_wins, 2 * n_pos * n_neg, out=auc, where=both)
        moments = Moments(auc, var_pos, var_neg, n_pos.astype(float), n_neg.astype(float))
        below, tied_rows = np.concatenate(boards, axis=1)
        prints = later(Deferred(lambda: _fingerprints(score, groups)))
        return cls(n_pos, n_neg, doubled_wins, tied, moments, prints, below, tied_rows, begin)

    def boards(self, some: _INT) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """``below`` and ``tied`` of some groups, a line each, aligned to the right."""
        rows = np.minimum(self.n_pos[some], self.n_neg[some])[:, None]
        width = int(rows.max())
        at = np.arange(width) - (width - rows)
        real, place = at >= 0, self.begin[some][:, None] + np.maximum(at, 0)
        return np.where(real, self.below[place], 0), np.where(real, self.tied[place], 0)

    def board(self, group: int) -> Board:
        m, n = int(self.n_pos[group]), int(self.n_neg[group])
        rows = slice(self.begin[group], self.begin[group] + min(m, n))
        below, tied = (column[rows].astype(np.int64) for column in (self.below, self.tied))
        return Board(below, tied, max(m, n))

    def summary(self, group: int, **known: Any) -> BinarySummary:
        """The summary of a group with rows of both classes; ``known`` are more of its fields."""
        m, n = int(self.n_pos[group]), int(self.n_neg[group])
        parts = self.moments.auc, self.moments.var_pos, self.moments.var_neg
        auc, var_pos, var_neg = (float(np.asarray(part)[group]) for part in parts)
        fields = {
            "fingerprint": Deferred(lambda: Fingerprint(int(self.fingerprint[group]))),
            "board": Deferred(lambda: self.board(group)),
            **known,
        }
        moments, ratio = (
            Moments(auc, var_pos, var_neg, float(m), float(n)),
            int(self.doubled_wins[group]),
        )
        tied = int(self.tied_pairs[group])
        return BinarySummary(m, n, tied, moments, ratio=(ratio, 2 * m * n), **fields)


def _fingerprints(score: NDArray[Any], groups: Groups) -> NDArray[np.uint64]:
    prints = np.ones(len(groups), dtype=np.uint64)
    for some, rows, real in groups.matrices():
        prints[some] = fingerprints_of_rows(score[rows], real)
    return prints


def _matrix_placements(
    ranked: RankedGroups,
) -> tuple[_INT, _INT, _FLOAT, _FLOAT, NDArray[np.int16], _INT]:
    """Doubled wins, tied pairs, parts of the variance, boards, and the rows of each board."""
    is_pos, is_neg = ranked.positive, ranked.negative
    m, n = is_pos.sum(axis=1), is_neg.sum(axis=1)
    neg_below, neg_through = ranked.around(is_neg)
    pos_below, pos_through = ranked.around(is_pos)
    placed = np.where(is_pos, neg_below + neg_through, 0)
    wins = placed.sum(axis=1)
    tied = np.where(is_pos, neg_through - neg_below, 0).sum(axis=1)
    placed_neg = np.where(is_neg, 2 * m[:, None] - pos_below - pos_through, 0)
    var_pos = _mean_variances(m, wins, (placed * placed).sum(axis=1), 2 * n)
    var_neg = _mean_variances(n, wins, (placed_neg * placed_neg).sum(axis=1), 2 * m)
    fewer_pos = (m <= n)[:, None]  # otherwise negatives are placed, from the highest down
    board = np.stack(
        [
            np.where(fewer_pos, neg_below, (m[:, None] - pos_through)[:, ::-1]),
            np.where(fewer_pos, neg_through - neg_below, (pos_through - pos_below)[:, ::-1]),
        ]
    )[:, np.where(fewer_pos, is_pos, is_neg[:, ::-1])]
    return wins, tied, var_pos, var_neg, board.astype(np.int16), np.minimum(m, n)


def _mean_variances(count: _INT, total: _INT, squares: _INT, scale: _INT) -> _FLOAT:
    """Return s²/count of the values a/scale.

    The result is NaN for fewer than two values, and if the other class is empty.
    """
    out = np.full(len(count), np.nan)
    enough = (count > 1) & (scale > 0)
    c, k = count[enough].astype(float), scale[enough].astype(float)
    # the numerator is an exact integer: at most 4096 rows a group
    spread = (count[enough] * squares[enough] - total[enough] ** 2).astype(float)
    out[enough] = spread / (c * c * (c - 1.0) * k * k)
    return out
