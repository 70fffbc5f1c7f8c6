"""Partial areas against pROC and scikit-learn."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import rocsolid as rs
from rocsolid.remarks.values import BelowDiagonal

SCORES = [
    *(("aSAH", s) for s in ("s100b", "wfns", "ndka")),
    *(("tied1", s) for s in ("a", "b", "c")),
]


def read(data: Path, table: str, score: str) -> tuple[np.ndarray, np.ndarray]:
    label, positive = ("outcome", "Poor") if table == "aSAH" else ("y", "1")
    with open(data / "auc" / f"{table.lower()}.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    return (
        np.array([row[label] == positive for row in rows]),
        np.array([float(row[score]) for row in rows]),
    )


@pytest.mark.parametrize(("table", "score"), SCORES)
def test_partial_areas_are_procs(data: Path, table: str, score: str) -> None:
    """pROC 1.18.0 on R 4.2.2: auc(partial.auc, partial.auc.focus, partial.auc.correct), 12 digits.

    Below the diagonal pROC's corrected area is NA with a warning; ours has a warning too, and the
    value that pROC gives with allow.invalid.partial.auc.correct=TRUE.
    """
    golden = json.loads((data / "auc" / "proc_golden.json").read_text())[table]["scores"][score]
    y, s = read(data, table, score)
    assert len(golden["partial"]) == 7
    for both in golden["partial"]:
        for axis in ("sp", "se"):
            known = both[axis]
            high, low = known["region"]
            region = {"tpr": (low, high)}
            if axis == "sp":
                region = {"fpr": (round(1 - high, 12), round(1 - low, 12))}
            raw, corrected = (rs.partial_auc(y, s, **region, scale=a) for a in ("raw", "mcclish"))
            assert raw.value == pytest.approx(known["pauc"], abs=1e-12)
            assert corrected.value == pytest.approx(known["pauc_correct_allow_invalid"], abs=1e-12)
            assert (BelowDiagonal() in raw.warnings) == isinstance(known["pauc_correct"], dict)


@pytest.mark.parametrize(("table", "score"), SCORES)
@pytest.mark.parametrize("weighted", [False, True])
def test_max_fpr_is_scikit_learns(data: Path, table: str, score: str, weighted: bool) -> None:
    """sklearn.metrics.roc_auc_score(max_fpr=) is McClish's standardised area."""
    y, s = read(data, table, score)
    w = np.random.default_rng(3).exponential(size=len(y)) if weighted else None
    for max_fpr in (0.01, 0.05, 0.1, 1 / 3, 0.5, 0.999):
        theirs = roc_auc_score(y, s, sample_weight=w, max_fpr=max_fpr)
        ours = rs.partial_auc(y, s, sample_weight=w, fpr=max_fpr, scale="mcclish").value
        assert ours == pytest.approx(theirs, abs=1e-12)
