"""AUCs that others published: pROC's, and the source documents' own examples."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.questions import chocolate_bars


@pytest.mark.parametrize("name", ["s100b", "ndka", "wfns"])
def test_asah_equals_proc(data: Path, name: str) -> None:
    """Real output of pROC 1.18.0; 12 digits."""
    golden = json.loads((data / "auc" / "proc_golden.json").read_text())["aSAH"]["scores"][name]
    table = data / "auc" / "asah.csv"
    result = rs.evaluate(
        table, label="outcome", scores=name, pos_label="Poor", interval="delong"
    ).results[0]
    low, value, high = golden["ci_delong_95"]
    assert result.value == pytest.approx(golden["auc"], abs=1e-12)
    assert result.value == pytest.approx(value, abs=1e-12)
    assert (result.low, result.high) == pytest.approx((low, high), abs=1e-12)
    assert result.std_error == pytest.approx(golden["var_delong"] ** 0.5, abs=1e-12)
    assert (result.n_pos, result.n_neg) == (golden["n_pos"], golden["n_neg"]) == (41, 72)


@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_tied_scores_equal_proc(data: Path, name: str) -> None:
    golden = json.loads((data / "auc" / "proc_golden.json").read_text())["tied1"]["scores"][name]
    result = rs.evaluate(
        data / "auc" / "tied1.csv", label="y", scores=name, interval="delong"
    ).results[0]
    assert result.value == pytest.approx(golden["auc"], abs=1e-12)
    for level in (90, 95, 99):
        low, _, high = golden[f"ci_delong_{level}"]
        again = rs.evaluate(
            data / "auc" / "tied1.csv", label="y", scores=name, interval="delong", level=level / 100
        ).results[0]
        assert (again.low, again.high) == pytest.approx((low, high), abs=1e-12)


def test_roc_points_equal_proc(data: Path) -> None:
    """pROC lists points from the lowest threshold up, as sensitivity and specificity."""
    golden = json.loads((data / "auc" / "proc_golden.json").read_text())["aSAH"]["scores"]["s100b"]
    rows = np.genfromtxt(data / "auc" / "asah.csv", delimiter=",", names=True, dtype=None)
    labels = np.char.strip(rows["outcome"].astype(str), '"') == "Poor"
    curve = rs.roc(labels, rows["s100b"])
    assert curve.tpr[::-1] == pytest.approx(golden["roc"]["sensitivities"], abs=1e-12)
    assert 1 - curve.fpr[::-1] == pytest.approx(golden["roc"]["specificities"], abs=1e-12)


def test_table_1_of_seed_000() -> None:
    """Two scorers with the same error rate of 2/8 and different AUCs."""
    labels = [-1, -1, -1, -1, 1, 1, 1, 1]
    first = rs.auc(labels, [-2, -1, 3, 4, 1, 2, 5, 6])
    second = rs.auc(labels, [-2, -1, 5, 6, 1, 2, 3, 4])
    assert first.exact is not None
    assert second.exact is not None
    assert (first.exact * 16, second.exact * 16) == (12, 8)


def test_chocolate_bars_of_seed_004() -> None:
    bars = chocolate_bars()
    result, curve = rs.auc(bars["good"], bars["score"]), rs.roc(bars["good"], bars["score"])
    assert result.exact is not None
    assert result.exact * 12 == 10
    assert curve.positive_ranks.tolist() == [1.0, 0.75, 0.75]
    assert list(curve.path) == ["up", "right", "up", "up", "right", "right", "right"]
    assert (curve.path.up.tolist(), curve.path.right.tolist()) == (
        [1, 0, 2, 0, 0, 0],
        [0, 1, 0, 1, 1, 1],
    )


def test_proc_installed_here_agrees_on_awkward_data(rscript: str, tmp_path: Path) -> None:
    """A live run of pROC on ties and a rare class, if R is on this machine."""
    import subprocess

    rng = np.random.Generator(np.random.Philox(11))
    y = (rng.random(400) < 0.07).astype(int)
    s = np.round(rng.normal(size=400) + y, 1)
    np.savetxt(tmp_path / "d.csv", np.column_stack([y, s]), delimiter=",", fmt="%.1f")
    script = (
        "suppressMessages(library(pROC)); d <- read.csv('d.csv', header=FALSE);"
        "r <- roc(d$V1, d$V2, levels=c(0, 1), direction='<', quiet=TRUE);"
        "cat(sprintf('%.15g\\n', c(ci.auc(r), var(r))))"
    )
    out = subprocess.run(
        [rscript, "-e", script], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.split()
    low, value, high, variance = map(float, out)
    result = rs.auc(y, s, interval="delong")
    assert (result.low, result.value, result.high) == pytest.approx((low, value, high), abs=1e-12)
    assert result.std_error == pytest.approx(variance**0.5, abs=1e-12)
