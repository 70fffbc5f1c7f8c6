"""What is exchanged under a null hypothesis, drawn so that neither threads nor blocks matter."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.question import Question
from rocsolid.errors import UnsoundError
from rocsolid.results import Alternative
from rocsolid.summaries.side_by_side import blocks_side_by_side
from rocsolid.summaries.stream import stream

_FLOATS = NDArray[np.float64]
_SWAPS, _SHARING = 1, 2  # streams of their own, apart from those of other methods
_CELLS = 1 << 18  # cells of a block of data sets: in cache
_ROUNDING = 1e-9


class Swaps:
    """Which of ``units`` have their two scores swapped; ``moving`` are those where it matters.

    Where all ways to swap are no more than ``resamples``, they are all gone through, else as many
    are drawn. The data as they are do not come among them.
    """

    def __init__(self, units: int, moving: NDArray[np.bool_], resamples: int, seed: int) -> None:
        self.units, self.seed = units, seed
        self.moving = np.flatnonzero(moving)
        ways = 1 << len(self.moving) if len(self.moving) < 62 else math.inf
        self.exact = ways <= resamples
        self.count = int(ways) - 1 if self.exact else resamples

    def __call__(self, start: int, stop: int) -> NDArray[np.bool_]:
        """The exchanges from number ``start`` to ``stop``, a row each.

        >>> Swaps(3, np.array([True, False, True]), 100, 0)(0, 3).astype(int)
        array([[1, 0, 0],
               [0, 0, 1],
               [1, 0, 1]])
        """
        if self.exact:
            out = np.zeros((stop - start, self.units), dtype=bool)
            number = np.arange(start + 1, stop + 1)[:, None]
            out[:, self.moving] = number >> np.arange(len(self.moving)) & 1
            return out
        return np.stack(
            [
                stream(self.seed, _SWAPS, b).integers(0, 2, size=self.units, dtype=np.bool_)
                for b in range(start, stop)
            ]
        )


class Sharing:
    """Which of the pooled rows of each class go to the first of two samples, sizes kept.

    ``sizes`` are (of the first sample, of both together) for each class. As in `Swaps`, all ways
    are gone through where they are few.
    """

    def __init__(
        self, sizes: tuple[tuple[int, int], tuple[int, int]], resamples: int, seed: int, pair: int
    ) -> None:
        self.sizes, self.seed, self.pair = sizes, seed, pair
        ways = [math.comb(both, first) for first, both in sizes]
        self.exact = math.prod(ways) <= resamples
        self.count = math.prod(ways) - 1 if self.exact else resamples
        self._all = [self._ways(*size) for size in sizes] if self.exact else []

    @staticmethod
    def _ways(first: int, both: int) -> NDArray[np.intp]:
        """Orders of the pooled rows, the first sample's in front, the data as they are first."""
        chosen = combinations(range(both), first)
        return np.array([[*c, *(i for i in range(both) if i not in c)] for c in chosen])

    def __call__(self, start: int, stop: int) -> list[NDArray[np.intp]]:
        """For each class an order of its pooled rows a row: the first sample's come in front.

        >>> Sharing(((1, 2), (1, 1)), 10, 0, 0)(0, 1)
        [array([[1, 0]]), array([[0]])]
        """
        if self.exact:
            number = np.arange(start + 1, stop + 1)
            of_pos, of_neg = self._all
            return [of_pos[number % len(of_pos)], of_neg[number // len(of_pos)]]
        orders: list[list[NDArray[np.intp]]] = [[], []]
        for b in range(start, stop):
            draw = stream(self.seed, _SHARING, self.pair, b)
            for order, (_, both) in zip(orders, self.sizes, strict=True):
                order.append(draw.permutation(both))
        return [np.stack(order) for order in orders]


def gone_through(
    count: int, rows: int, pairs: int, statistics: Callable[[int, int], _FLOATS]
) -> _FLOATS:
    """``statistics(start, stop)`` of all exchanges, one row each, a block at a time on two threads.

    ``rows`` are those that a statistic of one pair looks at.

    >>> gone_through(3, 1, 1, lambda start, stop: np.arange(start, stop)[:, None] * 1.0).ravel()
    array([0., 1., 2.])
    """
    block = max(1, _CELLS // (rows * pairs))

    def part(number: int) -> _FLOATS:
        return statistics(number * block, min((number + 1) * block, count))

    parts = blocks_side_by_side(part, -(-count // block), count * rows * pairs)
    return np.concatenate(parts) if parts else np.empty((0, pairs))


def share_as_extreme(observed: float, drawn: _FLOATS, alternative: Alternative) -> float:
    """p = (b+1)/(B+1), b of the B drawn statistics at least as extreme as the observed one.

    The data count as one of the exchanges, so p is never 0 and a test at the level α is wrong at
    most with the chance α wherever the null hypothesis makes all exchanges equally likely.

    >>> share_as_extreme(2.0, np.array([-3.0, 0.0, 2.0]), "two-sided")
    0.75
    """
    reach = float(extremeness(np.float64(observed), alternative))
    extreme = extremeness(drawn, alternative) >= reach - _ROUNDING * max(1.0, abs(reach))
    return (1.0 + float(np.count_nonzero(extreme))) / (1.0 + len(drawn))


def extremeness(statistic: Any, alternative: Alternative) -> Any:
    """How far a statistic is on the side that the alternative is about."""
    if alternative == "two-sided":
        return np.abs(statistic)
    return statistic if alternative == "greater" else -statistic


def farthest(drawn: _FLOATS, level: float, alternative: Alternative) -> float:
    """The statistic from which on p, as `share_as_extreme` counts it, is at most 1 − level.

    It is infinite where there are too few exchanges for any p so small; its side is that of
    `extremeness`.

    >>> farthest(np.arange(20.0), 0.9, "greater"), farthest(np.arange(8.0), 0.9, "greater")
    (18.0, inf)
    """
    allowed = int((1.0 - level) * (1.0 + len(drawn)) + _ROUNDING)
    if allowed < 1 or not len(drawn):
        return math.inf
    at = len(drawn) - allowed
    return float(np.partition(extremeness(drawn, alternative), at)[at])


def check_exchangeable(question: Question, what: str) -> None:
    """Exchanging rows is about no difference at all, so no other null can be tested."""
    if question.null != 0.0:
        raise UnsoundError(
            f"{what} exchanges what would be alike if there were no difference, so it cannot test "
            "another null",
            where="null or margin",
            value=question.null,
            fix='use test="delong" or test="bootstrap"',
        )
