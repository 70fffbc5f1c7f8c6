"""How many bipartite rank matrices there are, with and without ties, as exact integers."""

from __future__ import annotations

import math

from rocsolid.arguments import whole


def psi(n_pos: int, n_neg: int) -> int:
    """The number ψ(m, n) of m × n rank matrices that some scoring has.

    Agarwal et al. 2005, Theorem 16, define ψ and bound it; this is an exact closed formula. Read
    the levels of a scoring from below as a word over P (positives only), N (negatives only) and M
    (both, tied). Two neighbouring P, or two neighbouring N, can be merged without changing the
    matrix, and a word without them is determined by it. So, with Stirling numbers of the second
    kind S,

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
    """The number of m × n rank matrices without a tie: the poly-Bernoulli numbers.

    Σ_j (j!)² S(m+1, j+1) S(n+1, j+1), which also counts the acyclic orientations of the complete
    bipartite graph.

    >>> psi_strict(2, 2), psi_strict(1, 5)
    (14, 32)
    """
    m, n = whole(n_pos, "n_pos"), whole(n_neg, "n_neg")
    pos, neg = stirling_second(m + 1), stirling_second(n + 1)
    return sum(math.factorial(j) ** 2 * pos[j + 1] * neg[j + 1] for j in range(min(m, n) + 1))


def psi_bounds(n_pos: int, n_neg: int) -> tuple[int, int]:
    """The bounds 3^max(m,n) ≤ ψ(m, n) ≤ (m+n)!·2^(m+n−1) of Agarwal et al. 2005, §4.3.

    >>> psi_bounds(2, 2)
    (9, 192)
    """
    m, n = whole(n_pos, "n_pos"), whole(n_neg, "n_neg")
    return 3 ** max(m, n), math.factorial(m + n) * 2 ** (m + n - 1)


def stirling_second(size: int) -> list[int]:
    """The Stirling numbers of the second kind S(size, 0), …, S(size, size).

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
    """words[p][q]: words without PP and NN with p letters P or M and q letters N or M.

    Counted by their last letter; the empty word counts as ending in M, after which any letter may
    follow.
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
