"""The plug-in estimate with a Lipschitz weight: ‖W‖∞ε₁ + (2‖W‖Lip + ‖W‖∞)ε₀, εᵢ by DKW."""

from __future__ import annotations

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import IID, check_alternative, check_delta
from rocsolid.intervals.guarantees.dkw import dkw_radius
from rocsolid.intervals.guarantees.weighted_area import area_interval, check_known, check_lipschitz
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import VALUE
from rocsolid.weights import Weight

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
    """The plug-in estimate f(μ̂) with a Lipschitz weight and a nondecreasing loss within [0, 1].

    Given the labels, let the distributions of the scores of both classes be off by ε₁ (positives)
    and ε₀ (negatives) at most, everywhere. With φ(t) the mean loss of the positives at t, which
    falls from 1 to 0, f = ∫φ·W(F₀)dF₀. Other positives move φ by ε₁ at most, and f by ‖W‖∞ε₁. Other
    negatives move W(F₀) by ‖W‖Lip·ε₀, and the integral of φ·W(F₀), whose variation is at most ‖W‖∞
    + ‖W‖Lip, by ε₀ times that. The radii are those of Dvoretzky, Kiefer and Wolfowitz at δ/2 each.
    Ties are allowed, nothing is asked of the shares of the classes, and it implies Theorem 2. A
    one-sided limit gains nothing.

    >>> from rocsolid.weights import power, step
    >>> print(weighted_plug_in(0.8, step(0, 1), 1000, 1000))
    [0.7064, 0.8936] at 95 % (weighted-plug-in)
    >>> print(weighted_plug_in(0.4, power(1), 1000, 1000))
    [0.2128, 0.5872] at 95 % (weighted-plug-in)
    """
    check_known(weight)
    check_lipschitz(weight, "weighted_plug_in")
    check_over_fpr(weight)
    estimate = check_plug_in(value, weight)
    check_alternative(alternative)
    epsilon = plug_in_epsilon(weight, n_pos, n_neg, delta)
    return area_interval(
        estimate - epsilon, estimate + epsilon, delta, alternative, "weighted-plug-in",
        weight.sup_norm, SOURCE, (*IID, PLUG_IN), reads=VALUE,
    )  # fmt: skip


def plug_in_epsilon(weight: Weight, n_pos: int, n_neg: int, delta: float) -> float:
    """The largest error for radii at δ/2 each.

    >>> from rocsolid.weights import step
    >>> round(plug_in_epsilon(step(0, 1), 1000, 1000, 0.05), 4)
    0.0936
    """
    share = check_delta(delta) / 2.0
    of_negatives = 2.0 * weight.lipschitz + weight.sup_norm
    return weight.sup_norm * dkw_radius(n_pos, share) + of_negatives * dkw_radius(n_neg, share)


def check_over_fpr(weight: Weight) -> None:
    if weight.axis != "fpr":
        raise InputError(
            "the plug-in estimate is about weights over false-positive rates",
            where="weight",
            fix="use weighted_mcdiarmid, which treats both axes alike",
        )


def check_plug_in(value: float, weight: Weight) -> float:
    """The value as a float, if it can be a plug-in estimate with this weight."""
    if not (is_number(value) and 0.0 <= value <= weight.sup_norm * (1 + 1e-9)):
        raise InputError(
            f"the plug-in estimate lies between 0 and {weight.sup_norm:g}, the largest weight",
            value=value,
        )
    return float(value)
