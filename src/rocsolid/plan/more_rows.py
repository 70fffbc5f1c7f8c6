"""The size, level or AUC at which a plan reaches its target, and predictions for more rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import Region
from rocsolid.binary.area_inference import ENOUGH
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.calibrated.auto import METHODS, hull_share
from rocsolid.plan.sizes import LARGEST
from rocsolid.plan.unknown import chosen
from rocsolid.plan.variances import MODELS, WHOLE, NormalCurve
from rocsolid.results import Alternative
from rocsolid.summaries.moments import Moments

TOO_MANY = float(LARGEST)
_NORMAL, _FAR = 1e5, 35.0  # degrees of freedom and shifts from which non-central t is normal
SMALLEST_ALPHA = 1e-15
DEVIATES = 5.0
"""The search for AUCs covers Φ(−5) to Φ(5)."""
Reached = Callable[[float], float]


def size_for(power: Reached, target: float, alpha: float, least: float, name: str) -> float:
    """Return the smallest size of a class, or of both in proportion, that reaches the power.

    >>> print(f"{size_for(lambda n: 1 - 1 / n, 0.9, 0.05, 1.0, 'n_pos'):.6f}")
    10.000000
    """
    if target <= alpha:
        raise InputError(
            f"a power of at most 1 − level = {alpha:g} takes no data",
            where="power",
            value=target,
            fix="plan for more power, such as power=0.8",
        )
    size = first_size(lambda n: power(n) - target, least)
    if size is None:
        raise InputError(
            f"no number is enough: {TOO_MANY:.0e} rows give a power of {power(TOO_MANY):.4f}",
            where=name,
            value=target,
            fix="plan for less power, or let the other class grow too (prevalence=)",
        )
    return size


def alpha_for(power: Reached, target: float, most: float) -> float:
    """Return the alpha that just reaches the power; the search stops at 1e-15.

    >>> print(f"{alpha_for(lambda a: a**0.5, 0.2, 1.0):.6f}")
    0.040000
    """
    path = np.append(np.geomspace(SMALLEST_ALPHA, 0.99 * most, 80), most * (1.0 - 1e-12))
    alpha = first_along(lambda a: power(a) - target, path.tolist())
    if alpha is not None:
        return alpha
    if power(SMALLEST_ALPHA) >= target:
        raise InputError(
            f"the power is higher even at a level of 1 − {SMALLEST_ALPHA:g}: "
            f"{power(SMALLEST_ALPHA):.6f}",
            where="power",
            value=target,
            fix="give level and leave power out",
        )
    raise InputError(
        f"no level is low enough: the lowest gives a power of {power(path[-1]):.4f}",
        where="power",
        value=target,
        fix="give more rows, or leave the sizes out to solve for them",
    )


def size_for_width(spare: Reached, name: str) -> float:
    """Return the smallest size of a class, or of both in proportion, with a narrow enough interval.

    >>> print(f"{size_for_width(lambda n: 0.1 - 1 / n, 'n_pos'):.6f}")
    10.000000
    """
    size = first_size(spare, 1.0)
    if size is None:
        raise InputError(
            f"no number is enough: the interval is too wide even with {TOO_MANY:.0e} rows",
            where=name,
            fix="plan for a wider interval, or let the other class grow too (prevalence=)",
        )
    return size


def level_for(excess: Reached) -> float:
    """Return the level at which the interval has the requested width.

    >>> print(f"{level_for(lambda level: level - 0.9):.6f}")
    0.900000
    """
    path = 1.0 - np.geomspace(1.0 - 1e-6, 1e-12, 100)
    level = first_along(excess, path.tolist())
    if level is None:
        raise InputError(
            "no level gives exactly this width",
            where="half_width",
            fix="give level and leave half_width out",
        )
    return level


def auc_for(power: Reached, target: float, path: Iterable[float]) -> float:
    """Return the first AUC along a path that reaches the power.

    >>> print(f"{auc_for(lambda a: 2 * a - 1, 0.6, (0.5, 0.7, 0.9)):.6f}")
    0.800000
    """
    places = list(path)
    auc = first_along(lambda a: power(a) - target, places)
    if auc is None:
        best = max((power(a) for a in places), default=0.0)
        if places and power(places[0]) >= target:
            best = power(places[0])
            raise InputError(
                f"the power is at least {best:.4f} at any AUC",
                where="power",
                value=target,
                fix="plan for more power than 1 − level",
            )
        raise InputError(
            f"no AUC is far enough away: the highest power is {best:.4f}",
            where="power",
            value=target,
            fix="give more rows, or leave the sizes out to solve for them",
        )
    return auc


def aucs_between(start: float, end: float, count: int = 200) -> list[float]:
    """Return AUCs between two ends in even steps of normal deviates.

    >>> [round(auc, 3) for auc in aucs_between(0.5, 0.9, 3)]
    [0.5, 0.739, 0.9]
    """
    from scipy.special import ndtr, ndtri

    low, high = float(ndtr(-DEVIATES)), float(ndtr(DEVIATES))
    first, last = (float(ndtri(min(max(auc, low), high))) for auc in (start, end))
    return [float(auc) for auc in ndtr(np.linspace(first, last, count))]


def first_size(surplus: Reached, least: float) -> float | None:
    """Return the smallest size from ``least`` on with a surplus of 0 or more, or None.

    The surplus should not fall with the size.

    >>> print(f"{first_size(lambda n: n**0.5 - 7, 1.0):.9f}", first_size(lambda n: -1 / n, 1.0))
    49.000000000 None
    """
    low = high = least
    while surplus(high) < 0.0:
        if high >= TOO_MANY:
            return None
        low, high = high, min(2.0 * high, TOO_MANY)
    return least if high == least else _between(surplus, low, high)


def first_along(surplus: Reached, path: Iterable[float]) -> float | None:
    """Return the first place along a path at which the surplus turns from below 0 to 0 or more.

    >>> print(f"{first_along(lambda x: x * x - 0.25, (0.0, 0.4, 0.8, 1.0)):.9f}")
    0.500000000
    """
    before: float | None = None
    for place in path:
        if surplus(place) >= 0.0:
            return None if before is None else _between(surplus, before, place)
        before = place
    return None


def _between(surplus: Reached, low: float, high: float) -> float:
    from scipy.optimize import brentq

    if surplus(high) == 0.0:
        return high
    root = float(brentq(surplus, low, high, xtol=1e-300, rtol=1e-14, maxiter=500))
    # at a jump the root lies just before the jump
    return root if surplus(root) >= 0.0 else root + (high - root) * 1e-12


_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MoreRows:
    """A prediction for more of the same rows, in the same class ratio.

    With t times the rows of each class (or t times the clusters), each observed part of the
    variance is divided by t. ``moments`` are the moments of the current rows. ``interval`` is a
    calibrated two-sided interval of `rocsolid.auc`. The prediction is as uncertain as the observed
    variance.

    >>> found = MoreRows(Moments(0.8, 0.0008, 0.0002, 100.0, 400.0))
    >>> print(f"{found.half_widths(np.array([1.0, 4.0]))[0]:.4f} {found.times(0.01):.2f}")
    0.0625 38.43
    """

    moments: Moments
    interval: str = "auto"
    level: float = 0.95

    def half_widths(self, times: _FLOATS) -> _FLOATS:
        """Return half the interval's width at each multiple of the rows, or NaN without limits."""
        chosen("interval", self.interval, METHODS)
        low, high = METHODS[self.interval].limits(self._grown(times), self.level, "two-sided")
        return np.asarray((high - low) / 2.0, dtype=np.float64)

    def changes(self, times: _FLOATS) -> bool:
        """Return whether the default interval blends into another formula over these multiples."""
        return self.interval == "auto" and float(np.ptp(hull_share(self._grown(times)))) > 0.0

    def _grown(self, times: _FLOATS) -> Moments:
        now = self.moments
        return Moments(
            np.full(times.shape, now.auc),
            now.var_pos / times,
            now.var_neg / times,
            now.n_pos * times,
            now.n_neg * times,
            units=None if now.units is None else now.units.grown(times),
        )

    def times(self, half_width: float) -> float | None:
        """Return the smallest multiple of the rows with this half width; 1 if already reached.

        The result is ``None`` if even 10⁸ units of a class are too few, or if there are no limits.
        """
        most = LARGEST / max(float(np.max(self.moments.n_pos)), float(np.max(self.moments.n_neg)))

        def spare(times: float) -> float:
            reached = float(self.half_widths(np.array([times]))[0])
            return -1.0 if np.isnan(reached) else half_width - reached

        fewest = first_size(spare, 1.0)
        return None if fewest is None or fewest > max(most, 1.0) else fewest


TESTS = ("score", "auto", "delong", "logit-t", "newcombe5")
"""The z test with the variance under the null, and the intervals of `rocsolid.auc`."""
IN_REGIONS = ("score", "auto", "logit-t", "wald")
"""The z test, and the intervals of `rocsolid.partial_auc`."""
STEPS = 801


class RejectionRates(NamedTuple):
    """The probabilities of a rejection on the side of the truth and on the other side."""

    right: float
    wrong: float


@dataclass(frozen=True, slots=True)
class AreaTest:
    """A test of one area against the area of a null AUC, with the same region and spread."""

    null: float
    region: Region
    spread: float
    variance: str
    test: str
    alternative: Alternative

    def side(self, auc: float) -> int:
        """Return 1 if the test looks for AUCs above the null, and −1 for AUCs below."""
        if self.alternative == "two-sided":
            return 1 if auc >= self.null else -1
        return 1 if self.alternative == "greater" else -1

    def std_error(self, auc: float, n_pos: float, n_neg: float) -> float:
        parts = MODELS[self.variance].one(NormalCurve(auc, self.spread), self.region)
        return math.sqrt(parts.at(n_pos, n_neg))

    def area(self, auc: float) -> float:
        return NormalCurve(auc, self.spread).area(self.region)

    def power(self, auc: float, alpha: float, n_pos: float, n_neg: float) -> RejectionRates:
        """Return the probabilities of rejecting in the right and in the wrong direction.

        The estimate is treated as normal. "score" compares (Ŝ − S₀)/σ₀ with a normal quantile,
        where σ₀ is the standard deviation under the null. For any other test, the power is the
        share of estimates whose interval excludes the null.
        """
        up, down = (_score if self.test == "score" else _interval)(self, auc, alpha, n_pos, n_neg)
        if self.alternative != "two-sided":
            return RejectionRates(up if self.alternative == "greater" else down, 0.0)
        return RejectionRates(up, down) if self.side(auc) > 0 else RejectionRates(down, up)


def critical(alpha: float, alternative: Alternative, df: float | None = None) -> float:
    """Return the critical value of a statistic: normal, or t with ``df`` degrees of freedom.

    >>> print(f"{critical(0.05, 'two-sided'):.6f} {critical(0.05, 'greater'):.6f}")
    1.959964 1.644854
    """
    from scipy.special import ndtri, stdtrit

    share = alpha / 2.0 if alternative == "two-sided" else alpha
    return -float(ndtri(share) if df is None else stdtrit(df, share))


def exceeded(shift: float, needed: float, df: float | None) -> float:
    """Return P(T > ``needed``) for a normal or non-central t statistic T with mean ``shift``.

    >>> round(exceeded(2.8, 1.96, None), 4), round(exceeded(2.8, 2.26, 9.0), 4)
    (0.7995, 0.704)
    """
    from scipy.special import nctdtr, ndtr

    if df is None or df > _NORMAL or abs(shift) > _FAR:
        return float(ndtr(shift - needed))
    return 1.0 - float(nctdtr(df, shift, needed))


def _score(
    test: AreaTest, auc: float, alpha: float, n_pos: float, n_neg: float
) -> tuple[float, float]:
    from scipy.special import ndtr

    sizes = n_pos, n_neg
    distance = test.area(auc) - test.area(test.null)
    needed = critical(alpha, test.alternative) * test.std_error(test.null, *sizes)
    error = test.std_error(auc, *sizes)
    return float(ndtr((distance - needed) / error)), float(ndtr((-distance - needed) / error))


def _interval(
    test: AreaTest, auc: float, alpha: float, n_pos: float, n_neg: float
) -> tuple[float, float]:
    largest = test.region.maximum
    share, pos, neg, pairs = _estimates(test.spread, test.region, test.variance)
    m, n = n_pos, n_neg
    if test.region != WHOLE and test.test == "auto":
        m, n = _in_region(test.region, n_pos, n_neg)
        if min(m, n) < 1.0:
            return 0.0, 0.0
        if min(m, n) >= ENOUGH:
            m, n = n_pos, n_neg
    shared = pairs / (2.0 * n_pos * n_neg)
    # an estimate within half a pair of 0 or 1 is 0 or 1
    last = (share > 1.0 - 0.5 / (n_pos * n_neg)) | (share < 0.5 / (n_pos * n_neg))
    moments = Moments(
        np.where(last, np.round(share), share),
        np.where(last, 0.0, pos / n_pos + shared),
        np.where(last, 0.0, neg / n_neg + shared),
        np.full(STEPS, float(m)),
        np.full(STEPS, float(n)),
    )
    method = METHODS["delong" if test.test == "wald" else test.test]
    low, high = method.limits(moments, 1.0 - alpha, test.alternative)
    null = test.area(test.null) / largest
    centre, error = test.area(auc) / largest, test.std_error(auc, n_pos, n_neg) / largest
    up, down = (_share_above(gap, share, centre, error) for gap in (low - null, null - high))
    return up, down


def _share_above(height: _FLOATS, places: _FLOATS, centre: float, error: float) -> float:
    """Return the probability that a height, linear between places, is above 0 at a normal place."""
    from scipy.special import ndtr

    height = np.where(np.isnan(height), -1.0, height)
    above = height > 0.0
    crossings = np.flatnonzero(above[1:] != above[:-1])
    left, right = height[crossings], height[crossings + 1]
    place = places[crossings] + (places[crossings + 1] - places[crossings]) * left / (left - right)
    below = ndtr((place - centre) / error)
    signs = np.where(above[crossings + 1], -1.0, 1.0)  # -1 where the height turns positive
    return min(max(float(above[-1]) + float(signs @ below), 0.0), 1.0)


@lru_cache(maxsize=32)
def _estimates(
    spread: float, region: Region, variance: str
) -> tuple[_FLOATS, _FLOATS, _FLOATS, _FLOATS]:
    """Return possible estimates as shares of the largest area, with the parts of their variance."""
    from scipy.special import ndtr

    curves = [NormalCurve(float(ndtr(x)), spread) for x in np.linspace(-DEVIATES, DEVIATES, STEPS)]
    largest = region.maximum
    parts = [MODELS[variance].one(curve, region) for curve in curves]
    share = np.array([curve.area(region) / largest for curve in curves])
    pos, neg, pairs = (
        np.array([getattr(part, name) for part in parts]) / largest**2
        for name in ("pos", "neg", "pairs")
    )
    return share, pos, neg, pairs


def _in_region(region: Region, n_pos: float, n_neg: float) -> tuple[float, float]:
    (a, b), (c, d) = region.fpr, region.tpr
    return n_pos * (d - c), n_neg * (b - a)
