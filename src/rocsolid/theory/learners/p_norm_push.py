"""The p-norm push."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import is_number, whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.theory.learners.base import LinearScorer
from rocsolid.theory.learners.squared_hinge import Times, fit_linear
from rocsolid.weights.weight import check_positive

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PushLoss:
    """ln Σⱼ (Σᵢ e^(tⱼ − sᵢ))^p = p·ln Σᵢ e^(−sᵢ) + ln Σⱼ e^(p·tⱼ), positives i and negatives j.

    >>> value, gradient, _ = PushLoss(np.array([True, False]), 2.0).at(np.array([1.0, 0.5]))
    >>> value, gradient.tolist()
    (-1.0, [-2.0, 2.0])
    """

    positive: NDArray[np.bool_]
    p: float

    def at(self, scores: _FLOATS) -> tuple[float, _FLOATS, Times]:
        """Return the loss, its gradient, and its Hessian's product."""
        pull = np.where(self.positive, -1.0, self.p)  # of a score in its exponent
        exponents, value, shares = pull * scores, 0.0, np.empty(len(scores))
        outer = np.where(self.positive, self.p, 1.0)
        for side, factor in ((self.positive, self.p), (~self.positive, 1.0)):
            most = float(exponents[side].max())
            terms = np.exp(exponents[side] - most)
            total = float(terms.sum())
            shares[side] = terms / total
            value += factor * (most + float(np.log(total)))

        def times(u: _FLOATS) -> _FLOATS:
            product = shares * pull * u
            means = np.empty(len(u))
            for side in (self.positive, ~self.positive):
                means[side] = product[side].sum()
            return np.asarray(outer * pull * (product - shares * means))

        return value, outer * pull * shares, times


class PNormPush(LinearScorer):
    """Linear scores that keep negatives out of the top of the list.

    The weights minimise (1/p)·ln Σⱼ (Σᵢ e^(w·x'ⱼ − w·xᵢ))^p plus ½·alpha·‖w‖², over positives xᵢ
    and negatives x'ⱼ. A negative above many positives counts with the power ``p`` ≥ 1: 1 is the
    loss of `RankBoost`, and large powers are about the highest negatives. The logarithm keeps the
    order of values and makes the problem a sum of two convex terms in O(N). Put features on one
    scale first.

    Reference: Rudin, The P-norm Push, JMLR 10 (2009), 2233-2271.

    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 400)
    >>> X = rng.normal(size=(400, 3)) + y[:, None] * [1.0, 0.5, 0.0]
    >>> scorer = PNormPush().fit(X[:200], y[:200])
    >>> print(f"{scorer.score(X[200:], y[200:]):.3f}")
    0.7...
    """

    _takes_grades: ClassVar[bool] = False
    _takes_sparse: ClassVar[bool] = True

    n_iter_: int
    _cites = ("The learner", "rudin2009")

    def __init__(
        self, *, p: float = 4.0, alpha: float = 1e-2, tol: float = 1e-6, max_iter: int = 200
    ) -> None:
        self.p = p
        self.alpha = alpha
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any) -> PNormPush:
        """Learn the weights of the features."""
        alpha, tol = check_positive(self.alpha, "alpha"), check_positive(self.tol, "tol")
        if not (is_number(self.p) and 1.0 <= self.p < np.inf):
            raise InputError("the power is a number from 1", where="p", value=self.p)
        max_iter = whole(self.max_iter, "max_iter")
        rows = self._graded(X, y)
        self.coef_, self.n_iter_ = fit_linear(
            PushLoss(rows.positive, float(self.p)), rows.features,
            share=1.0 / self.p, ridge=alpha, tol=tol, max_iter=max_iter,
        )  # fmt: skip
        self._put_zero_between(rows)
        return self
