"""Hotelling's T²: that all systems have the same mean on the same queries, or on their own."""

from __future__ import annotations

import math

import numpy as np

from rocsolid.comparison.queries.systems import Systems
from rocsolid.intervals.means.tail import SAME
from rocsolid.results.query_comparison import OmnibusF

_QUERIES_A_SYSTEM = 4
_RANK = 1e-10  # eigenvalues of a correlation matrix below this are rounding


def hotelling(systems: Systems) -> tuple[OmnibusF, list[str]]:
    """F = (Q−r)/(r(Q−1))·T², T² = dᵀC⁺d on r and Q − r degrees of freedom.

    Hotelling, Annals of Mathematical Statistics 2 (1931), 360-378. d holds the differences from
    the first system's mean, C their covariance and r its rank, k − 1 unless systems repeat each
    other. Exact for normal values; for two systems it is the square of the paired t. It needs at
    least as many queries as systems, better several times as many. On queries of their own the
    systems have variances of their own, and the test is Welch's for several means (Biometrika 38
    (1951), 330-336).
    """
    from scipy.special import fdtrc

    if not systems.paired:
        return _welch(systems)
    matrix, size = systems.matrix, systems.queries[0]
    rows = matrix[1:] - matrix[0]
    scale = SAME * np.abs(matrix).max()
    rows = np.where(np.abs(rows) <= scale, 0.0, rows)
    found = rows.mean(axis=1)
    covariance = np.atleast_2d(np.cov(rows)) / size
    error = np.sqrt(np.diag(covariance))
    still = error <= scale
    error = np.where(still, np.inf, error)
    eigenvalues, vectors = np.linalg.eigh(covariance / np.outer(error, error))
    kept = eigenvalues > _RANK
    rank = int(kept.sum())
    if rank == 0 and not found.any():
        return OmnibusF(0.0, 0, 1.0, float(size)), []
    if rank == size - 1 < len(found):  # the queries limit the rank, not systems that repeat
        return OmnibusF(math.nan, rank, math.nan, 0.0), [
            f"The test that all are equal needs at least as many queries as systems ({size} "
            f"and {len(systems.names)} here); adjust='tukey' answers that question at any size."
        ]
    along = vectors.T @ np.where(still, 0.0, found / error)
    stuck = still & (np.abs(found) > scale)
    if stuck.any() or np.abs(along[~kept]).max(initial=0.0) > 1e-4 * (1.0 + np.abs(along).max()):
        return OmnibusF(math.nan, rank, math.nan, float(size - rank)), [
            "The test that all are equal does not hold: some difference is not zero but never "
            "varies over queries; rely on the certified intervals."
        ]
    squared = float(np.sum(along[kept] ** 2 / eigenvalues[kept]))
    statistic = squared * (size - rank) / (rank * (size - 1.0))
    p = float(fdtrc(rank, size - rank, statistic))
    said = []
    if size < _QUERIES_A_SYSTEM * rank:
        said.append(
            f"The test that all are equal rests on {size} queries for {len(systems.names)} systems "
            "and needs several times as many unless the values are normal; adjust='tukey' answers "
            "that question at any size."
        )
    return OmnibusF(statistic, rank, p, float(size - rank)), said


def _welch(systems: Systems) -> tuple[OmnibusF, list[str]]:
    from scipy.special import fdtrc

    own = np.diag(systems.covariance())
    sizes, k = np.array(systems.queries, dtype=np.float64), len(systems.names)
    if not np.all(own > 0.0):
        return OmnibusF(math.nan, k - 1, math.nan, 0.0), [
            "The test that all are equal does not hold: a system has the same value on all its "
            "queries; rely on the certified intervals."
        ]
    weight = 1.0 / own
    share = weight / weight.sum()
    between = weight @ (systems.means - share @ systems.means) ** 2 / (k - 1.0)
    lack = float(np.sum((1.0 - share) ** 2 / (sizes - 1.0)))
    statistic = float(between / (1.0 + 2.0 * (k - 2.0) / (k**2 - 1.0) * lack))
    df2 = (k**2 - 1.0) / (3.0 * lack)
    return OmnibusF(statistic, k - 1, float(fdtrc(k - 1, df2, statistic)), df2), []
