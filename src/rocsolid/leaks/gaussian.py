"""Gaussian binomials: the number of labelings for each number of misranked pairs, without ties."""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, RocsolidError
from rocsolid.inputs.binary import frequencies
from rocsolid.inputs.groups import codes
from rocsolid.leaks.query_bits import subset_sums
from rocsolid.summaries.products import dot


def gaussian_coefficient(n_neg: int, n_pos: int, d: int) -> int:
    """Count the labelings of ``n_neg`` + ``n_pos`` distinct scores with ``d`` misranked pairs.

    The count is v(n₀, n₁, d) of Whitehill 2019, the coefficient of q^d in the Gaussian binomial
    [n₀+n₁ choose n₁]_q. Exact at any size.

    >>> gaussian_coefficient(40, 36, 53), gaussian_coefficient(2, 2, 2)
    (328744, 2)
    """
    return gaussian_sum(n_neg, n_pos, d, d)


def gaussian_sum(n_neg: int, n_pos: int, low: int, high: int) -> int:
    """Count the labelings with ``low`` to ``high`` misranked pairs, both included.

    The coefficients are symmetric and sum to C(n₀+n₁, n₁), so only those near one end are computed.

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
    """Count the labelings with 0, 1, …, n₀n₁ misranked pairs.

    >>> gaussian_coefficients(2, 2)
    [1, 1, 2, 1, 1]
    """
    pairs = n_neg * n_pos
    lower = [int(c) for c in _product(n_neg, n_pos, pairs // 2 + 1).coeffs()]
    return lower + lower[: (pairs + 1) // 2][::-1]


def gaussian_work(n_neg: int, n_pos: int, low: int, high: int) -> float:
    """Estimate the bits that `gaussian_sum` computes; each takes about 10 ns."""
    pairs = n_neg * n_pos
    length = float(min(max(high, 0), pairs - min(low, pairs)) + 1)
    if low <= pairs / 2 <= high:
        length = float(max(low, pairs - high))
    # a coefficient is at most C(n₀+n₁, n₁), and at most the number of partitions of d, for which
    # ln p(d) < π·√(2d/3)
    return (length + 1) * (1 + min(log2_comb(n_neg + n_pos, n_pos), 3.701 * math.sqrt(length)))


def binomial(n: int, k: int) -> int:
    """Return C(n, k), many times faster than `math.comb` for results with thousands of digits."""
    from flint import fmpz

    return int(fmpz.bin_uiui(n, k))


def log2_comb(n: int, k: int) -> float:
    """Return log₂ C(n, k).

    >>> log2_comb(4, 2)
    2.584962500721156
    """
    if n <= 1000:
        return math.log2(math.comb(n, k))
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)


def _sum_from_below(n_neg: int, n_pos: int, low: int, high: int) -> int:
    if high < low:
        return 0
    # a positive below more than ``high`` negatives, or more than ``high`` positives below a
    # negative, would misrank too many pairs
    n_neg, n_pos = min(n_neg, high), min(n_pos, high)
    product = _product(n_neg, n_pos, high + 1)
    if low == high:
        return int(product[high])
    return int(product.truncate(high + 1).right_shift(low)(1))


def _product(n_neg: int, n_pos: int, length: int) -> Any:
    """Return the first ``length`` coefficients, the lowest first, as a polynomial.

    [n choose n₁]_q is the product of the cyclotomic polynomials Φ_e over the e with ⌊n/e⌋ − ⌊n₀/e⌋
    − ⌊n₁/e⌋ = 1.
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


_LISTED = 40  # units, whose subsets are listed in two halves
_EXACT_ROWS = 20_000  # the most rows for exact products
_MOST_ROWS = 5_000_000  # the most rows for numerical inversion


@dataclass(frozen=True, slots=True, eq=False)
class LabelUnits:
    """The units of rows that share a label.

    ``of`` is the unit of each row of a table, and ``rows`` the number of rows that each unit
    represents. ``times`` is the number of rows that each table row represents; None if each
    represents one.
    """

    of: NDArray[np.intp]
    rows: NDArray[np.int64]
    times: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def first_rows(self) -> NDArray[np.intp]:
        return np.unique(self.of, return_index=True)[1]

    @property
    def single(self) -> bool:
        """Whether every unit is one row, so that nothing is shared."""
        return bool((self.rows == 1).all())

    def totals(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Return the sum of the weights in each unit, along the last axis."""
        repeated = weights if self.times is None else weights * self.times
        totals = np.zeros((len(self), *repeated.shape[:-1]), dtype=repeated.dtype)
        np.add.at(totals, self.of, repeated.T)
        return totals.T

    def by_unit(
        self, labels: NDArray[np.bool_], is_known: NDArray[np.bool_]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return the known labels of the units (false elsewhere), and the mask of known units."""
        positive, negative = np.zeros(len(self), dtype=bool), np.zeros(len(self), dtype=bool)
        positive[self.of[is_known & labels]] = True
        negative[self.of[is_known & ~labels]] = True
        if (positive & negative).any():
            row = int(np.flatnonzero(is_known & (positive & negative)[self.of])[0])
            raise InputError(
                "rows that share a label are known to have different ones",
                where=f"known, row {row}",
                fix="check shares_label and known",
            )
        return positive, positive | negative


def units_of(n: int, shares_label: Any = None, frequency: Any = None) -> LabelUnits:
    """Return the units of ``n`` rows of a table.

    ``shares_label`` contains for each row the owner of its label, such as its patient.
    ``frequency`` is the number of rows that each row represents; represented rows share a label.

    >>> units = units_of(4, ["ann", "bob", "ann", "cid"], [1, 2, 3, 1])
    >>> units.of, units.rows
    (array([0, 1, 0, 2]), array([4, 2, 1]))
    """
    times = None
    if frequency is not None:
        times = frequencies(frequency, n)
        if (times == 0).any():
            raise InputError(
                "a row with frequency 0 has no label to reveal",
                where=f"frequency, row {int(np.argmin(times))}",
                value=0,
                fix="leave it out",
            )
    of = np.arange(n) if shares_label is None else codes(shares_label, name="shares_label")[0]
    if len(of) != n:
        raise InputError(
            f"{counted(len(of), 'unit')} for {counted(n, 'row')}",
            where="shares_label",
            value=len(of),
        )
    of = of.astype(np.intp)
    rows = np.bincount(of, minlength=0).astype(np.int64)
    if times is not None:
        rows = np.zeros(len(rows), dtype=np.int64)
        np.add.at(rows, of, times)
    return LabelUnits(of, rows, times)


def shared_units(n: int, shares_label: Any, frequency: Any) -> LabelUnits | None:
    """Return `units_of`, or None if each row is a unit."""
    if shares_label is None and frequency is None:
        return None
    units = units_of(n, shares_label, frequency)
    return None if units.single else units


def subset_bits(rows: NDArray[np.int64], totals: Collection[int]) -> float:
    """Return log₂ of the number of ways to choose units with one of these total numbers of rows.

    Exact, up to the rounding of a double, for at most 40 units or 20,000 rows. Beyond that the
    number of subsets is e^(ln Z − θt)·P(t), accurate to about 1e-10, where each unit is chosen
    independently with odds e^(θ·rows) and θ makes t the mean. The characteristic function
    determines P(t).

    >>> round(2 ** subset_bits(np.array([1, 2, 3, 4]), [5]))
    2
    """
    possible = sorted({int(t) for t in totals if 0 <= t <= rows.sum()})
    if not possible:
        return -math.inf
    if not len(rows) or (rows == rows[0]).all():
        size = int(rows[0]) if len(rows) else 1
        bits = [log2_comb(len(rows), t // size) for t in possible if t % size == 0]
        return float(np.logaddexp2.reduce(bits)) if bits else -math.inf
    ends = {0, int(rows.sum())}
    if len({*possible} - ends) == rows.sum() - 1:
        return math.log2(2 ** len(rows) - len(ends - {*possible}))
    if len(rows) <= _LISTED:
        return log2_ways(_listed(rows, possible))
    if rows.sum() <= _EXACT_ROWS:
        return log2_ways(_multiplied(rows, possible))
    if rows.sum() * len(possible) > _MOST_ROWS:
        raise RocsolidError(
            "counting the labelings of this many units of different sizes takes too long",
            where=counted(len(rows), "unit"),
            value=int(rows.sum()),
            fix=f"give n_pos as one number; at most {_MOST_ROWS:,} rows",
        )
    return float(np.logaddexp2.reduce([_inverted(rows, t) for t in possible]))


def unit_bits(units: LabelUnits, n_pos: int) -> float:
    bits = subset_bits(units.rows, [n_pos])
    if bits == -math.inf:
        raise InputError(
            "no choice of units has this number of positive rows",
            where="n_pos",
            value=n_pos,
            fix="count the positive rows, each as often as its frequency, not the positive units",
        )
    return bits


def log2_ways(ways: float) -> float:
    return math.log2(ways) if ways else -math.inf


def _listed(rows: NDArray[np.int64], totals: list[int]) -> int:
    half = len(rows) // 2
    left, right = subset_sums(rows[:half]), np.sort(subset_sums(rows[half:]))
    ways = 0
    for total in totals:
        begin, end = (np.searchsorted(right, total - left, side) for side in ("left", "right"))
        ways += int((end - begin).sum())
    return ways


def _multiplied(rows: NDArray[np.int64], totals: list[int]) -> int:
    from flint import fmpz_poly

    most = totals[-1] + 1
    product = fmpz_poly([1])
    for size, units in zip(*np.unique(rows, return_counts=True), strict=True):
        terms = min(int(units), most // int(size))
        factor = [0] * (terms * int(size) + 1)
        for chosen in range(terms + 1):
            factor[chosen * int(size)] = math.comb(int(units), chosen)
        product = (product * fmpz_poly(factor)).truncate(most)
    return sum(int(product[total]) for total in totals)


def _inverted(rows: NDArray[np.int64], total: int) -> float:
    from scipy.optimize import brentq
    from scipy.special import expit

    sizes, units = np.unique(rows, return_counts=True)
    if total in (0, int(rows.sum())):
        return 0.0
    span = 60.0 / sizes.min()
    tilt = brentq(lambda t: dot(units, sizes * expit(t * sizes)) - total, -span, span, xtol=1e-16)
    p = expit(tilt * sizes)
    length = int(rows.sum()) + 1
    inner_sum = 0.0
    for start in range(0, length // 2 + 1, 1 << 16):
        frequencies = np.arange(start, min(start + (1 << 16), length // 2 + 1))
        log = -2j * np.pi * (frequencies * total % length) / length
        for size, of, share in zip(sizes.tolist(), units.tolist(), p.tolist(), strict=True):
            turn = np.exp(2j * np.pi * (frequencies * size % length) / length)
            with np.errstate(divide="ignore"):
                log = log + of * np.log(1.0 - share + share * turn)
        twice = np.where((frequencies == 0) | (2 * frequencies == length), 1.0, 2.0)
        inner_sum += float((twice * np.exp(log)).real.sum())
    share = inner_sum / length
    if share < 1e-12:
        return -math.inf
    logs = dot(units, np.logaddexp(0.0, tilt * sizes)) - tilt * total + math.log(share)
    return float(logs / math.log(2))
