"""The options of an estimate, and the corrected interval for the winner of a comparison."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.intervals.guarantees.checks import check_alternative, check_level
from rocsolid.results import Alternative
from rocsolid.results.comparison import Winner
from rocsolid.summaries.strata import rounding


@dataclass(frozen=True, slots=True)
class EstimateOptions:
    """The options for the interval of an estimate and for its scores; see `rocsolid.auc`."""

    interval: str = "auto"
    level: float = 0.95
    alternative: Alternative = "two-sided"
    lower_is_better: bool = False
    nan: Literal["raise", "omit"] = "raise"

    def __post_init__(self) -> None:
        check_level(self.level)
        check_alternative(self.alternative)

    def together(self, count: int) -> EstimateOptions:
        """Return options for each of ``count`` certified intervals that hold together."""
        level = 1.0 - (1.0 - self.level) / count
        return replace(self, interval="auto", level=level, alternative="two-sided")


_FLOATS = NDArray[np.float64]
_SHARE = 0.1  # of the error, for the simultaneous interval, as Andrews et al. have it
_HALVINGS = 60


def leader(values: _FLOATS) -> int:
    """Return the position of the highest value, the first up to rounding."""
    return int(np.argmax(values >= values.max() - rounding(float(values.max()))))


def on_logits(values: _FLOATS) -> tuple[_FLOATS, _FLOATS]:
    """Return logits and their slopes, or the values unchanged if a value is at an end."""
    from scipy.special import logit

    if not bool(((values > 0.0) & (values < 1.0)).all()):
        return values, np.ones(len(values))
    return np.asarray(logit(values)), 1.0 / (values * (1.0 - values))


def picked(
    names: Sequence[str], values: _FLOATS, covariance: _FLOATS, df: float, level: float, *,
    logits: bool, range: tuple[float, float] = (-np.inf, np.inf), decimals: int = 4,
) -> Winner:  # fmt: skip
    """Return the hybrid interval of Andrews, Kitagawa and McCloskey 2024, section 4.

    The winner's estimate is normal, truncated where another system would have won. The interval
    inverts that distribution, within Šidák's simultaneous interval at a tenth of the error. Errors
    are widened by Student's quantile over the normal one, on ``df`` degrees of freedom. A shared
    first place has Šidák's interval at the whole error.

    The result has no corrected value: no estimator that was tried has a smaller mean square error
    than the value itself in every design (2 to 20 systems, one to five standard errors ahead).
    """
    from scipy.special import expit, ndtri, stdtrit

    best = leader(values)
    first = values >= values.max() - rounding(float(values.max()))
    scaled, slope = on_logits(values) if logits else (values, np.ones(len(values)))
    inside = scaled is not values
    wider = float(stdtrit(df, 0.975) / ndtri(0.975))
    shared = covariance if covariance.ndim == 1 else covariance[best]
    shared = shared * (slope * slope[best]) * wider**2
    alpha = 1.0 - level
    error = math.sqrt(shared[best])
    x = float(scaled[best])
    if error == 0.0:
        low = high = x
    elif first.sum() > 1:
        half = _reach(alpha, len(values)) * error
        low, high = x - half, x + half
    else:
        beta = _SHARE * alpha
        farthest = _reach(beta, len(values))
        cut = won_between(scaled, shared, best)
        tail = (alpha - beta) / (1.0 - beta) / 2.0
        low, high = (_solved(x, error, cut, farthest, share) for share in (1.0 - tail, tail))
    low, high = (float(expit(end)) if inside else end for end in (low, high))
    low, high = max(low, range[0]), min(high, range[1])
    return Winner(names[best], float(values[best]), low, high, level, decimals)


def _reach(alpha: float, count: int) -> float:
    """Return the standard errors within which ``count`` normal estimates stay with 1 − α."""
    from scipy.special import ndtri

    return float(-ndtri((1.0 - (1.0 - alpha) ** (1.0 / count)) / 2.0))


def won_between(values: _FLOATS, shared: _FLOATS, best: int) -> tuple[float, float]:
    """Return the values between which the winner wins, given the independent part of the others.

    ``shared`` is the covariance of each system with the winner.
    """
    share = shared / shared[best]
    rest, gain = values - share * values[best], 1.0 - share
    others = np.arange(len(values)) != best
    up, down = others & (gain > 1e-12), others & (gain < -1e-12)
    low = np.max(rest[up] / gain[up], initial=-np.inf)
    high = np.min(rest[down] / gain[down], initial=np.inf)
    return float(low), float(high)


def _solved(
    x: float, error: float, cut: tuple[float, float], farthest: float, share: float
) -> float:
    """Return the mean at which the truncated normal distribution has ``share`` below x."""
    from scipy.special import ndtr

    low, high = x - farthest * error, x + farthest * error
    for _ in range(_HALVINGS):
        mean = (low + high) / 2.0
        ends = [(end - mean) / error for end in cut]
        bottom, top = ndtr(max(ends[0], -farthest)), ndtr(min(ends[1], farthest))
        below = (ndtr((x - mean) / error) - bottom) / (top - bottom) if top > bottom else 0.0
        low, high = (mean, high) if below > share else (low, mean)
    return (low + high) / 2.0
