"""Comparisons against pROC 1.18.0 on R 4.2.2: roc.test and cov, on aSAH and a table full of ties.

Not compared: ``cov_obuchowski`` is pROC's binormal planning variance, not Obuchowski's variance for
clusters; and the confidence interval that pROC reports with a one-sided test is the two-sided one,
where ours is a limit on the side requested.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

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
ALTERNATIVES = ("two-sided", "less", "greater")


def read(data: Path, table: str) -> tuple[list[int], dict[str, list[float]], dict[str, Any]]:
    label, positive = ("outcome", "Poor") if table == "aSAH" else ("y", "1")
    with open(data / "auc" / f"{table.lower()}.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    golden = json.loads((data / "auc" / "proc_golden.json").read_text())[table]
    scores = {name: [float(row[name]) for row in rows] for name in golden["scores"]}
    return [int(row[label] == positive) for row in rows], scores, golden["pairs"]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("table", "a", "b"), PAIRS)
def test_paired(data: Path, table: str, a: str, b: str, alternative: Any) -> None:
    y, scores, golden = read(data, table)
    expected = golden[f"{a}_vs_{b}"][f"paired_{alternative.replace('-', '.')}"]
    result = rs.compare(y, {a: scores[a], b: scores[b]}, alternative=alternative, test="delong")
    (pair,) = result.pairs
    values = [result.estimates[name].value for name in (a, b)]
    assert values == pytest.approx(expected["estimate"], rel=1e-12)
    assert pair.statistic == pytest.approx(expected["statistic"], rel=1e-10)
    assert pair.p_value == pytest.approx(expected["p"], rel=1e-10)
    assert pair.df is None
    assert result.covariance[0, 1] == pytest.approx(
        golden[f"{a}_vs_{b}"]["cov_delong"], rel=1e-10, abs=1e-16
    )
    low, high = expected["conf_int"]
    if alternative == "two-sided":
        assert (pair.low, pair.high) == pytest.approx((low, high), rel=1e-10)
        assert result.omnibus.statistic == pytest.approx(expected["statistic"] ** 2, rel=1e-10)
        assert result.omnibus.p_value == pytest.approx(expected["p"], rel=1e-10)
    else:
        both = rs.compare(y, {a: scores[a], b: scores[b]}, test="delong").pairs[0]
        assert (both.low, both.high) == pytest.approx((low, high), rel=1e-10)
        assert (pair.high if alternative == "greater" else -pair.low) == 1.0


@pytest.mark.parametrize(("table", "a", "b"), PAIRS)
def test_paired_at_90_percent(data: Path, table: str, a: str, b: str) -> None:
    y, scores, golden = read(data, table)
    pair = rs.compare(y, {a: scores[a], b: scores[b]}, level=0.9, test="delong").pairs[0]
    expected = golden[f"{a}_vs_{b}"]["paired_ci90"]["conf_int"]
    assert (pair.low, pair.high) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("table", "a", "b"), PAIRS)
def test_unpaired(data: Path, table: str, a: str, b: str, alternative: Any) -> None:
    """Both ways to say it: the same rows treated as independent, and two samples."""
    y, scores, golden = read(data, table)
    expected = golden[f"{a}_vs_{b}"][f"unpaired_{alternative.replace('-', '.')}"]
    for result in (
        rs.compare(
            y, {a: scores[a], b: scores[b]}, paired=False, alternative=alternative, test="delong"
        ),
        rs.compare([(y, scores[a]), (y, scores[b])], alternative=alternative, test="delong"),
    ):
        (pair,) = result.pairs
        assert pair.statistic == pytest.approx(expected["statistic"], rel=1e-10)
        assert pair.df == pytest.approx(expected["df"], rel=1e-10)
        assert pair.p_value == pytest.approx(expected["p"], rel=1e-10)
        assert result.covariance[0, 1] == 0.0
