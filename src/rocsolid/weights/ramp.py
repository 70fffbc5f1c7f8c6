"""A region of rates as a step, and Lipschitz weights just below and just above it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from rocsolid.arguments import one_of
from rocsolid.weights.polyline import Polyline
from rocsolid.weights.weight import Axis, check_axis, check_positive, check_region


@dataclass(frozen=True)
class Step(Polyline):
    """W = 1 for the rates in [a, b], ends included."""

    a: float
    b: float
    axis: Axis = "fpr"

    def points(self) -> list[tuple[float, float]]:
        a, b = self.a, self.b
        return [(0.0, 0.0), (a, 0.0), (a, 1.0), (b, 1.0), (b, 0.0), (1.0, 0.0)]


def step(a: float, b: float, *, axis: Axis = "fpr") -> Step:
    """One for false-positive rates in [a, b] (``axis="tpr"``: true-positive rates), else zero.

    In Maurer and Pontil 2020 this is W(u) = 1 on [1−b, 1−a], u the true-negative rate. A step is
    not Lipschitz unless it covers everything.

    >>> w = step(0, 0.05)
    >>> w([0.9, 0.95, 1.0]), round(w.l1_norm, 15), w.lipschitz
    (array([0., 1., 1.]), 0.05, inf)
    """
    return Step(*check_region(a, b, "step"), check_axis(axis))


Side = Literal["below", "above"]


@dataclass(frozen=True)
class Ramp(Polyline):
    """The largest weight of the given slope below the step on [a, b], or the smallest above it.

    An end of the region that is an end of [0, 1] has no slope to it: nothing lies beyond.
    """

    a: float
    b: float
    slope: float
    side: Side
    axis: Axis = "fpr"

    def points(self) -> list[tuple[float, float]]:
        return self._below() if self.side == "below" else self._above()

    def _above(self) -> list[tuple[float, float]]:
        left, right = self.a - 1 / self.slope, self.b + 1 / self.slope
        return [
            (0.0, max(0.0, 1 - self.slope * self.a)),
            (max(0.0, left), max(0.0, 1 - self.slope * self.a)),
            (self.a, 1.0),
            (self.b, 1.0),
            (min(1.0, right), max(0.0, 1 - self.slope * (1 - self.b))),
            (1.0, max(0.0, 1 - self.slope * (1 - self.b))),
        ]

    def _below(self) -> list[tuple[float, float]]:
        rising, falling = self.a > 0.0, self.b < 1.0
        sides = rising + falling
        # the sides may meet before they reach one
        top = min(1.0, self.slope * (self.b - self.a) / sides) if sides else 1.0
        reach = top / self.slope
        plateau = (self.a + reach * rising, self.b - reach * falling)
        return [
            (0.0, 0.0),
            (self.a, 0.0 if rising else top),
            (plateau[0], top),
            (max(plateau), top),
            (self.b, 0.0 if falling else top),
            (1.0, 0.0 if falling else top),
        ]


def ramp(a: float, b: float, slope: float, *, side: Side, axis: Axis = "fpr") -> Ramp:
    """A step on false-positive rates [a, b] with sides of the given slope, below it or above it.

    Weighted areas grow with the weight, so a bound for Lipschitz weights gives one-sided limits for
    steps and sandwiches them (Maurer and Pontil 2020, Theorem 2, remark 2). In terms of that
    document W(u) has the same slopes at u = 1−FPR; with ``axis="tpr"`` [a, b] are true-positive
    rates.

    >>> low, high = ramp(0, 0.2, 10, side="below"), ramp(0, 0.2, 10, side="above")
    >>> low([0.8, 0.85, 0.95]).round(12), high([0.65, 0.75, 0.95]).round(12)
    (array([0. , 0.5, 1. ]), array([0. , 0.5, 1. ]))
    """
    one_of(side, get_args(Side), "side")
    region = check_region(a, b, "ramp")
    return Ramp(*region, check_positive(slope, "slope"), side, check_axis(axis))
