"""``rs.ndcg`` against scikit-learn and ranx: short and long lists, with ties and without.

scikit-learn runs in this process, in turn with rocsolid; it gives the number alone, rocsolid the
values per query, both intervals, the bounds over ties and the value by the other gain. ranx runs in
a Python of its own, named in RANX_PYTHON, as it compiles itself (its first call is timed apart) and
may need other versions; without it that line is skipped.

    python benchmarks/ndcg.py
    RANX_PYTHON=~/ranx/bin/python python benchmarks/ndcg.py
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import ndcg_score

import rocsolid as rs

RANX = """
import sys, time
import numpy as np
from numba.typed import List
start = time.perf_counter()
from ranx import evaluate
found = np.load(sys.argv[1])
docs = np.arange(found["grades"].shape[1], dtype=np.float64)
def pairs(values):  # sorted, as its own objects hold them: sorting is not in its time
    order = np.argsort(-values, axis=1)
    return List([np.column_stack([docs[at], row[at]]) for at, row in
                 zip(order, values.astype(np.float64))])
qrels, run = pairs(found["grades"]), pairs(found["scores"])
ready = time.perf_counter()
value = evaluate(qrels, run, "ndcg", return_mean=True)
cold = time.perf_counter() - ready
warm = []
for _ in range(7):
    ready = time.perf_counter()
    evaluate(qrels, run, "ndcg", return_mean=True)
    warm.append(time.perf_counter() - ready)
print(value, cold, sorted(warm)[3], time.perf_counter() - start - cold - sum(warm))
"""


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


def lists(queries: int, documents: int, decimals: int | None = None) -> tuple[Any, Any]:
    rng = np.random.default_rng(queries)
    grades = rng.integers(0, 5, (queries, documents))
    scores = rng.normal(size=grades.shape) + grades / 4
    return grades, scores if decimals is None else scores.round(decimals)


def against_scikit_learn(queries: int, documents: int, **options: Any) -> None:
    decimals = options.pop("decimals", None)
    grades, scores = lists(queries, documents, decimals)
    binary = grades > 3
    t = medians(
        {
            "rocsolid": lambda: rs.ndcg(grades, scores, **options),
            "binary": lambda: rs.ndcg(binary, scores, **options),
            "scikit-learn": lambda: ndcg_score(grades, scores, **options),
        },
        5,
    )
    asked = ", ".join(f"{name}={value}" for name, value in options.items())
    ties = "" if decimals is None else f", scores of {decimals} decimals"
    print(
        f"{queries:,} × {documents:,} documents{', ' * bool(asked)}{asked}{ties}: "
        f"rocsolid {t['rocsolid']:.3f} s, {t['scikit-learn'] / t['rocsolid']:.1f} times as fast as "
        f"scikit-learn; with grades 0 and 1 {t['scikit-learn'] / t['binary']:.1f} times"
    )


def against_ranx(queries: int, documents: int) -> None:
    grades, scores = lists(queries, documents)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lists.npz"
        np.savez(path, grades=grades, scores=scores)
        command = [os.environ.get("RANX_PYTHON", sys.executable), "-c", RANX, str(path)]
        cold_cache = {**os.environ, "NUMBA_CACHE_DIR": folder}  # or an earlier run would warm it
        done = subprocess.run(command, capture_output=True, text=True, env=cold_cache)
    if done.returncode:
        print(f"ranx: skipped ({done.stderr.strip().splitlines()[-1]})")
        return
    value, cold, warm, before = map(float, done.stdout.split())
    mine = rs.ndcg(grades, scores)
    again = statistics.median(clock(lambda: rs.ndcg(grades, scores)) for _ in range(7))
    code = "import numpy, rocsolid as rs; rs.ndcg(numpy.eye(20), numpy.eye(20))"
    first = clock(lambda: subprocess.run([sys.executable, "-c", code], check=True))
    print(
        f"{queries:,} × {documents:,} documents: rocsolid {again:.3f} s, ranx warm {warm:.3f} s "
        f"({warm / again:.1f} times), first call {cold:.1f} s ({cold / again:.0f} times), after "
        f"{before:.1f} s of imports and lists; a whole process of rocsolid on a small list takes "
        f"{first:.2f} s. Values differ by {abs(value - mine.value):.1e}"
    )


def alone(queries: int, documents: int) -> None:
    grades, scores = lists(queries, documents)
    qid = np.repeat(np.arange(queries), documents)
    flat = grades.ravel(), scores.ravel()
    t = medians({"rocsolid": lambda: rs.ndcg(*flat, qid=qid)}, 3)
    print(f"{queries:,} × {documents:,} documents as columns: rocsolid {t['rocsolid']:.2f} s")


if __name__ == "__main__":
    against_scikit_learn(2_000, 1_000)
    against_scikit_learn(2_000, 1_000, k=10)
    against_scikit_learn(2_000, 1_000, decimals=2)
    against_scikit_learn(20_000, 20)
    against_ranx(2_000, 1_000)
    alone(1_000_000, 10)
    alone(1, 1_000_000)
