"""Cross-validation and searches with scikit-learn, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import make_scorer
from sklearn.model_selection import check_cv
from sklearn.utils import indexable
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from rocsolid.binary.estimate import Options
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.binary import binary_rows
from rocsolid.inputs.folds import folds_of
from rocsolid.inputs.groups import codes
from rocsolid.inputs.matrices import tensor_in_main_memory
from rocsolid.intervals.estimate_options import picked
from rocsolid.intervals.guarantees.checks import check_level
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredRows
from rocsolid.measures.folded import ScoredFolds, folded, value_of
from rocsolid.measures.named import measure_of
from rocsolid.parameters import Order
from rocsolid.results import Alternative, percent
from rocsolid.results.card import Carded
from rocsolid.results.comparison import Winner
from rocsolid.results.concordance_estimate import FoldedEstimate
from rocsolid.weights.weight import Weight


def best_score(search: Any, *, level: float = 0.95) -> Winner:
    """Return the best mean score of a fitted search, with an interval corrected for selection.

    ``search`` is a `GridSearchCV` or a `RandomizedSearchCV` over folds. The estimand is the mean
    true score of the models that the folds of the best setting tested. The covariance of the
    settings is (1/J + 1/(K−1))·S for J folds, K in each repeat, with S the covariance of the fold
    values (Nadeau and Bengio's variance). Settings that failed in a fold are left out. The
    correction for many learners in `rocsolid.cross_validated` is more precise because it uses every
    row. With a `scorer` of lower limits the score is a mean lower limit, and the text says so.

    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(200) % 2
    >>> X = rng.normal(size=(200, 9)) + 0.3 * y[:, None]
    >>> settings = {"n_neighbors": [1, 5, 15, 25, 50]}
    >>> search = GridSearchCV(KNeighborsClassifier(), settings, scoring="roc_auc").fit(X, y)
    >>> print(best_score(search))
    {'n_neighbors': 15} has the highest value, 0.6580; corrected for picking the best:
    [0.1939, 0.8598] at 95 %
    """
    check_is_fitted(search, "cv_results_")
    check_level(level)
    results = search.cv_results_
    if "n_resources" in results:
        raise UnsoundError(
            "settings of a halving search were scored on different rows",
            where="search",
            fix="use GridSearchCV or RandomizedSearchCV",
        )
    metric = search.refit if search.multimetric_ else "score"
    folds = int(search.n_splits_)
    if f"split0_test_{metric}" not in results:
        raise InputError(
            "the search does not select one of its scores",
            where="refit",
            value=search.refit,
            fix="select a score with refit=",
        )
    splitter = check_cv(search.cv)
    if hasattr(splitter, "test_size"):
        raise UnsoundError(
            "the variance formula needs folds that test each row once",
            where="cv",
            value=splitter,
            fix="search with StratifiedKFold or RepeatedStratifiedKFold",
        )
    scores = np.array([results[f"split{fold}_test_{metric}"] for fold in range(folds)])
    kept = np.flatnonzero(np.isfinite(scores).all(axis=0))
    if len(kept) == 0:
        raise InputError("every setting failed in a fold", where="search")
    scores = scores[:, kept]
    a_repeat = folds / getattr(splitter, "n_repeats", 1)
    spread = np.atleast_2d(np.cov(scores, rowvar=False))
    covariance = spread * (1.0 / folds + 1.0 / (a_repeat - 1.0))
    names = [str(results["params"][at]) for at in kept]
    best = picked(names, scores.mean(axis=0), covariance, folds - 1.0, level, logits=True)
    used = search.scorer_[metric] if search.multimetric_ else search.scorer_
    function = getattr(used, "_score_func", None)
    if isinstance(function, ValueOfScores) and function.lower_limit is not None:
        return replace(best, of=function.__name__)
    return best


_Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class OutOfFold(Carded):
    """The estimate of a cross-validation, and each held-out score with its origin.

    ``row`` contains the index in X of each entry of ``y``, ``scores``, ``fold`` and ``repeat``.
    `rocsolid.cross_validated` accepts these arrays, for another measure or to compare learners.
    """

    estimate: FoldedEstimate
    row: _Rows
    y: NDArray[Any]
    scores: NDArray[np.float64]
    fold: NDArray[np.int64]
    repeat: NDArray[np.int64]

    def __str__(self) -> str:
        return str(self.estimate)

    def __repr__(self) -> str:
        return repr(self.estimate)


def cross_validate(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    groups: Any = None,
    measure: str | Weight | BinaryMeasure = "auc",
    n_jobs: int | None = None,
    pos_label: Any = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> OutOfFold:
    """Fit a classifier once a fold and estimate a measure from the scores of held-out rows.

    ``cv`` is as in scikit-learn, and ``groups`` are clusters. If a splitter puts a row in several
    test folds, the row still counts once. The folds count as progressive if no model was fitted on
    test rows of its own or a later fold, as in `TimeSeriesSplit`. `rocsolid.cross_validated`
    describes the estimate.

    The best of many models or settings is optimistic. Tune inside the ``estimator`` (such as a
    `GridSearchCV`), so that each fold is tuned separately.
    """
    chosen = measure_of(measure)
    given = {"X": X, "y": y, "groups": groups}
    here = [tensor_in_main_memory(x, name) for name, x in given.items()]
    X, y, groups = indexable(*here)
    labels = np.asarray(y)
    splits = list(check_cv(cv, y, classifier=True).split(X, y, groups))
    jobs = Parallel(n_jobs=n_jobs)
    scored = jobs(delayed(_scores)(estimator, X, labels, *split, pos_label) for split in splits)
    cluster = None if groups is None else codes(groups, "groups")[0]
    options = Options(level=level, alternative=alternative, pos_label=scored[0][1])
    return out_of_fold(chosen, labels, splits, [score for score, _ in scored], options, cluster)


def out_of_fold(
    measure: BinaryMeasure,
    labels: NDArray[Any],
    splits: Sequence[tuple[_Rows, _Rows]],
    scores: Sequence[NDArray[np.float64]],
    options: Options,
    cluster: NDArray[Any] | None = None,
    sample_weight: NDArray[Any] | None = None,
) -> OutOfFold:
    """Estimate a measure from each fold's scores of its test rows.

    ``splits`` contains the training rows and the test rows of each fold.
    """
    tests = [test for _, test in splits]
    repeat = _repeats(tests, len(labels))
    row = np.concatenate(tests)
    sizes = [len(test) for test in tests]
    fold, repeats = np.repeat(np.arange(len(tests)), sizes), np.repeat(repeat, sizes)
    again = repeat.max() > 0
    order: Order = "progressive" if not again and _progressive(splits) else "any"
    folds = folds_of(fold, repeats if again else None)
    of_row = np.arange(len(labels)) if again and cluster is None else cluster
    held_out = np.concatenate(scores)
    rows = binary_rows(
        labels[row], held_out, cluster=None if of_row is None else of_row[row],
        sample_weight=None if sample_weight is None else sample_weight[row],
        pos_label=options.pos_label,
    )  # fmt: skip
    estimate = folded(measure, order).estimate(ScoredFolds(rows, folds), options)
    return OutOfFold(estimate, row, labels[row], held_out, fold, repeats)


def scorer(
    measure: str | Weight | BinaryMeasure,
    *,
    pos_label: Any = None,
    lower_limit: float | None = None,
) -> Any:
    """Return a measure as a scikit-learn scorer, for `GridSearchCV` and `cross_val_score`.

    With ``lower_limit``, the score is the lower limit of a one-sided interval. The best score of a
    search is optimistic, and more so with more settings. Report the corrected `best_score`, or
    `cross_validate` of the whole search.

    >>> scorer("partial_auc(fpr<=.1)")
    make_scorer(partial_auc(fpr<=.1), response_method=('decision_function', 'predict_proba'))
    >>> scorer("auc", lower_limit=0.95)
    make_scorer(lower 95 % limit of auc, response_method=('decision_function', 'predict_proba'))
    """
    if lower_limit is not None:
        check_level(lower_limit)
    more = {} if pos_label is None else {"pos_label": pos_label}
    return make_scorer(
        ValueOfScores(measure_of(measure), lower_limit),
        response_method=("decision_function", "predict_proba"),
        **more,
    )


@dataclass(frozen=True, slots=True)
class ValueOfScores:
    """A function of labels and scores: the value of a measure, or a lower limit of the value."""

    measure: BinaryMeasure
    lower_limit: float | None = None

    @property
    def __name__(self) -> str:
        if self.lower_limit is None:
            return self.measure.name
        return f"lower {percent(self.lower_limit)} limit of {self.measure.name}"

    def __call__(
        self, y_true: Any, y_score: Any, sample_weight: Any = None, pos_label: Any = None
    ) -> float:
        rows = binary_rows(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
        if self.lower_limit is None:
            return value_of(self.measure, rows)
        options = Options(level=self.lower_limit, alternative="greater", certified=False)
        return self.measure.estimate(ScoredRows(rows), options).low


def _scores(
    estimator: Any, X: Any, y: NDArray[Any], train: _Rows, test: _Rows, pos_label: Any
) -> tuple[NDArray[np.float64], Any]:
    from sklearn.utils import _safe_indexing

    model = clone(estimator).fit(_safe_indexing(X, train), y[train])
    if len(model.classes_) != 2:
        raise InputError(
            "cross-validation is for two classes", where="y", value=list(model.classes_)
        )
    positive = model.classes_[1] if pos_label is None else pos_label
    held = _safe_indexing(X, test)
    if hasattr(model, "decision_function"):
        score = np.asarray(model.decision_function(held), dtype=np.float64)
        return (score if positive == model.classes_[1] else -score), positive
    at = int(np.flatnonzero(model.classes_ == positive)[0])
    return np.asarray(model.predict_proba(held)[:, at], dtype=np.float64), positive


def _repeats(tests: list[_Rows], rows: int) -> NDArray[np.int64]:
    """Return the repeat of each fold; a repeat begins when a row is tested again."""
    seen = np.zeros(rows, dtype=np.bool_)
    repeat = np.zeros(len(tests), dtype=np.int64)
    for number, test in enumerate(tests):
        begins = bool(seen[test].any())
        if begins:
            seen[:] = False
        seen[test] = True
        repeat[number] = repeat[number - 1] + begins if number else 0
    return repeat


def _progressive(splits: Sequence[tuple[_Rows, _Rows]]) -> bool:
    """Return whether no model was fitted on test rows of its own or a later fold."""
    return all(
        not np.isin(test, train).any()
        for number, (train, _) in enumerate(splits)
        for _, test in splits[number:]
    )
