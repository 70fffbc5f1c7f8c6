"""The page for pROC users says what is so: its tables are run, and its counts counted.

What is deterministic on both sides must agree to the digits that the page claims. What is resampled
must lie within the distance that the page allows, which is about five standard deviations of the
resampling on both sides: a false alarm in a million runs and row, and none while seeds stay.
"""

from __future__ import annotations

import csv
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


def load_benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "proc_parity", ROOT / "benchmarks" / "proc_parity.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["proc_parity"] = module  # its dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


parity = load_benchmark()
TEXT = (ROOT / "benchmarks" / "proc_parity.md").read_text("utf-8")
ROWS = parity.rows_of(TEXT)
FUNCTIONS = (
    "roc", "auc", "ci.auc", "ci.se", "ci.sp", "ci.thresholds", "ci.coords", "coords", "var", "cov",
    "roc.test", "power.roc.test", "smooth", "multiclass.roc",
)  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_has_a_row(function: str) -> None:
    call = re.compile(rf"(?<![\w.]){re.escape(function)}\(")
    assert any(call.search(row.theirs) for row in ROWS)


def test_every_reason_is_given_and_used() -> None:
    given = [int(number) for number in re.findall(r"^\| (\d+) \|", TEXT, re.MULTILINE)]
    assert given == list(range(1, len(given) + 1))
    assert {row.reason for row in ROWS} - {None} == set(given)
    assert all(row.digits == 10 for row in ROWS if row.digits and row.reason is None)


def test_a_claim_too_many_is_noticed() -> None:
    """Each kind of claim fails when the numbers do not bear it out."""
    claims = [("10", 1e-8), ("±0.1", 0.2), ("differs (1)", 0.0)]
    for agree, off in claims:
        row = parity.Row("x", "y", "1; ours 1.5", agree)
        pairs = [([1.0], [1.0 + off])]
        assert not parity.holds(row, parity.remeasured(row, pairs))
    with pytest.raises(ValueError, match="not a claim"):
        parity.Row("x", "y", "1; ours 1.5", "differs").digits  # noqa: B018


@pytest.fixture(scope="module")
def asah(data: Path) -> dict[str, Any]:
    """The data of the page's calls, on aSAH."""
    with (data / "auc" / "asah.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    of = {name: np.array([float(row[name]) for row in rows]) for name in ("s100b", "wfns", "ndka")}
    classes = {"1": "dead", "3": "disabled", "4": "disabled", "5": "well"}
    table = parity.Table(
        y=np.array([float(row["outcome"] == "Poor") for row in rows]),
        a=of["s100b"],
        b=of["wfns"],
        man=np.array([row["gender"] == "Male" for row in rows]),
        k=np.array([classes[row["gos6"]] for row in rows]),
        P={"dead": of["s100b"], "disabled": of["ndka"], "well": -of["s100b"]},
    )
    names: dict[str, Any] = table.names()
    return names


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.theirs)
def test_our_numbers_are_those_on_the_page(asah: dict[str, Any], row: Any) -> None:
    """Without R: ours on aSAH are pROC's as printed, or what the page says that they are."""
    ours = parity.numbers(eval(row.ours, asah))
    if row.distance is not None:
        theirs = [float(number) for number in row.shown.split(" to ")]
        assert ours == pytest.approx(theirs, abs=row.distance)
    elif row.digits is not None:
        assert parity.in_words(ours) == row.shown
    else:
        assert row.shown.split("; ours ")[1] == parity.in_words(ours)


def test_proc_installed_here(rscript: str, tmp_path: Path) -> None:
    """A live run of both calls of every row; where numbers differ, for the page's version only."""
    version = subprocess.run(
        [rscript, "-e", "cat(format(packageVersion('pROC')))"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    results = parity.measured(ROWS, rscript, tmp_path)
    assert len(results) == len(ROWS) > 75
    for row, pairs in results:
        compared = row.digits is not None or row.distance is not None
        if compared or f"pROC {version}" in TEXT:
            found = parity.remeasured(row, pairs)
            assert parity.holds(row, found), f"{row} was {found}"
