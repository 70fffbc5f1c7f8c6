"""Student's t of every pair: differences over their standard errors, and what tests share."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.compared import Compared, Outcome, StudentsT, Tested
from rocsolid.comparison.question import Question
from rocsolid.errors import UnsoundError
from rocsolid.intervals.calibrated.tails import tail
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import ROWS, Reads
from rocsolid.summaries.parts import rounding

_FLOATS = NDArray[np.float64]


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
    more, (i, j) = compared.unseen(), compared.pair_places
    own = np.diag(more)
    added = np.maximum(own[i] + own[j] - 2.0 * more[i, j], 0.0)
    return np.sqrt(np.where(variance > 0.0, variance + added, 0.0)), df


def without_variance(difference: float, df: float | None, question: Question) -> Tested:
    """Where nothing varies: certain that the difference is the null, or no test at all."""
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
