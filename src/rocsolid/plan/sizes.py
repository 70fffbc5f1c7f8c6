"""A sample size with its class sizes, and the search for the smallest one that is enough."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.results.plain import Plain, one_line

LARGEST = 10**8  # rows; a question that needs more labels than this is a mistake


@dataclass(frozen=True, slots=True)
class SampleSize(Plain):
    """The rows to label: ``n`` of them, ``n_pos`` positives and ``n_neg`` negatives.

    ``reaches`` is what these rows give: the deviation, or the lower limit, that was requested.
    """

    n: int
    n_pos: int
    n_neg: int
    reaches: float
    method: str
    source: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"{self.n:,} rows: {self.n_pos:,} positives and {self.n_neg:,} negatives "
            f"({self.method})"
        )


def split(rows: int, prevalence: float) -> tuple[int, int]:
    """The positives and negatives among ``rows``: their share rounded, at least one of each.

    One row more adds one to one class and nothing to the other, so whatever shrinks as either class
    grows also shrinks as ``rows`` grows.

    >>> split(10, 0.25), split(10, 0.01)
    ((3, 7), (1, 9))
    """
    n_pos = min(max(math.floor(prevalence * rows + 0.5), 1), rows - 1)
    return n_pos, rows - n_pos


def check_prevalence(prevalence: float) -> float:
    """The share of positives among the rows, if there will be rows of both classes."""
    if not (is_number(prevalence) and 0.0 < prevalence < 1.0):
        raise InputError(
            "prevalence must lie strictly between 0 and 1",
            where="prevalence",
            value=prevalence,
            fix="give the share of positives among the rows to be labelled",
        )
    return float(prevalence)


def smallest(distance: Callable[[int], float], limit: float, least: int = 2) -> int:
    """The smallest whole number from ``least`` on whose distance is at most ``limit``.

    ``distance`` must never grow, so every larger number is enough as well. It is followed as if it
    were a power of the number, which distances here nearly are; from where that leads, steps that
    double find numbers on either side, and halving the range between them finds the answer.

    >>> smallest(lambda rows: rows**-0.5, 0.05)
    400
    """
    low = _followed(distance, limit, least)
    step = 1
    if distance(low) > limit:
        high = low
        while distance(high) > limit:
            if high == LARGEST:
                raise InputError(
                    f"not even {LARGEST:,} rows are enough",
                    value=limit,
                    fix="ask for a larger deviation or a lower target",
                )
            low, high, step = high, min(LARGEST, high + step), 2 * step
    else:
        high = low
        while distance(low) <= limit:
            if low == least:
                return least
            low, high, step = max(least, low - step), low, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if distance(middle) <= limit else (middle, high)
    return high


def _followed(distance: Callable[[int], float], limit: float, least: int) -> int:
    """A number near the answer, by straight lines through logarithms."""
    size, reached, power = least, distance(least), 0.5
    for _ in range(8):
        if reached <= 0.0:
            break
        wanted = math.log(size) + (math.log(reached) - math.log(limit)) / power
        following = max(least, math.ceil(math.exp(min(wanted, math.log(LARGEST)))))
        if following == size:
            break
        closer = distance(following)
        if 0.0 < closer != reached:
            slope = math.log(reached / closer) / math.log(following / size)
            power = min(max(slope, 0.4), 4.0)
        size, reached = min(following, LARGEST), closer
    return size
