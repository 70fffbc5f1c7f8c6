"""Three million distinct scores on two local cores of Spark: ours beside Spark ML's evaluator.

Both run in the same session on the same cached rows. Spark ML bins the scores to 1,000 thresholds
unless told not to (numBins=0); ours is exact, which the rows in memory confirm. Then two scores are
compared with weights and clusters: other measures beside the AUC, by the processor time of this
process, Java and its Python workers.

    python benchmarks/spark_engine.py [rows]
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import rocsolid as rs
from rocsolid.engines.engine import Columns
from rocsolid.engines.spark import open_spark
from rocsolid.evaluation.compare_table import compare_table

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000_000
ROUNDS = 2
COMPARED = ("auc", "pr_auc", "pr_auc(davis-goadrich)", "gain", "bedroc(20)")
OFF = 1e-9


def rows(spark: Any) -> Any:
    """Two normal samples, a quarter of the rows positive; all scores differ."""
    positive = (F.rand(seed=1) < 0.25).cast("int")
    frame = spark.range(ROWS).select(positive.alias("y"), F.randn(seed=2).alias("noise"))
    frame = frame.select("y", (F.col("noise") + F.col("y")).alias("s")).persist()
    frame.count()
    return frame


def timed(task: Callable[[Any], float], frame: Any) -> tuple[float, float]:
    start = time.perf_counter()
    found = task(frame)
    return found, time.perf_counter() - start


def ours(frame: Any) -> float:
    with closing(open_spark(frame, Columns("y", ("s",)))) as engine:
        engine.check()
        summary = engine.summary("s").summary
    assert summary is not None
    return summary.auc


def processor_time() -> float:
    """Seconds of this process and of all that it started, those that ended included."""
    taken, children = {}, defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        pid = int(stat.parent.name)
        children[int(fields[1])].append(pid)
        taken[pid] = sum(map(int, fields[11:15]))
    total, waiting = 0, [os.getpid()]
    while waiting:
        pid = waiting.pop()
        total += taken.get(pid, 0)
        waiting += children[pid]
    return total / os.sysconf("SC_CLK_TCK")


def two_scores(frame: Any) -> Any:
    """A second score, weights, and clusters of four rows or so."""
    drawn = frame.select(
        "y",
        "s",
        (F.col("s") + F.randn(seed=4)).alias("t"),
        F.rand(seed=5).alias("w"),
        F.floor(F.rand(seed=6) * (ROWS / 4)).alias("c"),
    ).persist()
    drawn.count()
    return drawn


def compared(source: Any, measure: str) -> Any:
    found = compare_table(
        source, label="y", scores=["s", "t"], measure=measure, sample_weight="w", cluster="c"
    )
    return found.comparisons[None].pairs[0]


def paired(frame: Any) -> None:
    """Every measure against the AUC, and against memory."""
    rows = two_scores(frame)
    held = rows.toArrow()
    print(f"{ROWS:,} rows, two scores compared with weights and clusters", flush=True)
    least: dict[str, float] = {}
    compared(rows.limit(5_000).persist(), "auc")
    for measure in COMPARED:
        for _ in range(ROUNDS):
            start = processor_time()
            pair = compared(rows, measure)
            taken = processor_time() - start
            least[measure] = min(taken, least.get(measure, taken))
        exact = compared(held, measure)
        off = abs(pair.difference - exact.difference), abs(pair.high - exact.high)
        ratio = least[measure] / least["auc"]
        print(
            f"  {measure:<24} {least[measure]:6.1f} s of processors at least, "
            f"{ratio:4.2f} times the AUC's, off by {max(off):.0e}",
            flush=True,
        )
        if not max(off) < OFF:
            raise SystemExit(f"{measure} on Spark is not that in memory")


def main() -> None:
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "3g",
        "spark.log.level": "ERROR",
    }
    spark = SparkSession.builder.master("local[2]").config(map=options).getOrCreate()
    frame = rows(spark)
    ml = BinaryClassificationEvaluator(rawPredictionCol="s", labelCol="y")
    all_bins = BinaryClassificationEvaluator(rawPredictionCol="s", labelCol="y", numBins=0)
    tasks: dict[str, Callable[[Any], float]] = {
        "rocsolid": ours,
        "Spark ML, 1,000 bins": ml.evaluate,
        "Spark ML, numBins=0": all_bins.evaluate,
    }
    few = frame.sample(0.001, seed=3).persist()
    for task in tasks.values():  # starts Python workers and compiles
        task(few)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in tasks}
    for _ in range(ROUNDS):
        for name, task in tasks.items():
            found[name].append(timed(task, frame))
    held = frame.toArrow()
    memory = rs.auc(np.asarray(held["y"]), np.asarray(held["s"])).value
    best = {name: min(took for _, took in runs) for name, runs in found.items()}
    print(f"{ROWS:,} distinct scores, local[2], the faster of {ROUNDS} runs")
    for name, runs in found.items():
        value, ratio = runs[0][0], best[name] / best["rocsolid"]
        print(
            f"  {name:<20} {best[name]:6.1f} s, {ratio:4.1f} times as long, "
            f"AUC {value!r}, off by {value - memory:.0e}"
        )
    print(f"  in memory: AUC {memory!r}")
    if any(value != memory for value, _ in found["rocsolid"]):
        raise SystemExit("the AUC on Spark is not that in memory")
    paired(frame)
    spark.stop()


if __name__ == "__main__":
    main()
