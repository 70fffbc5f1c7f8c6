"""Bootstraps of the AUC against pROC's, which draws from R's own stream."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary.resampling.replicates import replicates
from rocsolid.inputs import BinaryRows, binary_rows

RESAMPLES = 20_000


def scores_of(data: Path, name: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    file = {"aSAH": "asah.csv", "tied1": "tied1.csv"}[name]
    with open(data / "auc" / file, newline="") as text:
        rows = list(csv.DictReader(text))
    label = "outcome" if name == "aSAH" else "y"
    y = np.array([row[label] in ("Poor", "1") for row in rows])
    names = ("s100b", "ndka", "wfns") if name == "aSAH" else ("a", "b", "c")
    return y, {key: np.array([float(row[key]) for row in rows]) for key in names}


@pytest.mark.parametrize(
    ("name", "score"),
    [("aSAH", "s100b"), ("aSAH", "ndka"), ("aSAH", "wfns"), ("tied1", "a"), ("tied1", "c")],
)
@pytest.mark.parametrize("scheme", ["stratified", "plain"])
def test_percentiles_and_variances(data: Path, name: str, score: str, scheme: str) -> None:
    """pROC 1.18.0, ci.auc(method="bootstrap") and var(method="bootstrap"), 4,000 resamples.

    4,000 resamples know a 2.5 % quantile to about 1.7 % of the width (ties make steps) and a
    variance to 2.2 %; ours are 20,000.
    """
    y, scores = scores_of(data, name)
    golden = json.loads((data / "auc" / "proc_golden.json").read_text())[name]["scores"][score]
    key = {"stratified": "stratified", "plain": "unstratified"}[scheme]
    low, median, high = golden[f"ci_boot_{key}_4000_seed42"]
    ours = rs.auc(
        y, scores[score], interval="bootstrap-percentile", resamples=RESAMPLES, scheme=scheme
    )  # fmt: skip
    width = high - low
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=0.08 * width)
    values = replicates([BinaryRows(y, scores[score])], resamples=RESAMPLES, seed=0, scheme=scheme)[
        :, 0
    ]
    assert np.median(values) == pytest.approx(median, abs=0.05 * width)
    if scheme == "stratified":
        assert np.var(values) == pytest.approx(golden["var_boot_4000_seed42"], rel=0.14)


@pytest.mark.parametrize(("a", "b"), [("s100b", "wfns"), ("s100b", "ndka"), ("wfns", "ndka")])
def test_the_paired_statistic(data: Path, a: str, b: str) -> None:
    """pROC's roc.test(method="bootstrap"), 2,000 resamples: D = difference / its deviation."""
    y, scores = scores_of(data, "aSAH")
    golden = json.loads((data / "auc" / "proc_golden.json").read_text())["aSAH"]["pairs"]
    models = [binary_rows(y, scores[name]) for name in (a, b)]
    values = replicates(models, resamples=RESAMPLES, seed=0)
    difference = rs.auc(y, scores[a]).value - rs.auc(y, scores[b]).value
    statistic = difference / np.std(values[:, 0] - values[:, 1], ddof=1)
    theirs = golden[f"{a}_vs_{b}"]["boot_paired_2000_seed42"]["statistic"]
    assert statistic == pytest.approx(theirs, rel=0.08)
