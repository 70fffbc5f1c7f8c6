"""The question about each pair, the input of a test, and Student's t."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from itertools import combinations
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.inference import Design
from rocsolid.dataclass import dataclass
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
    """The tested ``null`` of each a − b, and its interval; ``span`` limits the differences."""

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
        """Whether the test is a two-sided test of a = b, after which names form groups."""
        return self.null == 0.0 and self.alternative == "two-sided"


def null_and_side(
    null: float, margin: float | None, alternative: Alternative, reach: float
) -> tuple[float, Alternative]:
    """Return the null of a − b and the side of the test; ``reach`` is the largest difference.

    >>> null_and_side(0.0, 0.02, "two-sided", 1.0)
    (-0.02, 'greater')
    """
    if margin is not None:
        if not (isinstance(margin, Real) and 0.0 < margin < reach):
            limits = f"lie strictly between 0 and {reach:g}" if reach < math.inf else "be positive"
            raise InputError(
                f"the margin of non-inferiority must {limits}",
                where="margin",
                value=margin,
                fix="use the largest acceptable loss, such as margin=0.03",
            )
        check_margin_alone(null, alternative)
        return -float(margin), "greater"
    if not (isinstance(null, float | Real) and -reach < null < reach):
        between = f"lie strictly between {-reach:g} and {reach:g}"
        limits = between if reach < math.inf else "be a finite number"
        raise InputError(f"the null must {limits}", where="null", value=null)
    return float(null), alternative


_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StudentsT:
    """Student's t for a kind of estimate: the requested name, and the names in results."""

    test: str
    method: str
    interval: str
    assumptions: tuple[str, ...]
    source: str
    reads: Reads = ROWS


class Compared(ABC):
    """Named estimates, and the influence of each unit of the sample on them.

    ``spread`` is ``None`` for a measure without a variance formula. ``paired`` is true if all
    estimates use the same units.
    """

    estimates: Mapping[str, Any]  # by name, of the type that the measure returns
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
    def span(self) -> float: ...

    @cached_property
    def unseen(self) -> _FLOATS:
        """The addition to the covariance for units that the sample lacks."""
        return np.zeros((len(self.names),) * 2)

    @abstractmethod
    def certificates(self, question: Question) -> list[Deferred[Interval | None]]: ...

    def kept(self) -> Deferred[Self] | None:
        """Return a copy for later `certificates`; ``None`` if they must be computed at once."""
        return None

    @abstractmethod
    def all_equal(self, question: Question) -> tuple[Omnibus, list[Remark]]:
        """Test that all values are equal, and return the remarks on the test."""

    @property
    def redrawable(self) -> bool:
        return True

    def doubts(self) -> list[Remark]:
        """Return the remarks on a sample that is too small for calibrated tests."""
        return []

    def thin(self, outcome: Outcome, pairs: tuple[Difference, ...]) -> list[Remark]:  # noqa: ARG002
        """Return the remarks on tests with few values behind them."""
        return []

    def described(self) -> dict[str, Any]:
        return {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(self.estimates)

    @cached_property
    def values(self) -> _FLOATS:
        return np.array([estimate.value for estimate in self.estimates.values()])

    def pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.names)), 2))

    @cached_property
    def pair_places(self) -> NDArray[np.intp]:
        return np.array(self.pairs(), dtype=np.intp).T

    def difference(self, i: int, j: int) -> float:
        return float(self.values[i] - self.values[j])

    @cached_property
    def differences(self) -> _FLOATS:
        return np.array([self.difference(i, j) for i, j in self.pairs()])

    @property
    def known(self) -> Covariation:
        """The joint variation of the estimates; an error where no formula exists."""
        if self.spread is None:
            raise UnsoundError(
                f"no formula gives the variance of {self.measure_name}",
                where="test",
                fix='use test="bootstrap", which estimates it',
            )
        return self.spread

    @cached_property
    def covariance(self) -> _FLOATS:
        return self.known.covariance()

    @cached_property
    def variance_and_df(self) -> tuple[_FLOATS, _FLOATS]:
        """The variance of every difference, without `unseen`, and its degrees of freedom."""
        each = self.known.each(self.pair_places)
        variance = each.total
        return np.where(variance <= self.negligible, 0.0, variance), each.df()

    @property
    def negligible(self) -> float:
        """The largest variance of a difference that rounding alone can cause."""
        return negligible(self.span)

    def against_first(self) -> Parts:
        return self.known.apart([(i, 0) for i in range(1, len(self.estimates))])


@dataclass(frozen=True, slots=True)
class Tested:
    """The test of one pair; without an interval, unknown numbers are NaN.

    ``draws`` is the number of random draws for the p-value: 0 for a full enumeration, ``None`` for
    a formula.
    """

    std_error: float
    statistic: float
    df: float | None
    p_value: float
    interval: Interval | None
    draws: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The tests of all pairs, and the input of joint tests.

    ``compared`` is the input of the test; resampling methods replace its variances. ``test`` is the
    requested name. ``drawn`` contains the extremeness of each pair's statistic in every draw, and
    ``observed`` in the data, on one scale for all pairs. Without draws, the statistics are normal,
    unless ``normal`` is false. ``redrawn`` contains the signed studentised errors of redrawn units.
    ``joint`` tests that all values are equal. ``least_p`` is the smallest p-value that the draws
    allow, and ``exact`` is true if all exchanges were enumerated.
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


def t_test(compared: Compared, question: Question) -> Outcome:
    """Test (Δ̂ − null)/SE against Student's t; the interval Δ̂ ± quantile·SE is cut to the span.

    SE includes `Compared.unseen`, and the degrees of freedom are Welch's.
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
    """Return the standard error, with unseen units, and degrees of freedom of every difference."""
    variance, df = compared.variance_and_df
    unknown = np.isnan(variance)
    if unknown.any():
        i, j = compared.pairs()[int(np.flatnonzero(unknown)[0])]
        raise UnsoundError(
            compared.known.unknown,
            where=f"{compared.names[i]} against {compared.names[j]}",
            fix=compared.known.instead,
        )
    more, (i, j) = compared.unseen, compared.pair_places
    own = more.diagonal()
    added = np.maximum(own[i] + own[j] - 2.0 * more[i, j], 0.0)
    return np.sqrt(np.where(variance > 0.0, variance + added, 0.0)), df


def without_variance(difference: float, df: float | None, question: Question) -> Tested:
    """Return a test without variance: p is 1 at the null and unknown elsewhere."""
    level = abs(difference - question.null) <= rounding(question.span[1])
    return Tested(0.0, 0.0 if level else math.nan, df, 1.0 if level else math.nan, None)


def within(
    low: float, high: float, question: Question, method: str, assumptions: tuple[str, ...],
    source: str, reads: Reads = ROWS,
) -> Interval:  # fmt: skip
    """Return limits for a difference, cut to the span; a one-sided interval ends at the span."""
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
    """Test a studentised difference against t with ``df``; ``None`` is the normal distribution."""
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
    """

    >>> round(p_value(1.959964, None, "two-sided"), 6), round(p_value(-1.959964, None, "less"), 6)
    (0.05, 0.025)
    """
    import scipy.special

    if alternative == "two-sided":
        statistic, sides = -abs(statistic), 2.0
    else:
        statistic, sides = (-statistic if alternative == "greater" else statistic), 1.0
    special = scipy.special
    return sides * float(special.ndtr(statistic) if df is None else special.stdtr(df, statistic))


def _quantile(probability: float, df: float | None) -> float:
    import scipy.special

    special = scipy.special
    return float(special.ndtri(probability) if df is None else special.stdtrit(df, probability))
