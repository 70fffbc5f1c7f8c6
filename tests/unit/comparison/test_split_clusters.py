"""Clusters with rows in several folds: variances by cluster, and what the intervals are about."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

import rocsolid as rs
from rocsolid.binary.estimate import Options
from rocsolid.cli.app import run
from rocsolid.inputs import binary_rows
from rocsolid.inputs.folds import folds_of, split_clusters
from rocsolid.measures.folded import Folded
from rocsolid.measures.whole_area import WholeArea
from rocsolid.remarks.values import SplitByFolds


def patients(seed: int, count: int = 60, visits: int = 6) -> dict[str, Any]:
    """Patients who are mostly ill or mostly well; visits fall into folds at random."""
    rng = np.random.default_rng(seed)
    patient = np.repeat(np.arange(count), visits)
    y = (rng.random(len(patient)) < np.where(patient % 2, 0.9, 0.1)).astype(int)
    of_patient = rng.normal(size=(2, count))[:, patient]
    noise = rng.normal(size=(2, len(patient)))
    scores = np.array([[1.0], [0.7]]) * y + of_patient + 0.6 * noise
    fold = rng.permutation(len(patient)) % 5
    return {"y": y, "a": scores[0], "b": scores[1], "fold": fold, "patient": patient}


TABLE = patients(0)


def plain_variance(y: Any, score: Any, fold: Any, cluster: Any) -> float:
    """Each fold's placements counted pair by pair, and their influences summed by cluster."""
    clusters, folds = int(cluster.max()) + 1, np.unique(fold)
    sums = {1: np.zeros(clusters), 0: np.zeros(clusters)}
    for number in folds:
        pos, neg = (np.flatnonzero((fold == number) & (y == k)) for k in (1, 0))
        wins = (score[pos][:, None] > score[neg]) + 0.5 * (score[pos][:, None] == score[neg])
        for k, rows, mean in ((1, pos, wins.mean(axis=1)), (0, neg, wins.mean(axis=0))):
            for row, placement in zip(rows, mean, strict=True):
                sums[k][cluster[row]] += (placement - wins.mean()) / len(rows) / len(folds)
    own = {k: len(np.unique(cluster[y == k])) for k in (1, 0)}
    total = sum(own[k] / (own[k] - 1) * np.sum(sums[k] ** 2) for k in (1, 0))
    return float(total + 2 * clusters / (clusters - 1) * np.sum(sums[1] * sums[0]))


def test_influences_add_up_by_cluster_over_folds() -> None:
    y, score, fold, cluster = (TABLE[name] for name in ("y", "a", "fold", "patient"))
    folded = Folded.of(
        WholeArea(), binary_rows(y, score, cluster=cluster), folds_of(fold), Options()
    )
    between = folded.values[fold] - folded.value  # the spread of folds, which the plain one lacks
    assert folded.influence is not None
    assert np.abs(between).max() > 0.01
    inside = Folded(
        folded.measure, folded.rows, folded.folds, np.full(5, folded.value),
        folded.influence - between, folded.errors, folded.range,
    )  # fmt: skip
    found = float(inside.moments().variance)
    assert found == pytest.approx(plain_variance(y, score, fold, cluster), rel=1e-9)


def test_copies_in_other_folds_add_nothing() -> None:
    """Three copies of each row, each in a fold of its own: as wide as the rows themselves."""
    y, score = (np.tile(TABLE[name][:180], 3) for name in ("y", "a"))
    fold, row = np.repeat([0, 1, 2], 180), np.tile(np.arange(180), 3)
    whole = rs.cross_validated(y, score, fold=fold, cluster=row)
    alone = rs.cross_validated(y, score, fold=fold)
    assert whole.value == alone.value
    assert whole.interval.width / alone.interval.width == pytest.approx(math.sqrt(3.0), rel=0.08)


def test_a_single_split_cluster_is_singular() -> None:
    assert "1 of 401 clusters has rows in" in SplitByFolds("cluster p0 has rows in 2", 1, 401)


def test_what_the_result_says() -> None:
    found = rs.cross_validated(
        TABLE["y"], TABLE["a"], fold=TABLE["fold"], cluster=[f"p{i}" for i in TABLE["patient"]]
    )
    assert found.learner is None
    assert found.certified is None
    assert any("conditional on the trained models" in text for text in found.interval.assumptions)
    (note,) = [text for text in found.warnings if "several folds" in text]
    assert "of 60 clusters have rows in several folds." in note
    assert "For example, cluster p0 has rows in fold" in note
    assert "may rank clusters that are new to it worse" in note
    assert "learner" not in str(found)


def test_whole_clusters_are_as_before() -> None:
    fold = TABLE["patient"] % 5
    found = rs.cross_validated(TABLE["y"], TABLE["a"], fold=fold, cluster=TABLE["patient"])
    assert found.learner is not None
    assert not any("several folds" in text for text in found.warnings)
    assert split_clusters(TABLE["patient"], folds_of(fold)) is None


def test_learners_are_compared_as_models() -> None:
    answer = rs.compare(
        TABLE, label="y", scores=["a", "b"], fold="fold", cluster="patient"
    )  # fmt: skip
    comparison = answer.comparisons[None]
    assert comparison.corrected_t == ()
    assert "conditional on the trained models" in " ".join(comparison.pairs[0].interval.assumptions)
    texts = " ".join(comparison.warnings)
    assert "several folds" in texts
    assert "about the learners" not in texts


def test_the_command_says_mean_of_folds(tmp_path: Any, capsys: Any) -> None:
    file = tmp_path / "t.csv"
    rows = zip(*TABLE.values(), strict=True)
    file.write_text("\n".join([",".join(TABLE), *(",".join(map(str, row)) for row in rows)]))
    command = ["compare", str(file), "--label", "y", "--score", "a", "--score", "b"]
    assert run([*command, "--fold", "fold", "--cluster", "patient"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "a has the highest AUC (mean of 5 folds): " in said
    assert "360 rows in 60 clusters of 'patient' and 5 folds, " in said
    policy = tmp_path / "p.toml"
    policy.write_text(
        'label="y"\nfold="fold"\ncluster="patient"\n[[rule]]\nscore="a"\nat_least=0.6'
    )
    assert run(["gate", str(policy), str(file)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "PASS: 1 pass of 1." in said
    assert "because 60 of 60 clusters have rows in several folds." in said


def test_a_column_of_segments_that_may_be_clusters() -> None:
    def notes(**more: Any) -> list[str]:
        answer = rs.evaluate(TABLE, label="y", scores="a", fold="fold", **more)
        overall = [entry for entry in answer.results if entry.by is None]
        return [text for text in overall[0].warnings if "rows a value" in text]

    (note,) = notes(by="patient")
    assert "give cluster='patient'" in note
    assert notes() == []
    assert notes(by="patient", cluster="patient") == []
    few = TABLE | {"site": TABLE["patient"] % 3}
    answer = rs.evaluate(few, label="y", scores="a", fold="fold", by="site")
    assert not any("rows a value" in text for one in answer.results for text in one.warnings)


@pytest.mark.slow
def test_coverage_where_folds_split_clusters() -> None:
    """400 data sets; the truth is the AUC of rows of two patients."""
    truth = float(ndtr(1.0 / math.sqrt(2.0 * (1.0 + 0.36))))
    covered, alone = 0, 0
    for seed in range(400):
        table = patients(1000 + seed)
        given = {"fold": table["fold"]}
        for whole in (True, False):
            cluster = {"cluster": table["patient"]} if whole else {}
            found = rs.cross_validated(table["y"], table["a"], **given, **cluster).interval
            inside = found.low <= truth <= found.high
            covered += whole and inside
            alone += not whole and inside
    # a coverage of .95 or more fails here with a probability below .001 (binomial)
    assert covered >= 365
    assert alone < 330
