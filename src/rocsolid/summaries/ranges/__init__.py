"""Summaries of rows that come in ascending ranges of scores, each range small enough to hold.

A range knows nothing of the others; ``a.then(b)`` is the summary of both, exactly, where all of
``b`` lies above all of ``a``. So a stream of sorted batches, or partitions sorted on many machines,
come to the same numbers as one sort of everything.
"""
