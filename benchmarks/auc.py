"""``rs.auc`` and ``rs.evaluate`` against scikit-learn, a sort, and the clock, in one process.

Runs alternate, medians are compared, and ratios are printed. scikit-learn computes the number
alone; rocsolid the number, both intervals and the fingerprint.

    python benchmarks/auc.py            everything, about three minutes
    python benchmarks/auc.py --quick    without the 10⁷ rows
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.metrics import roc_auc_score

import rocsolid as rs
from rocsolid.summaries.fingerprint import Fingerprint


def clock(task: Callable[[], Any]) -> float:
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def medians(tasks: dict[str, Callable[[], Any]], runs: int) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for task in tasks.values():  # the first run of each warms caches and imports
        task()
    for _ in range(runs):
        for name, task in tasks.items():
            times[name].append(clock(task))
    return {name: statistics.median(values) for name, values in times.items()}


def rows(size: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(size)
    y = (rng.random(size) < share).astype(np.int64)
    return y, rng.normal(size=size) + y


def one_score(size: int, share: float, runs: int) -> None:
    y, s = rows(size, share)
    t = medians(
        {
            "rocsolid": lambda: rs.auc(y, s),
            "scikit-learn": lambda: roc_auc_score(y, s),
            "sort": lambda: np.sort(s),
            "fingerprint": lambda: Fingerprint.of(s),
        },
        runs,
    )
    print(
        f"{size:>10,} rows, {share:.0%} positive: rocsolid {t['rocsolid']:.4f} s, "
        f"{t['scikit-learn'] / t['rocsolid']:.1f} times as fast as scikit-learn, "
        f"{t['rocsolid'] / t['sort']:.2f} times one np.sort, "
        f"fingerprint {t['fingerprint'] / t['rocsolid']:.0%} of it"
    )


def memory(size: int) -> None:
    y, s = rows(size, 0.5)
    rs.auc(y[:100], s[:100])
    tracemalloc.start()
    rs.auc(y, s)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"{size:>10,} rows: peak extra memory {peak / (y.nbytes + s.nbytes):.2f} times the input")


def groups(count: int, each: int) -> None:
    y, s = rows(count * each, 0.5)
    table = {"y": y, "s": s, "g": np.repeat(np.arange(count), each)}
    few = 2_000
    t = medians(
        {
            "rocsolid": lambda: rs.evaluate(table, label="y", scores="s", by="g"),
            "scikit-learn": lambda: [
                roc_auc_score(y[i : i + each], s[i : i + each]) for i in range(0, few * each, each)
            ],
        },
        3,
    )
    loop = t["scikit-learn"] * count / few
    print(
        f"{count:,} groups of {each}: rocsolid {t['rocsolid']:.2f} s, "
        f"{loop / t['rocsolid']:.0f} times as fast as a loop of scikit-learn "
        f"({loop:.0f} s, from {few:,} groups)"
    )


def command_line(size: int) -> None:
    y, s = rows(size, 0.3)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.parquet"
        pq.write_table(pa.table({"y": y, "s": s}), path)
        command = [sys.executable, "-m", "rocsolid", "evaluate", str(path)]
        command += ["--label", "y", "--score", "s"]
        t = medians({"run": lambda: subprocess.run(command, capture_output=True, check=True)}, 5)
    print(f"rocsolid evaluate on {size:,} rows of Parquet, whole process: {t['run']:.2f} s")


if __name__ == "__main__":
    for share in (0.5, 0.01):
        one_score(10**5, share, 15)
    command_line(10**6)
    groups(100_000, 50)
    if "--quick" not in sys.argv:
        memory(10**7)
        for share in (0.5, 0.01):
            one_score(10**7, share, 3)
