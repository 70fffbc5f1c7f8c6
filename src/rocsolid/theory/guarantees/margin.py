"""Margins: a scorer that orders the training pairs by far also orders new ones."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import is_number, whole
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import (
    ALIKE,
    INDEPENDENT,
    check_delta,
    check_sizes,
    check_value,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.kl import kl_lower
from rocsolid.theory.guarantees.selection import CLASS_FIXED
from rocsolid.theory.guarantees.uniform import UniformBound

SOURCE = (
    "Koltchinskii and Panchenko 2002; Bartlett and Mendelson 2002, for pairs by the blocks of "
    "Hoeffding 1963, section 5"
)
CLAIM = Claim("Rademacher margin", SOURCE, (INDEPENDENT, ALIKE, CLASS_FIXED))


def uniform_margin(
    value: float, margin: float, n_pos: int, n_neg: int, spread: float, delta: float = 0.05
) -> UniformBound:
    """A lower limit for the AUC of any scorer of a class, the one that was trained included.

    ``value`` is the mean over all training pairs of min(1, max(0, z/γ)), z = f(x) − f(x') and γ the
    ``margin``: what the AUC would be if a pair counted in part until its margin is γ. With
    probability 1 − δ, for all f in F at once,

        A(f) ≥ value − 2·spread/(γ√k) − √(ln(1/δ)/(2k)),   k = min(m, n),

    where R_k ≤ spread/√k, R_k the Rademacher complexity of the differences on k independent pairs.
    Proof: the value is an average, over the injections of the smaller class into the larger, of
    means over k independent pairs, so the exponential moments of sup(E − mean) are at most those of
    one mean (Hoeffding 1963, section 5); for one mean, bounded differences of 1/k, symmetrisation
    and contraction by the slope 1/γ give the right side. γ and the class must be fixed before the
    rows; for J margins use δ/J.

    ``pair_spread`` gives the spread of linear scorers and ``vote_spread`` that of votes.

    >>> print(uniform_margin(0.85, 0.5, 5000, 5000, spread=1.0))
    [0.7761, 1.0000] at 95 % (Rademacher margin), deviation 0.0739, better than chance
    """
    k = min(check_sizes(n_pos, n_neg))
    numbers = is_number(margin) and is_number(spread)
    if not (numbers and 0.0 < margin < math.inf and 0.0 <= spread < math.inf):
        raise InputError(
            "the margin must be above zero and the spread not negative, both finite",
            where="margin, spread",
            value=(margin, spread),
        )
    deviation = 2 * spread / (margin * math.sqrt(k))
    deviation += math.sqrt(-math.log(check_delta(delta)) / (2 * k))
    interval = CLAIM.interval((max(0.0, check_value(value, "value") - deviation), 1.0), delta)
    return UniformBound(float(value), deviation, interval)


def pair_spread(
    pos: ArrayLike, neg: ArrayLike, norm: float, radius: float, delta: float = 0.005
) -> float:
    """B·√(E‖x − x'‖²), for scorers ⟨w, x⟩ with ‖w‖ ≤ B, from rows with ‖x‖ ≤ R always.

    The mean of ‖x − x'‖²/(2R)² over all pairs is one of values in [0, 1], so the relative-entropy
    bound on blocks gives an upper limit that fails with probability at most ``delta``. That
    probability is to be added to that of the bound which uses it.

    >>> x = np.repeat([[0.6, 0.0], [0.0, 0.8]], 500, axis=0)
    >>> round(pair_spread(x, -x, norm=1, radius=1), 3)
    1.305
    """
    positives, negatives = (np.asarray(rows, dtype=np.float64) for rows in (pos, neg))
    length = max(float(_squares(rows).max()) for rows in (positives, negatives))
    if not (0.0 < radius < math.inf and length <= radius**2 * (1 + 1e-12)):
        raise InputError(
            "the radius must be finite and hold every row there is",
            where=f"rows reach {math.sqrt(length):g}",
            value=radius,
            fix="give a radius that was known before these rows, such as √d for d features in "
            "[0, 1]",
        )
    mean = sum(float(_squares(rows).mean()) for rows in (positives, negatives))
    mean -= 2.0 * float(positives.mean(axis=0) @ negatives.mean(axis=0))
    most = (2.0 * radius) ** 2
    share = min(max(mean / most, 0.0), 1.0)
    k = min(len(positives), len(negatives))
    bound = np.asarray(-math.log(check_delta(delta)) / k)
    upper = 1.0 - float(kl_lower(np.asarray(1.0 - share), bound))
    return norm * math.sqrt(upper * most)


def vote_spread(n_rankers: int) -> float:
    """√(2 ln(2K)), for votes Σ a_t·h_t with Σ|a_t| ≤ 1 of K rankers with values in [0, 1].

    A vote is a mean of rankers and of their negatives, so its complexity is that of these 2K, each
    with differences in [−1, 1] (Massart 2000). It does not grow with the number of rounds. K is
    the number of rankers that differ on 2k rows: for thresholds of d features at most
    2d(2k+1), a missing value counted as 0 or as 1.

    >>> round(vote_spread(1000), 3)
    3.899
    """
    return math.sqrt(2 * math.log(2 * whole(n_rankers, "n_rankers")))


def _squares(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.einsum("ij,ij->i", rows, rows))
