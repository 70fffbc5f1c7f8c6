"""AUCLeastSquares, in closed form, and ListNet."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from rocsolid.arguments import whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.gains.gain import Gain, as_gain
from rocsolid.inputs.groups import stable_order
from rocsolid.theory.learners.base import FitRows, LinearScorer
from rocsolid.theory.learners.squared_hinge import Times, fit_linear
from rocsolid.weights.weight import check_positive

_FLOATS = NDArray[np.float64]


class AUCLeastSquares(LinearScorer):
    """Linear scores that separate each positive x from each negative x' by 1, in squared loss.

    The mean of (1 − w·(x − x'))² over all m·n pairs plus alpha·‖w‖² has its minimum where

        (Σ₊ + Σ₋ + δδᵀ + alpha·I) w = δ,   δ = μ₊ − μ₋,

    with the mean and the covariance of each class (the pairwise squared loss of Gao, Jin, Zhu and
    Zhou 2013). For grades, both sides are averaged over the pairs of grades, each with its share of
    the pairs of rows. The time is O(N·d² + d³) for dense features; conjugate gradients keep sparse
    ones sparse.

    ``alpha`` is on the scale of a feature's variance: put features on one scale first. With
    ``sample_weight`` a pair counts as the product of its two weights. The loss also penalises pairs
    that are separated by far more than 1, so it suits scores that are close to normal in each
    class.

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
        rows = self._graded(X, y, sample_weight)
        solve = _cholesky if isinstance(rows.features, np.ndarray) else _conjugate_gradients
        self.coef_ = solve(_Grades.of(rows), alpha)
        self._put_zero_between(rows)
        return self


@dataclass(frozen=True, slots=True, eq=False)
class _Grade:
    features: Any
    share: _FLOATS
    mean: _FLOATS

    @classmethod
    def of(cls, rows: FitRows, member: NDArray[np.bool_]) -> _Grade:
        features, weight = rows.features[member], rows.weight[member]
        share = weight / weight.sum()
        return cls(features, share, share @ features)

    def covariance(self) -> _FLOATS:
        centred = self.features - self.mean
        return np.asarray((centred * self.share[:, None]).T @ centred)

    def times(self, v: _FLOATS) -> _FLOATS:
        """Return Σv without densifying sparse features."""
        pull = self.share * (self.features @ v - self.mean @ v)
        return np.asarray(self.features.T @ pull - self.mean * pull.sum())

    def variances(self) -> _FLOATS:
        squares = self.features.multiply(self.features)
        return np.asarray(np.maximum(self.share @ squares - self.mean**2, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class _Grades:
    """The grades from the highest, their shares of both sides of pairs, and the mean differences.

    ``gaps`` has a line for each pair of grades, and ``pairs`` its share of the pairs of rows.
    """

    grades: tuple[_Grade, ...]
    share: _FLOATS
    gaps: _FLOATS
    pairs: _FLOATS

    @classmethod
    def of(cls, rows: FitRows) -> _Grades:
        numbers = range(int(rows.grade.max()), -1, -1)
        grades = tuple(_Grade.of(rows, rows.grade == number) for number in numbers)
        weight = np.array([rows.weight[rows.grade == number].sum() for number in numbers])
        high, low = np.triu_indices(len(grades), 1)
        pairs = weight[high] * weight[low]
        pairs /= pairs.sum()
        sides = (np.bincount(side, pairs, len(grades)) for side in (high, low))
        share = np.asarray(sum(sides), dtype=np.float64)
        means = np.stack([grade.mean for grade in grades])
        return cls(grades, share, means[high] - means[low], pairs)

    @property
    def gap(self) -> _FLOATS:
        return np.asarray(self.pairs @ self.gaps)

    def summed(self, of_grade: Callable[[_Grade], _FLOATS]) -> _FLOATS:
        parts = zip(self.share, self.grades, strict=True)
        return np.asarray(sum(share * of_grade(grade) for share, grade in parts))


def _cholesky(grades: _Grades, alpha: float) -> _FLOATS:
    from scipy.linalg import LinAlgWarning, solve

    gap, gaps = grades.gap, grades.gaps
    matrix = grades.summed(_Grade.covariance) + (gaps.T * grades.pairs) @ gaps
    matrix[np.diag_indices_from(matrix)] += alpha
    # a diagonal of ones, so that the scale of a feature costs no digits
    scale = 1.0 / np.sqrt(np.diag(matrix))
    matrix *= scale[:, None] * scale
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", LinAlgWarning)
            solution: _FLOATS = scale * solve(matrix, scale * gap, assume_a="pos", overwrite_a=True)
    except (np.linalg.LinAlgError, LinAlgWarning) as error:
        raise InputError(
            "features are linearly dependent to double precision",
            where="X",
            fix=f"drop the dependent features, or raise alpha, which is {alpha:g}",
        ) from error
    return solution


def _conjugate_gradients(grades: _Grades, alpha: float) -> _FLOATS:
    from scipy.sparse.linalg import LinearOperator, cg

    gap, gaps, pairs = grades.gap, grades.gaps, grades.pairs
    scale = 1.0 / np.sqrt(grades.summed(_Grade.variances) + pairs @ gaps**2 + alpha)

    def scaled(v: _FLOATS) -> _FLOATS:
        u = scale * v
        within = grades.summed(lambda grade: grade.times(u))
        return scale * (within + (pairs * (gaps @ u)) @ gaps + alpha * u)

    matrix = LinearOperator((len(gap), len(gap)), matvec=scaled, dtype=np.float64)
    solution, failed = cg(matrix, scale * gap, rtol=1e-10, maxiter=10 * len(gap) + 100)
    if failed:
        warnings.warn(
            f"conjugate gradients had not converged after {failed} steps; a larger alpha helps",
            ConvergenceWarning,
            stacklevel=3,
        )
    return np.asarray(scale * solution)


_INTS = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class TopOne:
    """−Σ target·log softmax(s) within each query, summed over queries.

    Rows are in the order of their queries: ``start`` contains the first rows, ``query`` the number
    of each row's query, and ``mass`` the sum of the targets of a row's query.

    >>> loss = TopOne.of(np.array([1.0, 0.0]), np.array([0, 0]))
    >>> value, gradient, _ = loss.at(np.array([1.0, 0.0]))
    >>> print(f"{value:.4f}", gradient.round(4).tolist())
    0.5822 [0.0, 0.0]
    """

    target: _FLOATS
    mass: _FLOATS
    query: _INTS
    start: _INTS

    @classmethod
    def of(cls, grade: _FLOATS, query: _INTS, gain: Gain | None = None) -> TopOne:
        """Targets are softmax(y) (Cao et al. 2007), or G(y) over the ideal DCG of the query."""
        start = np.flatnonzero(np.r_[True, query[1:] != query[:-1]])
        number = np.cumsum(np.bincount(start, minlength=len(query))) - 1
        if gain is None:
            target = np.exp(_log_softmax(grade, number, start))
        else:
            gains = gain(grade)
            rank = np.arange(len(query)) - start[number]
            best_first = gains[np.lexsort((-gains, number))]
            ideal = np.add.reduceat(best_first / np.log2(rank + 2.0), start)
            target = gains / np.where(ideal > 0.0, ideal, 1.0)[number]
        return cls(target, np.add.reduceat(target, start)[number], number, start)

    def at(self, scores: _FLOATS) -> tuple[float, _FLOATS, Times]:
        """Return the loss, its gradient mass·softmax(s) − target, and its Hessian's product."""
        log_chance = _log_softmax(scores, self.query, self.start)
        chance = np.exp(log_chance)

        def times(u: _FLOATS) -> _FLOATS:
            mean = np.add.reduceat(chance * u, self.start)
            return np.asarray(self.mass * chance * (u - mean[self.query]))

        return -float(self.target @ log_chance), self.mass * chance - self.target, times


def _log_softmax(values: _FLOATS, query: _INTS, start: _INTS) -> _FLOATS:
    below = values - np.maximum.reduceat(values, start)[query]
    return np.asarray(below - np.log(np.add.reduceat(np.exp(below), start))[query])


class ListNet(LinearScorer):
    """Linear scores whose top-one probabilities match those of the grades, list by list.

    The weights minimise the mean over queries of −Σ softmax(y)·log softmax(w·x), plus ½·alpha·‖w‖²
    (Cao, Qin, Liu, Tsai and Li 2007; here without a hidden layer, as in the LETOR baselines), to
    convergence.

    With ``gain``, "linear", "exp2" or as in `rocsolid.ndcg`, G(y) over the query's ideal DCG with
    the discount log2 replaces softmax(y). The loss expected for a list is then least where
    softmax(s) is proportional to the expected G(y)/ideal, whose order has the largest expected
    NDCG: the loss is consistent for NDCG (Ravikumar, Tewari and Yang 2011), and with softmax(y) it
    is not.

    ``qid`` is the query of each row and ``y`` its grade of relevance (a number; the softmax makes a
    grade e times as likely as the next lower one). Without ``qid`` the rows are one list.
    ``warnings_`` reports lists of one document. For scikit-learn's cross-validation route the
    queries: ``ListNet().set_fit_request(qid=True)``. Put features on one scale first.

    >>> X = [[3, 1], [2, 0], [1, 1], [9, 0], [8, 1]]
    >>> scorer = ListNet().fit(X, [2, 1, 0, 1, 0], qid=["a", "a", "a", "b", "b"])
    >>> scorer.decision_function([[5, 0], [4, 0]]).round(2).tolist()
    [5.0, 4.0]
    """

    _takes_sparse: ClassVar[bool] = True

    n_iter_: int
    _cites = ("The learner", "cao2007", "ravikumar2011")

    def __init__(
        self, *, gain: Any = None, alpha: float = 1e-4, tol: float = 1e-6, max_iter: int = 200
    ) -> None:
        self.gain = gain
        self.alpha = alpha
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, qid: Any = None) -> ListNet:
        """Learn the weights of the features from the lists."""
        alpha, tol = check_positive(self.alpha, "alpha"), check_positive(self.tol, "tol")
        max_iter = whole(self.max_iter, "max_iter")
        gain = None if self.gain is None else as_gain(self.gain)
        lists = self._lists(X, y, qid)
        alone = np.bincount(lists.query) < 2
        if alone.all():
            raise InputError(
                "every query has one document only, so there is no list to order",
                where="qid",
                fix="check that qid names the query of each row",
            )
        if alone.any():
            self.warnings_ += (
                f"{alone.sum():,} of {len(alone):,} queries have one document only, which teaches "
                f"nothing, the first of them {lists.qids[alone].tolist()[0]!r}",
            )
        order = stable_order(lists.query)
        self.coef_, self.n_iter_ = fit_linear(
            TopOne.of(lists.grade[order], lists.query[order], gain),
            lists.features[order],
            share=1.0 / len(alone),
            ridge=alpha,
            tol=tol,
            max_iter=max_iter,
        )
        self._put_zero_between(lists.as_classes)
        return self
