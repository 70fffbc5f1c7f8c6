"""Lower bounds on the mean width of any valid interval for an AUC."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.int64]
_POINTS = 64  # of a lattice, for each row of the larger class
_TILTS = 60


def least_reach(p: _FLOATS, q: _FLOATS, m: int, n: int, share: float) -> float:
    """Return a lower bound on E(A−L)₊ + E(U−A)₊ for limits that each miss with chance ≤ ``share``.

    m positives have the ordered levels of a score with probabilities p, n negatives with q. L > a
    is a test that rejects every distribution of AUC a with probability at most ``share``, so under
    p, q it has at most the power β of the best test of one such distribution (Neyman and Pearson),
    and E(A−L)₊ is at least ∫ (1−β)da over a < A. The tested distributions are p·e^{−sV/m} and
    q·e^{−sU/n}, with the placements V and U on a lattice. Fourier transforms compute the
    distribution of the sum of placements.

    >>> coin = np.array([0.2, 0.0, 0.8]), np.array([0.0, 1.0, 0.0])
    >>> round(least_reach(*coin, 100, 100, 0.025), 3)
    0.15
    """
    won = np.cumsum(q) - q / 2  # V of each level
    lost = 1 - (np.cumsum(p) - p / 2)  # U of each level
    auc = float(p @ won)
    spread = float(p @ won**2) - auc**2, float(q @ lost**2) - auc**2
    unit = 1 / (_POINTS * max(m, n))
    in_p, in_q = (np.rint(x / unit).astype(np.int64) for x in (won / m, lost / n))
    truth = _sum_law(p, in_p, q, in_q, m, n)
    reach = 0.0
    scale = 6 / math.sqrt(max(spread[0], 1e-12) / m + max(spread[1], 1e-12) / n)
    for sign in (1.0, -1.0):
        means, unseen = [auc], [1 - share]
        for tilt in sign * scale * np.linspace(0, 1.5, _TILTS + 1)[1:]:
            at_p, at_q = p * np.exp(-tilt * unit * in_p), q * np.exp(-tilt * unit * in_q)
            at_p, at_q = at_p / at_p.sum(), at_q / at_q.sum()
            law = _sum_law(at_p, in_p, at_q, in_q, m, n)
            means.append(float(at_p @ (np.cumsum(at_q) - at_q / 2)))
            unseen.append(1 - _power(truth, law, share, upper=sign > 0))
        # 1 − β falls with the distance, so its value at the farther end is from below
        reach += float(np.abs(np.diff(means)) @ np.array(unseen)[1:])
    return reach


def _power(truth: _FLOATS, law: _FLOATS, share: float, *, upper: bool) -> float:
    """Return the chance under ``truth`` of the extreme sums that have ``share`` under ``law``."""
    step = -1 if upper else 1
    tails = [np.concatenate([[0.0], np.cumsum(each[::step])]) for each in (law, truth)]
    return float(np.interp(share, tails[0], tails[1]))


def _sum_law(p: _FLOATS, v: _INT, q: _FLOATS, u: _INT, m: int, n: int) -> _FLOATS:
    """Return the distribution of a sum of m independent v and n independent u, in whole numbers."""
    points = 1 << (m * int(v.max()) + n * int(u.max())).bit_length()
    transforms = [np.fft.rfft(np.bincount(x, chance, points)) for chance, x in ((p, v), (q, u))]
    law = np.fft.irfft(transforms[0] ** m * transforms[1] ** n, points)
    return np.maximum(law, 0.0)
