"""Minimise ½‖w‖² + C·R(w) for a convex R that has a value and a subgradient."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.learners.partial.simplex_program import maximise_on_simplex

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Minimum:
    """The best w that was seen, its objective, and a lower limit for every objective."""

    w: Floats
    objective: float
    lower_limit: float
    steps: int

    def within(self, tol: float) -> bool:
        """Whether the objective is at most ``tol`` of itself above the smallest there is."""
        return self.objective - self.lower_limit <= tol * self.objective


def minimise_by_planes(
    risk: Callable[[Floats], tuple[float, Floats]],
    size: int,
    C: float,
    tol: float,
    max_iter: int,
) -> Minimum:
    """Cutting planes: R is the largest of its tangents, so those seen bound it from below.

    Each step takes the tangent at the smallest point of ½‖w‖² + C·(largest tangent so far), found
    in the dual, a quadratic program over as many weights as tangents. That smallest value is also
    a lower limit of the objective, so the gap is known. It starts at w = 0. (Teo, Vishwanathan,
    Smola and Le, Bundle methods for regularized risk minimization, JMLR 11 (2010), 311-365.)
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
