"""Spark sorts rows in ranges of scores, and this process combines the sums over the ranges.

NumPy sorts each range in a Python worker. The driver joins the summaries of the ranges in order
(`rocsolid.summaries.ranges`). No partition receives all rows, and the results are exact.
"""

from rocsolid.engines.spark.engine import SparkEngine, open_spark

__all__ = ["SparkEngine", "open_spark"]
