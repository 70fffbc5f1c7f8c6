"""The χ² test that k values are equal."""

from __future__ import annotations

import math

import numpy as np

from rocsolid.comparison.compared import NO_VARIANCE, Compared
from rocsolid.results.comparison import Omnibus

_RANK = 1e-10  # eigenvalues of a correlation matrix below this are rounding


def omnibus(compared: Compared) -> tuple[Omnibus, list[str]]:
    """dᵀC⁺d, d the differences from the first and C their covariance; df is the rank of C.

    DeLong et al. 1988, equation 5, with a pseudo-inverse: scores that rank alike, or whose
    differences repeat each other, leave a covariance of lower rank, and the statistic is the same
    whichever of them is left out. Where a difference is not zero but has no variance (it lies
    outside the range of C) the statistic is unknown. For two values it is the square of DeLong's
    statistic. It also gives what a reader should know.
    """
    from scipy.special import chdtrc

    found = compared.values[1:] - compared.values[0]
    covariance = compared.known.against_first()
    error = np.sqrt(np.diag(covariance))
    error[error <= math.sqrt(NO_VARIANCE)] = np.inf  # a row and column of zeros
    eigenvalues, vectors = np.linalg.eigh(covariance / np.outer(error, error))
    kept = eigenvalues > _RANK
    rank = int(kept.sum())
    along = vectors.T @ np.where(np.isinf(error), 0.0, found / error)
    stuck = np.isinf(error) & (found != 0.0)
    if stuck.any() or np.abs(along[~kept]).max(initial=0.0) > 1e-4 * (1.0 + np.abs(along).max()):
        return Omnibus(math.nan, rank, math.nan), [
            "The test that all are equal does not hold: some difference is not zero but has no "
            "estimated variance; rely on the certified intervals."
        ]
    statistic = float(np.sum(along[kept] ** 2 / eigenvalues[kept]))
    p = float(chdtrc(rank, statistic)) if rank else 1.0
    said = []
    if rank == 0 and len(found) == 1:
        said.append(
            "The two scores rank alike, so the test that they are equal has nothing to test."
        )
    elif rank < len(found):
        said.append(
            f"The covariance of the {len(found)} differences has rank {rank}: some scores rank "
            f"alike or depend on each other, and the test that all are equal has {rank} degree"
            f"{'' if rank == 1 else 's'} of freedom."
        )
    return Omnibus(statistic, rank, p), said
