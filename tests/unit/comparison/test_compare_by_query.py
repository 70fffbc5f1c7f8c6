"""``rs.compare`` for measures of ranked lists: the tests over queries behind one call."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.discounts.cutoff import Cutoff
from rocsolid.graded.ndcg import ndcg_measure

RNG = np.random.default_rng(5)
QID = np.repeat(np.arange(30), 12)
GRADE = RNG.integers(0, 4, QID.size)
NOISE = RNG.normal(size=QID.size)
SCORES = {"a": NOISE, "b": NOISE + 0.5 * GRADE, "c": np.round(NOISE + 0.4 * GRADE, 1)}


@pytest.mark.parametrize(
    ("measure", "function", "options"),
    [
        ("ndcg@10", rs.ndcg, {"k": 10}),
        ("map", rs.average_precision, {}),
        ("P_5", rs.precision, {"k": 5}),
        ("dcg@3", rs.dcg, {"k": 3, "empty": "exclude"}),
        ("err@5", rs.err, {"k": 5}),
    ],
)
@pytest.mark.parametrize(("test", "adjust"), [("t", "holm"), ("sign-flip", "tukey")])
def test_it_is_the_comparison_of_per_query_values(
    measure: str, function: Any, options: dict[str, Any], test: str, adjust: str
) -> None:
    alone = {name: function(GRADE, s, qid=QID, **options) for name, s in SCORES.items()}
    values = {name: one.per_query for name, one in alone.items()}
    asked = {"test": test, "adjust": adjust, "resamples": 300, "seed": 4, "level": 0.9}
    bounds = None if measure.startswith("dcg") else (0.0, 1.0)
    expected = rs.queries.compare(values, range=bounds, **asked)
    found = rs.compare(GRADE, SCORES, measure=measure, qid=QID, **asked)
    assert [p.to_dict() for p in found.pairs] == [p.to_dict() for p in expected.pairs]
    assert found.groups == expected.groups
    assert found.covariance == pytest.approx(expected.covariance)
    for name, one in found.estimates.items():
        assert one.value == alone[name].value
        assert one.interval.level == 0.9
    assert found.measure == alone["a"].measure
    json.dumps(found.to_dict(), allow_nan=False)


def test_matrices_labels_and_a_measure_itself() -> None:
    shape = (30, 12)
    matrices = {name: s.reshape(shape) for name, s in SCORES.items()}
    one = rs.compare(GRADE.reshape(shape), matrices, measure="ndcg@10")
    other = rs.compare(GRADE, SCORES, measure=ndcg_measure("linear", "log2", Cutoff(10)), qid=QID)
    assert [p.difference for p in one.pairs] == [p.difference for p in other.pairs]
    labels = rs.compare(GRADE > 1, SCORES, measure="map", qid=QID)
    levels = rs.compare(GRADE, SCORES, measure="map", qid=QID, relevant=2)
    assert [p.p_value for p in labels.pairs] == [p.p_value for p in levels.pairs]
    assert levels.measure == "AP[relevant>=2]"


def test_options_of_lists() -> None:
    doc = np.tile(np.arange(12), 30)
    for options in ({"ties": "trec", "doc": doc}, {"ties": "input"}, {"unjudged": "condense"}):
        found = rs.compare(GRADE, SCORES, measure="ndcg@5", qid=QID, **options)
        alone = rs.ndcg(GRADE, SCORES["c"], qid=QID, k=5, **options)
        assert found.estimates["c"].value == alone.value
        assert found.settings["ties"] == options.get("ties", "average")
    ranks = {name: np.argsort(np.argsort(-s)).astype(float) for name, s in SCORES.items()}
    found = rs.compare(GRADE, SCORES, measure="rr", qid=QID, ties="rank", rank=ranks)
    alone = rs.reciprocal_rank(GRADE, SCORES["c"], qid=QID, ties="rank", rank=ranks["c"])
    assert found.estimates["c"].value == alone.value
    lower = {name: -s for name, s in SCORES.items()}
    found = rs.compare(GRADE, lower, measure="rr", qid=QID, lower_is_better=True, power=0.9)
    assert found.estimates["c"].value == rs.reciprocal_rank(GRADE, SCORES["c"], qid=QID).value
    assert found.settings["power"] == 0.9


def test_a_query_without_a_value_for_one_system_is_left_out_for_all() -> None:
    """Grouped AUC looks at retrieved documents only: system a retrieved one class of query 3."""
    label = GRADE > 1
    some = SCORES["a"].copy()
    some[(QID == 3) & ~label] = -np.inf
    scores = {"a": some, "b": SCORES["b"]}
    found = rs.compare(label, scores, measure="gauc", qid=QID)
    assert found.settings["queries"] == [29, 29]
    assert any(
        "1 query without a value for some system" in w and "(3)" in w for w in found.warnings
    )
    rest = QID != 3
    expected = rs.grouped_auc(label[rest], SCORES["b"][rest], qid=QID[rest]).value
    assert found.estimates["b"].value == pytest.approx(expected, abs=1e-15)
    assert found.pairs[0].difference == pytest.approx(
        found.estimates["a"].value - found.estimates["b"].value, abs=1e-15
    )
    counted = rs.compare(label, scores, measure="gauc", qid=QID, empty=0)
    assert counted.settings["queries"] == [30, 30]
    none = {"a": np.where(label, SCORES["a"], -np.inf), "b": SCORES["b"]}
    with pytest.raises(rs.InputError, match="no query has a"):
        rs.compare(label, none, measure="gauc", qid=QID)


def test_a_missing_score_leaves_a_document_out_for_all() -> None:
    gaps = SCORES["b"].copy()
    gaps[[7, 20]] = np.nan
    scores = {"a": SCORES["a"], "b": gaps}
    with pytest.raises(rs.InputError, match=r"scores of 'b', rows 7 and 20"):
        rs.compare(GRADE, scores, measure="ndcg@5", qid=QID)
    found = rs.compare(GRADE, scores, measure="ndcg@5", qid=QID, nan="omit")
    keep = ~np.isnan(gaps)
    expected = {n: rs.ndcg(GRADE[keep], s[keep], qid=QID[keep], k=5) for n, s in scores.items()}
    for name, one in expected.items():
        assert found.estimates[name].value == pytest.approx(one.value, abs=1e-15)
    assert found.warnings[0].startswith("2 rows were left out for every system")


def test_large_integers_stay_apart_where_a_score_is_missing() -> None:
    big = 2**60 + np.arange(6)
    gap = np.array([1.0, 2.0, 3.0, 4.0, np.nan, 6.0])
    relevance, qid = [0, 1, 0, 1, 0, 0], [1, 1, 1, 2, 2, 2]
    found = rs.compare(relevance, {"a": big, "b": gap}, measure="rr", qid=qid, nan="omit")
    assert found.estimates["a"].per_query.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"qid": QID}, "qid is for measures of ranked lists, but 'auc' is not one.*gauc"),
        ({"ties": "input"}, "ties is for measures of ranked lists"),
        ({"measure": "ndcg@10"}, "the query of each row is not given"),
        ({"measure": "ndgc@10", "qid": QID}, "did you mean 'ndcg@10'"),
        ({"measure": "map", "qid": QID, "cluster": QID}, "cluster has no meaning"),
        ({"measure": "map", "qid": QID, "pos_label": 1}, "pos_label has no meaning"),
        ({"measure": "map", "qid": QID, "tset": "t"}, "unknown keyword: 'tset'.*use 'test'"),
        ({"measure": "map", "qid": QID, "test": "delong"}, "unknown test over queries"),
        ({"measure": "map", "qid": QID, "rank": {"a": QID}}, "ranks of its own: 'b'"),
        ({"measure": "map", "qid": QID, "interval": "items"}, "says nothing about several systems"),
        ({"measure": 5, "qid": QID}, "but the measure is not one"),
    ],
)
def test_what_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(rs.RocsolidError, match=said):
        rs.compare(GRADE, {"a": SCORES["a"], "b": SCORES["b"]}, **options)


def test_names_of_systems() -> None:
    for scores, said in (
        ([SCORES["a"]], "must be named, not a list"),
        ({1: SCORES["a"], "1": SCORES["b"]}, "two names read the same"),
        ({"a": SCORES["a"]}, "at least two systems"),
    ):
        with pytest.raises(rs.InputError, match=said):
            rs.compare(GRADE, scores, measure="map", qid=QID)
    with pytest.raises(rs.InputError, match="differ in length"):
        rs.compare(GRADE, {"a": SCORES["a"], "b": SCORES["b"][:-1]}, measure="map", qid=QID,
                   nan="omit")  # fmt: skip


def test_as_if_on_queries_of_their_own() -> None:
    two = {name: SCORES[name] for name in "ab"}
    found = rs.compare(GRADE, two, measure="map", qid=QID, paired=False)
    assert found.pairs[0].method == "t (welch)"
    assert any("treated as independent" in warning for warning in found.warnings)
