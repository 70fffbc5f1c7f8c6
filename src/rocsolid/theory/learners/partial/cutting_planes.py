"""Cutting planes for ½‖w‖² + C·R(w) with a convex R, and the tight hinge."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass

_ROUNDING = 1e-10  # of the largest entry: a smaller improvement is rounding


def maximise_on_simplex(gram: Floats, gain: Floats, start: Floats) -> Floats:
    """Return the θ ≥ 0 with Σθ = 1 that maximises gain·θ − ½θᵀ·gram·θ, from ``start``.

    As in Wolfe's search for the nearest point of a polytope: solve on the used entries as if they
    could be negative, move towards that solution while all stay positive, drop the entry that
    becomes 0, add the most promising entry. The value never falls, so the search terminates.

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
    """Return the step to the best point on the plane Σθ = 1 with only the used entries.

    If the equations have no solution, the value grows without bound along their residual, because
    their matrix is symmetric. The second result states whether to stop after one whole step.
    """
    support = np.flatnonzero(used)
    size = len(support)
    system = np.ones((size + 1, size + 1))
    system[:size, :size] = gram[np.ix_(support, support)]
    system[size, size] = 0.0
    right = np.append(gain[support] - gram[support] @ theta, 0.0)
    solved = np.linalg.lstsq(system, right, rcond=1e-12)[0]
    left_over = right - system @ solved
    step = np.zeros(len(theta))
    if np.abs(left_over).max() > tolerance:
        step[support] = left_over[:size]
        return step, False
    step[support] = solved[:size]
    return step, True


Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Minimum:
    """The w with the lowest objective, the objective, and a lower limit for every objective."""

    w: Floats
    objective: float
    lower_limit: float
    steps: int

    def within(self, tol: float) -> bool:
        """Return whether the relative gap to the minimum is at most ``tol``."""
        return self.objective - self.lower_limit <= tol * self.objective


def minimise_by_planes(
    risk: Callable[[Floats], tuple[float, Floats]], size: int, C: float, tol: float, max_iter: int
) -> Minimum:
    """Minimise ½‖w‖² + C·R(w) by cutting planes: R is the largest of its tangents.

    Each step minimises ½‖w‖² + C·(largest tangent so far) and adds the tangent at the minimiser.
    The minimum is a lower limit of the objective (Teo, Vishwanathan, Smola and Le, Bundle methods
    for regularized risk minimization, JMLR 11 (2010), 311-365).
    """
    w = np.zeros(size)
    best, limit = Minimum(w, np.inf, -np.inf, 0), -np.inf
    slopes, offsets = np.empty((0, size)), np.empty(0)
    gram, theta = np.empty((0, 0)), np.empty(0)
    for step in range(1, max_iter + 1):
        value, slope = risk(w)
        objective = 0.5 * float(w @ w) + C * value
        if objective < best.objective:
            best = Minimum(w, objective, limit, step)
        slopes = np.vstack([slopes, slope])
        offsets = np.append(offsets, value - float(slope @ w))
        row = slopes @ slope
        gram = np.block([[gram, row[:-1, None]], [row[None, :]]])
        theta = np.append(theta, 0.0 if len(theta) else 1.0)
        theta = maximise_on_simplex(C * gram, offsets, theta)
        w = -C * (theta @ slopes)
        limit = max(limit, C * float(theta @ offsets) - 0.5 * float(w @ w))
        best = Minimum(best.w, best.objective, limit, step)
        if best.within(tol):
            break
    return best


def tight_hinge(pos: Floats, neg: Floats, first: int, last: int) -> tuple[float, Floats, Floats]:
    """Return Narasimhan and Agarwal's surrogate, and a subgradient by each score.

    With the negatives sorted down, t₁ ≥ t₂ ≥ ...,

        (1/(m·(last−first))) Σᵢ max_{r≤last} {(r−first)₊ − Σ_{j≤r}(sᵢ − tⱼ)},

    a convex function of the scores, and 1 if all scores are equal. Up to r = ``first`` the terms
    grow while tⱼ > sᵢ, and from there on while tⱼ > sᵢ − 1: two candidates r per positive.
    (Narasimhan and Agarwal, Support vector algorithms for optimizing the partial area under the ROC
    curve, Neural Computation 29 (2017), 1919-1963.)

    >>> tight_hinge(np.array([0.0]), np.array([0.5, -2.0]), 0, 1)[0]
    1.5
    """
    order = np.argsort(-neg, kind="stable")
    down = neg[order]
    up = down[::-1]
    prefix = np.concatenate([np.zeros(1), np.cumsum(down[:last])])
    above = len(neg) - np.searchsorted(up, pos, side="right")
    near = len(neg) - np.searchsorted(up, pos - 1.0, side="right")
    few, many = np.minimum(first, above), np.clip(near, first, last)
    gain_few = prefix[few] - few * pos
    gain_many = (many - first) + prefix[many] - many * pos
    taken = np.where(gain_many > gain_few, many, few)
    scale = 1.0 / (len(pos) * (last - first))
    value = scale * float(np.maximum(gain_many, gain_few).sum())
    # the j-th negative is in the set of every positive with r at least j
    users = np.cumsum(np.bincount(taken, minlength=last + 1)[::-1])[::-1]
    by_neg = np.zeros(len(neg))
    by_neg[order[:last]] = scale * users[1 : last + 1]
    return value, -scale * taken, by_neg
