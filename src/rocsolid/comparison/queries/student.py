"""Student's t test of each pair: paired on the same queries, Welch's on queries of their own."""

from __future__ import annotations

import numpy as np

from rocsolid.comparison.queries.asked import QueryQuestion
from rocsolid.comparison.queries.systems import Differences
from rocsolid.comparison.queries.tested import TestedPairs
from rocsolid.intervals.means.t import t_limits

PAIRED = ("queries independent and drawn alike", "mean difference close to normal")
UNPAIRED = ("the two sets of queries independent of each other", *PAIRED)
SOURCE = "Student, Biometrika 6 (1908), 1-25"
WELCH = "Welch, Biometrika 34 (1947), 28-35"


def t_test(differences: Differences, question: QueryQuestion, *, paired: bool) -> TestedPairs:
    """(d̄ − null)/SE on Student's t with ν degrees of freedom, and d̄ ± quantile·SE.

    Paired, SE is that of the differences by query and ν = Q − 1; unpaired, it is Welch's. A pair
    whose difference never varies has no test: p is 1 if the difference is ``null``, else unknown.
    """
    from scipy.special import stdtr

    varies = differences.std_error > 0.0
    error = np.where(varies, differences.std_error, np.nan)
    statistic = (differences.found - question.null) / error
    if question.alternative == "two-sided":
        p = 2.0 * stdtr(differences.df, -np.abs(statistic))
    else:
        towards = statistic if question.alternative == "less" else -statistic
        p = stdtr(differences.df, towards)
    low, high = t_limits(
        differences.found, error, differences.df, question.level, question.alternative
    )
    level = ~varies & (differences.found == question.null)
    return TestedPairs(
        np.where(level, 0.0, statistic),
        differences.df,
        np.where(level, 1.0, p),
        np.where(varies, low, np.nan),
        np.where(varies, high, np.nan),
        "t" if paired else "t (welch)",
        PAIRED if paired else UNPAIRED,
        SOURCE if paired else WELCH,
    )
