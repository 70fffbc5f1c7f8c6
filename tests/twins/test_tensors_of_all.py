"""Tensors in every other place that takes an array: bounds, drop-ins, learners, values of queries.

Each is called with arrays that NumPy cannot read by itself: with a gradient, elsewhere, bfloat16.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import array_api_strict as strict
import jax.numpy as jnp
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import rocsolid as rs
from rocsolid import guarantees, learners, plan, queries
from rocsolid import sklearn as drop_ins

Maker = Callable[[np.ndarray], Any]
RNG = np.random.default_rng(0)
ROWS = 60
Y = np.arange(ROWS) % 3 == 0
S = (RNG.normal(size=ROWS) + Y).astype(np.float32).round(1)
S = np.asarray(jnp.asarray(S).astype(jnp.bfloat16).astype(jnp.float32))  # as bfloat16 has them
P, Q = (np.abs(each) / 8 for each in (S, np.roll(S, 1)))  # from 0 to 1, still exact
POS, NEG = S[Y], S[~Y]
W = RNG.integers(1, 4, ROWS).astype(np.float32)
GRADE = RNG.integers(0, 3, ROWS).astype(np.float32)
QUERY = np.repeat(np.arange(6), 10)
X = np.column_stack([S, np.roll(S, 1), W])
CHANCE = np.abs(X)


class OnlyDlpack:
    """What speaks DLPack and nothing else."""

    def __init__(self, values: np.ndarray) -> None:
        self._values = values.copy()

    def __dlpack__(self, **asked: Any) -> Any:
        return self._values.__dlpack__(**asked)

    def __dlpack_device__(self) -> Any:
        return self._values.__dlpack_device__()


def _short(x: np.ndarray, to: Callable[[np.ndarray], Any], kind: Any) -> Any:
    return to(x).astype(kind) if x.dtype == np.float32 else to(x)


@pytest.fixture(params=["gradient", "bfloat16", "elsewhere", "jax bfloat16", "DLPack"])
def made(request: pytest.FixtureRequest, torch: Any) -> Maker:
    found: dict[str, Maker] = {
        "gradient": lambda x: torch.tensor(x).requires_grad_(x.dtype.kind == "f"),
        "bfloat16": lambda x: (
            torch.tensor(x).bfloat16() if x.dtype == np.float32 else torch.tensor(x)
        ),
        "elsewhere": lambda x: strict.asarray(x, device=strict.Device("device1")),
        "jax bfloat16": lambda x: _short(x, jnp.asarray, jnp.bfloat16),
        "DLPack": OnlyDlpack,
    }
    return found[request.param]


def square(a: Maker, x: np.ndarray) -> Any:
    return a(x.reshape(6, 10))


CALLS: dict[str, Callable[[Maker], Any]] = {
    "matchings": lambda a: guarantees.matchings(a(POS), a(NEG)),
    "the rows as a population": lambda a: guarantees.from_data(a(POS), a(NEG)).auc,
    "a band": lambda a: guarantees.weighted_band(a(POS), a(NEG), rs.weights.power(2)),
    "a difference": lambda a: guarantees.difference_matchings(
        *(a(each) for each in (POS, NEG, np.sort(POS), np.sort(NEG)))
    ),
    "batches of queries": lambda a: (
        guarantees.difference_sequence().add_queries(a(P), a(Q)).to_dict()
    ),
    "a rank matrix": lambda a: guarantees.rank_matrix(a(POS), a(NEG)).tolist(),
    "tau": lambda a: guarantees.tau(a(S), a(Y), 9.0).tolist(),
    "clusters": lambda a: guarantees.clustered(0.7, a(W[:5]), a(W[5:10])),
    "weights": lambda a: guarantees.weighted(0.7, a(W[Y]), a(W[~Y])),
    "expected reciprocal rank": lambda a: rs.err(a(GRADE), a(S), qid=a(QUERY)),
    "matrices": lambda a: rs.ndcg(square(a, GRADE), square(a, S)),
    "lists of rows": lambda a: rs.ndcg(
        *([a(row) for row in each.reshape(6, 10)] for each in (GRADE, S))
    ),
    "matrices, missing": lambda a: rs.compare(
        square(a, GRADE),
        {"a": square(a, S), "b": square(a, np.where(S > 1, np.nan, S))},
        measure="ndcg",
        nan="omit",
    ),
    "names of classes": lambda a: rs.multiclass_auc(
        a(GRADE.astype(int)), a(CHANCE), labels=a(np.arange(3))
    ),
    "rows of classes": lambda a: rs.multiclass_auc(
        a(GRADE.astype(int)), [a(row) for row in CHANCE]
    ),
    "a mean": lambda a: queries.average(a(P)),
    "a spread": lambda a: str(plan.query_spread({"a": a(P), "b": a(Q)})),
    "learners": lambda a: (
        learners.AUCLeastSquares().fit(a(X), a(Y)).decision_function(a(X)).tolist()
    ),
    "lists of a learner": lambda a: (
        learners.RankSVM().fit(a(X), a(GRADE), qid=a(QUERY)).coef_.tolist()
    ),
    "a learner's score": lambda a: learners.AUCLeastSquares().fit(X, Y).score(a(X), a(Y), a(W)),
    "a certificate": lambda a: learners.certify(lambda X: X[:, 0], a(X), a(Y)).to_dict(),
    "roc_auc_score": lambda a: drop_ins.roc_auc_score(a(Y), a(S), sample_weight=a(W)),
    "roc_curve": lambda a: [each.tolist() for each in drop_ins.roc_curve(a(Y), a(S))],
    "average_precision_score": lambda a: drop_ins.average_precision_score(a(Y), a(S)),
    "ndcg_score": lambda a: drop_ins.ndcg_score(square(a, GRADE), y_score=square(a, S)),
    "cross_validate": lambda a: drop_ins.cross_validate(
        LogisticRegression(), a(X), a(Y), cv=3
    ).estimate.to_dict(),
}
# scikit-learn's own check of arguments asks for a shape, and its error is what callers catch; a
# list is one of rows where its first entry has a dimension
NEEDS_A_SHAPE = {
    "lists of rows", "learners", "lists of a learner", "a learner's score", "a certificate",
    "roc_auc_score", "roc_curve", "average_precision_score", "ndcg_score", "cross_validate",
}  # fmt: skip


def as_given(values: np.ndarray) -> np.ndarray:
    return values


@pytest.mark.parametrize("call", CALLS)
def test_each_says_what_it_says_of_numpy(call: str, made: Maker) -> None:
    if made is OnlyDlpack and call in NEEDS_A_SHAPE:
        return
    found, asked = (CALLS[call](way) for way in (made, as_given))
    shown = [json.dumps(each, default=lambda one: one.to_dict()) for each in (found, asked)]
    assert shown[0] == shown[1]


def test_what_has_no_values_is_said_to_have_none(torch: Any) -> None:
    empty = torch.zeros(6, 10, device="meta")
    for call in (lambda: rs.err(empty, empty), lambda: queries.average(empty[0]),
                 lambda: rs.ndcg([*empty], [*empty])):  # fmt: skip
        with pytest.raises(rs.InputError, match="does not become a NumPy array"):
            call()


def test_a_positive_label_is_one_value(torch: Any) -> None:
    for label in (torch.tensor(1), np.array(1), jnp.asarray(1)):
        with pytest.raises(rs.InputError, match=r"one value, not a .* pos_label=x.item\(\)"):
            rs.auc(GRADE, S, pos_label=label)
    assert rs.auc(GRADE, S, pos_label=np.int64(1)).value == rs.auc(GRADE == 1, S).value


def test_drop_ins_leave_dataframes_to_scikit_learn() -> None:
    import pandas as pd

    table = pd.DataFrame({"a": S, "b": W})
    assert learners.AUCLeastSquares().fit(table, Y).feature_names_in_.tolist() == ["a", "b"]
