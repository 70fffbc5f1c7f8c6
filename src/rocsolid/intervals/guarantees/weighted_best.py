"""Which guarantee to use for a weighted area, decided by the sizes and the weight alone."""

from __future__ import annotations

from dataclasses import replace

from numpy.typing import ArrayLike

from rocsolid.intervals.guarantees.best import best_of
from rocsolid.intervals.guarantees.weighted_area import check_known
from rocsolid.intervals.guarantees.weighted_band import band_interval, classes_of
from rocsolid.results import Alternative, Interval
from rocsolid.summaries.placements import Placements
from rocsolid.summaries.sorted_classes import SortedClasses
from rocsolid.weights import Weight


def weighted_best(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    weight: Weight,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """The AUC's own best guarantee for a constant weight, else ``weighted_band``.

    The band was the shortest in nearly every setting that was measured (see the page on weighted
    areas). McDiarmid's bound came close for a gentle weight such as power(1) and mediocre scores.
    The scores are not looked at to choose, which would void the guarantee.

    >>> from rocsolid.weights import power, step
    >>> weighted_best([3, 2], [1, 0], power(0)).method, weighted_best([3], [1], step(0, 0.5)).method
    ('matchings', 'weighted-band')
    """
    return best_area_interval(classes_of(pos_scores, neg_scores), weight, delta, alternative)


def best_area_interval(
    classes: SortedClasses,
    weight: Weight,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """The same from sorted scores."""
    check_known(weight)
    height = weight.constant
    if height is None:
        return band_interval(classes, weight, delta, alternative)
    found = best_of(classes, Placements.from_sorted(classes).auc, delta, alternative)
    return replace(
        found, low=height * found.low, high=height * found.high, range=(0.0, weight.l1_norm)
    )
