"""Lipschitz weights: P(|Â−A| ≥ ‖W‖Lip/(8n)+ε) ≤ 2exp(−2ε²/(‖W‖₁²/m+‖W‖∞²/n))."""

from __future__ import annotations

import math

from rocsolid.intervals.guarantees.checks import FIXED_SCORER, INDEPENDENT, tail_share
from rocsolid.intervals.guarantees.weighted_area import (
    CURVE,
    area_interval,
    check_area,
    check_known,
    check_lipschitz,
    sizes_of_sides,
)
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import VALUE
from rocsolid.weights import Weight

SOURCE = "McDiarmid 1989, as in Agarwal et al. 2005, Theorem 5, for the completed curve"
ALIKE = "negatives identically distributed"


def weighted_mcdiarmid(
    value: float,
    weight: Weight,
    n_pos: float,
    n_neg: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """McDiarmid's inequality for a weighted area, with its bias; W ≡ 1 gives back ``mcdiarmid``.

    A changed positive moves Â by at most ‖W‖₁/m, a changed negative by at most ‖W‖∞/n. Given X,
    F̂₀(X) has the mean F₀(X) and a variance of at most 1/(4n), so the mean of K(F̂₀(X)) is off by at
    most ‖W‖Lip/(8n). The sizes may be effective ones, (Σu)²/Σu², under weights that were fixed
    without regard to the scores. ``value`` is the raw area.

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
        largest, SOURCE, (INDEPENDENT, ALIKE, FIXED_SCORER, CURVE), reads=VALUE,
    )  # fmt: skip


def mcdiarmid_area_epsilon(weight: Weight, n_pos: float, n_neg: float, share: float) -> float:
    """‖W‖Lip/(8n) + √(ln(1/δ)/2·(‖W‖₁²/m + ‖W‖∞²/n)).

    >>> from rocsolid.weights import step
    >>> round(mcdiarmid_area_epsilon(step(0, 1), 1000, 1000, 0.025), 4)
    0.0607
    """
    m, n = sizes_of_sides(weight, n_pos, n_neg)
    squares = weight.l1_norm**2 / m + weight.sup_norm**2 / n
    return weight.lipschitz / (8.0 * n) + math.sqrt(-math.log(share) / 2.0 * squares)
