from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from numpy.typing import ArrayLike

from rocsolid.arguments import whole
from rocsolid.intervals.guarantees import rooks, top_negatives
from rocsolid.intervals.guarantees.band import band_interval
from rocsolid.intervals.guarantees.best import best_of
from rocsolid.intervals.guarantees.checks import check_delta, tail_share
from rocsolid.intervals.guarantees.completed_curve import Prevalence, prevalence_limits, stated
from rocsolid.intervals.guarantees.placements import classes_of
from rocsolid.intervals.guarantees.weighted_area import (
    DKW_SOURCE,
    area_interval,
    box_area,
    check_area,
    check_known,
    sizes_of_sides,
)
from rocsolid.results import Alternative
from rocsolid.results.interval import VALUE, Interval
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.weights.weight import Weight


def weighted_best(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    weight: Weight,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return the shortest certified interval for this weight and these class sizes.

    The method is that of `best` for a constant weight, ``weighted_rooks`` for powers,
    ``weighted_top`` for regions of one rate with enough rows (docs/theorems/weighted-areas.md), and
    otherwise ``weighted_band``. The scores do not influence the choice, because that would void the
    guarantee.

    >>> from rocsolid.weights import power, step
    >>> [weighted_best([3, 2], [1, 0], w).method for w in (power(0), power(1), step(0, 0.5))]
    ['matchings', 'weighted-rooks', 'weighted-band']
    """
    return best_area_interval(classes_of(pos_scores, neg_scores), weight, delta, alternative)


def best_area_interval(
    classes: SortedClasses, weight: Weight, delta: float, alternative: Alternative
) -> Interval:
    check_known(weight)
    height = weight.constant
    if height is None:
        method = _METHODS[of_weight(weight, len(classes.pos), len(classes.neg))]
        return method(classes, weight, delta, alternative)
    of_auc = best_of(classes, Placements.from_sorted(classes).auc, delta, alternative)
    return replace(
        of_auc, low=height * of_auc.low, high=height * of_auc.high, range=(0.0, weight.l1_norm)
    )


_METHODS = {
    "weighted-rooks": rooks.rooks_interval,
    "weighted-top": top_negatives.top_interval,
    "weighted-band": band_interval,
}


def of_weight(weight: Weight, n_pos: int, n_neg: int) -> str:
    """Return the method for a weight that is not constant, from the weight and the sizes alone."""
    if rooks.fits(weight, n_pos, n_neg):
        return "weighted-rooks"
    return "weighted-top" if top_negatives.fits(weight, n_pos, n_neg) else "weighted-band"


def weighted_dkw(
    value: float,
    weight: Weight,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for a weighted area from the Dvoretzky-Kiefer-Wolfowitz inequality.

    The weight may jump. Errors ε₁ and ε₂ of the positives' and the negatives' distributions move
    the area by at most ‖W‖₁ε₁ + ‖W‖∞ε₂; each is at most √(ln(1/δᵢ)/(2·size)) (Massart's constant;
    Maurer and Pontil 2020, Theorem 8). The sizes and the weight split the error into δ₁+δ₂.
    ``value`` is the raw area.

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
    """Return limits for the area under the curve in a box of rates, as `weighted_dkw` does.

    The box's width replaces ‖W‖₁ and its height replaces ‖W‖∞.

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
    """Return the least ‖W‖₁√(ln(1/(sδ))/(2m)) + ‖W‖∞√(ln(1/((1−s)δ))/(2n)) over 0 < s < 1.

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


_OF_PREVALENCE = 0.25  # of the error, where rows were sampled


def gain_area(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """Return limits for the area under the gain curve: recall over the share of rows flagged.

    With the share s = πt + (1−π)f at the rates t and f, ∫ t ds = π/2 + (1−π)·AUC on the completed
    curve. The AUC has the interval of `best`. Where rows were sampled, Clopper and Pearson's limits
    for π take a quarter of the error, and a one-sided limit also needs both of them.

    >>> print(gain_area(range(40, 140), range(100), prevalence=0.1))
    [0.71213, 0.84608] at 95 % (cuts)
    >>> print(gain_area(range(40, 140), range(100), prevalence="rows"))
    [0.5951, 0.7282] at 95 % (cuts)
    """
    classes = classes_of(pos_scores, neg_scores)
    auc = Placements.from_sorted(classes).auc
    sizes = len(classes.pos), len(classes.neg)

    def of(delta: float) -> Interval:
        return best_of(classes, auc, delta, alternative)

    return gain_area_of(of, *sizes, delta, alternative, prevalence=prevalence)


def gain_area_of(
    auc: Callable[[float], Interval],
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    rows = prevalence == "rows"
    ends = prevalence_limits(prevalence, n_pos, n_neg, _OF_PREVALENCE * check_delta(delta) / 2.0)
    interval = auc((1.0 - _OF_PREVALENCE) * delta if rows else delta)
    low, high = (
        [pi / 2.0 + (1.0 - pi) * limit for pi in ends] for limit in (interval.low, interval.high)
    )
    least = 0.0 if rows else ends[0] / 2.0
    return replace(
        interval,
        low=least if alternative == "less" else min(low),
        high=1.0 - least if alternative == "greater" else max(high),
        level=1.0 - delta,
        range=(least, 1.0 - least),
        assumptions=(*interval.assumptions, stated(prevalence)),
    )
