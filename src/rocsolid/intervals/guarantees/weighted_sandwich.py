"""A step, or a point of the curve, between two Lipschitz weights."""

from __future__ import annotations

import math
from dataclasses import replace

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_alternative, check_delta
from rocsolid.intervals.guarantees.weighted_mcdiarmid import SOURCE as MCDIARMID
from rocsolid.intervals.guarantees.weighted_mcdiarmid import weighted_mcdiarmid
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import CURVE
from rocsolid.weights import Weight

SOURCE = f"Maurer and Pontil 2020, remarks 2 and 3 after Theorem 2, with {MCDIARMID}"


def weighted_sandwich(
    low_value: float,
    low_weight: Weight,
    high_value: float,
    high_weight: Weight,
    n_pos: float,
    n_neg: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    largest: float,
) -> Interval:
    """A lower limit through a smaller area and an upper limit through a larger one.

    Weighted areas grow with the weight, so the lower limit for a Lipschitz weight below a step and
    the upper limit for one above it enclose the step's area (Maurer and Pontil 2020, Theorem 2,
    remark 2; ``rs.weights.ramp`` makes such weights, `sandwich_slope` says how steep). In the same
    way the tents ``rs.weights.point(fpr, width, side="left")`` and ``side="right"`` enclose
    roc(fpr) (remark 3), with ``largest=1``. Each limit is ``weighted_mcdiarmid``'s with half of δ,
    and so allows for effective sizes under weights. ``largest`` is the largest possible value.

    >>> from rocsolid.weights import ramp
    >>> below, above = (ramp(0, 0.2, 40, side=s) for s in ("below", "above"))
    >>> print(weighted_sandwich(0.16, below, 0.18, above, 5000, 5000, largest=0.2))
    [0.13946, 0.20000] at 95 % (weighted-sandwich)
    """
    if low_value > high_value:
        raise InputError(
            "the smaller weight cannot have the larger area",
            value=(low_value, high_value),
            fix="give the weight below first, and both values from the same rows",
        )
    share = check_delta(delta) / (2.0 if check_alternative(alternative) == "two-sided" else 1.0)
    lower = weighted_mcdiarmid(low_value, low_weight, n_pos, n_neg, share, "greater")
    upper = weighted_mcdiarmid(high_value, high_weight, n_pos, n_neg, share, "less")
    return replace(
        lower,
        low=0.0 if alternative == "less" else min(lower.low, largest),
        # a limit that has reached the larger weight's own end says nothing about the smaller one
        high=largest if alternative == "greater" else min(upper.high, largest),
        level=1.0 - delta,
        method="weighted-sandwich",
        source=SOURCE,
        reads=CURVE,
        range=(0.0, largest),
    )


def sandwich_slope(n: float, sides: int = 1) -> float:
    """A slope that balances what the ramps miss, sides/(2L) at most, and the bias L/(8n).

    >>> sandwich_slope(10_000)
    200.0
    """
    for name, count in (("n", n), ("sides", sides)):
        if not (is_number(count) and 0.0 < count < math.inf):
            raise InputError("not a positive number", where=name, value=count)
    return 2.0 * math.sqrt(n * sides)
