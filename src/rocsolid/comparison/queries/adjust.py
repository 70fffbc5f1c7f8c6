"""All pairs together: adjusted p-values, and how far a difference must go to stand out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.adjust import holm_steps
from rocsolid.comparison.queries.asked import QueryQuestion
from rocsolid.comparison.queries.largest_t import largest_t
from rocsolid.comparison.queries.systems import Differences, Systems
from rocsolid.errors import UnsoundError
from rocsolid.intervals.calibrated.tails import tail
from rocsolid.intervals.means.tail import SAME
from rocsolid.summaries.stream import stream

_CELLS = 1 << 21


def largest_gaps(systems: Systems, resamples: int, seed: int) -> _FLOATS:
    """The difference of the best and the worst mean: as found, then in each of B resamples.

    Carterette, ACM Transactions on Information Systems 30 (2012), 4, section 4.3: within every
    query, so paired, the values are dealt to the systems at random. If all systems are alike on
    every query, the first number is exchangeable with the others; a p-value is the share of them
    that reach a pair's difference. B resamples drawn with a seed give (b+1)/(B+1).
    """
    values = systems.matrix.T
    gaps = np.empty(resamples + 1)
    gaps[0] = np.ptp(systems.means)
    many = max(1, _CELLS // values.size)
    for start in range(1, resamples + 1, many):
        stop = min(start + many, resamples + 1)
        dealt = np.repeat(values[None], stop - start, axis=0)
        stream(seed, 2, start).permuted(dealt, axis=2, out=dealt)
        gaps[start:stop] = np.ptp(dealt.mean(axis=1), axis=1)
    return gaps


def p_values(gaps: _FLOATS, differences: _FLOATS, largest: float) -> _FLOATS:
    """For each difference the share of gaps that reach it; ``largest`` is that of any value."""
    ordered = np.sort(gaps)
    below = np.searchsorted(ordered, np.abs(differences) - SAME * largest)
    return np.asarray((gaps.size - below) / gaps.size)


_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """All that an adjustment may look at."""

    systems: Systems
    differences: Differences
    p_values: _FLOATS
    question: QueryQuestion


@dataclass(frozen=True, slots=True, eq=False)
class Adjusted:
    """``reach`` is the half-width of the simultaneous interval of each pair, named ``method``.

    The p-values were counted among so many ``draws``, or follow from those of single pairs.
    """

    p_values: _FLOATS
    reach: _FLOATS
    method: str
    draws: int = 0


def none(family: Family) -> Adjusted:
    """The p-values as they are, and Student's half-width for one pair."""
    return Adjusted(family.p_values, _student(family, 1), "t")


def holm(family: Family) -> Adjusted:
    """Holm's steps, which give no intervals: the simultaneous ones are Bonferroni's."""
    out = holm_steps(family.p_values)
    return Adjusted(out, _student(family, len(out)), "t (bonferroni)")


def max_t(family: Family) -> Adjusted:
    """How often the largest t of all pairs, queries drawn anew, reaches a pair's: `largest_t`.

    A pair alone needs no adjustment. The p-values count the data as one of the draws.
    """
    question, differences = family.question, family.differences
    if len(family.p_values) == 1:
        return Adjusted(family.p_values, _student(family, 1), "max-t")
    largest = largest_t(family.systems, question)
    varies = differences.std_error > 0.0
    own = (differences.found - question.null) / np.where(varies, differences.std_error, 1.0)
    own = np.abs(own) if question.alternative == "two-sided" else own
    own = -own if question.alternative == "less" else own
    reached = largest.size - np.searchsorted(largest, own - 1e-10)
    p = np.maximum((1.0 + reached) / (1.0 + largest.size), family.p_values)
    critical = _largest_unremarkable(np.append(largest, np.inf), question.level)
    return Adjusted(
        # a pair that never varies has no t: only one that is level is known not to stand out
        np.where(varies, p, np.where(family.p_values == 1.0, 1.0, np.nan)),
        np.where(varies, critical * differences.std_error, 0.0),
        "max-t",
        largest.size,
    )


def tukey(family: Family) -> Adjusted:
    """Carterette's randomised Tukey HSD: one honest difference for all pairs of paired systems."""
    question, systems = family.question, family.systems
    if question.null != 0.0 or question.alternative != "two-sided":
        raise UnsoundError(
            "Tukey's test asks whether systems are equal, on two sides",
            where="adjust",
            value="tukey",
            fix="leave null, margin and alternative out, or use adjust='max-t'",
        )
    gaps = largest_gaps(systems, question.resamples, question.seed)
    largest = max(float(np.abs(each).max()) for each in systems.values)
    needed = _largest_unremarkable(np.sort(gaps), question.level) + SAME * largest
    return Adjusted(
        p_values(gaps, family.differences.found, largest),
        np.full(family.p_values.shape, needed),
        "tukey (randomised)",
        question.resamples,
    )


def _student(family: Family, pairs: int) -> _FLOATS:
    from scipy.special import stdtrit

    share = (1.0 - tail(family.question.level, family.question.alternative)) / pairs
    return np.asarray(-stdtrit(family.differences.df, share) * family.differences.std_error)


def _largest_unremarkable(ordered: _FLOATS, level: float) -> float:
    """The largest value that more than a share 1 − level of those given reach."""
    rank = int(np.floor((1.0 - level) * ordered.size + 1e-9))
    return float(ordered[ordered.size - rank - 1]) if rank >= 1 else np.inf


ADJUSTMENTS: dict[str, Callable[[Family], Adjusted]] = {
    "holm": holm,
    "max-t": max_t,
    "tukey": tukey,
    "none": none,
}
