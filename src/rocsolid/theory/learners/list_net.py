"""The linear scorer of whole lists with the top-one cross entropy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.errors import InputError
from rocsolid.inputs.groups import stable_order
from rocsolid.theory.learners.base import LinearScorer
from rocsolid.theory.learners.ranking.linear import Times, fit_linear
from rocsolid.weights.weight import check_positive

_FLOATS = NDArray[np.float64]
_INTS = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class TopOne:
    """−Σ softmax(y)·log softmax(s) within each query, summed over queries (Cao et al. 2007).

    Convex in the scores. Rows are in the order of their queries, none of them empty: ``start`` are
    the first rows, ``query`` the number of each row's query, ``target`` the softmax of the grades.

    >>> loss = TopOne.of(np.array([1.0, 0.0]), np.array([0, 0]))
    >>> value, gradient, _ = loss.at(np.array([1.0, 0.0]))
    >>> print(f"{value:.4f}", gradient.round(4).tolist())
    0.5822 [0.0, 0.0]
    """

    target: _FLOATS
    query: _INTS
    start: _INTS

    @classmethod
    def of(cls, grade: _FLOATS, query: _INTS) -> TopOne:
        """From the grades of rows that are ordered by query."""
        start = np.flatnonzero(np.r_[True, query[1:] != query[:-1]])
        number = np.cumsum(np.bincount(start, minlength=len(query))) - 1
        return cls(np.exp(_log_softmax(grade, number, start)), number, start)

    def at(self, scores: _FLOATS) -> tuple[float, _FLOATS, Times]:
        """The loss, its gradient softmax(s) − softmax(y), and its second derivative's product."""
        log_chance = _log_softmax(scores, self.query, self.start)
        chance = np.exp(log_chance)

        def times(u: _FLOATS) -> _FLOATS:
            mean = np.add.reduceat(chance * u, self.start)
            found: _FLOATS = chance * (u - mean[self.query])
            return found

        return -float(self.target @ log_chance), chance - self.target, times


def _log_softmax(values: _FLOATS, query: _INTS, start: _INTS) -> _FLOATS:
    below = values - np.maximum.reduceat(values, start)[query]
    found: _FLOATS = below - np.log(np.add.reduceat(np.exp(below), start))[query]
    return found


class ListNet(LinearScorer):
    """Linear scores whose chances to come first are near those by grade, list by list.

    A document of a list comes first with the chance softmax(y) by grade and softmax(w·x) by score.
    The weights minimise the mean over queries of −Σ softmax(y)·log softmax(w·x), plus
    ½·alpha·‖w‖² (ListNet with top-one probabilities, Cao, Qin, Liu, Tsai and Li 2007; here without
    a hidden layer, as in the LETOR baselines). The loss is convex and is minimised to its end, not
    stopped early.

    ``qid`` is the query of each row, ``y`` its grade of relevance (a number, higher is better; the
    softmax makes a grade e times as likely as the next lower one). Without ``qid`` the rows are one
    list and ``y`` has two classes, with grades 0 and 1. A list of one document teaches nothing,
    which ``warnings_`` says. In scikit-learn's cross-validation let the queries be routed:
    ``ListNet().set_fit_request(qid=True)``. Put features on one scale first.

    >>> X = [[3, 1], [2, 0], [1, 1], [9, 0], [8, 1]]
    >>> scorer = ListNet().fit(X, [2, 1, 0, 1, 0], qid=["a", "a", "a", "b", "b"])
    >>> scorer.decision_function([[5, 0], [4, 0]]).round(2).tolist()
    [5.0, 4.0]
    """

    _takes_sparse: ClassVar[bool] = True

    n_iter_: int
    _cites = ("The learner", "cao2007")

    def __init__(self, *, alpha: float = 1e-4, tol: float = 1e-6, max_iter: int = 200) -> None:
        self.alpha = alpha
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, qid: Any = None) -> ListNet:
        """Learn the weights of the features from the lists."""
        alpha, tol = check_positive(self.alpha, "alpha"), check_positive(self.tol, "tol")
        max_iter = whole(self.max_iter, "max_iter")
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
            TopOne.of(lists.grade[order], lists.query[order]),
            lists.features[order],
            share=1.0 / len(alone),
            ridge=alpha,
            tol=tol,
            max_iter=max_iter,
        )
        self._put_zero_between(lists.as_classes)
        return self
