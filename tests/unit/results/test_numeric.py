"""A result where a number, a line or a cell of a notebook is requested."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_score

import rocsolid as rs
from rocsolid.certificates import certify

RNG = np.random.default_rng(3)
Y = np.arange(120) % 2
S, T = Y + RNG.normal(size=120), RNG.normal(size=120)
Q = np.arange(120) // 10
THREE = RNG.normal(size=(120, 3))

RESULTS: dict[str, Any] = {
    "auc": rs.auc(Y, S),
    "partial_auc": rs.partial_auc(Y, S, fpr=0.2),
    "multiclass_auc": rs.multiclass_auc(np.arange(120) % 3, THREE),
    "concordance": rs.concordance(np.arange(120) % 5, S),
    "ndcg": rs.ndcg(Y, S, qid=Q),
    "one query": rs.average_precision(Y, S),
    "scored": rs.evaluate({"y": Y, "s": S}, label="y", scores="s").results[0],
}
OTHERS: dict[str, Any] = {
    "compare": rs.compare(Y, {f"s{i}": S + i * RNG.normal(size=120) for i in range(12)}),
    "compare queries": rs.compare(Y, {"s": S, "t": T}, measure="ndcg", qid=Q),
    "pair": rs.compare(Y, {"s": S, "t": T}).pairs[0],
    "omnibus": rs.compare(Y, {"s": S, "t": T}).omnibus,
    "evaluate": rs.evaluate({"y": Y, "s": S, "q": Q}, label="y", scores="s", by="q"),
    "queries": rs.evaluate({"y": Y, "s": S, "q": Q}, label="y", scores="s", qid="q"),
    "interval": rs.auc(Y, S).interval,
    "roc": rs.roc(Y, S),
    "band": rs.roc(Y, S).band(),
    "point": rs.roc(Y, S).at(fpr=0.1),
    "reading": rs.roc(Y, S).reading(fpr=0.1),
    "certificate": certify(S, y=Y),
    "plan": rs.plan.auc_precision(auc=0.8, n_pos=50, n_neg=50),
}


@pytest.mark.parametrize("name", [*RESULTS, *OTHERS])
def test_a_result_in_a_cell_is_one_line(name: str) -> None:
    result = (RESULTS | OTHERS)[name]
    assert "\n" not in repr(result)
    assert len(repr(result)) < 300
    assert str(result).startswith(repr(result).partition(" (print it for")[0])


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_its_value_in_a_calculation(name: str) -> None:
    e = RESULTS[name]
    v = float(e)
    assert f"{e:.3f}" == f"{v:.3f}"
    assert f"{e:8.2%}" == f"{v:8.2%}"
    assert f"{e}" == str(e)
    assert round(e, 3) == round(v, 3)
    assert (e > v / 2, e < v / 2, e >= v, e <= v) == (True, False, True, True)
    assert v / 2 < 1 * e
    assert [e + 1, 1 + e, e - 1, 1 - e, 2 * e, e * 2, e / 2, 1 / e, -e, abs(e)] == [
        v + 1, 1 + v, v - 1, 1 - v, 2 * v, v * 2, v / 2, 1 / v, -v, abs(v)
    ]  # fmt: skip
    assert (type(e - 1), type(1 - e), type(e - e)) == (float, float, float)
    with pytest.raises(TypeError, match="str"):
        e + "1"


def test_two_results_make_a_plain_difference_and_a_mean() -> None:
    a, b = rs.auc(Y, S), rs.auc(Y, T)
    assert a - b == a.value - b.value
    assert a > b
    assert sorted([a, b]) == [b, a]
    assert sum([a, b]) == a.value + b.value
    assert np.mean([a, b]) == pytest.approx((a.value + b.value) / 2)
    assert np.array([a, b], dtype=float).tolist() == [a.value, b.value]
    assert np.std(np.array([a, b], dtype=float)) > 0
    assert (np.float64(1.0) - a) == 1.0 - a.value
    assert (np.array([0.0, 2.0]) < a).tolist() == [True, False]
    assert (a * np.array([1.0, 2.0])).tolist() == [a.value, 2 * a.value]


def test_scikit_learn_takes_it_as_a_score() -> None:
    X = np.column_stack([S, T])
    model = LogisticRegression()
    ours = make_scorer(rs.auc, response_method="decision_function")
    theirs = make_scorer(roc_auc_score, response_method="decision_function")
    found = cross_val_score(model, X, Y, scoring=ours)
    assert found.dtype == np.float64
    assert found == pytest.approx(cross_val_score(model, X, Y, scoring=theirs))
    bare = cross_val_score(
        model, X, Y, scoring=lambda fit, x, y: rs.auc(y, fit.decision_function(x))
    )
    assert bare == pytest.approx(found)
    search = GridSearchCV(model, {"C": [0.1, 1.0]}, scoring=ours).fit(X, Y)
    assert 0.5 < search.best_score_ < 1.0
