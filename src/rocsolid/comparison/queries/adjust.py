"""All pairs together: adjusted p-values, and how far a difference must go to stand out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.holm import holm_steps
from rocsolid.comparison.queries.asked import Question
from rocsolid.comparison.queries.flips import Flips
from rocsolid.comparison.queries.systems import Differences, Systems
from rocsolid.comparison.queries.tukey import largest_gaps, p_values
from rocsolid.errors import UnsoundError
from rocsolid.intervals.calibrated.tails import tail
from rocsolid.intervals.means.tail import SAME

_FLOATS = NDArray[np.float64]
_BLOCK = 1 << 21


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """All that an adjustment may look at. ``flips`` is there for paired systems only."""

    systems: Systems
    differences: Differences
    p_values: _FLOATS
    question: Question
    flips: Callable[[], Flips]


@dataclass(frozen=True, slots=True, eq=False)
class Adjusted:
    """``reach`` is the half-width of the simultaneous interval of each pair, named ``method``."""

    p_values: _FLOATS
    reach: _FLOATS
    method: str


def none(family: Family) -> Adjusted:
    """The p-values as they are, and Student's half-width for one pair."""
    return Adjusted(family.p_values, _student(family, 1), "t")


def holm(family: Family) -> Adjusted:
    """Holm's steps, which give no intervals: the simultaneous ones are Bonferroni's."""
    out = holm_steps(family.p_values)
    return Adjusted(out, _student(family, len(out)), "t (bonferroni)")


def max_t(family: Family) -> Adjusted:
    """Westfall and Young 1993, single-step: the largest of all pairs' t under random signs.

    One sign a query turns the differences of all pairs at once, which keeps how they depend on each
    other. The adjusted p-value is the share of sign vectors whose largest statistic reaches the
    pair's. It asks that the differences of all true-null pairs together be symmetric.
    """
    flips, question = family.flips(), family.question
    size = family.systems.queries[0]
    i, j = np.array(family.systems.pairs()).T
    varies = family.differences.std_error > 0.0
    two_sided = question.alternative == "two-sided"
    centred = family.differences.found - question.null
    # Σ(d−null)² is the same under every sign, so t grows with Σε(d−null) over its root
    variance = (family.differences.std_error**2) * size * (size - 1.0)
    root = np.where(varies, np.sqrt(variance + size * centred**2), np.inf)
    side = -1.0 if question.alternative == "less" else 1.0
    own = side * size * centred / root
    largest, mirrored = [], []
    for start in range(0, len(flips.signs), many := max(1, _BLOCK // len(i))):
        rows = slice(start, start + many)
        sums = flips.sums[rows]
        ratio = side * (sums[:, i] - sums[:, j] - question.null * flips.signs[rows, None]) / root
        largest.append((np.abs(ratio) if two_sided else ratio).max(axis=1))
        mirrored.append(largest[-1] if two_sided else (-ratio).max(axis=1))
    top = np.sort(np.concatenate([*largest, *mirrored]))
    reached = (np.abs(own) if two_sided else own) - 1e-10  # but for rounding
    p = 1.0 - np.searchsorted(top, reached) / top.size
    critical = _t_of_ratio(_largest_unremarkable(top, question.level), size)
    # a pair that never varies has no t: only one that is level is known not to stand out
    p = np.where(varies, p, np.where(family.p_values == 1.0, 1.0, np.nan))
    reach = np.where(varies, critical, 0.0) * np.where(varies, family.differences.std_error, 1.0)
    return Adjusted(p, reach, "max-t")


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
    )


def _student(family: Family, pairs: int) -> _FLOATS:
    from scipy.special import stdtrit

    share = (1.0 - tail(family.question.level, family.question.alternative)) / pairs
    return np.asarray(-stdtrit(family.differences.df, share) * family.differences.std_error)


def _largest_unremarkable(ordered: _FLOATS, level: float) -> float:
    """The largest value that more than a share 1 − level of those given reach."""
    rank = int(np.floor((1.0 - level) * ordered.size + 1e-9))
    return float(ordered[ordered.size - rank - 1]) if rank >= 1 else np.inf


def _t_of_ratio(ratio: float, size: int) -> float:
    """t from r = Σd/√(QΣd²)·√Q: t² = (Q−1)r²/(Q−r²)."""
    if ratio**2 >= size:
        return np.inf
    return float(ratio * np.sqrt((size - 1.0) / (size - ratio**2)))


ADJUSTMENTS: dict[str, Callable[[Family], Adjusted]] = {
    "holm": holm,
    "max-t": max_t,
    "tukey": tukey,
    "none": none,
}
PAIRED_ONLY = ("max-t", "tukey")
