"""Chains of rows, one of each outcome, whose scores ascend with the outcomes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass

_FLOATS = NDArray[np.float64]
INT64 = 1 << 63


@dataclass(frozen=True, slots=True, eq=False)
class OrderedChains:
    """The share of chains in the right order, over all rows and through each row.

    A chain has one row of each outcome. Rows of a chain with equal scores are ordered by fair
    coins, so t of them count 1/t!. ``through`` contains the share of the chains of each row, whose
    mean over the rows of any outcome is ``value``. ``ratio`` is the value as two integers, or
    ``None`` with weights or if they exceed 64 bits.

    >>> chains = OrderedChains.of(np.array([0, 1, 2, 2]), np.array([0, 1, 1, 2]))
    >>> chains.value, chains.ratio, chains.through
    (0.75, (9, 12), array([0.75, 0.75, 0.5 , 1.  ]))
    """

    value: float
    through: _FLOATS
    ratio: tuple[int, int] | None

    @classmethod
    def of(
        cls, outcome: NDArray[np.intp], score: NDArray[np.intp], weight: _FLOATS | None = None
    ) -> OrderedChains:
        """Count from outcome and score codes in time K²·n for the value of K outcomes.

        With weights, a chain counts the product of the weights of its rows.
        """
        kinds, steps = int(outcome.max()) + 1, int(score.max()) + 1
        counts = np.stack(
            [
                np.bincount(score[rows], None if weight is None else weight[rows], minlength=steps)
                for rows in (outcome == kind for kind in range(kinds))
            ]
        )
        sizes = counts.sum(axis=1)
        shares = counts / sizes[:, None]
        below, value = _below(shares)
        above = _below(shares[::-1, ::-1])[0][::-1, ::-1]
        orders = math.factorial(kinds)
        chains = orders * math.prod(sizes.tolist())
        ratio = None
        if weight is None and chains < INT64:
            ratio = (int(_below(counts, whole=True)[1]), chains)
            value = ratio[0] / chains
        through = np.empty(len(outcome))
        for kind in range(kinds):
            rows = outcome == kind
            through[rows] = _through(shares, below, above, kind)[score[rows]]
        return cls(float(value), through, ratio)


def _below(counts: NDArray[Any], whole: bool = False) -> tuple[NDArray[Any], Any]:
    """Return the chains of the first j outcomes below each score, and those of all outcomes.

    Each group of equal scores extends the chains of the first j outcomes to those of the first k
    by one row of each outcome between, divided by (k − j)!; ``whole`` multiplies by k! instead,
    which keeps integers.
    """
    kinds, steps = counts.shape
    below = np.zeros((kinds, steps), dtype=counts.dtype)
    below[0] = 1
    total: Any = 0
    for k in range(1, kinds + 1):
        added = np.zeros(steps, dtype=counts.dtype)
        product: NDArray[Any] = np.ones(steps, dtype=counts.dtype)
        for j in range(k - 1, -1, -1):
            product = product * counts[j]
            extended = below[j] * product
            added += extended * math.comb(k, j) if whole else extended / math.factorial(k - j)
        reached = np.cumsum(added)
        total = reached[-1]
        if k < kinds:
            below[k] = reached - added
    return below, total


def _through(shares: _FLOATS, below: _FLOATS, above: _FLOATS, kind: int) -> _FLOATS:
    """Return the share of chains through a row of the outcome ``kind`` with each score.

    ``above[k]`` has the chains of the outcomes after k above each score.
    """
    kinds, steps = shares.shape
    total = np.zeros(steps)
    lower = np.ones(steps)
    for j in range(kind, -1, -1):  # the tied rows have the outcomes j … k, without ``kind``
        lower = lower if j == kind else lower * shares[j]
        tied = lower
        for k in range(kind, kinds):
            tied = tied if k == kind else tied * shares[k]
            total += below[j] * tied * above[k] / math.factorial(k - j + 1)
    return total
