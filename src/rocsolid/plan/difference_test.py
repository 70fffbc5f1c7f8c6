"""The power of DeLong's test of a difference, for given values and sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_margin_alone
from rocsolid.plan.pair import ValuePair
from rocsolid.plan.rejection import RejectionRates, critical
from rocsolid.plan.solve import aucs_between
from rocsolid.plan.unknown import check_inside
from rocsolid.results import Alternative


@dataclass(frozen=True, slots=True)
class DifferenceTest:
    """Two values and what is asked of their difference.

    With ``equivalence`` it is whether the difference lies between ``null`` and −``null``.
    """

    pair: ValuePair
    null: float
    alternative: Alternative
    equivalence: bool = False

    def distance(self, a: float, b: float) -> float:
        """How far the difference is from the null, positive on the side asked about."""
        value_a, value_b = self.pair.values(a, b)
        found = value_a - value_b - self.null
        return -found if self.alternative == "less" else found

    def power(self, a: float, b: float, alpha: float, n_pos: float, n_neg: float) -> RejectionRates:
        """Φ(|Δ − null|/σ − z), and Φ(−|Δ − null|/σ − z) on the other side of a two-sided test.

        Two one-sided tests at margin δ both succeed with Φ((δ − Δ)/σ − z) + Φ((δ + Δ)/σ − z) − 1,
        or never where that is negative (Phillips 1990, with normal quantiles).
        """
        from scipy.special import ndtr

        error = math.sqrt(self.pair.together(a, b, n_pos, n_neg).of_difference)
        needed, distance = critical(alpha, self.alternative), self.distance(a, b)
        two_sided = self.alternative == "two-sided"
        if error == 0.0:
            raise InputError(
                "the two estimates never differ, so there is nothing to test",
                where="correlation",
                fix="give a correlation below 1, or a pilot whose scores differ",
            )
        if self.equivalence:
            above, below = distance / error - needed, (-2.0 * self.null - distance) / error - needed
            return RejectionRates(max(float(ndtr(above) + ndtr(below)) - 1.0, 0.0), 0.0)
        distance = abs(distance) if two_sided else distance
        return RejectionRates(
            float(ndtr(distance / error - needed)),
            float(ndtr(-distance / error - needed)) if two_sided else 0.0,
        )

    def check_side(self, a: float, b: float) -> None:
        distance = self.distance(a, b)
        if self.equivalence and distance >= -2.0 * self.null:
            raise InputError(
                "the difference lies outside the margin, so there is no equivalence to show",
                where="a - b",
                value=distance + self.null,
                fix="widen the margin",
            )
        if distance == 0.0 or (distance < 0.0 and self.alternative != "two-sided"):
            raise InputError(
                "the difference does not lie on the side of the null that is tested",
                where=f"a - b - null = {distance if self.alternative != 'less' else -distance:.4g}",
                value=self.alternative,
                fix="change an AUC, null, margin or alternative",
            )

    def path(self, other: float, of_a: bool) -> list[float]:
        """Where to look for an AUC: from where the null would be true, away from it."""
        from scipy.optimize import brentq

        up = self.alternative == "two-sided" or (self.alternative == "greater") == of_a

        def gap(auc: float) -> float:
            value_a, value_b = self.pair.values(*((auc, other) if of_a else (other, auc)))
            return value_a - value_b - self.null

        low, high = aucs_between(0.0, 1.0, 2)
        start = low if up else high
        if gap(low) * gap(high) < 0.0:
            start = float(brentq(gap, low, high, xtol=1e-15))
        return aucs_between(start, high if up else low)


def asked(
    null: float, margin: float | None, alternative: Alternative, span: tuple[float, float]
) -> tuple[float, Alternative]:
    """The null and the side; a margin of non-inferiority sets both. A difference lies in a span."""
    check_inside(null, "null", *span)
    if margin is None:
        return float(null), alternative
    check_inside(margin, "margin", 0.0, span[1])
    check_margin_alone(null, alternative)
    return -float(margin), "greater"
