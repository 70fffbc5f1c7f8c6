"""Any bounded weight: ‖W‖₁√(ln(1/δ₁)/(2m)) + ‖W‖∞√(ln(1/δ₂)/(2n)), δ₁+δ₂ the tail."""

from __future__ import annotations

import math

from rocsolid.arguments import whole
from rocsolid.intervals.guarantees.checks import tail_share
from rocsolid.intervals.guarantees.weighted_area import (
    DKW_SOURCE,
    area_interval,
    box_area,
    check_area,
    check_known,
    sizes_of_sides,
)
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import VALUE
from rocsolid.weights import Weight


def weighted_dkw(
    value: float,
    weight: Weight,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """The Dvoretzky-Kiefer-Wolfowitz bound for a weighted area, for weights that jump too.

    Moving the positives' distribution by ε₁ at most (Kolmogorov's distance) moves the height of the
    completed curve by ε₁ at most and the area by ‖W‖₁ε₁; moving the negatives' by ε₂ moves it by
    ‖W‖∞ε₂. Each distribution is within √(ln(1/δᵢ)/(2·size)) of the truth on the side that matters
    (Massart's constant; Maurer and Pontil 2020, Theorem 8), and how the tail is split into δ₁+δ₂ is
    chosen from the sizes and the weight. ``value`` is the raw area.

    >>> from rocsolid.weights import step
    >>> i = weighted_dkw(0.09, step(0, 0.1), 1000, 1000)
    >>> print(i, i.range)
    [0.04100, 0.10000] at 95 % (weighted-dkw) (0.0, 0.09999999999999998)
    """
    check_known(weight)
    m, n = sizes_of_sides(weight, whole(n_pos, "n_pos"), whole(n_neg, "n_neg"))
    estimate = check_area(value, weight.l1_norm)
    epsilon = dkw_epsilon(weight.l1_norm, weight.sup_norm, m, n, tail_share(delta, alternative))
    return area_interval(
        estimate - epsilon, estimate + epsilon, delta, alternative, "weighted-dkw",
        weight.l1_norm, DKW_SOURCE, reads=VALUE,
    )  # fmt: skip


def box_dkw(
    value: float,
    fpr: tuple[float, float],
    tpr: tuple[float, float],
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """The same for the area under the curve in a box of rates.

    The box's width takes the place of ‖W‖₁ and its height that of ‖W‖∞.

    >>> print(box_dkw(0.04, (0.0, 0.2), (0.5, 1.0), 2000, 2000))
    [0.01711, 0.06289] at 95 % (weighted-dkw)
    """
    largest = box_area(fpr, tpr)
    m, n = whole(n_pos, "n_pos"), whole(n_neg, "n_neg")
    estimate = check_area(value, largest)
    share = tail_share(delta, alternative)
    epsilon = dkw_epsilon(fpr[1] - fpr[0], tpr[1] - tpr[0], m, n, share)
    return area_interval(
        estimate - epsilon, estimate + epsilon, delta, alternative, "weighted-dkw",
        largest, DKW_SOURCE, reads=VALUE,
    )  # fmt: skip


def dkw_epsilon(l1_norm: float, sup_norm: float, m: float, n: float, share: float) -> float:
    """The smallest ‖W‖₁√(ln(1/(sδ))/(2m)) + ‖W‖∞√(ln(1/((1−s)δ))/(2n)) over 0 < s < 1.

    >>> round(dkw_epsilon(1.0, 1.0, 1000, 1000, 0.025), 4)  # an even split: √(ln(80)/500)
    0.0936
    """
    a, b = l1_norm / math.sqrt(2.0 * m), sup_norm / math.sqrt(2.0 * n)
    # one-sided, Massart's constant needs probabilities of at most one half
    least, most = (0.0, 1.0) if share <= 0.5 else (1.0 - 0.5 / share, 0.5 / share)
    low, high = least, most
    for _ in range(60):
        s = (low + high) / 2.0
        # the derivative of the first term falls and that of the second grows with s
        gain = a / (s * math.sqrt(-math.log(s * share)))
        loss = b / ((1.0 - s) * math.sqrt(-math.log((1.0 - s) * share)))
        low, high = (s, high) if gain > loss else (low, s)
    s = (low + high) / 2.0
    return a * math.sqrt(-math.log(s * share)) + b * math.sqrt(-math.log((1.0 - s) * share))
