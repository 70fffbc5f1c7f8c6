"""Redrawn units, the decision whether they are needed, and p-values among draws."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.results import Alternative
from rocsolid.summaries.products import products
from rocsolid.summaries.strata import Covariation, Stratum, skewness
from rocsolid.summaries.stream import stream

_FLOATS = NDArray[np.float64]
_INTEGERS = NDArray[np.intp]
_STREAM = 4
_CELLS = 1 << 19  # statistics, or weights of units, in a block of draws
_WORK = 1 << 33  # the most products for all resamples
_FEWEST = 500  # units that a stratum keeps in any case
LEAST = 0.2
"""The smallest error of a resample, relative to the error of the data.

A resample without the few units on which two values differ has no spread.
"""
TOLERATED = 2.0
"""The largest tolerated relative error of Student's tail; above it, the units are redrawn.

The value was chosen among .5, 1, 1.5, 2 and 3 by the power for two like scores, in simulations of
17 designs.
"""
SOURCE = (
    "Hall, The Bootstrap and Edgeworth Expansion, 1992, section 3.10; for families Romano and "
    "Wolf, Econometrica 73 (2005), 1237-1282"
)
ASSUMPTIONS = (
    "units independent: rows, or clusters where they are given",
    "the skewness of their influences as in the sample",
)


def tail_error(skewed: float | _FLOATS, level: float, sides: int, pairs: int) -> _FLOATS:
    """Return the relative error of Student's tail for a skewed mean, at a family's quantile.

    A studentised mean of skewness γ has P(T > z) ≈ Φ(−z) + γ(2z² + 1)φ(z)/6 (Hall 1992, section
    2.6). z is Bonferroni's for ``pairs`` pairs.

    >>> tail_error(0.1, 0.95, 2, 1).round(3).item(), tail_error(0.1, 0.95, 2, 190).round(3).item()
    (0.338, 1.793)
    """
    import scipy.special

    share = (1.0 - level) / sides / pairs
    z = -float(scipy.special.ndtri(share))
    density = math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    beyond = float(scipy.special.ndtr(-z))
    return np.asarray(np.abs(skewed) * (2.0 * z * z + 1.0) * density / (6.0 * beyond))


def skewed(
    spread: Covariation, pairs: _INTEGERS, variance: _FLOATS, level: float, alternative: Alternative
) -> bool | None:
    """Return whether Student's t would misjudge the tail of some difference; ``None`` if unknown.

    The skewness of a difference is at most its largest influence divided by its standard error,
    which settles most cases without the units.
    """
    largest = spread.largest
    if largest is None:
        return None
    varies = variance > 0.0
    if not varies.any():
        return False
    sides = 2 if alternative == "two-sided" else 1
    count = pairs.shape[1]
    i, j = pairs
    most = (largest[i] + largest[j]) / np.sqrt(np.where(varies, variance, np.inf))
    if float(tail_error(most.max(), level, sides, count)) <= TOLERATED:
        return False
    if not (strata := spread.strata):
        return None
    skewnesses = skewness(strata, pairs[:, varies])
    return bool(tail_error(skewnesses, level, sides, count).max() > TOLERATED)


def drawn_statistics(
    strata: Sequence[Stratum],
    pairs: _INTEGERS,
    varies: NDArray[np.bool_],
    resamples: int,
    seed: int,
) -> Iterator[_FLOATS]:
    """Yield (d* − d)/SE* of every pair for redrawn units, one row per resample, in blocks.

    All pairs share each resample; strata are drawn separately. A pair that does not vary has the
    statistic 0. The order of the units does not matter.
    """
    count = pairs.shape[1]
    kept = max(_FEWEST, _WORK // (resamples * count))
    ready = [
        stratum.ordered().pooled(kept, stream(seed, _STREAM, number))
        for number, stratum in enumerate(strata)
    ]
    parts = [(stratum.units, *stratum.differences(pairs)) for stratum in ready]
    squares = [influence * influence for _, _, influence in parts]
    scale = [units / (units - 1.0) for units, _, _ in parts]
    own = np.zeros(count)
    for (_, moved, _), square, times in zip(parts, squares, scale, strict=True):
        own[moved] += times * square.sum(axis=1)
    least = LEAST**2 * np.where(varies, own, 1.0)
    rows = max(1, _CELLS // max(count, *(units for units, _, _ in parts)))
    for start in range(0, resamples, rows):
        size = min(rows, resamples - start)
        moves, variances = np.zeros((2, size, count))
        for number, ((units, moved, influence), square, times) in enumerate(
            zip(parts, squares, scale, strict=True)
        ):
            draw = stream(seed, _STREAM, number, start)
            weights = draw.multinomial(units, np.full(units, 1.0 / units), size=size).astype(float)
            move = products(weights, influence)
            moves[:, moved] += move
            variances[:, moved] += times * (products(weights, square) - move * move / units)
        yield np.where(varies, moves / np.sqrt(np.maximum(variances, least)), 0.0)


_ROUNDING = 1e-9


def share_as_extreme(observed: float, drawn: _FLOATS, alternative: Alternative) -> float:
    """Return p = (b+1)/(B+1), with b of B drawn statistics at least as extreme as the observed one.

    The data count as one of the exchanges. The p-value is valid if the null hypothesis makes all
    exchanges equally likely.

    >>> share_as_extreme(2.0, np.array([-3.0, 0.0, 2.0]), "two-sided")
    0.75
    """
    reach = float(extremeness(np.float64(observed), alternative))
    extreme = extremeness(drawn, alternative) >= reach - _ROUNDING * max(1.0, abs(reach))
    return (1.0 + float(np.count_nonzero(extreme))) / (1.0 + len(drawn))


def extremeness(statistic: Any, alternative: Alternative) -> Any:
    if alternative == "two-sided":
        return np.abs(statistic)
    return statistic if alternative == "greater" else -statistic


def farthest(drawn: _FLOATS, level: float, alternative: Alternative) -> float:
    """Return the smallest statistic whose p-value by `share_as_extreme` is at most 1 − level.

    The result is infinite if there are too few exchanges.

    >>> farthest(np.arange(20.0), 0.9, "greater"), farthest(np.arange(8.0), 0.9, "greater")
    (18.0, inf)
    """
    allowed = int((1.0 - level) * (1.0 + len(drawn)) + _ROUNDING)
    if allowed < 1 or not len(drawn):
        return math.inf
    at = len(drawn) - allowed
    return float(np.partition(extremeness(drawn, alternative), at)[at])
