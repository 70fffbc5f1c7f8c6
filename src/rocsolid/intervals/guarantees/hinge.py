"""The hinge bound: P(Â ≥ x) ≤ min over whole j < kx of E(B−j)₊/(kx−j), B ~ Bin(k, A)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.intervals.guarantees.checks import (
    Deviation,
    Limits,
    check_sizes,
    check_value,
    deviation_at,
    mirrored,
    tail_share,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.hoeffding import TINY, kl_lower
from rocsolid.results import Alternative, Interval
from rocsolid.results.interval import VALUE


def hinge_largest(k: int, share: float) -> float:
    """Return max over x of x − L(x), L the lower hinge limit that fails with at most ``share``.

    L_j, which solves E(B_a−j)₊ = share·(kx−j), is concave in x, so x − L has its peaks where L_j =
    L_{j+1}: at P(B_a > j) = share and x = a·P(B' ≥ j)/share with B' ~ Bin(k−1, a). The values a and
    x rise with j, so no peak from j₁ to j₂ exceeds x(j₂) − a(j₁).

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
    """Return limit and AUC at the peak of j and j+1, with the limit lowered as in ``hinge``."""
    from scipy.special import betainc, betaincinv

    level = j.astype(np.float64)
    a = betaincinv(level + 1, k - level, share)
    above = np.where(j > 0, betainc(np.maximum(level, 1.0), k - level, a), 1.0)
    x = np.minimum(a * above / share, 1.0)
    return a * (1 - (1e-14 + 2e-15 * np.sqrt(k))), x


SOURCE = "Hoeffding 1963, section 5 (blocks), with the hinge (B−j)₊ in place of an exponential"
BLOCK = 8192  # AUCs worked on together: few enough for a processor's cache
CLAIM = Claim("hinge", SOURCE, reads=VALUE)


def hinge(
    auc: float, n_pos: int, n_neg: int, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Interval:
    """Return the shortest certified interval that needs only the AUC and the class sizes.

    The AUC is an average, over the ways to match the smaller class into the larger, of means of k
    independent pairs. So E h(Â) ≤ E h(B/k) for every convex h, with B ~ Bin(k, A). With h(a) =
    (ka−j)₊, P(Â ≥ x) ≤ E(B−j)₊/(kx−j) for every whole j < kx; the limits invert the smallest of
    these bounds. At Â = 1 the lower limit is (δ/2)^(1/k).

    >>> print(hinge(0.8, 100, 400))
    [0.6958, 0.8812] at 95 % (hinge)
    >>> print(hinge(1.0, 20, 20, alternative="greater"))
    [0.8609, 1.0000] at 95 % (hinge)
    """
    m, n = check_sizes(n_pos, n_neg)
    return CLAIM.interval(hinge_limits(check_value(auc), min(m, n), delta, alternative), delta)


def hinge_deviation(
    n_pos: int, n_neg: int, delta: float = 0.05, auc: float | None = None
) -> Deviation:
    """Return the distance from the AUC to the farther limit of ``hinge``, by default the largest.

    >>> round(float(hinge_deviation(100, 400)), 4)
    0.1171
    >>> round(float(hinge_deviation(100, 400, auc=1)), 4)
    0.0362
    """
    k = min(check_sizes(n_pos, n_neg))
    if auc is None:
        epsilon = hinge_largest(k, tail_share(delta, "two-sided"))
    else:
        epsilon = deviation_at(lambda x: hinge_limits(x, k, delta), auc)
    return CLAIM.deviation(epsilon, delta)


def hinge_limits(
    auc: ArrayLike, k: ArrayLike, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Limits:
    """Return the limits for broadcast arrays of AUCs and of whole numbers k = min(m, n).

    >>> low, high = hinge_limits([0.8, 1.0], 20)
    >>> low.round(4), high.round(4)
    (array([0.5503, 0.8316]), array([0.9458, 1.    ]))
    """
    estimate, size = np.broadcast_arrays(
        np.asarray(auc, dtype=np.float64), np.asarray(k, dtype=np.float64)
    )
    return mirrored(lambda x, share: _lower(x, size, share), estimate, delta, alternative)


def _lower(x: NDArray[np.float64], k: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Return the largest a ≤ x with E(B−j)₊ ≤ share·(kx−j) for some whole j < kx, B ~ Bin(k, a)."""
    # at x = 1 the best j is k−1 and E(B−j)₊ = a^k; at x = 0 there is no limit; NaN stays NaN
    limit = np.where(x == 1.0, share ** (1 / k), np.where(x <= TINY, 0.0, np.nan))
    inner = np.flatnonzero((x > TINY) & (x < 1.0))
    for start in range(0, inner.size, BLOCK):
        block = inner[start : start + BLOCK]
        limit.flat[block] = _climb(x.flat[block], k.flat[block], share)
    return limit


def _climb(x: NDArray[np.float64], k: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Apply Newton's method to ln E(B−j)₊ as a function of ln a, from the kl limit upwards.

    The function is concave, so every iterate is a valid limit, whatever j is. For fixed a the bound
    falls in j until E[B | B > j] ≥ kx, and then rises. The relative error of the tails grows as √k
    (3.6e-13 at k = 10⁶), which is allowed for at the end.
    """
    start = np.maximum(kl_lower(x, -np.log(share) / k), share * x)  # share·x is the limit by j = 0
    a = start.copy()
    rounding = 1e-14 + 2e-15 * np.sqrt(k)
    kx, last = k * x, np.ceil(k * x) - 1
    # a geometric tail beyond kx has the mean excess 1/(1−r), r the ratio of the odds; below the
    # mean of B, where E[B | B > j] hardly depends on j, the search must not start
    j = np.minimum(np.ceil(np.maximum(kx - x * (1 - a) / (x - a), k * a)), last)
    previous, still = np.full_like(j, -1.0), np.zeros(x.size, dtype=bool)
    todo = np.arange(x.size)
    for _ in range(100):
        size, target, at, block = k[todo], kx[todo], a[todo], j[todo]
        above, tail = binomial_tails(size, at, block)  # P(B' ≥ j), B' ~ Bin(k−1, a), and P(B > j)
        mass = size * at * above  # E[B; B > j]
        excess = mass - block * tail  # E(B−j)₊, whose derivative by ln a is the mass
        step = np.log(share * (target - block) / excess) * excess / mass
        a[todo] *= np.exp(np.maximum(step, 0.0))
        point = size / (size - block) * (above - tail)  # P(B = j)
        mean = mass / tail  # E[B | B > j]
        slope = mean - (mass + block * point) / (tail + point)  # its rise from j−1 to j
        moved = np.clip(block + np.ceil((target - mean) / slope), 0.0, last[todo])
        small = step <= 1e-8  # the next step would be of the order of its square
        # rounding can make two neighbours call each other the better one: both must have stopped
        settled = small & ((moved == block) | (still[todo] & (moved == previous[todo])))
        previous[todo], j[todo], still[todo] = block, moved, small
        todo = todo[~settled]
        if todo.size == 0:
            break
    return np.maximum(start, a * (1 - rounding))


def binomial_tails(
    k: NDArray[np.float64], a: NDArray[np.float64], j: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return P(Bin(k−1, a) ≥ j) and P(Bin(k, a) ≥ j+1) as incomplete beta functions."""
    from scipy.special import betainc

    # before version 1.16, betainc is NaN where a parameter is 0
    at_least = np.where(j < k, betainc(np.maximum(j, 1.0), np.maximum(k - j, 1.0), a), 0.0)
    above = np.where(j < k, betainc(j + 1, np.maximum(k - j, 1.0), a), 0.0)
    return np.where(j > 0, at_least, 1.0), above
