"""Spark: rows stay in the cluster, sums over ranges of scores come back.

The rows are shuffled into ranges of scores. NumPy sorts each range in a Python worker, and the
summaries of the ranges (`rocsolid.summaries.ranges`) are joined here, in order. No partition ever
receives all rows, and no number is binned.
"""

from rocsolid.engines.spark.engine import SparkEngine, open_spark

__all__ = ["SparkEngine", "open_spark"]
