"""Calibrated intervals against other people's software and a paper's own example."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from rocsolid.intervals.calibrated.standard_error import delong, hanley_mcneil_variance, newcombe5
from rocsolid.summaries.moments import Moments

SCORES = [
    *(("aSAH", s) for s in ("s100b", "wfns", "ndka")),
    *(("tied1", s) for s in ("a", "b", "c")),
]


def placed(x: float, y: float) -> float:
    return 1.0 if x > y else 0.5 if x == y else 0.0


def double_loop(pos: list[float], neg: list[float]) -> Moments:
    """DeLong's moments from the definition, pair by pair."""
    v10 = [sum(placed(x, y) for y in neg) / len(neg) for x in pos]
    v01 = [sum(placed(x, y) for x in pos) / len(pos) for y in neg]
    auc = sum(v10) / len(v10)

    def part(values: list[float]) -> float:
        return sum((v - auc) ** 2 for v in values) / (len(values) - 1) / len(values)

    return Moments(auc, part(v10), part(v01), len(pos), len(neg))


def read(data: Path, table: str, score: str) -> Moments:
    label, positive = ("outcome", "Poor") if table == "aSAH" else ("y", "1")
    with open(data / "auc" / f"{table.lower()}.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    pos = [float(row[score]) for row in rows if row[label] == positive]
    neg = [float(row[score]) for row in rows if row[label] != positive]
    return double_loop(pos, neg)


@pytest.mark.parametrize(("table", "score"), SCORES)
def test_delong_is_procs(data: Path, table: str, score: str) -> None:
    """pROC 1.18.0 on R 4.2.2, ci.auc(method="delong"), 12 digits."""
    golden = json.loads((data / "auc" / "proc_golden.json").read_text())[table]["scores"][score]
    moments = read(data, table, score)
    assert (moments.n_pos, moments.n_neg) == (golden["n_pos"], golden["n_neg"])
    assert moments.auc == pytest.approx(golden["auc"], abs=1e-12)
    assert moments.variance == pytest.approx(golden["var_delong"], abs=1e-12)
    for level in (90, 95, 99):
        low, estimate, high = golden[f"ci_delong_{level}"]
        got = delong(moments, level / 100, "two-sided")
        assert (float(got[0]), float(got[1])) == pytest.approx((low, high), abs=1e-12)
        assert estimate == golden["auc"]


def test_delong_is_cut_to_the_range_as_procs_is() -> None:
    """pROC 1.18.0: ci.auc(roc(c(0,0,0,0,1,1,1,1), c(1,2,3,4.5,4,6,7,8)))."""
    low, high = delong(double_loop([4, 6, 7, 8], [1, 2, 3, 4.5]), 0.95, "two-sided")
    assert (float(low), float(high)) == pytest.approx((0.76426202195629, 1.0), abs=1e-12)


AUROC = [
    # AUC, m, n, level, then auRoc 0.2-1's getAUCCImwu, the root finder of auc.nonpara.mw
    (1.0, 10, 10, 0.95, 0.800213612881106, 1.0),
    (0.0, 10, 10, 0.95, 0.0, 0.199786387118894),
    (1.0, 5, 50, 0.95, 0.790051826096301, 1.0),
    (0.95, 30, 1000, 0.95, 0.889032683384790, 0.977431834065462),
    (0.5, 7, 7, 0.99, 0.189380868641464, 0.810619131358536),
    (0.999, 200, 300, 0.95, 0.990029078899812, 0.999899343613624),
    (0.05, 12, 90, 0.90, 0.0168072582448946, 0.1481050318691317),
    (0.75, 2, 2, 0.95, 0.227187470703131, 0.966781569845534),
    (0.98, 1000, 30, 0.95, 0.932291906467862, 0.994045386159917),
]


@pytest.mark.parametrize(("auc", "m", "n", "level", "low", "high"), AUROC)
def test_newcombe5_is_aurocs(
    auc: float, m: int, n: int, level: float, low: float, high: float
) -> None:
    """R package auRoc 0.2-1 (Feng, Manevski, Pohar Perme), which finds roots with polyroot()."""
    got = newcombe5(Moments(auc, 0.0, 0.0, m, n), level, "two-sided")
    assert (float(got[0]), float(got[1])) == pytest.approx((low, high), abs=1e-11)


AUROC_ASAH = [
    ("s100b", 0.90, 0.642740434673907, 0.802527614416536),
    ("s100b", 0.95, 0.624407596221114, 0.813953296926985),
    ("s100b", 0.99, 0.588011039852404, 0.834339886382292),
    ("wfns", 0.95, 0.726883561498395, 0.888566812875814),
    ("ndka", 0.95, 0.500771743328500, 0.710784099353804),
]


@pytest.mark.parametrize(("score", "level", "low", "high"), AUROC_ASAH)
def test_newcombe5_is_aurocs_on_real_scores(
    data: Path, score: str, level: float, low: float, high: float
) -> None:
    """auRoc 0.2-1, auc.nonpara.mw(method="newcombe") on pROC's aSAH."""
    got = newcombe5(read(data, "aSAH", score), level, "two-sided")
    assert (float(got[0]), float(got[1])) == pytest.approx((low, high), abs=1e-11)


def test_hanley_and_mcneils_own_example() -> None:
    """Radiology 143 (1982), table I: five grades of 58 normal and 51 abnormal CT images.

    The paper reports an area of .893 and, with Q1 and Q2 counted in the table, a standard error of
    .032. The count below gives .0320; the exponential model's Q1 and Q2 give .0325.
    """
    normal, abnormal = [33, 6, 6, 11, 2], [3, 2, 2, 11, 33]
    m, n = sum(abnormal), sum(normal)
    auc = sum(
        a * b * placed(i, j) for i, a in enumerate(abnormal) for j, b in enumerate(normal)
    ) / (m * n)
    assert auc == pytest.approx(1321 / 1479, abs=1e-12)

    def both(one: list[int], two: list[int]) -> float:
        """P(two rows of the second table both beaten by one of the first), ties by thirds."""
        total = 0.0
        for i, count in enumerate(one):
            under, level = sum(two[:i]), two[i]
            total += count * (under**2 + under * level + level**2 / 3)
        return total / (sum(one) * sum(two) ** 2)

    q2, q1 = both(abnormal, normal), both(normal[::-1], abnormal[::-1])
    terms = auc * (1 - auc) + (m - 1) * (q1 - auc**2) + (n - 1) * (q2 - auc**2)
    assert (terms / (m * n)) ** 0.5 == pytest.approx(0.032, abs=0.0005)
    model = hanley_mcneil_variance(Moments(auc, 0.0, 0.0, m, n)) ** 0.5
    assert float(model) == pytest.approx(0.0324866, abs=1e-7)
