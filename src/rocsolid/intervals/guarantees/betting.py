"""Bets on the placements for A′, then relative entropy for what the larger class adds."""

from __future__ import annotations

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
from rocsolid.intervals.guarantees.kl import kl_limits
from rocsolid.intervals.guarantees.placements import check_placements, mean_placement
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import PLACEMENTS

PLACEMENTS_SHARE = 0.95  # of δ; the rest goes to the larger class
SOURCE = (
    "Waudby-Smith and Ramdas 2024 (betting) on the placements at 0.95δ, "
    "relative entropy on the larger class at 0.05δ"
)
CLAIM = Claim("betting", SOURCE, reads=PLACEMENTS)


def betting(
    placements: ArrayLike,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Two steps: limits for A′, the AUC against the larger class as it is, and from these for A.

    Given the larger class (size M) the placements are independent with mean A′, so the capital
    Π(1+λ(vᵢ−a)) of somebody who bets against a ≥ A′ has expectation at most 1 and reaches 1/δ with
    probability at most δ; stakes are as in ``e_value``. A′ is a mean of M independent values in
    [0, 1] with mean A: the limit for A′ is carried to A by kl(A′‖A), which only moves outward.

    >>> print(betting([0.7, 0.8, 0.9] * 40, 120, 12_000))
    [0.7538, 0.8416] at 95 % (betting)
    """
    values, larger = check_placements(placements, n_pos, n_neg)
    share = tail_share(delta, alternative)
    low = 0.0 if check_alternative(alternative) == "less" else _lower(values, larger, share)
    high = 1.0 if alternative == "greater" else 1 - _lower(1 - values, larger, share)
    return CLAIM.interval((low, high), delta)


def _lower(values: NDArray[np.float64], larger: int, share: float) -> float:
    first, rest = PLACEMENTS_SHARE * share, (1 - PLACEMENTS_SHARE) * share
    shapes, weights = zip(*SHAPES, strict=True)
    spread = np.sqrt(-2 * np.log(first) / (values.size * np.array(shapes)))
    given_larger = smallest_plausible(
        lambda a: log_mean_exp(
            [log_product(values, a, stake) for stake in stakes(a, spread, np.inf)], weights
        ),
        mean_placement(values),
        first,
    )
    return float(kl_limits(given_larger, larger, rest, "greater")[0])
