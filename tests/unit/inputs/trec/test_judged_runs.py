"""The audit of a run, and ``rs.read_runs``."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import InputError
from rocsolid.inputs.trec import Audit, judge, read_qrels

QRELS = {
    "q1": {"d1": 2, "d2": 0, "d3": 1},
    "q2": {"d1": 0},
    "q3": {"d1": 1},
    "q4": {"d1": 1, "d2": 3},
}


def run_file(tmp_path: Path, lines: list[str]) -> Path:
    path = tmp_path / "system.run"
    path.write_text("".join(f"{line} tag\n" for line in lines))
    return path


@pytest.fixture
def audit(tmp_path: Path) -> Audit:
    lines = [
        "q1 Q0 d1 1 3",
        "q1 Q0 d2 2 5",
        "q1 Q0 dx 3 5",
        "q1 Q0 dy 4 1",
        "q9 Q0 d1 1 1",
        "q4 Q0 dx 1 0.70000000001",
        "q4 Q0 d1 1 0.7",
        "q4 Q0 dx 2 0.6",
        "q2 Q0 d1 1 7",
    ]
    run = run_file(tmp_path, lines)
    return judge(run, read_qrels(QRELS), duplicates="first", depths=(1, 2, 10)).audit


def test_every_count(audit: Audit) -> None:
    assert (audit.queries, audit.in_run, audit.counted) == (4, 3, 3)
    assert (audit.missing, audit.empty, audit.not_judged) == (("q3",), ("q2",), ("q9",))
    assert (audit.documents, audit.judged) == (7, 4)
    assert (audit.tied, audit.tied_queries) == (2, 1)
    assert (audit.tied_float32, audit.tied_float32_queries) == (4, 2)
    assert audit.duplicates == 1
    assert "'dx' of query 'q4', lines 6 and 8 of system.run" in audit.duplicate
    assert (audit.rank_conflicts, audit.rank_conflict_queries) == (1, 1)
    assert audit.rank_conflict == ("in query 'q1', where rank 1 has the score 3 and rank 2 has 5")
    assert audit.ranks_repeated == 2
    # q1: dx before d2 among the ties, by falling id; q4: dx, d1; q2: d1
    assert audit.judged_at == pytest.approx({1: 1 / 3, 2: 2 / 3, 10: (2 / 4 + 1 / 2 + 1) / 3})


def test_the_audit_in_words_and_in_json(audit: Audit) -> None:
    text = str(audit)
    for part in (
        "4 judged, 3 of them in the run; 3 have a relevant document",
        "7 retrieved for them, 4 judged (33.3 % at 1",
        "28.6 % of documents tied with another",
        "contradict the scores; 2 documents share a rank",
        "1 judged query ('q3') is not in the run",
        "documents tied only after scores are rounded to 32-bit floats, as some tools do: 2",
        "1 of the run's queries: 'q9'",
    ):
        assert part in text
    found = json.loads(json.dumps(audit.to_dict()))
    assert found["missing"] == ["q3"]
    assert found["judged_at"]["2"] == pytest.approx(2 / 3)
    assert len(audit.warnings) == 6


def test_a_clean_run_has_no_warnings() -> None:
    found = judge({"q": {"a": 2, "b": 1}}, read_qrels({"q": {"a": 1}})).audit
    assert found.warnings == ()
    assert "!" not in str(found)
    assert "not read: a mapping has no ranks" in str(found)


def test_negative_and_conflicting_judgements_are_told(tmp_path: Path) -> None:
    path = tmp_path / "q.qrels"
    path.write_text("q 0 a 1\nq 0 a 2\nq 0 b -1\nq 0 c 1\nq 0 c 1\n")
    qrels = read_qrels(path, negative="zero", duplicates="best")
    found = judge({"q": {"a": 2}}, qrels).audit
    assert (found.repeated, found.conflicting, found.negative) == (2, 1, 1)
    assert found.warnings == ("documents judged with different grades: 1", "grades below 0: 1")


def test_ranks_are_kept_when_asked_for(tmp_path: Path) -> None:
    path = run_file(tmp_path, ["q1 Q0 d2 2 1", "q1 Q0 d1 1 1", "q0 Q0 d1 1 1"])
    qrels = read_qrels({"q1": {"d1": 1, "d9": 1}})
    assert judge(path, qrels).rows.rank is None
    rank = judge(path, qrels, ranks=True).rows.rank
    assert rank is not None
    assert rank[:2].tolist() == [2.0, 1.0]
    assert math.isnan(rank[2])


def test_queries_in_any_order_are_grouped(tmp_path: Path) -> None:
    path = run_file(tmp_path, ["b Q0 y 1 1", "a Q0 x 1 5", "b Q0 x 2 1", "a Q0 y 2 5"])
    rows = judge(path, read_qrels({"a": {"x": 1, "z": 2}, "b": {"y": 3}})).rows
    assert rows.offsets.tolist() == [0, 3, 5]
    assert rows.score.tolist() == [5.0, 5.0, -math.inf, 1.0, 1.0]
    assert np.nan_to_num(rows.relevance, nan=-1).tolist() == [1.0, -1.0, 2.0, 3.0, -1.0]
    assert rows.doc_order is not None
    order = rows.doc_order.tolist()
    assert order[0] < order[1]
    assert order[3] > order[4]


def test_depths_must_be_whole_numbers() -> None:
    with pytest.raises(InputError, match="not a whole number of at least 1: 0"):
        judge({"q": {"a": 1}}, read_qrels({"q": {"a": 1}}), depths=(0,))


def test_no_common_query_is_an_error() -> None:
    with pytest.raises(InputError, match=r"no query in common: \['q7', 'q1'\]"):
        rs.read_runs(QRELS, {"a": {"q7": {"d1": 1}}})


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ({}, "the runs must be named"),
        ("a.run", "the runs must be named"),
        ({1: {"q1": {"d1": 1}}, "1": {"q1": {"d1": 1}}}, "two names read the same"),
    ],
)
def test_runs_must_be_named(runs: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rs.read_runs(QRELS, runs)  # type: ignore[arg-type]


def test_read_runs_gives_columns_for_the_measures() -> None:
    runs = {"a": {"q1": {"d3": 2, "dx": 3}}, "b": {"q1": {"d1": 1}, "q4": {"d2": 1, "d1": 1}}}
    found = rs.read_runs(QRELS, runs, depths=(1,))
    relevance, scores, qid = found
    value = rs.ndcg(relevance, scores["a"], qid=qid, ties="trec", doc=found.doc)
    # the ideal list of q1 holds d1, which run a lacks; q3 and q4 are missing and count 0
    ideal = 2 + 1 / math.log2(3)
    assert value.value == pytest.approx((1 / math.log2(3)) / ideal / 3)
    by_id = rs.ndcg(relevance, scores["b"], qid=qid, ties="trec", doc=found.doc)
    assert rs.ndcg(relevance, scores["b"], qid=qid, ties="input").value == by_id.value
    assert found.audit["a"].missing == ("q2", "q3", "q4")
    assert found.audit["b"].run == "b"
    assert str(found).count("queries") >= 2
