"""Areas under the precision-recall curve, step by step down the scores that a positive has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.summaries.runs import run_begins
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.sorted_classes import SortedClasses

_FLOATS = NDArray[np.float64]

Kind = Literal["step", "davis-goadrich", "trapezoid"]
"""How the curve runs between two thresholds: see `gains`."""


def check_kind(kind: str) -> None:
    if kind not in get_args(Kind):
        raise InputError(
            "unknown kind of area under the precision-recall curve",
            where="kind",
            value=kind,
            fix=f"use {', '.join(get_args(Kind))}",
        )


class Gains(NamedTuple):
    """What each step adds to m times the area, and how that changes with the rows around it.

    The slopes are in the positives at the step, the positives above it, the negatives above it and
    the negatives tied with it.
    """

    gain: _FLOATS
    pos: _FLOATS
    pos_above: _FLOATS
    neg_above: _FLOATS
    tied: _FLOATS


class StepInfluences(NamedTuple):
    """How a positive at each step, a negative tied with it, or one just above influences the area.

    They are a class's total times the slope in a row's weight. A negative below all positives
    has no influence. The weighted sums of all influences, by class, add up to 0.
    """

    area: float

    pos: _FLOATS
    tied: _FLOATS
    gap: _FLOATS


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionSteps:
    """Each score that a positive has, from the best down, with rows, or sums of weights.

    ``pos`` and ``tied`` are the positives and the negatives with that score, ``gap`` the negatives
    between it and the step above, and ``below`` those under all positives.

    >>> y, s = np.array([True, False, True, False]), np.array([4.0, 3.0, 2.0, 2.0])
    >>> steps = PrecisionSteps.of_classes(SortedClasses.from_arrays(y, s))
    >>> steps.score, steps.pos, steps.tied, steps.gap
    (array([4., 2.]), array([1., 1.]), array([0., 1.]), array([0., 1.]))
    >>> steps.area("step"), round(steps.area("davis-goadrich"), 4)
    (0.75, 0.75)
    """

    score: NDArray[Any]
    pos: _FLOATS
    tied: _FLOATS
    gap: _FLOATS
    below: float

    @classmethod
    def of_classes(cls, classes: SortedClasses) -> PrecisionSteps:
        """Of rows that count alike: negatives are looked up where a positive is, and only there."""
        starts = np.flatnonzero(run_begins(classes.pos))
        score = classes.pos[starts]
        pos = np.diff(starts, append=len(classes.pos))
        neg = classes.neg
        under = neg.searchsorted(score)
        level = under < len(neg)
        level[level] = neg[under[level]] == score[level]  # few are: the others are looked up once
        tied = np.zeros(len(score))
        tied[level] = neg.searchsorted(score[level], side="right") - under[level]
        gap = np.diff(under, append=len(neg)) - tied
        first, second, third = (column[::-1].astype(np.float64) for column in (pos, tied, gap))
        return cls(score[::-1], first, second, third, float(under[0]))

    @classmethod
    def of_table(cls, table: ScoreCounts) -> PrecisionSteps:
        """Of a table of counts, or of sums of weights."""
        steps = np.flatnonzero(table.pos > 0)
        neg = table.neg.astype(np.float64)
        tied = neg[steps]
        runs = np.add.reduceat(neg, steps)  # from each step up to the next
        pos, gap = table.pos[steps].astype(np.float64), runs - tied
        below = float(neg[: steps[0]].sum())
        return cls(table.score[steps][::-1], pos[::-1], tied[::-1], gap[::-1], below)

    @property
    def totals(self) -> tuple[float, float]:
        return float(self.pos.sum()), float(self.tied.sum() + self.gap.sum()) + self.below

    def area(self, kind: Kind) -> float:
        """The area of one kind."""
        return self._mean(self.gains(kind).gain)

    def _mean(self, gain: _FLOATS) -> float:
        return min(max(float(gain.sum() / self.pos.sum()), 0.0), 1.0)

    def gains(self, kind: Kind) -> Gains:
        """The parts of the area, by the three ways to run between two thresholds.

        With H of D rows positive from a step up, H⁻ of B above it and p positives at it, the step
        adds p·H/D ("step", what scikit-learn calls average precision) or p·(H⁻/B + H/D)/2
        ("trapezoid", where B = 0 counts as a precision of 1). Davis and Goadrich (2006) let
        positives and negatives grow together from one threshold to the next: with s the positives'
        share of the step that is s·p + s·(H⁻ − s·B)·ln(D/B), the integral that Keilwagen et al.
        (2014) take.
        """
        p, e = self.pos, self.tied
        hits = np.cumsum(p)
        rows = hits + np.cumsum(self.gap + e)
        precision = hits / rows
        share = p / rows
        at_end = -share * precision
        at_pos = share + at_end
        if kind == "step":
            return Gains(p * precision, precision + at_pos, at_pos, at_end, at_end)
        # from the sums above, as what rounding leaves of a difference is no row
        before = np.append(0.0, hits[:-1])
        above = np.append(0.0, rows[:-1]) + self.gap
        some = above > 0.0
        safe = np.where(some, above, 1.0)
        if kind == "trapezoid":
            start = np.where(some, before / safe, 1.0)
            mean = 0.5 * (start + precision)
            lift = np.where(some, 0.5 * p / safe * (1.0 - start), 0.0)
            drop = np.where(some, -0.5 * p / safe * start, 0.0)
            half_pos, half_end = 0.5 * at_pos, 0.5 * at_end
            return Gains(p * mean, mean + half_pos, lift + half_pos, drop + half_end, half_end)
        share = p / (p + e)
        growth = np.where(some, np.log1p((p + e) / safe), 0.0)
        lead = share * (before - share * above)
        gain = share * p + lead * growth
        turn = np.where(some, lead * (1.0 / rows - 1.0 / safe), 0.0)
        tilt = p + (before - 2.0 * share * above) * growth  # the slope in the share
        end = lead / rows
        return Gains(
            gain,
            share + share * (1.0 - share) / p * tilt + end,
            share * (1.0 - share) * growth + turn,
            -(share**2) * growth + turn,
            -(share**2) / p * tilt + end,
        )

    def influences(self, kind: Kind) -> StepInfluences:
        """How rows influence the area of one kind."""
        gains, (m, n) = self.gains(kind), self.totals
        area = self._mean(gains.gain)
        pos_later, neg_later = (_later(slope) for slope in (gains.pos_above, gains.neg_above))
        return StepInfluences(
            area,
            gains.pos + pos_later - area,
            n / m * (gains.tied + neg_later),
            n / m * (gains.neg_above + neg_later),
        )


def _later(slope: _FLOATS) -> _FLOATS:
    """The sum over all steps below each."""
    return np.asarray(slope[::-1].cumsum()[::-1] - slope)
