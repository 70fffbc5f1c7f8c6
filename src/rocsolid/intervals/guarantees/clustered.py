from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs.matrices import in_main_memory
from rocsolid.intervals.guarantees.checks import (
    FIXED_SCORER,
    INDEPENDENT,
    Limits,
    check_value,
    log_inverse_share,
    symmetric,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.hoeffding import mcdiarmid_limits
from rocsolid.results import Alternative
from rocsolid.results.interval import CLUSTERS, WEIGHTS, Interval

SOURCE = "McDiarmid 1989, as in Agarwal et al. 2005, Theorem 5, with clusters in place of rows"
ASSUMPTIONS = ("clusters independent", "numbers of rows in a cluster fixed", FIXED_SCORER)
CLAIM = Claim("clustered", SOURCE, ASSUMPTIONS, CLUSTERS)


def clustered(
    auc: float,
    pos_counts: ArrayLike,
    neg_counts: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for E Â from the m_c positives and n_c negatives of each cluster c.

    The limits are Â ± √(ln(2/δ)/2·Σ_c(m_c/m + n_c/n)²): replacing a cluster moves Â by at most
    m_c/m + n_c/n. Rows of one cluster may depend on each other in any way. E Â is not A, because
    pairs within a cluster count and may differ from other pairs.

    Reference: Agarwal et al. 2005, Theorem 5, which is the case of clusters of one row.

    >>> print(clustered(0.8, [2] * 50, [8] * 50))
    [0.4159, 1.0000] at 95 % (clustered)
    """
    return clustered_from(auc, squared_shares(pos_counts, neg_counts), delta, alternative)


def clustered_from(
    auc: float, squared: float, delta: float, alternative: Alternative = "two-sided"
) -> Interval:
    """Return the interval of `clustered` from ``squared`` = Σ_c(m_c/m + n_c/n)² alone."""
    return CLAIM.interval(_symmetric(auc, squared, delta, alternative), delta)


def fixed_squares(
    value: float, squared: float, clustered: bool, delta: float, alternative: Alternative
) -> Interval:
    """Return limits for the mean of a value in [0, 1] that each unit moves by at most its share.

    ``squared`` is the sum of the units' squared shares. A cluster has the sum of the shares of its
    rows. Shares of 1/m and 1/n are those of `clustered`, and shares of u/Σu and v/Σv those of
    `weighted`.

    >>> print(fixed_squares(0.8, 50 * 0.04**2, True, 0.05, "two-sided"))
    [0.4159, 1.0000] at 95 % (clustered)
    """
    claim = CLAIM if clustered else WEIGHTED_CLAIM
    return claim.interval(_symmetric(value, squared, delta, alternative), delta)


def even_clusters(shares: NDArray[np.float64], cluster: NDArray[np.intp]) -> float:
    """Return the number of clusters of equal shares with the same variance of the mean.

    >>> even_clusters(np.array([0.5, 0.5, 1.0]), np.array([0, 0, 1]))
    2.0
    """
    units = np.bincount(cluster, shares)
    return float(units.sum() ** 2 / (units**2).sum())


def _symmetric(value: float, squared: float, delta: float, alternative: Alternative) -> Limits:
    epsilon = math.sqrt(log_inverse_share(delta, alternative) / 2 * squared)
    return symmetric(check_value(value), epsilon, alternative)


def squared_shares(pos_counts: ArrayLike, neg_counts: ArrayLike) -> float:
    """Return Σ_c(m_c/m + n_c/n)², at most 4 (one cluster) and at least 4/C (C equal clusters).

    >>> squared_shares([1, 1, 0], [0, 0, 1])
    1.5
    """
    pos, neg = _counts(pos_counts, "pos_counts"), _counts(neg_counts, "neg_counts")
    if pos.shape != neg.shape:
        raise InputError(
            "pos_counts and neg_counts must have an entry for each cluster",
            value=(pos.size, neg.size),
            fix="write 0 for a cluster without rows of that class",
        )
    return float(((pos / pos.sum() + neg / neg.sum()) ** 2).sum())


def _counts(counts: ArrayLike, name: str) -> NDArray[np.float64]:
    values = _not_negative(
        counts, name, "a cluster's size", "count the rows of that class in each cluster"
    )
    if not np.any(values):
        raise OneClassError(f"{name} is empty", fix="an AUC needs a row of each class")
    return values


def _not_negative(given: ArrayLike, name: str, noun: str, fix: str) -> NDArray[np.float64]:
    values: NDArray[np.float64] = np.asarray(in_main_memory(given, name), dtype=np.float64)
    bad = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
    if bad.size:
        raise InputError(
            f"{noun} must be finite and not negative", where=f"{name}, position {bad[0]}",
            value=values.flat[bad[0]], fix=fix,
        )  # fmt: skip
    return values


WEIGHTED_SOURCE = "McDiarmid 1989, as in Agarwal et al. 2005, Theorem 5, with weights"
WEIGHTED_ASSUMPTIONS = (INDEPENDENT, FIXED_SCORER, "weights fixed without regard to the scores")
WEIGHTED_CLAIM = Claim("weighted", WEIGHTED_SOURCE, WEIGHTED_ASSUMPTIONS, WEIGHTS)


def weighted(
    auc: float,
    pos_weights: ArrayLike,
    neg_weights: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for the mean of a weighted AUC whose weights do not depend on the scores.

    The limits are for E Â, where Â = Σᵢⱼ uᵢvⱼφᵢⱼ/(ΣuΣv). The effective sizes (Σu)²/Σu² and
    (Σv)²/Σv² replace m and n in Theorem 5 of Agarwal et al. 2005.

    >>> print(weighted(0.8, [1, 2] * 50, [1] * 400))
    [0.6416, 0.9584] at 95 % (weighted)
    """
    sizes = effective_size(pos_weights, "pos_weights"), effective_size(neg_weights, "neg_weights")
    return weighted_from(auc, *sizes, delta, alternative)


def weighted_from(
    auc: float, n_pos: float, n_neg: float, delta: float, alternative: Alternative = "two-sided"
) -> Interval:
    """Return the interval of `weighted` from the effective sizes (Σu)²/Σu² and (Σv)²/Σv² alone."""
    low, high = mcdiarmid_limits(check_value(auc), n_pos, n_neg, delta, alternative)
    return WEIGHTED_CLAIM.interval((low, high), delta)


def effective_size(weights: ArrayLike, name: str = "weights") -> float:
    """Return (Σw)²/Σw², the number of equal weights with the same variance of the mean.

    >>> effective_size([1, 1, 1, 1]), effective_size([5, 0, 0])
    (4.0, 1.0)
    """
    w = _not_negative(weights, name, "a weight", "remove the row or give it the weight 0")
    if not np.any(w):
        raise OneClassError(f"all weights in {name} are 0", fix="give a row of each class a weight")
    shares = w / w.max()  # the scale cancels; without it the squares might overflow
    return float(shares.sum() ** 2 / (shares**2).sum())


def counted(units: NDArray[np.float64] | None) -> tuple[int | None, float]:
    """Return the number of clusters with these shares, and of equal clusters that they count as."""
    return (None, math.inf) if units is None else (len(units), effective_size(units))
