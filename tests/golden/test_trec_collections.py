"""Counts of public collections, and trec_eval's values through ``rs.read_runs``."""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.inputs.letor import read_letor
from rocsolid.inputs.trec import judge, read_qrels, read_run

CLEF = "clef_tar_2017"
RUNS = {  # lines, by wc; queries
    "cast2019/runs/bert_base_rule_based.trec.gz": (17_300, 173),
    "cast2019/runs/bert_base_run_raw.trec.gz": (866, 173),
    f"{CLEF}/runs/amc.run.gz": (11_886, 15),
    f"{CLEF}/runs/padua_cost.run.gz": (6_977, 15),
    f"{CLEF}/runs/qut_bool_es.run.gz": (7_260, 15),
    f"{CLEF}/runs/waterloo_A_rank.run.gz": (11_887, 15),
    "trec_eval/results.test": (1_500, 3),
    "trec_eval/results.trunc": (584, 2),
    "peer_test_data/ir_measures/cwl.run": (30, 3),
    "peer_test_data/ranx/run.trec.gz": (5, 2),
    "peer_test_data/ranx/run.json": (5, 2),
}
QRELS = {
    "cast2019/2019qrels.txt.gz": (29_350, 173),
    f"{CLEF}/test.combined.qrels.gz": (11_887, 15),
    "trec_eval/qrels.test": (3_681, 3),
    "trec_eval/qrels.test.with-comments": (3_681, 3),
    "peer_test_data/ranx/qrels.json": (5, 2),
}


def lines(path: Path) -> list[list[str]]:
    raw = path.read_bytes()
    text = gzip.decompress(raw) if path.suffix == ".gz" else raw
    found = [line.split() for line in text.decode().splitlines()]
    return [fields for fields in found if fields and not fields[0].startswith("#")]


@pytest.mark.parametrize("name", RUNS)
def test_runs_have_their_lines(data: Path, name: str) -> None:
    path = data / "ir" / name
    run = read_run(path)
    assert (len(run), len(run.queries)) == RUNS[name]
    if path.suffix == ".json":
        return
    expected = lines(path)
    assert run.document.to_pylist() == [fields[2] for fields in expected]
    assert run.score.tolist() == [float(fields[4]) for fields in expected]
    assert [run.queries[q] for q in run.query] == [fields[0] for fields in expected]
    assert run.rank is not None
    assert run.rank.tolist() == [int(fields[3]) for fields in expected]


@pytest.mark.parametrize("name", QRELS)
def test_judgements_have_their_lines(data: Path, name: str) -> None:
    path = data / "ir" / name
    qrels = read_qrels(path)
    assert (len(qrels), len(qrels.queries)) == QRELS[name]
    if path.suffix != ".json":
        expected = lines(path)
        assert qrels.document.to_pylist() == [fields[2] for fields in expected]
        assert qrels.grade.tolist() == [float(fields[3]) for fields in expected]


def test_the_311_duplicate_lines(data: Path) -> None:
    folder = data / "ir" / CLEF
    path = folder / "runs" / "uos_TMAL30Q_BM25.run.gz"
    with pytest.raises(rs.InputError, match=r"'8855462'.*311 such repeated lines \(lines 1 and 2"):
        read_run(path)
    found = judge(path, read_qrels(folder / "test.combined.qrels.gz"), duplicates="first")
    counts = Counter((fields[0], fields[2]) for fields in lines(path))
    assert found.audit.duplicates == sum(n - 1 for n in counts.values()) == 311
    assert found.audit.documents == len(counts)
    assert found.audit.tied == found.audit.documents


def test_ranks_against_scores(data: Path) -> None:
    """Half of the lines of this run stand against their scores, and ranks come many times."""
    folder = data / "ir" / CLEF
    path = folder / "runs" / "padua_cost.run.gz"
    audit = judge(path, read_qrels(folder / "test.combined.qrels.gz")).audit
    by_rank = defaultdict(list)
    for query, _, _, rank, score, _ in lines(path):
        by_rank[query].append((int(rank), float(score)))
    rises = shared = 0
    for found in by_rank.values():
        found.sort(key=lambda pair: pair[0])
        rises += sum(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(found))
        counts = Counter(rank for rank, _ in found)
        shared += sum(n for n in counts.values() if n > 1)
    assert (audit.rank_conflicts, audit.ranks_repeated) == (rises, shared) == (774, 4_829)
    assert "'CD007431', where rank 1 has the score 33.8105" in audit.rank_conflict


def test_comments_as_in_trec_eval_10(data: Path) -> None:
    """num_q, num_ret, num_rel and num_rel_ret of trec_eval's own test of comments."""
    folder = data / "ir" / "trec_eval"
    expected = {fields[0]: fields[2] for fields in lines(folder / "10" / "out.comment.test")}
    qrels = read_qrels(folder / "qrels.comment.test.gz")
    found = judge(folder / "results.comment.test.gz", qrels)
    assert found.audit.queries == int(expected["num_q"])
    assert found.audit.documents == int(expected["num_ret"])
    relevant = found.rows.relevance > 0
    assert np.count_nonzero(relevant) == int(expected["num_rel"])
    listed = relevant & np.isfinite(found.rows.score)
    assert np.count_nonzero(listed) == int(expected["num_rel_ret"])


def test_preferences_and_lines_without_a_query_are_refused(data: Path) -> None:
    folder = data / "ir" / "trec_eval"
    with pytest.raises(rs.InputError, match="preferences between documents are not supported"):
        read_qrels(folder / "prefs.test")
    with pytest.raises(rs.InputError, match="5 fields without a rank"):
        read_run(folder / "prefs.rank20")


@pytest.mark.parametrize(
    ("collection", "run", "golden"),
    [
        ("cast2019/2019qrels.txt.gz", "cast2019/runs/bert_base_rule_based.trec.gz",
         "cast2019.bert_base_rule_based.trec_eval-9.0.8.txt.gz"),
        (f"{CLEF}/test.combined.qrels.gz", f"{CLEF}/runs/uos_AL30Q_BM25.run.gz",
         f"{CLEF}.uos_AL30Q_BM25.trec_eval-9.0.8.txt.gz"),
    ],
)  # fmt: skip
def test_ndcg_equals_trec_eval(data: Path, collection: str, run: str, golden: str) -> None:
    """trec_eval 9.0.8 -c -q, four digits, every query; the second run is one tie."""
    folder = data / "ir"
    expected: dict[str, dict[str, float]] = defaultdict(dict)
    for measure, query, value in lines(folder / "golden" / golden):
        expected[measure][query] = float(value)
    found = rs.read_runs(folder / collection, {"run": folder / run})
    relevance, scores, qid = found
    queries = list(dict.fromkeys(qid.tolist()))
    for ties, doc in (("input", None), ("trec", found.doc)):
        for k, measure in ((10, "ndcg_cut_10"), (None, "ndcg")):
            result = rs.ndcg(relevance, scores["run"], qid=qid, k=k, ties=ties, doc=doc, empty=0)
            theirs = [expected[measure][query] for query in queries]
            assert result.per_query == pytest.approx(theirs, abs=5.1e-5)


def test_letor_collections(data: Path) -> None:
    folder = data / "ltr"
    news = read_letor(folder / "fastrank_trec_news_2018" / "trec_news_2018.train.gz")
    assert (len(np.unique(news.qid)), len(news.features.numbers)) == (45, 5)
    gbm = folder / "lightgbm_lambdarank"
    ranked = read_letor(gbm / "rank.test.gz", sizes=gbm / "rank.test.query")
    assert (len(ranked), len(np.unique(ranked.qid))) == (768, 50)
    assert set(ranked.relevance.tolist()) == {0.0, 1.0, 2.0, 3.0, 4.0}
