"""Three million distinct scores on two local cores of Spark: ours beside Spark ML's evaluator.

Both run in the same session on the same cached rows. Spark ML bins the scores to 1,000 thresholds
unless told not to (numBins=0); ours is exact, which the rows in memory confirm.

    python benchmarks/spark_engine.py
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import rocsolid as rs
from rocsolid.engines.engine import Columns
from rocsolid.engines.spark import open_spark

ROWS = 3_000_000
ROUNDS = 2


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
    spark.stop()


if __name__ == "__main__":
    main()
