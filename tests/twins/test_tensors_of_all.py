"""Tensors in every other place that takes an array: bounds, drop-ins, values of queries.

Each is called with arrays that NumPy cannot read by itself: with a gradient, elsewhere, bfloat16.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import rocsolid as rs
from rocsolid import guarantees, plan, queries
from rocsolid import sklearn as drop_ins
from rocsolid.certificates import certify
from tensors import (
    CHANCE,
    GRADE,
    KINDS,
    NEG,
    POS,
    QUERY,
    Maker,
    OnlyDlpack,
    P,
    Q,
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
    "a certificate": lambda a: certify(lambda X: X[:, 0], a(X), a(Y)).to_dict(),
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
    "lists of rows", "a certificate", "roc_auc_score", "roc_curve", "average_precision_score",
    "ndcg_score", "cross_validate",
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_each_says_what_it_says_of_numpy(call: str, made: Maker) -> None:
    if made is OnlyDlpack and call in NEEDS_A_SHAPE:
        return
    agrees_with_numpy(CALLS[call], made)


def test_what_has_no_values_is_said_to_have_none(torch: Any) -> None:
    empty = torch.zeros(6, 10, device="meta")
    for call in (lambda: rs.err(empty, empty), lambda: queries.average(empty[0]),
                 lambda: rs.ndcg([*empty], [*empty])):  # fmt: skip
        with pytest.raises(rs.InputError, match="cannot be converted to a NumPy array"):
            call()


def test_a_positive_label_is_one_value(torch: Any) -> None:
    for label in (torch.tensor(1), np.array(1), jnp.asarray(1)):
        with pytest.raises(rs.InputError, match=r"one value, not a .* pos_label=x.item\(\)"):
            rs.auc(GRADE, S, pos_label=label)
    assert rs.auc(GRADE, S, pos_label=np.int64(1)).value == rs.auc(GRADE == 1, S).value
