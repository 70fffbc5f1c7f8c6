"""``rs.ndcg`` against scikit-learn and ranx: short and long lists, with ties and without.

scikit-learn runs in this process, in turn with rocsolid; it gives the number alone, rocsolid the
values per query, both intervals, the bounds over ties and the value by the other gain. ranx runs in
a Python of its own, named in RANX_PYTHON, as it compiles itself (its first call is timed apart) and
may need other versions; without it that line is skipped.

Processor time, except of ranx, which is timed by the clock on one thread.

    python benchmarks/ndcg.py            about a minute
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

from processor import against, figure, in_turn, seconds  # before NumPy

# isort: split
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
    """By the clock, as ranx is."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def lists(queries: int, documents: int, decimals: int | None = None) -> tuple[Any, Any]:
    rng = np.random.default_rng(queries)
    grades = rng.integers(0, 5, (queries, documents))
    scores = rng.normal(size=grades.shape) + grades / 4
    return grades, scores if decimals is None else scores.round(decimals)


def against_scikit_learn(queries: int, documents: int, **options: Any) -> None:
    decimals = options.pop("decimals", None)
    grades, scores = lists(queries, documents, decimals)
    asked = "".join(f", {name}={value}" for name, value in options.items())
    ties = "" if decimals is None else f", scores of {decimals} decimals"
    for kind, relevance in (("five grades", grades), ("grades 0 and 1", (grades > 3).astype(int))):
        t = in_turn(
            {
                "rocsolid": lambda relevance=relevance: rs.ndcg(relevance, scores, **options),
                "scikit-learn": lambda relevance=relevance: ndcg_score(
                    relevance, scores, **options
                ),
            },
            5,
        )
        against(f"{queries:,} × {documents:,} documents{asked}, {kind}{ties}", t)


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
        f"{queries:,} × {documents:,} documents: {figure(warm / again)} times as fast as ranx warm "
        f"({figure(again)} s, ranx {figure(warm)} s), {figure(cold / again)} times its first call, "
        f"after {figure(before)} s of imports and lists; a whole process of rocsolid on a small "
        f"list takes {figure(first)} s. Values differ by {abs(value - mine.value):.1e}"
    )


def alone(queries: int, documents: int) -> None:
    grades, scores = lists(queries, documents)
    qid = np.repeat(np.arange(queries), documents)
    flat = grades.ravel(), scores.ravel()
    t = in_turn({"rocsolid": lambda: rs.ndcg(*flat, qid=qid)}, 3)
    print(f"{queries:,} × {documents:,} documents as columns: {seconds(t['rocsolid'])}")


if __name__ == "__main__":
    against_scikit_learn(2_000, 1_000)
    against_scikit_learn(2_000, 1_000, k=10)
    against_scikit_learn(2_000, 1_000, decimals=2)
    against_scikit_learn(20_000, 20)
    against_ranx(2_000, 1_000)
    alone(1_000_000, 10)
    alone(1, 1_000_000)
