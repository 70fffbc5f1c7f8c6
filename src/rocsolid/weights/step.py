"""The weight of a partial area: one inside a region of rates, zero outside."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.weights.polyline import Polyline
from rocsolid.weights.rates import check_axis, check_region
from rocsolid.weights.weight import Axis


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
