"""Exactly how many rankings linear functions on R^d give, for points in general position.

Counts are exact integers of any length. The regions of an arrangement of hyperplanes through the
origin are 2·Σ|w_l| over every second coefficient w_l of its characteristic polynomial (Zaslavsky
1975); the hyperplanes here are {w : w·(x − x') = 0} over the pairs that are compared, so the
polynomial is the chromatic polynomial of the graph of those pairs, cut off after d coefficients.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rocsolid.arguments import whole
from rocsolid.theory.guarantees.psi import psi


def linear_rank_matrices(n_pos: int, n_neg: int, dimension: int) -> int:
    """The number of rank matrices without a tie that linear functions on R^d give.

    For m + n points in general position, which give the most. With χ the chromatic polynomial of
    the complete bipartite graph K(m, n) and w_l its coefficient of q^(m+n−l), it is 2·Σ|w_l| over
    0 ≤ l ≤ d−1 with l ≡ d−1 (mod 2), and |χ(−1)| once d ≥ m+n−1. A linear function with ties is the
    average of two without, so this count suffices in a union bound. It answers, for linear
    functions, the question left open in §5 of Agarwal et al. 2005 (bounds on r(F, m, n) tighter
    than Theorem 22).

    >>> [linear_rank_matrices(3, 3, d) for d in (1, 2, 3)]
    [2, 18, 74]
    """
    m, n = whole(n_pos, "n_pos"), whole(n_neg, "n_neg")
    return _regions(0, m, n, whole(dimension, "dimension"))


def linear_rank_matrices_with_ties(n_pos: int, n_neg: int, dimension: int) -> int:
    """The number of rank matrices, ties allowed, that linear functions on R^d give.

    For m + n points in general position. A set of tied pairs joins i positives and j negatives into
    s levels; it leaves d − κ dimensions, κ = i + j − s, and s mutually ordered levels, each
    compared with every example that is left. Summing the regions of what is left over all choices,
    and one for the constant function, gives the faces of the arrangement; ψ(m, n) once d ≥ m+n−1.

    >>> [linear_rank_matrices_with_ties(3, 3, d) for d in (1, 2, 3)]
    [3, 37, 291]
    """
    m, n = whole(n_pos, "n_pos"), whole(n_neg, "n_neg")
    d = whole(dimension, "dimension")
    if d >= m + n - 1:
        return psi(m, n)
    total = 1
    for kappa in range(d):
        for s in range(kappa + 1):
            # both i and j are at least s, and i + j = κ + s
            for i in range(s, min(m, kappa) + 1):
                j = kappa + s - i
                if j > n:
                    continue
                levels = math.factorial(s) * _stirling_second(i, s) * _stirling_second(j, s)
                if levels:
                    choices = math.comb(m, i) * math.comb(n, j) * levels
                    total += choices * _regions(s, m - i, n - j, d - kappa)
    return total


def linear_orderings(n_points: int, dimension: int) -> int:
    """The number Q(N, d) of orderings of N points in general position by linear functions on R^d.

    Q(N+1, d) = Q(N, d) + N·Q(N, d−1), with Q(2, d) = Q(N, 1) = 2 (Cover 1967).

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
    """The regions for s mutually ordered levels above, below or among m positives, n negatives."""
    rank = levels + m + n - 1 if levels or (m and n) else 0
    if dimension >= rank:
        return sum(map(abs, _leading_coefficients(levels, m, n, levels + m + n + 1)))
    leading = _leading_coefficients(levels, m, n, dimension)
    return 2 * sum(abs(w) for w in leading[(dimension - 1) % 2 :: 2])


def _leading_coefficients(levels: int, m: int, n: int, count: int) -> list[int]:
    """The first ``count`` coefficients, from the highest power, of the chromatic polynomial.

    The graph is K(m, n) joined to a complete graph on s vertices. Colour the s levels, then the
    positives with j colours, then the negatives with the colours that are left:

        χ(q) = Σ_j S(m, j) · q(q−1)…(q−s−j+1) · (q−s−j)^n.

    The term j starts m − j powers below the top, so only the last ``count`` values of j matter, and
    each is needed to ``count`` coefficients.
    """
    if n > m:  # the same graph; a shorter power and a longer sum cost less the other way round
        m, n = n, m
    result = [0] * count
    falling = [1] + [0] * (count - 1)  # of q(q−1)…(q−i+1), highest power first
    stirling = _stirling_second_diagonals(m, count)
    for i in range(levels + m + 1):
        j = i - levels
        if j >= 0 and m - j < count:
            power = _power_of_linear(i, n, count)
            term = _product(falling, power, count)
            for place in range(count - (m - j)):
                result[m - j + place] += stirling[m - j] * term[place]
        falling = [falling[0], *(falling[k] - i * falling[k - 1] for k in range(1, count))]
    return result


def _power_of_linear(root: int, exponent: int, count: int) -> list[int]:
    """The first coefficients of (q − root)^exponent, highest power first."""
    return [math.comb(exponent, k) * (-root) ** k for k in range(count)]


def _product(left: Sequence[int], right: Sequence[int], count: int) -> list[int]:
    return [sum(left[i] * right[k - i] for i in range(k + 1)) for k in range(count)]


def _stirling_second(size: int, parts: int) -> int:
    """S(size, parts), as 1 for the empty set in no part."""
    if parts > size:
        return 0
    return _stirling_second_diagonals(size, size - parts + 1)[size - parts]


def _stirling_second_diagonals(size: int, count: int) -> list[int]:
    """S(size, size), S(size, size−1), …: the first ``count`` of them, zero beyond S(size, 0)."""
    row = [1] + [0] * (count - 1)
    for i in range(1, size + 1):
        # S(i, i−t) = S(i−1, i−t−1) + (i−t)·S(i−1, i−t): on the diagonals, t and t−1
        row = [1, *(row[t] + max(i - t, 0) * row[t - 1] for t in range(1, count))]
    return row
