"""Gaussian binomials: how many labelings misrank each number of pairs, all scores different."""

from __future__ import annotations

import heapq
import math
from typing import Any


def gaussian_coefficient(n_neg: int, n_pos: int, d: int) -> int:
    """The labelings of ``n_neg`` + ``n_pos`` distinct scores with exactly ``d`` misranked pairs.

    It is v(n₀, n₁, d) of Whitehill 2019, the coefficient of q^d in the Gaussian binomial
    [n₀+n₁ choose n₁]_q, 0 for a ``d`` outside 0 to n₀n₁. Exact at any size;
    time and memory grow with min(d, n₀n₁ − d) times the length of the result.

    >>> gaussian_coefficient(40, 36, 53), gaussian_coefficient(2, 2, 2)
    (328744, 2)
    """
    return gaussian_sum(n_neg, n_pos, d, d)


def gaussian_sum(n_neg: int, n_pos: int, low: int, high: int) -> int:
    """The labelings with ``low`` to ``high`` misranked pairs, both included.

    The coefficients are the same from either end and sum to C(n₀+n₁, n₁), so only those of the
    nearer end are made.

    >>> gaussian_sum(2, 2, 0, 4), gaussian_sum(2, 2, 1, 2)
    (6, 3)
    """
    pairs = n_neg * n_pos
    low, high = max(low, 0), min(high, pairs)
    if low > high:
        return 0
    if pairs - high < low:
        low, high = pairs - high, pairs - low
    if 2 * high <= pairs:
        return _sum_from_below(n_neg, n_pos, low, high)
    outside = _sum_from_below(n_neg, n_pos, 0, low - 1)
    outside += _sum_from_below(n_neg, n_pos, 0, pairs - high - 1)
    return binomial(n_neg + n_pos, n_pos) - outside


def gaussian_coefficients(n_neg: int, n_pos: int) -> list[int]:
    """The labelings with 0, 1, …, n₀n₁ misranked pairs.

    >>> gaussian_coefficients(2, 2)
    [1, 1, 2, 1, 1]
    """
    pairs = n_neg * n_pos
    lower = [int(c) for c in _product(n_neg, n_pos, pairs // 2 + 1).coeffs()]
    return lower + lower[: (pairs + 1) // 2][::-1]


def gaussian_work(n_neg: int, n_pos: int, low: int, high: int) -> float:
    """About how many bits `gaussian_sum` has to make; each takes about 10 ns."""
    pairs = n_neg * n_pos
    length = float(min(max(high, 0), pairs - min(low, pairs)) + 1)
    if low <= pairs / 2 <= high:
        length = float(max(low, pairs - high))
    # a coefficient is at most C(n₀+n₁, n₁), and at most the number of partitions of d, for which
    # ln p(d) < π·√(2d/3)
    return (length + 1) * (1 + min(log2_comb(n_neg + n_pos, n_pos), 3.701 * math.sqrt(length)))


def binomial(n: int, k: int) -> int:
    """C(n, k), many times faster than `math.comb` where it has thousands of digits."""
    from flint import fmpz

    return int(fmpz.bin_uiui(n, k))


def log2_comb(n: int, k: int) -> float:
    """log₂ C(n, k).

    >>> log2_comb(4, 2)
    2.584962500721156
    """
    if n <= 1000:
        return math.log2(math.comb(n, k))
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)


def _sum_from_below(n_neg: int, n_pos: int, low: int, high: int) -> int:
    if high < low:
        return 0
    # a positive below more than ``high`` negatives, or more than ``high`` positives below any
    # negative, would misrank too many pairs
    n_neg, n_pos = min(n_neg, high), min(n_pos, high)
    product = _product(n_neg, n_pos, high + 1)
    if low == high:
        return int(product[high])
    return int(product.truncate(high + 1).right_shift(low)(1))


def _product(n_neg: int, n_pos: int, length: int) -> Any:
    """The first ``length`` coefficients, the lowest first, as a polynomial.

    [n choose n₁]_q is the product of the cyclotomic polynomials Φ_e over the e at which adding n₀
    and n₁ carries: ⌊n/e⌋ − ⌊n₀/e⌋ − ⌊n₁/e⌋ = 1. The two shortest are multiplied first.
    """
    from flint import fmpz_poly

    n = n_neg + n_pos
    factors = [
        fmpz_poly.cyclotomic(e) for e in range(2, n + 1) if n // e - n_neg // e - n_pos // e == 1
    ]
    heap = [(f.length(), i, f) for i, f in enumerate(factors)] or [(1, 0, fmpz_poly([1]))]
    heapq.heapify(heap)
    serial = len(heap)
    while len(heap) > 1:
        _, _, f = heapq.heappop(heap)
        _, _, g = heapq.heappop(heap)
        product = f.mul_low(g, length)
        heapq.heappush(heap, (product.length(), serial, product))
        serial += 1
    return heap[0][2].truncate(length)
