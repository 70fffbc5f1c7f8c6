"""Spark: rows stay in the cluster, sums over ranges of scores come back.

The rows are shuffled into ranges of scores, each range is sorted by NumPy in a Python worker, and
what it comes down to (`rocsolid.summaries.ranges`) is put together here, in order. Nothing is ever
sent to one partition, and no number is binned.
"""

from rocsolid.engines.spark.engine import SparkEngine, open_spark

__all__ = ["SparkEngine", "open_spark"]
