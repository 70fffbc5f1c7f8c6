"""Summaries of a binary score, boards of wins, and fingerprints that ignore the order of rows.

The fingerprint is the product Π(z + x_i) over rows, modulo the prime 2^61 − 1. A row with score s
and weight w has x = low(s) + A·high(s) + B·low(w) + C·high(w) over the bits of the two numbers. As
polynomials in (z, A, B, C), the products of two different multisets of N rows differ, so they agree
at a random point with probability at most N·2^−57 (Schwartz–Zippel). The point is fixed (digits of
π, e and roots), so that all users get the same value: the bound is for accidents, not for
deliberate collisions.

Labels never enter, because anyone could test guesses of labels against a fingerprint. Weights,
which often depend on labels, enter only fingerprints under a key.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import UnsoundError
from rocsolid.results.deferred import ReadLater
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.placements import SortedClasses

_INT = NDArray[np.int64]

MOST = 2048
"""The most rows of the smaller class for a board, whose cost grows with their square."""


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Row i wins against ``below[i]`` rows of the larger class and ties with ``tied[i]`` of them.

    Rows ascend by their wins, which are those of the AUC: if the negatives are fewer, a negative
    wins against the positives above it. The squares of the wins form a Ferrers board, whose border
    is the ROC curve.
    """

    below: _INT
    tied: _INT
    columns: int

    @classmethod
    def of(cls, classes: SortedClasses, most: int = MOST) -> Board | None:
        """The board of sorted scores; ``None`` if both classes have more than ``most`` rows.

        >>> board = Board.of(SortedClasses(np.array([1, 2]), np.array([0, 1, 1])))
        >>> board.below.tolist(), board.tied.tolist(), board.columns
        ([1, 3], [2, 0], 3)
        """
        pos, neg = classes.pos, classes.neg
        if min(len(pos), len(neg)) > most:
            return None
        fewer_pos = len(pos) <= len(neg)
        small, big = (pos, neg) if fewer_pos else (neg, pos)
        under, through = big.searchsorted(small), big.searchsorted(small, side="right")
        if fewer_pos:
            return cls(under, through - under, len(big))
        return cls((len(big) - through)[::-1], (through - under)[::-1], len(big))

    @property
    def doubled_wins(self) -> int:
        return int(2 * self.below.sum() + self.tied.sum())


PRIME = (1 << 61) - 1

# The first bits of the fractional parts of π, e, √2, √3, √5: 60 bits, and 57 bits of the factors of
# three high bits, so that low + POINT + high·factor stays below 2^62.
_POINT = 0x243F6A8885A308D
_SCORE_HIGH = 0xB7E151628AED2A6 >> 3
_WEIGHT_LOW = 0x6A09E667F3BCC90
_WEIGHT_HIGH = 0xBB67AE8584CAA73 >> 3
_REST = 0x3C6EF372FE94F82

_LANES = 8192  # parallel running products, which fit in the cache
_EXACT = 1 << 53  # every integer up to here is a float64

_P = np.uint64(PRIME)
_S61, _S31, _S30, _S1 = (np.uint64(number) for number in (61, 31, 30, 1))
_LOW31, _LOW30 = np.uint64((1 << 31) - 1), np.uint64((1 << 30) - 1)

_Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The value of the polynomial; ``*`` combines two parts.

    >>> a = Fingerprint.of(np.array([1.0, 2.0]))
    >>> b = Fingerprint.of(np.array([3.0]))
    >>> a * b == Fingerprint.of(np.array([3.0, 1.0, 2.0]))
    True
    """

    value: int

    @classmethod
    def of(cls, score: NDArray[Any], weight: NDArray[np.float64] | None = None) -> Fingerprint:
        """The fingerprint of scores, and under a key also of weights.

        Equal numbers count as equal in any type: 1, 1.0 and True; 0.0 and -0.0.
        """
        lanes = np.ones(max(1, min(len(score), _LANES)), dtype=np.uint64)
        work = _workspace(len(lanes))
        for start in range(0, len(score), _LANES):
            stop = start + _LANES
            row = _score_form(score[start:stop])
            if weight is not None:
                row = _fold(row + _weight_form(weight[start:stop]))
            _multiply_into(lanes[: len(row)], row, work)
        while len(lanes) > 1:
            half = (len(lanes) + 1) // 2
            _multiply_into(lanes[: len(lanes) - half], lanes[half:], work)
            lanes = lanes[:half]
        return cls(int(lanes[0]) % PRIME)

    @classmethod
    def of_counts(cls, score: NDArray[Any], count: NDArray[np.int64]) -> Fingerprint:
        """The fingerprint of scores with repetitions, without repeating them.

        >>> Fingerprint.of_counts(np.array([5]), np.array([3])) == Fingerprint.of(np.full(3, 5))
        True
        """
        whole = cls(1)
        for bit in range(int(count.max(initial=0)).bit_length()):
            some = (count >> bit & 1).astype(bool)
            part = cls.of(score[some])
            whole = whole * cls(pow(part.value, 1 << bit, PRIME))
        return whole

    def __mul__(self, other: Fingerprint) -> Fingerprint:
        return Fingerprint(self.value * other.value % PRIME)

    def __str__(self) -> str:
        return f"{self.value:016x}"


def _score_form(score: NDArray[Any]) -> _Words:
    """z + low(s) + A·high(s), below 2^62; an integer beyond 2^53 adds its last 11 bits."""
    rest = None
    if score.dtype.kind in "iu" and score.dtype.itemsize == 8:
        wide = (score > _EXACT) | (score < -_EXACT) if score.dtype.kind == "i" else score > _EXACT
        if wide.any():
            rest = np.where(wide, score & 2047, 0).astype(np.uint64)
            score = np.where(wide, score - (score & 2047), score)
    bits: _Words = np.add(score, 0.0, dtype=np.float64).view(np.uint64)
    row: _Words = bits >> _S61
    row *= np.uint64(_SCORE_HIGH)
    row += np.uint64(_POINT)
    bits &= _P
    row += bits
    if rest is not None:
        _multiply_into(rest, np.full(len(rest), _REST, dtype=np.uint64), _workspace(len(rest)))
        row = _fold(row + rest)
    return row


def _weight_form(weight: NDArray[np.float64]) -> _Words:
    """B·low(w) + C·high(w), below 2^62."""
    bits = (weight + 0.0).view(np.uint64)
    low = bits & _P
    _multiply_into(low, np.full(len(low), _WEIGHT_LOW, dtype=np.uint64), _workspace(len(low)))
    return low + (bits >> _S61) * np.uint64(_WEIGHT_HIGH)


def _fold(word: _Words) -> _Words:
    """Reduce a residue below 2^61 + 8, because 2^61 is 1 modulo the prime."""
    high = word >> _S61
    word &= _P
    word += high
    return word


def _workspace(size: int) -> NDArray[np.uint64]:
    return np.empty((4, size), dtype=np.uint64)


def _multiply_into(a: _Words, b: _Words, work: NDArray[np.uint64]) -> None:
    """a ← a·b modulo the prime, for a below 2^61 + 8 and b below 2^62, in 64-bit words.

    With a = a₁2³¹ + a₀ and b likewise, a·b = a₁b₁·2 + mid·2³¹ + a₀b₀, since 2⁶² is 2. The middle
    term is split at its 30th bit, where 2³¹·2³⁰ is 1. No sum reaches 2⁶⁴.
    """
    a1, b1, mid, spare = work[:, : len(a)]
    np.right_shift(a, _S31, out=a1)
    np.right_shift(b, _S31, out=b1)
    np.bitwise_and(b, _LOW31, out=spare)  # b₀
    np.multiply(a1, spare, out=mid)
    np.bitwise_and(a, _LOW31, out=a)
    np.multiply(a1, b1, out=a1)
    np.multiply(a, b1, out=b1)
    np.add(mid, b1, out=mid)
    np.multiply(a, spare, out=a)
    np.left_shift(a1, _S1, out=a1)
    np.add(a, a1, out=a)
    np.right_shift(mid, _S30, out=spare)
    np.add(a, spare, out=a)
    np.bitwise_and(mid, _LOW30, out=mid)
    np.left_shift(mid, _S31, out=mid)
    np.add(a, mid, out=a)
    np.right_shift(a, _S61, out=spare)
    np.bitwise_and(a, _P, out=a)
    np.add(a, spare, out=a)


def fingerprints_of_rows(score: NDArray[Any], real: NDArray[np.bool_]) -> _Words:
    """The fingerprint of each row of a matrix, over its real cells.

    >>> many = fingerprints_of_rows(np.array([[1.0, 2.0]]), np.array([[True, True]]))
    >>> int(many[0]) == Fingerprint.of(np.array([2.0, 1.0])).value
    True
    """
    form = np.where(real, _score_form(score.ravel()).reshape(score.shape), _S1)
    columns = np.ascontiguousarray(form.T)
    product = np.ones(len(score), dtype=np.uint64)
    work = _workspace(len(product))
    for column in columns:
        _multiply_into(product, column, work)
    return product % _P


@dataclass(frozen=True, slots=True, eq=False)
class BinarySummary(ReadLater):
    """Class sizes, moments and fingerprint of a binary score.

    ``ratio`` is the AUC as an exact fraction for unweighted rows. ``classes`` are the sorted scores
    of independent, unweighted rows, if an engine keeps them; ``board`` is set if the smaller class
    has few rows. ``squared_shares`` is set for weighted or clustered rows: the sum over units of
    (share of the positives' weight + share of the negatives' weight)². ``evened`` means that
    weights were given and are all equal.
    """

    n_pos: int
    n_neg: int
    ties: int
    moments: Moments
    fingerprint: Fingerprint
    ratio: tuple[int, int] | None = None
    classes: SortedClasses | None = None
    board: Board | None = None
    squared_shares: float | None = None
    weighted: bool = False
    evened: bool = False
    clusters: int | None = None
    _later = ("moments", "fingerprint", "ratio", "classes", "board")

    @property
    def even_clusters(self) -> float:
        """The number of clusters of equal size and class balance with these ``squared_shares``."""
        return math.inf if self.squared_shares is None else 4.0 / self.squared_shares

    def smaller_placements(self) -> NDArray[np.float64]:
        """`SortedClasses.smaller_placements`, for independent, unweighted rows only."""
        if self.classes is None:
            raise UnsoundError(
                "placements are kept for independent rows of equal weight in memory only",
                fix="use a method that needs no more than the AUC and the class sizes",
            )
        return self.classes.smaller_placements()

    @property
    def auc(self) -> float:
        if self.ratio is not None:
            return self.ratio[0] / self.ratio[1]
        return float(np.asarray(self.moments.auc))

    @property
    def std_error(self) -> float | None:
        """DeLong's standard error (Obuchowski's for clusters); ``None`` for a class of one unit."""
        variance = float(np.asarray(self.moments.variance))
        return None if math.isnan(variance) else math.sqrt(max(variance, 0.0))

    @property
    def calibrated_moments(self) -> Moments:
        """The moments, with at most as many misplacing clusters as misplaced rows.

        Clusters of one row then have the interval of independent rows.
        """
        units = self.moments.units
        if units is None or units.misplaced is None:
            return self.moments
        rows = min(self.n_pos, self.n_neg) * min(self.auc, 1.0 - self.auc)
        fewest = min(float(np.asarray(units.misplaced)), rows)
        return replace(self.moments, units=replace(units, misplaced=fewest))
