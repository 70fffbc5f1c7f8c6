"""The best score of a search, with an interval corrected for being the best of many."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import check_cv
from sklearn.utils.validation import check_is_fitted

from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.guarantees.checks import check_level
from rocsolid.intervals.picked import picked
from rocsolid.results.ranks import Winner


def best_score(search: Any, *, level: float = 0.95) -> Winner:
    """The best mean score of a fitted ``search``, with an interval corrected for having won.

    ``search`` is a `GridSearchCV` or a `RandomizedSearchCV` over folds. The value is about the mean
    true score of the models that the folds of the best setting tested. Scores of all settings on
    the same folds vary as their fold values do, with the variance of Nadeau and Bengio for folds
    whose models share rows: (1/J + 1/(K−1))·S for J folds, K a repeat. The correction for having
    won is that of `rocsolid.cross_validated` of many learners, which knows more, as it sees every
    row. Settings that failed in a fold do not count.

    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(200) % 2
    >>> X = rng.normal(size=(200, 9)) + 0.3 * y[:, None]
    >>> settings = {"n_neighbors": [1, 5, 15, 25, 50]}
    >>> search = GridSearchCV(KNeighborsClassifier(), settings, scoring="roc_auc").fit(X, y)
    >>> print(best_score(search))
    {'n_neighbors': 15} was picked because it has the highest value, 0.6580; corrected for that:
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
            "the search does not say which of its scores is the one",
            where="refit",
            value=search.refit,
            fix="name a score by refit=",
        )
    splitter = check_cv(search.cv)
    if hasattr(splitter, "test_size"):
        raise UnsoundError(
            "the variance is that of folds, which test each row once",
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
    return picked(names, scores.mean(axis=0), covariance, folds - 1.0, level, logits=True)
