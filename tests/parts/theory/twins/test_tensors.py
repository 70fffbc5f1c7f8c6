"""Tensors in what belongs to the theory: learners, and bounds that take scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from rocsolid import learners
from rocsolid.theory import guarantees
from tensors import (
    GRADE,
    KINDS,
    NEG,
    POS,
    QUERY,
    Maker,
    OnlyDlpack,
    S,
    W,
    X,
    Y,
    agrees_with_numpy,
    maker,
)


@pytest.fixture(params=KINDS)
def made(request: pytest.FixtureRequest, torch: Any) -> Maker:
    return maker(request.param, torch)


CALLS: dict[str, Callable[[Maker], Any]] = {
    "a rank matrix": lambda a: guarantees.rank_matrix(a(POS), a(NEG)).tolist(),
    "tau": lambda a: guarantees.tau(a(S), a(Y), 9.0).tolist(),
    "learners": lambda a: (
        learners.AUCLeastSquares().fit(a(X), a(Y)).decision_function(a(X)).tolist()
    ),
    "lists of a learner": lambda a: (
        learners.RankSVM().fit(a(X), a(GRADE), qid=a(QUERY)).coef_.tolist()
    ),
    "a learner's score": lambda a: learners.AUCLeastSquares().fit(X, Y).score(a(X), a(Y), a(W)),
}
# scikit-learn's own check of arguments asks for a shape
NEEDS_A_SHAPE = {"learners", "lists of a learner", "a learner's score"}


@pytest.mark.parametrize("call", CALLS)
def test_each_says_what_it_says_of_numpy(call: str, made: Maker) -> None:
    if made is OnlyDlpack and call in NEEDS_A_SHAPE:
        return
    agrees_with_numpy(CALLS[call], made)


def test_learners_leave_dataframes_to_scikit_learn() -> None:
    table = pd.DataFrame({"a": S, "b": W})
    assert learners.AUCLeastSquares().fit(table, Y).feature_names_in_.tolist() == ["a", "b"]
