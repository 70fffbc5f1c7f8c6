"""The AUC and DeLong's variance of every resample."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.resampling.blocks import in_blocks
from rocsolid.binary.resampling.cells import RankingCells, squares
from rocsolid.binary.resampling.schemes import Drawn, Sampler
from rocsolid.inputs import BinaryRows

_FLOATS = NDArray[np.float64]


def resampled_moments(
    rows: BinaryRows, sampler: Sampler, resamples: int, seed: int
) -> tuple[_FLOATS, _FLOATS]:
    """The AUCs of the resamples and DeLong's variance in each; NaN where a class is one row.

    With u the count of a row times its weight and u² that count times the squared weight, a class
    adds k/(k−1)·Σu²(V−Â)²/(Σu)², V the placements in the resample and k = (Σu)²/Σu², as
    `WeightedPlacements.moments` says of the data themselves.

    >>> rows = BinaryRows(np.arange(100) % 2 == 0, np.arange(100) % 7)
    >>> auc, variance = resampled_moments(rows, Sampler.of(rows, None), 2000, seed=0)
    >>> print(f"{auc.var():.4f} {variance.mean():.4f}")
    0.0033 0.0033
    """
    cells = RankingCells.of(rows, sampler, merged=True)

    def block(drawn: Drawn) -> _FLOATS:
        sums = (drawn.pos, drawn.neg)
        pairs = (sums,) if sampler.weight is None else (sums, squares(sampler, drawn))
        found = []
        for batch in cells.batches(*pairs):
            pos, neg = batch[:2]
            pos_squares, neg_squares = batch[-2:]
            found.append(_moments(pos, neg, pos_squares, neg_squares))
        return np.concatenate(found)

    both = in_blocks(sampler, resamples, seed, block)
    return both[:, 0], both[:, 1]


def _moments(
    pos: _FLOATS, neg: _FLOATS, pos_squares: _FLOATS, neg_squares: _FLOATS
) -> NDArray[np.float64]:
    pos_sum, neg_sum = pos.sum(axis=1), neg.sum(axis=1)
    # whole counts: these sums are exact, and the AUC is rounded once
    below = 2.0 * np.cumsum(neg, axis=1) - neg
    auc = (pos * below).sum(axis=1) / (2.0 * pos_sum * neg_sum)
    below *= (0.5 / neg_sum)[:, None]
    part = _part(below, auc, pos_sum, pos_squares)
    above = np.cumsum(pos, axis=1)
    above = above[:, -1:] - above + 0.5 * pos
    above /= pos_sum[:, None]
    return np.column_stack([auc, part + _part(above, auc, neg_sum, neg_squares)])


def _part(placement: _FLOATS, auc: _FLOATS, total: _FLOATS, square: _FLOATS) -> _FLOATS:
    """One class's part of the variance; the placements are used up."""
    size = total**2 / square.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(size > 1.0 + 1e-12, size / (size - 1.0), np.nan)
    placement -= auc[:, None]
    placement *= placement
    return np.asarray(spread * (square * placement).sum(axis=1) / total**2)
