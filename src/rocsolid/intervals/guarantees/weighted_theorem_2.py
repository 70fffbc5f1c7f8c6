"""Theorem 2 of Maurer and Pontil 2020, on the event A_δ.

(‖W‖Lip+9‖W‖∞)/min(μ̂(0),μ̂(1))²·√(2ln(4/δ)/N).
"""

from __future__ import annotations

import math

from rocsolid.arguments import whole
from rocsolid.intervals.guarantees.checks import FIXED_SCORER, check_alternative, check_delta
from rocsolid.intervals.guarantees.weighted_area import area_interval, check_known, check_lipschitz
from rocsolid.intervals.guarantees.weighted_plug_in import PLUG_IN, check_over_fpr, check_plug_in
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import VALUE
from rocsolid.weights import Weight

SOURCE = "Maurer and Pontil 2020, Theorem 2"
DRAWN = ("rows independent and identically distributed, labels too", FIXED_SCORER)
EVENT = "the event A_δ, which held: both shares exceed √(2 ln(4/δ)/N)"
NO_EVENT = (
    "the event A_δ, which failed: a share is at most √(2 ln(4/δ)/N), so the theorem is silent"
)


def weighted_theorem_2(
    value: float,
    weight: Weight,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Theorem 2 for the plug-in estimate f(μ̂) with a Lipschitz weight and any loss within [0, 1].

    The theorem says that A_δ and a larger error together have a probability below δ. Where A_δ, the
    event that min(μ̂(0), μ̂(1)) > √(2 ln(4/δ)/N), does not hold, the whole range [0, ‖W‖∞] is given
    and the assumptions say so. A one-sided limit gains nothing. The constant 9 makes it vacuous
    unless N is large: for W ≡ 1 and classes of equal size from N = 2·10⁴ on it begins to speak. The
    paper's proof fails where scores tie; the theorem holds, as `weighted_plug_in`, which is never
    wider, implies it.

    >>> from rocsolid.weights import step
    >>> weighted_theorem_2(0.8, step(0, 1), 1000, 1000).vacuous
    True
    >>> print(weighted_theorem_2(0.8, step(0, 1), 10**6, 10**6))
    [0.7246, 0.8754] at 95 % (weighted-theorem-2)
    """
    check_known(weight)
    check_lipschitz(weight, "weighted_theorem_2")
    check_over_fpr(weight)
    estimate = check_plug_in(value, weight)
    check_alternative(alternative)
    epsilon = theorem_2_epsilon(weight, n_pos, n_neg, delta)
    return area_interval(
        estimate - epsilon, estimate + epsilon, delta, alternative, "weighted-theorem-2",
        weight.sup_norm, SOURCE,
        (*DRAWN, PLUG_IN, EVENT if epsilon < math.inf else NO_EVENT), reads=VALUE,
    )  # fmt: skip


def theorem_2_epsilon(weight: Weight, n_pos: int, n_neg: int, delta: float) -> float:
    """The theorem's right-hand side; infinite where A_δ does not hold.

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
