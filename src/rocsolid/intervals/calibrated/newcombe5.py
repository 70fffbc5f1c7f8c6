"""Newcombe's method 5: a score interval that holds its shape up to an estimate of 0 or 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.calibrated.tails import Limits, quantile, within_range
from rocsolid.results.interval import Alternative
from rocsolid.summaries.moments import Moments, Numbers

ASSUMPTIONS = (
    "rows independent within and between the classes",
    "the variance of Hanley and McNeil's exponential model, averaged over the classes",
)
SOURCE = (
    "Newcombe, Confidence intervals for an effect size measure based on the Mann-Whitney "
    "statistic. Part 2: asymptotic methods and evaluation, Statistics in Medicine 25 (2006), "
    "559-573, method 5"
)

MOST_STEPS = 100
"""Newton's steps need about ten; bisection alone, which backs them, about fifty."""

CLOSE = 1e-9
"""A relative step this small leaves an error of its square: Newton's convergence is quadratic."""


def newcombe5(moments: Moments, level: float, alternative: Alternative) -> Limits:
    """Every θ with (Â−θ)² ≤ z²θ(1−θ)[1 + N*((1−θ)/(2−θ) + θ/(1+θ))]/(mn), N* = (m+n)/2 − 1.

    Newcombe 2006, method 5. It uses Â, m and n only: the scores' own variance plays no part. At
    Â = 1 the upper limit is 1 and the lower one is not; exchanging the classes mirrors it.

    >>> low, high = newcombe5(Moments(1.0, 0.0, 0.0, 10, 10), 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.8002 1.0000
    """
    half_total = np.asarray((np.asarray(moments.n_pos) + moments.n_neg) / 2.0 - 1.0)
    return score_limits(moments, half_total, half_total, level, alternative)


def score_limits(
    moments: Moments, n_first: Numbers, n_second: Numbers, level: float, alternative: Alternative
) -> Limits:
    """Both ends of (Â−θ)² ≤ z²θ(1−θ)[1 + a(1−θ)/(2−θ) + bθ/(1+θ)]/(mn), a and b given.

    >>> low, high = score_limits(Moments(0.8, 0.0, 0.0, 9, 9), 8.0, 8.0, 0.95, "two-sided")
    >>> print(f"{low:.4f} {high:.4f}")
    0.5264 0.9294
    """
    auc = np.asarray(moments.auc, dtype=np.float64)
    pairs = np.asarray(moments.n_pos, dtype=np.float64) * moments.n_neg
    # No pairs, no estimate: the NaN of the estimate then runs through without a division by zero.
    scale = quantile(level, alternative) ** 2 / np.where(pairs > 0.0, pairs, np.nan)
    # Under θ → 1−θ the two terms exchange places, so the lower end is an upper one mirrored.
    auc, first, second, scale = np.broadcast_arrays(auc, n_first, n_second, scale)
    down, up = distance_up(
        np.stack([1.0 - auc, auc]), np.stack([second, first]), np.stack([first, second]), scale
    )
    return within_range(np.asarray(auc - down), np.asarray(auc + up), alternative)


def distance_up(
    auc: Numbers, a: Numbers, b: Numbers, scale: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The x in [0, 1−Â] where x² = scale·θ(1−θ)[1 + a(1−θ)/(2−θ) + bθ/(1+θ)], θ = Â + x.

    Multiplied by (2−θ)(1+θ) both sides are polynomials: f = x²(2+θ−θ²) − scale·θ(1−θ)Q(θ) with
    Q = (2+a) + (1+2b)θ − (1+a+b)θ². f changes sign once on (0, 1−Â], because the logarithmic
    slope of the right side stays below 2/θ ≤ 2/x. Newton's steps inside a bracket.

    >>> distance_up(1.0, 8.0, 8.0, np.asarray(0.05)).item()
    0.0
    """
    auc, a, b, scale = np.broadcast_arrays(auc, a, b, scale)
    q0, q1, q2 = 2.0 + a, 1.0 + 2.0 * b, -(1.0 + a + b)
    low, high = np.zeros(np.shape(auc)), np.asarray(1.0 - auc)
    # Wilson's closed form, with the bracketed factor held at its value at Â, is close already.
    held = scale * (1.0 + a * (1.0 - auc) / (2.0 - auc) + b * auc / (1.0 + auc))
    root = np.sqrt(held * (auc * (1.0 - auc) + held / 4.0))
    x = (held * (0.5 - auc) + root) / (1.0 + held)
    for _ in range(MOST_STEPS):
        theta = auc + x
        rest, tilt = theta * (1.0 - theta), 1.0 - 2.0 * theta
        quadratic = q0 + theta * (q1 + theta * q2)
        f = x * x * (2.0 + rest) - scale * rest * quadratic
        slope = x * (4.0 + 2.0 * rest + x * tilt)
        slope = slope - scale * (tilt * quadratic + rest * (q1 + 2.0 * q2 * theta))
        low, high = np.where(f < 0.0, x, low), np.where(f < 0.0, high, x)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = x - f / slope
        step = np.where((step >= low) & (step <= high), step, (low + high) / 2.0)
        moving = np.abs(step - x) > CLOSE * x + 4e-16
        x = step
        if not np.any(moving):
            break
    return np.asarray(x)
