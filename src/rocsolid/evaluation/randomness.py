"""What was drawn at random for the numbers of a page, as their methods declare it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from rocsolid.evaluation.runs_numbers import MeasuredRuns
from rocsolid.results import Interval


class WithIntervals(Protocol):
    """A value or a difference with both of its intervals."""

    @property
    def interval(self) -> Interval: ...
    @property
    def certified(self) -> Interval | None: ...


def of_results(results: Iterable[WithIntervals]) -> list[str]:
    """What was drawn for the intervals of each."""
    both = (limits for one in results for limits in (one.interval, one.certified))
    return [limits.drawn for limits in both if limits is not None]


def of_measures(measures: Sequence[MeasuredRuns]) -> list[str]:
    """What was drawn for the means of queries and for their comparisons."""
    said = []
    for one in measures:
        said += of_results(one.estimates.values())
        if one.comparison is not None:
            said.append(one.comparison.drawn)
    return said


def randomness(drawn: Iterable[str]) -> str:
    """Everything that was drawn, once.

    >>> randomness(["", "2,000 resamples, seed 0", "2,000 resamples, seed 0"])
    '2,000 resamples, seed 0'
    >>> randomness([""])
    'none was used'
    """
    return "; ".join(dict.fromkeys(filter(None, drawn))) or "none was used"
