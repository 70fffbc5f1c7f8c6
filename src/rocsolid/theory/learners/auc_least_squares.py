"""The linear scorer of least squared loss over pairs, in closed form."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from rocsolid.errors import InputError
from rocsolid.theory.learners.base import LinearScorer, TwoClasses
from rocsolid.weights.weight import check_positive

_FLOATS = NDArray[np.float64]


class AUCLeastSquares(LinearScorer):
    """Linear scores that part each positive x from each negative x' by 1, in squared loss.

    The mean of (1 − w·(x − x'))² over all m·n pairs plus alpha·‖w‖² has its minimum where

        (Σ₊ + Σ₋ + δδᵀ + alpha·I) w = δ,   δ = μ₊ − μ₋,

    with the mean and the covariance (divided by m and n) of each class. So no pair is ever formed,
    and up to a positive factor w = (Σ₊ + Σ₋ + alpha·I)⁻¹ δ (the pairwise squared loss of Gao, Jin,
    Zhu and Zhou 2013). Dense features are solved by Cholesky's factors in O(N·d² + d³), sparse ones
    by conjugate gradients, which never fill the matrix in.

    ``alpha`` is on the scale of a feature's variance: put features on one scale first. With
    ``sample_weight`` the means, covariances and so the pairs are weighted; a pair counts as much as
    the product of its two weights.

    The loss punishes pairs that are ordered by far more than 1, so it stands in for the AUC best
    where the scores of each class are near a bell shape.

    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 400)
    >>> X = rng.normal(size=(400, 3)) + y[:, None] * [1.0, 0.5, 0.0]
    >>> scorer = AUCLeastSquares().fit(X[:200], y[:200])
    >>> print(f"{scorer.score(X[200:], y[200:]):.3f}")
    0.7...
    """

    _takes_sparse: ClassVar[bool] = True
    _cites = ("The learner", "gao2013")

    def __init__(self, *, alpha: float = 1e-3) -> None:
        self.alpha = alpha

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> AUCLeastSquares:
        """Solve for the weights of the features."""
        alpha = check_positive(self.alpha, "alpha")
        rows = self._two_classes(X, y, sample_weight)
        classes = _Class.of(rows, rows.positive), _Class.of(rows, ~rows.positive)
        solve = _cholesky if isinstance(rows.features, np.ndarray) else _conjugate_gradients
        self.coef_ = solve(classes, alpha)
        self._put_zero_between(rows)
        return self


@dataclass(frozen=True, slots=True, eq=False)
class _Class:
    """The rows of one class, their shares of its weight, and their mean."""

    features: Any
    share: _FLOATS
    mean: _FLOATS

    @classmethod
    def of(cls, rows: TwoClasses, member: NDArray[np.bool_]) -> _Class:
        features, weight = rows.features[member], rows.weight[member]
        share = weight / weight.sum()
        return cls(features, share, share @ features)

    def covariance(self) -> _FLOATS:
        """Σ of dense features."""
        centred = self.features - self.mean
        found: _FLOATS = (centred * self.share[:, None]).T @ centred
        return found

    def times(self, v: _FLOATS) -> _FLOATS:
        """Σv, without filling in sparse features."""
        pull = self.share * (self.features @ v - self.mean @ v)
        found: _FLOATS = self.features.T @ pull - self.mean * pull.sum()
        return found

    def variances(self) -> _FLOATS:
        """The diagonal of Σ of sparse features."""
        squares = self.features.multiply(self.features)
        return np.asarray(np.maximum(self.share @ squares - self.mean**2, 0.0))


def _cholesky(classes: tuple[_Class, _Class], alpha: float) -> _FLOATS:
    from scipy.linalg import LinAlgWarning, solve

    pos, neg = classes
    gap = pos.mean - neg.mean
    matrix = pos.covariance() + neg.covariance() + np.outer(gap, gap)
    matrix[np.diag_indices_from(matrix)] += alpha
    # a diagonal of ones: the scale of a feature is then no reason for lost digits
    scale = 1.0 / np.sqrt(np.diag(matrix))
    matrix *= scale[:, None] * scale
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", LinAlgWarning)
            found: _FLOATS = scale * solve(matrix, scale * gap, assume_a="pos", overwrite_a=True)
    except (np.linalg.LinAlgError, LinAlgWarning) as error:
        raise InputError(
            "features depend on each other to all digits that a float64 has",
            where="X",
            fix=f"drop the repeated ones, or raise alpha, which is {alpha:g}",
        ) from error
    return found


def _conjugate_gradients(classes: tuple[_Class, _Class], alpha: float) -> _FLOATS:
    from scipy.sparse.linalg import LinearOperator, cg

    pos, neg = classes
    gap = pos.mean - neg.mean
    scale = 1.0 / np.sqrt(pos.variances() + neg.variances() + gap**2 + alpha)

    def scaled(v: _FLOATS) -> _FLOATS:
        u = scale * v
        return scale * (pos.times(u) + neg.times(u) + gap * (gap @ u) + alpha * u)

    matrix = LinearOperator((len(gap), len(gap)), matvec=scaled, dtype=np.float64)
    found, failed = cg(matrix, scale * gap, rtol=1e-10, maxiter=10 * len(gap) + 100)
    if failed:
        warnings.warn(
            f"conjugate gradients had not converged after {failed} steps; a larger alpha helps",
            ConvergenceWarning,
            stacklevel=3,
        )
    coef: _FLOATS = scale * found
    return coef
