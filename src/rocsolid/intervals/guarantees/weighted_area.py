"""Certified limits for weighted areas, and the checks that they share."""

from __future__ import annotations

import math
from dataclasses import replace

from rocsolid.arguments import is_number, whole
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import (
    FIXED_SCORER,
    IID,
    INDEPENDENT,
    check_alternative,
    check_delta,
    tail_share,
)
from rocsolid.intervals.guarantees.dkw import dkw_radius
from rocsolid.results import Alternative
from rocsolid.results.interval import CURVE as READS_CURVE
from rocsolid.results.interval import VALUE, Interval, Reads
from rocsolid.weights.weight import Weight, check_region

CURVE = "the value is that of the completed curve"
DKW_SOURCE = "Massart 1990 (Maurer and Pontil 2020, Theorem 8), for the completed curve"


def sizes_of_sides(weight: Weight, n_pos: float, n_neg: float) -> tuple[float, float]:
    """Return the sizes of the class that is averaged over and of the class with weighted rates."""
    for name, size in (("n_pos", n_pos), ("n_neg", n_neg)):
        if not (is_number(size) and 1.0 <= size < math.inf):
            raise InputError("not a number of at least 1", where=name, value=size)
    pair = (float(n_pos), float(n_neg))
    return pair if weight.axis == "fpr" else pair[::-1]


def check_area(value: float, largest: float) -> float:
    if not (is_number(value) and -1e-9 * largest <= value <= largest * (1 + 1e-9)):
        raise InputError(
            f"a weighted area must lie between 0 and {largest:g}, the integral of the weight",
            value=value,
            fix="give the raw value, as rs.weighted_auc does, not a rescaled one",
        )
    return float(value)


def box_area(fpr: tuple[float, float], tpr: tuple[float, float]) -> float:
    """Return the area of a box of rates, the largest possible area under the curve in it."""
    (a, b), (c, d) = (check_region(*fpr, "fpr"), check_region(*tpr, "tpr"))
    return (b - a) * (d - c)


def check_known(weight: Weight) -> None:
    if weight.probed:
        raise InputError(
            "the norms of this weight are probed, not proven",
            where="weight",
            fix="give its integral and sup_norm to rs.weights.from_callable (and lipschitz, where "
            "a bound needs it)",
        )


def check_lipschitz(weight: Weight, method: str) -> float:
    if not weight.lipschitz < math.inf:
        raise InputError(
            f"{method} needs a Lipschitz weight, and this one jumps",
            where="weight",
            fix="use weighted_band or weighted_dkw, or ramps below and above it (rs.weights.ramp) "
            "and weighted_sandwich",
        )
    return weight.lipschitz


def area_interval(
    low: float,
    high: float,
    delta: float,
    alternative: Alternative,
    method: str,
    largest: float,
    source: str,
    assumptions: tuple[str, ...] = (*IID, CURVE),
    *,
    reads: Reads,
) -> Interval:
    """Return limits cut to [0, largest]; a limit that was not requested is an end of the range."""
    return Interval(
        0.0 if alternative == "less" else min(max(low, 0.0), largest),
        largest if alternative == "greater" else min(max(high, 0.0), largest),
        1.0 - check_delta(delta),
        method,
        certified=True,
        assumptions=assumptions,
        source=source,
        range=(0.0, largest),
        reads=reads,
    )


SOURCE = "Massart 1990 (Maurer and Pontil 2020, Theorem 8), for the plug-in estimate"
PLUG_IN = "the value is the plug-in estimate, the loss within [0, 1]"


def weighted_plug_in(
    value: float,
    weight: Weight,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for the plug-in estimate f(μ̂) with a Lipschitz weight.

    The loss is nondecreasing with values in [0, 1]. With ε₁ and ε₀ the radii of Dvoretzky, Kiefer
    and Wolfowitz for the positives and the negatives at δ/2 each, the error is at most ‖W‖∞ε₁ +
    (2‖W‖Lip + ‖W‖∞)ε₀ (proof: docs/theorems/weighted-areas.md). Ties are allowed. A one-sided limit
    is no tighter.

    >>> from rocsolid.weights import power, step
    >>> print(weighted_plug_in(0.8, step(0, 1), 1000, 1000))
    [0.7064, 0.8936] at 95 % (weighted-plug-in)
    >>> print(weighted_plug_in(0.4, power(1), 1000, 1000))
    [0.2128, 0.5872] at 95 % (weighted-plug-in)
    """
    estimate = _plug_in_estimate(value, weight, "weighted_plug_in")
    epsilon = plug_in_epsilon(weight, n_pos, n_neg, delta)
    return area_interval(
        estimate - epsilon, estimate + epsilon, delta, check_alternative(alternative),
        "weighted-plug-in",
        weight.sup_norm, SOURCE, (*IID, PLUG_IN), reads=VALUE,
    )  # fmt: skip


def plug_in_epsilon(weight: Weight, n_pos: int, n_neg: int, delta: float) -> float:
    """Return the largest error for radii at δ/2 each.

    >>> from rocsolid.weights import step
    >>> round(plug_in_epsilon(step(0, 1), 1000, 1000, 0.05), 4)
    0.0936
    """
    share = check_delta(delta) / 2.0
    of_negatives = 2.0 * weight.lipschitz + weight.sup_norm
    return weight.sup_norm * dkw_radius(n_pos, share) + of_negatives * dkw_radius(n_neg, share)


def _plug_in_estimate(value: float, weight: Weight, method: str) -> float:
    check_known(weight)
    check_lipschitz(weight, method)
    if weight.axis != "fpr":
        raise InputError(
            "the plug-in estimate needs a weight over false-positive rates",
            where="weight",
            fix="use weighted_mcdiarmid, which treats both axes alike",
        )
    if not (is_number(value) and 0.0 <= value <= weight.sup_norm * (1 + 1e-9)):
        raise InputError(
            f"the plug-in estimate lies between 0 and {weight.sup_norm:g}, the largest weight",
            value=value,
        )
    return float(value)


WEIGHTED_THEOREM_2_SOURCE = "Maurer and Pontil 2020, Theorem 2"
DRAWN = ("rows independent and identically distributed, labels too", FIXED_SCORER)
EVENT = "the event A_δ, which held: both shares exceed √(2 ln(4/δ)/N)"
NO_EVENT = (
    "the event A_δ, which failed: a share is at most √(2 ln(4/δ)/N), so the theorem does not apply"
)


def weighted_theorem_2(
    value: float,
    weight: Weight,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for the plug-in estimate by Theorem 2 of Maurer and Pontil (2020).

    The weight is Lipschitz and the loss has values in [0, 1]. On the event A_δ, min(μ̂(0), μ̂(1)) >
    √(2 ln(4/δ)/N), the error is at most

        (‖W‖Lip+9‖W‖∞)/min(μ̂(0),μ̂(1))²·√(2ln(4/δ)/N).

    If A_δ does not hold, the interval is the whole range [0, ‖W‖∞] and its assumptions say so. A
    one-sided limit is no tighter. The constant 9 makes the interval vacuous unless N is large: for
    W ≡ 1 and classes of equal size, it is informative from N = 2·10⁴. `weighted_plug_in` is never
    wider.

    >>> from rocsolid.weights import step
    >>> weighted_theorem_2(0.8, step(0, 1), 1000, 1000).vacuous
    True
    >>> print(weighted_theorem_2(0.8, step(0, 1), 10**6, 10**6))
    [0.7246, 0.8754] at 95 % (weighted-theorem-2)
    """
    estimate = _plug_in_estimate(value, weight, "weighted_theorem_2")
    epsilon = theorem_2_epsilon(weight, n_pos, n_neg, delta)
    return area_interval(
        estimate - epsilon, estimate + epsilon, delta, check_alternative(alternative),
        "weighted-theorem-2",
        weight.sup_norm, WEIGHTED_THEOREM_2_SOURCE,
        (*DRAWN, PLUG_IN, EVENT if epsilon < math.inf else NO_EVENT), reads=VALUE,
    )  # fmt: skip


def theorem_2_epsilon(weight: Weight, n_pos: int, n_neg: int, delta: float) -> float:
    """Return the right side of the theorem, or infinity if A_δ does not hold.

    >>> from rocsolid.weights import step
    >>> round(theorem_2_epsilon(step(0, 1), 1000, 1000, 0.05), 2)
    2.38
    >>> theorem_2_epsilon(step(0, 1), 2000, 20, 0.05)
    inf
    """
    m, n = whole(n_pos, "n_pos"), whole(n_neg, "n_neg")
    root = math.sqrt(2.0 * math.log(4.0 / check_delta(delta)) / (m + n))
    least = min(m, n) / (m + n)
    if not least > root:
        return math.inf
    return (weight.lipschitz + 9.0 * weight.sup_norm) / least**2 * root


MCDIARMID = "McDiarmid 1989, as in Agarwal et al. 2005, Theorem 5, for the completed curve"
ALIKE = "negatives identically distributed"


def weighted_mcdiarmid(
    value: float,
    weight: Weight,
    n_pos: float,
    n_neg: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for a weighted area by McDiarmid's inequality, with an allowance for bias.

    A changed positive moves Â by at most ‖W‖₁/m, a changed negative by at most ‖W‖∞/n, and the bias
    is at most ‖W‖Lip/(8n). W ≡ 1 yields ``mcdiarmid``. The sizes may be effective sizes, (Σu)²/Σu²,
    under weights that were fixed without regard to the scores. ``value`` is the raw area.

    >>> from rocsolid.weights import power
    >>> print(weighted_mcdiarmid(0.4, power(1), 1000, 1000))
    [0.35186, 0.44814] at 95 % (weighted-mcdiarmid)
    """
    check_known(weight)
    check_lipschitz(weight, "weighted_mcdiarmid")
    largest = weight.l1_norm
    estimate = check_area(value, largest)
    epsilon = mcdiarmid_area_epsilon(weight, n_pos, n_neg, tail_share(delta, alternative))
    return area_interval(
        estimate - epsilon, estimate + epsilon, delta, alternative, "weighted-mcdiarmid",
        largest, MCDIARMID, (INDEPENDENT, ALIKE, FIXED_SCORER, CURVE), reads=VALUE,
    )  # fmt: skip


def mcdiarmid_area_epsilon(weight: Weight, n_pos: float, n_neg: float, share: float) -> float:
    """Return ‖W‖Lip/(8n) + √(ln(1/δ)/2·(‖W‖₁²/m + ‖W‖∞²/n)).

    >>> from rocsolid.weights import step
    >>> round(mcdiarmid_area_epsilon(step(0, 1), 1000, 1000, 0.025), 4)
    0.0607
    """
    m, n = sizes_of_sides(weight, n_pos, n_neg)
    squares = weight.l1_norm**2 / m + weight.sup_norm**2 / n
    return weight.lipschitz / (8.0 * n) + math.sqrt(-math.log(share) / 2.0 * squares)


WEIGHTED_SANDWICH_SOURCE = (
    f"Maurer and Pontil 2020, remarks 2 and 3 after Theorem 2, with {MCDIARMID}"
)


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
    """Return a lower limit from a smaller area and an upper limit from a larger area.

    The limits for a Lipschitz weight below a step and one above it enclose the step's area
    (``rs.weights.ramp``; `sandwich_slope` returns a slope). Likewise, the tents
    ``rs.weights.point(fpr, width, side="left")`` and ``side="right"`` enclose roc(fpr), with
    ``largest=1``. Each limit is that of ``weighted_mcdiarmid`` with half of δ. ``largest`` is the
    largest possible value.

    Reference: Maurer and Pontil 2020, remarks 2 and 3 after Theorem 2.

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
    share = tail_share(delta, alternative)
    lower = weighted_mcdiarmid(low_value, low_weight, n_pos, n_neg, share, "greater")
    upper = weighted_mcdiarmid(high_value, high_weight, n_pos, n_neg, share, "less")
    return replace(
        lower,
        low=0.0 if alternative == "less" else min(lower.low, largest),
        # a limit that has reached the larger weight's own end says nothing about the smaller one
        high=largest if alternative == "greater" else min(upper.high, largest),
        level=1.0 - delta,
        method="weighted-sandwich",
        source=WEIGHTED_SANDWICH_SOURCE,
        reads=READS_CURVE,
        range=(0.0, largest),
    )


def sandwich_slope(n: float, sides: int = 1) -> float:
    """Return a slope L that balances the gap of the ramps, at most sides/(2L), and the bias L/(8n).

    >>> sandwich_slope(10_000)
    200.0
    """
    for name, count in (("n", n), ("sides", sides)):
        if not (is_number(count) and 0.0 < count < math.inf):
            raise InputError("not a positive number", where=name, value=count)
    return 2.0 * math.sqrt(n * sides)
