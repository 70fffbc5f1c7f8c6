"""McDiarmid's inequality for a difference of AUCs: ε = 2√(ln(2/δ)/2·Σ_c(u_c + v_c)²)."""

from __future__ import annotations

import math

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import FIXED_SCORER, check_difference, log_inverse_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import CLUSTERS, WEIGHTS

SOURCE = "McDiarmid 1989, as in Agarwal et al. 2005, Theorem 5, for a difference"
ASSUMPTIONS = (
    "rows independent, or clusters where they are given",
    "weights and numbers of rows in a cluster fixed without regard to the scores",
    FIXED_SCORER,
)
CLAIM = Claim("mcdiarmid (difference)", SOURCE, ASSUMPTIONS, WEIGHTS | CLUSTERS, range=(-1.0, 1.0))


def difference_mcdiarmid(
    difference: float,
    squared_shares: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Limits for E Δ̂ under weights or clusters: Δ̂ ± 2√(ln(2/δ)/2·Σ_c(u_c + v_c)²).

    u_c and v_c are the shares of the positives' and of the negatives' weight that an independent
    unit holds (a row, or a cluster). Replacing the unit moves either AUC by at most u_c + v_c, so
    their difference by at most twice that.

    >>> print(difference_mcdiarmid(0.02, 2 / 400))
    [-0.1721, 0.2121] at 95 % (mcdiarmid (difference))
    """
    check_difference(difference)
    if not (is_number(squared_shares) and 0.0 < squared_shares < math.inf):
        raise InputError("not a positive number", where="squared_shares", value=squared_shares)
    epsilon = 2.0 * math.sqrt(log_inverse_share(delta, alternative) / 2.0 * squared_shares)
    low = -1.0 if alternative == "less" else max(difference - epsilon, -1.0)
    high = 1.0 if alternative == "greater" else min(difference + epsilon, 1.0)
    return CLAIM.interval((low, high), delta)
