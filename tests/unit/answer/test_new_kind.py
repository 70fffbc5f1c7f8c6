"""A new kind of evaluation, by public names: the AUC per user, compared by user."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocsolid as rs

MEASURE = "auc per user"


def per_user(users: int) -> rs.Sample:
    """The kind: one value a unit; everything else is of the frame."""
    rng, y = np.random.default_rng(3), np.tile([0, 1], 15 * users)
    good = y + 0.8 * rng.normal(size=len(y))
    scores = {"good": good, "noisy": good + 1.5 * rng.normal(size=len(y))}
    rows = np.arange(len(y)).reshape(users, 30)
    values = {name: [rs.auc(y[own], s[own]).value for own in rows] for name, s in scores.items()}
    return rs.Sample(values, measure=MEASURE, unit="user")


def test_evaluate_compare_ranks_and_forms() -> None:
    answer = rs.evaluate(per_user(40), margin=0.05)
    (comparison,) = answer.comparisons.values()
    assert comparison.winner.name == "good"
    assert comparison.ranks["good"].high == 1
    assert json.loads(json.dumps(answer.to_dict()))["results"][0]["measure"] == MEASURE
    assert all("good" in text for text in (answer.to_html(), answer.to_latex(), str(answer)))
    assert answer.answer()[0].startswith("good is not inferior to noisy at margin 0.05")
    assert rs.compare(per_user(40), margin=0.05).to_dict() == comparison.to_dict()


def test_gate_plan_and_checks() -> None:
    sample = per_user(40)
    rules = [{"score": "good", "better_than": "noisy"}, {"score": "noisy", "at_least": 0.7}]
    better, high = rs.gate({"rule": rules}, sample).rulings
    assert (better.verdict, high.verdict) == ("pass", "fail")
    assert better.low > 0.0
    spread = rs.plan.query_spread(sample.values)
    assert rs.plan.query_power(difference=0.02, sd=spread.difference, power=0.8).queries > 1
    few = rs.evaluate(per_user(4), margin=0.05)
    assert [one.code for one in few.checks] == ["ROC303", "ROC221"]
    assert few.without("ROC303", "ROC221").checks == rs.evaluate(sample).checks == ()


def test_what_is_refused() -> None:
    with pytest.raises(rs.InputError, match="different numbers of users"):
        rs.Sample({"a": [0.1, 0.2], "b": [0.1]}, unit="user")
    with pytest.raises(rs.InputError, match="outside the measure's range"):
        rs.Sample({"a": [1.2]})
    with pytest.raises(rs.InputError, match=r"no score has this name: 'best'"):
        rs.gate({"rule": [{"score": "best", "at_least": 0.5}]}, per_user(4))
    with pytest.raises(rs.InputError, match=r"unknown keyword.*'qid'"):
        rs.evaluate(rs.Sample({"a": [0.2]}), qid="user")
    with pytest.raises(rs.InputError, match="label is for a table"):
        rs.gate({"label": "y", "rule": [{"score": "good", "at_least": 0.5}]}, per_user(4))
