"""scikit-learn's own tests, from its wheel (1.9), pass with rocsolid's functions in their place.

The numbers of tests are those that pass with scikit-learn's own functions under the same selection
(1.9.1, without torch and array_api_strict, whose tests are skipped).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ALL = {"auc", "average_precision_score", "precision_recall_curve", "roc_auc_score", "roc_curve"}
LISTS = {"dcg_score", "label_ranking_average_precision_score", "ndcg_score"}

# module, selection, tests that must pass, functions that they must call
RUNS = [
    (
        "sklearn.metrics.tests.test_ranking",
        "roc or auc or average_precision or precision_recall or ranking_metrics or invariance",
        96,
        ALL,
    ),
    (
        "sklearn.metrics.tests.test_common",
        "roc or average_precision or precision_recall",
        149,
        ALL - {"auc"},
    ),
    (
        "sklearn.tests.test_public_functions",
        "metrics.auc or roc_auc or roc_curve or average_precision or precision_recall_curve",
        6,
        ALL,
    ),
    (
        "sklearn.metrics.tests.test_ranking",
        "dcg or lrap or label_ranking or zero_or_all or degenerate or ties or simple or random",
        40,
        LISTS,
    ),
    ("sklearn.metrics.tests.test_common", "dcg or label_ranking", 36, LISTS),
    ("sklearn.tests.test_public_functions", "dcg or label_ranking", 4, LISTS),
]


SOON = RUNS[0], RUNS[2]
"""Those of `make test`; the others start as many programs again."""


@pytest.mark.parametrize(
    ("module", "selection", "expected", "called"),
    [pytest.param(*run, marks=[pytest.mark.slow] * (run not in SOON)) for run in RUNS],
    ids=[f"{run[0]} {i}" for i, run in enumerate(RUNS)],
)
def test_sklearn_own_tests(
    module: str, selection: str, expected: int, called: set[str], tmp_path: Path
) -> None:
    tests = Path(__file__).parents[1]
    config = tmp_path / "pytest.ini"
    config.write_text("[pytest]\n")  # theirs, not ours: no doctests, their own warnings
    environment = {**os.environ, "PYTHONPATH": str(tests), "OMP_NUM_THREADS": "1"}
    environment.pop("SCIPY_ARRAY_API", None)
    environment.pop("PYTEST_ADDOPTS", None)
    command = [
        *(sys.executable, "-m", "pytest", "-p", "sklearn_plugin", "-p", "no:cacheprovider"),
        *("-c", str(config), "--rootdir", str(tmp_path), "-q", "--tb=short"),
        *("--pyargs", module, "-k", selection),
    ]
    run = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    report = f"{run.stdout[-4000:]}\n{run.stderr[-2000:]}"
    assert run.returncode == 0, report
    passed = re.search(r"^(\d+) passed", run.stdout, re.MULTILINE)
    assert passed is not None, report
    assert int(passed[1]) >= expected, report
    assert "original left" not in run.stdout, report
    calls = {name: int(n) for name, n in re.findall(r"rocsolid called: (\w+) (\d+)", run.stdout)}
    assert {name for name, n in calls.items() if n > 0} >= called, report
