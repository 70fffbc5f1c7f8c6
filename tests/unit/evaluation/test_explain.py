"""``rs.explain``: from files or arrays to a table that adds up."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from peer_case import case_files
from rocsolid.graded.profiles import PROFILES


def test_files_and_tables_in_memory_give_the_same(tmp_path: Path) -> None:
    qrels, run = case_files(tmp_path)
    judged = [line.split() for line in qrels.read_text().splitlines()]
    listed = [line.split() for line in run.read_text().splitlines()]
    relevance = np.array([int(line[3]) for line in judged])
    scores = np.array([float(line[4]) for line in listed])
    qrels_table = {"qid": [q for q, *_ in judged], "doc": [line[2] for line in judged]}
    run_table = {"qid": [q for q, *_ in listed], "doc": [line[2] for line in listed]}
    from_files = rs.explain(qrels, run, vs="lightgbm")
    from_tables = rs.explain(
        qrels_table | {"relevance": relevance}, run_table | {"score": scores}, vs="lightgbm"
    )
    assert from_tables == from_files


@pytest.mark.slow
def test_every_pair_of_tools_adds_up(tmp_path: Path) -> None:
    """No profile but trec_eval 10 without -c refuses these files."""
    qrels, run = case_files(tmp_path)
    named = [name for name in PROFILES if name != "trec_eval-10"]
    values = {}
    for a in named:
        for b in named:
            found = rs.explain(qrels, run, profile=a, vs=b)
            assert sum(s.change for s in found.switches) == pytest.approx(
                found.difference, abs=1e-12
            )
            assert values.setdefault(a, found.value) == found.value
            assert values.setdefault(b, found.other) == found.other
            assert (found.mattering == ()) == (found.queries == ())
    assert len({f"{value:.6f}" for value in values.values()}) == len(named)


def test_what_each_query_counts(tmp_path: Path) -> None:
    found = rs.explain(*case_files(tmp_path), profile="trec_eval-9-c", vs="gdeval")
    assert (found.counted, found.other_counted, found.judged_queries) == (9, 6, 9)
    steps = {switch.convention: switch for switch in found.switches}
    assert (steps["missing"].queries, steps["missing"].counted) == (1, 8)
    assert (steps["empty"].queries, steps["empty"].counted) == (2, 6)
    gone = {query.qid: query for query in found.queries if query.other is None}
    assert set(gone) >= {"18"}
    assert gone["18"].label == "missing queries"
    assert gone["18"].value == 0.0
    # without it the mean of nine is a mean of eight
    assert gone["18"].effect == pytest.approx(found.value / 8)


def test_a_convention_that_acts_only_after_another_is_shown(tmp_path: Path) -> None:
    """No query lacks a relevant document, but one lacks any that is retrieved: LightGBM's 1."""
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 1}}
    run = {"q1": {"a": 1}, "q2": {"a": 1}}
    found = rs.explain(qrels, run, profile="trec_eval-9", vs="lightgbm")
    steps = {switch.convention: switch for switch in found.mattering}
    assert set(steps) == {"empty", "ideal"}
    assert (steps["empty"].change, steps["empty"].alone, steps["empty"].last) == (0, 0, 0.5)
    assert steps["ideal"].change == 0.5


def test_tools_that_agree() -> None:
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 2.0, "b": 1.0}}
    found = rs.explain(qrels, run, vs="gdeval")
    assert (found.mattering, found.difference) == ((), 0.0)
    assert found.explain().startswith("trec_eval-9 and gdeval agree on these files: 1.00000.")
    assert "without effect on these files: empty queries: count 0 → left out; " in str(found)


def test_text_and_data(tmp_path: Path) -> None:
    found = rs.explain(*case_files(tmp_path), measure="P_5", profile="trec_eval-9", vs="letor")
    data = json.loads(json.dumps(found.to_dict()))
    assert data["difference"] == found.difference
    assert [switch["convention"] for switch in data["switches"]][:2] == ["gain", "discount"]
    assert data["measure"] == "P@5"
    assert "The largest step, " in found.explain()
    lines = str(found).splitlines()
    assert lines[2].startswith("as trec_eval-9 ")
    assert found.number(found.value) in lines[2]
    assert "takes grades up to 2; here is 4" in str(found)
    assert "1 judged query ('18') is not in the run." in found.notes
