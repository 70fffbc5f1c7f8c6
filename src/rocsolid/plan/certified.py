"""The certified precision of AUCs and their differences at given class sizes."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.berry_esseen import (
    FEWEST_OF_DIFFERENCES,
    berry_esseen,
    berry_esseen_deviation,
    difference_berry_esseen,
)
from rocsolid.intervals.guarantees.best import (
    best_of,
    canonical,
    deviation,
    interval,
    of_differences,
    of_sizes,
)
from rocsolid.intervals.guarantees.cuts import MOST
from rocsolid.intervals.guarantees.difference import difference
from rocsolid.intervals.guarantees.difference_matchings import matched_difference, win_sums
from rocsolid.intervals.guarantees.hinge import hinge_deviation
from rocsolid.plan.unknown import check_inside
from rocsolid.plan.variances import NormalCurve, joint_excess, mann_whitney, mann_whitney_together
from rocsolid.results import Alternative
from rocsolid.results.interval import Interval
from rocsolid.summaries.placements import Placements, SortedClasses

_FLOATS = NDArray[np.float64]
LARGEST = 10**8
"""Rows of the largest plan; a plan that needs more labels is a mistake."""
MOST_SCORES = 10**6
"""Expected scores of a class; from fewer scores the limits of `cuts` are a little wider."""
METHODS = ("mcdiarmid", "hoeffding-blocks", "kl", "hinge")
"""The guarantees that need only the class sizes, with or without the AUC."""
Reached = tuple[float, str, str]
"""A deviation with its method and source."""


class Planned(Protocol):
    """A value whose certified limits a plan predicts from class sizes.

    The certificate changes its method where the smaller class reaches ``turns`` rows, which may
    widen the limits. ``most`` is the largest number of rows.
    """

    @property
    def kind(self) -> str: ...
    @property
    def value(self) -> float: ...
    @property
    def most(self) -> int: ...
    @property
    def turns(self) -> int: ...
    def deviation(self, n_pos: int, n_neg: int, delta: float) -> Reached: ...
    def lower(self, n_pos: int, n_neg: int, delta: float) -> Interval: ...


@dataclass(frozen=True, slots=True)
class ByBound:
    """An AUC with the bound that was chosen by name, for every distribution with this AUC."""

    bound: str
    auc: float | None

    kind: ClassVar[str] = "AUC"
    most: ClassVar[int] = LARGEST
    turns: ClassVar[int] = LARGEST

    @property
    def value(self) -> float:
        assert self.auc is not None
        return self.auc

    def deviation(self, n_pos: int, n_neg: int, delta: float) -> Reached:
        reached = deviation(self.bound, n_pos, n_neg, delta, self.auc)
        return float(reached), self.bound, reached.source

    def lower(self, n_pos: int, n_neg: int, delta: float) -> Interval:
        return interval(self.bound, self.value, n_pos, n_neg, delta, "greater")


@dataclass(frozen=True, slots=True)
class PlannedAuc:
    """An AUC with the certificate of `of_sizes`, for every AUC or for normal scores with one AUC.

    For every AUC, `hinge` replaces the methods of few rows, whose limits depend on the scores.
    """

    auc: float | None

    kind: ClassVar[str] = "AUC"
    most: ClassVar[int] = LARGEST
    turns: ClassVar[int] = MOST + 1

    @property
    def value(self) -> float:
        assert self.auc is not None
        return self.auc

    def deviation(self, n_pos: int, n_neg: int, delta: float) -> Reached:
        if self.auc is None:
            many = of_sizes(n_pos, n_neg) == "berry-esseen"
            largest = (berry_esseen_deviation if many else hinge_deviation)(n_pos, n_neg, delta)
            return float(largest), largest.method, largest.source
        return farther(self.value, self._limits(n_pos, n_neg, delta, "two-sided"))

    def lower(self, n_pos: int, n_neg: int, delta: float) -> Interval:
        return self._limits(n_pos, n_neg, delta, "greater")

    def _limits(self, n_pos: int, n_neg: int, delta: float, alternative: Alternative) -> Interval:
        curve = NormalCurve(self.value)
        if max(n_pos, n_neg) > MOST_SCORES and of_sizes(n_pos, n_neg) == "berry-esseen":
            parts = mann_whitney(curve)
            return berry_esseen(
                self.value, n_pos, n_neg, delta, alternative, variances=(parts.pos, parts.neg)
            )
        pos, neg = (normal_quantiles(min(size, MOST_SCORES)) for size in (n_pos, n_neg))
        classes = SortedClasses(pos + curve.shift, neg)
        auc = float(Placements.from_sorted(classes).auc)
        return moved(best_of(classes, auc, delta, alternative), self.value - auc)


@dataclass(frozen=True, slots=True)
class PlannedDifference:
    """The AUC of a minus the AUC of b for the same rows, with the certificate of `of_differences`.

    The two scores are jointly normal within each class, with the same ``correlation`` in both.
    """

    auc: float
    auc_b: float
    correlation: float

    kind: ClassVar[str] = "difference"
    most: ClassVar[int] = LARGEST
    turns: ClassVar[int] = FEWEST_OF_DIFFERENCES

    @classmethod
    def of(cls, auc: float | None, auc_b: float | None, correlation: float | None) -> Planned:
        if auc is None or auc_b is None or correlation is None:
            raise InputError(
                "a plan of a difference needs two AUCs and the correlation of the scores",
                where="auc, auc_b, correlation",
                value=(auc, auc_b, correlation),
                fix="give all three, or auc alone",
            )
        check_inside(correlation, "correlation", -1.0, 1.0)
        return cls(check_inside(auc, "auc"), check_inside(auc_b, "auc_b"), correlation)

    @property
    def value(self) -> float:
        return self.auc - self.auc_b

    def deviation(self, n_pos: int, n_neg: int, delta: float) -> Reached:
        return farther(self.value, self._limits(n_pos, n_neg, delta, "two-sided"))

    def lower(self, n_pos: int, n_neg: int, delta: float) -> Interval:
        return self._limits(n_pos, n_neg, delta, "greater")

    def _limits(self, n_pos: int, n_neg: int, delta: float, alternative: Alternative) -> Interval:
        method = of_differences(n_pos, n_neg)
        if method == "berry-esseen":
            return difference_berry_esseen(
                self.value, n_pos, n_neg, delta, alternative, variances=self._variances
            )
        if method == "trinomial":
            return difference(self.value, self._disagreement, n_pos, n_neg, delta, alternative)
        pos, neg = (self._scores(size) for size in (n_pos, n_neg))
        shifts = [NormalCurve(auc).shift for auc in (self.auc, self.auc_b)]
        sums = win_sums([z + shift for z, shift in zip(pos, shifts, strict=True)], neg)
        a, b = (float(each.across(np.ones(each.sizes[1])).mean()) for each in sums)
        limits = matched_difference(sums[0], sums[1], delta, alternative)
        return moved(limits, self.value - (a - b) / max(n_pos, n_neg))

    def _scores(self, size: int) -> list[_FLOATS]:
        """Return evenly spread points of the joint distribution (a lattice of the golden ratio)."""
        from scipy.special import ndtri

        first = normal_quantiles(size)
        other = ndtri(np.mod((np.arange(size) + 0.5) * (5.0**0.5 - 1.0) / 2.0, 1.0))
        return [first, self.correlation * first + (1.0 - self.correlation**2) ** 0.5 * other]

    @property
    def _variances(self) -> tuple[float, float]:
        a, b = NormalCurve(self.auc), NormalCurve(self.auc_b)
        each = mann_whitney(a), mann_whitney(b)
        both = mann_whitney_together(a, b, self.correlation, self.correlation)
        return (
            each[0].pos + each[1].pos - 2.0 * both.pos,
            each[0].neg + each[1].neg - 2.0 * both.neg,
        )

    @property
    def _disagreement(self) -> float:
        """The share of pairs of rows that the two scores order differently."""
        from scipy.special import ndtri

        won = self.auc * self.auc_b
        won += float(joint_excess(ndtri(self.auc), ndtri(self.auc_b), self.correlation))
        return self.auc + self.auc_b - 2.0 * won


def normal_quantiles(size: int) -> _FLOATS:
    from scipy.special import ndtri

    return np.asarray(ndtri((np.arange(size) + 0.5) / size))


def farther(value: float, limits: Interval) -> Reached:
    return max(value - limits.low, limits.high - value), limits.method, limits.source


def moved(limits: Interval, by: float) -> Interval:
    """Return limits of expected scores, whose value differs a little from the planned value."""
    bottom, top = limits.range
    low = limits.low if limits.low == bottom else max(limits.low + by, bottom)
    high = limits.high if limits.high == top else min(limits.high + by, top)
    return replace(limits, low=low, high=high)


def check_bound(bound: str) -> str:
    full = canonical(bound)
    if full not in METHODS:
        raise InputError(
            "this bound cannot be used for plans",
            where="bound",
            value=bound,
            fix=f"choose one of {', '.join(METHODS)}",
        )
    return full
