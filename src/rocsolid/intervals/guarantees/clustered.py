"""McDiarmid's inequality for clusters: ε = √(ln(2/δ)/2·Σ_c(m_c/m + n_c/n)²)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs.tensors import in_main_memory
from rocsolid.intervals.guarantees.checks import FIXED_SCORER, check_value, log_inverse_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.sides import symmetric
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import CLUSTERS

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
    """Limits for E Â from the m_c positives and n_c negatives of each cluster c.

    Rows of one cluster may depend on each other in any way. Replacing a cluster moves Â by at most
    m_c/m + n_c/n, which takes the place of 1/m and 1/n in Theorem 5; clusters of one row give back
    ``mcdiarmid``. It is about E Â: pairs within a cluster count, and may differ from other pairs.

    >>> print(clustered(0.8, [2] * 50, [8] * 50))
    [0.4159, 1.0000] at 95 % (clustered)
    """
    return clustered_from(auc, squared_shares(pos_counts, neg_counts), delta, alternative)


def clustered_from(
    auc: float, squared: float, delta: float, alternative: Alternative = "two-sided"
) -> Interval:
    """The same from ``squared`` = Σ_c(m_c/m + n_c/n)² alone.

    >>> print(clustered_from(0.8, 4 / 50, 0.05))
    [0.4159, 1.0000] at 95 % (clustered)
    """
    epsilon = math.sqrt(log_inverse_share(delta, alternative) / 2 * squared)
    return CLAIM.interval(symmetric(check_value(auc), epsilon, alternative), delta)


def squared_shares(pos_counts: ArrayLike, neg_counts: ArrayLike) -> float:
    """Σ_c(m_c/m + n_c/n)², at most 4 (one cluster) and at least 4/C (C equal clusters).

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
    values: NDArray[np.float64] = np.asarray(in_main_memory(counts, name), dtype=np.float64)
    bad = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
    if bad.size:
        raise InputError(
            "a cluster's size must be finite and not negative",
            where=f"{name}, position {bad[0]}",
            value=values.flat[bad[0]],
            fix="count the rows of that class in each cluster",
        )
    if not np.any(values):
        raise OneClassError(f"{name} is empty", fix="an AUC needs a row of either class")
    return values
