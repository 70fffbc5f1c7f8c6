"""The question about every pair, the estimates that a test starts from, and Student's t."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.inference import Design
from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.calibrated.standard_error import tail
from rocsolid.intervals.guarantees.checks import check_margin_alone
from rocsolid.remarks.remark import Remark
from rocsolid.results import Alternative
from rocsolid.results.comparison import Difference, Omnibus
from rocsolid.results.deferred import Deferred
from rocsolid.results.interval import ROWS, Interval, Reads
from rocsolid.summaries.strata import Covariation, Parts, negligible, rounding


@dataclass(frozen=True, slots=True)
class Question:
    """The question about each pair: whether a − b is ``null``, and an interval for a − b.

    ``span`` is what a − b can be whatever the data; ``resamples`` and ``seed`` are for the methods
    that draw.
    """

    null: float
    alternative: Alternative
    level: float
    seed: int
    span: tuple[float, float] = (-1.0, 1.0)
    resamples: int = 2000
    design: Design = None
    certified: bool = True

    @property
    def equality(self) -> bool:
        """Whether the question is if a and b are equal, so that scores form groups."""
        return self.null == 0.0 and self.alternative == "two-sided"


def null_and_side(
    null: float, margin: float | None, alternative: Alternative, reach: float
) -> tuple[float, Alternative]:
    """The null of a − b and the side of the test; a margin of non-inferiority sets the two.

    ``reach`` is the largest difference that there can be.

    >>> null_and_side(0.0, 0.02, "two-sided", 1.0)
    (-0.02, 'greater')
    """
    between = f"strictly between {{:g}} and {reach:g}" if reach < math.inf else ""
    if margin is not None:
        if not (isinstance(margin, Real) and 0.0 < margin < reach):
            limits = f"lie {between.format(0.0)}" if between else "be positive"
            raise InputError(
                f"the margin of non-inferiority must {limits}",
                where="margin",
                value=margin,
                fix="give the loss that would not matter, such as margin=0.03",
            )
        check_margin_alone(null, alternative)
        return -float(margin), "greater"
    if not (isinstance(null, Real) and -reach < null < reach):
        limits = f"lie {between.format(-reach)}" if between else "be a finite number"
        raise InputError(f"the null must {limits}", where="null", value=null)
    return float(null), alternative


_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StudentsT:
    """The names and assumptions of Student's t for a kind of estimate.

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

    @cached_property
    def unseen(self) -> _FLOATS:
        """The addition to the covariance for units that the sample does not show."""
        return np.zeros((len(self.names),) * 2)

    @abstractmethod
    def certificates(self, question: Question) -> list[Deferred[Interval | None]]:
        """The certified interval of each pair, computed when it is read; ``None`` for none."""

    def kept(self) -> Self | None:
        """A copy whose sample no caller can change, for `certificates` that are read later.

        ``None`` where they are to be computed at once.
        """
        return None

    @abstractmethod
    def all_equal(self, question: Question) -> tuple[Omnibus, list[Remark]]:
        """The test that all values are equal, and the remarks on the test."""

    @property
    def redrawable(self) -> bool:
        """Whether the default test may draw the units anew."""
        return True

    def doubts(self, outcome: Outcome, pairs: tuple[Difference, ...]) -> list[Remark]:  # noqa: ARG002
        """The remarks that a reader needs before quoting the tests."""
        return []

    def described(self) -> dict[str, Any]:
        """The settings of a result that describe the sample."""
        return {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.estimates)

    @cached_property
    def values(self) -> _FLOATS:
        return np.array([estimate.value for estimate in self.estimates.values()])

    def pairs(self) -> list[tuple[int, int]]:
        """All pairs, in the order of every list of pairs."""
        return list(combinations(range(len(self.estimates)), 2))

    @cached_property
    def pair_places(self) -> NDArray[np.intp]:
        """All pairs as two rows of indices."""
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
    def covariance(self) -> _FLOATS:
        return self.known.covariance()

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

    The p-value was counted among ``draws``: 0 for all exchanges, ``None`` for a formula.
    """

    std_error: float
    statistic: float
    df: float | None
    p_value: float
    interval: Interval | None
    draws: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The result of a test: an entry for each pair, and the input of joint tests.

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


def t_test(compared: Compared, question: Question) -> Outcome:
    """(Δ̂ − null)/SE on Student's t, and Δ̂ ± quantile·SE cut to what a difference can be.

    The error comes from the units' influences, raised by what `Compared.unseen` adds; the degrees
    of freedom are Welch's, so ten positives give nine, however many negatives there are.
    """
    std_errors, df = errors(compared)
    words = compared.students_t
    tested = [
        student(difference, error**2, None if math.isnan(nu) else nu, question, words)
        for difference, error, nu in zip(
            compared.differences.tolist(), std_errors.tolist(), df.tolist(), strict=True
        )
    ]
    joint = partial(compared.all_equal, question)
    return Outcome(tested, compared, words.method, joint, words.test)


def errors(compared: Compared) -> tuple[_FLOATS, _FLOATS]:
    """The standard error of every difference, with unseen units, and its degrees of freedom."""
    variance, df = compared.variance_and_df
    unknown = np.isnan(variance)
    if unknown.any():
        i, j = compared.pairs()[int(np.flatnonzero(unknown)[0])]
        raise UnsoundError(
            "DeLong's test needs at least two independent rows or clusters of each class",
            where=f"{compared.names[i]} against {compared.names[j]}",
            fix="collect more rows, or read rocsolid.auc of each score, with its certificate",
        )
    more, (i, j) = compared.unseen, compared.pair_places
    own = np.diag(more)
    added = np.maximum(own[i] + own[j] - 2.0 * more[i, j], 0.0)
    return np.sqrt(np.where(variance > 0.0, variance + added, 0.0)), df


def without_variance(difference: float, df: float | None, question: Question) -> Tested:
    """The test of a pair that never varies: p is 1 at the null, and unknown elsewhere."""
    level = abs(difference - question.null) <= rounding(question.span[1])
    return Tested(0.0, 0.0 if level else math.nan, df, 1.0 if level else math.nan, None)


def within(
    low: float, high: float, question: Question, method: str, assumptions: tuple[str, ...],
    source: str, reads: Reads = ROWS,
) -> Interval:  # fmt: skip
    """Limits for a difference, cut to what it can be, with the end open that is not requested."""
    bottom, top = question.span
    return Interval(
        bottom if question.alternative == "less" else max(low, bottom),
        top if question.alternative == "greater" else min(high, top),
        question.level,
        method,
        assumptions=assumptions,
        source=source,
        range=question.span,
        reads=reads,
    )


def student(
    difference: float, variance: float, df: float | None, question: Question, words: StudentsT
) -> Tested:
    """A difference over its standard error, against t with ``df`` (``None``: normal)."""
    if variance == 0.0:
        return without_variance(difference, df, question)
    error = math.sqrt(variance)
    statistic = (difference - question.null) / error
    half = _quantile(tail(question.level, question.alternative), df) * error
    interval = within(
        difference - half, difference + half, question, words.interval, words.assumptions,
        words.source, words.reads,
    )  # fmt: skip
    return Tested(error, statistic, df, p_value(statistic, df, question.alternative), interval)


def p_value(statistic: float, df: float | None, alternative: Alternative) -> float:
    """The probability of a statistic as extreme or more; "greater" looks at the upper tail.

    >>> round(p_value(1.959964, None, "two-sided"), 6), round(p_value(-1.959964, None, "less"), 6)
    (0.05, 0.025)
    """
    from scipy.special import ndtr, stdtr

    if alternative == "two-sided":
        statistic, sides = -abs(statistic), 2.0
    else:
        statistic, sides = (-statistic if alternative == "greater" else statistic), 1.0
    return sides * float(ndtr(statistic) if df is None else stdtr(df, statistic))


def _quantile(probability: float, df: float | None) -> float:
    from scipy.special import ndtri, stdtrit

    return float(ndtri(probability) if df is None else stdtrit(df, probability))
