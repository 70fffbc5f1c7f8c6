"""Scores of a table by query, against ``rocsolid runs`` and trec_eval 9.0.8 on the same data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.runs import evaluate_runs
from trec_eval_output import printed_by_trec_eval

RUNS = ("bert_base_rule_based", "bert_base_run_raw")
MEASURES = ["ndcg_cut_10", "map", "recip_rank", "P_5", "bpref"]


def test_cast_2019_as_a_table(data: Path) -> None:
    """The rows of two runs: the values, intervals and differences of ``runs``.

    trec_eval printed the means (-c) to four digits.
    """
    folder = data / "ir" / "cast2019"
    qrels = folder / "2019qrels.txt.gz"
    files = {name: folder / "runs" / f"{name}.trec.gz" for name in RUNS}
    relevance, scores, qid = rs.read_runs(qrels, files)
    table = {"grade": relevance, "query": qid, **scores}
    found = rs.evaluate(
        table, label="grade", qid="query", scores=list(RUNS), measures=MEASURES, empty=0
    )
    theirs = evaluate_runs(qrels, files, MEASURES, empty=0)
    checked = 0
    for ours, other in zip(found.measures, theirs.measures, strict=True):
        assert list(ours.estimates) == list(other.estimates)
        for name, one in ours.estimates.items():
            same = other.estimates[name]
            place = {q: i for i, q in enumerate(same.qids.tolist())}
            order = [place[q] for q in one.qids.tolist()]
            np.testing.assert_array_equal(one.per_query, same.per_query[order])
            for field in ("value", "low", "high", "worst", "best", "tied", "judged"):
                assert getattr(one, field) == pytest.approx(getattr(same, field), abs=1e-12)
            golden = printed_by_trec_eval(
                data / "ir" / "golden" / f"cast2019.{name}.trec_eval-9.0.8.txt.gz"
            )
            # where ties leave a range, trec_eval's one order of them lies in it
            printed = golden.get(ours.asked, {}).get("all")
            if printed is not None:
                assert one.worst - 5.0001e-5 <= printed <= one.best + 5.0001e-5
                if one.worst == one.best:
                    assert one.value == pytest.approx(printed, abs=5.0001e-5)
                checked += 1
        assert ours.comparison is not None
        assert other.comparison is not None
        (pair,), (like,) = ours.comparison.pairs, other.comparison.pairs
        assert (pair.a, pair.b) == (like.a, like.b)
        assert pair.difference == pytest.approx(like.difference, abs=1e-12)
        assert pair.p_value == pytest.approx(like.p_value, rel=1e-9)
        assert ours.comparison.groups == other.comparison.groups
    assert checked == 6
