"""Measures of relevance per query, against what trec_eval 9.0.8 and gdeval printed."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rocsolid as rs
from rocsolid.inputs.trec import read_runs
from trec_eval_output import printed_by_trec_eval

CASES = {
    "cast2019 rule based": (
        "golden/cast2019.bert_base_rule_based.trec_eval-9.0.8.txt.gz",
        "cast2019/2019qrels.txt.gz",
        "cast2019/runs/bert_base_rule_based.trec.gz",
        1,
    ),
    "cast2019 raw": (
        "golden/cast2019.bert_base_run_raw.trec_eval-9.0.8.txt.gz",
        "cast2019/2019qrels.txt.gz",
        "cast2019/runs/bert_base_run_raw.trec.gz",
        1,
    ),
    "clef 2017": (
        "golden/clef_tar_2017.uos_AL30Q_BM25.trec_eval-9.0.8.txt.gz",
        "clef_tar_2017/test.combined.qrels.gz",
        "clef_tar_2017/runs/uos_AL30Q_BM25.run.gz",
        1,
    ),
    "trec_eval's own test": (
        "trec_eval/9.0.8/out.test.aq",
        "trec_eval/qrels.test",
        "trec_eval/results.test",
        1,
    ),
    "trec_eval's own test, level 2": (
        "trec_eval/9.0.8/out.test.aql",
        "trec_eval/qrels.rel_level",
        "trec_eval/results.test",
        2,
    ),
}

# trec_eval's name -> ours; a number in the name is the cut-off
PLAIN: dict[str, Callable[..., Any]] = {
    "map": rs.average_precision,
    "Rprec": rs.r_precision,
    "bpref": rs.bpref,
    "recip_rank": rs.reciprocal_rank,
}
CUT: dict[str, Callable[..., Any]] = {
    "P": rs.precision,
    "recall": rs.recall,
    "map_cut": rs.average_precision,
    "success": rs.success,
}


@pytest.mark.parametrize("case", CASES)
def test_every_query_of_every_measure(data: Path, case: str) -> None:
    """To the four digits that trec_eval prints; its ties, its empty and its missing queries."""
    printed, qrels, run, level = CASES[case]
    folder = data / "ir"
    golden = printed_by_trec_eval(folder / printed)
    runs = read_runs(folder / qrels, {"run": folder / run}, duplicates="first", negative="unjudged")
    relevance, scores, qid = runs
    options = {"qid": qid, "ties": "trec", "doc": runs.doc, "empty": 0, "relevant": level}
    results = {name: take(relevance, scores["run"], **options) for name, take in PLAIN.items()}
    for name, take in CUT.items():
        sizes = [int(m[1]) for one in golden if (m := re.fullmatch(rf"{name}_(\d+)", one))]
        if sizes:
            found = take(relevance, scores["run"], k=sizes, **options)
            results |= {f"{name}_{k}": found[k] for k in sizes}
    checked = 0
    for name, result in results.items():
        if name not in golden:
            continue
        expected = golden[name]
        mine = dict(zip(result.qids, result.per_query, strict=True))
        for query, value in mine.items():
            if query in expected:
                assert value == pytest.approx(expected[query], abs=5.0001e-5), (name, query)
                checked += 1
    assert checked >= 30


def test_gdeval_per_query(data: Path) -> None:
    """gdeval 1.2a: nDCG with the exponential gain and ERR on grades up to 4, five digits."""
    folder = data / "ir"
    test = folder / "trec_eval"
    runs = read_runs(test / "qrels.test", {"run": test / "results.test"})
    relevance, scores, qid = runs
    options = {"qid": qid, "k": 10, "ties": "trec", "doc": runs.doc, "empty": 0}
    with (folder / "golden" / "gdeval_k10.trec_eval_test.csv").open() as lines:
        golden = {row["topic"]: row for row in csv.DictReader(lines)}
    for measure, result in {
        "ndcg@10": rs.ndcg(relevance, scores["run"], gain="exp2", **options),
        "err@10": rs.err(relevance, scores["run"], max_grade=4, **options),
    }.items():
        mine = dict(zip(result.qids, result.per_query, strict=True))
        for query in mine:
            assert mine[query] == pytest.approx(float(golden[query][measure]), abs=5.01e-6)
        assert len(mine) == len(golden) - ("amean" in golden)
