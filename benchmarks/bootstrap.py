"""2,000 resamples of 10⁵ rows for three models at once, against scikit-learn and R's pROC.

scikit-learn's side is the loop that people write: resampled indices, then ``roc_auc_score`` of each
model. pROC's is ``ci.auc(method="bootstrap")`` of each model and ``roc.test(method="bootstrap")``
of two. All times are processor times, R's by its own count. Both are timed on fewer resamples
(``--full`` runs them all) and their time is multiplied up, which is fair as each resample takes as
long as the next. We are timed before and after each of them, on all resamples, and the median
counts. pROC is skipped where there is no R.

    python benchmarks/bootstrap.py            about a minute
    python benchmarks/bootstrap.py --full     about half an hour
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import processor  # noqa: F401  one thread of BLAS, before NumPy

# isort: split
import numpy as np
from sklearn.metrics import roc_auc_score

import rocsolid as rs
from rocsolid.binary.resampling.replicates import replicates
from rocsolid.inputs import BinaryRows

ROWS, RESAMPLES = 100_000, 2_000
FULL = "--full" in sys.argv
SCRIPT = """
suppressMessages(library(pROC))
arguments <- commandArgs(TRUE)
data <- read.csv(arguments[1])
n <- as.integer(arguments[2])
curves <- lapply(c("a", "b", "c"), function(name)
  roc(data$y, data[[name]], levels = c(0, 1), direction = "<", quiet = TRUE))
ci <- sum(system.time(for (curve in curves)
  ci.auc(curve, method = "bootstrap", boot.n = n, progress = "none"))[c("user.self", "sys.self")])
test <- sum(system.time(roc.test(curves[[1]], curves[[2]], method = "bootstrap", paired = TRUE,
  boot.n = n, progress = "none"))[c("user.self", "sys.self")])
cat(ci, test, as.character(packageVersion("pROC")))
"""


def clock(task: Callable[[], Any]) -> float:
    start = time.process_time()
    task()
    return time.process_time() - start


def data(rows: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(rows)
    y = rng.random(rows) < 0.3
    common = rng.normal(size=rows)
    return y, {
        name: common + rng.normal(size=rows) + shift * y
        for name, shift in (("a", 1.0), ("b", 1.2), ("c", 1.5))
    }


def loop(y: np.ndarray, scores: dict[str, np.ndarray], resamples: int) -> None:
    rng = np.random.default_rng(0)
    pos, neg = np.flatnonzero(y), np.flatnonzero(~y)
    for _ in range(resamples):
        at = np.concatenate([rng.choice(pos, len(pos)), rng.choice(neg, len(neg))])
        for score in scores.values():
            roc_auc_score(y[at], score[at])


def proc(y: np.ndarray, scores: dict[str, np.ndarray], resamples: int) -> tuple[float, float, str]:
    with tempfile.TemporaryDirectory() as folder:
        table, script = Path(folder) / "scores.csv", Path(folder) / "time.R"
        columns = np.column_stack([y, *scores.values()])
        np.savetxt(table, columns, delimiter=",", header="y,a,b,c", comments="", fmt="%.17g")
        script.write_text(SCRIPT)
        command = ["Rscript", str(script), str(table), str(resamples)]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(out[0]), float(out[1]), out[2]


def main() -> None:
    y, scores = data(ROWS)
    models = [BinaryRows(y, score) for score in scores.values()]
    ours: list[float] = []

    def run() -> None:
        ours.append(clock(lambda: replicates(models, resamples=RESAMPLES, seed=0)))

    run()
    ours.clear()
    run()
    some = RESAMPLES if FULL else 20
    sklearn = clock(lambda: loop(y, scores, some)) * RESAMPLES / some
    run()
    said = "" if FULL else f" (from {some})"
    found = None
    if shutil.which("Rscript") is not None:
        some_r = RESAMPLES if FULL else 20
        found = proc(y, scores, some_r)
        said_r = "" if FULL else f" (from {some_r})"
        run()
    base = statistics.median(ours)
    print(f"{RESAMPLES:,} resamples, {ROWS:,} rows, three models: rocsolid {base:.2f} s")
    print(f"    scikit-learn in a loop{said}: {sklearn:.0f} s, {sklearn / base:.0f} times as long")
    if found is None:
        print("    no R on this machine: pROC is not compared")
    else:
        ci, test, version = (found[0] * RESAMPLES / some_r, found[1] * RESAMPLES / some_r, found[2])
        print(
            f"    pROC {version}, ci.auc of each{said_r}: {ci:.0f} s, {ci / base:.0f} times as long"
        )
        print(f"    pROC {version}, roc.test of two: {test:.0f} s, {test / base:.0f} times as long")
    for scheme in ("plain", "poisson", "bayesian"):
        taken = clock(lambda s=scheme: replicates(models, resamples=RESAMPLES, seed=0, scheme=s))
        print(f"    scheme {scheme}: {taken / base:.1f} times the stratified one")
    for name in ("bootstrap-percentile", "bootstrap-bca", "bootstrap-logit"):
        taken = clock(lambda n=name: rs.auc(y, scores["a"], interval=n))
        print(f"    rs.auc of one model, {name}: {taken:.2f} s")


if __name__ == "__main__":
    main()
