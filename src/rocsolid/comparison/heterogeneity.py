"""Do segments differ beyond chance? With few positives in each, too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.adjust import holm_steps
from rocsolid.summaries.stream import stream

_FLOATS = NDArray[np.float64]
_PRIOR = 10.0  # degrees of freedom of the variance that all segments share
_FEWEST, _MOST, _CELLS = 200, 2_000, 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Heterogeneity:
    """What the values of independent segments say together; arrays in the order of the segments.

    ``spread`` is the standard deviation of the true values beyond chance. ``shrunken`` moves each
    value to ``mean``, the farther the less it rests on. ``apart`` is a value less the mean of all
    other segments, with its p-value, plain and by Holm's steps. ``error`` is the standard error of
    each value, ``typical`` times √(1/positives + 1/negatives) where nothing else is known of it.
    """

    statistic: float
    p_value: float
    spread: float
    mean: float
    typical: float
    error: _FLOATS
    shrunken: _FLOATS
    apart: _FLOATS
    p_values: _FLOATS
    adjusted: _FLOATS


def heterogeneity(
    values: _FLOATS,
    std_errors: _FLOATS,
    n_pos: _FLOATS,
    n_neg: _FLOATS,
    span: tuple[float, float],
    seed: int = 0,
) -> Heterogeneity | None:
    """Q = Σ w·(value − mean)² against its distribution where all segments have one true value.

    A variance from a few positives is worth little, and zero where they all rank first. So each is
    taken together with c/e, e = 1/(1/positives + 1/negatives), where c is common to all segments,
    as if from ten degrees of freedom. The reference is drawn (a parametric bootstrap): values from
    beta distributions over ``span`` with the common mean, variances from χ² on the segment's
    degrees of freedom, the smaller class less one. Normal values and known variances, as in
    Cochran's test, find differences among equal segments. ``None`` where fewer than two segments
    have values, or no segment shows a variance.
    """
    if len(values) < 2:
        return None
    per_row = 1.0 / n_pos + 1.0 / n_neg
    df = np.where(np.isfinite(std_errors), np.minimum(n_pos, n_neg) - 1.0, 0.0)
    own = np.where(df > 0.0, std_errors, 0.0) ** 2
    if not (own * df).any():
        return None
    low, width = (span[0], span[1] - span[0]) if np.isfinite(span).all() else (0.0, np.inf)
    variance, typical = _moderated(own, df, per_row)
    statistic, mean = _q(values, variance)
    draws = int(np.clip(_CELLS / len(values), _FEWEST, _MOST))
    rng, reached = stream(seed, 0), 0
    for _ in range(draws):
        again = _drawn(rng, mean, variance, low, width)
        chance = variance * rng.chisquare(np.maximum(df, 1.0)) / np.maximum(df, 1.0)
        reached += bool(_q(again, _moderated(chance, df, per_row)[0])[0] >= statistic)
    weight = 1.0 / variance
    count, total = len(values), weight.sum()
    between = max(0.0, (statistic - (count - 1.0)) / (total - float((weight**2).sum()) / total))
    given = 1.0 / (variance + between)
    centre = float((given * values).sum() / given.sum())
    others = (total * mean - weight * values) / (total - weight)
    uncertain = (variance + 1.0 / (total - weight)) * (df + _PRIOR) / (df + _PRIOR - 2.0)
    p = _tails(values, others, uncertain, low, width)
    return Heterogeneity(
        statistic,
        (1.0 + reached) / (1.0 + draws),
        float(np.sqrt(between)),
        centre,
        float(np.sqrt(typical)),
        np.sqrt(variance),
        centre + between / (between + variance) * (values - centre),
        values - others,
        p,
        holm_steps(p),
    )


def _moderated(own: _FLOATS, df: _FLOATS, per_row: _FLOATS) -> tuple[_FLOATS, float]:
    """Each variance together with what all say, and the variance that all share, by one row."""
    typical = float((df * own / per_row).sum() / df.sum())
    return (_PRIOR * typical * per_row + df * own) / (_PRIOR + df), typical


def _q(values: _FLOATS, variance: _FLOATS) -> tuple[float, float]:
    mean = float((values / variance).sum() / (1.0 / variance).sum())
    return float(((values - mean) ** 2 / variance).sum()), mean


def _shapes(
    mean: _FLOATS | float, variance: _FLOATS, low: float, width: float
) -> tuple[_FLOATS, _FLOATS]:
    """The beta distribution with these moments; one of two points nearly, where none has them."""
    share = np.clip((mean - low) / width, 1e-6, 1.0 - 1e-6)
    size = np.maximum(share * (1.0 - share) / (variance / width**2) - 1.0, 0.02)
    return np.asarray(share * size), np.asarray((1.0 - share) * size)


def _drawn(
    rng: np.random.Generator, mean: float, variance: _FLOATS, low: float, width: float
) -> _FLOATS:
    if np.isinf(width):
        return mean + np.sqrt(variance) * rng.normal(size=len(variance))
    return low + width * rng.beta(*_shapes(mean, variance, low, width))


def _tails(values: _FLOATS, mean: _FLOATS, variance: _FLOATS, low: float, width: float) -> _FLOATS:
    """Twice the smaller tail at each value, of the normal distribution or, if larger, of the beta.

    A beta distribution has no chance of its very ends, where single positives often lie.
    """
    from scipy.special import betainc, ndtr

    normal = np.asarray(2.0 * ndtr(-np.abs(values - mean) / np.sqrt(variance)))
    if np.isinf(width):
        return normal
    a, b = _shapes(mean, variance, low, width)
    at = np.clip((values - low) / width, 0.0, 1.0)
    smaller = np.minimum(betainc(a, b, at), betainc(b, a, 1.0 - at))
    return np.asarray(np.clip(2.0 * smaller, normal, 1.0))
