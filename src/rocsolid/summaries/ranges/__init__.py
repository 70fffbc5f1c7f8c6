"""Summaries of rows in ascending ranges of scores, each small enough for memory.

A range does not depend on others; ``a.then(b)`` is the exact summary of both if all of ``b`` lies
above all of ``a``. Therefore a stream of sorted batches, or partitions sorted on many machines,
gives the same numbers as one sort of all rows.
"""
