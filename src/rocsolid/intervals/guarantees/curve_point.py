"""Limits for a point of the completed ROC curve or gain curve."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.band import spread
from rocsolid.intervals.guarantees.checks import IID, check_delta, tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.completed_curve import (
    Prevalence,
    prevalence_limits,
    share_of_each,
    stated,
)
from rocsolid.intervals.guarantees.hinge import binomial_tails, hinge_limits
from rocsolid.intervals.guarantees.placements import classes_of
from rocsolid.intervals.guarantees.roc_band import first_reaching
from rocsolid.intervals.guarantees.weighted_area import CURVE as COMPLETED
from rocsolid.results import Alternative
from rocsolid.results.interval import CURVE, Interval
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]
SOURCE = "Hoeffding 1963, section 5, with the hinge (B−j)₊, for the counts of both classes"


def precision_at_recall(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    recall: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """Return limits for the precision of the population at the threshold with recall r.

    The precision is πr/(πr + (1−π)f), where f is the false-positive rate at which the completed ROC
    curve reaches r. If ``prevalence`` is a number, the precision is also the positive predictive
    value at the sensitivity r.

    Counts I ~ Bin(m, r) and J ~ Bin(n, f), ties broken at random, lie above the threshold.
    `mean_of_largest` bounds the mean of I, and the hinge bounds f (docs/theorems/precision.md).
    Each of the four statements fails with δ/4 (each of two with δ/2 in a one-sided limit), or with
    δ/6 (δ/3) where rows were sampled and the limits of the prevalence have the same parts.

    >>> rng = np.random.default_rng(0)
    >>> pos, neg = rng.normal(1.5, 1, 300), rng.normal(0, 1, 2000)
    >>> print(precision_at_recall(pos, neg, 0.5, prevalence="classes"))
    [0.3582, 0.6461] at 95 % (mean-tails)
    >>> print(precision_at_recall(pos, neg, 0.5, prevalence=0.02))
    [0.0706, 0.1990] at 95 % (mean-tails)
    """
    table = ScoreCounts.from_sorted(classes_of(pos_scores, neg_scores))
    return precision_at_recall_of(table, recall, delta, alternative, prevalence=prevalence)


def precision_at_recall_of(
    counts: ScoreCounts,
    recall: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    check_inner(recall, "recall")
    share = share_of_each(tail_share(delta, alternative), prevalence, 2)
    few, many = prevalence_limits(prevalence, int(counts.n_pos), int(counts.n_neg), share)
    hits, alarms = descending(counts.pos), descending(counts.neg)
    m, n = int(hits[-1]), int(alarms[-1])
    low, high = 0.0, 1.0
    if alternative != "less":
        alarm = last_at(alarms, hits, mean_of_largest(m, recall, share))
        alarm = float(hinge_limits(alarm / n, n, share, "less")[1])
        low = few * recall / (few * recall + (1.0 - few) * alarm)
    if alternative != "greater":
        alarm = first_at(alarms, hits, m - mean_of_largest(m, 1.0 - recall, share))
        alarm = float(hinge_limits(alarm / n, n, share, "greater")[0])
        high = many * recall / (many * recall + (1.0 - many) * alarm)
    return point_interval(low, high, delta, prevalence)


def mean_of_largest(size: int, chance: float, share: float) -> float:
    """Return the mean of the largest values of Bin(size, chance) with joint probability ``share``.

    The conditional mean of such a count, given more information, reaches this value with at most
    that probability: P(x ≤ E I) ≤ E(I−j)₊/(x−j) by Jensen's inequality, which is ``share`` at x.

    >>> round(mean_of_largest(1, 0.5, 0.5), 6), round(mean_of_largest(2, 0.5, 0.5), 6)
    (1.0, 1.5)
    """
    from scipy.special import bdtrc

    low, high = 0, size
    while low < high:  # the smallest j with P(B > j) ≤ share
        j = (low + high) // 2
        low, high = (low, j) if bdtrc(j, size, chance) <= share else (j + 1, high)
    at, rows, p = (np.array([float(x)]) for x in (low, size, chance))
    above, tail = binomial_tails(rows, p, at)
    return min(low + float((rows * p * above - at * tail)[0]) / share, float(size))


def descending(each: NDArray[np.int64]) -> _FLOATS:
    """Return the rows of a class above each score, from the highest threshold to the lowest."""
    return np.append(0.0, np.cumsum(each[::-1]))


def last_at(x: _FLOATS, y: _FLOATS, height: float) -> float:
    """Return the largest x at which the rising line through the points is at most ``height``.

    >>> last_at(np.array([0.0, 2.0, 4.0]), np.array([0.0, 0.0, 1.0]), 0.5)
    3.0
    """
    at = int(np.searchsorted(y, height, side="right")) - 1
    if at == len(y) - 1:
        return float(x[-1])
    return float(x[at] + (x[at + 1] - x[at]) * (height - y[at]) / (y[at + 1] - y[at]))


def first_at(x: _FLOATS, y: _FLOATS, height: float) -> float:
    """Return the smallest x at which the rising line through the points is at least ``height``.

    >>> x, y = np.array([0.0, 2.0, 4.0]), np.array([0.0, 0.0, 1.0])
    >>> first_at(x, y, 0.5), first_at(x, y, 1.0000000000000002)
    (3.0, 4.0)
    """
    height = min(height, float(y[-1]))  # rounding may put it above
    at = int(np.searchsorted(y, height, side="left"))
    if at == 0:
        return float(x[0])
    return float(x[at] - (x[at] - x[at - 1]) * (y[at] - height) / (y[at] - y[at - 1]))


def check_inner(value: float, name: str) -> None:
    if not (is_number(value) and 0.0 < value < 1.0):
        raise InputError(f"{name} must lie strictly between 0 and 1", where=name, value=value)


def point_interval(low: float, high: float, delta: float, prevalence: Prevalence) -> Interval:
    claim = Claim("mean-tails", SOURCE, (*IID, COMPLETED, stated(prevalence)), CURVE)
    return claim.interval((low, high), delta)


_OF_RANKS = 0.25  # of the error: for how many rows of the sample are the best q of the population
_CLOSE = 1e-6  # of a class: how well the meeting point along a tie is found, from outside
_PLACES = 40  # looked at together


def recall_at_share(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    share: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """Return limits for the share of all positives that is among the best q of the population.

    ``share`` is q; a tie at the cut is flagged in part, at random. The recall of the scorer itself
    for the best k of N rows is that at q = k/N.

    The recall is t at the point (f, t) of the completed ROC curve with πt + (1−π)f = q. Hinges
    bound t and f, each with δ/4. Where rows were sampled, Clopper and Pearson's limits for π have
    the same part as each hinge: δ/6 (δ/4 in a one-sided limit, which needs both).

    >>> rng = np.random.default_rng(0)
    >>> pos, neg = rng.normal(1.5, 1, 300), rng.normal(0, 1, 2000)
    >>> print(recall_at_share(pos, neg, 0.1, prevalence="rows"))
    [0.3315, 0.5253] at 95 % (mean-tails)
    >>> print(recall_at_share(pos, neg, 0.1, prevalence="classes"))
    [0.3457, 0.4979] at 95 % (mean-tails)
    """
    table = ScoreCounts.from_sorted(classes_of(pos_scores, neg_scores))
    return recall_at_share_of(table, share, delta, alternative, prevalence=prevalence)


def recall_at_share_of(
    counts: ScoreCounts,
    share: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    check_inner(share, "share")
    ends = 4.0 if alternative == "two-sided" else 2.0
    tail = check_delta(delta) / (ends + 2.0 * (prevalence == "rows"))
    few, many = prevalence_limits(prevalence, int(counts.n_pos), int(counts.n_neg), tail)
    hits, alarms = descending(counts.pos), descending(counts.neg)
    low, high = 0.0, 1.0
    if alternative != "less":
        low = min(_lowest(hits, alarms, share, tail, pi) for pi in {few, many})
    if alternative != "greater":  # of positives among the others, from the other end
        rest = hits[-1] - hits[::-1], alarms[-1] - alarms[::-1]
        high = 1.0 - min(_lowest(*rest, 1.0 - share, tail, pi) for pi in {few, many})
    return point_interval(low, high, delta, prevalence)


def lift_at_share(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    share: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """Return limits for the lift of the best q of the population: recall at q over q.

    The lift is also called the enrichment factor at q. The lift equals the precision at q divided
    by the prevalence. ``share`` is q; the method is that of `recall_at_share`.

    >>> rng = np.random.default_rng(0)
    >>> pos, neg = rng.normal(1.5, 1, 300), rng.normal(0, 1, 2000)
    >>> print(lift_at_share(pos, neg, 0.1, prevalence="rows"))
    [3.3152, 5.2527] at 95 % (mean-tails)
    """
    table = ScoreCounts.from_sorted(classes_of(pos_scores, neg_scores))
    return lift_at_share_of(table, share, delta, alternative, prevalence=prevalence)


def lift_at_share_of(
    counts: ScoreCounts,
    share: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    recall = recall_at_share_of(counts, share, delta, alternative, prevalence=prevalence)
    return _times(recall, 1.0 / share, 1.0 / share)


def precision_at_share(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    share: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """Return limits for the share of positives among the best q of the population.

    ``share`` is q, or k/N for the best k of N rows. If the prevalence π is known or is that of
    these rows, the precision is the recall of `recall_at_share` times π/q. Where rows were sampled,
    M ~ Bin(N, q) rows are among the best q, and given M = r the completed gain curve at r rows has
    the hinge limits of r rows. M lies between two quantiles, except with probability δ/4, and the
    limits are the outermost over those r, each at 3δ/8.

    >>> rng = np.random.default_rng(0)
    >>> pos, neg = rng.normal(1.5, 1, 300), rng.normal(0, 1, 2000)
    >>> print(precision_at_share(pos, neg, 0.1, prevalence="rows"))
    [0.4493, 0.6799] at 95 % (mean-tails)
    >>> print(precision_at_share(pos, neg, 0.1, prevalence="classes"))
    [0.4509, 0.6494] at 95 % (mean-tails)
    """
    table = ScoreCounts.from_sorted(classes_of(pos_scores, neg_scores))
    return precision_at_share_of(table, share, delta, alternative, prevalence=prevalence)


def precision_at_share_of(
    counts: ScoreCounts,
    share: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    check_inner(share, "share")
    tail = (1.0 - _OF_RANKS) * tail_share(delta, alternative)
    if prevalence != "rows":
        pi = _known(prevalence, counts)
        recall = recall_at_share_of(counts, share, delta, alternative, prevalence=prevalence)
        return _times(recall, pi / share, min(pi / share, 1.0))
    hits, alarms = descending(counts.pos), descending(counts.neg)
    rows, error = hits + alarms, _OF_RANKS * delta / 2.0
    q = np.array([share])
    first, last = (int(first_reaching(int(rows[-1]), q, e)[0]) for e in (error, 1.0 - error))
    start = np.array(spread(int(rows[-1]), max(first, 1), last), dtype=np.float64)
    end = np.append(start[1:] - 1.0, last)
    low, high = 0.0, 1.0
    if alternative != "less" and first > 0:
        found = np.interp(start, rows, hits)
        low = float(hinge_limits(found / end, end, tail, "greater")[0].min())
    if alternative != "greater" and first > 0:
        found = np.interp(start, rows, alarms)
        high = 1.0 - float(hinge_limits(found / end, end, tail, "greater")[0].min())
    return point_interval(low, high, delta, prevalence)


def _known(prevalence: Prevalence, counts: ScoreCounts) -> float:
    return prevalence_limits(prevalence, int(counts.n_pos), int(counts.n_neg), 0.5)[0]


def _times(recall: Interval, factor: float, largest: float) -> Interval:
    low, high = (min(factor * limit, largest) for limit in (recall.low, recall.high))
    return replace(recall, low=low, high=high, range=(0.0, largest))


def _lowest(hits: _FLOATS, alarms: _FLOATS, q: float, tail: float, pi: float) -> float:
    """Return the smallest recall among the share q, where a rising and a falling line meet."""
    m, n = hits[-1], alarms[-1]
    while True:
        at = np.unique(np.linspace(0, len(hits) - 1, _PLACES).astype(np.intp))
        of_hits = _hinge(hits[at], m, tail, "greater")
        of_alarms = (q - (1.0 - pi) * _hinge(alarms[at], n, tail, "less")) / pi
        meets = np.append((of_hits >= of_alarms)[:-1], True)  # at the last place at the latest
        after = max(int(np.argmax(meets)), 1)
        between = slice(at[after - 1], at[after] + 1)
        hits, alarms = hits[between], alarms[between]
        if len(hits) > 2:
            continue
        if min(np.diff(hits)[0] / m, np.diff(alarms)[0] / n) < _CLOSE:
            return min(max(float(of_hits[after - 1]), float(of_alarms[after]), 0.0), 1.0)
        hits, alarms = (np.linspace(each[0], each[1], _PLACES) for each in (hits, alarms))


def _hinge(counts: _FLOATS, size: float, tail: float, alternative: Alternative) -> _FLOATS:
    different, back = np.unique(counts, return_inverse=True)
    return _hinge_of(tuple(different.tolist()), float(size), tail, alternative)[back]


@lru_cache(maxsize=1024)
def _hinge_of(
    counts: tuple[float, ...], size: float, tail: float, alternative: Alternative
) -> _FLOATS:
    """Return cached limits: the few counts of few rows recur in other labelings."""
    limits = hinge_limits(np.array(counts) / size, size, tail, alternative)
    return limits[alternative == "less"]
