"""Readings, best thresholds and smooth curves that pROC 1.18.0 and Stata published or computed."""

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
from rocsolid.binary.roc import Roc

SCORES = [("aSAH", name) for name in ("s100b", "ndka", "wfns")]
SCORES += [("tied1", name) for name in ("a", "b", "c")]


def golden(data: Path, table: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((data / "auc" / "proc_golden.json").read_text())
    return dict(found[table]["scores"][name])


def curve(data: Path, table: str, name: str) -> Roc:
    return rs.roc(*columns(data, table, name))


def columns(data: Path, table: str, name: str) -> tuple[list[bool], list[float]]:
    with (data / "auc" / f"{table.lower()}.csv").open() as file:
        rows = list(csv.DictReader(file))
    label, positive = ("outcome", "Poor") if table == "aSAH" else ("y", "1")
    return [row[label] == positive for row in rows], [float(row[name]) for row in rows]


@pytest.mark.parametrize(("table", "name"), SCORES)
def test_readings(data: Path, table: str, name: str) -> None:
    """`coords(x=..., input="specificity")` and the other way round, to 12 digits."""
    known, roc = golden(data, table, name), curve(data, table, name)
    for reading in (known["sens_at_spec"], known["spec_at_sens"]):
        assert len(reading["specificity"]) == 4
    for at, value in zip(*known["sens_at_spec"].values(), strict=True):
        assert roc.reading(fpr=1 - at).value == pytest.approx(value, abs=1e-12)
    for value, at in zip(*known["spec_at_sens"].values(), strict=True):
        assert 1 - roc.reading(tpr=at).value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(("table", "name"), SCORES)
def test_bootstrap_of_a_reading(data: Path, table: str, name: str) -> None:
    """`ci.se(boot.n=2000)` at three specificities: both sides are random, and the sensitivity moves
    in steps of one positive (1/41, 1/18)."""
    known, (y, score) = golden(data, table, name), columns(data, table, name)
    step = 1 / sum(y)
    for at, (low, _, high) in zip((0.5, 0.75, 0.9), known["ci_se_boot_2000_seed42"], strict=True):
        found = rs.evaluate(
            {"y": y, "s": score}, label="y", scores="s", interval="bootstrap-percentile",
            measures=f"sensitivity(specificity={at})", resamples=20_000,
        ).results[0]  # fmt: skip
        assert found.low == pytest.approx(low, abs=1.2 * step)
        assert found.high == pytest.approx(high, abs=1.2 * step)


@pytest.mark.parametrize(("table", "name"), SCORES)
@pytest.mark.parametrize("criterion", ["youden", "closest-topleft"])
def test_best_thresholds(data: Path, table: str, name: str, criterion: Any) -> None:
    """pROC's threshold lies half-way between two scores, ours is the upper of the two."""
    known = golden(data, table, name)["best_youden" if criterion == "youden" else "best_topleft"]
    roc = curve(data, table, name)
    point = roc.best(criterion)
    if isinstance(known["threshold"], list):  # two are equally good: ours flags fewer rows
        assert point.warnings[0].startswith("1 other threshold is just as good")
        known = {key: values[-1] for key, values in known.items()}
    assert (point.tpr, 1 - point.fpr) == pytest.approx(
        (known["sensitivity"], known["specificity"]), abs=1e-12
    )
    assert point.youden == pytest.approx(known["sensitivity"] + known["specificity"] - 1, abs=1e-12)
    scores = [-math.inf, *roc.counts.score.tolist(), math.inf]
    at = scores.index(point.threshold)
    assert scores[at - 1] < float(known["threshold"]) <= scores[at]


@pytest.mark.parametrize(("table", "name"), SCORES)
def test_binormal_areas(data: Path, table: str, name: str) -> None:
    known = golden(data, table, name)["smooth_binormal_auc"]
    assert curve(data, table, name).smooth("binormal").auc == pytest.approx(known, abs=1e-12)


def test_maximum_likelihood_is_stata_rocfit() -> None:
    """Stata's manual, `rocfit`, on the ratings of Hanley and McNeil 1982: six digits.

    Its standard errors come from the observed information, ours from the expected one.
    """
    ratings = np.repeat(np.tile(np.arange(1, 6), 2), [33, 6, 6, 11, 2, 3, 2, 2, 11, 33])
    labels = np.repeat([0, 1], [58, 51])
    smooth = rs.roc(labels, ratings).smooth("binormal-ml")
    known = {
        "a": (1.656782, 5e-7),
        "b": (0.713002, 5e-7),
        "log_likelihood": (-123.64855, 5e-6),
        "a_std_error": (0.310456, 0.003),
        "b_std_error": (0.215882, 0.003),
    }
    for key, (value, within) in known.items():
        assert smooth.parameters[key] == pytest.approx(value, abs=within)
    assert smooth.auc == pytest.approx(0.911331, abs=5e-7)
    auc = smooth.intervals("information").auc
    # the same limits on the probit scale from Stata's area and standard error, .029506
    density = math.exp(-0.5 * 1.3489**2) / math.sqrt(2 * math.pi)
    probit = 1.3489 + np.array([-1, 1]) * 1.96 * 0.029506 / density
    expected = [0.5 * math.erfc(-x / math.sqrt(2)) for x in probit]
    assert (auc.low, auc.high) == pytest.approx(expected, abs=2e-3)


SCRIPT = """
suppressMessages(library(pROC)); d <- read.csv("d.csv", header=FALSE)
r <- roc(d$V1, d$V2, levels=c(0, 1), direction="<", quiet=TRUE)
for (w in list(c(1, .5), c(5, .1), c(.3, .4))) for (m in c("youden", "closest.topleft")) {
  b <- coords(r, "best", best.method=m, best.weights=w, ret=c("sensitivity", "specificity"))
  cat(sprintf("%.15g\\n", unlist(b[nrow(b), ])))
}
at <- c(0.02, .1, .3, .7)
line <- smooth(r); dens <- smooth(r, method="density")
cat(sprintf("%.15g\\n", c(coef(line$model), auc(line), bw.nrd0(r$predictor), auc(dens))))
cat(sprintf("%.15g\\n", coords(dens, 1 - at, input="specificity", ret="sensitivity")[, 1]))
"""


@pytest.mark.parametrize("digits", [1, 6])
def test_proc_installed_here(rscript: str, tmp_path: Path, digits: int) -> None:
    """A live run of pROC: weighted criteria and both smooth curves, with and without ties.

    pROC adds up densities interpolated on a grid where we add up rows: to 2e-3.
    """
    rng = np.random.Generator(np.random.Philox(12))
    y = (rng.random(250) < 0.3).astype(int)
    s = np.round(rng.normal(size=250) * (1 + 0.3 * y) + y, digits)
    np.savetxt(tmp_path / "d.csv", np.column_stack([y, s]), delimiter=",", fmt="%.6f")
    out = subprocess.run(
        [rscript, "-e", SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.split()
    known = iter(map(float, out))
    roc = rs.roc(y, s)
    for cost, prevalence in ((1, 0.5), (5, 0.1), (0.3, 0.4)):
        for criterion in ("cost", "closest-topleft"):
            point = roc.best(criterion, prevalence=prevalence, cost_ratio=cost)  # type: ignore[arg-type]
            assert point.tpr == pytest.approx(next(known), abs=1e-12)
            assert 1 - point.fpr == pytest.approx(next(known), abs=1e-12)
    line, density = roc.smooth("binormal"), roc.smooth("density")
    a, b = line.parameters["a"], line.parameters["b"]
    # pROC regresses specificity on sensitivity, both on the probit scale
    assert (a / b, -1 / b) == pytest.approx((next(known), next(known)), abs=1e-10)
    assert line.auc == pytest.approx(next(known), abs=1e-12)
    assert density.parameters["bandwidth"] == pytest.approx(next(known), rel=1e-12)
    assert density.auc == pytest.approx(next(known), abs=2e-3)
    assert density.tpr_at([0.02, 0.1, 0.3, 0.7]) == pytest.approx(list(known), abs=2e-3)
