"""Policies about out-of-fold scores: the limits are those of `rocsolid.cross_validated`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.gating.decision import GateDecision
from rocsolid.plan.unknown import times_to_decide

RULE = {"score": "a", "at_least": 0.6}


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    rng = np.random.default_rng(5)
    n = 600
    y = (rng.random(n) < 0.4).astype(int)
    a = 1.2 * y + rng.normal(size=n)
    return {
        "y": y,
        "a": a,
        "b": a + 0.3 * rng.normal(size=n),
        "fold": np.arange(n) % 5,
        "site": np.where(np.arange(n) < 300, "north", "south"),
        "patient": np.arange(n),
        "grade": y,
    }


def decide(table: dict[str, Any], *rules: dict[str, Any], **options: Any) -> GateDecision:
    return rs.gate({"label": "y", "fold": "fold", **options, "rule": list(rules)}, table)


def test_a_value_is_decided_by_the_learner(table: dict[str, Any]) -> None:
    found = decide(table, RULE)
    limit = rs.cross_validated(
        table["y"], table["a"], fold=table["fold"], alternative="greater", level=0.95
    )
    (ruling,) = found.rulings
    assert (found.verdict, ruling.low) == ("pass", limit.learner.low)
    assert limit.learner.low < limit.low
    assert ruling.value == limit.value
    assert "in 5 folds" in ruling.why


def test_a_certified_rule_is_about_the_models_of_the_folds(table: dict[str, Any]) -> None:
    (ruling,) = decide(table, {**RULE, "evidence": "certified"}).rulings
    limit = rs.cross_validated(
        table["y"], table["a"], fold=table["fold"], alternative="greater", level=0.95
    )
    assert ruling.low == limit.certified.low
    progressive = decide(table, {**RULE, "evidence": "certified"}, order="progressive")
    assert progressive.rulings[0].low > ruling.low


def test_a_difference_is_that_of_the_learners(table: dict[str, Any]) -> None:
    rule = {"score": "b", "not_worse_than": "a", "margin": 0.05}
    (ruling,) = decide(table, rule).rulings
    pair = rs.cross_validated(
        table["y"], {"b": table["b"], "a": table["a"]}, fold=table["fold"],
        alternative="greater", level=0.95,
    ).pairs[0]  # fmt: skip
    assert ruling.low == pytest.approx(pair.interval.low, abs=1e-12)
    certified = decide(table, {**rule, "evidence": "certified"})
    assert certified.verdict == "undecided"  # of learners nothing is certified
    assert "no limit is known" in certified.rulings[0].why


def test_segments_weights_clusters_and_repeats(table: dict[str, Any]) -> None:
    found = decide(table, {**RULE, "segments": "each"}, by="site", cluster="patient")
    assert [one.by for one in found.rulings] == [{"site": "north"}, {"site": "south"}]
    north = table["site"] == "north"
    limit = rs.cross_validated(
        table["y"][north], table["a"][north], fold=table["fold"][north],
        cluster=table["patient"][north], alternative="greater", level=0.95,
    )  # fmt: skip
    assert found.rulings[0].low == pytest.approx(limit.learner.low, abs=1e-12)
    twice = {name: np.concatenate([column, column]) for name, column in table.items()}
    twice["run"] = np.repeat([1, 2], len(table["y"]))
    repeated = decide(twice, RULE, repeat="run", cluster="patient").rulings[0]
    assert 0.0 < repeated.low < repeated.value


def test_folds_that_split_clusters_are_decided_for_their_models(table: dict[str, Any]) -> None:
    split = table | {"patient": np.arange(600) // 6}
    against = {"score": "b", "not_worse_than": "a", "margin": 0.05}
    certified = {**RULE, "evidence": "certified"}
    found = decide(split, RULE, against, certified, cluster="patient")
    how = {"fold": split["fold"], "cluster": split["patient"], "alternative": "greater"}
    limit = rs.cross_validated(split["y"], split["a"], **how)
    pair = rs.cross_validated(split["y"], {"b": split["b"], "a": split["a"]}, **how).pairs[0]
    value, difference, proven = found.rulings
    assert (value.verdict, value.low) == ("pass", limit.low)
    assert difference.low == pytest.approx(pair.interval.low, abs=1e-12)
    assert (proven.verdict, proven.more) == ("undecided", None)
    (warning,) = found.warnings
    assert warning.startswith("Intervals hold for these models alone, because 100 of 100 clusters")
    muted = decide(split, RULE, cluster="patient", mute=["ROC133"])
    assert muted.warnings == ()
    assert muted.rulings[0].low == value.low


def test_the_size_that_decides_for_models_of_split_clusters(table: dict[str, Any]) -> None:
    split = table | {"patient": np.arange(600) // 6}
    bar = rs.cross_validated(
        split["y"], split["a"], fold=split["fold"], cluster=split["patient"],
        alternative="greater",
    )  # fmt: skip
    near = bar.low + 0.25 * (bar.value - bar.low)
    (ruling,) = decide(split, {"score": "a", "at_least": near}, cluster="patient").rulings
    (learner,) = decide(table, {"score": "a", "at_least": near}).rulings
    assert ruling.verdict == learner.verdict == "undecided"
    assert ruling.high == pytest.approx(
        rs.cross_validated(
            split["y"], split["a"], fold=split["fold"], cluster=split["patient"],
            alternative="less",
        ).high
    )  # fmt: skip
    times = times_to_decide(bar.value - near, bar.value - bar.low, bar.std_error, 0.0)
    assert ruling.more == np.ceil((times - 1.0) * 600)


def test_a_segment_of_whole_clusters_has_models_of_split_ones(table: dict[str, Any]) -> None:
    """The models of the folds have seen the other rows of a cluster in another segment."""
    halves = np.arange(600) % 300
    split = table | {"patient": halves, "fold": (np.arange(600) + (np.arange(600) >= 300)) % 5}
    found = decide(split, {**RULE, "segments": "each"}, by="site", cluster="patient")
    north = split["site"] == "north"
    limit = rs.cross_validated(
        split["y"][north], split["a"][north], fold=split["fold"][north],
        cluster=halves[north], alternative="greater",
    )  # fmt: skip
    assert limit.learner is not None
    assert found.rulings[0].low == pytest.approx(limit.low, abs=1e-12)


def test_facts_about_the_rows_cost_nothing(table: dict[str, Any]) -> None:
    found = decide(table, RULE, {"positives_at_least": int(table["y"].sum())})
    assert [one.verdict for one in found.rulings] == ["pass", "pass"]
    assert found.tests == 1


def test_a_fold_of_one_class_leaves_the_rule_undecided(table: dict[str, Any]) -> None:
    one_class = table | {"fold": table["y"]}
    found = decide(one_class, RULE)
    assert found.verdict == "undecided"
    assert "fold 0 has no positive row" in found.rulings[0].why


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"qid": "site"}, "folds require labels of two classes"),
        ({"frequency": "patient"}, "frequency is not for scores"),
        ({"nan": "omit"}, "nan is not for scores of a cross-validation"),
        ({"fold": "", "repeat": "site"}, "repeat and order are about folds"),
        ({"order": "random"}, "order"),
    ],
)
def test_what_folds_cannot_have_is_refused(
    table: dict[str, Any], options: dict[str, Any], what: str
) -> None:
    measured = {**RULE, "measure": "ndcg@5"} if "qid" in options else RULE
    with pytest.raises(rs.InputError, match=what):
        decide(table, measured, **options)


def test_stored_results_and_drifts_are_refused(table: dict[str, Any]) -> None:
    policy = {"label": "y", "fold": "fold", "rule": [RULE]}
    with pytest.raises(rs.InputError, match="decided in memory"):
        rs.gate(policy, table, memory="1GB")
    with pytest.raises(rs.InputError, match="one model"):
        decide(table, {"score": "a", "no_drift_against": "old.json"})
    with pytest.raises(rs.InputError, match="no column 'c'"):
        decide(table, {"score": "c", "at_least": 0.5})
