"""Resampled comparisons against pROC 1.18.0 on R 4.2.2: bootstrap, Venkatraman, sensitivities.

What is deterministic is compared to 10 digits: Venkatraman's statistic and the sensitivities. A
bootstrap statistic is the same difference over a standard deviation of 2,000 resamples, which is
off by 1/√4000 = 1.6 % in each software; 4.5 standard deviations of their ratio are 10 %. Of a
p-value of 500 permutations five standard deviations are allowed.

pROC breaks ties in the order of the rows, so its statistic is a matter of how the table is sorted
(on rows sorted by label it calls noise in three grades different from continuous noise half of the
time, at a level of 5 %). Here ties are averaged over all orders; given scores whose ties were
broken in row order, the statistic is pROC's.
"""

from __future__ import annotations

import csv
import json
import math
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

PAIRS = [
    ("aSAH", "s100b", "wfns"),
    ("aSAH", "s100b", "ndka"),
    ("aSAH", "wfns", "ndka"),
    ("tied1", "a", "b"),
    ("tied1", "a", "c"),
    ("tied1", "b", "c"),
]


def read(
    data: Path, table: str, *names: str
) -> tuple[list[int], dict[str, np.ndarray[Any, Any]], dict[str, Any]]:
    label, positive = ("outcome", "Poor") if table == "aSAH" else ("y", "1")
    with open(data / "auc" / f"{table.lower()}.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    golden = json.loads((data / "auc" / "proc_golden.json").read_text())[table]
    scores = {name: np.array([float(row[name]) for row in rows]) for name in names}
    return [int(row[label] == positive) for row in rows], scores, golden


@pytest.mark.parametrize(("table", "a", "b"), PAIRS)
def test_venkatraman(data: Path, table: str, a: str, b: str) -> None:
    y, scores, golden = read(data, table, a, b)
    expected = golden["pairs"][f"{a}_vs_{b}"]["venkatraman_paired_500_seed42"]
    broken = {name: s.argsort(kind="stable").argsort() for name, s in scores.items()}
    pair = rs.compare(y, broken, test="venkatraman-curves", resamples=4000).pairs[0]
    assert pair.statistic == pytest.approx(expected["statistic"], rel=1e-12)
    off = 5.0 * math.sqrt((expected["p"] * (1 - expected["p"]) + 0.004) / 500)
    assert pair.p_value == pytest.approx(expected["p"], abs=off)
    tied = rs.compare(y, scores, test="venkatraman-curves").pairs[0]
    assert tied.p_value == pytest.approx(pair.p_value, abs=0.3), "ties matter, within bounds"


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("boot_paired_2000_seed42", {}),
        ("boot_unpaired_2000_seed42", {"paired": False}),
        ("boot_paired_pauc_sp_1_0.8_2000_seed42", {"measure": "partial_auc(fpr<=0.2)"}),
        ("specificity_test_at_0.9_2000_seed42", {"measure": "sensitivity(specificity=0.9)"}),
    ],
)
@pytest.mark.parametrize(("table", "a", "b"), PAIRS)
def test_bootstrap(
    data: Path, table: str, a: str, b: str, key: str, options: dict[str, Any]
) -> None:
    y, scores, golden = read(data, table, a, b)
    expected = golden["pairs"][f"{a}_vs_{b}"][key]
    result = rs.compare(y, scores, test="bootstrap", **options)
    (pair,) = result.pairs
    assert pair.statistic == pytest.approx(expected["statistic"], rel=0.1)
    z = abs(expected["statistic"])
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    assert pair.p_value == pytest.approx(expected["p"], abs=0.2 * z * density + 1e-6)
    if "specificity" not in key:
        values = [result.estimates[name].value for name in (a, b)]
        assert values == pytest.approx(expected["estimate"], rel=1e-10)


@pytest.mark.parametrize(("table", "a", "b"), PAIRS)
def test_a_partial_area_without_resampling(data: Path, table: str, a: str, b: str) -> None:
    """The variance by influence against pROC's bootstrap: 7 % of their difference on 40 rows."""
    y, scores, golden = read(data, table, a, b)
    expected = golden["pairs"][f"{a}_vs_{b}"]["boot_paired_pauc_sp_1_0.8_2000_seed42"]
    pair = rs.compare(y, scores, measure="partial_auc(fpr<=0.2)").pairs[0]
    assert pair.statistic == pytest.approx(expected["statistic"], rel=0.15)


@pytest.mark.parametrize(
    ("table", "name"), [("aSAH", "s100b"), ("aSAH", "wfns"), ("aSAH", "ndka"), ("tied1", "a")]
)
def test_sensitivities_and_specificities(data: Path, table: str, name: str) -> None:
    y, scores, golden = read(data, table, name)
    for rate, other, key in (
        ("sensitivity", "specificity", "sens_at_spec"),
        ("specificity", "sensitivity", "spec_at_sens"),
    ):
        expected = golden["scores"][name][key]
        for at, value in zip(expected[other], expected[rate], strict=True):
            result = rs.compare(
                y, {name: scores[name], "constant": np.zeros(len(y))}, test="bootstrap",
                measure=f"{rate}({other}={at})", resamples=2,
            )  # fmt: skip
            assert result.estimates[name].value == pytest.approx(value, rel=1e-10)


def test_venkatraman_of_two_samples_against_proc(rscript: str, tmp_path: Path) -> None:
    """pROC leaves out the stretch before the first row of either sample; here it counts.

    And pROC takes twice the rows of the first sample for the rows of both, so samples of one size.
    """
    rng = np.random.default_rng(3)
    samples = []
    for m in (20, 35):
        y = np.arange(60) < m
        samples.append((y, rng.normal(size=60) + y))
    for number, (y, s) in enumerate(samples):
        np.savetxt(tmp_path / f"{number}.txt", np.column_stack([y, s]))
    code = """
    suppressMessages(library(pROC)); p <- commandArgs(TRUE)
    r <- lapply(p, function(f) {d <- read.table(f); roc(d[[1]], d[[2]], levels=0:1,
                                                        direction="<", quiet=TRUE)})
    t <- roc.test(r[[1]], r[[2]], method="venkatraman", paired=FALSE, boot.n=1000, progress="none")
    cat(sprintf("%.15g %.15g", t$statistic, t$p.value))
    """
    files = [str(tmp_path / f"{number}.txt") for number in range(2)]
    done = subprocess.run([rscript, "-e", code, *files], capture_output=True, text=True, check=True)
    expected, p = map(float, done.stdout.split())
    pair = rs.compare(samples, test="venkatraman-curves").pairs[0]
    curves = [error_rates(y, s, kappa=55 / 120) for y, s in samples]
    assert pair.statistic == pytest.approx(between(curves, from_=0), rel=1e-10)
    assert between(curves, from_=1) == pytest.approx(expected, rel=1e-10)
    assert pair.p_value == pytest.approx(p, abs=5 * math.sqrt((p * (1 - p) + 0.004) / 1000))


def error_rates(y: Any, s: Any, kappa: float) -> tuple[list[float], list[float]]:
    """The share counted as negative and the error rate as the cut passes the rows one by one."""
    m, n = int(y.sum()), int((~y).sum())
    share, error, low, high = [0.0], [1 - kappa], 0, 0
    for positive in y[np.argsort(s)]:
        low, high = low + positive, high + (not positive)
        share.append(kappa * low / m + (1 - kappa) * high / n)
        error.append(kappa * low / m + (1 - kappa) * (1 - high / n))
    return share, error


def between(curves: list[tuple[list[float], list[float]]], from_: int) -> float:
    """The area between two curves; from 0 on, or from the first row of both on."""
    start = max(share[from_] for share, _ in curves)
    at = np.array(sorted(p for share, _ in curves for p in share if p >= start))
    gap = np.abs(np.interp(at, *curves[0]) - np.interp(at, *curves[1]))
    return float(np.sum((gap[1:] + gap[:-1]) * np.diff(at)) / 2)
