from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.binary_summary import Board

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.int64]
_NO_TIES: NDArray[np.bool_] = np.empty((0, 0), dtype=np.bool_)
_TOGETHER = 32  # rows prepared at once


@dataclass(frozen=True, slots=True, eq=False)
class Boards:
    """Boards side by side, one per row of the arrays, after empty rows that win nothing."""

    below: NDArray[np.integer]
    tied: NDArray[np.integer]
    rows: _INT
    columns: _INT

    @classmethod
    def of(cls, boards: list[Board]) -> Boards:
        """
        >>> Boards.of([Board(np.array([1]), np.array([0]), 2)]).below
        array([[1]])
        """
        rows = np.array([len(board.below) for board in boards])
        below, tied = (np.zeros((len(boards), int(rows.max())), dtype=np.int64) for _ in range(2))
        for line, board in enumerate(boards):
            below[line, below.shape[1] - rows[line] :] = board.below
            tied[line, below.shape[1] - rows[line] :] = board.tied
        return cls(below, tied, rows, np.array([board.columns for board in boards]))

    @property
    def mirrored(self) -> Boards:
        """The boards with wins and losses exchanged."""
        real = np.arange(self.below.shape[1]) >= self.below.shape[1] - self.rows[:, None]
        lost = np.where(real, self.columns[:, None] - self.below - self.tied, 0)
        width = self.below.shape[1]
        # rows descend after the exchange: turn each line round and move it to the right again
        at = np.where(real, 2 * width - 1 - self.rows[:, None] - np.arange(width), np.arange(width))
        below, tied = (np.take_along_axis(each, at, axis=1) for each in (lost, self.tied))
        return Boards(below, tied, self.rows, self.columns)

    @property
    def with_mirrored(self) -> Boards:
        other = self.mirrored
        return Boards(
            np.concatenate([self.below, other.below]),
            np.concatenate([self.tied, other.tied]),
            np.tile(self.rows, 2),
            np.tile(self.columns, 2),
        )

    def take(self, chosen: NDArray[np.bool_]) -> Boards:
        if chosen.all():
            return self
        return Boards(
            self.below[chosen], self.tied[chosen], self.rows[chosen], self.columns[chosen]
        )

    @property
    def auc(self) -> _FLOATS:
        wins = (2 * self.below + self.tied).sum(axis=1)
        return np.asarray(wins / (2.0 * self.rows * self.columns))


def matched_wins(boards: Boards, scale: _FLOATS, most: int) -> _FLOATS:
    """Return M_r·scale^r for r = 0 … ``most``, M_r the chance that r random disjoint pairs are won.

    A tied pair counts ½. M_r = R_r·(n−r)!/n!/C(k, r), with R_r the r-th rook number of the board
    under the ROC curve (docs/theorems/matchings.md).

    Rows are processed in ascending order of their wins c: R'_r = R_r + (c−r+1)R_{r−1}. A block of g
    rows that tie with the same d columns is a mean over h of its rows on tied squares:

        R' = Σ_h C(g, h)·d(d−1)…(d−h+1)·2^{−h} · (index moved by h) T^{g−h} R,

    with T the step of a row without ties, by Horner's scheme. Only positive numbers are added, so
    every M_r has the relative error of about 4k roundings. Values below the smallest double become
    0, which makes M_r smaller.
    """
    lines, width = boards.below.shape
    r = np.arange(most + 1.0)
    left = np.maximum(boards.columns[:, None] - r[1:] + 1, 1.0)
    rook = r[1:] * scale[:, None] / left
    plain = np.zeros((lines, most + 1))  # Tʲ R inside a block of ties
    plain[:, 0] = 1.0
    mixed = plain  # Horner's sum so far, the same where no row ties
    ties = np.asarray(boards.tied.any(axis=0))
    first, ratio = _NO_TIES, np.empty(0)
    if ties.any():
        first, ratio = _blocks(boards)
    for start in range(0, width, _TOGETHER):
        chosen = slice(start, start + _TOGETHER)
        done = np.maximum(np.arange(width)[chosen] + 1 - (width - boards.rows)[:, None], 1)
        end = min(start + _TOGETHER, most) + 1
        # a factor below 0 meets a 0: there are no more rooks than columns, or than rows
        placed = (boards.below[:, chosen] + 1.0)[..., None] - r[1:end]
        placed *= rook[:, None, : end - 1]
        spared = done[..., None] - r[:end]
        for offset in range(done.shape[1]):
            row = start + offset
            if mixed is not plain:
                plain = np.where(first[:, row, None], mixed, plain)
                mixed = mixed if ties[row] else plain
            elif ties[row]:
                mixed = plain.copy()
            rooks = placed[:, offset] * plain[:, : end - 1]
            step = plain[:, :end]
            step *= spared[:, offset]
            step[:, 1:] += rooks
            if ties[row]:
                moved = mixed[:, : end - 1] * rook[:, : end - 1]
                moved *= ratio[:, row, None]
                mixed[:, :end] = step
                mixed[:, 1:end] += moved
        # to means: what was left out at each row, at most 2048³², fits a double many times
        factor = 1 / np.prod(done, axis=1, dtype=np.float64, keepdims=True)
        plain *= factor
        if mixed is not plain:
            mixed *= factor
    return mixed


def _blocks(boards: Boards) -> tuple[NDArray[np.bool_], _FLOATS]:
    """Return whether a row begins a block, and the factor of Horner's sum at each row.

    The factor is C(g, h)d⁽ʰ⁾2⁻ʰ over the same with h−1, at h = g−j+1 for the j-th row of its block.
    """
    below, tied = boards.below, boards.tied
    width = below.shape[1]
    first = np.ones(below.shape, dtype=bool)
    first[:, 1:] = (tied[:, 1:] == 0) | (below[:, 1:] != below[:, :-1])
    first[:, 1:] |= tied[:, 1:] != tied[:, :-1]
    at = np.arange(width)
    start = np.maximum.accumulate(np.where(first, at, 0), axis=1)
    end = np.full(below.shape, width)
    end[:, :-1] = np.where(first[:, 1:], at[1:], width)
    end = np.minimum.accumulate(end[:, ::-1], axis=1)[:, ::-1]
    after, nth = end - at, at - start + 1.0  # g − j + 1 and j
    return first, nth * np.maximum(tied + 1 - after, 0) / (2.0 * after)
