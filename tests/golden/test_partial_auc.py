"""`rs.partial_auc` as a user calls it, against scikit-learn and pROC."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import rocsolid as rs


@pytest.fixture
def asah(data: Path) -> dict[str, np.ndarray]:
    with open(data / "auc" / "asah.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    table = {name: np.array([float(row[name]) for row in rows]) for name in ("s100b", "ndka")}
    return table | {"y": np.array([row["outcome"] == "Poor" for row in rows])}


@pytest.mark.parametrize("score", ["s100b", "ndka"])
@pytest.mark.parametrize("max_fpr", [0.05, 0.2, 1.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_mcclish_is_max_fpr(
    asah: dict[str, np.ndarray], score: str, max_fpr: float, weighted: bool
) -> None:
    y, s = asah["y"], asah[score]
    w = np.random.default_rng(1).exponential(size=len(y)) if weighted else None
    ours = rs.partial_auc(y, s, fpr=max_fpr, scale="mcclish", sample_weight=w)
    theirs = roc_auc_score(y, s, max_fpr=max_fpr, sample_weight=w)
    if max_fpr == 1.0:  # scikit-learn then gives the plain area
        theirs = (1 + (theirs - 0.5) / 0.5) / 2
    assert ours.value == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize(
    ("key", "region"),
    [
        ("ci_boot_pauc_sp_1_0.9_2000_seed42", {"fpr": 0.1}),
        ("ci_boot_pauc_se_1_0.8_2000_seed42", {"tpr": 0.8}),
    ],
)
@pytest.mark.parametrize("score", ["s100b", "ndka"])
def test_bootstrap_percentiles_are_procs(
    data: Path, asah: dict[str, np.ndarray], score: str, key: str, region: dict[str, float]
) -> None:
    """pROC 1.18.0 on R 4.2.2, ci(partial.auc=...), 2000 stratified resamples of its own."""
    golden = json.loads((data / "auc" / "proc_golden.json").read_text())["aSAH"]["scores"][score]
    low, _, high = golden[key]
    ours = rs.partial_auc(asah["y"], asah[score], **region, interval="bootstrap-percentile")
    # 2000 resamples know a 2.5 % quantile to about 4 % of the width, theirs and ours
    assert ours.low == pytest.approx(low, abs=0.1 * (high - low))
    assert ours.high == pytest.approx(high, abs=0.1 * (high - low))
