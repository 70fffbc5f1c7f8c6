"""A table in full inside a region of rates, and in lumps outside it."""

from __future__ import annotations

from typing import Literal

import numpy as np

from rocsolid.summaries.score_counts import ScoreCounts

_ROUNDING = 1e-9  # of a rate: sums of weights are rounded


def lumped(
    table: ScoreCounts,
    squares: ScoreCounts,
    axis: Literal["fpr", "tpr"],
    low: float,
    high: float,
    below: float = 0.0,
    total: float | None = None,
) -> tuple[ScoreCounts, ScoreCounts]:
    """Both tables with neighbours outside the rates from ``low`` to ``high`` counted together.

    Such a lump stands under its lowest score. An entry of margin stays on each side, so the curve
    over the region is that of the whole table. Of a part of the scores, ``below`` says how many
    rows of the axis' class (negatives for "fpr") lie below it and ``total`` how many there are;
    parts put together again are lumped once more, without these.

    >>> many = ScoreCounts(np.arange(10), np.ones(10, int), np.ones(10, int))
    >>> few, _ = lumped(many, many, "fpr", 0.0, 0.2)
    >>> few.score.tolist(), few.neg.tolist()
    ([0, 6, 7, 8, 9], [6, 1, 1, 1, 1])
    """
    own = table.neg if axis == "fpr" else table.pos
    if total is None:
        total = float(own.sum())
    through = below + np.cumsum(own)
    start, end = (total - through) / total, (total - through + own) / total
    inside = (end >= low - _ROUNDING) & (start <= high + _ROUNDING)
    kept = inside.copy()
    kept[1:] |= inside[:-1]
    kept[:-1] |= inside[1:]
    begins = kept.copy()
    begins[1:] |= kept[:-1]
    begins[:1] = True
    starts = np.flatnonzero(begins)
    first, second = (
        ScoreCounts(t.score[starts], *(np.add.reduceat(c, starts) for c in (t.pos, t.neg)))
        for t in (table, squares)
    )
    return first, second
