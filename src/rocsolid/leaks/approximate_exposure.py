"""Labels that a released AUC determines, and approximate probabilities of the other labels."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import UnsoundError
from rocsolid.leaks.constraint import Constraint
from rocsolid.leaks.fourier import fourier_count, saddle_exposure, saddle_log_count
from rocsolid.leaks.gaussian import log2_comb
from rocsolid.leaks.posterior import maximum_entropy
from rocsolid.summaries.products import dot

_INTS = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Forced:
    """Masks of the possible labels of each free row, in the order of `Constraint.free`.

    If ``complete``, each possible label occurs in some labeling.
    """

    may_be_positive: NDArray[np.bool_]
    may_be_negative: NDArray[np.bool_]
    complete: bool


def forced(c: Constraint) -> Forced:
    """Return which rows can be positive and which can be negative.

    For weights m−1, …, 1, 0, the sums of subsets with a fixed size fill an interval, so the result
    is exact for any number of rows. For other weights the extreme sums exclude impossible labels
    and leave the other labels undecided.

    >>> from rocsolid.leaks.constraint import constraint
    >>> forced(constraint("3/4", [0.1, 0.2, 0.5, 0.9], n_pos=2))
    Forced(may_be_positive=array([ True, False,  True, False]),
           may_be_negative=array([False,  True, False,  True]), complete=True)
    """
    if c.consecutive:
        return _over_sizes(c, _between_consecutive, True)
    return decided_by_extremes(c)


def decided_by_extremes(c: Constraint) -> Forced:
    """Decide rows by the smallest and largest sums: faster than `forced`, with fewer decisions."""
    return _over_sizes(c, _between_extremes, False)


def _over_sizes(
    c: Constraint,
    possible_for: Callable[[Constraint, int, int, _INTS], NDArray[np.bool_]],
    complete: bool,
) -> Forced:
    m = len(c.weights)
    possible = np.zeros((2, m), dtype=bool)
    for k in sorted(c.targets, key=lambda k: abs(2 * k - m)):  # balanced first: they rule out least
        for label in (0, 1):
            open_rows = np.flatnonzero(~possible[label])
            if label <= k and k - label <= m - 1:
                possible[label, open_rows] = possible_for(c, k, label, open_rows)
        if possible.all():
            break
    return Forced(possible[1], possible[0], complete)


def _between_consecutive(c: Constraint, k: int, label: int, rows: _INTS) -> NDArray[np.bool_]:
    """Return whether each row can have the label: exact if the weights are m−1, …, 1, 0."""
    m, x, others = len(c.weights), c.weights[rows], k - label
    fitting = c.targets[k]

    def smallest(a: _INTS) -> _INTS:
        b = others - a
        sums: _INTS = label * x + a * (a - 1) // 2 + b * (x + 1) + b * (b - 1) // 2
        return sums

    def largest(a: _INTS) -> _INTS:
        b = others - a
        sums: _INTS = label * x + a * (x - 1) - a * (a - 1) // 2 + b * (m - 1) - b * (b - 1) // 2
        return sums

    # both extremes fall with the number of positives below the row: find the first number whose
    # smallest sum is low enough, then compare its largest sum
    first, last = np.maximum(0, others - (m - 1 - x)), np.minimum(x, others)
    most = last
    while (first < last).any():
        half = (first + last) // 2
        enough = smallest(half) <= fitting[-1]
        last = np.where(enough, half, last)
        first = np.where(enough, first, np.minimum(half + 1, last))
    return (first <= most) & (smallest(first) <= fitting[-1]) & (largest(first) >= fitting[0])


def _between_extremes(c: Constraint, k: int, label: int, rows: _INTS) -> NDArray[np.bool_]:
    """Return whether each label allows a sum between the extremes."""
    m, x, others = len(c.weights), c.weights[rows], k - label
    cum = np.concatenate([[0], np.cumsum(c.weights)])
    # exclude the row itself, and replace it where it would be among the extremes
    largest = np.where(rows < others, cum[min(others + 1, m)] - x, cum[others])
    among_lowest = rows >= m - others
    smallest = np.where(
        among_lowest, cum[m] - cum[m - min(others + 1, m)] - x, cum[m] - cum[m - others]
    )
    fitting = c.targets[k]
    return np.asarray((label * x + smallest <= fitting[-1]) & (label * x + largest >= fitting[0]))


_FLOATS = NDArray[np.float64]
_NEGLIGIBLE = 40.0  # excludes class sizes with fewer than e^−40 of another's labelings
_UNRELIABLE = 0.01
_NODES = 64


@dataclass(frozen=True, slots=True)
class ApproximateExposure:
    """The probabilities of free rows, in the order of `Constraint.free`, and of class sizes."""

    probability: _FLOATS
    by_free_positives: dict[int, float]
    error: float


class _Part(NamedTuple):
    log_count: float
    probability: _FLOATS
    error: float


def class_sizes_that_matter(c: Constraint) -> list[int]:
    """Sort the numbers k of free positives by C(m, k), an upper bound on the labelings, largest
    first.
    """
    m = len(c.weights)
    return sorted(c.targets, key=lambda k: -log2_comb(m, k))


def approximate_exposure(
    c: Constraint, method: Literal["numerical", "asymptotic"]
) -> ApproximateExposure:
    """Average the exposures over the numbers of positives, weighted by their numbers of labelings.

    The method "numerical" applies `fourier_count` to the whole interval of sums. The method
    "asymptotic" averages the saddle point over the interval by a normal approximation around the
    sum nearest to balance.

    >>> from rocsolid.leaks.constraint import constraint
    >>> exposed = approximate_exposure(constraint("1/2", range(1, 8), n_pos=3), "numerical")
    >>> np.round(5 * exposed.probability, 9).tolist()
    [2.0, 2.0, 2.0, 3.0, 2.0, 2.0, 2.0]
    """
    m = len(c.weights)
    parts: dict[int, _Part] = {}
    best = -math.inf
    for k in class_sizes_that_matter(c):
        if log2_comb(m, k) * math.log(2) < best - _NEGLIGIBLE:
            break
        size_exposure = _one_size(c, k, method)
        if size_exposure is not None:
            parts[k] = size_exposure
            best = max(best, size_exposure.log_count)
    shares = {k: math.exp(size_exposure.log_count - best) for k, size_exposure in parts.items()}
    whole = sum(shares.values())
    shares = {k: share / whole for k, share in sorted(shares.items())}
    error = sum(2 * shares[k] * size_exposure.error for k, size_exposure in parts.items())
    if not error < _UNRELIABLE:  # also if no class size has a labeling
        other = "exact" if method == "numerical" else "numerical"
        raise UnsoundError(
            f"the {method} method does not hold for these scores and this AUC",
            where=f"{m:,} rows of unknown label",
            value=float(error),
            fix=f'use method="{other}"; this happens where few labelings fit, or few rows lie '
            "off a coarser lattice of ranks",
        )
    probability = np.zeros(m)
    for k, size_exposure in parts.items():
        probability += shares[k] * size_exposure.probability
    return ApproximateExposure(probability, shares, float(error))


def _one_size(c: Constraint, k: int, method: Literal["numerical", "asymptotic"]) -> _Part | None:
    """Return the exposures given ``k`` free positives; ``None`` if no labeling fits."""
    probability = np.zeros(len(c.weights))
    rows, sums = np.arange(len(c.weights)), c.targets[k]
    weights = c.weights
    while True:
        part = Constraint(c.labels, c.free[rows], weights, {k: sums} if sums else {}, 0)
        possible = decided_by_extremes(part)
        positive, negative = possible.may_be_positive, possible.may_be_negative
        if not sums or not (positive | negative).all():
            return None
        undecided = positive & negative
        if undecided.all():
            break
        decided = positive & ~negative
        probability[rows[decided]] = 1.0
        k -= int(decided.sum())
        shift = int(weights[decided].sum())
        rows, weights = rows[undecided], weights[undecided]
        lowest = int(weights[-1]) if len(weights) else 0
        weights = weights - lowest
        step = int(np.gcd.reduce(weights)) or 1
        weights //= step
        shift += k * lowest
        low, high = -((shift - sums[0]) // step), (sums[-1] - shift) // step
        sums = range(max(low, 0), high + 1)
    if not len(rows) or weights[0] == 0:
        # no row remains, or all remaining rows are tied
        log_count = log2_comb(len(rows), k) * math.log(2)
        probability[rows] = k / max(1, len(rows))
        return _Part(log_count, probability, 0.0) if 0 in sums else None
    distinct, which, sizes = np.unique(weights, return_inverse=True, return_counts=True)
    low = max(sums[0], int(weights[len(weights) - k :].sum()))
    high = min(sums[-1], int(weights[:k].sum()))
    route = _numerical if method == "numerical" else _asymptotic
    exposed = route(distinct, sizes, k, low, high)
    probability[rows] = exposed.probability[which]
    return _Part(exposed.log_count, probability, exposed.error)


def _numerical(
    weights: NDArray[np.int64], sizes: NDArray[np.int64], k: int, low: int, high: int
) -> _Part:
    counted = fourier_count(weights, k, low, high, sizes, exposure=True)
    if counted.exposure is None or not math.isfinite(counted.log_count):
        return _Part(-math.inf, np.zeros(len(weights)), math.inf)
    return _Part(counted.log_count, counted.exposure, counted.relative_error)


def _asymptotic(
    weights: NDArray[np.int64], sizes: NDArray[np.int64], k: int, low: int, high: int
) -> _Part:
    """Average the saddle point at the mean sum of the interval ± its standard deviation.

    Around ``aim``, the sum nearest to balance, the log-count is −θt − t²/(2V₂) in t = sum − aim.
    """
    mean = dot(sizes, weights) / float(sizes.sum())
    aim = min(max(round(k * mean), low), high)
    fit = maximum_entropy(weights, k, aim, sizes)
    count = saddle_log_count(weights, k, aim, sizes, fit)
    if low == high:
        exposure = saddle_exposure(weights, k, aim, sizes, fit)
        return _Part(count.log_count, exposure, count.relative_error)
    variance = sizes * fit.p * (1 - fit.p)
    spread = dot(variance, (weights - dot(variance, weights) / variance.sum()) ** 2)
    log_sum, shift, deviation = _interval(fit.theta, spread, low - aim, high - aim)
    middle, below, above = (
        saddle_exposure(
            weights, k, aim, sizes, maximum_entropy(weights, k, min(max(total, low), high), sizes)
        )
        for total in (aim + shift, aim + shift - deviation, aim + shift + deviation)
    )
    mixed: _FLOATS = (below + above) / 2
    error = count.relative_error + float(np.abs(mixed - middle).max())
    return _Part(count.log_count + log_sum, mixed, error)


def _interval(theta: float, v2: float, low: int, high: int) -> tuple[float, float, float]:
    """Return ln Σ e^(−θt − t²/(2V₂)) over an interval of integers around 0, and t's mean and sd.

    >>> log_sum, mean, deviation = _interval(0.0, 100.0, -1000, 1000)
    >>> abs(log_sum - math.log(math.sqrt(200 * math.pi))) < 1e-9, round(deviation, 6)
    (True, 10.0)
    """

    def reach(slope: float, most: int) -> float:
        return min(most, -slope * v2 + math.sqrt((slope * v2) ** 2 + 2 * _NEGLIGIBLE * v2))

    low, high = math.floor(-reach(-theta, -low)), math.ceil(reach(theta, high))
    if high - low < _NODES:
        t = np.arange(low, high + 1, dtype=np.float64)
        each = np.ones(len(t))
    else:
        x, each = np.polynomial.legendre.leggauss(_NODES)
        half = (high - low + 1) / 2
        t, each = (low + high) / 2 + half * x, half * each
    exponent = -theta * t - t**2 / (2 * v2)
    top = float(exponent.max())
    each = each * np.exp(exponent - top)
    total = float(each.sum())
    shift = dot(each, t) / total
    return top + math.log(total), shift, math.sqrt(dot(each, (t - shift) ** 2) / total)
