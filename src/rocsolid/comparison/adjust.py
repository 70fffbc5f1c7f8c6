"""p-values of all pairs together: Holm's steps, or the joint distribution of the statistics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.compared import Compared, Outcome, Question
from rocsolid.comparison.exchanges import share_as_extreme
from rocsolid.errors import UnsoundError
from rocsolid.summaries.stream import stream


def holm_steps(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Holm 1979: the smallest times the number of pairs, the next times one less, and so on.

    Keeps the chance of any false finding below the level whatever the dependence. An unknown
    p-value (NaN) stays unknown and is not counted as a pair.

    >>> holm_steps(np.array([0.03, 0.01, np.nan]))
    array([0.03, 0.02,  nan])
    """
    out = np.full(p_values.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known])]
    steps = p_values[order] * np.arange(len(order), 0, -1)
    out[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return out


_FLOATS = NDArray[np.float64]
DIRECTIONS = 20_000
_BLOCK = 2_000


def adjusted(name: str, outcome: Outcome, question: Question) -> NDArray[np.float64]:
    """The adjusted p-values by the method called ``name``; an unknown one (NaN) stays unknown."""
    p_values = np.array([one.p_value for one in outcome.tested])
    out = np.full(len(p_values), np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    if known.size:
        out[known] = ADJUSTMENTS[name](p_values[known], known, outcome, question)
    return out


def none(
    p_values: _FLOATS, _known: NDArray[np.intp], _outcome: Outcome, _question: Question
) -> _FLOATS:
    """As they are."""
    return p_values


def holm(
    p_values: _FLOATS, _known: NDArray[np.intp], _outcome: Outcome, _question: Question
) -> _FLOATS:
    """Holm's steps, which hold whatever the dependence of the tests."""
    return holm_steps(p_values)


def max_t(
    p_values: _FLOATS, known: NDArray[np.intp], outcome: Outcome, question: Question
) -> _FLOATS:
    """P(the most extreme of all statistics is as extreme), from their joint distribution.

    The single-step method of Westfall and Young 1993. Where one exchange of rows serves all pairs,
    the joint distribution is that of the exchanges, and p is counted as for one pair. Elsewhere it
    is normal, with each p-value turned into the normal statistic that it belongs to.
    """
    if outcome.drawn is not None and outcome.observed is not None:
        farthest = outcome.drawn[:, known].max(axis=1)
        joint = [share_as_extreme(x, farthest, "greater") for x in outcome.observed[known]]
        return np.maximum(joint, p_values)
    if not outcome.normal:
        raise UnsoundError(
            f"no joint distribution of these statistics is known ({outcome.method} of independent "
            "samples)",
            where="adjust",
            fix='use adjust="holm"',
        )
    return _joint_normal(p_values, known, outcome.compared, question)


def _joint_normal(
    p_values: _FLOATS, known: NDArray[np.intp], compared: Compared, question: Question
) -> _FLOATS:
    """The probability for normal statistics with the differences' correlation.

    A normal vector with the statistics' correlation R = BBᵀ is a
    direction times an independent radius; over the radius, whose square is χ² with rank(R) degrees
    of freedom, the probability is exact, and over 20,000 seeded directions it is averaged, so that
    small p-values are as accurate as large ones. Kept between the plain p-value and Bonferroni's.
    """
    from scipy.special import ndtri

    two_sided = question.alternative == "two-sided"
    reach = -ndtri(p_values / 2.0 if two_sided else p_values)
    root = _root(known, compared)
    rank = root.shape[1]
    total = np.zeros(len(p_values))
    for start in range(0, DIRECTIONS, _BLOCK):
        direction = stream(question.seed, start).normal(size=(_BLOCK, rank))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        along = direction @ root.T
        # the end of a two-sided statistic that is farther out; either end of a one-sided one
        for end in (np.abs(along),) if two_sided else (along, -along):
            weight = _BLOCK if two_sided else _BLOCK / 2
            total += weight * _exceeded(end.max(axis=1)[:, None], reach, rank).mean(axis=0)
    bonferroni = np.minimum(p_values * len(p_values), 1.0)
    return np.clip(total / DIRECTIONS, p_values, bonferroni)


def _exceeded(farthest: _FLOATS, reach: _FLOATS, rank: int) -> _FLOATS:
    """P(R·farthest ≥ reach), R² χ² with ``rank`` degrees of freedom."""
    from scipy.special import chdtrc

    ratio = reach / np.where(farthest == 0.0, 1e-300, farthest)
    beyond = chdtrc(rank, np.minimum(np.abs(ratio), 1e150) ** 2)
    return np.where(
        farthest > 0.0, np.where(reach > 0.0, beyond, 1.0), np.where(reach < 0.0, 1.0 - beyond, 0.0)
    )


def _root(known: NDArray[np.intp], compared: Compared) -> _FLOATS:
    """B with BBᵀ the correlation of the differences that have a p-value."""
    size = len(compared.names)
    pairs = [compared.pairs()[at] for at in known]
    contrast = np.zeros((len(pairs), size))
    for row, (i, j) in zip(contrast, pairs, strict=True):
        if compared.variance(i, j) > 0.0:  # two scores that rank alike never stand out
            row[i], row[j] = 1.0, -1.0
    full = np.zeros((size, size))
    # the first taken as fixed: contrasts are the same
    full[1:, 1:] = compared.against_first().total
    eigenvalues, vectors = np.linalg.eigh(full)
    kept = eigenvalues > 1e-12 * eigenvalues.max(initial=0.0)
    root = contrast @ (vectors[:, kept] * np.sqrt(eigenvalues[kept]))
    if root.shape[1] == 0:
        return np.zeros((len(pairs), 1))
    length = np.linalg.norm(root, axis=1, keepdims=True)
    return np.asarray(np.divide(root, length, out=np.zeros_like(root), where=length > 0.0))


_Adjustment = Callable[[_FLOATS, NDArray[np.intp], Outcome, Question], _FLOATS]
ADJUSTMENTS: dict[str, _Adjustment] = {"holm": holm, "max-t": max_t, "none": none}
