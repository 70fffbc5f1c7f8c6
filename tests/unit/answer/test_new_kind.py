"""A new kind of evaluation, whole: the AUC of each user, averaged over users, compared by user."""

from __future__ import annotations

import json

import numpy as np

import rocsolid as rs
from rocsolid.answer.answer import Answer, AnswerKind, Facts
from rocsolid.answer.entry import Entry
from rocsolid.answer.standard import blocks, verdict
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.comparison.systems import Systems
from rocsolid.gating.quantity import DifferenceQuantity

KIND = AnswerKind("source label rows results comparisons", blocks, verdict)
MEASURE = "auc per user"


def per_user(table: dict[str, np.ndarray], scores: list[str]) -> Answer:
    """The kind: one value a unit; everything else is of the frame."""
    y, user = table["y"], table["user"]
    values = {
        name: [float(rs.auc(y[user == u], table[name][user == u])) for u in np.unique(user)]
        for name in scores
    }
    comparison = rs.queries.compare(values, measure=MEASURE, margin=0.05)
    entries = [Entry(name, MEASURE, None, one) for name, one in comparison.estimates.items()]
    return Answer(KIND, "users", entries, (), {MEASURE: comparison}, basis=Facts("y", len(y)))


def table(users: int) -> dict[str, np.ndarray]:
    rng, y = np.random.default_rng(3), np.tile([0, 1], 15 * users)
    good = y + 0.8 * rng.normal(size=len(y))
    noisy = good + 1.5 * rng.normal(size=len(y))
    return {"y": y, "user": np.arange(len(y)) // 30, "good": good, "noisy": noisy}


def test_evaluate_compare_ranks_and_forms() -> None:
    answer = per_user(table(40), ["good", "noisy"])
    (comparison,) = answer.comparisons.values()
    assert comparison.winner.name == "good"
    assert comparison.ranks["good"].high == 1
    assert json.loads(json.dumps(answer.to_dict()))["results"][0]["measure"] == MEASURE
    assert all("good" in text for text in (answer.to_html(), answer.to_latex(), str(answer)))
    assert answer.answer()[0].startswith("good is not inferior to noisy at margin 0.05")


def test_gate_plan_and_checks() -> None:
    answer = per_user(table(40), ["good", "noisy"])
    good, noisy = (one.result.per_query for one in answer.results)
    pair = Systems.of({"good": good, "noisy": noisy}, range=(0, 1))
    quantity = DifferenceQuantity(pair, "users", Resampling())
    assert quantity.limit("greater", 0.05, certified=False).low > 0.0
    spread = rs.plan.query_spread({"good": good, "noisy": noisy})
    assert rs.plan.query_power(difference=0.02, sd=spread.difference, power=0.8).queries > 1
    few = per_user(table(4), ["good", "noisy"])
    assert [one.code for one in few.checks] == ["ROC303", "ROC221"]
    assert few.without("ROC303", "ROC221").checks == answer.checks == ()
