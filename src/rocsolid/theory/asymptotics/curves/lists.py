"""Ranked lists laid out on the axis of relative ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.gains.named import as_gain
from rocsolid.inputs.graded_rows import graded_rows
from rocsolid.summaries.runs import run_begins
from rocsolid.theory.asymptotics.curves.levels import Levels

_F = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RankedLists:
    """The gains of each query's items, worst score first.

    Of the n items of a query, the j-th from the bottom stands for the relative ranks from (j−1)/n
    to j/n. Items with equal scores share the ranks of their block and each has the block's mean
    gain, which is what NDCG averaged over the orders of ties does; the middle of the block is
    their midrank. ``begins`` marks the first item of each block.
    """

    gain: _F
    given: _F
    offsets: NDArray[np.int64]
    begins: NDArray[np.bool_]
    left_out: int

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)

    @property
    def queries(self) -> int:
        return len(self.offsets) - 1

    @property
    def items(self) -> int:
        return len(self.gain)

    @property
    def borders(self) -> NDArray[np.intp]:
        """Where the blocks of equal scores begin, and the end of the last one."""
        return np.append(np.flatnonzero(self.begins), self.items)

    @property
    def levels(self) -> Levels:
        """The shares of the gains, each query counting the same."""
        weight = np.repeat(1.0 / self.sizes, self.sizes)
        found, place = np.unique(self.given, return_inverse=True)
        shares = np.bincount(place, weight) / self.queries
        return Levels(tuple(found[::-1].tolist()), tuple(shares[::-1].tolist()))

    def steps(self) -> tuple[_F, _F]:
        """The average query's gain as a step function of s: edges from 0 to 1, and values."""
        position = np.arange(self.items) - np.repeat(self.offsets[:-1], self.sizes)
        low = position / np.repeat(self.sizes, self.sizes)
        if self.queries == 1:
            return np.append(low, 1.0), self.gain
        jump = np.diff(self.gain, prepend=0.0)
        jump[self.offsets[:-1]] = self.gain[self.offsets[:-1]]
        edges, place = np.unique(low, return_inverse=True)
        values = np.cumsum(np.bincount(place, jump)) / self.queries
        return np.append(edges, 1.0), values


def ranked_lists(relevance: Any, scores: Any, qid: Any, gain: Any) -> RankedLists:
    """Read and sort; queries without a relevant item, whose NDCG is undefined, are left out.

    Items without a grade count as not relevant, and a score of −∞ is the lowest.

    >>> lists = ranked_lists([1, 0, 0, 2], [0.9, 0.1, 0.5, 0.5], None, "linear")
    >>> lists.gain, lists.steps()[0]
    (array([0., 1., 1., 1.]), array([0.  , 0.25, 0.5 , 0.75, 1.  ]))
    """
    rows = graded_rows(relevance, scores, qid=qid)
    gains = as_gain(gain)(np.nan_to_num(rows.relevance, nan=0.0))
    query = np.repeat(np.arange(len(rows.qids)), rows.sizes)
    best = np.zeros(len(rows.qids))
    np.maximum.at(best, query, gains)
    kept = best > 0.0
    if not kept.any():
        raise InputError(
            "no item is relevant, so NDCG divides by zero",
            where="relevance",
            fix="pass at least one item with a positive gain",
        )
    chosen = kept[query]
    query, score, gains = query[chosen], rows.score[chosen], gains[chosen]
    order = np.lexsort((score, query))
    query, score, gains = query[order], score[order], gains[order]
    begins = run_begins(score) | run_begins(query)
    start = np.flatnonzero(begins)
    size = np.diff(np.append(start, len(gains)))
    offsets = np.concatenate([[0], np.cumsum(rows.sizes[kept])])
    return RankedLists(
        np.repeat(np.add.reduceat(gains, start) / size, size),
        gains,
        offsets.astype(np.int64),
        begins,
        int(np.count_nonzero(~kept)),
    )
