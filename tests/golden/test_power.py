"""Planning against pROC 1.18.0 on R 4.2.2: power.roc.test and the formulas behind it.

Three stated differences. pROC finds an AUC with R's uniroot at its default tolerance, some 1e-5
off. Its power for two curves takes the variance under the null from the first curve alone, so it
changes when the curves change places; ours does not, and lies between pROC's two answers. And with
another class ratio than the pilot's pROC keeps the pilot's variance.
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
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocsolid as rs
from rocsolid.binary.area import Region
from rocsolid.plan.variances import WHOLE, NormalCurve, obuchowski, obuchowski_together

DIGITS = 1e-10
PAIRS = [
    *(("aSAH", "s100b", "wfns"), ("aSAH", "s100b", "ndka"), ("aSAH", "wfns", "ndka")),
    *(("tied1", "a", "b"), ("tied1", "a", "c"), ("tied1", "b", "c")),
]


@pytest.fixture(scope="module")
def golden(data: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((data / "auc" / "proc_golden.json").read_text("utf-8"))
    return found


def read(data: Path, name: str, *scores: str) -> tuple[NDArray[np.bool_], list[list[float]]]:
    with (data / "auc" / f"{name.lower()}.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    column, positive = ("outcome", "Poor") if name == "aSAH" else ("y", "1")
    y = np.array([row[column] == positive for row in rows])
    return y, [[float(row[score]) for row in rows] for score in scores]


def pilot_of(data: Path, name: str, a: str, b: str) -> rs.results.Pilot:
    y, scores = read(data, name, a, b)
    return rs.plan.pilot(y, dict(zip((a, b), scores, strict=True)))


def correlations(data: Path, name: str, a: str, b: str) -> list[float]:
    """Of the two scores, among the positives and among the negatives."""
    y, scores = read(data, name, a, b)
    return [float(np.corrcoef(np.array(scores)[:, rows])[0, 1]) for rows in (y, ~y)]


@pytest.mark.parametrize("case", range(5))
def test_one_curve(golden: dict[str, Any], case: int) -> None:
    call, expected = golden["power_one"][case]["call"], golden["power_one"][case]["result"]
    alpha = call.get("sig.level", 0.05)
    found = rs.plan.auc_power(
        auc=call.get("auc"),
        power=call.get("power"),
        n_pos=call.get("ncases"),
        n_neg=call.get("ncontrols"),
        prevalence=1 / (1 + call["kappa"]) if "kappa" in call else None,
        level=None if alpha == "NULL" else 1 - alpha,
    )
    by_uniroot = found.solved_for == "auc"
    assert found.auc == pytest.approx(expected["auc"], abs=1e-5 if by_uniroot else DIGITS)
    assert found.n_pos == pytest.approx(expected["ncases"], rel=DIGITS)
    assert found.n_neg == pytest.approx(expected["ncontrols"], rel=DIGITS)
    assert 1 - found.level == pytest.approx(expected["sig.level"], rel=DIGITS)
    assert found.power == pytest.approx(expected["power"], rel=DIGITS)


def test_the_auc_of_a_curve(golden: dict[str, Any]) -> None:
    for name in ("aSAH", "tied1"):
        for score in golden[name]["scores"].values():
            found = rs.plan.auc_power(auc=score["auc"], n_pos=score["n_pos"], n_neg=score["n_neg"])
            assert found.power == pytest.approx(score["power_one_roc"], rel=DIGITS)


@pytest.mark.parametrize(("name", "a", "b"), PAIRS)
def test_two_curves(data: Path, golden: dict[str, Any], name: str, a: str, b: str) -> None:
    """pROC's two answers from our pilot's covariance to 10 digits; our own lies between them."""
    expected = golden[name]["pairs"][f"{a}_vs_{b}"]
    pilot = pilot_of(data, name, a, b)
    sizes = {"n_pos": pilot.n_pos, "n_neg": pilot.n_neg}
    found = pilot.covariance(*sizes.values())
    distance, z = abs(pilot.aucs[0] - pilot.aucs[1]), float(ndtri(0.975))
    sigma = math.sqrt(found[0, 0] + found[1, 1] - 2 * found[0, 1])
    of_proc, rows_of_proc = [], []
    for i in (0, 1):
        null = math.sqrt(2 * found[i, i] - 2 * found[0, 1])
        of_proc.append(float(ndtr((distance - z * null) / sigma)))
        needed = (z * null + float(ndtri(0.9)) * sigma) ** 2 / distance**2
        rows_of_proc.append(needed * pilot.n_pos)
    swapped = expected["power_two_rocs_swapped_order"]
    assert of_proc == pytest.approx([expected["power_two_rocs"], swapped], rel=DIGITS)
    assert rows_of_proc[0] == pytest.approx(expected["n_for_power90"]["ncases"], rel=DIGITS)
    ours = rs.plan.auc_difference_power(pilot=pilot, **sizes)
    assert min(of_proc) < ours.power < max(of_proc)
    enough = rs.plan.auc_difference_power(pilot=pilot, power=0.9)
    assert min(rows_of_proc) < enough.n_pos < max(rows_of_proc)
    assert enough.prevalence == pytest.approx(pilot.n_pos / (pilot.n_pos + pilot.n_neg))


def exchanged(y: NDArray[np.bool_], score: NDArray[np.float64]) -> NormalCurve:
    """The line through the deviates of specificity over sensitivity, taken for a binormal curve."""
    cuts = np.unique(score)[1:]
    tpr, tnr = (
        ndtri(np.array([np.mean(side(score[rows], cut)) for cut in cuts]))
        for rows, side in ((y, np.greater_equal), (~y, np.less))
    )
    usable = np.isfinite(tpr) & np.isfinite(tnr)
    slope, at = np.polyfit(tpr[usable], tnr[usable], 1)
    return NormalCurve(float(ndtr(at / math.hypot(1.0, slope))), 1.0 / abs(slope))


@pytest.mark.parametrize(("name", "a", "b"), PAIRS)
def test_two_binormal_curves(data: Path, golden: dict[str, Any], name: str, a: str, b: str) -> None:
    """Obuchowski and McClish's variances at the A and B that pROC fits, and its power from them.

    pROC regresses specificity on sensitivity and takes the coefficients for A and B, which are
    those of the curve with the classes exchanged; we plan with the curve itself.
    """
    pair, scores = golden[name]["pairs"][f"{a}_vs_{b}"], golden[name]["scores"]
    y, columns = read(data, name, a, b)
    curves = [exchanged(y, np.array(column)) for column in columns]
    sizes = scores[a]["n_pos"], scores[a]["n_neg"]
    variances = [obuchowski(curve).at(*sizes) for curve in curves]
    covariance = obuchowski_together(*curves, *correlations(data, name, a, b)).at(*sizes)
    expected = [scores[score]["var_obuchowski"] for score in (a, b)]
    assert variances == pytest.approx(expected, rel=DIGITS)
    assert covariance == pytest.approx(pair["cov_obuchowski"], rel=DIGITS)
    distance = abs(scores[a]["auc"] - scores[b]["auc"])
    null = math.sqrt(2 * variances[0] - 2 * covariance)
    sigma = math.sqrt(sum(variances) - 2 * covariance)
    power = float(ndtr((distance - float(ndtri(0.975)) * null) / sigma))
    assert power == pytest.approx(pair["power_two_rocs_obuchowski"], rel=DIGITS)


def in_r(rscript: str, folder: Path, code: str) -> list[float]:
    """The numbers that an R program writes, one a line."""
    preamble = (
        "suppressMessages(library(pROC)); w <- function(...) cat(sprintf('%.17g\\n', c(...)));"
    )
    done = subprocess.run(
        [rscript, "-e", preamble + code], cwd=folder, capture_output=True, text=True, check=True
    )
    return [float(line) for line in done.stdout.split()]


def test_one_curve_in_proc_as_installed_here(rscript: str, tmp_path: Path) -> None:
    cases = [
        {"auc": 0.6, "n_pos": 15.0, "n_neg": 300.0, "alternative": "greater"},
        {"auc": 0.95, "power": 0.99, "ratio": 0.2},
        {"auc": 0.55, "power": 0.8, "ratio": 7.0, "alpha": 0.01, "alternative": "greater"},
        {"auc": 0.8, "power": 0.9, "n_pos": 12.0, "ratio": 3.0, "alpha": None},
        {"power": 0.85, "n_pos": 20.0, "n_neg": 50.0, "alpha": 0.02},
    ]
    code = []
    for case in cases:
        z = f"qnorm(1-{case.get('alpha', 0.05)}/2)"
        if "auc" not in case:  # pROC's own equation, with the tolerance that it leaves out
            code.append(
                "w(uniroot(pROC:::power.roc.test.optimize.auc.function, c(.5, 1-1e-16), "
                f"ncontrols={case['n_neg']}, ncases={case['n_pos']}, zalpha={z}, "
                f"zbeta=qnorm({case['power']}), tol=1e-15)$root);"
            )
            continue
        names = {"auc": "auc", "n_pos": "ncases", "n_neg": "ncontrols", "power": "power"}
        given = [f"{to}={case[name]}" for name, to in names.items() if name in case]
        if "ratio" in case:
            given.append(f"kappa={case['ratio']}")
        alpha = case.get("alpha", 0.05)
        given.append(f"sig.level={'NULL' if alpha is None else alpha}")
        sided = "one.sided" if "alternative" in case else "two.sided"
        code.append(f"r <- power.roc.test({', '.join(given)}, alternative='{sided}');")
        wanted = "sig.level" if alpha is None else "power" if "power" not in case else "ncases"
        code.append(f"w(r${wanted});")
    expected = in_r(rscript, tmp_path, "".join(code))
    found = []
    for case in cases:
        ours = {name: value for name, value in case.items() if name not in ("ratio", "alpha")}
        if "ratio" in case:
            ours["prevalence"] = 1 / (1 + case["ratio"])
        if "alpha" in case:
            ours["level"] = None if case["alpha"] is None else 1 - case["alpha"]
        plan = rs.plan.auc_power(**ours)
        value = getattr(plan, plan.solved_for)
        found.append(1 - value if plan.solved_for == "level" else value)
    assert found == pytest.approx(expected, rel=DIGITS)


def test_obuchowski_in_proc_as_installed_here(rscript: str, tmp_path: Path) -> None:
    """Variances and covariances of two binormal curves, whole and partial, per positive."""
    curves = [(NormalCurve(0.8), NormalCurve(0.9)), (NormalCurve(0.7, 1.5), NormalCurve(0.85, 0.6))]
    settings = [(0.3, 0.6, 1.0), (0.5, 0.2, 4.0)]
    code, ours = [], []
    for (a, b), (rho_neg, rho_pos, ratio) in zip(curves, settings, strict=True):
        for region in (WHOLE, Region.of(fpr=0.2), Region.of(fpr=(0.1, 0.4))):
            low, high = region.fpr
            rates = "" if region == WHOLE else f", {low}, {high}"
            for one in (a, b):
                code.append(
                    f"w(pROC:::var.params.obuchowski({one.intercept!r}, {one.slope!r}, "
                    f"{ratio}{rates}));"
                )
                ours.append(obuchowski(one, region).at(1.0, ratio))
            four = "" if region == WHOLE else f", {low}, {high}, {low}, {high}"
            code.append(
                f"w(pROC:::cov.params.obuchowski({a.intercept!r}, {a.slope!r}, {b.intercept!r}, "
                f"{b.slope!r}, {rho_neg}, {rho_pos}, {ratio}{four}));"
            )
            ours.append(obuchowski_together(a, b, rho_pos, rho_neg, region).at(1.0, ratio))
    assert ours == pytest.approx(in_r(rscript, tmp_path, "".join(code)), rel=DIGITS)


def test_two_parametric_curves_in_proc_as_installed_here(rscript: str, tmp_path: Path) -> None:
    """With equal variances the null's is that of the alternative, and pROC agrees to all digits."""
    a = NormalCurve(0.8)
    pars = f"list(A1={a.intercept!r}, B1=1, A2={-a.intercept!r}, B2=1, rn=.4, ra=.4, delta=.6)"
    code = f"w(power.roc.test({pars}, ncases=5, ncontrols=9)$power);"
    found = rs.plan.auc_difference_power(
        auc_a=0.8, auc_b=0.2, n_pos=5, n_neg=9, correlation=0.4, variance="obuchowski"
    )
    assert found.power == pytest.approx(in_r(rscript, tmp_path, code)[0], rel=DIGITS)
