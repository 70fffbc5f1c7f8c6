"""Every profile against what its tool printed.

The numbers in this file were printed by trec_eval 9.0.8 and 10.0, gdeval 1.2a, LightGBM 4.7.0,
XGBoost 3.2.0 and LETOR's Eval-Score-4.0.pl on the files of ``peer_case``; scikit-learn runs here.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score

import rocsolid as rs
from peer_case import case_arrays, case_files
from rocsolid.evaluation.explain import judged_files
from rocsolid.graded.by_profile import Judged, by_profile
from rocsolid.graded.profiles import PROFILES, profile
from rocsolid.inputs.graded_rows import graded_rows
from trec_eval_output import printed_by_trec_eval

MEASURES = ("map", "Rprec", "bpref", "recip_rank", "P_5", "recall_5", "ndcg", "ndcg_cut_3",
            "ndcg_cut_5", "ndcg_cut_10", "success_1")  # fmt: skip
TREC_EVAL = {  # without and with a negative grade
    "trec_eval-9": (
        (0.4136, 0.3220, 0.2816, 0.6250, 0.3500, 0.3935, 0.5255, 0.4528, 0.4164, 0.5097, 0.5000),
        (0.4066, 0.3095, 0.2774, 0.6250, 0.3250, 0.3810, 0.5240, 0.4528, 0.4105, 0.5082, 0.5000),
    ),
    "trec_eval-9-c": (
        (0.3677, 0.2862, 0.2503, 0.5556, 0.3111, 0.3497, 0.4671, 0.4024, 0.3701, 0.4531, 0.4444),
        (0.3614, 0.2751, 0.2466, 0.5556, 0.2889, 0.3386, 0.4658, 0.4024, 0.3649, 0.4517, 0.4444),
    ),
    "trec_eval-10-c": (
        (0.3610, 0.2862, 0.2582, 0.5000, 0.3333, 0.3656, 0.4517, 0.3766, 0.3628, 0.4377, 0.3333),
        (0.3547, 0.2751, 0.2545, 0.5000, 0.3111, 0.3545, 0.4504, 0.3766, 0.3575, 0.4363, 0.3333),
    ),
}
GDEVAL = {  # topic: ndcg@10, err@10, ndcg@5, err@5
    "10": (0.63093, 0.09375, 0.63093, 0.09375),
    "11": (0.58856, 0.32921, 0.38357, 0.30078),
    "12": (0.73412, 0.61576, 0.62724, 0.61372),
    "15": (0.52188, 0.44379, 0.52188, 0.44379),
    "16": (0.71129, 0.48500, 0.53328, 0.48245),
    "17": (0.51774, 0.14942, 0.34673, 0.12109),
}
LIGHTGBM = {1: 0.33333333333333337, 3: 0.6016675906584008, 5: 0.645354290610189,
            10: 0.7301338227037562, 15: 0.748963589623606}  # fmt: skip
XGBOOST = {1: 0.33333333333333337, 3: 0.59698549922001409, 5: 0.66069918359535185,
           10: 0.72839108630306459, 15: 0.74722085322291432}  # fmt: skip
LETOR_NDCG = (0.2500, 0.3958, 0.4508, 0.3604, 0.3841, 0.2954, 0.3018, 0.3361, 0.3471, 0.3506)
LETOR_P = (0.2500, 0.3750, 0.4167, 0.4375, 0.4250, 0.3958, 0.3750, 0.3906, 0.3750, 0.3500)


def judged(folder: Path, negative: bool = False) -> Judged:
    return judged_files(*case_files(folder, negative), "raise")[0]


@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize("name", TREC_EVAL)
def test_trec_eval_on_the_case(tmp_path: Path, name: str, negative: bool) -> None:
    """Scores that 32-bit floats do not tell apart: version 9 and 10 differ."""
    rows = judged(tmp_path, negative)
    for measure, printed in zip(MEASURES, TREC_EVAL[name][negative], strict=True):
        mean = by_profile(rows, measure, profile(name)).mean
        assert mean == pytest.approx(printed, abs=5.0001e-5), measure


def test_trec_eval_10_without_c_stops_at_a_missing_query(tmp_path: Path) -> None:
    """Version 9 leaves the query out; version 10 prints "qid '18' not found", and ends with 4."""
    with pytest.raises(rs.InputError, match=r"trec_eval 10.0 stops .*'18'.*trec_eval-10-c"):
        by_profile(judged(tmp_path), "map", profile("trec_eval-10"))


@pytest.mark.parametrize(
    ("name", "printed", "qrels", "run"),
    [
        ("trec_eval-9-c", "golden/cast2019.bert_base_rule_based.trec_eval-9.0.8.txt.gz",
         "cast2019/2019qrels.txt.gz", "cast2019/runs/bert_base_rule_based.trec.gz"),
        ("trec_eval-9-c", "golden/cast2019.bert_base_run_raw.trec_eval-9.0.8.txt.gz",
         "cast2019/2019qrels.txt.gz", "cast2019/runs/bert_base_run_raw.trec.gz"),
        ("trec_eval-9-c", "golden/clef_tar_2017.uos_AL30Q_BM25.trec_eval-9.0.8.txt.gz",
         "clef_tar_2017/test.combined.qrels.gz", "clef_tar_2017/runs/uos_AL30Q_BM25.run.gz"),
        ("trec_eval-9", "trec_eval/9.0.8/out.test.aq",
         "trec_eval/qrels.test", "trec_eval/results.test"),
        ("trec_eval-9-c", "trec_eval/9.0.8/out.test.aqc",
         "trec_eval/qrels.test", "trec_eval/results.trunc"),
        ("trec_eval-10", "trec_eval/10/out.test.aq",
         "trec_eval/qrels.test.with-comments", "trec_eval/results.test"),
        ("trec_eval-10-c", "trec_eval/10/out.test.aqc",
         "trec_eval/qrels.test", "trec_eval/results.trunc"),
    ],
)  # fmt: skip
def test_trec_eval_on_its_own_files_and_collections(
    data: Path, name: str, printed: str, qrels: str, run: str
) -> None:
    """Every query and the mean of every measure that both have, to the four digits printed."""
    folder = data / "ir"
    golden = printed_by_trec_eval(folder / printed)
    rows, _ = judged_files(folder / qrels, folder / run, "raise")
    wanted = re.compile(
        r"(map|Rprec|bpref|recip_rank|ndcg)|(P|recall|map_cut|ndcg_cut|success)_\d+"
    )
    measures = [one for one in golden if wanted.fullmatch(one)]
    assert len(measures) >= 3
    for measure in measures:
        found = by_profile(rows, measure, profile(name))
        assert found.mean == pytest.approx(golden[measure]["all"], abs=5.0001e-5), measure
        for query, value in zip(rows.zero.qids, found.value, strict=True):
            if query in golden[measure]:
                assert value == pytest.approx(golden[measure][query], abs=5.0001e-5)


def test_gdeval(tmp_path: Path) -> None:
    """Topics without a positive grade, and those that the run lacks, are not printed."""
    rows = judged(tmp_path)
    for column, measure in enumerate(("ndcg@10", "err@10", "ndcg@5", "err@5")):
        found = by_profile(rows, measure, profile("gdeval"))
        mine = {q: v for q, v in zip(rows.zero.qids, found.value, strict=True) if not np.isnan(v)}
        assert mine == pytest.approx({q: v[column] for q, v in GDEVAL.items()}, abs=5.001e-6)
    below = by_profile(judged(tmp_path, negative=True), "ndcg@5", profile("gdeval"))
    assert below.value[2] == pytest.approx(0.61094, abs=5.001e-6)


def test_lightgbm_to_fifteen_digits() -> None:
    for k, value in LIGHTGBM.items():
        found = by_profile(case_arrays(), f"ndcg@{k}", profile("lightgbm")).mean
        assert found == pytest.approx(value, rel=1e-15)


def test_xgboost_to_fifteen_digits() -> None:
    """Predictions are 32-bit floats there, so the seventh query has ties that LightGBM's lacks."""
    for k, value in XGBOOST.items():
        found = by_profile(case_arrays(), f"ndcg@{k}", profile("xgboost")).mean
        assert found == pytest.approx(value, rel=1e-15)


def test_letor() -> None:
    """NDCG@k counts 0 for a list with fewer than k documents; P@k does not."""
    rows = case_arrays(top=2)
    for k, (ndcg, precision) in enumerate(zip(LETOR_NDCG, LETOR_P, strict=True), start=1):
        found = [by_profile(rows, f"{m}@{k}", profile("letor")).mean for m in ("ndcg", "p")]
        assert found == pytest.approx([ndcg, precision], abs=5.0001e-5)
    assert by_profile(rows, "map", profile("letor")).mean == pytest.approx(0.4866, abs=5.0001e-5)
    six = by_profile(rows, "ndcg@6", profile("letor")).value
    assert six[:6] == pytest.approx([0, 0.5209, 0.6840, 0, 0, 0], abs=5.0001e-5)


@pytest.mark.parametrize("k", [None, 1, 5, 40])
def test_scikit_learn_in_this_process(k: int | None) -> None:
    """Ties, queries without a relevant document, k beyond the list."""
    rng = np.random.default_rng(20)
    grades = rng.integers(0, 4, (40, 12)).astype(float)
    grades[[3, 8]] = 0
    scores = rng.integers(0, 6, grades.shape) / 4
    rows = graded_rows(grades, scores)
    found = Judged(rows, rows)
    at = "" if k is None else f"@{k}"
    mine = [by_profile(found, f"{m}{at}", profile("sklearn")).mean for m in ("ndcg", "dcg")]
    theirs = [ndcg_score(grades, scores, k=k), dcg_score(grades, scores, k=k)]
    assert mine == pytest.approx(theirs, rel=1e-13)


def test_every_profile_is_covered_here() -> None:
    named = {"trec_eval-9", "trec_eval-9-c", "trec_eval-10", "trec_eval-10-c", "gdeval", "sklearn",
             "lightgbm", "xgboost", "letor"}  # fmt: skip
    assert set(PROFILES) == named
    for one in PROFILES.values():
        known = {"missing", "empty", "gain", "discount", "ties", "ideal", "negative", "precision"}
        assert known <= set(one.evidence), one.name
