"""What the learners share: checked input, a score to rank by, and a threshold at zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from rocsolid.certificates.memory import remember_rows
from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs import check_lengths, codes, sample_weights
from rocsolid.inputs.tensors import tensor_in_main_memory
from rocsolid.measures.whole_area import auc

Features = Any  # a float64 matrix: dense, or CSR where the learner takes it
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TwoClasses:
    """The rows of a fit: ``positive`` marks those of the second class; weights are all 1 if none.

    Both classes carry weight.
    """

    features: Features
    positive: NDArray[np.bool_]
    weight: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """The documents of a fit: each has a grade and the number of its query in ``qids``."""

    features: Features
    grade: NDArray[np.float64]
    query: NDArray[np.int64]
    qids: NDArray[Any]

    @property
    def as_classes(self) -> TwoClasses:
        """The documents of the best grade against all others."""
        best = self.grade == self.grade.max()
        return TwoClasses(self.features, best, np.ones(len(best)))


def _has_two_classes(scorer: Any) -> bool:
    classes = getattr(scorer, "classes_", None)
    if classes is not None and len(classes) != 2:
        raise AttributeError(
            f"{type(scorer).__name__} was fitted on {len(classes)} grades, which no threshold "
            "separates; rank by decision_function"
        )
    return True


class Scorer(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A learner of scores: ``decision_function`` is what to rank by, higher is better.

    The second of ``classes_`` (the larger label) is the positive one. A learner of rankings fixes
    no threshold, so zero is put halfway between the mean scores of the two classes of the training
    rows; ``predict`` alone depends on that. ``score`` is the AUC, not the accuracy, so that a
    search over parameters chooses by the ranking. ``warnings_`` holds what the fit has to say.
    """

    _takes_sparse: ClassVar[bool] = False
    _takes_missing: ClassVar[bool] = False

    classes_: NDArray[Any]
    intercept_: float
    n_features_in_: int
    warnings_: tuple[str, ...]

    def decision_function(self, X: Any) -> Scores:
        """The score of each row; 0 is the threshold of ``predict``."""
        check_is_fitted(self)
        return self._scores(self._features(X)) + self.intercept_

    @available_if(_has_two_classes)  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> NDArray[Any]:
        """The second class where the score is above 0, else the first."""
        above = self.decision_function(X) > 0
        return self.classes_[above.astype(np.intp)]

    @available_if(_has_two_classes)  # type: ignore[untyped-decorator]
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The AUC of the scores of these rows."""
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
        """The scores of checked rows, before the threshold is moved to 0."""
        raise NotImplementedError

    def _features(self, X: Any, **fit: Any) -> Any:
        """Checked features; with ``y=...`` those of a fit, together with a checked ``y``."""
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

    def _two_classes(self, X: Any, y: Any, sample_weight: Any = None) -> TwoClasses:
        """Check the rows of a fit and set ``classes_``."""
        features, labels = self._features(X, y=y, ensure_min_samples=2)
        check_classification_targets(labels)
        kind = type_of_target(labels, input_name="y")
        if kind != "binary":
            raise InputError(
                f"Only binary classification is supported. The type of the target is {kind}",
                where="y",
                fix="make it two classes; RankSVM and ListNet learn from grades with qid=",
            )
        self.classes_, code = np.unique(labels, return_inverse=True)
        positive = code.astype(np.bool_)
        if len(self.classes_) < 2:
            raise OneClassError(
                "there is one class only, so there is no pair to order",
                where="y",
                value=self.classes_[0],
                fix="train on rows of both classes",
            )
        n = len(positive)
        weight = np.ones(n) if sample_weight is None else sample_weights(sample_weight, n)
        if not weight.any():
            raise OneClassError("all sample weights are zero, so no class is left", where="y")
        for side, label in zip((~positive, positive), self.classes_, strict=True):
            if not weight[side].any():
                raise OneClassError(
                    "a class has no weight, so there is no pair to order",
                    where="sample_weight",
                    value=label,
                    fix="give rows of both classes a weight above 0",
                )
        self.warnings_ = ()
        return TwoClasses(features, positive, weight)

    def _lists(self, X: Any, y: Any, qid: Any) -> Lists:
        """Check the documents of a fit and set ``classes_``; without queries two classes, one list.

        The classes then have the grades 0 and 1.
        """
        if qid is None:
            rows = self._two_classes(X, y)
            one = np.zeros(len(rows.positive), dtype=np.int64)
            return Lists(rows.features, rows.positive.astype(np.float64), one, one[:1])
        features, grade = self._features(X, y=y, y_numeric=True, ensure_min_samples=2)
        query, qids = codes(qid, "qid")
        check_lengths({"X": len(grade), "qid": len(query)})
        grade = grade.astype(np.float64, copy=False)
        self.classes_ = np.unique(grade)
        self.warnings_ = ()
        return Lists(features, grade, query, qids)

    def _put_zero_between(self, rows: TwoClasses) -> None:
        """Move the threshold: halfway between the mean scores of the classes, if they are two."""
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
    """A scorer with one weight a feature in ``coef_``."""

    coef_: NDArray[np.float64]

    def _scores(self, features: Features) -> Scores:
        scores: Scores = features @ self.coef_
        return scores
