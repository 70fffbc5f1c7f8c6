"""Areas that grow with the completed ROC curve: read off a curve below it and one above it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import IID, tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.prevalence import (
    Prevalence,
    prevalence_limits,
    share_of_each,
    stated,
)
from rocsolid.intervals.guarantees.rate_box import SOURCE, RateBox
from rocsolid.intervals.guarantees.weighted_area import CURVE as COMPLETED
from rocsolid.intervals.guarantees.weighted_band import classes_of
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import CURVE
from rocsolid.summaries.sorted_classes import SortedClasses

_FLOATS = NDArray[np.float64]
_Area = Callable[[_FLOATS, _FLOATS, float], float]


def precision_area(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """Limits for the area under the precision-recall curve of Davis and Goadrich (2006).

    Their curve belongs to the completed ROC curve, which is straight over a tie: at recall u it is
    πu/(πu + (1−π)f), f the false-positive rate where that curve reaches u. Without ties in the
    population the area is the average precision. It rises with π, which ``prevalence`` says how to
    take, and with the curve: see `completed_area`.

    >>> rng = np.random.default_rng(0)
    >>> pos, neg = rng.normal(1.5, 1, 300).round(), rng.normal(0, 1, 2000).round()
    >>> print(precision_area(pos, neg, prevalence="classes"))
    [0.3147, 0.6477] at 95 % (rate-bands)
    """
    classes = classes_of(pos_scores, neg_scores)
    return precision_area_of(classes, delta, alternative, prevalence=prevalence)


def precision_area_of(
    classes: SortedClasses,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """The same from sorted scores."""
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
    """Limits for BEDROC (Truchon and Bayly 2007) of the population: early positives count most.

    A positive behind the share s of the population counts e^(−αs), and s = πu + (1−π)f at recall u
    on the completed ROC curve, which places the rows of a tie in random order. The mean over u is
    put on a scale from 0, all positives last, to 1, all positives first. The value of a list tends
    to this one as the list grows.

    With β = α(1−π) it is the mean of g = (e^(−βf) − e^(−β))/(1 − e^(−β)) over u with a density
    proportional to e^(−απu). g falls in f, and f rises with u, so that a higher curve has a larger
    mean. It rises with π too: g rises as β falls, and the density moves to smaller u, where g is
    larger. See `completed_area`.

    >>> rng = np.random.default_rng(0)
    >>> pos, neg = rng.normal(1.5, 1, 300), rng.normal(0, 1, 2000)
    >>> print(bedroc(pos, neg, prevalence="classes"))
    [0.4689, 0.7995] at 95 % (rate-bands)
    """
    classes = classes_of(pos_scores, neg_scores)
    return bedroc_of(classes, alpha, delta, alternative, prevalence=prevalence)


def bedroc_of(
    classes: SortedClasses,
    alpha: float = 20.0,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """The same from sorted scores."""
    if not (is_number(alpha) and 0.0 < alpha < np.inf):
        raise InputError("not a positive number", where="alpha", value=alpha)

    def area(fpr: _FLOATS, tpr: _FLOATS, pi: float) -> float:
        by_recall, beta = alpha * pi, alpha * (1.0 - pi)
        early = _exponentials(by_recall * tpr + beta * fpr) - np.exp(-beta) * _exponentials(
            by_recall * tpr
        )
        scale = np.expm1(-by_recall) * np.expm1(-beta) / by_recall
        return float(np.diff(tpr) @ early / scale)

    return completed_area(classes, area, delta, alternative, prevalence)


def completed_area(
    classes: SortedClasses,
    area: _Area,
    delta: float,
    alternative: Alternative,
    prevalence: Prevalence,
) -> Interval:
    """Limits for an area that rises with the completed ROC curve and with the prevalence.

    At each score of the sample and above all of them bands of both classes give the lower limit of
    one rate and the upper one of the other, and so a corner below and to the right of the true one.
    The same corner is beyond those of all lower thresholds down to, but without, the next score.
    So the true curve, which rises, is above the stairs of these corners. Where a score is a tie, it
    is a straight line from a point above the one corner to a point above the next, and so above
    the straight line between them, as it is at both ends of what the two lines have in common and
    as it rises beyond them. With the limits exchanged all is the other way round.

    Each band may fail with δ/4 (δ/2 in a limit alone), and where rows were sampled each limit of
    the prevalence with the same part as a band: δ/6 (δ/3).
    """
    share = share_of_each(tail_share(delta, alternative), prevalence, 2)
    few, many = prevalence_limits(prevalence, len(classes.pos), len(classes.neg), share)
    box = RateBox.of(classes, share, alternative)
    low = 0.0 if alternative == "less" else area(*_curve(box.fpr[1], box.tpr[0]), few)
    high = 1.0 if alternative == "greater" else area(*_curve(box.fpr[0], box.tpr[1]), many)
    claim = Claim("rate-bands", SOURCE, (*IID, COMPLETED, stated(prevalence)), CURVE)
    return claim.interval((low, high), delta)


def _curve(fpr: _FLOATS, tpr: _FLOATS) -> tuple[_FLOATS, _FLOATS]:
    return np.concatenate([[0.0], fpr, [1.0]]), np.concatenate([[0.0], tpr, [1.0]])


def _under_precision(fpr: _FLOATS, tpr: _FLOATS, pi: float) -> float:
    return float(np.diff(tpr) @ mean_precision(tpr, fpr, pi))


def mean_precision(tpr: _FLOATS, fpr: _FLOATS, pi: float) -> _FLOATS:
    """The mean of πu/(πu + (1−π)f) along each straight piece of a curve, over u.

    πu/D for D from D₀ to D₁ has the mean πu₀/D₀·L + πΔu/ΔD·(1−L), L = ln(1+x)/x, x = ΔD/D₀.

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
    """The mean of e^(−x) along each piece."""
    step = np.diff(exponent)
    mean = np.where(step > 0.0, -np.expm1(-step) / np.where(step > 0.0, step, 1.0), 1.0)
    return np.asarray(np.exp(-exponent[:-1]) * mean)
