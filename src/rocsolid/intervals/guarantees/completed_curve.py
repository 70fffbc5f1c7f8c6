"""Limits for precision areas and BEDROC, which also depend on the prevalence of positives."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.intervals.guarantees.checks import IID, tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.placements import classes_of
from rocsolid.intervals.guarantees.rate_box import SOURCE, RateBox
from rocsolid.intervals.guarantees.weighted_area import CURVE as COMPLETED
from rocsolid.results import Alternative
from rocsolid.results.interval import CURVE, Interval
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.products import dot, line_dots
from rocsolid.summaries.ranked_classes import RankedClasses
from rocsolid.summaries.ranked_groups import RankedGroups

Prevalence = float | Literal["rows", "classes"]
"""``"rows"``: rows were sampled as they come, so the population's share of positives is unknown and
takes a part of the error. ``"classes"``: the class sizes were fixed, and the value is that at
their shares. A number: the value is that at this known share of positives."""

COHORT = "positives and negatives sampled together, as they come"
_HOW = 'give "rows", "classes" or a share of positives between 0 and 1'


def prevalence_limits(
    prevalence: Prevalence, n_pos: int, n_neg: int, share: float
) -> tuple[float, float]:
    """Return limits for the prevalence, each wrong with probability at most ``share``.

    >>> prevalence_limits("classes", 10, 30, 0.025), prevalence_limits(0.1, 10, 30, 0.025)
    ((0.25, 0.25), (0.1, 0.1))
    >>> low, high = prevalence_limits("rows", 10, 30, 0.025)
    >>> round(low, 4), round(high, 4)
    (0.1269, 0.412)
    """
    if prevalence == "rows":
        low, high = clopper_pearson(n_pos, n_pos + n_neg, share)
        return float(low), float(high)
    known = n_pos / (n_pos + n_neg) if prevalence == "classes" else prevalence
    if not (is_number(known) and 0.0 < known < 1.0):
        raise InputError("not a prevalence", where="prevalence", value=prevalence, fix=_HOW)
    return float(known), float(known)


def share_of_each(tail: float, prevalence: Prevalence, others: int) -> float:
    """Divide the error of one side among ``others`` limits and, if unknown, the prevalence.

    >>> share_of_each(0.03, "classes", 2), share_of_each(0.03, "rows", 2)
    (0.015, 0.01)
    """
    return tail / (others + (prevalence == "rows"))


def stated(prevalence: Prevalence) -> str:
    """Return the assumption about the prevalence.

    >>> stated("classes"), stated(0.02)
    ('prevalence as in these rows', 'prevalence 0.02 known')
    """
    if prevalence == "rows":
        return COHORT
    if prevalence == "classes":
        return "prevalence as in these rows"
    return f"prevalence {prevalence:g} known"


_FLOATS = NDArray[np.float64]
_COUNTS = NDArray[np.int64]
_Area = Callable[[_FLOATS, _FLOATS, float], float]
_Extreme = Callable[[RateBox, float], float]


def precision_area(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """Return limits for the area under the precision-recall curve of Davis and Goadrich (2006).

    At recall u the precision is πu/(πu + (1−π)f), where f is the false-positive rate at which the
    completed ROC curve reaches u and π is the prevalence. Without ties in the population the area
    is the average precision.

    >>> rng = np.random.default_rng(0)
    >>> pos, neg = rng.normal(1.5, 1, 300).round(), rng.normal(0, 1, 2000).round()
    >>> print(precision_area(pos, neg, prevalence="classes"))
    [0.3147, 0.6477] at 95 % (rate-bands)
    """
    classes = classes_of(pos_scores, neg_scores)
    return precision_area_of(classes, delta, alternative, prevalence=prevalence)


def precision_area_of(
    classes: SortedClasses | RankedClasses,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    return completed_area(classes, _under_precision, delta, alternative, prevalence)


def bedroc(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    alpha: float = 20.0,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """Return limits for BEDROC of the population, in which early positives count most.

    A positive below the share s of the population counts e^(−αs), with s = πu + (1−π)f at recall u
    on the completed ROC curve. The mean over u is rescaled from 0 (all positives last) to 1 (all
    positives first). The area rises with π: with β = α(1−π) it is the mean of (e^(−βf) − e^(−β))/(1
    − e^(−β)) over u with a density proportional to e^(−απu).

    Reference: Truchon and Bayly 2007.

    >>> rng = np.random.default_rng(0)
    >>> pos, neg = rng.normal(1.5, 1, 300), rng.normal(0, 1, 2000)
    >>> print(bedroc(pos, neg, prevalence="classes"))
    [0.4689, 0.7995] at 95 % (rate-bands)
    """
    classes = classes_of(pos_scores, neg_scores)
    return bedroc_of(classes, alpha, delta, alternative, prevalence=prevalence)


def bedroc_of(
    classes: SortedClasses | RankedClasses,
    alpha: float = 20.0,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    if not (is_number(alpha) and 0.0 < alpha < np.inf):
        raise InputError("not a positive number", where="alpha", value=alpha)

    def area(fpr: _FLOATS, tpr: _FLOATS, pi: float) -> float:
        by_recall, beta = alpha * pi, alpha * (1.0 - pi)
        early = _exponentials(by_recall * tpr + beta * fpr) - np.exp(-beta) * _exponentials(
            by_recall * tpr
        )
        scale = np.expm1(-by_recall) * np.expm1(-beta) / by_recall
        return float(dot(np.diff(tpr), early) / scale)

    return completed_area(classes, area, delta, alternative, prevalence)


def completed_area(
    classes: SortedClasses | RankedClasses,
    area: _Area,
    delta: float,
    alternative: Alternative,
    prevalence: Prevalence,
) -> Interval:
    """Return limits for an area that rises with the completed ROC curve and with the prevalence.

    Bands of the two classes define at each threshold a corner below and to the right of the true
    corner. The true curve rises and is straight over a tie, so it runs above the line between two
    corners. The error probability is divided as in `average_precision`.
    """
    return _between(
        classes, lambda box, pi: area(*_curve(box.fpr[1], box.tpr[0]), pi),
        lambda box, pi: area(*_curve(box.fpr[0], box.tpr[1]), pi), delta, alternative, prevalence,
        (*IID, COMPLETED),
    )  # fmt: skip


def _between(
    classes: SortedClasses | RankedClasses, lowest: _Extreme, highest: _Extreme, delta: float,
    alternative: Alternative, prevalence: Prevalence, assumptions: tuple[str, ...],
) -> Interval:  # fmt: skip
    limits = _ends(classes, lowest, highest, delta, alternative, prevalence)
    claim = Claim("rate-bands", SOURCE, (*assumptions, stated(prevalence)), CURVE)
    return claim.interval(limits, delta)


def _ends(
    classes: SortedClasses | RankedClasses, lowest: _Extreme, highest: _Extreme, delta: float,
    alternative: Alternative, prevalence: Prevalence, *, pointwise: bool = False,
) -> tuple[float, float]:  # fmt: skip
    share = share_of_each(tail_share(delta, alternative), prevalence, 2)
    few, many = prevalence_limits(prevalence, len(classes.pos), len(classes.neg), share)
    box = RateBox.of(classes, share, alternative, pointwise=pointwise)
    low = 0.0 if alternative == "less" else lowest(box, few)
    high = 1.0 if alternative == "greater" else highest(box, many)
    return low, high


def _curve(fpr: _FLOATS, tpr: _FLOATS) -> tuple[_FLOATS, _FLOATS]:
    return np.concatenate([[0.0], fpr, [1.0]]), np.concatenate([[0.0], tpr, [1.0]])


def _under_precision(fpr: _FLOATS, tpr: _FLOATS, pi: float) -> float:
    return dot(np.diff(tpr), mean_precision(tpr, fpr, pi))


def mean_precision(tpr: _FLOATS, fpr: _FLOATS, pi: float) -> _FLOATS:
    """Return the mean of πu/(πu + (1−π)f) over u along each straight piece of a curve.

    For D from D₀ to D₁, πu/D has the mean πu₀/D₀·L + πΔu/ΔD·(1−L), L = ln(1+x)/x, x = ΔD/D₀.

    >>> mean_precision(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.0, 1.0]), 0.5).round(4)
    array([1.    , 0.6414])
    """
    hits, flagged = pi * tpr, pi * tpr + (1.0 - pi) * fpr
    rise, more = np.diff(hits), np.diff(flagged)
    with np.errstate(divide="ignore", invalid="ignore"):  # nothing is flagged, or nothing more
        x = more / flagged[:-1]
        part = np.where(x > 0.0, np.where(x < np.inf, np.log1p(x) / x, 0.0), 1.0)
        along = np.where(more > 0.0, rise / more, 0.0)
        before = np.where(flagged[:-1] > 0.0, hits[:-1] / flagged[:-1], 0.0)
    return np.asarray(before * part + along * (1.0 - part))


def _exponentials(exponent: _FLOATS) -> _FLOATS:
    """Return the mean of e^(−x) along each piece."""
    step = np.diff(exponent)
    mean = np.where(step > 0.0, -np.expm1(-step) / np.where(step > 0.0, step, 1.0), 1.0)
    return np.asarray(np.exp(-exponent[:-1]) * mean)


def average_precision(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """Return limits for the average precision of the population ("step", with all of its ties).

    With the prevalence π, T(c) = P(X ≥ c) and F(c) = P(Y ≥ c), it is the integral over u in (0, 1)
    of the precision πT/(πT + (1−π)F) at c(u), the highest threshold with T ≥ u. Bands bound T and F
    at all thresholds at once (docs/theorems/precision.md). Each band fails with δ/4 (δ/2 in a
    one-sided limit), or with δ/6 (δ/3) where rows were sampled and Clopper and Pearson's limits for
    π have the same parts.

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
    classes: SortedClasses | RankedClasses,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    return _between(classes, lowest_mean, highest_mean, delta, alternative, prevalence, IID)


def cuts_average_precision(
    classes: SortedClasses | RankedClasses,
    interval: Interval,
    delta: float,
    alternative: Alternative,
    prevalence: Prevalence,
) -> bool:
    """Return whether the limits of `average_precision_of` may lie inside an interval.

    Limits from a pointwise `RateBox` are inside the certified limits, and cost a fraction of the
    time.
    """
    low, high = _ends(
        classes, lowest_mean, highest_mean, delta, alternative, prevalence, pointwise=True
    )
    return not (
        (alternative == "less" or low * (1.0 + _ROUNDING) < interval.low)
        and (alternative == "greater" or interval.high < high * (1.0 - _ROUNDING))
    )


def lowest_mean(box: RateBox, pi: float) -> float:
    """Integrate the smallest precision at each u.

    For u up to the lower limit of T at a score, and above that of the score before, c(u) is that
    score or an earlier threshold, of which the last gap before the score is the worst.
    """
    low, high = box.tpr
    others = (1.0 - pi) * box.fpr[1]
    start, end = low, np.append(low[1:], 1.0)
    at_score = pi * end[:-1] / (pi * end[:-1] + others[1:])
    # in the gap the precision rises with u, up to where the score is worse or the gap is excluded
    turn = np.minimum(end[:-1] * others[:-1] / others[1:], high[:-1])
    turn = np.append(np.clip(turn, start[:-1], end[:-1]), 1.0)
    gap = turn - start - others / pi * np.log1p(pi * (turn - start) / (pi * start + others))
    return max(float(gap.sum() + dot(at_score, (end - turn)[:-1])), 0.0)


def highest_mean(box: RateBox, pi: float) -> float:
    """Integrate the largest precision at each u, the largest over a window of scores."""
    low, high = box.tpr
    precision = pi * high / (pi * high + (1.0 - pi) * box.fpr[0])
    first = np.append(0.0, low[:-1])  # of u for which the score comes into question
    places = np.unique(np.concatenate([[0.0, 1.0], first, high]))
    begin = np.searchsorted(high, places[1:], side="left")
    end = np.searchsorted(first, places[:-1], side="right")
    windows = np.column_stack([begin, np.maximum(end, begin + 1)]).ravel()
    largest = np.maximum.reduceat(np.append(precision, 0.0), windows)[::2]
    return min(dot(largest, np.diff(places)), 1.0)


def beyond_average_precision(
    ranked: RankedGroups, delta: float, prevalence: Prevalence
) -> tuple[_FLOATS, _FLOATS]:
    """Return values below and above the limits of `average_precision_of`, for each group.

    Bands of equal local levels η fail with at most their share, so η is at most the share.
    Pointwise Clopper and Pearson limits at the share therefore lie within the bands, and are
    computed in a fraction of the time.
    """
    runs = ranked.runs()
    m, n = ranked.positive.sum(axis=1), ranked.negative.sum(axis=1)
    share = share_of_each(tail_share(delta, "two-sided"), prevalence, 2)
    few, many = (m / (m + n) for _ in range(2))
    if prevalence == "rows":
        few, many = clopper_pearson(m, m + n, share)
    hits = runs.pos[:, ::-1].cumsum(axis=1)[:, ::-1]  # with the score or a higher one
    alarms, before = n[:, None] - runs.below, n[:, None] - runs.through
    low, high = _pointwise(m, hits, share)
    least, most = _pointwise(n, alarms, share)[0], _pointwise(n, before, share)[1]
    last = _pointwise(n, alarms[:, :1], share)[1][:, 0]

    def mean(rate: _FLOATS, false: _FLOATS, pi: _FLOATS) -> _FLOATS:
        """Integrate the precision at each score over the stretch up to its rate."""
        stretch = rate - np.concatenate([rate[:, 1:], rate[:, -1:]], axis=1)
        hits = pi[:, None] * rate
        return np.asarray(line_dots(stretch, hits / (hits + (1.0 - pi[:, None]) * false)))

    above = mean(low, most, few) + (1.0 - low[:, 0]) * few / (few + (1.0 - few) * last)
    below = high[:, -1] + mean(high, least, many)
    return above * (1.0 + _ROUNDING), below * (1.0 - _ROUNDING)


_ROUNDING = 1e-9


def _pointwise(size: _COUNTS, counts: _COUNTS, share: float) -> tuple[_FLOATS, _FLOATS]:
    """Return Clopper and Pearson's limits for counts, one row for each class size."""
    sizes, line = np.unique(size, return_inverse=True)
    tables = [_every_count(int(rows), share) for rows in sizes]
    place = (np.cumsum(sizes + 1) - sizes - 1)[line][:, None] + counts
    low, high = (np.concatenate(limits)[place] for limits in zip(*tables, strict=True))
    return low, high


@lru_cache(maxsize=512)
def _every_count(rows: int, share: float) -> tuple[_FLOATS, _FLOATS]:
    return clopper_pearson(np.arange(rows + 1), rows, share)
