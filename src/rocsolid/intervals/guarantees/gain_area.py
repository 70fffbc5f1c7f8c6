"""The area under the cumulative gain curve, which is linear in the AUC."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from numpy.typing import ArrayLike

from rocsolid.intervals.guarantees.best import best_of
from rocsolid.intervals.guarantees.checks import check_delta
from rocsolid.intervals.guarantees.prevalence import Prevalence, prevalence_limits, stated
from rocsolid.intervals.guarantees.weighted_band import classes_of
from rocsolid.results import Alternative, Interval
from rocsolid.summaries.placements import Placements

_OF_PREVALENCE = 0.25  # of the error, where rows were sampled


def gain_area(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """Limits for the area under the curve of recall over the share of rows flagged.

    With the share s = πt + (1−π)f at the rates t and f, ∫ t ds = π/2 + (1−π)·AUC, on the completed
    curve. The AUC has its own best guarantee. Where rows were sampled, Clopper and Pearson's limits
    for π take a quarter of the error, both of them in a limit alone too: the area rises with the
    AUC and is linear in π, so that each of its limits lies at one end or the other.

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
    """The same from a guarantee for the AUC at a delta that it is given."""
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
