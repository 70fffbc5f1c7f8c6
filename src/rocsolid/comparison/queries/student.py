"""Student's t test of each pair, and what a test of all pairs gives back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.queries.asked import QueryQuestion
from rocsolid.comparison.queries.systems import Differences
from rocsolid.intervals.means.t import t_limits


@dataclass(frozen=True, slots=True, eq=False)
class TestedPairs:
    """One test of every pair, in `Systems.pairs` order.

    ``low`` and ``high`` belong to one pair at a time. They, the statistic and the p-value are NaN
    where the test does not hold. The p-values were counted among so many ``draws``; of a formula,
    or of all signs, there are 0.
    """

    statistic: _FLOATS
    df: _FLOATS | None
    p_value: _FLOATS
    low: _FLOATS
    high: _FLOATS
    method: str
    assumptions: tuple[str, ...]
    source: str
    draws: int = 0


_FLOATS = NDArray[np.float64]


def least_detectable(reach: _FLOATS, std_error: _FLOATS, df: _FLOATS, power: float) -> _FLOATS:
    """SE·ν̂ with P(T ≥ reach/SE) = power, T Student's t with non-centrality ν̂ and df.

    ``reach`` is the difference that has to be found for a significant difference, and so depends on
    the test and the adjustment. The standard error is taken as known; the other side of a
    two-sided test is left out, which matters to no digit at a power of a half or more. NaN where
    the difference never varies.

    >>> print(least_detectable(np.array([0.02]), np.array([0.01]), np.array([49.0]), 0.8).round(4))
    [0.0285]
    """
    from scipy.special import nctdtrinc

    varies = (std_error > 0.0) & np.isfinite(reach)
    error = np.where(varies, std_error, np.nan)
    return np.asarray(error * nctdtrinc(df, 1.0 - power, reach / error))


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
