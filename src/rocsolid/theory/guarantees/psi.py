"""Exact counts of bipartite rank matrices, and of rankings by linear functions on R^d.

The points are in general position. An arrangement of hyperplanes through the origin has 2·Σ|w_l|
regions, over every second coefficient w_l of its characteristic polynomial (Zaslavsky 1975). For
the hyperplanes {w : w·(x − x') = 0} of the compared pairs, that is the chromatic polynomial of the
graph of the pairs, cut off after d coefficients.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.errors import UnsoundError
from rocsolid.weights.weight import Polyline, Weight


def psi(n_pos: int, n_neg: int) -> int:
    """Return ψ(m, n), the number of m × n rank matrices that some scoring produces.

    Agarwal et al. (2005, Theorem 16) define and bound ψ; this formula is exact. The levels of a
    scoring are a word over P (positives only), N (negatives only) and M (both, tied); a matrix
    determines its word without PP and NN. With Stirling numbers of the second kind S,

        ψ(m, n) = Σ_{p,q} p! S(m, p) q! S(n, q) · #{words, p letters P or M, q letters N or M}.

    >>> psi(2, 2), psi(2, 3), psi(3, 3)
    (51, 261, 2067)
    """
    m, n = whole(n_pos, "n_pos"), whole(n_neg, "n_neg")
    ways_pos, ways_neg = _surjections(m), _surjections(n)
    words = _words(m, n)
    return sum(
        ways_pos[p] * sum(ways_neg[q] * words[p][q] for q in range(1, n + 1))
        for p in range(1, m + 1)
    )


def psi_strict(n_pos: int, n_neg: int) -> int:
    """Return the number of m × n rank matrices without a tie, a poly-Bernoulli number.

    The number is Σ_j (j!)² S(m+1, j+1) S(n+1, j+1), which also counts the acyclic orientations of
    the complete bipartite graph.

    >>> psi_strict(2, 2), psi_strict(1, 5)
    (14, 32)
    """
    m, n = whole(n_pos, "n_pos"), whole(n_neg, "n_neg")
    pos, neg = stirling_second(m + 1), stirling_second(n + 1)
    return sum(math.factorial(j) ** 2 * pos[j + 1] * neg[j + 1] for j in range(min(m, n) + 1))


def psi_bounds(n_pos: int, n_neg: int) -> tuple[int, int]:
    """Return the bounds 3^max(m,n) ≤ ψ(m, n) ≤ (m+n)!·2^(m+n−1) of Agarwal et al. 2005, §4.3.

    >>> psi_bounds(2, 2)
    (9, 192)
    """
    m, n = whole(n_pos, "n_pos"), whole(n_neg, "n_neg")
    return 3 ** max(m, n), math.factorial(m + n) * 2 ** (m + n - 1)


def stirling_second(size: int) -> list[int]:
    """Return the Stirling numbers of the second kind S(size, 0), …, S(size, size).

    >>> stirling_second(4)
    [0, 1, 7, 6, 1]
    """
    row = [1]
    for i in range(1, size + 1):
        row = [0, *(row[j - 1] + j * row[j] for j in range(1, i)), 1]
    return row


def _surjections(size: int) -> list[int]:
    return [math.factorial(j) * ways for j, ways in enumerate(stirling_second(size))]


def _words(m: int, n: int) -> list[list[int]]:
    """Count words[p][q]: words without PP and NN with p letters P or M and q letters N or M.

    Words are counted by their last letter; the empty word counts as ending in M.
    """
    end_p = [[0] * (n + 1) for _ in range(m + 1)]
    end_n = [[0] * (n + 1) for _ in range(m + 1)]
    end_m = [[0] * (n + 1) for _ in range(m + 1)]
    end_m[0][0] = 1
    for p in range(m + 1):
        for q in range(n + 1):
            if p:
                end_p[p][q] = end_n[p - 1][q] + end_m[p - 1][q]
            if q:
                end_n[p][q] = end_p[p][q - 1] + end_m[p][q - 1]
            if p and q:
                end_m[p][q] = end_p[p - 1][q - 1] + end_n[p - 1][q - 1] + end_m[p - 1][q - 1]
    return [[end_p[p][q] + end_n[p][q] + end_m[p][q] for q in range(n + 1)] for p in range(m + 1)]


def linear_rank_matrices(n_pos: int, n_neg: int, dimension: int) -> int:
    """Return the number of rank matrices without a tie that linear functions on R^d produce.

    The points are in general position, where the number is largest. With w_l the coefficient of
    q^(m+n−l) in the chromatic polynomial χ of K(m, n), the number is 2·Σ|w_l| over 0 ≤ l ≤ d−1 with
    l ≡ d−1 (mod 2), and |χ(−1)| once d ≥ m+n−1. A linear function with ties is the average of two
    without, so this count suffices in a union bound; it answers the open question in §5 of Agarwal
    et al. (2005).

    >>> [linear_rank_matrices(3, 3, d) for d in (1, 2, 3)]
    [2, 18, 74]
    """
    m, n = whole(n_pos, "n_pos"), whole(n_neg, "n_neg")
    return _regions(0, m, n, whole(dimension, "dimension"))


def linear_rank_matrices_with_ties(n_pos: int, n_neg: int, dimension: int) -> int:
    """Return the number of rank matrices, ties allowed, that linear functions on R^d produce.

    The m + n points are in general position. Tied pairs that join i positives and j negatives into
    s levels leave d − κ dimensions, κ = i + j − s. The count sums the regions of the rest over all
    such choices, plus one for the constant function, and equals ψ(m, n) once d ≥ m+n−1.

    >>> [linear_rank_matrices_with_ties(3, 3, d) for d in (1, 2, 3)]
    [3, 37, 291]
    """
    m, n = whole(n_pos, "n_pos"), whole(n_neg, "n_neg")
    d = whole(dimension, "dimension")
    if d >= m + n - 1:
        return psi(m, n)
    stirling = [stirling_second(size) for size in range(d)]
    total = 1
    for kappa in range(d):
        for s in range(kappa + 1):
            # both i and j are at least s, and i + j = κ + s
            for i in range(s, min(m, kappa) + 1):
                j = kappa + s - i
                if j > n:
                    continue
                levels = math.factorial(s) * stirling[i][s] * stirling[j][s]
                if levels:
                    choices = math.comb(m, i) * math.comb(n, j) * levels
                    total += choices * _regions(s, m - i, n - j, d - kappa)
    return total


def linear_orderings(n_points: int, dimension: int) -> int:
    """Return Q(N, d), the number of orderings of N points by linear functions on R^d.

    For points in general position, Q(N+1, d) = Q(N, d) + N·Q(N, d−1), with Q(2, d) = Q(N, 1) = 2
    (Cover 1967).

    >>> [linear_orderings(4, d) for d in (1, 2, 3)]
    [2, 12, 24]
    """
    points, d = whole(n_points, "n_points"), whole(dimension, "dimension")
    if points == 1:
        return 1
    row = [2] * min(d, points)  # more dimensions than points order them no better
    for n in range(2, points):
        row = [2, *(row[i] + n * row[i - 1] for i in range(1, len(row)))]
    return row[-1]


def _regions(levels: int, m: int, n: int, dimension: int) -> int:
    """Count the regions for s ordered levels, compared with m positives and n negatives."""
    rank = levels + m + n - 1 if levels or (m and n) else 0
    if dimension >= rank:
        return sum(map(abs, _leading_coefficients(levels, m, n, levels + m + n + 1)))
    leading = _leading_coefficients(levels, m, n, dimension)
    return 2 * sum(abs(w) for w in leading[(dimension - 1) % 2 :: 2])


def _leading_coefficients(levels: int, m: int, n: int, count: int) -> list[int]:
    """Return the first ``count`` coefficients of the chromatic polynomial, highest power first.

    The graph is K(m, n) joined to a complete graph on s vertices. Colour the s levels, then the
    positives with j colours, then the negatives:

        χ(q) = Σ_j S(m, j) · q(q−1)…(q−s−j+1) · (q−s−j)^n.

    The term j starts m − j powers below the top, so only the last ``count`` values of j matter.
    """
    if n > m:  # the same graph; a shorter power and a longer sum cost less the other way round
        m, n = n, m
    result = [0] * count
    falling = [1] + [0] * (count - 1)  # of q(q−1)…(q−i+1), highest power first
    stirling = _stirling_second_diagonals(m, count)
    for i in range(levels + m + 1):
        j = i - levels
        if j >= 0 and m - j < count:
            power = [math.comb(n, k) * (-i) ** k for k in range(count)]  # (q − i)^n
            term = _product(falling, power, count)
            for power_below, coefficient in enumerate(term[: count - (m - j)], start=m - j):
                result[power_below] += stirling[m - j] * coefficient
        falling = [falling[0], *(falling[k] - i * falling[k - 1] for k in range(1, count))]
    return result


def _product(left: Sequence[int], right: Sequence[int], count: int) -> list[int]:
    return [sum(left[i] * right[k - i] for i in range(k + 1)) for k in range(count)]


def _stirling_second_diagonals(size: int, count: int) -> list[int]:
    """Return the first ``count`` of S(size, size), S(size, size−1), …, zero beyond S(size, 0)."""
    row = [1] + [0] * (count - 1)
    for i in range(1, size + 1):
        # S(i, i−t) = S(i−1, i−t−1) + (i−t)·S(i−1, i−t): on the diagonals, t and t−1
        row = [1, *(row[t] + max(i - t, 0) * row[t - 1] for t in range(1, count))]
    return row


_GRID = 4097
_ROUNDING = 1e-12


def order_of_weights(*ascending: Weight) -> tuple[str, ...]:
    """Reject weights that are not in ascending order; return the assumption needed, if any.

    Weights made of straight lines are compared everywhere. Other weights are compared at 4,097
    rates, which proves nothing.

    >>> from rocsolid.weights import power, ramp, step
    >>> order_of_weights(step(0, 0.1), ramp(0, 0.2, 10, side="below"), step(0, 0.2))
    ()
    """
    if len({weight.axis for weight in ascending}) > 1:
        raise UnsoundError(
            "weights over false-positive and over true-positive rates do not compare",
            where="weights",
            value=tuple(weight.axis for weight in ascending),
        )
    straight = all(isinstance(weight, Polyline) for weight in ascending)
    rates = _between_corners(ascending) if straight else np.linspace(0.0, 1.0, _GRID)
    for lower, upper in pairwise(ascending):
        gap = upper(rates) - lower(rates)
        if straight:  # both straight between corners: extend from a quarter to the ends
            quarter, three = gap.reshape(-1, 2).T
            gap = np.concatenate([1.5 * quarter - 0.5 * three, 1.5 * three - 0.5 * quarter])
        if gap.min() < -_ROUNDING * upper.sup_norm:
            raise UnsoundError(
                "a weight exceeds the one that should lie above it",
                where=f"{lower} against {upper}",
                value=float(-gap.min()),
                fix="take W-hat at most W_Lip and W_Lip at most W everywhere",
            )
    return () if straight else (f"order of the weights checked at only {_GRID:,} rates",)


def _between_corners(weights: tuple[Weight, ...]) -> NDArray[np.float64]:
    rates = {rate for weight in weights if isinstance(weight, Polyline)
             for rate, _ in weight.points()}  # fmt: skip
    corners = np.array(sorted({0.0, 1.0, *rates}))
    if weights[0].axis == "fpr":
        corners = 1.0 - corners[::-1]
    start, width = corners[:-1], np.diff(corners)
    return np.stack([start + width / 4, start + 3 * width / 4], axis=1).ravel()
