"""How the AUCs of several scores vary together, from kinds of rows and how many of each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.counted import Counted
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.exact_dot import exact_dot
from rocsolid.summaries.ranges.paired_placements import PairedPlacements
from rocsolid.summaries.spread import Spread


def paired_kinds(names: Sequence[str], scores: Sequence[Counted]) -> PairedPlacements | Spread:
    """From the same kinds under each score: exact products, or with weights or clusters influences.

    >>> counts = np.array([2, 0]), np.array([0, 2])
    >>> one = Counted(np.array([3, 1]), *counts)
    >>> paired_kinds(["a", "b"], [one, Counted(np.array([1, 1]), *counts)]).wins
    (8, 4)
    """
    rows = scores[0].evened()
    if rows.weight is None and rows.cluster is None:
        return _exact(names, scores)
    kinds = BinaryRows(rows.pos > 0, rows.score, rows.weight, rows.cluster)
    return Spread.of(kinds, [_influence(one.evened()) for one in scores], rows.pos + rows.neg)


def _influence(rows: Counted) -> NDArray[np.float64]:
    """The share of the other class that each kind is on the right side of, ties half."""
    table, _, run = rows.tables(rows.scale)
    below = (np.cumsum(table.neg) - table.neg / 2)[run] / table.neg.sum()
    above = 1.0 - (np.cumsum(table.pos) - table.pos / 2)[run] / table.pos.sum()
    return np.asarray(np.where(rows.pos > 0, below, above))


def _exact(names: Sequence[str], scores: Sequence[Counted]) -> PairedPlacements:
    pos, neg, m, n = scores[0].pos, scores[0].neg, scores[0].n_pos, scores[0].n_neg
    below, under = [], []
    for counted in scores:
        table, _, run = Counted(counted.score, pos, neg).tables()
        below.append((2 * np.cumsum(table.neg) - table.neg)[run])
        under.append((2 * np.cumsum(table.pos) - table.pos)[run])
    return PairedPlacements(
        tuple(names), m, n,
        tuple(exact_dot(pos, doubled, 2 * m * n) for doubled in below),
        _products(pos, below, 4 * n * n * m),
        _products(neg, under, 4 * m * m * n),
    )  # fmt: skip


def _products(
    count: NDArray[np.int64], placed: list[NDArray[np.int64]], bound: int
) -> tuple[tuple[int, ...], ...]:
    """Σ count·a·b for each two scores' placements, exactly."""
    if bound >= 1 << 63:
        placed = [one.astype(object) for one in placed]
    return tuple(tuple(exact_dot(count * a, b, bound) for b in placed) for a in placed)
