"""A small quadratic program over the simplex, solved to the end by active sets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ROUNDING = 1e-10  # of the largest entry: an improvement below it is none


def maximise_on_simplex(gram: Floats, gain: Floats, start: Floats) -> Floats:
    """The θ ≥ 0 with Σθ = 1 that has the largest gain·θ − ½θᵀ·gram·θ.

    ``gram`` is symmetric and positive semidefinite; ``start`` is on the simplex. As in Wolfe's
    search for the nearest point of a polytope: solve on the entries in use as if they could be
    negative; go as far towards that as all stay positive, dropping the one that becomes 0; take in
    the entry that promises most. The value never falls, so it ends.

    >>> maximise_on_simplex(np.eye(2), np.array([1.0, 0.5]), np.array([0.5, 0.5]))
    array([0.75, 0.25])
    """
    theta = start.copy()
    used = theta > 0
    tolerance = _ROUNDING * max(float(np.abs(gram).max()), float(np.abs(gain).max()), 1e-300)
    for _ in range(20 * len(gain) + 50):
        step, whole = _ascent(gram, gain, theta, used, tolerance)
        shrinking = np.flatnonzero(used & (theta + step <= 0 if whole else step < 0))
        if shrinking.size:
            reach = theta[shrinking] / -step[shrinking]
            theta += float(reach.min()) * step
            used[shrinking[np.argmin(reach)]] = False
            theta[~used] = 0.0
            continue
        theta += step
        slope = gain - gram @ theta
        level = float(slope @ theta)
        slope[used] = -np.inf
        entering = int(np.argmax(slope))
        if slope[entering] <= level + tolerance:
            break
        used[entering] = True
    theta = np.maximum(theta, 0.0)
    return np.asarray(theta / theta.sum())


def _ascent(
    gram: Floats, gain: Floats, theta: Floats, used: NDArray[np.bool_], tolerance: float
) -> tuple[Floats, bool]:
    """The way to the best on the plane Σθ = 1 with the used entries alone, of any sign.

    Where the used ones depend on each other there may be no best, and the value grows for ever
    along some direction: what no solution of the equations reaches is such a direction, as their
    matrix is symmetric. The second result is whether to stop after one whole step.
    """
    at = np.flatnonzero(used)
    size = len(at)
    system = np.ones((size + 1, size + 1))
    system[:size, :size] = gram[np.ix_(at, at)]
    system[size, size] = 0.0
    right = np.append(gain[at] - gram[at] @ theta, 0.0)
    solved = np.linalg.lstsq(system, right, rcond=1e-12)[0]
    left_over = right - system @ solved
    step = np.zeros(len(theta))
    if np.abs(left_over).max() > tolerance:
        step[at] = left_over[:size]
        return step, False
    step[at] = solved[:size]
    return step, True
