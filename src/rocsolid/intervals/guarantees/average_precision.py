"""Average precision: bands for the rates of both classes bound the precision at each recall."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rocsolid.intervals.guarantees.checks import IID, tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.prevalence import (
    Prevalence,
    prevalence_limits,
    share_of_each,
    stated,
)
from rocsolid.intervals.guarantees.rate_box import SOURCE, RateBox
from rocsolid.intervals.guarantees.weighted_band import classes_of
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import CURVE
from rocsolid.summaries.sorted_classes import SortedClasses


def average_precision(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """Limits for the average precision of the population, "step" with all of its ties.

    With the share π of positives, T(c) = P(X ≥ c) of the positives and F(c) = P(Y ≥ c) of the
    negatives, the precision at the threshold c is πT/(πT + (1−π)F), and the average precision is
    its mean over c = X. Let c(u) be the highest threshold with T ≥ u; the average precision is the
    integral over u in (0, 1) of the precision at c(u). ``prevalence`` says what π is.

    Bands of both classes bound T(c), T(c+) = P(X > c) and F(c) at all thresholds at once. c(u) is a
    threshold with T(c+) < u ≤ T(c), so it is one of those c whose limits allow that; and the
    precision rises in T and in π, and falls in F. So at each u the smallest value over those c,
    with T as small as the band and u ≤ T allow and F as large, is a lower limit for the precision
    at c(u), and the largest one, with T as large and F as small, an upper one. They are integrated.
    Between two scores of the sample all c have the same limits; at a score, which may carry a part
    of the population, T(c+) has those of the next higher score.

    Each band may fail with δ/4 (δ/2 in a limit alone). Where rows were sampled, Clopper and
    Pearson's limits for π have the same part as a band: δ/6 (δ/3).

    >>> rng = np.random.default_rng(0)
    >>> pos, neg = rng.normal(1.5, 1, 300), rng.normal(0, 1, 2000)
    >>> print(average_precision(pos, neg, prevalence="classes"))
    [0.3424, 0.6999] at 95 % (rate-bands)
    >>> print(average_precision(pos, neg, prevalence="rows"))
    [0.3057, 0.7252] at 95 % (rate-bands)
    """
    classes = classes_of(pos_scores, neg_scores)
    return average_precision_of(classes, delta, alternative, prevalence=prevalence)


def average_precision_of(
    classes: SortedClasses,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """The same from sorted scores."""
    share = share_of_each(tail_share(delta, alternative), prevalence, 2)
    few, many = prevalence_limits(prevalence, len(classes.pos), len(classes.neg), share)
    box = RateBox.of(classes, share, alternative)
    low = 0.0 if alternative == "less" else lowest_mean(box, few)
    high = 1.0 if alternative == "greater" else highest_mean(box, many)
    claim = Claim("rate-bands", SOURCE, (*IID, stated(prevalence)), CURVE)
    return claim.interval((low, high), delta)


def lowest_mean(box: RateBox, pi: float) -> float:
    """∫ of the smallest precision at each u.

    Up to u ≤ the lower limit L′ of T at a score and above that of the score before, c(u) is that
    score or a threshold before it, and the last gap before it is the worst of those.
    """
    low, high = box.tpr
    others = (1.0 - pi) * box.fpr[1]
    start, end = low, np.append(low[1:], 1.0)
    at_score = pi * end[:-1] / (pi * end[:-1] + others[1:])
    # in the gap the precision rises with u, up to where the score is worse or the gap is excluded
    turn = np.minimum(end[:-1] * others[:-1] / others[1:], high[:-1])
    turn = np.append(np.clip(turn, start[:-1], end[:-1]), 1.0)
    gap = turn - start - others / pi * np.log1p(pi * (turn - start) / (pi * start + others))
    return max(float(gap.sum() + at_score @ (end - turn)[:-1]), 0.0)


def highest_mean(box: RateBox, pi: float) -> float:
    """∫ of the largest precision at each u: the largest of a window of scores."""
    low, high = box.tpr
    precision = pi * high / (pi * high + (1.0 - pi) * box.fpr[0])
    first = np.append(0.0, low[:-1])  # of u for which the score comes into question
    places = np.unique(np.concatenate([[0.0, 1.0], first, high]))
    begin = np.searchsorted(high, places[1:], side="left")
    end = np.searchsorted(first, places[:-1], side="right")
    windows = np.column_stack([begin, np.maximum(end, begin + 1)]).ravel()
    largest = np.maximum.reduceat(np.append(precision, 0.0), windows)[::2]
    return min(float(largest @ np.diff(places)), 1.0)
