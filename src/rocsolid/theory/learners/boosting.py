"""The weak rankers of RankBoost, and its rounds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError

Floats = NDArray[np.float64]

AS_GOOD = 1e-12
"""Values of r this near to each other are equal except for rounding; the first counts."""

_BINS, _ROWS = 256, 256  # bins of a feature at most; rows in each at least, where values differ
_BIN = 3_500  # rows whose sums take as long as the sums inside one bin
_FEW = 10_000  # up to this many rows the sums at every value take no longer than those of bins


@dataclass(frozen=True, slots=True)
class ThresholdRanker:
    """h(x) = 1 if the feature is above the threshold, else 0; ``missing`` for NaN.

    The threshold −∞ tests whether there is a value at all.

    >>> ThresholdRanker(0, 2.0, 1.0).values(np.array([1.0, 2.0, 3.0, np.nan]))
    array([0., 0., 1., 1.])
    """

    feature: int
    threshold: float
    missing: float

    def values(self, column: Floats) -> Floats:
        above = (column > self.threshold).astype(np.float64)
        if self.missing:
            above[np.isnan(column)] = self.missing
        return above


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """The largest |Σ u| known, the sums where bins begin, and a bound inside each bin."""

    known: float
    begin: Floats
    bound: Floats
    absent: float


@dataclass(frozen=True, slots=True, eq=False)
class _Feature:
    """One feature's rows from its largest value down, and the ends of equal values.

    ``code`` is the bin of each row, the last one for missing values, and ``starts`` contains the
    position of the first row of each bin.
    """

    order: NDArray[np.intp]
    ends: NDArray[np.intp] | None  # last places of runs of one value; None where all differ
    code: NDArray[np.intp]
    starts: NDArray[np.intp]

    @classmethod
    def sorted(cls, column: Floats) -> _Feature:
        absent = np.isnan(column)
        rows = np.flatnonzero(~absent)
        down = rows[np.argsort(-column[rows])]
        values = column[down]
        first = np.flatnonzero(np.append(True, values[1:] != values[:-1])) if len(down) else rows
        bins = len(first) if len(first) <= _BINS else min(_BINS, len(rows) // _ROWS + 1)
        starts = first[np.arange(bins) * len(first) // max(bins, 1)]
        code = np.full(len(column), len(starts))
        code[down] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(down)))
        ends = None if len(first) == len(down) else np.append(first[1:], len(down)) - 1
        return cls(down, ends, code, starts)

    def reach(self, u: Floats, positive: Any, negative: Any) -> _Reach:
        """Bound |Σ u|, exactly at the ends of bins.

        Inside a bin a sum exceeds that at its start by at most the sum of the bin's positive u, and
        falls below it by at most that of the negative u.
        """
        bins = len(self.starts)
        up = np.bincount(self.code[positive], u[positive], bins + 1).astype(np.float64, copy=False)
        down = np.bincount(self.code[negative], u[negative], bins + 1)
        down = down.astype(np.float64, copy=False)
        end, absent = np.cumsum(up[:-1] + down[:-1]), float(up[-1] + down[-1])
        if bins == (len(self.order) if self.ends is None else len(self.ends)):  # a value each
            return _Reach(_largest(end, absent), np.empty(0), np.empty(0), absent)
        begin = end - up[:-1] - down[:-1]
        high, low = begin + up[:-1] + max(absent, 0.0), begin + down[:-1] + min(absent, 0.0)
        return _Reach(_largest(end, absent), begin, np.maximum(high, -low), absent)

    def inside(self, bin: int, begin: float, u: Floats, absent: float) -> float:
        """Return the largest |Σ u| over the rows of a bin, given the sum where it begins."""
        stop = self.starts[bin + 1] if bin + 1 < len(self.starts) else len(self.order)
        sums = begin + np.cumsum(u[self.order[self.starts[bin] : stop]])
        if self.ends is not None:
            first, last = np.searchsorted(self.ends, (self.starts[bin], stop))
            sums = sums[self.ends[first:last] - self.starts[bin]]
        return _largest(sums, absent)

    def sums(self, u: Floats, room: Floats) -> Floats:
        """Return Σ u over the rows at or above each distinct value, from the largest value down."""
        part = room[: len(self.order)]
        np.take(u, self.order, out=part, mode="clip")  # "clip" as "raise" would need a copy
        np.cumsum(part, out=part)
        return part if self.ends is None else part[self.ends]


class ThresholdRankers:
    """All weak rankers 1[x > θ] of a matrix, whose columns are sorted once.

    θ is any value of the feature in these rows except its largest, or −∞ if values are missing. A
    missing value counts as 0 or as 1, whichever ranks better.
    """

    def __init__(self, features: Floats) -> None:
        self._columns = features
        self._sorted = [_Feature.sorted(column) for column in features.T]

    def best(self, u: Floats) -> tuple[ThresholdRanker, float]:
        """Return the weak ranker h with the largest |r|, r = Σᵢ uᵢ·h(xᵢ), and its r.

        u contains the weight of each row's pairs with lower grades minus that with higher grades;
        it sums to 0 (the potential of Freund et al. 2003).
        """
        room = np.empty(len(u))
        if len(u) <= _FEW:
            sums = (feature.sums(u, room) for feature in self._sorted)
            most = np.array([_largest(at_values, -_last(at_values)) for at_values in sums])
        else:
            most = self._by_bins(u, room)
        return self._first_as_good(int(np.argmax(most >= most.max() - AS_GOOD)), u, room)

    def _by_bins(self, u: Floats, room: Floats) -> Floats:
        """Return the largest |r| of each feature that may be the best; a smaller |r| for others.

        A second pass sums only the bins that may contain the largest |r|.
        """
        below = u < 0.0
        turn = int(np.argmax(below))
        signs: tuple[Any, Any] = slice(turn), slice(turn, None)
        if not below[turn:].all():  # the rows of a middle grade have either sign
            signs = np.flatnonzero(~below), np.flatnonzero(below)
        reaches = [feature.reach(u, *signs) for feature in self._sorted]
        most = np.array([reach.known for reach in reaches])
        for index, (feature, reach) in enumerate(zip(self._sorted, reaches, strict=True)):
            near = np.flatnonzero(reach.bound >= most.max() - 2 * AS_GOOD)
            if len(near) > 2 + len(u) // _BIN:
                most[index] = _largest(feature.sums(u, room), reach.absent)
                continue
            for bin in near.tolist():
                inside = feature.inside(bin, float(reach.begin[bin]), u, reach.absent)
                most[index] = max(most[index], inside)
        return most

    def _first_as_good(self, index: int, u: Floats, room: Floats) -> tuple[ThresholdRanker, float]:
        feature = self._sorted[index]
        sums = feature.sums(u, room)
        absent = -_last(sums)
        most = _largest(sums, absent)
        for missing in (0.0, 1.0):
            r = sums + missing * absent
            good = np.abs(r) >= most - AS_GOOD
            if good.any():
                first = int(np.argmax(good))
                return ThresholdRanker(index, self._below(index, first), missing), float(r[first])
        # a feature without any value: h is 0 everywhere
        return ThresholdRanker(index, -np.inf, 0.0), 0.0

    def _below(self, index: int, position: int) -> float:
        feature = self._sorted[index]
        ends = feature.ends
        start = position + 1 if ends is None else int(ends[position]) + 1
        if start >= len(feature.order):
            return -np.inf
        return float(self._columns[feature.order[start], index])

    def values(self, ranker: ThresholdRanker) -> Floats:
        return ranker.values(self._columns[:, ranker.feature])


def _last(sums: Floats) -> float:
    """Return Σ u over all rows with a value; the missing rows have the opposite sum."""
    return float(sums[-1]) if len(sums) else 0.0


def _largest(sums: Floats, absent: float) -> float:
    """Return the largest |Σ| with the missing rows counted as 0 or as 1."""
    if not sums.size:
        return 0.0
    low, high = float(sums.min()), float(sums.max())
    return max(high, -low, high + absent, -(low + absent))


@dataclass(frozen=True, slots=True)
class LinearRanker:
    """h(x) = (x − low)/width; ``missing`` for NaN.

    h runs from 0 to 1 on the rows that set its scale and continues beyond them, so a sum of such
    rankers is linear.

    >>> LinearRanker(0, 1.0, 2.0, 0.0).values(np.array([1.0, 2.0, 5.0]))
    array([0. , 0.5, 2. ])
    """

    feature: int
    low: float
    width: float
    missing: float

    def values(self, column: Floats) -> Floats:
        scaled: Floats = (column - self.low) / self.width
        absent = np.isnan(column)
        if absent.any():
            scaled[absent] = self.missing
        return scaled


class LinearRankers:
    """The features of a matrix, each scaled to [0, 1] on its rows; a constant feature is 0."""

    def __init__(self, features: Floats) -> None:
        absent = np.isnan(features)
        present = ~absent
        self._low = np.min(features, axis=0, where=present, initial=np.inf)
        high = np.max(features, axis=0, where=present, initial=-np.inf)
        empty = ~present.any(axis=0)
        self._low[empty] = high[empty] = 0.0
        with np.errstate(over="ignore"):
            self._width = high - self._low
        too_wide = np.flatnonzero(np.isinf(self._width))
        if len(too_wide):
            at = too_wide[0]
            raise InputError(
                f"feature {at} runs from {self._low[at]:g} to {high[at]:g}, wider than a float64",
                where="X",
                fix="scale it down",
            )
        self._width[self._width == 0] = 1.0
        self._columns = features
        self._scaled = (features - self._low) / self._width
        self._scaled[absent] = 0.0
        self._gaps = np.flatnonzero(absent.any(axis=0))
        self._absent = absent[:, self._gaps].astype(np.float64)

    def best(self, u: Floats) -> tuple[LinearRanker, float]:
        """Return the weak ranker h with the largest |r|, r = Σᵢ uᵢ·h(xᵢ), and r; u sums to 0."""
        r = np.stack([self._scaled.T @ u] * 2)  # a missing value counts as 0, or as 1
        r[1, self._gaps] += self._absent.T @ u
        size = np.abs(r)
        missing, at = divmod(int(np.argmax(size >= size.max() - AS_GOOD)), r.shape[1])
        ranker = LinearRanker(at, float(self._low[at]), float(self._width[at]), float(missing))
        return ranker, float(r[missing, at])

    def values(self, ranker: LinearRanker) -> Floats:
        return ranker.values(self._columns[:, ranker.feature])


def slopes(rankers: Sequence[LinearRanker], alpha: Floats, size: int) -> Floats:
    """Return the weights w for which Σ α·h(x) is w·x plus a constant, without missing values.

    >>> slopes([LinearRanker(1, 0.0, 2.0, 0.0)], np.array([3.0]), 2)
    array([0. , 1.5])
    """
    weights = np.zeros(size)
    for ranker, step in zip(rankers, alpha, strict=True):
        weights[ranker.feature] += step / ranker.width
    return weights


def rank_loss(pos: Floats, neg: Floats, pos_weight: Floats, neg_weight: Floats) -> float:
    """Return the weight of the pairs whose positive is not above its negative.

    The weights of each class sum to 1, and a pair weighs the product of its two. A tie is a whole
    loss; with half a loss the value would be 1 − AUC.

    >>> half = np.array([0.5, 0.5])
    >>> rank_loss(np.array([2.0, 1.0]), np.array([1.0, 0.0]), half, half)
    0.25
    """
    if (pos_weight == pos_weight[0]).all() and (neg_weight == neg_weight[0]).all():
        beyond = len(neg) - np.searchsorted(np.sort(neg), np.sort(pos))
        return float(beyond.sum() / (len(pos) * len(neg)))
    order = np.argsort(neg)
    after = np.append(np.cumsum(neg_weight[order][::-1])[::-1], 0.0)  # weight from each position
    ascending = np.argsort(pos)  # sorted look-ups stay in the cache
    at = np.searchsorted(neg[order], pos[ascending])
    return float(pos_weight[ascending] @ after[at])


NEGLIGIBLE = 1e-10
"""A weak ranker with |r| below it is chance, and 1 − |r| is never taken to be less."""


class WeakRanker(Protocol):
    @property
    def feature(self) -> int: ...

    def values(self, column: Floats) -> Floats: ...


Ranker = TypeVar("Ranker", bound=WeakRanker)


class WeakRankers(Protocol[Ranker]):
    def best(self, u: Floats) -> tuple[Ranker, float]: ...

    def values(self, ranker: Ranker) -> Floats: ...


@dataclass(frozen=True, slots=True, eq=False)
class Rounds(Generic[Ranker]):
    """The choices of each round, and the loss of the score after it.

    ``rank_loss`` ≤ ``bound`` ≤ ``r_bound`` in every round, up to rounding: the share of wrong
    training pairs (ties are wrong), ΠZ_t and Π√(1−r_t²).
    """

    rankers: tuple[Ranker, ...]
    r: Floats
    alpha: Floats
    rank_loss: Floats
    bound: Floats
    r_bound: Floats


def boost(
    rankers: WeakRankers[Ranker], sizes: int | Sequence[int], weight: Floats, n_rounds: int
) -> Rounds[Ranker]:
    """Run RankBoost on rows from the highest grade to the lowest; all weights are above 0.

    ``sizes`` has the number of rows of each grade, or the number of positives of two classes. A
    pair weighs the product of its rows' weights, and α = ½ln((1+r)/(1−r)) (Freund et al. 2003,
    section 3.2). The weights v⁺ ∝ w·exp(−H) and v⁻ ∝ w·exp(H), H = Σ α·h, are recomputed from H in
    every round, so that no weight is lost by rounding to 0. Boosting stops early if no weak ranker
    is better than chance, or if one alone orders all pairs.
    """
    grades = [sizes, len(weight) - sizes] if isinstance(sizes, int) else list(sizes)
    if len(grades) == 2:
        pos, neg = slice(grades[0]), slice(grades[0], None)
        start = np.concatenate([part / part.sum() for part in (weight[pos], weight[neg])])
    else:
        pairs = sum(own.sum() * lower.sum() for own, lower in _levels(weight, grades))
        start = weight / math.sqrt(pairs)
    log_start = np.log(start)
    score = np.zeros(len(start))
    chosen: list[Ranker] = []
    steps: list[tuple[float, ...]] = []
    log_r_bound = 0.0
    u, _ = _potential(log_start, score, grades)
    while len(chosen) < n_rounds:
        ranker, r = rankers.best(u)
        if abs(r) <= NEGLIGIBLE:
            break
        r = math.copysign(min(abs(r), 1 - NEGLIGIBLE), r)
        alpha = math.atanh(r)
        score += alpha * rankers.values(ranker)
        u, log_bound = _potential(log_start, score, grades)
        log_r_bound += 0.5 * math.log1p(-r * r)
        loss = _wrong(score, start, grades)
        chosen.append(ranker)
        steps.append((r, alpha, loss, math.exp(log_bound), math.exp(log_r_bound)))
        if loss == 0 and abs(r) == 1 - NEGLIGIBLE:
            break
    columns = np.array(steps).reshape(-1, 5).T
    return Rounds(tuple(chosen), *columns)


def _levels(values: Floats, sizes: Sequence[int]) -> Iterator[tuple[Floats, Floats]]:
    """Yield the values of the rows of each grade above the lowest, and those of lower grades."""
    end = 0
    for size in sizes[:-1]:
        end += size
        yield values[end - size : end], values[end:]


def _wrong(score: Floats, weight: Floats, sizes: Sequence[int]) -> float:
    """Return the share of the weight of pairs whose row of the higher grade is not above."""
    wrong = total = 0.0
    for of_score, of_weight in zip(_levels(score, sizes), _levels(weight, sizes), strict=True):
        own, lower = (float(side.sum()) for side in of_weight)
        shares = of_weight[0] / own, of_weight[1] / lower
        wrong += own * lower * rank_loss(*of_score, *shares)
        total += own * lower
    return wrong / total


def _potential_of_grades(
    log_start: Floats, score: Floats, sizes: Sequence[int]
) -> tuple[Floats, float]:
    """Return the weight of each row's pairs with lower grades minus higher ones, and ln ΠZ.

    A pair weighs w·w'·exp(H(x') − H(x)), where x has the higher grade, so each sum over the pairs
    of a row is a product with a sum over grades.
    """
    starts = (np.cumsum(sizes) - sizes).astype(np.intp)
    grade = np.repeat(np.arange(len(sizes)), sizes)
    up, down = log_start + score, log_start - score
    higher = np.logaddexp.reduceat(down, starts)
    lower = np.logaddexp.reduceat(up, starts)
    nothing = np.array([-np.inf])
    above = np.concatenate([nothing, np.logaddexp.accumulate(higher)[:-1]])
    below = np.concatenate([np.logaddexp.accumulate(lower[::-1])[::-1][1:], nothing])
    log_total = float(np.logaddexp.reduce(higher + below))
    u = np.exp(down + below[grade] - log_total) - np.exp(up + above[grade] - log_total)
    return np.asarray(u), log_total


def _potential(log_start: Floats, score: Floats, sizes: Sequence[int]) -> tuple[Floats, float]:
    """Return v⁺ of the positives and −v⁻ of the negatives, and ln ΠZ."""
    if len(sizes) > 2:
        return _potential_of_grades(log_start, score, sizes)
    n_pos = sizes[0]
    u = log_start.copy()
    u[:n_pos] -= score[:n_pos]
    u[n_pos:] += score[n_pos:]
    log_product = 0.0
    for part, sign in ((u[:n_pos], 1.0), (u[n_pos:], -1.0)):
        top = float(part.max())
        part -= top
        np.exp(part, out=part)
        total = float(part.sum())
        part *= sign / total
        log_product += top + math.log(total)
    return u, log_product
