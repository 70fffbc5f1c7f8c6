"""The number of rankings that a class of scorers can produce, as logarithms.

Each class has three counts, one for each kind of uniform bound: the rank-shatter coefficient r(F,
m, n) (Agarwal et al. 2005, Definition 15), the sign patterns Π(k) on k differences x − x′, and the
sign patterns s(F˘, N) of f(x) − f(z) on N points (Definitions 20 and 21).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of, whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.theory.guarantees.psi import linear_rank_matrices, linear_rank_matrices_with_ties, psi

_CHUNK = 1_000_000

Count = Literal["regions", "faces", "closed-form", "exact", "exact-ties"]


class ScorerClass(Protocol):
    """The counts of a class F of scorers that the uniform bounds require."""

    @property
    def symmetric(self) -> bool:
        """True if −f belongs to the class for every f in the class."""

    def log_rank_shatter(self, n_pos: int, n_neg: int) -> float:
        """Return a bound on ln r(F, m, n)."""

    def log_sign_patterns(self, pairs: int) -> float:
        """Return a bound on ln Π(k)."""

    def log_threshold_patterns(self, points: int) -> float:
        """Return a bound on ln s(F˘, N)."""


@dataclass(frozen=True, slots=True)
class Linear:
    """The class of linear scorers w·x + b on R^d.

    ``count`` selects the bound on ln r(F, m, n):

    - ``"regions"``: 2·Σ_{l<d} C(mn−1, l), the regions of mn hyperplanes through the origin (Cover
      1965), never above the next two bounds. Rank matrices with ties are averages of two without.
    - ``"faces"``: the sum Σ_{i≤d} 2^i C(mn, i) in Lemma 23 of Agarwal et al. 2005.
    - ``"closed-form"``: (2emn/d)^d, Theorem 24 of Agarwal et al. 2005, which needs mn ≥ d.
    - ``"exact"``: the exact count without ties in general position, for sizes whose integers fit in
      memory (the time grows with d(m + n + d²)).
    - ``"exact-ties"``: the exact count of Definition 15, ties included.

    >>> f = Linear(5)
    >>> round(f.log_rank_shatter(2000, 2000), 2), round(f.log_sign_patterns(1000), 2)
    (58.32, 25.14)
    >>> round(Linear(5, count="closed-form").log_rank_shatter(2000, 2000), 2)
    76.43
    """

    dimension: int
    count: Count = "regions"

    def __post_init__(self) -> None:
        whole(self.dimension, "dimension")
        one_of(self.count, get_args(Count), "count")

    @property
    def symmetric(self) -> bool:
        return True

    def log_rank_shatter(self, n_pos: int, n_neg: int) -> float:
        m, n = whole(n_pos, "n_pos"), whole(n_neg, "n_neg")
        if self.count == "exact":
            return math.log(linear_rank_matrices(m, n, self.dimension))
        if self.count == "exact-ties":
            return math.log(linear_rank_matrices_with_ties(m, n, self.dimension))
        if self.count == "faces":
            return log_faces_any(m * n, self.dimension)
        if self.count == "closed-form":
            return log_faces_closed_form(m * n, self.dimension)
        return log_regions(m * n, self.dimension)

    def log_sign_patterns(self, pairs: int) -> float:
        return log_regions(whole(pairs, "pairs"), self.dimension)

    def log_threshold_patterns(self, points: int) -> float:
        """Return the bound for affine functions on R^d, which are linear in d + 1 features."""
        return log_faces_general(whole(points, "points"), self.dimension + 1)


def polynomial(dimension: int, degree: int, count: Count = "regions") -> Linear:
    """Return the polynomials of degree at most q on R^d as linear functions of their monomials.

    Reference: Agarwal et al. 2005, Lemma 25 and Theorem 26.

    >>> polynomial(3, 2).dimension
    9
    """
    return Linear(monomials(dimension, degree), count)


def monomials(dimension: int, degree: int) -> int:
    """Return C(d+q, q) − 1, the number of monomials of degree 1 to q in d variables.

    The number equals the double sum in equation (23) of Agarwal et al. 2005.

    >>> monomials(20, 3)
    1770
    """
    d, q = whole(dimension, "dimension"), whole(degree, "degree")
    return math.comb(d + q, q) - 1


@dataclass(frozen=True, slots=True)
class Finite:
    """A class of ``size`` scorers, fixed before the data: r(F, m, n) ≤ |F| and Π(k) ≤ |F|.

    On N points each scorer produces at most 2N + 1 sign patterns of f(x) − f(z), one for every
    position of f(z). A comparison has three outcomes, so the last two counts never exceed 3^k and
    3^N; r never exceeds ψ(m, n), the number of rank matrices of all scorers (Theorem 16).

    >>> round(Finite(40).log_rank_shatter(100, 100), 4)
    3.6889
    >>> round(math.exp(Finite(10**9).log_rank_shatter(1, 1)), 12)
    3.0
    >>> round(math.exp(Finite(10**9).log_rank_shatter(2, 3)), 9)
    261.0
    """

    size: int
    symmetric: bool = False

    def __post_init__(self) -> None:
        whole(self.size, "size")

    def log_rank_shatter(self, n_pos: int, n_neg: int) -> float:
        larger = max(whole(n_pos, "n_pos"), whole(n_neg, "n_neg"))
        if math.log(self.size) <= larger * math.log(3):  # ψ is at least 3^max(m, n)
            return math.log(self.size)
        return min(math.log(self.size), math.log(psi(n_pos, n_neg)))

    def log_sign_patterns(self, pairs: int) -> float:
        return min(math.log(self.size), whole(pairs, "pairs") * math.log(3))

    def log_threshold_patterns(self, points: int) -> float:
        size = whole(points, "points")
        return min(math.log(self.size) + math.log(2 * size + 1), size * math.log(3))


@dataclass(frozen=True, slots=True)
class UserClass:
    """A class whose counts you supply, as logarithms that are functions of the sizes.

    A bound that needs a count that you leave out raises an error, except that the patterns of signs
    of all mn pairs bound r(F, m, n) (Agarwal et al. 2005, Theorem 22). For this, ``sign_patterns``
    must count ties as a third sign. ``symmetric`` states that −f belongs to the class for every f
    in the class.

    >>> stumps = UserClass(rank_shatter=lambda m, n: math.log(2 * (m + n)))
    >>> round(stumps.log_rank_shatter(10, 10), 3)
    3.689
    >>> line = UserClass(sign_patterns=lambda pairs: math.log(3))  # of increasing functions on R
    >>> round(math.exp(line.log_rank_shatter(10, 10)), 9)
    3.0
    """

    rank_shatter: Callable[[int, int], float] | None = None
    sign_patterns: Callable[[int], float] | None = None
    threshold_patterns: Callable[[int], float] | None = None
    symmetric: bool = False

    def log_rank_shatter(self, n_pos: int, n_neg: int) -> float:
        if self.rank_shatter is None:
            if self.sign_patterns is None:
                raise _unknown("rank_shatter", "ln r(F, m, n)")
            return self.log_sign_patterns(n_pos * n_neg)
        return _log_count(self.rank_shatter(n_pos, n_neg), "rank_shatter")

    def log_sign_patterns(self, pairs: int) -> float:
        if self.sign_patterns is None:
            raise _unknown("sign_patterns", "ln Π(k)")
        return _log_count(self.sign_patterns(pairs), "sign_patterns")

    def log_threshold_patterns(self, points: int) -> float:
        if self.threshold_patterns is None:
            raise _unknown("threshold_patterns", "ln s(F˘, N)")
        return _log_count(self.threshold_patterns(points), "threshold_patterns")


def _log_count(value: float, name: str) -> float:
    if math.isnan(value):
        raise InputError(
            "the logarithm of a count is not a number",
            where=name,
            value=value,
            fix="return math.log of how many there are",
        )
    return float(value)


def log_regions(hyperplanes: int, dimension: int) -> float:
    """Return ln of 2·Σ_{l<d} C(k−1, l), the regions of k hyperplanes through the origin of R^d.

    The number is largest for hyperplanes in general position (Cover 1965).

    >>> [round(math.exp(log_regions(4, d))) for d in (1, 2, 3, 4, 9)]
    [2, 8, 14, 16, 16]
    """
    if hyperplanes == 0:
        return 0.0
    if dimension >= hyperplanes:
        return hyperplanes * math.log(2)
    return math.log(2) + _log_sum_of_binomials(hyperplanes - 1, dimension - 1, 0.0)


def log_faces_any(hyperplanes: int, dimension: int) -> float:
    """Return ln of Σ_{i≤d} 2^i C(N, i), a bound on the faces of any N hyperplanes in R^d.

    Reference: Agarwal et al. 2005, proof of Lemma 23 (after Buck 1943).

    >>> round(math.exp(log_faces_any(4, 2)))
    33
    """
    if dimension >= hyperplanes:
        return hyperplanes * math.log(3)
    return _log_sum_of_binomials(hyperplanes, dimension, math.log(2))


def log_faces_closed_form(hyperplanes: int, dimension: int) -> float:
    """Return ln of (2eN/d)^d, which is at least the sum of Lemma 23 (Agarwal et al. 2005) if N ≥ d.

    If N < d, the formula can fall below the count, so such inputs are rejected.

    >>> round(log_faces_closed_form(4, 2), 4)
    4.7726
    """
    if hyperplanes < dimension:
        raise UnsoundError(
            "(2eN/d)^d bounds the count only when N is at least d",
            where=f"N = {hyperplanes} pairs, d = {dimension}",
            fix='use count="faces"',
        )
    return dimension * (1 + math.log(2) + math.log(hyperplanes / dimension))


def log_faces_general(hyperplanes: int, dimension: int) -> float:
    """Return ln of the number of faces of N hyperplanes through the origin of R^d.

    The number is largest in general position. Any κ < d hyperplanes meet in d − κ dimensions, which
    the other N − κ cut into 2S(d−κ−1) regions, S(j) = Σ_{l≤j} C(N−d+j, l) (Cover 1965). The origin
    is one more face.

    >>> [round(math.exp(log_faces_general(n, 2))) for n in (2, 3, 10)]
    [9, 13, 41]
    """
    if dimension >= hyperplanes:
        return hyperplanes * math.log(3)
    j = np.arange(1.0, dimension)
    added = np.cumsum(np.log(hyperplanes - dimension + j - 1) - np.log(j) - math.log(2))
    sums = np.logaddexp.accumulate(np.concatenate([[0.0], added])) + math.log(2) * np.arange(
        1, dimension + 1
    )
    logs = _log_binomials(hyperplanes, dimension - 1) + sums[::-1]
    return float(np.logaddexp(0.0, np.logaddexp.reduce(logs)))


def _log_binomials(n: int, top: int) -> NDArray[np.float64]:
    """Return ln C(n, 0), …, ln C(n, top) by summing logarithms.

    Differences of the log-gamma function would lose every digit at n = 10¹², where it is near 10¹³.
    """
    i = np.arange(top, dtype=np.float64)
    return np.concatenate([[0.0], np.cumsum(np.log(n - i) - np.log(i + 1))])


def _log_sum_of_binomials(n: int, top: int, log_base: float) -> float:
    """Return ln Σ_{i≤top} b^i C(n, i), in chunks that limit the memory."""
    total, last = 0.0, 0.0
    for start in range(0, top, _CHUNK):
        i = np.arange(start, min(start + _CHUNK, top), dtype=np.float64)
        logs = last + np.cumsum(np.log(n - i) - np.log(i + 1) + log_base)
        total = float(np.logaddexp(total, np.logaddexp.reduce(logs)))
        last = float(logs[-1])
    return total


def _unknown(field: str, symbol: str) -> UnsoundError:
    return UnsoundError(
        f"this bound needs {symbol}, which the class does not define",
        fix=f"pass {field}= to UserClass",
    )
