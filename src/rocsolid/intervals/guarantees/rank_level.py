"""The exact probability that any of several order statistics is beyond its own quantile."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.products import dot

_FLOATS = NDArray[np.float64]
Side = Literal["upper", "lower"]
_SPREAD = 6.5  # standard deviations; what lies beyond has a probability of 1e-10
_LONGER = 30.0  # counts; a Poisson tail is a little longer than a normal one
_SMALL = 1e-6  # below this the union bound loses next to nothing, and rounding would show
_DIRECT = 20_000  # products up to which a plain convolution is faster than Fourier's
_TARGET, _ENOUGH = 0.99, 0.98


def level_and_chance(
    n: int, ranks: tuple[int, ...], share: float, side: Side
) -> tuple[float, float]:
    """Return the level η at which P(U₍ₖ₎ is beyond its η-limit for some k) is at most ``share``.

    U₍ₖ₎ is the k-th smallest of n uniform numbers and has the distribution Beta(k, n+1−k). With the
    same η at every rank this is the one-sided statistic of Berk and Jones (1979). The largest such
    value is found within two percent. The probability at η is the second number.

    >>> level_and_chance(100, (5,), 0.01, "upper")[0]
    0.01
    """
    if side == "lower":  # 1 − U reverses ranks and sides
        ranks = tuple(n + 1 - k for k in reversed(ranks))
    return _of_upper(n, ranks, share)


@lru_cache(maxsize=256)
def _of_upper(n: int, ranks: tuple[int, ...], share: float) -> tuple[float, float]:
    level, chance = share / len(ranks), math.nan
    if len(ranks) == 1 or share <= _SMALL:
        return level, crossing(n, ranks, limits(n, ranks, level, "upper"), "upper")
    # neighbouring ranks hardly differ, so the probability is far below the union bound; how many
    # of them count grows with the range of their logits
    logits = [math.log((k - 0.5) / (n - k + 0.5)) for k in (ranks[0], ranks[-1])]
    trial = max(level, share / (1 + 2.8 * (logits[1] - logits[0])))
    for _ in range(12):
        probability = crossing(n, ranks, limits(n, ranks, trial, "upper"), "upper")
        if probability <= share:
            if trial >= level:
                level, chance = trial, probability
            if probability >= _ENOUGH * share:
                break
        # the probability is nearly proportional to the level
        trial *= _TARGET * share / probability if probability > 0 else 2.0
    if math.isnan(chance):
        chance = crossing(n, ranks, limits(n, ranks, level, "upper"), "upper")
    return level, chance


def limits(n: int, ranks: tuple[int, ...], level: float, side: Side) -> _FLOATS:
    """Return the value that each U₍ₖ₎ exceeds ("upper") or falls below ("lower") with chance
    ``level``.
    """
    from scipy.special import betainccinv, betaincinv

    k = np.array(ranks, dtype=np.float64)
    inverse = betainccinv if side == "upper" else betaincinv
    return np.asarray(inverse(k, n + 1 - k, level))


def crossing(n: int, ranks: tuple[int, ...], heights: _FLOATS, side: Side) -> float:
    """Return P(U₍ₖ₎ > at[k] for some k), or with < for the lower side; ranks and heights ascend.

    A Poisson process of rate n, given that it has n points, has the same points as n uniform
    numbers. Convolutions carry the distribution of the count from height to height, without the
    counts beyond the limit (Moscovich and Nadler 2017). Counts more than 6.5 standard deviations
    away on the other side are dropped, which enlarges the result by about 1e-9.

    >>> round(crossing(2, (1, 2), np.array([0.5, 0.8]), "upper"), 12)
    0.45
    """
    first, mass, place = 0, np.ones(1), 0.0
    for up_to, rank in zip(heights.tolist(), ranks, strict=True):
        shift, increment = _poisson(n * (up_to - place))
        mass, first, place = _convolved(mass, increment), first + shift, up_to
        typical = n * place, _SPREAD * math.sqrt(n * place * (1.0 - place)) + _LONGER
        if side == "upper":
            least, most = rank, min(n, math.ceil(sum(typical)))
        else:
            least, most = max(math.floor(typical[0] - typical[1]), 0), rank - 1
        mass = mass[max(least - first, 0) : max(most - first + 1, 0)]
        first = max(least, first)
        if not mass.size:
            return 1.0  # no count that is likely enough to be followed stays within the limits
    # the last stretch: n points in all, compared with the same sum without any limits
    whole_first, whole = _poisson(n * place)
    rest = n * (1.0 - place)
    return 1.0 - _bridged(mass, first, n, rest) / _bridged(whole, whole_first, n, rest)


def _bridged(mass: _FLOATS, first: int, n: int, rest: float) -> float:
    """Return Σ mass(s)·P(Poisson(rest) = n−s) over counts s from ``first`` up to n."""
    mass = mass[: max(n - first + 1, 0)]
    left = n - first - np.arange(len(mass), dtype=np.float64)
    return dot(mass, _poisson_at(left, rest))


def _poisson(mean: float) -> tuple[int, _FLOATS]:
    """Return the first count that matters, and the probabilities from that count on."""
    first = max(0, math.floor(mean - _SPREAD * math.sqrt(mean)))
    last = math.ceil(mean + _SPREAD * math.sqrt(mean) + _LONGER)
    return first, _poisson_at(np.arange(first, last + 1, dtype=np.float64), mean)


def _poisson_at(count: _FLOATS, mean: float) -> _FLOATS:
    """Return Poisson probabilities in Loader's form, which is accurate for large counts."""
    from scipy.special import gammaln

    if mean < 100.0:
        if mean <= 0.0:
            return np.asarray(count == 0, dtype=np.float64)
        return np.asarray(np.exp(count * math.log(mean) - mean - gammaln(count + 1.0)))
    k = np.maximum(count, 1.0)
    x = (k - mean) / mean
    deviance = mean * ((1.0 + x) * np.log1p(x) - x)
    stirling = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * k * k)) / (k * k)) / k
    return np.asarray(np.exp(-deviance - stirling) / np.sqrt(2.0 * math.pi * k))


def _convolved(a: _FLOATS, b: _FLOATS) -> _FLOATS:
    if len(a) * len(b) <= _DIRECT or min(len(a), len(b)) <= 32:
        return np.convolve(a, b)
    size = len(a) + len(b) - 1
    fast = 1 << (size - 1).bit_length()
    if 3 * fast // 4 >= size:
        fast = 3 * fast // 4
    product = np.fft.rfft(a, fast) * np.fft.rfft(b, fast)
    # rounding may leave tiny negative numbers where there should be zeros
    return np.asarray(np.maximum(np.fft.irfft(product, fast)[:size], 0.0))
