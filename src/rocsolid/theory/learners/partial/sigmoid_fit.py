"""The linear scorer of least sigmoid loss over a partial area."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.theory.learners.partial.sigmoid_pairs import sigmoid_loss
from rocsolid.theory.learners.partial.top_negatives import TopNegatives

Floats = NDArray[np.float64]

PULL = 1.0
"""λ of λ(‖w‖² − 1)². The loss has a slope of at most ¼·(1/τ) a unit of score, so it stays near."""


@dataclass(frozen=True, slots=True, eq=False)
class SigmoidObjective:
    """mean σ(−(sᵢ−tⱼ)/τ) over positives and top negatives, plus λ(‖w‖²−1)², and its gradient.

    Which negatives are at the top changes with w. The value is continuous there, as two that change
    places have equal scores; the gradient is that of the present order.
    """

    pos: Any
    neg: Any
    top: TopNegatives
    tau: float

    def __call__(self, w: Floats) -> tuple[float, Floats]:
        s, t = self.pos @ w, self.neg @ w
        ranked = self.top.ranked(t)
        value, by_pos, by_top = sigmoid_loss(s, t[ranked], self.top.share, self.tau)
        excess = float(w @ w) - 1.0
        slope = self.pos.T @ by_pos + self.neg[ranked].T @ by_top + 4.0 * PULL * excess * w
        return value + PULL * excess**2, np.asarray(slope)


@dataclass(frozen=True, slots=True, eq=False)
class SigmoidFit:
    """Weights of norm 1 (or all 0), the steps taken, and whether the search ended by itself."""

    w: Floats
    steps: int
    converged: bool


def fit_sigmoid(
    objective: SigmoidObjective, start: Floats, max_iter: int, ftol: float = 2.2e-9
) -> SigmoidFit:
    """L-BFGS from ``start``: a local minimum, as the objective is not convex.

    It ends where a step gains less than ``ftol`` of the objective; the default is SciPy's.
    """
    from scipy.optimize import minimize

    size = float(np.linalg.norm(start))
    found = minimize(
        objective,
        start / size if size > 0 else start,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": max_iter, "ftol": ftol},
    )
    w = np.asarray(found.x)
    size = float(np.linalg.norm(w))
    # status 1: out of steps; a line search that fails at a kink of the order is an end as well
    return SigmoidFit(w / size if size > 0 else w, max(int(found.nit), 1), found.status != 1)
