"""The ranking support vector machine."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.errors import OneClassError
from rocsolid.theory.learners.kernel_scorer import Kernel, KernelScorer
from rocsolid.theory.learners.squared_hinge import SquaredHinge, fit_linear
from rocsolid.weights.weight import check_positive


class RankSVM(KernelScorer):
    """Linear scores that put the better of each pair of documents 1 above the other.

    The weights minimise ½‖w‖² + C·Σ (1 − w·(x_i − x_j))₊² over the pairs of rows in which i is
    better than j (Herbrich, Graepel and Obermayer 2000; Joachims 2002; the squared hinge of
    Chapelle and Keerthi 2010). A step takes O(N log N) for each grade above the lowest of a query.

    Without ``qid`` the classes or grades of ``y`` are ordered against each other over all rows.
    With ``qid``, the query of each row, ``y`` contains grades of relevance (numbers, higher is
    better) and only documents of the same query are compared. Queries with one grade are skipped
    (``n_queries_skipped_``, ``warnings_``). For scikit-learn's cross-validation route the queries:
    ``RankSVM().set_fit_request(qid=True)``.

    ``C`` multiplies a sum over all pairs, so its effect grows with the number of rows. Put features
    on one scale first, because the penalty ‖w‖² treats them alike.

    ``kernel="rbf"`` ranks by a function in the space of exp(−gamma·‖x − x'‖²), by Nyström's method
    with ``landmarks`` rows drawn from ``seed``. The default ``gamma`` is one over the number of
    features, for which `training_bounds` adds nothing.

    >>> X = [[3, 1], [2, 0], [1, 1], [9, 0], [8, 1]]
    >>> scorer = RankSVM().fit(X, [2, 1, 0, 1, 0], qid=["a", "a", "a", "b", "b"])
    >>> scorer.decision_function([[5, 0], [4, 0]]).round(2).tolist()
    [4.22, 3.38]
    """

    _takes_sparse: ClassVar[bool] = True

    n_iter_: int
    n_pairs_: int
    n_queries_skipped_: int
    _cites = ("The learner", "herbrich2000", "joachims2002", "chapelle2010")

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: Kernel = "linear",
        gamma: float | None = None,
        landmarks: int = 300,
        tol: float = 1e-6,
        max_iter: int = 200,
        seed: int = 0,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.landmarks = landmarks
        self.tol = tol
        self.max_iter = max_iter
        self.seed = seed

    def fit(self, X: Any, y: Any, qid: Any = None) -> RankSVM:
        """Learn the weights of the features from the pairs."""
        c, tol = check_positive(self.C, "C"), check_positive(self.tol, "tol")
        max_iter = whole(self.max_iter, "max_iter")
        lists = self._lists(X, y, qid)
        loss = SquaredHinge.of(lists.grade, lists.query)
        self._record_skipped(loss.n_grades < 2, lists.qids)
        self.n_pairs_ = loss.pairs
        share = 1.0 / loss.pairs  # the mean over pairs keeps tol on one scale
        features = self._fit_map(lists.features)
        self.coef_, self.n_iter_ = fit_linear(
            loss, features, share=share, ridge=share / c, tol=tol, max_iter=max_iter
        )
        self._put_zero_between(lists.as_classes)
        return self

    def _record_skipped(self, skipped: NDArray[np.bool_], qids: NDArray[Any]) -> None:
        self.n_queries_skipped_ = int(skipped.sum())
        if skipped.all():
            raise OneClassError(
                "no query has documents of two grades, so there is no pair to order",
                where="y",
                fix="check that qid names the query of each row",
            )
        if skipped.any():
            self.warnings_ += (
                f"{self.n_queries_skipped_:,} of {len(skipped):,} queries hold documents of one "
                f"grade only and were skipped, the first of them {qids[skipped].tolist()[0]!r}",
            )
