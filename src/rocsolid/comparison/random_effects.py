"""The mean of values that differ between sites: random effects and heterogeneity."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.intervals.guarantees.checks import check_level
from rocsolid.summaries.products import dot

_FLOATS = NDArray[np.float64]
Between = Literal["reml", "dl"]
"""The estimator of the variance between sites: restricted maximum likelihood, or DerSimonian and
Laird (1986)."""

_STEPS, _CLOSE = 1_000, 1e-13
_Limits = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class RandomEffects:
    """The mean of true values over a population of sites, and how the true values vary.

    ``limits`` contain the mean (Hartung and Knapp 2001; Sidik and Jonkman 2002), and ``predicted``
    the true value of a new site (Higgins, Thompson and Spiegelhalter 2009); two sites have no
    prediction. ``tau2`` is the variance between sites, with limits by the Q profile (Viechtbauer
    2007). ``i2`` is its share in the variance of a typical site's value. ``q`` tests whether all
    true values are equal, with ``p_value``. ``weight`` has the share of each site in the mean.
    """

    mean: float
    std_error: float
    limits: _Limits
    predicted: _Limits | None
    tau2: float
    tau2_limits: _Limits
    i2: float
    q: float
    p_value: float
    weight: _FLOATS


def random_effects(
    value: _FLOATS, variance: _FLOATS, level: float = 0.95, between: Between = "reml"
) -> RandomEffects:
    """Pool values with known variances of their errors.

    With w = 1/(variance + τ²) the mean is Σwy/Σw, and its variance Σw(y − mean)²/((k−1)Σw), with
    Student's t on k−1 degrees of freedom. The prediction adds τ² to that variance, with k−2. If τ²
    is 0, the variance is at least 1/Σw (Röver, Knapp and Friede 2015).

    >>> pooled = random_effects(np.array([1.0, 2.0, 3.0]), np.full(3, 0.1))
    >>> round(pooled.mean, 4), round(pooled.tau2, 4), [round(end, 4) for end in pooled.limits]
    (2.0, 0.9, [-0.4841, 4.4841])
    """
    from scipy.special import chdtrc, stdtrit

    share, sites = check_level(level), len(value)
    tau2 = _reml(value, variance) if between == "reml" else _dersimonian_laird(value, variance)
    weight = 1.0 / (variance + tau2)
    mean, q_star = _q(value, variance, tau2)
    total = float(weight.sum())
    inflation = q_star / (sites - 1)
    if tau2 == 0.0:  # values that happen to agree are no more precise than their errors
        inflation = max(inflation, 1.0)
    own = inflation / total
    half = float(stdtrit(sites - 1, 1.0 - share / 2.0)) * math.sqrt(own)
    predicted = None
    if sites > 2:
        reach = float(stdtrit(sites - 2, 1.0 - share / 2.0)) * math.sqrt(tau2 + own)
        predicted = mean - reach, mean + reach
    q = _q(value, variance, 0.0)[1]
    fixed = 1.0 / variance
    typical = (sites - 1) * fixed.sum() / (fixed.sum() ** 2 - dot(fixed, fixed))
    return RandomEffects(
        mean, math.sqrt(own), (mean - half, mean + half), predicted, tau2,
        _q_profile(value, variance, share), tau2 / (tau2 + float(typical)), q,
        float(chdtrc(sites - 1, q)), weight / total,
    )  # fmt: skip


def _q(value: _FLOATS, variance: _FLOATS, tau2: float) -> tuple[float, float]:
    """The weighted mean, and the weighted sum of squared distances from it."""
    weight = 1.0 / (variance + tau2)
    mean = dot(weight, value) / float(weight.sum())
    return mean, dot(weight, (value - mean) ** 2)


def _dersimonian_laird(value: _FLOATS, variance: _FLOATS) -> float:
    weight = 1.0 / variance
    total = float(weight.sum())
    excess = _q(value, variance, 0.0)[1] - (len(value) - 1)
    return max(0.0, excess / (total - dot(weight, weight) / total))


def _reml(value: _FLOATS, variance: _FLOATS) -> float:
    """Fisher's scoring of the restricted likelihood, from the moment estimate of Hedges (1983).

    A step that turns back has gone too far: all later steps are half as long, since otherwise they
    could go to and fro between two values.
    """
    tau2 = max(0.0, float(value.var(ddof=1) - variance.mean()))
    length, last = 1.0, 0.0
    for _ in range(_STEPS):
        weight = 1.0 / (variance + tau2)
        total, squares = float(weight.sum()), dot(weight, weight)
        mean = dot(weight, value) / total
        residual = dot(weight**2, (value - mean) ** 2)
        trace = total - squares / total
        information = squares - 2.0 * dot(weight, weight**2) / total + (squares / total) ** 2
        step = (residual - trace) / information
        if step * last < 0.0:
            length /= 2.0
        moved = max(0.0, tau2 + length * step)
        if abs(moved - tau2) <= _CLOSE * length * (float(variance.mean()) + moved):
            return moved
        tau2, last = moved, step
    return tau2


def _q_profile(value: _FLOATS, variance: _FLOATS, share: float) -> _Limits:
    """The τ² at which Q is at each quantile of its distribution, χ² with k−1 degrees of freedom."""
    from scipy.special import chdtri

    low, high = (float(chdtri(len(value) - 1, tail)) for tail in (share / 2.0, 1.0 - share / 2.0))
    return _falling_to(low, value, variance), _falling_to(high, value, variance)


def _falling_to(height: float, value: _FLOATS, variance: _FLOATS) -> float:
    def distance(tau2: float) -> float:
        return _q(value, variance, tau2)[1] - height

    if distance(0.0) <= 0.0:
        return 0.0
    from scipy.optimize import brentq

    end = float(variance.mean())
    while distance(end) > 0.0:
        end *= 2.0
    return float(brentq(distance, 0.0, end, xtol=1e-15, rtol=1e-14))
