"""Bounds from stability: how far another row can move the weights of a regularised fit."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.intervals.guarantees.checks import ALIKE, INDEPENDENT
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.theory.learners.certificate.training_rows import (
    NO_RADIUS,
    ROOTS,
    Bound,
    Made,
    Named,
    TrainingRows,
    in_part,
)
from rocsolid.weights.losses import step_of_ramp as step

_FLOATS = NDArray[np.float64]
_CLAIM = Claim(
    "stability",
    "Agarwal and Niyogi 2009; Bousquet and Elisseeff 2002",
    (INDEPENDENT, ALIKE, "settings of the fit fixed before this data was seen, no row weights",
     "the fit reached the minimum of its objective"),
)  # fmt: skip
_SCREEN = 0.05 / len(ROOTS)  # the δ at which a bound that no rows can rescue is left out
_SQUARE = 2.0  # |ℓ'| ≤ 2(1 + |z|) for (1 − z)² and its hinge


@dataclass(frozen=True, slots=True)
class Stability:
    """The largest norm of the weights, and how far another positive or negative can move them.

    ``radius`` is the largest norm of a row, the constant feature of a penalised intercept included.
    """

    norm: float
    by_positive: float
    by_negative: float
    radius: float

    @classmethod
    def of_pairs(cls, penalty: float, sizes: tuple[int, int], radius: float) -> Stability:
        """Bound the minimum of F(w) = mean ℓ(w·d) + λ‖w‖², ℓ(z) = (1 − z)² or (1 − z)₊².

        The d = x − x' have norms of at most D = 2R. As F(w) ≤ F(0) = 1 and ∇F(w) = 0,
        λ‖w‖ ≤ D·mean √ℓ ≤ D·√(1 − λ‖w‖²), so ‖w‖ ≤ D/√(λ(λ + D²)). ∇F is strongly monotone, so
        another positive moves w by at most ‖∇F'(w)‖/(2λ) for the new objective F', where the
        gradient of ℓ(w·d) changes by at most 2(1 + 2D‖w‖)·D in a share 1/m of the pairs.
        """
        width = 2.0 * radius
        norm = width / math.sqrt(penalty * (penalty + width**2))
        moved = (1.0 + 2.0 * norm * width) * width / penalty
        return cls(norm, moved / sizes[0], moved / sizes[1], radius)

    @classmethod
    def of_rows(cls, C: float, loss: str, sizes: tuple[int, int], radius: float) -> Stability:
        """Bound the minimum of ½‖w‖² + C·Σ ℓ(±w·x): ‖w' − w‖² ≤ 2CσR‖w' − w‖."""
        total = C * sum(sizes)
        at_zero = math.log(2.0) if loss == "logistic" else 1.0
        steepest = _SQUARE if loss == "square" else 1.0  # the largest mean slope at the minimum
        norm = min(math.sqrt(2.0 * total * at_zero), steepest * total * radius)
        slope = _SQUARE * (1.0 + norm * radius) if loss == "square" else 1.0
        moved = 2.0 * C * slope * radius
        return cls(norm, moved, moved, radius)

    def deviation(self, margin: float, sizes: tuple[int, int], delta: float) -> float:
        """Return α + β + √(½ ln(1/δ)·((2mα + 1)²/m + (2nβ + 1)²/n)).

        The ramp loss of width γ moves by at most α = 2R‖w' − w‖/γ with another positive, and by β
        with another negative. *Proof.* Φ, the loss on new pairs minus that on the training pairs,
        has a mean of at most α + β: exchange both rows of a pair for new ones. Another positive
        moves the first loss by α and the second by α + 1/m, another negative moves Φ by 2β + 1/n;
        apply McDiarmid's inequality. ∎
        """
        (m, n), width = sizes, 2.0 * self.radius
        alpha, beta = (width * by / margin for by in (self.by_positive, self.by_negative))
        noise = (2.0 * m * alpha + 1.0) ** 2 / m + (2.0 * n * beta + 1.0) ** 2 / n
        return alpha + beta + math.sqrt(-0.5 * math.log(delta) * noise)


def stability_bounds(
    final: Any, rows: TrainingRows, w: _FLOATS, radius: float | None, *, moved: bool
) -> Named:
    """Yield the bound of a model whose objective is known to penalise all its weights.

    ``moved``: earlier steps of a pipeline change the rows on which the weights are penalised.
    """
    known = _OBJECTIVES.get(type(final).__name__)
    if known is None or type(final).__module__.partition(".")[0] not in ("sklearn", "rocsolid"):
        return
    stability = known(final, rows.sizes, 1.0 if radius is None else radius)
    if isinstance(stability, str) or radius is None:
        yield "stability", stability if isinstance(stability, str) else NO_RADIUS
    elif moved:
        yield "stability", "earlier steps change the rows, whose norm it needs"
    elif stability.deviation(2.0 * stability.norm * stability.radius, rows.sizes, _SCREEN) >= 1.0:
        yield "stability", "vacuous for all rows of these sizes, as the penalty is too small"
    else:
        yield "stability", _made(stability, rows, w)


def _made(stability: Stability, rows: TrainingRows, w: _FLOATS) -> Made:
    """Return the best of a fixed list of margins, up to the largest possible difference."""
    largest, classes = 2.0 * stability.norm * stability.radius, rows.linear(w)

    def made(delta: float) -> Bound:
        limits = []
        for margin in (largest * root for root in ROOTS):
            value = in_part(classes, step(0, 1), margin)
            deviation = stability.deviation(margin, rows.sizes, delta / len(ROOTS))
            limits.append((value - deviation, value))
        low, value = max(limits)
        return Bound("stability", value, _CLAIM.interval((max(0.0, low), 1.0), delta))

    return made


_Objective = Callable[[Any, tuple[int, int], float], Stability | str]
_FREE = "its intercept is not penalised, so another row can move it arbitrarily far"


def _rank_svm(final: Any, sizes: tuple[int, int], radius: float) -> Stability | str:
    if getattr(final, "map_", None) is not None:
        return "the rows chose the landmarks of its kernel"
    if final.n_pairs_ != sizes[0] * sizes[1]:
        return "the pairs of the fit are not all pairs of the two classes"
    return Stability.of_pairs(1.0 / (2.0 * final.C * final.n_pairs_), sizes, radius)


def _least_squares(final: Any, sizes: tuple[int, int], radius: float) -> Stability | str:
    return Stability.of_pairs(float(final.alpha), sizes, radius)


def _of_rows(loss: str, final: Any, C: float, sizes: Any, radius: float) -> Stability | str:
    if final.class_weight is not None:
        return "the weights of the classes change its objective"
    if not final.fit_intercept:
        return Stability.of_rows(C, loss, sizes, radius)
    scaling = getattr(final, "intercept_scaling", None)
    if scaling is None or getattr(final, "solver", "liblinear") != "liblinear":
        return _FREE
    return Stability.of_rows(C, loss, sizes, math.hypot(radius, float(scaling)))


def _logistic(final: Any, sizes: tuple[int, int], radius: float) -> Stability | str:
    if final.penalty not in ("l2", "deprecated") or final.l1_ratio or not math.isfinite(final.C):
        return "its penalty is not the squared norm"
    return _of_rows("logistic", final, float(final.C), sizes, radius)


def _linear_svc(final: Any, sizes: tuple[int, int], radius: float) -> Stability | str:
    if final.penalty != "l2":
        return "its penalty is not the squared norm"
    loss = "hinge" if final.loss == "hinge" else "square"
    return _of_rows(loss, final, float(final.C), sizes, radius)


def _ridge(final: Any, sizes: tuple[int, int], radius: float) -> Stability | str:
    return _of_rows("square", final, 1.0 / (2.0 * float(final.alpha)), sizes, radius)


_OBJECTIVES: dict[str, _Objective] = {
    "RankSVM": _rank_svm,
    "AUCLeastSquares": _least_squares,
    "LogisticRegression": _logistic,
    "LinearSVC": _linear_svc,
    "RidgeClassifier": _ridge,
}
