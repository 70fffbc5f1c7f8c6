"""The base classes of the learners, and RankBoost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from rocsolid.arguments import one_of, whole
from rocsolid.certificates.repeats import remember_rows
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs.arrays import check_lengths
from rocsolid.inputs.binary import sample_weights
from rocsolid.inputs.groups import codes
from rocsolid.inputs.matrices import tensor_in_main_memory
from rocsolid.measures.whole_area import auc
from rocsolid.theory.learners.boosting import (
    LinearRanker,
    LinearRankers,
    Rounds,
    ThresholdRanker,
    ThresholdRankers,
    boost,
    slopes,
)

Features = Any  # a float64 matrix: dense, or CSR where the learner takes it
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class FitRows:
    """The rows of a fit, with their weights and the number of each row's class or grade."""

    features: Features
    grade: NDArray[np.intp]
    weight: NDArray[np.float64]

    @property
    def positive(self) -> NDArray[np.bool_]:
        """The rows of the highest class."""
        return np.asarray(self.grade == self.grade.max())


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """The documents of a fit, each with a grade and the number of its query in ``qids``."""

    features: Features
    grade: NDArray[np.float64]
    query: NDArray[np.int64]
    qids: NDArray[Any]

    @property
    def as_classes(self) -> FitRows:
        best = self.grade == self.grade.max()
        return FitRows(self.features, best.astype(np.intp), np.ones(len(best)))


def _has_two_classes(scorer: Any) -> bool:
    classes = getattr(scorer, "classes_", None)
    if classes is not None and len(classes) != 2:
        raise AttributeError(
            f"{type(scorer).__name__} was fitted on {len(classes)} grades, which no threshold "
            "separates; rank by decision_function"
        )
    return True


class Scorer(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A learner of scores: rank by ``decision_function``, where higher is better.

    The second of ``classes_`` (the larger label) is the positive class. Zero is halfway between the
    mean scores of the two classes of the training rows; only ``predict`` depends on it. ``score``
    is the AUC, not the accuracy. Three or more numbers as labels are ordered grades, of which all
    pairs of rows count: rank by ``decision_function``. ``warnings_`` contains warnings of the fit.
    """

    _takes_grades: ClassVar[bool] = True
    _takes_sparse: ClassVar[bool] = False
    _takes_missing: ClassVar[bool] = False

    classes_: NDArray[Any]
    intercept_: float
    n_features_in_: int
    warnings_: tuple[str, ...]

    def decision_function(self, X: Any) -> Scores:
        """Return the score of each row; 0 is the threshold of ``predict``."""
        check_is_fitted(self)
        return self._scores(self._features(X)) + self.intercept_

    @available_if(_has_two_classes)  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> NDArray[Any]:
        """Return the second class for scores above 0, else the first."""
        above = self.decision_function(X) > 0
        return self.classes_[above.astype(np.intp)]

    @available_if(_has_two_classes)  # type: ignore[untyped-decorator]
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the AUC of the scores of these rows."""
        scores = self.decision_function(X)
        labels = np.asarray(tensor_in_main_memory(y, "y"))
        known = np.isin(labels, self.classes_)
        if not known.all():
            raise InputError(
                f"a label is neither of the fitted classes {self.classes_.tolist()}",
                where="y",
                value=labels[np.argmin(known)],
            )
        positive = labels == self.classes_[1]
        return auc(positive, scores, sample_weight=sample_weight).value

    def _scores(self, features: Features) -> Scores:
        raise NotImplementedError

    def _features(self, X: Any, **fit: Any) -> Any:
        fit = {name: tensor_in_main_memory(x, name) for name, x in fit.items()}
        checked = validate_data(
            self,
            tensor_in_main_memory(X, "X"),
            reset="y" in fit,
            accept_sparse="csr" if self._takes_sparse else False,
            dtype=np.float64,
            ensure_all_finite="allow-nan" if self._takes_missing else True,
            **fit,
        )
        if "y" in fit:  # so that certify knows these rows again
            remember_rows(self, checked[0])
        return checked

    def _graded(self, X: Any, y: Any, sample_weight: Any = None) -> FitRows:
        features, labels = self._features(X, y=y, ensure_min_samples=2)
        check_classification_targets(labels)
        kind = type_of_target(labels, input_name="y")
        grades = self._takes_grades and kind == "multiclass" and labels.dtype.kind in "iuf"
        if kind != "binary" and not grades:
            raise InputError(
                f"Only binary classification is supported. The type of the target is {kind}",
                where="y",
                fix="use two classes, or numbers as ordered grades with RankBoost, RankSVM, "
                "AUCLeastSquares or ListNet",
            )
        self.classes_, code = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise OneClassError(
                "there is one class only, so there is no pair to order",
                where="y",
                value=self.classes_[0],
                fix="train on rows of both classes",
            )
        n = len(code)
        weight = np.ones(n) if sample_weight is None else sample_weights(sample_weight, n)
        if not weight.any():
            raise OneClassError("all sample weights are zero, so no class is left", where="y")
        for number, label in enumerate(self.classes_):
            if not weight[code == number].any():
                raise OneClassError(
                    "a class has no weight, so there is no pair to order",
                    where="sample_weight",
                    value=label,
                    fix="give rows of both classes a weight above 0",
                )
        self.warnings_ = ()
        return FitRows(features, code, weight)

    def _lists(self, X: Any, y: Any, qid: Any) -> Lists:
        """Check the documents of a fit and set ``classes_``.

        Without queries all rows form one list, and two classes have the grades 0 and 1.
        """
        if qid is None:
            rows = self._graded(X, y)
            grade = rows.grade if len(self.classes_) == 2 else self.classes_[rows.grade]
            query = np.zeros(len(grade), dtype=np.int64)
            return Lists(rows.features, grade.astype(np.float64), query, query[:1])
        features, grade = self._features(X, y=y, y_numeric=True, ensure_min_samples=2)
        query, qids = codes(qid, "qid")
        check_lengths({"X": len(grade), "qid": len(query)})
        grade = grade.astype(np.float64, copy=False)
        self.classes_ = np.unique(grade)
        self.warnings_ = ()
        return Lists(features, grade, query, qids)

    def _put_zero_between(self, rows: FitRows) -> None:
        self.intercept_ = 0.0
        if len(self.classes_) != 2:
            return
        scores = self._scores(rows.features)
        positive, weight = rows.positive, rows.weight
        means = [np.average(scores[of], weights=weight[of]) for of in (positive, ~positive)]
        self.intercept_ = -float(np.mean(means))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = self._takes_sparse
        tags.input_tags.allow_nan = self._takes_missing
        return tags


class LinearScorer(Scorer):
    """A scorer with one weight per feature in ``coef_``."""

    coef_: NDArray[np.float64]

    def _scores(self, features: Features) -> Scores:
        scores: Scores = features @ self.coef_
        return scores


_FLOATS = NDArray[np.float64]

Weak = Literal["threshold", "linear"]


class RankBoost(Scorer):
    """A score Σ α_t·h_t(x), where each h_t in [0, 1] depends on one feature.

    Every round selects the weak ranker with the largest |r_t|, where r_t is its weighted mean over
    the positives minus its weighted mean over the negatives. Then α_t = ½ln((1+r_t)/(1−r_t)). For
    the training rows, with a tied pair counted as wrong,

        wrong pairs  ≤  ΠZ_t  ≤  Π√(1−r_t²)      (Theorem 1 and section 3.2),

    stored in ``rank_loss_``, ``bound_`` and ``r_bound_``, with one entry per round as in
    ``rankers_``, ``r_`` and ``alpha_``. Fitting stops after ``n_rounds``, or if no weak ranker is
    better than chance, or if one alone orders all pairs.

    ``weak="threshold"`` tests whether a feature is above one of its values; the score is a sum of
    steps, without interactions of features. ``weak="linear"`` uses the features themselves, scaled
    to [0, 1] on the training rows; the score is linear, with weights ``coef_`` up to a constant,
    and needs many rounds. A missing value (NaN) counts as 0 or as 1, whichever ranks better. With
    ``sample_weight`` a pair starts with the product of its two weights. For grades, r_t is the mean
    of h_t(x) − h_t(x') over all pairs in which x has the higher grade, each with its weight.

    Reference: Freund, Iyer, Schapire and Singer, An efficient boosting algorithm for combining
    preferences, JMLR 4 (2003), 933-969.

    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 400)
    >>> X = rng.normal(size=(400, 3)) + y[:, None] * [1.0, 0.5, 0.0]
    >>> scorer = RankBoost(n_rounds=20).fit(X[:200], y[:200])
    >>> bool(scorer.rank_loss_[-1] <= scorer.bound_[-1] <= scorer.r_bound_[-1])
    True
    >>> print(f"{scorer.score(X[200:], y[200:]):.3f}")
    0.7...
    """

    _takes_missing: ClassVar[bool] = True

    rankers_: tuple[ThresholdRanker | LinearRanker, ...]
    r_: _FLOATS
    alpha_: _FLOATS
    rank_loss_: _FLOATS
    bound_: _FLOATS
    r_bound_: _FLOATS
    coef_: _FLOATS
    _cites = ("The learner", "freund2003")

    def __init__(self, *, weak: Weak = "threshold", n_rounds: int = 100) -> None:
        self.weak = weak
        self.n_rounds = n_rounds

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RankBoost:
        """Choose a weak ranker and its weight, ``n_rounds`` times."""
        one_of(self.weak, get_args(Weak), "weak")
        n_rounds = whole(self.n_rounds, "n_rounds")
        rows = self._graded(X, y, sample_weight)
        order = np.flatnonzero(rows.weight > 0)
        order = order[np.argsort(-rows.grade[order], kind="stable")]
        features = np.asfortranarray(rows.features[order])  # columns are read as a whole
        self.__dict__.pop("coef_", None)  # of an earlier fit
        sizes, weight = np.bincount(rows.grade[order])[::-1].tolist(), rows.weight[order]
        rounds: Rounds[ThresholdRanker] | Rounds[LinearRanker]
        if self.weak == "linear":
            rounds = boost(LinearRankers(features), sizes, weight, n_rounds)
            self.coef_ = slopes(rounds.rankers, rounds.alpha, features.shape[1])
        else:
            rounds = boost(ThresholdRankers(features), sizes, weight, n_rounds)
        self.rankers_, self.r_, self.alpha_ = rounds.rankers, rounds.r, rounds.alpha
        self.rank_loss_, self.bound_ = rounds.rank_loss, rounds.bound
        self.r_bound_ = rounds.r_bound
        if not rounds.rankers:
            self.warnings_ += ("no weak ranker is better than chance, so every score is the same",)
        self._put_zero_between(rows)
        return self

    def staged_decision_function(self, X: Any) -> Iterator[Scores]:
        """Yield the scores after each round; the last are those of ``decision_function``."""
        features = self._features(X)
        scores = np.zeros(len(features))
        for step in self._steps(features):
            scores += step
            yield scores + self.intercept_

    def _scores(self, features: Any) -> Scores:
        scores = np.zeros(len(features))
        for step in self._steps(features):
            scores += step
        return scores

    def _steps(self, features: Any) -> Iterator[Scores]:
        columns = np.asfortranarray(features)
        for ranker, alpha in zip(self.rankers_, self.alpha_, strict=True):
            yield alpha * ranker.values(columns[:, ranker.feature])
