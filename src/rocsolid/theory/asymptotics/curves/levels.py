"""The grades of a population, and lists of items sorted by score."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.gains.gain import as_gain
from rocsolid.inputs.graded_rows import graded_rows
from rocsolid.summaries.score_counts import run_begins


@dataclass(frozen=True, slots=True)
class Levels:
    """Grades 𝔶₁ > 𝔶₂ > … ≥ 0, as gains, and the share Pr(Y = 𝔶ⱼ) > 0 of each."""

    grades: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        """E[Y]; with grades 0 and 1 it is p = Pr(Y = 1)."""
        return math.fsum(g * share for g, share in zip(self.grades, self.shares, strict=True))

    @property
    def top(self) -> float:
        return self.grades[0]

    @property
    def binary(self) -> bool:
        return set(self.grades) <= {0.0, 1.0}

    @property
    def reach(self) -> tuple[float, ...]:
        """R_j = Pr(Y ≥ 𝔶ⱼ), the share of a perfect order that has at least grade j.

        >>> as_levels({2: 0.25, 1: 0.25, 0: 0.5}).reach
        (0.25, 0.5, 1.0)
        """
        return (*(math.fsum(self.shares[: j + 1]) for j in range(len(self.shares) - 1)), 1.0)

    def ideal(self, area: Callable[[float], float]) -> float:
        """Return Σⱼ (𝔶ⱼ − 𝔶ⱼ₊₁)·area(R_j), the best DCG if ``area`` sums the discount to a depth.

        With area(x) = min(x, c)^(1−β) this is the denominator of Theorems 8 to 13 of Wang et al.
        2013.
        """
        lower = (*self.grades[1:], 0.0)
        return math.fsum(
            (grade - below) * area(depth)
            for grade, below, depth in zip(self.grades, lower, self.reach, strict=True)
            if grade > below
        )


def as_levels(shares: Mapping[float, float]) -> Levels:
    """Return the shares of the grades. Grades are gains: for 2^y−1, write 3 for grade 2.

    >>> as_levels({0: 0.7, 1: 0.2, 2: 0.1}).mean
    0.4
    """
    if not isinstance(shares, Mapping):
        raise InputError(
            "levels are a mapping from each grade to its share",
            where="levels",
            value=shares,
            fix="write levels={2: 0.1, 1: 0.2, 0: 0.7}",
        )
    pairs = sorted(((float(g), float(share)) for g, share in shares.items()), reverse=True)
    for grade, share in pairs:
        if not (math.isfinite(grade) and grade >= 0.0):
            raise InputError("a grade is a finite gain of at least 0", where="levels", value=grade)
        if not 0.0 < share <= 1.0:
            raise InputError(
                f"the share of grade {grade:g} must be above 0 and at most 1",
                where="levels",
                value=share,
                fix="leave out grades that do not occur: the highest one sets the scale",
            )
    total = math.fsum(share for _, share in pairs)
    if abs(total - 1.0) > 1e-9:
        raise InputError("the shares must add up to 1", where="levels", value=total)
    if not pairs[0][0] > 0.0:
        raise InputError(
            "no item is relevant, so NDCG divides by zero", where="levels", value=dict(shares)
        )
    return Levels(tuple(g for g, _ in pairs), tuple(share / total for _, share in pairs))


_F = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RankedLists:
    """The gains of each query's items, worst score first.

    Each item in ``gain`` has the mean gain of its block of equal scores; ``given`` has its own.
    ``begins`` marks the first item of each block.
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
        """The positions at which blocks of equal scores begin, and the end of the last block."""
        return np.append(np.flatnonzero(self.begins), self.items)

    @property
    def levels(self) -> Levels:
        weight = np.repeat(1.0 / self.sizes, self.sizes)
        grades, index = np.unique(self.given, return_inverse=True)
        shares = np.bincount(index, weight) / self.queries
        return Levels(tuple(grades[::-1].tolist()), tuple(shares[::-1].tolist()))

    def steps(self) -> tuple[_F, _F]:
        """Return the average query's gain as a step function of s: edges in [0, 1], and values."""
        position = np.arange(self.items) - np.repeat(self.offsets[:-1], self.sizes)
        low = position / np.repeat(self.sizes, self.sizes)
        if self.queries == 1:
            return np.append(low, 1.0), self.gain
        jump = np.diff(self.gain, prepend=0.0)
        jump[self.offsets[:-1]] = self.gain[self.offsets[:-1]]
        edges, index = np.unique(low, return_inverse=True)
        values = np.cumsum(np.bincount(index, jump)) / self.queries
        return np.append(edges, 1.0), values


def ranked_lists(relevance: Any, scores: Any, qid: Any, gain: Any) -> RankedLists:
    """Sort the items by score, without queries that have no relevant item.

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
