"""Limits of an AUC or a difference of many rows from a normal approximation with bounded errors."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from rocsolid.arguments import is_number
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import (
    Deviation,
    check_difference,
    check_sizes,
    check_value,
    tail_share,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.difference import difference_mcdiarmid
from rocsolid.intervals.guarantees.hinge import hinge, hinge_deviation
from rocsolid.intervals.guarantees.hoeffding import kl_deviation, kl_lower
from rocsolid.results import Alternative
from rocsolid.results.interval import COVARIANCE, CURVE, Interval
from rocsolid.summaries.moments import Moments

SOURCE = (
    "Shevtsova 2010 (Berry and Esseen's inequality) for the linear part, Massart 1990 and "
    "Hoeffding 1963 for the rest"
)
CLAIM = Claim("berry-esseen", SOURCE, reads=CURVE)
DIFFERENCE_CLAIM = Claim("berry-esseen", SOURCE, reads=COVARIANCE, range=(-1.0, 1.0))
CONSTANT = 0.56
"""Shevtsova, Doklady Mathematics 82 (2010), 862-864: for sums of different independent terms."""
_EXCLUDED = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)  # shares of the error for all events together
_OF_MATCHINGS = 1.5  # their reach over that of the normal approximation
_ROUNDING = 1.0 + 1e-9


def berry_esseen(
    auc: float,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    variances: tuple[float, float],
) -> Interval:
    """Return limits whose width approaches DeLong's, for tens of thousands of rows of each class.

    ``variances`` are the sample variances of the placements of the positives and of the negatives.
    A placement is the share of the other class on the row's correct side.

    An AUC near ½ is rejected if the observed AUC is too far away for the normal distribution with
    the largest plausible variance. The errors of this approximation are bounded,
    and each bound fails with a part of δ (docs/theorems/matchings.md). The hinge decides about the
    other AUCs, and matchings do in `best`. Each AUC has one test, which the class sizes choose, and
    so the limits fail with δ.

    >>> print(berry_esseen(0.76, 100_000, 100_000, variances=(0.05, 0.05)))
    [0.7577, 0.7623] at 95 % (berry-esseen)
    """
    m, n = check_sizes(n_pos, n_neg)
    _check_variances(variances)
    outer = hinge(auc, m, n, delta, alternative)
    tests = _approximation(m, n, tail_share(delta, alternative))
    return _interval(CLAIM, check_value(auc), tests, variances, outer, delta, alternative)


def berry_esseen_of(
    moments: Moments, outer: Interval, delta: float, alternative: Alternative
) -> Interval:
    """`berry_esseen` from DeLong's moments of independent rows.

    ``outer`` is the certified interval that decides about AUCs far from ½.
    """
    auc, m, n = (float(x) for x in (moments.auc, moments.n_pos, moments.n_neg))
    # a class of one row has no sample variance, and its only placement is the AUC
    of_pos, of_neg = float(moments.var_pos) * m, float(moments.var_neg) * n
    variances = (of_pos if m > 1 else 0.0, of_neg if n > 1 else 0.0)
    tests = _approximation(int(m), int(n), tail_share(delta, alternative))
    return _interval(CLAIM, auc, tests, variances, outer, delta, alternative)


def _interval(
    claim: Claim,
    value: float,
    tests: Approximation,
    variances: tuple[float, float],
    outer: Interval,
    delta: float,
    alternative: Alternative,
) -> Interval:
    reach, far = tests.reach(variances), tests.farthest
    bottom, top = claim.range
    low = bottom if alternative == "less" else value - reach
    high = top if alternative == "greater" else value + reach
    limits = _hull((low, high), (outer.low, outer.high), bottom + top - far, far)
    return claim.interval(limits, delta)


def berry_esseen_deviation(n_pos: int, n_neg: int, delta: float = 0.05) -> Deviation:
    """Return the largest distance between an AUC and a limit of `berry_esseen`.

    The variances of the placements of the two classes sum to at most 1/4, because they are parts of
    the variance of a pair (Hoeffding 1948). Where the sum is 1/4, the reach is quasi-concave
    because relative-entropy limits are concave, so one search finds the largest reach. Beyond
    ``farthest``, relative entropy bounds the distances of the hinge, which decrease there.

    >>> print(berry_esseen_deviation(100_000, 100_000))
    ±0.0034 at 95 % (berry-esseen)
    """
    from scipy.optimize import minimize_scalar

    m, n = check_sizes(n_pos, n_neg)
    tests = _approximation(m, n, tail_share(delta, "two-sided"))

    def reach(of_pos: float) -> float:
        parts = zip((of_pos, 0.25 - of_pos), (m, n), strict=True)
        pos, neg = (part * size / max(size - 1, 1) for part, size in parts)
        return tests.reach((pos, neg))

    inner = minimize_scalar(lambda of_pos: -reach(of_pos), bounds=(0.0, 0.25), method="bounded")
    outer = float(kl_deviation(m, n, delta))
    far_off = (first := tests.farthest - outer) > 0.5 + outer
    outer = float(kl_deviation(m, n, delta, first) if far_off else hinge_deviation(m, n, delta))
    return CLAIM.deviation(max(-inner.fun, reach(0.0), reach(0.25), outer), delta)


def _check_variances(variances: tuple[float, float]) -> None:
    for value in variances:
        if not (is_number(value) and value >= 0.0):
            raise InputError("a variance must not be negative", where="variances", value=value)


def _hull(
    middle: tuple[float, float], outer: tuple[float, float], first: float, last: float
) -> tuple[float, float]:
    """The ends of ``middle`` between ``first`` and ``last``, and of ``outer`` elsewhere.

    >>> _hull((0.2, 0.4), (0.15, 0.5), 0.1, 0.9), _hull((0.8, 0.95), (0.7, 0.99), 0.1, 0.9)
    ((0.2, 0.4), (0.8, 0.99))
    """
    accepted = [
        (max(middle[0], first), min(middle[1], last)),
        (outer[0], min(outer[1], first)),
        (max(outer[0], last), outer[1]),
    ]
    ends = [(low, high) for low, high in accepted if low <= high]
    return min(low for low, _ in ends), max(high for _, high in ends)


FEWEST_OF_DIFFERENCES = 100_000
"""Rows of the smaller class from which these limits of differences are shorter than matchings."""
_FARTHEST_DIFFERENCE = 0.5
_SPREAD_OF_DIFFERENCES = 0.03, 0.03  # variances of the placements of two scores that are alike


def difference_berry_esseen(
    difference: float,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    variances: tuple[float, float],
) -> Interval:
    """Return limits for the difference of the AUCs of two scores of the same, many rows.

    ``variances`` are the sample variances of the differences of placements of the positives and of
    the negatives. The method is that of `berry_esseen`, and McDiarmid's inequality decides about
    differences beyond ±½.

    >>> print(difference_berry_esseen(0.01, 10**6, 10**6, variances=(0.01, 0.01)))
    [0.0097, 0.0103] at 95 % (berry-esseen)
    """
    value = check_difference(difference)
    m, n = check_sizes(n_pos, n_neg)
    _check_variances(variances)
    outer = difference_mcdiarmid(value, 1.0 / m + 1.0 / n, delta, alternative)
    tests = _of_differences(m, n, tail_share(delta, alternative))
    return _interval(DIFFERENCE_CLAIM, value, tests, variances, outer, delta, alternative)


@lru_cache(maxsize=64)
def _of_differences(n_pos: int, n_neg: int, share: float) -> Approximation:
    each = [
        Approximation(n_pos, n_neg, share, excluded, _FARTHEST_DIFFERENCE, scores=2)
        for excluded in _EXCLUDED
    ]
    return min(each, key=lambda tests: tests.reach(_SPREAD_OF_DIFFERENCES))


@lru_cache(maxsize=64)
def _approximation(n_pos: int, n_neg: int, share: float) -> Approximation:
    """The approximation with the shortest reach for an AUC of ¾, and with its farthest AUC.

    Neither choice reads the scores.
    """

    def excess(far: float, excluded: float) -> float:
        """The reach for scores with this AUC and Hanley and McNeil's variance, less matchings'."""
        spread = far / (2.0 - far) - far**2, 2.0 * far**2 / (1.0 + far) - far**2
        reach = Approximation(n_pos, n_neg, share, excluded, far).reach(spread)
        std_error = math.sqrt(spread[0] / n_pos + spread[1] / n_neg)
        return reach + _OF_MATCHINGS * NormalDist().inv_cdf(share) * std_error

    excluded = min(_EXCLUDED, key=lambda some: excess(0.75, some))
    low, high = 0.5, 1.0
    for _ in range(20):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if excess(middle, excluded) < 0.0 else (low, middle)
    return Approximation(n_pos, n_neg, share, excluded, low)


@dataclass(frozen=True, slots=True)
class Approximation:
    """One-sided tests of the AUCs from 1 − ``farthest`` to ``farthest``, each with error ``share``.

    With two ``scores``, the tests are of differences from −``farthest`` to ``farthest``. The share
    ``excluded`` of the error is for the events that the bounds of the errors exclude: the
    distribution functions of each score in both classes, two variances and the remainder.
    """

    n_pos: int
    n_neg: int
    share: float
    excluded: float
    farthest: float
    scores: int = 1

    def reach(self, variances: tuple[float, float]) -> float:
        """Return the distance from the observed value beyond which every candidate is rejected.

        `_at` increases with the distance d and grows more slowly than d, so d = _at(d) has one
        solution, and iterates from above stay above it.
        """
        distance = float(self.scores)
        while (closer := self._at(distance, variances)) < distance * (1.0 - 1e-6):
            distance = closer
        return distance

    def _at(self, distance: float, variances: tuple[float, float]) -> float:
        """Return the largest plausible Â − a for a candidate a at this distance from Â."""
        sizes, others = (self.n_pos, self.n_neg), (self.n_neg, self.n_pos)
        event = self.excluded * self.share / (2 * self.scores + 3)
        uniform = [
            self.scores * math.sqrt(math.log(2.0 / event) / (2.0 * other)) for other in others
        ]
        # a placement differs by at most so much from a candidate, and a difference of placements
        most = self.farthest if self.scores == 1 else 1.0 + self.farthest
        square = most**2
        mean = [
            min((math.hypot(math.sqrt(value * (size - 1) / size), distance) + error) ** 2, square)
            for value, size, error in zip(variances, sizes, uniform, strict=True)
        ]
        bound = -math.log(event) / np.array(sizes)
        largest = square * (1.0 - kl_lower(1.0 - np.array(mean) / square, bound))
        deviation = math.sqrt(float((largest / sizes).sum()))
        rest = uniform[0] * math.sqrt(-2.0 * math.log(event) / self.n_pos)
        share = (1.0 - self.excluded) * self.share
        reach = linear_reach(deviation, most / min(sizes), share) + rest
        return min(max(reach, 0.0), float(self.scores)) * _ROUNDING


def linear_reach(deviation: float, largest: float, share: float) -> float:
    """Return x with P(L ≥ x) ≤ ``share`` for sums L of independent terms with mean 0.

    Each term is at most ``largest`` in absolute value, and the standard deviation σ of L at most
    ``deviation``. Bernstein's inequality bounds L for every σ, and P(L ≥ σz) ≤ 1 − Φ(z) + K/σ with
    K = .56 ``largest``, because Σ E|ξ|³ ≤ ``largest``·σ². The quantile σz of the second bound first
    falls and then rises in σ, because its slope z − (K/σ)/φ(z) has the sign of zφ(z) + 1 − Φ(z) −
    ``share``, which falls in z, and z falls in σ. So its largest value lies at an end.

    >>> round(linear_reach(0.001, 1e-5, 0.025), 6), NormalDist().inv_cdf(0.975)
    (0.002066, 1.9599...)
    >>> linear_reach(0.001, 1e-3, 0.025) > 0.0027
    True
    """
    normal, log = NormalDist(), -math.log(share)

    def bernstein(sigma: float) -> float:
        third = largest * log / 3.0
        return third + math.hypot(third, sigma * math.sqrt(2.0 * log))

    # beyond it, the quantile is below √(2 ln(1/share)) standard deviations, and Bernstein's is not
    turn = CONSTANT * largest / (share - normal.cdf(-math.sqrt(2.0 * log)))
    if deviation <= turn:
        return bernstein(deviation)
    z = -normal.inv_cdf(share - CONSTANT * largest / deviation)
    return max(bernstein(turn), deviation * z)
