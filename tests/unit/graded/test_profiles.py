"""Profiles: what they say of themselves, and what a tool refuses."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.explain import judged_files
from rocsolid.graded.by_profile import Judged, by_profile, limits, measure_of, rows_of
from rocsolid.graded.profile import ORDER, Profile
from rocsolid.graded.profiles import PROFILES, profile

Table = dict[str, dict[str, Any]]


def judged(qrels: Table, run: Table) -> Judged:
    return judged_files(qrels, run, "raise")[0]


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_is_frozen_and_readable(name: str) -> None:
    one = profile(name)
    assert profile(one) is one
    with pytest.raises(FrozenInstanceError):
        one.empty = 1  # type: ignore[misc]
    assert all(label in str(one) for label in ORDER.values())
    found = json.loads(json.dumps(one.to_dict()))
    assert found["name"] == name
    assert found["gain"] == one.gain.name


def test_a_profile_of_ones_own() -> None:
    mine = replace(profile("trec_eval-9"), name="mine", gain=rs.gains.exp2())
    qrels, run = {"q": {"a": 2, "b": 1}}, {"q": {"a": 1.0, "b": 2.0}}
    found = rs.explain(qrels, run, profile="trec_eval-9", vs=mine)
    assert [switch.convention for switch in found.switches] == ["gain"]
    assert found.other == pytest.approx(rs.ndcg([2, 1], [1, 2], gain="exp2").value)


def test_unknown_profiles_are_named_with_the_nearest() -> None:
    with pytest.raises(rs.InputError, match=r"'lightgmb'. Fix: use 'lightgbm', or another of"):
        profile("lightgmb")
    with pytest.raises(rs.InputError, match="unknown profile: 9"):
        profile(9)


def test_the_name_of_the_measure_goes_first() -> None:
    """A gain that the measure's name holds is the same for both tools."""
    assert measure_of("ndcg[linear]@5", profile("gdeval")).name == "nDCG[linear,log2]@5"
    assert measure_of("ndcg@5", profile("gdeval")).name == "nDCG[exp2,log2]@5"
    assert measure_of("ndcg@5", profile("sklearn")).name == "nDCG[linear,log2,ideal=retrieved]@5"


def test_a_score_below_what_32_bits_hold_is_still_retrieved() -> None:
    rows, _ = rows_of(
        judged({"q": {"a": 1, "b": 0}}, {"q": {"a": -1e300, "b": 1e300}}), profile("xgboost")
    )
    assert rows.score[0] == -np.finfo(np.float64).max
    assert rows.score[1] == np.inf


def test_negative_grades_are_refused_where_the_tool_does() -> None:
    rows = judged({"q": {"a": -1, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}})
    for name in ("sklearn", "lightgbm", "xgboost", "letor"):
        with pytest.raises(rs.InputError, match="refuses negative grades: '1 of them'"):
            by_profile(rows, "ndcg@5", profile(name))
    for name in ("gdeval", "trec_eval-10"):
        assert by_profile(rows, "ndcg@5", profile(name)).counted == 1


def test_limits_of_a_tool_are_said() -> None:
    rows = judged({"q": {"a": 5}, "r": {"a": 1, "b": 0}}, {"q": {"a": 2}, "r": {"a": 1, "b": 0}})
    assert limits(rows, profile("trec_eval-9")) == ()
    assert limits(rows, profile("gdeval")) == (
        "gdeval 1.2a takes grades up to 4; here is 5. Its formula is used anyway.",
    )
    (said,) = limits(rows, profile("sklearn"))
    assert "refuses lists of fewer than 2 documents: 1." in said
    long = replace(profile("lightgbm"), lengths=(1, 1))
    assert "lists of more than 1 documents: 1." in limits(rows, long)[0]


def test_no_query_that_counts_is_an_error() -> None:
    rows = judged({"q": {"a": 0}}, {"q": {"a": 1.0}})
    with pytest.raises(rs.InputError, match="no query counts"):
        _ = by_profile(rows, "ndcg@5", profile("gdeval")).mean


def test_a_measure_that_the_tool_lacks() -> None:
    with pytest.raises(rs.InputError, match=r"gdeval 1\.2a has no such measure, or .* nDCG or ERR"):
        rs.explain({"q": {"a": 1}}, {"q": {"a": 1}}, measure="map", vs="gdeval")


def test_an_average_precision_of_retrieved_documents_alone() -> None:
    """LETOR divides by the relevant documents in the list, trec_eval by all that were judged."""
    rows = judged({"q": {"a": 1, "b": 1}}, {"q": {"a": 1.0, "c": 2.0}})
    assert by_profile(rows, "map", profile("letor")).mean == 0.5
    assert by_profile(rows, "map", profile("trec_eval-9")).mean == 0.25


def test_own_conventions_have_their_defaults() -> None:
    mine = Profile(name="mine", tool="mine")
    assert (mine.says("gain"), mine.says("empty"), mine.says("top")) == ("linear", "count 0", "4")
