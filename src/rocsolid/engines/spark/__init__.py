"""Spark sorts rows in ranges of scores, and sums over the ranges come back.

NumPy sorts each range in a Python worker. The driver joins the summaries of the ranges in order
(`rocsolid.summaries.ranges`). No partition receives all rows, and no number is binned.
"""

from rocsolid.engines.spark.engine import SparkEngine, open_spark

__all__ = ["SparkEngine", "open_spark"]
