"""A point of the completed ROC or gain curve: how far a count may be from its expectation."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import IID, tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.hinge import binomial_tails, hinge_limits
from rocsolid.intervals.guarantees.prevalence import (
    Prevalence,
    prevalence_limits,
    share_of_each,
    stated,
)
from rocsolid.intervals.guarantees.weighted_area import CURVE as COMPLETED
from rocsolid.intervals.guarantees.weighted_band import classes_of
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import CURVE
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
    """Limits for the precision of the population at the threshold where its recall is r.

    It is πr/(πr + (1−π)f), f the false-positive rate at which the completed ROC curve reaches r: at
    a tie rows are flagged at random. With a prevalence that is a number it is also the positive
    predictive value at the sensitivity r.

    r and f are fixed. Had all rows a random number to break ties, there would be a threshold with
    these two rates, and I ~ Bin(m, r) positives and J ~ Bin(n, f) negatives above it, independent.
    The random numbers averaged out, (E I/m, E J/n) is a point on the completed curve of the sample.
    By Jensen's inequality E(I) lies below the mean of the largest values of I that have the chance
    s together, except with a chance of at most s: P(x ≤ E I) ≤ E(I−j)₊/(x−j), which is s at
    x = j + E(I−j)₊/s, for the j with the smallest such x. So the point of the sample is no higher
    than that, which bounds its false-positive rate, and the hinge does so for f; likewise from
    below. Each of the four may fail with δ/4 (δ/2 of two in a limit alone), and where rows were
    sampled each limit of the prevalence has the same part: δ/6 (δ/3).

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
    """The same from a table of counts."""
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
    """The mean of the largest values of Bin(size, chance) that have the chance ``share`` together.

    A count with this distribution given more, averaged over what is unknown, reaches the mean with
    no more than that chance: see `precision_at_recall`.

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
    """How many rows of a class lie above the scores from the highest threshold to the lowest."""
    return np.append(0.0, np.cumsum(each[::-1]))


def last_at(x: _FLOATS, y: _FLOATS, height: float) -> float:
    """The largest x at which the line through the points, which rise, is no higher than that.

    >>> last_at(np.array([0.0, 2.0, 4.0]), np.array([0.0, 0.0, 1.0]), 0.5)
    3.0
    """
    at = int(np.searchsorted(y, height, side="right")) - 1
    if at == len(y) - 1:
        return float(x[-1])
    return float(x[at] + (x[at + 1] - x[at]) * (height - y[at]) / (y[at + 1] - y[at]))


def first_at(x: _FLOATS, y: _FLOATS, height: float) -> float:
    """The smallest x at which the line is at least so high.

    >>> first_at(np.array([0.0, 2.0, 4.0]), np.array([0.0, 0.0, 1.0]), 0.5)
    3.0
    """
    at = int(np.searchsorted(y, height, side="left"))
    if at == 0:
        return float(x[0])
    return float(x[at] - (x[at] - x[at - 1]) * (y[at] - height) / (y[at] - y[at - 1]))


def check_inner(value: float, name: str) -> None:
    """Refuse what is no share strictly between 0 and 1."""
    if not (is_number(value) and 0.0 < value < 1.0):
        raise InputError(f"{name} must lie strictly between 0 and 1", where=name, value=value)


def point_interval(low: float, high: float, delta: float, prevalence: Prevalence) -> Interval:
    claim = Claim("mean-tails", SOURCE, (*IID, COMPLETED, stated(prevalence)), CURVE)
    return claim.interval((low, high), delta)
