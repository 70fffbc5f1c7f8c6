"""Whitehill 2019, section 5: the paper's own recursion, the reference for counting labelings."""

from __future__ import annotations

from fractions import Fraction


def recursion(n_neg: int, n_pos: int, d: int) -> int:
    """v(n₀, n₁, d) = Σ_k v(k, n₁ − 1, d − k), k from 0 to min(d, n₀), by dynamic programming.

    The table of one n₁ holds v for all n₀ and d, so the time is O(n₀n₁d) as in the paper.
    """
    table = [[int(e == 0) for e in range(d + 1)] for _ in range(n_neg + 1)]
    for _ in range(n_pos):
        after: list[list[int]] = []
        for zeros in range(n_neg + 1):
            # the sum over k ≤ n₀ is the one over k ≤ n₀ − 1 and the term k = n₀
            row = list(after[-1]) if after else [0] * (d + 1)
            for e in range(zeros, d + 1):
                row[e] += table[zeros][e - zeros]
            after.append(row)
        table = after
    return table[n_neg][d]


def labelings_by_recursion(auc: Fraction, n: int) -> dict[int, int]:
    """By n₁ in N₁ = {n₁ : q divides n₀n₁}; their sum is w(n, p/q) of section 4.1."""
    p, q = auc.numerator, auc.denominator
    return {
        n_pos: recursion(n - n_pos, n_pos, (q - p) * (n - n_pos) * n_pos // q)
        for n_pos in range(1, n)
        if (n - n_pos) * n_pos % q == 0
    }
