"""The power of a test of one area: how often an interval of it leaves out the null."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area_inference import ENOUGH
from rocsolid.binary.partial_area import Region
from rocsolid.intervals.calibrated.table import METHODS
from rocsolid.plan.curve import WHOLE, NormalCurve
from rocsolid.plan.solve import DEVIATES
from rocsolid.plan.variances import MODELS
from rocsolid.results import Alternative
from rocsolid.summaries.moments import Moments

_FLOATS = NDArray[np.float64]
TESTS = ("score", "auto", "delong", "logit-t", "newcombe5")
"""The z test with the variance under the null, and the intervals of `rocsolid.auc`."""
IN_REGIONS = ("score", "auto", "logit-t", "wald")
"""And those of `rocsolid.partial_auc`."""
STEPS = 801


class RejectionRates(NamedTuple):
    """How often the test says that the AUC lies where it does, and how often the other way."""

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
        """1 where an AUC above the null counts as found, −1 where one below does."""
        if self.alternative == "two-sided":
            return 1 if auc >= self.null else -1
        return 1 if self.alternative == "greater" else -1

    def std_error(self, auc: float, n_pos: float, n_neg: float) -> float:
        """The standard deviation of the estimated area."""
        found = MODELS[self.variance].one(NormalCurve(auc, self.spread), self.region)
        return math.sqrt(found.at(n_pos, n_neg))

    def area(self, auc: float) -> float:
        return NormalCurve(auc, self.spread).area(self.region)

    def power(self, auc: float, alpha: float, n_pos: float, n_neg: float) -> RejectionRates:
        """The probability of a rejection on the right side, and of one on the wrong side.

        The estimate is taken as normal. "score" compares (Ŝ − S₀)/σ₀ with a normal quantile, σ₀ the
        standard deviation under the null; any other test is the share of estimates whose interval
        leaves out the null.
        """
        up, down = (_score if self.test == "score" else _interval)(self, auc, alpha, n_pos, n_neg)
        if self.alternative != "two-sided":
            return RejectionRates(up if self.alternative == "greater" else down, 0.0)
        return RejectionRates(up, down) if self.side(auc) > 0 else RejectionRates(down, up)


def critical(alpha: float, alternative: Alternative) -> float:
    """The normal quantile that a statistic must pass.

    >>> print(f"{critical(0.05, 'two-sided'):.6f} {critical(0.05, 'greater'):.6f}")
    1.959964 1.644854
    """
    from scipy.special import ndtri

    return -float(ndtri(alpha / 2.0 if alternative == "two-sided" else alpha))


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
    return _share_above(low - null, share, centre, error), _share_above(
        null - high, share, centre, error
    )


def _share_above(height: _FLOATS, places: _FLOATS, centre: float, error: float) -> float:
    """The probability that a height, straight between known places, is above 0 at a normal one."""
    from scipy.special import ndtr

    height = np.where(np.isnan(height), -1.0, height)
    above = height > 0.0
    crossings = np.flatnonzero(above[1:] != above[:-1])
    left, right = height[crossings], height[crossings + 1]
    place = places[crossings] + (places[crossings + 1] - places[crossings]) * left / (left - right)
    below = ndtr((place - centre) / error)
    signs = np.where(above[crossings + 1], -1.0, 1.0)  # into the part above, or out of it
    return min(max(float(above[-1]) + float(signs @ below), 0.0), 1.0)


@lru_cache(maxsize=32)
def _estimates(
    spread: float, region: Region, variance: str
) -> tuple[_FLOATS, _FLOATS, _FLOATS, _FLOATS]:
    """Possible estimates as shares of the largest area, with the parts of their variance."""
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
