"""Calibrated intervals from standard errors: DeLong, logit-t, Newcombe, Hanley and McNeil."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.counts import both_classes
from rocsolid.errors import InputError, UnsoundError
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Moments, Numbers

Limits = tuple[NDArray[np.float64], NDArray[np.float64]]


_Level = TypeVar("_Level", float, Numbers)


def tail(level: _Level, alternative: Alternative) -> _Level:
    """Return the probability below the quantile to use: a two-sided interval splits its error.

    >>> tail(0.95, "two-sided"), tail(0.95, "greater")
    (0.975, 0.95)
    """
    if alternative == "two-sided":
        return (1.0 + level) / 2.0
    if np.any(np.less(level, 0.5)):
        raise InputError(
            "a one-sided limit at less than even odds would fall on the wrong side of the estimate",
            where="level",
            value=level,
            fix="use a level of at least 0.5, such as 0.95",
        )
    return level


def quantile(level: float, alternative: Alternative) -> float:
    """Return the standard normal quantile for the level.

    >>> round(quantile(0.95, "two-sided"), 6)
    1.959964
    """
    from scipy.special import ndtri

    return float(ndtri(tail(level, alternative)))


def within_range(
    low: NDArray[np.float64], high: NDArray[np.float64], alternative: Alternative
) -> Limits:
    """Return limits cut to [0, 1], with an open end that was not requested. NaN stays NaN.

    >>> low, high = within_range(np.array([0.7]), np.array([1.03]), "two-sided")
    >>> low.item(), high.item()
    (0.7, 1.0)
    >>> within_range(np.array([0.7]), np.array([1.03]), "less")[0].item()
    0.0
    """
    unknown = np.isnan(low) | np.isnan(high)
    low = np.zeros_like(low) if alternative == "less" else low.clip(0.0, 1.0)
    high = np.ones_like(high) if alternative == "greater" else high.clip(0.0, 1.0)
    return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)


def refuse_scalar(
    unsound: NDArray[np.bool_], moments: Moments, method: str, reason: str, fix: str
) -> None:
    """Raise an error for a single data set; a group among many has NaN limits."""
    if np.ndim(unsound) == 0 and bool(unsound):
        sizes = both_classes(float(moments.n_pos), float(moments.n_neg), ", ")
        raise UnsoundError(
            f"{method} does not hold here: {reason}",
            where=f"AUC {moments.auc:.6g} from {sizes}",
            fix=fix,
        )


def wald(
    auc: Numbers, variance: NDArray[np.float64], level: float, alternative: Alternative
) -> Limits:
    """Return Â ± z√Var, cut to [0, 1], and NaN where the variance is NaN.

    >>> low, high = wald(0.8, np.asarray(0.0025), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.7020 0.8980
    """
    half = quantile(level, alternative) * np.sqrt(variance)
    return within_range(np.asarray(auc - half), np.asarray(auc + half), alternative)


ASSUMPTIONS = (
    "rows are independent within and between the classes",
    "the variance of Hanley and McNeil's exponential model, averaged over the classes",
)
SOURCE = (
    "Newcombe, Confidence intervals for an effect size measure based on the Mann-Whitney "
    "statistic. Part 2: asymptotic methods and evaluation, Statistics in Medicine 25 (2006), "
    "559-573, method 5"
)

MOST_STEPS = 100
"""Newton's method needs about ten steps; bisection, its fallback, about fifty."""

CLOSE = 1e-9
"""A relative step this small leaves an error of its square."""


def newcombe5(moments: Moments, level: Numbers, alternative: Alternative) -> Limits:
    """Return every θ with (Â−θ)² ≤ z²θ(1−θ)[1 + N*((1−θ)/(2−θ) + θ/(1+θ))]/(mn), N* = (m+n)/2 − 1.

    Newcombe 2006, method 5, which uses only Â, m and n. Exchanging the classes mirrors the
    interval.

    >>> low, high = newcombe5(Moments(1.0, 0.0, 0.0, 10, 10), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.8002 1.0000
    """
    half_total = np.asarray((np.asarray(moments.n_pos) + moments.n_neg) / 2.0 - 1.0)
    return score_limits(moments, half_total, half_total, level, alternative)


def score_limits(
    moments: Moments, n_first: Numbers, n_second: Numbers, level: Numbers, alternative: Alternative
) -> Limits:
    """Return both ends of (Â−θ)² ≤ z²θ(1−θ)[1 + a(1−θ)/(2−θ) + bθ/(1+θ)]/(mn), given a and b.

    >>> low, high = score_limits(Moments(0.8, 0.0, 0.0, 9, 9), 8.0, 8.0, 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.5264 0.9294
    """
    from scipy.special import ndtri

    auc = np.asarray(moments.auc, dtype=np.float64)
    pairs = np.asarray(moments.n_pos, dtype=np.float64) * moments.n_neg
    # No pairs, no estimate: the NaN of the estimate then runs through without a division by zero.
    scale = ndtri(tail(level, alternative)) ** 2 / np.where(pairs > 0.0, pairs, np.nan)
    # Under θ → 1−θ the two terms exchange places, so the lower end is an upper one mirrored.
    auc, first, second, scale = np.broadcast_arrays(auc, n_first, n_second, scale)
    down, up = distance_up(
        np.stack([1.0 - auc, auc]), np.stack([second, first]), np.stack([first, second]), scale
    )
    return within_range(np.asarray(auc - down), np.asarray(auc + up), alternative)


def distance_up(
    auc: Numbers, a: Numbers, b: Numbers, scale: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the x in [0, 1−Â] with x² = scale·θ(1−θ)[1 + a(1−θ)/(2−θ) + bθ/(1+θ)], θ = Â + x.

    Times (2−θ)(1+θ) the difference of the sides is f = x²(2+θ−θ²) − scale·θ(1−θ)Q(θ) with Q = (2+a)
    + (1+2b)θ − (1+a+b)θ². f changes sign once on (0, 1−Â], because the logarithmic slope of the
    right side stays below 2/θ ≤ 2/x. Newton's steps run inside a bracket.

    >>> distance_up(1.0, 8.0, 8.0, np.asarray(0.05)).item()
    0.0
    """
    auc, a, b, scale = np.broadcast_arrays(auc, a, b, scale)
    quadratic = 2.0 + a, 1.0 + 2.0 * b, -(1.0 + a + b)
    low, high = np.zeros(np.shape(auc)), np.asarray(1.0 - auc)
    x = _held(auc, a, b, scale)
    for _ in range(MOST_STEPS):
        f, slope = _excess(x, auc, scale, *quadratic)
        low, high = np.where(f < 0.0, x, low), np.where(f < 0.0, high, x)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = x - f / slope
        step = np.where((step >= low) & (step <= high), step, (low + high) / 2.0)
        moving = np.abs(step - x) > CLOSE * x + 4e-16
        x = step
        if not np.any(moving):
            break
    return np.asarray(x)


def _held(auc: Any, a: Any, b: Any, scale: Any) -> Any:
    """Return Wilson's closed form with the bracketed factor at Â, close to the solution."""
    held = scale * (1.0 + a * (1.0 - auc) / (2.0 - auc) + b * auc / (1.0 + auc))
    root = np.sqrt(held * (auc * (1.0 - auc) + held / 4.0))
    return (held * (0.5 - auc) + root) / (1.0 + held)


def _excess(x: Any, auc: Any, scale: Any, q0: Any, q1: Any, q2: Any) -> tuple[Any, Any]:
    theta = auc + x
    rest, tilt = theta * (1.0 - theta), 1.0 - 2.0 * theta
    quadratic = q0 + theta * (q1 + theta * q2)
    f = x * x * (2.0 + rest) - scale * rest * quadratic
    slope = x * (4.0 + 2.0 * rest + x * tilt)
    return f, slope - scale * (tilt * quadratic + rest * (q1 + 2.0 * q2 * theta))


def newcombe5_classwise(moments: Moments, level: Numbers, alternative: Alternative) -> Limits:
    """Return every θ with (Â−θ)² ≤ z²θ(1−θ)[1 + (m−1)(1−θ)/(2−θ) + (n−1)θ/(1+θ)]/(mn).

    The variance is Hanley and McNeil's own; method 5 averages it over the classes, which halves the
    weight of a small positive class.

    >>> low, high = newcombe5_classwise(Moments(0.95, 0.0, 0.0, 30, 1000), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.8668 0.9828
    """
    return score_limits(
        moments,
        np.asarray(moments.n_pos) - 1.0,
        np.asarray(moments.n_neg) - 1.0,
        level,
        alternative,
    )


def newcombe5_mirrored(moments: Moments, level: Numbers, alternative: Alternative) -> Limits:
    """Return the class-wise form with the classes exchanged, for the case of few negatives.

    >>> low, high = newcombe5_mirrored(Moments(0.95, 0.0, 0.0, 1000, 30), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.8668 0.9828
    """
    exchanged = Moments(moments.auc, moments.var_neg, moments.var_pos, moments.n_neg, moments.n_pos)
    return newcombe5_classwise(exchanged, level, alternative)


def newcombe5_hull(moments: Moments, level: Numbers, alternative: Alternative) -> Limits:
    """Return the outer limits of method 5 and of both class-wise forms.

    >>> low, high = newcombe5_hull(Moments(0.95, 0.0, 0.0, 30, 1000), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.8668 0.9828
    """
    if np.size(moments.auc) == 1:
        auc, m, n, of_one = (
            float(np.ravel(x)[0]) for x in (moments.auc, moments.n_pos, moments.n_neg, level)
        )
        low, high = _hull_of_one(auc, m, n, quantile(of_one, alternative) ** 2)
        shape = np.shape(moments.auc)
        return within_range(np.full(shape, low), np.full(shape, high), alternative)
    forms = (newcombe5, newcombe5_classwise, newcombe5_mirrored)
    lows, highs = zip(*(form(moments, level, alternative) for form in forms), strict=True)
    return np.fmin.reduce(lows), np.fmax.reduce(highs)


def _hull_of_one(auc: float, m: float, n: float, squared: float) -> tuple[float, float]:
    """Return both ends of the hull by the steps of `distance_up`."""
    scale = squared / (m * n) if m * n > 0.0 else math.nan
    half_total = (m + n) / 2.0 - 1.0
    weights = (half_total, half_total), (m - 1.0, n - 1.0), (n - 1.0, m - 1.0)
    ends = [_distances((1.0 - auc, b, a), (auc, a, b), scale) for a, b in weights]
    return min(auc - down for down, _ in ends), max(auc + up for _, up in ends)


def _distances(
    down: tuple[float, float, float], up: tuple[float, float, float], scale: float
) -> list[float]:
    """Apply `distance_up` to two numbers, each with its a and b."""
    known = [(auc, scale, 2.0 + a, 1.0 + 2.0 * b, -(1.0 + a + b)) for auc, a, b in (down, up)]
    x = [float(_held(auc, a, b, scale)) for auc, a, b in (down, up)]
    low, high = [0.0, 0.0], [1.0 - down[0], 1.0 - up[0]]
    for _ in range(MOST_STEPS):
        moving = False
        for side in (0, 1):
            before = x[side]
            f, slope = _excess(before, *known[side])
            (low if f < 0.0 else high)[side] = before
            step = before - f / slope if slope else math.nan
            if not low[side] <= step <= high[side]:
                step = (low[side] + high[side]) / 2.0
            moving = moving or abs(step - before) > CLOSE * before + 4e-16
            x[side] = step
        if not moving:
            break
    return x


HANLEY_MCNEIL_ASSUMPTIONS = (
    "rows are independent within and between the classes",
    "scores exponential in both classes (the model of the variance), without ties",
    "both classes large and the AUC away from 0 and 1 (normal approximation)",
)
HANLEY_MCNEIL_SOURCE = (
    "Hanley and McNeil, The meaning and use of the area under a receiver operating characteristic "
    "(ROC) curve, Radiology 143 (1982), 29-36"
)
REASON = "the estimated AUC is 0 or 1, where the model's variance is zero"
FIX = 'use interval="auto", which holds there, or read the certified interval'


def hanley_mcneil(moments: Moments, level: float, alternative: Alternative) -> Limits:
    """Return Â ± z√Var with the variance of `hanley_mcneil_variance`, cut to [0, 1].

    >>> low, high = hanley_mcneil(Moments(0.893, 0.0, 0.0, 51, 58), 0.95, "two-sided")
    >>> print(f"{low:.3f} {high:.3f}")
    0.829 0.957
    """
    bad = unsound(moments)
    refuse_scalar(bad, moments, "Hanley and McNeil's interval", REASON, FIX)
    variance = np.where(bad, np.nan, hanley_mcneil_variance(moments))
    return wald(moments.auc, variance, level, alternative)


def hanley_mcneil_variance(moments: Moments) -> NDArray[np.float64]:
    """Return [A(1−A) + (m−1)(Q₁−A²) + (n−1)(Q₂−A²)]/(mn), Q₁ = A/(2−A), Q₂ = 2A²/(1+A).

    Hanley and McNeil 1982, equations 1 and 2. The paper's standard error of .0320 for this example
    counts Q₁ and Q₂ in the ratings.

    >>> print(f"{hanley_mcneil_variance(Moments(0.893, 0.0, 0.0, 51, 58)) ** 0.5:.4f}")
    0.0325
    """
    auc = np.asarray(moments.auc, dtype=np.float64)
    m, n = np.asarray(moments.n_pos), np.asarray(moments.n_neg)
    pairs = np.where(m * n > 0, m * n, np.nan)
    # Q₁−A² = A(1−A)·(1−A)/(2−A) and Q₂−A² = A(1−A)·A/(1+A): no cancellation near 0 and 1.
    parts = 1.0 + (m - 1.0) * (1.0 - auc) / (2.0 - auc) + (n - 1.0) * auc / (1.0 + auc)
    return np.asarray(auc * (1.0 - auc) * parts / pairs)


def unsound(moments: Moments) -> NDArray[np.bool_]:
    auc = np.asarray(moments.auc)
    return np.asarray((auc == 0.0) | (auc == 1.0))


class StdErrorLimits(NamedTuple):
    """The smallest standard error for any scores, the smallest without ties, and the largest."""

    tied: float
    untied: float
    most: float


def std_error_limits(auc: float, n_pos: int, n_neg: int) -> StdErrorLimits:
    """Return the range of DeLong's standard error, with and without ties across the classes.

    The squared error is σ₁²/(m−1) + σ₀²/(n−1), with the variances of the two classes' placements,
    at most A(1−A) together. Without ties it is ∫∫ 2(ax + by) over the region of losses less q²(a +
    b), least below a straight line. A block of ties subtracts at most a quarter of the integral
    over a triangle, so three quarters of the integral remain.

    >>> [round(limit, 4) for limit in std_error_limits(0.8, 50, 50)]
    [0.0308, 0.0425, 0.0571]
    """
    q = min(auc, 1.0 - auc)
    b, a = sorted((1.0 / (n_pos - 1), 1.0 / (n_neg - 1)))
    if 2.0 * a * q <= b:  # the line cuts off a corner
        line, shift = q * math.sqrt(2.0 * a * b * q), q**2 * (a + b)
        tied, untied = line - shift, 4.0 / 3.0 * line - shift
    else:
        tied, untied = b * q * (0.5 - q), b * q * (1.0 - q) - b**2 / (12.0 * a)
    most = a * q * (1.0 - q)
    return StdErrorLimits(*(math.sqrt(max(square, 0.0)) for square in (tied, untied, most)))


DELONG_ASSUMPTIONS = (
    "rows are independent within and between the classes",
    "both classes large and the AUC away from 0 and 1 (normal approximation)",
)
DELONG_SOURCE = (
    "DeLong, DeLong and Clarke-Pearson, Comparing the areas under two or more correlated receiver "
    "operating characteristic curves: a nonparametric approach, Biometrics 44 (1988), 837-845"
)
DELONG_REASON = "the estimated variance is zero, or a class has a single row"


def delong(moments: Moments, level: float, alternative: Alternative) -> Limits:
    """Return Â ± z√(s²(V10)/m + s²(V01)/n), cut to [0, 1] as in pROC.

    DeLong et al. 1988, equation 5. Where the variance is zero, a single data set is rejected, and a
    group among many has NaN limits. Coverage near an AUC of 1 is far below the level at ordinary
    sizes; see the coverage page.

    >>> low, high = delong(Moments(0.8, 0.0010, 0.0015, 40, 60), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.7020 0.8980
    """
    bad = unsound_of_delong(moments)
    refuse_scalar(bad, moments, "DeLong's interval", DELONG_REASON, FIX)
    variance = np.where(bad, np.nan, moments.variance)
    return wald(moments.auc, variance, level, alternative)


def unsound_of_delong(moments: Moments) -> NDArray[np.bool_]:
    """Return whether the variance is zero or, for a class of one row, unknown."""
    return np.asarray(~(np.asarray(moments.variance) > 0.0))


LOGIT_T_ASSUMPTIONS = (
    "rows are independent within and between the classes",
    "the logit of the estimate close to normal: some tens of discordant pairs in the smaller class",
)
LOGIT_T_SOURCE = (
    "DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988), 837-845 (variance); "
    "Pepe, The Statistical Evaluation of Medical Tests for Classification and Prediction, Oxford "
    "2003, section 5.2 (logit scale); Welch, Biometrika 34 (1947), 28-35 (degrees of freedom)"
)
LOGIT_T_REASON = (
    "the estimated AUC is 0 or 1, its estimated variance is zero, or a class has a single row"
)


def logit_t(moments: Moments, level: Numbers, alternative: Alternative) -> Limits:
    """Return expit(logit Â ± t_ν √Var / (Â(1−Â))), with DeLong's Var and Welch's ν.

    At Â of 0 or 1 a single data set is rejected, and a group among many has NaN limits.

    >>> low, high = logit_t(Moments(0.8, 0.0010, 0.0015, 40, 60), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.6827 0.8815
    """
    from scipy.special import expit, logit, stdtrit

    bad = unsound_of_logit_t(moments)
    refuse_scalar(bad, moments, "The logit-t interval", LOGIT_T_REASON, FIX)
    auc = np.where(bad, np.nan, moments.auc)
    spread = np.sqrt(moments.variance) / (auc * (1.0 - auc))
    half = stdtrit(degrees_of_freedom(moments), tail(level, alternative)) * spread
    centre = logit(auc)
    return within_range(expit(centre - half), expit(centre + half), alternative)


def degrees_of_freedom(moments: Moments) -> NDArray[np.float64]:
    """Return Welch's ν = V² / (v₁²/(m−1) + v₂²/(n−1)), V = v₁ + v₂; NaN where that is 0/0.

    >>> degrees_of_freedom(Moments(0.8, 0.001, 0.0, 40, 60)).item()
    39.0
    """
    bad = unsound_of_logit_t(moments)
    v_pos = np.where(bad, np.nan, moments.var_pos)
    v_neg = np.where(bad, np.nan, moments.var_neg)
    # Shares of the variance, not variances, are squared: a variance of 1e-200 must not underflow.
    share = v_pos / (v_pos + v_neg)
    if moments.units is not None:
        return moments.units.df(share)
    df_pos = np.where(bad, np.nan, np.subtract(moments.n_pos, 1.0))
    df_neg = np.where(bad, np.nan, np.subtract(moments.n_neg, 1.0))
    return np.asarray(1.0 / (share**2 / df_pos + (1.0 - share) ** 2 / df_neg))


def unsound_of_logit_t(moments: Moments) -> NDArray[np.bool_]:
    """Return whether the variance is 0 or unknown, the estimate 0 or 1, or a class has one row."""
    inside = (moments.auc > 0.0) & (moments.auc < 1.0)
    several = (moments.n_pos > 1.0) & (moments.n_neg > 1.0)
    return np.asarray(np.logical_not((moments.variance > 0.0) & inside & several))
