"""Exact numbers of subsets of given size whose weights sum to a given interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.gaussian import binomial, gaussian_sum, gaussian_work
from rocsolid.leaks.half_tables import ExactTables, exact_lookup_work, exact_tables_work


@dataclass(frozen=True)
class Subsets:
    """The subsets of ``k`` of the ``weights`` (whole, ascending) with sum from ``low`` to ``high``.

    >>> question = subsets(np.array([0, 1, 1, 2, 3]), 2, 3, 3)
    >>> question.count()
    3
    """

    weights: NDArray[np.int64]
    k: int
    low: int
    high: int

    @property
    def empty(self) -> bool:
        return self.low > self.high

    def work(self) -> float:
        """About how long `count` takes, in 10 ns."""
        m = len(self.weights)
        if self.empty or self.alike:
            return float(m)
        if consecutive(self.weights):
            least = self._least()
            return gaussian_work(m - self.k, self.k, self.low - least, self.high - least)
        return exact_tables_work(self.weights, self.k) + exact_lookup_work(self.weights, self.k)

    def count(self) -> int:
        """The exact number."""
        if self.empty:
            return 0
        if self.alike:
            return binomial(len(self.weights), self.k)
        if consecutive(self.weights):
            least = self._least()
            return gaussian_sum(
                len(self.weights) - self.k, self.k, self.low - least, self.high - least
            )
        return ExactTables(self.weights, self.k).count(self.k, self.low, self.high)

    @property
    def alike(self) -> bool:
        """Whether all weights are the same; the sum fits, or the question would be empty."""
        return len(self.weights) == 0 or bool(self.weights[0] == self.weights[-1])

    def _least(self) -> int:
        """The smallest sum of ``k`` of the weights."""
        return int(self.weights[: self.k].sum())


def consecutive(weights: NDArray[np.int64]) -> bool:
    """Whether the weights go up by one: untied scores, without gaps by known labels."""
    return bool((np.diff(weights) == 1).all())


def subsets(weights: NDArray[np.int64], k: int, low: int, high: int) -> Subsets:
    """Ask for the subsets, after leaving out the rows that the sum forces.

    If the sum may miss the largest possible one by at most δ, a row that is lighter than the k-th
    heaviest by more than δ cannot be chosen, and one that is heavier than the next by more than δ
    must be. The same holds from below. Near a perfect AUC only few rows are left.

    >>> subsets(np.arange(10**6), 10**5, 10**11, 10**11).empty
    True
    >>> top = int(np.arange(900_000, 1_000_000).sum())
    >>> len(subsets(np.arange(10**6), 10**5, top - 3, top - 3).weights)
    6
    """
    while True:
        m = len(weights)
        lightest = int(weights[:k].sum())
        heaviest = int(weights[m - k :].sum())
        low, high = max(low, lightest), min(high, heaviest)
        if low > high or m == 0:
            return Subsets(weights[:0], 0, 1, 0) if low > high else Subsets(weights, k, low, high)
        if k in (0, m):
            return Subsets(weights[:0], 0, 0, 0)
        slack = heaviest - low
        never = weights < weights[m - k] - slack
        always = weights > weights[m - k - 1] + slack
        slack = high - lightest
        never |= weights > weights[k - 1] + slack
        always |= weights < weights[k] - slack
        if not (never.any() or always.any()):
            return Subsets(weights, k, low, high)
        chosen = int(weights[always].sum())
        k, low, high = k - int(always.sum()), low - chosen, high - chosen
        weights = weights[~(never | always)]
