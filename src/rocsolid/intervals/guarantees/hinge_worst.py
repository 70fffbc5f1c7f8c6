"""The largest deviation of the hinge bound over every AUC, from its k peaks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def hinge_largest(k: int, share: float) -> float:
    """max over x of x − L(x), L the lower hinge limit that fails with probability ≤ ``share``.

    For one whole j the limit L_j solves E(B_a−j)₊ = share·(kx−j), whose left side is convex and
    rising in a; so L_j is concave, x − L_j convex, and x − L = min over j of x − L_j has its peaks
    where L_j = L_{j+1}. Subtracting one equation from the other, P(B_a > j) = share there: a is a
    binomial limit, and x = a·P(B' ≥ j)/share with B' ~ Bin(k−1, a). The last peak is x = 1.

    Both a and x rise with j, so no peak from j₁ to j₂ is higher than x(j₂) − a(j₁): stretches that
    this rules out are dropped and the others cut in four, down to single peaks. Upper limits are
    mirror images.

    >>> round(hinge_largest(100, 0.025), 6), round(hinge_largest(1, 0.025), 6)
    (0.117058, 0.975)
    """
    length = 1 << max(0, (k // 256).bit_length())
    starts = np.arange(0, k, length)
    while True:
        a, x = _peaks(starts, k, share)
        best = float(np.max(x - a))
        if length == 1:
            return best
        _, furthest = _peaks(np.minimum(starts + length - 1, k - 1), k, share)
        starts = starts[furthest - a >= best]
        quarter = max(1, length // 4)
        starts = (starts[:, None] + np.arange(0, length, quarter)).ravel()
        starts, length = starts[starts < k], quarter


def _peaks(
    j: NDArray[np.int64], k: int, share: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Limit and AUC at the peak of j and j+1, the limit lowered for rounding as in ``hinge``."""
    from scipy.special import betainc, betaincinv

    level = j.astype(np.float64)
    a = betaincinv(level + 1, k - level, share)
    above = np.where(j > 0, betainc(np.maximum(level, 1.0), k - level, a), 1.0)
    x = np.minimum(a * above / share, 1.0)
    return a * (1 - (1e-14 + 2e-15 * np.sqrt(k))), x
