"""A question is asked of arrays or of a table, under one public name."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.runs import evaluate_runs

RNG = np.random.default_rng(8)
Y = RNG.integers(0, 2, 80)
TABLE: dict[str, Any] = {
    "y": Y,
    "grade": Y + RNG.integers(0, 2, 80),
    "a": RNG.normal(size=80) + Y,
    "b": RNG.normal(size=80) + Y,
    "q": np.arange(80) // 8,
    "site": ["n", "s"] * 40,
}
BOTH = {name: TABLE[name] for name in ("a", "b")}


def test_compare() -> None:
    of_arrays = rs.compare(Y, BOTH, seed=3)
    found = rs.compare(TABLE, label="y", scores=["a", "b"], seed=3, progress=None)
    assert isinstance(found, rs.results.Answer)
    assert found.comparisons[None].to_dict() == of_arrays.to_dict()
    assert list(rs.compare(TABLE, label="y", scores="a", by="site").comparisons) == ["a"]
    lists = rs.compare(TABLE, label="grade", scores=["a", "b"], qid="q")
    alike = rs.compare(TABLE["grade"], BOTH, measure="ndcg@10", qid=TABLE["q"])
    assert lists.measures[0].comparison.pairs[0].difference == alike.pairs[0].difference
    assert "null" in inspect.signature(rs.compare).parameters


def test_concordance() -> None:
    found = rs.concordance(TABLE, label="grade", scores=["a", "b"])
    assert found.results[0].result == rs.concordance(TABLE["grade"], TABLE["a"])
    assert None in found.comparisons


def test_certify() -> None:
    found = rs.certify(TABLE, label="y", scores="a")
    assert found.results[0].low == rs.certify(TABLE["a"], y=Y).low


def test_curve() -> None:
    found = rs.curve(TABLE, label="y", scores="a", tpr=[0.9])
    assert found.roc.auc == rs.curve(Y, TABLE["a"]).auc == rs.auc(Y, TABLE["a"]).value
    assert [one.rate for one in found.readings] == [0.9]


def test_runs() -> None:
    qrels = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1, "d2": 0}}
    runs = {"x": {"q1": {"d1": 3, "d2": 2}, "q2": {"d1": 1, "d2": 0}},
            "z": {"q1": {"d1": 1, "d2": 2}, "q2": {"d1": 1, "d2": 0}}}  # fmt: skip
    found = rs.runs(qrels, runs, ["map", "rr"], adjust="none")
    assert found.settings["adjust"] == "none"
    alike = evaluate_runs(qrels, runs, ["map", "rr"])
    assert found.to_dict()["results"] == alike.to_dict()["results"]


@pytest.mark.parametrize("ask", [rs.certify, rs.curve, rs.concordance])
def test_a_table_without_a_score_is_refused(ask: Any) -> None:
    with pytest.raises(rs.InputError, match="no column of scores is named"):
        ask(TABLE, label="y")
