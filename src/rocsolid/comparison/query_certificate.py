"""Certified intervals for differences of means over queries: bets, pair by pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.question import Question
from rocsolid.intervals.means.betting import ASSUMPTIONS, DIFFERENCES, SOURCE, betting_limits
from rocsolid.results import Alternative, Interval

_FLOATS = NDArray[np.float64]


class ValuesToCertify(Protocol):
    """Values of systems by query, between ``low`` and ``high`` where they are bounded."""

    @property
    def by_query(self) -> tuple[_FLOATS, ...]: ...
    @property
    def paired(self) -> bool: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def bounded(self) -> bool: ...
    def pairs(self) -> list[tuple[int, int]]: ...
    def difference_rows(self) -> Iterator[_FLOATS]: ...


def certificates(systems: ValuesToCertify, question: Question) -> list[Interval | None]:
    """For each pair; ``None`` for a measure without bounds.

    On the same queries d_q lies in ±(high − low), and (d_q/(high − low) + 1)/2 in [0, 1], where
    `betting_limits` hold: the more alike two systems are on each query, the shorter. On queries of
    their own the limits are those of the difference of two certified intervals, each at half the
    error: [low_a − high_b, high_a − low_b].
    """
    if not systems.bounded:
        return [None] * len(systems.pairs())
    span = systems.high - systems.low
    if systems.paired:
        both = [
            betting_limits(
                (rows / span + 1.0) / 2.0, 1.0 - question.level, question.alternative, DIFFERENCES
            )
            for rows in systems.difference_rows()
        ]
        low = span * (2.0 * np.concatenate([limits[0] for limits in both]) - 1.0)
        high = span * (2.0 * np.concatenate([limits[1] for limits in both]) - 1.0)
    else:
        low, high = _from_two(systems, question)
    return [
        Interval(
            low_end,
            high_end,
            question.level,
            "betting" if systems.paired else "difference of betting",
            certified=True,
            assumptions=ASSUMPTIONS,
            source=SOURCE,
            range=question.span,
        )
        for low_end, high_end in zip(low.tolist(), high.tolist(), strict=True)
    ]


def _from_two(systems: ValuesToCertify, question: Question) -> tuple[_FLOATS, _FLOATS]:
    """Each of the ends that are used fails with half of what the difference may."""
    span = systems.high - systems.low
    ends = np.array(
        [
            np.concatenate(
                betting_limits(
                    ((values - systems.low) / span)[None],
                    _of_one(1.0 - question.level, question.alternative),
                )
            )
            for values in systems.by_query
        ]
    )
    i, j = np.array(systems.pairs()).T
    low, high = span * (ends[i, 0] - ends[j, 1]), span * (ends[i, 1] - ends[j, 0])
    if question.alternative == "less":
        low = np.full_like(low, -span)
    if question.alternative == "greater":
        high = np.full_like(high, span)
    return low, high


def _of_one(delta: float, alternative: Alternative) -> float:
    """The error of each two-sided interval: with a free end, each end used may have delta/2."""
    return delta / 2.0 if alternative == "two-sided" else delta
