"""An e-value for very unbalanced classes: bets on the placements, paid for by the larger class."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.intervals.guarantees.capital import (
    SHAPES,
    log_mean_exp,
    log_product,
    smallest_plausible,
    stakes,
)
from rocsolid.intervals.guarantees.checks import check_alternative, tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.placements import check_placements, mean_placement
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import PLACEMENTS

SOURCE = "e-value on placements given the larger class, Bernoulli moment bound for the larger class"
CLAIM = Claim("e-value", SOURCE, reads=PLACEMENTS)


def e_value(
    placements: ArrayLike,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """The limit is where E(A) = 2/δ, from the placements of the smaller class.

    Given the larger class (size M), the placements v₁ … v_s of the smaller are independent with the
    same mean A′, and A′ is a mean of M independent values in [0, 1] with mean A. So for 0 ≤ λ ≤ 1/A

        E(A) = Π(1+λ(vᵢ−A)) · e^{sλA} / (1−A+Ae^{sλ/M})^M

    has expectation at most 1: first (1+λ(A′−A))^s ≤ e^{sλ(A′−A)}, then the moments of a mean in
    [0, 1] are at most those of a coin. λ = min(κ/√(A(1−A)), 1/A, M/s), κ from (m, n, δ) only, keeps
    E falling in A, so that those A where E < 2/δ form an interval; a weighted mean over two κ is
    as good. E does not depend on the order of the rows, and nothing is drawn at random.

    >>> print(e_value([0.7, 0.8, 0.9] * 40, 120, 12_000))
    [0.7667, 0.8304] at 95 % (e-value)
    """
    values, larger = check_placements(placements, n_pos, n_neg)
    share = tail_share(delta, alternative)
    low = 0.0 if check_alternative(alternative) == "less" else _lower(values, larger, share)
    high = 1.0 if alternative == "greater" else 1 - _lower(1 - values, larger, share)
    return CLAIM.interval((low, high), delta)


def _lower(values: NDArray[np.float64], larger: int, share: float) -> float:
    shapes, weights = zip(*SHAPES, strict=True)
    spread = np.sqrt(-2 * np.log(share) / (values.size * (np.array(shapes) + values.size / larger)))
    limit = smallest_plausible(
        lambda a: log_mean_exp(
            [
                log_e(values, larger, float(a), float(stake))
                for stake in stakes(a, spread, larger / values.size)
            ],
            weights,
        ),
        mean_placement(values),
        share,
    )
    return float(limit)


def log_e(values: NDArray[np.float64], larger: int, a: float, stake: float) -> float:
    """ln E(a) for one λ."""
    bet = values.size * stake
    paid = larger * math.log1p(a * math.expm1(bet / larger)) - bet * a
    return float(log_product(values, a, stake)) - paid
