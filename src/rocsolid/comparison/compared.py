"""What every test of a comparison starts from, and what it gives back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.question import Question
from rocsolid.errors import UnsoundError
from rocsolid.remarks.remark import Remark
from rocsolid.results import Interval
from rocsolid.results.comparison import Difference, Omnibus
from rocsolid.results.reads import ROWS, Reads
from rocsolid.summaries.covariation import Covariation
from rocsolid.summaries.parts import Parts, negligible

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StudentsT:
    """How Student's t of these estimates is named, and what it assumes.

    ``test`` is what a user requests, ``method`` what a pair says, ``interval`` what its interval
    says.
    """

    test: str
    method: str
    interval: str
    assumptions: tuple[str, ...]
    source: str
    reads: Reads = ROWS


class Compared(ABC):
    """Estimates by name, and how the units of their sample move them.

    Scores of the same rows, samples, systems over queries, learners over folds: to a test they are
    all this. ``spread`` is ``None`` for a measure whose variance no formula gives; ``paired`` says
    whether all estimates rest on the same units.
    """

    estimates: dict[str, Any]  # Estimates, or what the measure has in their place
    paired: bool
    spread: Covariation | None

    @property
    @abstractmethod
    def students_t(self) -> StudentsT: ...

    @property
    @abstractmethod
    def measure_name(self) -> str: ...

    @property
    @abstractmethod
    def span(self) -> float:
        """The largest difference that there can be."""

    def unseen(self) -> _FLOATS:
        """What units that the sample does not show add to the covariance."""
        return np.zeros((len(self.names),) * 2)

    @abstractmethod
    def certificates(self, question: Question) -> list[Interval | None]:
        """The certified interval of each pair; ``None`` where there is none."""

    @abstractmethod
    def all_equal(self, question: Question) -> tuple[Omnibus, list[Remark]]:
        """The test that all values are equal, with Student's t for two, and what to know of it."""

    @property
    def redrawable(self) -> bool:
        """Whether the default test may draw the units anew."""
        return True

    def doubts(self, outcome: Outcome, pairs: tuple[Difference, ...]) -> list[Remark]:  # noqa: ARG002
        """What a reader should know before quoting the tests."""
        return []

    def described(self) -> dict[str, Any]:
        """What the settings of a result say about the sample."""
        return {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.estimates)

    @cached_property
    def values(self) -> _FLOATS:
        return np.array([estimate.value for estimate in self.estimates.values()])

    def pairs(self) -> list[tuple[int, int]]:
        """All pairs in the order in which every list of pairs here is."""
        return list(combinations(range(len(self.estimates)), 2))

    @cached_property
    def pair_places(self) -> NDArray[np.intp]:
        """The same as two rows."""
        return np.array(self.pairs(), dtype=np.intp).T

    def difference(self, i: int, j: int) -> float:
        return float(self.values[i] - self.values[j])

    @cached_property
    def differences(self) -> _FLOATS:
        """The difference of every pair."""
        return np.array([self.difference(i, j) for i, j in self.pairs()])

    @property
    def known(self) -> Covariation:
        """How the estimates vary together, or an error where no formula says."""
        if self.spread is None:
            raise UnsoundError(
                f"no formula gives the variance of {self.measure_name}",
                where="test",
                fix='use test="bootstrap", which measures it',
            )
        return self.spread

    @cached_property
    def variance_and_df(self) -> tuple[_FLOATS, _FLOATS]:
        """The variance of the difference of every pair, and its degrees of freedom.

        A variance is exactly zero where rounding is all; with `unseen` units it is larger.
        """
        each = self.known.each(self.pair_places)
        variance = each.total
        return np.where(variance <= self.negligible, 0.0, variance), each.df()

    @property
    def negligible(self) -> float:
        """The variance of a difference that rounding alone can leave."""
        return negligible(self.span)

    def against_first(self) -> Parts:
        """The covariance of each estimate's difference from the first."""
        return self.known.apart([(i, 0) for i in range(1, len(self.estimates))])


@dataclass(frozen=True, slots=True)
class Tested:
    """One pair's test. ``interval`` is ``None``, and the rest NaN, where the method gives none.

    The p-value was counted among so many ``draws``; of a formula, or of all exchanges, there are 0.
    """

    std_error: float
    statistic: float
    df: float | None
    p_value: float
    interval: Interval | None
    draws: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a test found: one entry a pair, and what the tests of all pairs together need.

    ``compared`` is what the test started from, with its own variances where it measured some.
    ``test`` is what a user would have requested. ``drawn`` has how extreme the statistic of each
    pair is in each draw that all pairs share, and ``observed`` how extreme it is, on one scale for
    all. Without them the statistics are normal, with ``compared``'s variances, unless ``normal``
    says that they are not. ``redrawn`` has the studentised errors of each pair, with their signs,
    where units were drawn anew: they hold whatever the true differences are. ``joint`` tests that
    all are equal. ``least_p`` is the smallest p-value that the draws can give, ``exact`` whether
    all exchanges were gone through. ``warnings`` say what a reader should know about the method.
    """

    tested: list[Tested]
    compared: Compared
    method: str
    joint: Callable[[], tuple[Omnibus, list[Remark]]]
    test: str = ""
    drawn: _FLOATS | None = None
    observed: _FLOATS | None = None
    normal: bool = True
    redrawn: _FLOATS | None = None
    least_p: float = 0.0
    exact: bool | None = None
    warnings: tuple[Remark, ...] = ()


Test = Callable[[Any, Question], Outcome]
"""A test of every pair at once (resampling methods share their resamples), in ``pairs`` order."""
