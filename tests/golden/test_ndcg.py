"""nDCG and DCG that other software printed, each with the conventions of that software."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score

import rocsolid as rs
from rocsolid.inputs.trec import read_runs
from trec_eval_output import printed_by_trec_eval

RUNS = {
    "cast2019.bert_base_rule_based": (
        "cast2019/2019qrels.txt.gz",
        "cast2019/runs/bert_base_rule_based.trec.gz",
    ),
    "clef_tar_2017.uos_AL30Q_BM25": (
        "clef_tar_2017/test.combined.qrels.gz",
        "clef_tar_2017/runs/uos_AL30Q_BM25.run.gz",
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_trec_eval(data: Path, name: str) -> None:
    """trec_eval 9.0.8 -c -q: every query of ndcg and ndcg_cut, to the four digits that it prints.

    Linear gain, 1/log2(1+r), documents with equal scores by falling identifier, the ideal list of
    all judged documents, cut like the list; a query that is not in the run counts 0.
    """
    folder = data / "ir"
    (path,) = (folder / "golden").glob(f"{name}.*")
    golden = printed_by_trec_eval(path)
    qrels, run = (folder / file for file in RUNS[name])
    runs = read_runs(qrels, {"run": run}, duplicates="first")
    relevance, scores, qid = runs
    cutoffs = {m: int(m.split("_")[-1]) for m in golden if m.startswith("ndcg_cut")}
    assert len(cutoffs) >= 3
    for ties, doc in (("trec", runs.doc), ("input", None)):
        whole = rs.ndcg(relevance, scores["run"], qid=qid, ties=ties, doc=doc, empty=0)
        cut = rs.ndcg(
            relevance, scores["run"], qid=qid, ties=ties, doc=doc, empty=0, k=list(cutoffs.values())
        )
        for measure, result in [("ndcg", whole), *((m, cut[k]) for m, k in cutoffs.items())]:
            expected = golden[measure]
            mine = dict(zip(result.qids, result.per_query, strict=True))
            assert set(mine) == set(expected) - {"all"}
            for query, value in mine.items():
                assert value == pytest.approx(expected[query], abs=5.0001e-5), (measure, query)
            assert result.value == pytest.approx(expected["all"], abs=5.0001e-5)
            assert result.worst <= result.value <= result.best


def test_a_run_without_scores_can_only_be_bounded(data: Path) -> None:
    """A CLEF run whose scores are all 0: trec_eval orders it by document identifier alone."""
    folder = data / "ir" / "clef_tar_2017"
    relevance, scores, qid = read_runs(
        folder / "test.combined.qrels.gz",
        {"run": folder / "runs" / "uos_AL30Q_BM25.run.gz"},
        duplicates="first",
    )
    result = rs.ndcg(relevance, scores["run"], qid=qid, k=10)
    assert result.tied == 1.0
    assert (result.worst, result.best) == (0.0, 1.0)
    assert 0.0 < result.value < 0.1
    assert "100 % tied: 0.0000 to 1.0000" in str(result)


def peers(data: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        (data / "ir" / "golden" / "peer_expected_values.json").read_text()
    )
    return found


def from_dictionaries(qrels: dict[str, int], run: dict[str, float]) -> tuple[list[Any], list[Any]]:
    docs = sorted(set(qrels) | set(run), reverse=True)
    return [qrels.get(d, np.nan) for d in docs], [run.get(d, -np.inf) for d in docs]


def test_pytrec_eval(data: Path) -> None:
    """The expected values in the tests and the README of pytrec_eval."""
    used = 0
    for case in peers(data):
        if "pytrec_eval" not in case["src"] or "run" not in case:
            continue
        relevance, scores = from_dictionaries(case["qrels"], case["run"])
        assert rs.ndcg(relevance, scores, ties="input").value == pytest.approx(case["ndcg"])
        for k, value in case.get("ndcg_cut", {}).items():
            assert rs.ndcg(relevance, scores, k=int(k), ties="input").value == pytest.approx(value)
        used += 1
    assert used == 3


def test_gdeval(data: Path) -> None:
    """gdeval.pl: exponential gain, rounded to five digits."""
    (case,) = [c for c in peers(data) if "gdeval" in c["src"]]
    for query, qrels in case["qrels"].items():
        relevance, scores = from_dictionaries(qrels, case["run"][query])
        for k in (20, 2):
            value = rs.ndcg(relevance, scores, gain="exp2", k=k).value
            assert value == pytest.approx(case[f"ndcg_exp_at{k}"][query], abs=5.01e-6)


def test_ranx(data: Path) -> None:
    """ranx's unit tests: both gains, an ideal list longer than the ranked one."""
    used = 0
    for case in peers(data):
        if not case["src"].startswith("ranx"):
            continue
        # documents of the ideal list that the ranked one lacks are not in the list
        lacking = list(case["ideal"])
        for grade in case["ranked"]:
            if grade in lacking:
                lacking.remove(grade)
        relevance = case["ranked"] + lacking
        scores = [*range(len(case["ranked"]), 0, -1), *[-np.inf] * len(lacking)]
        assert rs.ndcg(relevance, scores).value == pytest.approx(case["ndcg_linear"])
        assert rs.ndcg(relevance, scores, gain="exp2").value == pytest.approx(case["ndcg_exp"])
        used += 1
    assert used == 2


def test_tensorflow_ranking(data: Path) -> None:
    (case,) = [c for c in peers(data) if c["src"].startswith("TF-Ranking")]
    labels, scores = case["labels"], case["scores"]
    assert rs.ndcg(labels, scores, gain="exp2").value == pytest.approx(case["ndcg_exp"])
    half = rs.ndcg(labels, scores, gain=lambda y: y / 2)
    assert half.value == pytest.approx(case["ndcg_halflinear"])
    other = rs.ndcg(labels, scores, gain="exp2", discount=lambda r: 1 / (r + 10))
    assert other.value == pytest.approx(case["ndcg_exp_discount_1_over_rank_plus_10"])


def test_xgboost(data: Path) -> None:
    """XGBoost takes tied documents as they stand."""
    (case,) = [c for c in peers(data) if c["src"].startswith("xgboost")]
    for k, name in ((None, "ndcg"), (2, "ndcg_at2")):
        result = rs.ndcg(case["labels"], case["scores"], gain="exp2", k=k, ties="input")
        assert result.value == pytest.approx(case[name], abs=1e-3)


def test_values_in_the_tests_of_scikit_learn(data: Path) -> None:
    """test_dcg_ties, test_ndcg_toy_examples and the docstrings of scikit-learn and torchmetrics."""
    cases = {c["src"]: c for c in peers(data)}
    tied = next(c for name, c in cases.items() if "test_dcg_ties" in name)
    result = rs.dcg(tied["y_true"], tied["y_score"])
    assert result.value == pytest.approx(tied["dcg_tie_averaged"], rel=1e-14)
    documented = next(c for name, c in cases.items() if "docstring" in name)
    y, s = documented["y_true"], documented["y_score"]
    assert rs.ndcg(y, s).value == pytest.approx(documented["ndcg"], abs=1e-5)
    assert rs.dcg(y, s).value == pytest.approx(documented["dcg"], abs=1e-4)
    y_true, y_score = 3 * np.eye(7)[:5], np.tile(np.arange(6, -1, -1), (5, 1))
    by_rank = 1 / np.log2(np.arange(2, 7))
    assert rs.dcg(y_true, y_score).per_query == pytest.approx(3 * by_rank)
    assert rs.ndcg(y_true, y_score).per_query == pytest.approx(by_rank)


@pytest.mark.parametrize("k", [None, 1, 3, 10, 40])
@pytest.mark.parametrize("levels", [2, 5, 1000])
def test_scikit_learn_in_this_process(k: int | None, levels: int) -> None:
    """Random ties and a query without a relevant document, which counts 0 there."""
    rng = np.random.default_rng(levels)
    grades = rng.integers(0, 4, (50, 23)).astype(float)
    grades[7] = 0
    scores = rng.integers(0, levels, grades.shape) / 8
    assert rs.ndcg(grades, scores, k=k, empty=0).value == pytest.approx(
        ndcg_score(grades, scores, k=k), rel=1e-12
    )
    assert rs.dcg(grades, scores, k=k).value == pytest.approx(
        dcg_score(grades, scores, k=k), rel=1e-12
    )
    natural = rs.dcg(grades, scores, k=k, discount="natural").value
    assert natural == pytest.approx(dcg_score(grades, scores, k=k, log_base=np.e), rel=1e-12)
    untied = rng.permuted(np.tile(np.arange(23.0), (50, 1)), axis=1)
    assert rs.ndcg(grades, untied, k=k, empty=0).value == pytest.approx(
        ndcg_score(grades, untied, k=k, ignore_ties=True), rel=1e-12
    )


def test_a_published_table_counted_a_query_too_many(data: Path) -> None:
    """CAsT 2019, NDCG@3: published .544 and .467 are trec_eval's .5475 and .4697 times 172/173."""
    (case,) = [c for c in peers(data) if "published" in c]
    folder = data / "ir" / "cast2019"
    for name in ("oracle", "cv"):
        run = folder / "runs" / f"bert_base_run_{name}.trec.gz"
        runs = read_runs(folder / "2019qrels.txt.gz", {name: run}, duplicates="first")
        relevance, scores, qid = runs
        result = rs.ndcg(relevance, scores[name], qid=qid, k=3, ties="input")
        assert result.n_queries == 173
        assert result.value == pytest.approx(case["trec_eval"][name], abs=5.0001e-5)
        assert result.value * 172 / 173 == pytest.approx(case["published"][name], abs=5.0001e-4)
