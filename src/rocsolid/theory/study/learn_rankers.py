"""Rankers with several penalties, among which a part of the queries decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError

Floats = NDArray[np.float64]
Fit = Callable[["Documents"], Any]


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """Documents with their features and grades, and the number of their query from 0 on."""

    features: Floats
    grade: Floats
    query: NDArray[np.int64]

    def of(self, member: NDArray[np.bool_]) -> Documents:
        return Documents(self.features[member], self.grade[member], self.query[member])


def svm(*cs: float) -> list[Fit]:
    """RankSVM with each C."""
    from rocsolid.theory.learners import RankSVM

    def of(c: float) -> Fit:
        return lambda seen: RankSVM(C=c).fit(seen.features, seen.grade, qid=seen.query)

    return [of(c) for c in cs]


def net(*alphas: float) -> list[Fit]:
    """ListNet with each alpha."""
    from rocsolid.theory.learners import ListNet

    def of(alpha: float) -> Fit:
        return lambda seen: ListNet(alpha=alpha).fit(seen.features, seen.grade, qid=seen.query)

    return [of(alpha) for alpha in alphas]


def boost(*rounds: int) -> list[Fit]:
    """RankBoost with each number of rounds, for two classes.

    These are the documents that are relevant at all and the others, over all queries together.
    """
    from rocsolid.theory.learners import RankBoost

    def of(n: int) -> Fit:
        return lambda seen: RankBoost(n_rounds=n).fit(seen.features, seen.grade > 0.0)

    return [of(n) for n in rounds]


@dataclass(frozen=True, slots=True, eq=False)
class RankerFold:
    """Which documents are trained on, decide on the penalty, and are measured."""

    train: NDArray[np.bool_]
    validate: NDArray[np.bool_]
    test: NDArray[np.bool_]


def folds(query: NDArray[np.int64], parts: int) -> list[RankerFold]:
    """Every part of the queries is tested once; the part before it decides, the others train.

    The queries are cut in their order into parts of equal size, the last of which may be smaller.

    >>> [fold.test.nonzero()[0].tolist() for fold in folds(np.array([0, 0, 1, 2, 3, 4]), 3)]
    [[5], [0, 1, 2], [3, 4]]
    """
    count = int(query.max()) + 1
    size = -(-count // parts)
    if size * (parts - 1) >= count:
        raise InputError(
            f"too few queries for {parts} parts", value=count, fix=f"give at least {parts} queries"
        )
    part = query // size
    found = []
    for first in range(parts):
        validate, test = ((part == (first + parts - back) % parts) for back in (2, 1))
        found.append(RankerFold(~validate & ~test, validate, test))
    return found


Mean = Callable[[Documents, Floats], float]
"""What a penalty is chosen by: a mean over queries of documents and their scores."""


def chosen(fits: Sequence[Fit], fold: RankerFold, documents: Documents, mean: Mean) -> Any:
    """Of all fits to the training part the one with the best mean on the part that decides."""
    seen, deciding = documents.of(fold.train), documents.of(fold.validate)
    made = [fit(seen) for fit in fits]
    return max(made, key=lambda one: mean(deciding, one.decision_function(deciding.features)))
