"""Bounds from stability: how far another row can move the weights of a regularised fit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from rocsolid.dataclass import dataclass
from rocsolid.intervals.guarantees.checks import ALIKE, INDEPENDENT
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.summaries.placements import SortedClasses
from rocsolid.theory.learners.certificate.training_rows import (
    NO_RADIUS,
    ROOTS,
    Bound,
    Made,
    Named,
    in_part,
)
from rocsolid.weights.losses import step_of_ramp as step

_CLAIM = Claim(
    "stability",
    "Agarwal and Niyogi 2009; Bousquet and Elisseeff 2002",
    (INDEPENDENT, ALIKE, "settings of the fit fixed before this data was seen, no row weights",
     "the fit reached the minimum of its objective"),
)  # fmt: skip
_SCREEN = 0.05 / len(ROOTS)  # the δ at which a bound that no rows can rescue is left out
_SQUARE = 2.0  # |ℓ'| ≤ 2(1 + |z|) for (1 − z)² and its hinge


@dataclass(frozen=True, slots=True)
class Ball:
    """The largest norm of a row and the largest distance of two rows."""

    radius: float
    width: float

    @classmethod
    def of(cls, radius: float) -> Ball:
        return cls(radius, 2.0 * radius)


GAUSSIAN = Ball(1.0, math.sqrt(2.0))
"""The space of a Gaussian kernel, where ‖x‖² = k(x, x) = 1 and ⟨x, x'⟩ = k(x, x') > 0."""


@dataclass(frozen=True, slots=True)
class Stability:
    """The largest norm of the weights, and how far another positive or negative can move them.

    ``width`` is the largest distance of two rows, in the space of the kernel if there is one.
    """

    norm: float
    by_positive: float
    by_negative: float
    width: float

    @classmethod
    def of_pairs(cls, penalty: float, sizes: tuple[int, int], width: float) -> Stability:
        """Bound the minimum of F(w) = mean ℓ(w·d) + λ‖w‖², ℓ(z) = (1 − z)² or (1 − z)₊².

        The d = x − x' have norms of at most D, the ``width``. As F(w) ≤ F(0) = 1 and ∇F(w) = 0,
        λ‖w‖ ≤ D·mean √ℓ ≤ D·√(1 − λ‖w‖²), so ‖w‖ ≤ D/√(λ(λ + D²)). ∇F is strongly monotone, so
        another positive moves w by at most ‖∇F'(w)‖/(2λ) for the new objective F', where the
        gradient of ℓ(w·d) changes by at most 2(1 + 2D‖w‖)·D in a share 1/m of the pairs.
        """
        norm = width / math.sqrt(penalty * (penalty + width**2))
        moved = (1.0 + 2.0 * norm * width) * width / penalty
        return cls(norm, moved / sizes[0], moved / sizes[1], width)

    @classmethod
    def of_rows(
        cls, C: float, loss: str, sizes: tuple[int, int], ball: Ball, *, free: bool = False
    ) -> Stability:
        """Bound the minimum of ½‖w‖² + C·Σ ℓ(±(w·x + b)), ``free`` if no penalty is on b.

        Without b, ‖w' − w‖² ≤ 2CσR‖w' − w‖ for slopes |ℓ'| ≤ σ. docs/theorems/auc-bounds.md has the
        proof with b: ‖w' − w‖ is at most 2CR for slopes of at most 1 (hinge, logistic), and at most
        4R·2C(2 + D‖w‖) for squares, for which b is the mean of y − w·x.
        """
        radius = ball.radius
        total = C * sum(sizes)
        at_zero = math.log(2.0) if loss == "logistic" else 1.0
        steepest = _SQUARE if loss == "square" else 1.0  # the largest mean slope at the minimum
        norm = min(math.sqrt(2.0 * total * at_zero), steepest * total * radius)
        slope = 1.0
        if loss == "square":
            slope = 4.0 * (2.0 + norm * ball.width) if free else _SQUARE * (1.0 + norm * radius)
        moved = 2.0 * C * slope * radius
        return cls(norm, moved, moved, ball.width)

    @property
    def largest(self) -> float:
        """The largest possible difference of two scores."""
        return self.norm * self.width

    def deviation(self, margin: float, sizes: tuple[int, int], delta: float) -> float:
        """Return α + β + √(½ ln(1/δ)·((2mα + 1)²/m + (2nβ + 1)²/n)).

        The ramp loss of width γ moves by at most α = D‖w' − w‖/γ with another positive, and by β
        with another negative. *Proof.* Φ, the loss on new pairs minus that on the training pairs,
        has a mean of at most α + β: exchange both rows of a pair for new ones. Another positive
        moves the first loss by α and the second by α + 1/m, another negative moves Φ by 2β + 1/n;
        apply McDiarmid's inequality. ∎
        """
        m, n = sizes
        alpha, beta = (self.width * by / margin for by in (self.by_positive, self.by_negative))
        noise = (2.0 * m * alpha + 1.0) ** 2 / m + (2.0 * n * beta + 1.0) ** 2 / n
        return alpha + beta + math.sqrt(-0.5 * math.log(delta) * noise)


def stability_bounds(
    final: Any,
    classes: SortedClasses,
    sizes: tuple[int, int],
    ball: Ball | None,
    *,
    moved: str = "",
    others: tuple[int, int] | None = None,
) -> Named:
    """Yield the bound of a model whose objective is known to penalise all its weights.

    ``moved`` says why earlier steps change the rows on which the weights are penalised. If
    landmarks were fixed first, ``classes`` has the scores of the ``others``, on which, given the
    landmarks, the proofs of `Stability` apply: another row moves the weights as far as before.
    """
    known = _OBJECTIVES.get(type(final).__name__)
    if known is None or type(final).__module__.partition(".")[0] not in ("sklearn", "rocsolid"):
        return
    stability = known(final, sizes, ball or Ball.of(1.0))
    rows = others or sizes
    if isinstance(stability, str) or moved or ball is None:
        yield "stability", stability if isinstance(stability, str) else moved or NO_RADIUS
    elif stability.deviation(stability.largest, rows, _SCREEN) >= 1.0:
        yield "stability", "vacuous for all rows of these sizes, as the penalty is too small"
    else:
        yield "stability", _made(stability, rows, classes)


def _made(stability: Stability, sizes: tuple[int, int], classes: SortedClasses) -> Made:
    """Return the best of a fixed list of margins, up to the largest possible difference."""

    def made(delta: float) -> Bound:
        limits = []
        for margin in (stability.largest * root for root in ROOTS):
            value = in_part(classes, step(0, 1), margin)
            deviation = stability.deviation(margin, sizes, delta / len(ROOTS))
            limits.append((value - deviation, value))
        low, value = max(limits)
        return Bound("stability", value, _CLAIM.interval((max(0.0, low), 1.0), delta))

    return made


_Objective = Callable[[Any, tuple[int, int], Ball], Stability | str]
_WEIGHTED = "the weights of the classes change its objective"


def _rank_svm(final: Any, sizes: tuple[int, int], ball: Ball) -> Stability | str:
    if final.n_pairs_ != sizes[0] * sizes[1]:
        return "the pairs of the fit are not all pairs of the two classes"
    return Stability.of_pairs(1.0 / (2.0 * final.C * final.n_pairs_), sizes, ball.width)


def _least_squares(final: Any, sizes: tuple[int, int], ball: Ball) -> Stability | str:
    return Stability.of_pairs(float(final.alpha), sizes, ball.width)


def _of_rows(loss: str, final: Any, C: float, sizes: Any, ball: Ball) -> Stability | str:
    if final.class_weight is not None:
        return _WEIGHTED
    scaling = getattr(final, "intercept_scaling", None)
    if scaling is None or getattr(final, "solver", "liblinear") != "liblinear":
        return Stability.of_rows(C, loss, sizes, ball, free=final.fit_intercept)
    if final.fit_intercept:  # one more feature, the same in all rows, with a penalty
        ball = Ball(math.hypot(ball.radius, float(scaling)), ball.width)
    return Stability.of_rows(C, loss, sizes, ball)


def _logistic(final: Any, sizes: tuple[int, int], ball: Ball) -> Stability | str:
    if final.penalty not in ("l2", "deprecated") or final.l1_ratio or not math.isfinite(final.C):
        return "its penalty is not the squared norm"
    return _of_rows("logistic", final, float(final.C), sizes, ball)


def _linear_svc(final: Any, sizes: tuple[int, int], ball: Ball) -> Stability | str:
    if final.penalty != "l2":
        return "its penalty is not the squared norm"
    loss = "hinge" if final.loss == "hinge" else "square"
    return _of_rows(loss, final, float(final.C), sizes, ball)


def _svc(final: Any, sizes: tuple[int, int], ball: Ball) -> Stability | str:
    if final.kernel == "rbf" and final.gamma == "scale":
        return 'gamma="scale" makes its kernel depend on the rows'
    if final.class_weight is not None:
        return _WEIGHTED
    return Stability.of_rows(float(final.C), "hinge", sizes, ball, free=True)


def _ridge(final: Any, sizes: tuple[int, int], ball: Ball) -> Stability | str:
    return _of_rows("square", final, 1.0 / (2.0 * float(final.alpha)), sizes, ball)


_OBJECTIVES: dict[str, _Objective] = {
    "RankSVM": _rank_svm,
    "AUCLeastSquares": _least_squares,
    "LogisticRegression": _logistic,
    "LinearSVC": _linear_svc,
    "SVC": _svc,
    "RidgeClassifier": _ridge,
}
