"""Linear scores trained for a range of false-positive rates."""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from rocsolid.arguments import one_of, whole
from rocsolid.binary.area import Rates, Region
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.results.plain import one_line
from rocsolid.theory.learners.kernel_scorer import Kernel, KernelScorer
from rocsolid.theory.learners.partial.cutting_planes import minimise_by_planes, tight_hinge
from rocsolid.theory.learners.partial.sigmoid_fit import (
    FOLDS,
    HeldOut,
    SigmoidObjective,
    TopNegatives,
    fit_sigmoid,
    held_out_areas,
    low_positives,
    mean_area,
    start_weights,
    whole_negatives,
)
from rocsolid.weights.weight import check_positive


def one_blas_thread() -> AbstractContextManager[Any]:
    """Return a context in which NumPy's and SciPy's BLAS have one thread each.

    A search alternates between the two libraries, whose spinning threads would wait for each other.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    limits: AbstractContextManager[Any] = threadpool_limits(1, user_api="blas")
    return limits


_FLOATS = NDArray[np.float64]

Surrogate = Literal["sigmoid", "tight_hinge"]

_FEW_ROWS_TAU = 0.2
_ALL = Region.of(fpr=(0.0, 1.0))
_OF_ONE_SURROGATE = ("tau_", "held_out_", "lower_limit_")


@dataclass(frozen=True, slots=True)
class TrainingAreas:
    """Areas on the training rows, of the trained scorer and of the initial logistic regression.

    ``partial`` is the area as a part of the region's, for all true-positive rates the mean
    true-positive rate over the trained range, and ``auc`` is the full area.
    """

    partial: float
    auc: float
    logistic_partial: float
    logistic_auc: float

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"mean TPR in the range {self.partial:.4f} (logistic regression "
            f"{self.logistic_partial:.4f}), AUC {self.auc:.4f} ({self.logistic_auc:.4f})"
        )


class PartialAUCScorer(KernelScorer):
    """Linear scores w·x with a large area under the ROC curve for some false-positive rates.

    For ``fpr=(a, b)``, or ``fpr=b`` for (0, b), positives must beat the negatives ranked n·a to n·b
    from the top. There are two surrogates:

    - "sigmoid", the default: the mean of σ((tⱼ − sᵢ)/tau) over positives i and those negatives j,
      plus (‖w‖² − 1)², by L-BFGS from logistic regression to a local minimum. It is bounded and
      Lipschitz, as Theorem 3 of Maurer and Pontil (2020) requires. ``tau=None`` selects 1, 0.2 or
      0.05, whichever has the largest area on held-out thirds of the rows (drawn from ``seed``), and
      0.2 if a class has fewer than six rows. ``held_out_`` contains those areas and that of
      logistic regression. ``coef_`` has norm 1.
      With ``tpr=c`` for the true-positive rates from c on, or a range, only the positives ranked
      m·c to m from the top count: the area bounded by both rates.
    - "tight_hinge": ½‖w‖² + C times the tight hinge of Narasimhan and Agarwal (2017), convex, by
      cutting planes to within ``tol`` of the minimum (``objective_``, ``lower_limit_``). If the
      area is small, w ≈ 0 can be the minimum: the scores are then meaningless, and the fit warns.

    **The full AUC can drop**, because negatives outside the range do not count. ``areas_`` contains
    both areas on the training rows, with those of logistic regression.

    ``kernel="rbf"``, ``gamma`` and ``landmarks`` are as in `RankSVM`. Put the features on one scale
    first (`sklearn.preprocessing.StandardScaler`): the margin and tau are in units of the score.
    Weights of rows are not defined, because the range is about ranks.

    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 600)
    >>> X = rng.normal(size=(600, 2)) * np.where(y, 1, 2)[:, None] ** [1, 0] + y[:, None]
    >>> scorer = PartialAUCScorer(fpr=0.1, tau=0.2).fit(X, y)
    >>> print(scorer.areas_)
    mean TPR in the range ...
    """

    _takes_grades: ClassVar[bool] = False
    _takes_sparse: ClassVar[bool] = True

    areas_: TrainingAreas
    fpr_: tuple[float, float]
    tau_: float
    held_out_: HeldOut
    objective_: float
    lower_limit_: float
    n_iter_: int
    _cites = ("The learner", "maurer2020", "narasimhan2017")

    def __init__(
        self,
        *,
        fpr: Rates = (0.0, 0.1),
        tpr: Rates | None = None,
        surrogate: Surrogate = "sigmoid",
        tau: float | None = None,
        C: float = 100.0,
        kernel: Kernel = "linear",
        gamma: float | None = None,
        landmarks: int = 300,
        tol: float = 1e-3,
        max_iter: int = 500,
        seed: int = 0,
    ) -> None:
        self.fpr = fpr
        self.tpr = tpr
        self.surrogate = surrogate
        self.tau = tau
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.landmarks = landmarks
        self.tol = tol
        self.max_iter = max_iter
        self.seed = seed

    def fit(self, X: Any, y: Any) -> PartialAUCScorer:
        """Search for the weights of the features."""
        one_of(self.surrogate, get_args(Surrogate), "surrogate")
        self._region = Region.of(fpr=self.fpr, tpr=self.tpr)
        self.fpr_ = self._region.fpr
        if self.surrogate == "tight_hinge" and self._region.tpr != _ALL.tpr:
            raise InputError(
                "the tight hinge is for all true-positive rates",
                where="tpr",
                value=self.tpr,
                fix='use surrogate="sigmoid"',
            )
        max_iter = whole(self.max_iter, "max_iter")
        rows = self._graded(X, y)
        features = self._fit_map(rows.features)
        pos, neg = features[rows.positive], features[~rows.positive]
        for name in _OF_ONE_SURROGATE:
            self.__dict__.pop(name, None)
        fit = self._fit_sigmoid if self.surrogate == "sigmoid" else self._fit_tight_hinge
        with one_blas_thread():
            start = start_weights(pos, neg)
            converged = fit(pos, neg, start, max_iter)
            self._compare(pos, neg, start)
        if not converged:
            self.warnings_ += (
                f"the search had not converged after {max_iter} steps; raise max_iter, or put the "
                "features on one scale",
            )
            warnings.warn(self.warnings_[-1], ConvergenceWarning, stacklevel=2)
        elif self.surrogate == "tight_hinge" and self.objective_ >= (1 - 2 * self.tol) * self.C:
            self.warnings_ += (
                f"the tight hinge collapsed: its objective, {self.objective_:.4g}, is no better "
                f"than {self.C:.4g}, that of w = 0, where all rows have the same score; raise C, "
                'or use surrogate="sigmoid"',
            )
            warnings.warn(self.warnings_[-1], UserWarning, stacklevel=2)
        elif not self.coef_.any():
            self.warnings_ += ("no direction is better than chance, so every score is the same",)
        elif self.areas_.partial < self.areas_.logistic_partial:
            self.warnings_ += (
                "on the training rows logistic regression has the larger partial area",
            )
        self._put_zero_between(rows)
        return self

    def _fit_sigmoid(self, pos: Any, neg: Any, start: _FLOATS, max_iter: int) -> bool:
        seed = whole(self.seed, "seed", 0)
        if self.tau is not None:
            self.tau_ = check_positive(self.tau, "tau")
        elif min(pos.shape[0], neg.shape[0]) < 2 * FOLDS:
            self.tau_ = _FEW_ROWS_TAU
            self.warnings_ += (f"too few rows to choose tau on held-out rows: {self.tau_:g}",)
        else:
            self.held_out_ = held_out_areas(pos, neg, self._region, seed, max_iter)
            self.tau_ = self.held_out_.best
            if self.held_out_.by_tau[self.tau_] < self.held_out_.logistic:
                self.warnings_ += (
                    "on held-out rows logistic regression had the larger partial area",
                )
        top = TopNegatives.of(neg.shape[0], self.fpr_)
        low = low_positives(pos.shape[0], self._region)
        objective = SigmoidObjective(pos, neg, top, self.tau_, low)
        search = fit_sigmoid(objective, start, max_iter)
        self.coef_, self.n_iter_, self.objective_ = search.w, search.steps, objective(search.w)[0]
        return search.converged

    def _fit_tight_hinge(self, pos: Any, neg: Any, _: _FLOATS, max_iter: int) -> bool:
        C, tol = check_positive(self.C, "C"), check_positive(self.tol, "tol")
        first, last = whole_negatives(neg.shape[0], self.fpr_)

        def risk(w: _FLOATS) -> tuple[float, _FLOATS]:
            value, by_pos, by_neg = tight_hinge(pos @ w, neg @ w, first, last)
            return value, pos.T @ by_pos + neg.T @ by_neg

        minimum = minimise_by_planes(risk, pos.shape[1], C, tol, max_iter)
        self.coef_, self.n_iter_ = minimum.w, minimum.steps
        self.objective_, self.lower_limit_ = minimum.objective, minimum.lower_limit
        return minimum.within(tol)

    def _compare(self, pos: Any, neg: Any, start: _FLOATS) -> None:
        own, before = ((pos @ w, neg @ w) for w in (self.coef_, start))
        self.areas_ = TrainingAreas(
            mean_area(*own, self._region),
            mean_area(*own, _ALL),
            mean_area(*before, self._region),
            mean_area(*before, _ALL),
        )
