"""Jobs sent to Spark: their plans, what they return, and tables that live for a while."""

from __future__ import annotations

import pickle
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from rocsolid import errors
from rocsolid._version import __version__
from rocsolid.errors import InputError, RocsolidError

_OURS = re.compile(r"rocsolid\.errors\.(\w+): (.+?)(?: Fix: (.+?))?\.\s*$", re.MULTILINE)
_RAISED = re.compile(r"^(?:[\w.]+\.)?(\w*(?:Error|Exception|Interrupt)\b.*)$", re.MULTILINE)
_GONE = (
    "exited unexpectedly",
    "Python worker failed to connect back",
    "ExecutorLostFailure",
    "EOFException",
    "Connection reset",
)


def explained(error: Exception, source: str) -> RocsolidError:
    """The error to raise in place of one that Spark raised.

    >>> text = "PythonException: ... ModuleNotFoundError: No module named 'rocsolid'"
    >>> explained(RuntimeError(text), "the Spark dataframe").what
    "Spark's Python workers cannot import rocsolid"
    """
    text = str(error)
    if "No module named 'rocsolid" in text:
        return InputError(
            "Spark's Python workers cannot import rocsolid",
            where=source,
            fix="install the same version of rocsolid for the workers' Python, and set "
            f"PYSPARK_PYTHON to it before the session starts (here it is {sys.executable})",
        )
    if "PYTHON_VERSION_MISMATCH" in text or "different minor version" in text:
        return InputError(
            "Spark's Python workers run another version of Python than this process",
            where=source,
            fix="set PYSPARK_PYTHON, before the session starts, to the same version as here "
            f"({sys.version_info.major}.{sys.version_info.minor})",
        )
    ours = _OURS.findall(text)
    if ours:  # raised by rocsolid in a worker
        kind, what, fix = ours[-1]
        of_kind = getattr(errors, kind, InputError)
        again: RocsolidError = of_kind(what.rstrip("."), fix=fix or None)
        return again
    if any(sign in text for sign in _GONE):
        return InputError(
            "a Spark worker died and Spark gave up on its task, so there is no result",
            where=source,
            fix="look for its end in the executor's log: most often its memory ran out, then give "
            "executors more (spark.executor.memoryOverhead is what Python has)",
        )
    if "maxResultSize" in text:
        return InputError(
            "the result is larger than Spark lets a driver receive",
            where=source,
            fix="raise spark.driver.maxResultSize",
        )
    reasons = _RAISED.findall(text)
    reason = reasons[-1] if reasons else text.strip().partition("\n")[0]
    return InputError(
        f"Spark could not compute the rows: {reason.strip()[:300].rstrip('.')}",
        where=source,
        fix="mend what makes the dataframe; its own .count() most often fails alike",
    )


ROWS = 1 << 20
"""Rows that a range of scores should have: they are sorted in a Python worker's memory."""

_ROWS_A_TASK = 4096  # rows that are worth a task of their own


def collected(frame: Any, source: str) -> list[Any]:
    """The rows of a small result, in the order of the partitions."""
    try:
        rows: list[Any] = frame.collect()
    except RocsolidError:
        raise
    except Exception as error:  # Spark, py4j and pickle have no class in common
        raise explained(error, source) from error
    return rows


def results(frame: Any, function: Callable[..., Any], source: str, *args: Any) -> list[Any]:
    """What ``function`` yields in each partition, as it yields it, pickled on the way."""
    packed = mapped(frame, _pickled, "result binary", function, *args)
    return [pickle.loads(row.result) for row in collected(packed, source)]


def mapped(frame: Any, function: Callable[..., Any], schema: str, *args: Any) -> Any:
    """``function`` over the record batches of each partition, with the same rocsolid as here."""
    context = frame.sparkSession.sparkContext
    before = context.pythonExec
    with warnings.catch_warnings():
        # no pandas takes part, whichever version is installed
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        if context.master.startswith("local"):
            # on one machine this Python is the one that has rocsolid, whatever PATH finds first
            context.pythonExec = sys.executable
        try:
            return frame.mapInArrow(partial(_same_version, __version__, function, args), schema)
        except RocsolidError:
            raise
        except Exception as error:
            raise explained(error, "the Spark dataframe") from error
        finally:
            context.pythonExec = before


def in_ranges(frame: Any, rows: int, *keys: str) -> Any:
    """The rows in ranges of ``keys``, the ranges in ascending order of the partitions."""
    busy = 2 * frame.sparkSession.sparkContext.defaultParallelism
    ranges = max(min(busy, 2 + rows // _ROWS_A_TASK), -(-rows // ROWS))
    return frame.repartitionByRange(ranges, *keys)


@contextmanager
def cached(frame: Any) -> Iterator[Any]:
    """A table that is read twice, kept by Spark until the block ends, however it ends."""
    from pyspark import StorageLevel

    frame.persist(StorageLevel.MEMORY_AND_DISK)
    try:
        yield frame
    finally:
        frame.unpersist()


def _same_version(
    version: str, function: Callable[..., Any], args: tuple[Any, ...], batches: Iterator[Any]
) -> Iterator[Any]:
    if version != __version__:
        raise InputError(
            f"Spark's Python workers have rocsolid {__version__}, this process has {version}",
            fix="install the same version for both",
        )
    return function(batches, *args)  # type: ignore[no-any-return]


def _pickled(batches: Iterator[Any], function: Callable[..., Any], *args: Any) -> Iterator[Any]:
    import pyarrow as pa

    for result in function(batches, *args):
        yield pa.RecordBatch.from_pydict({"result": [pickle.dumps(result)]})
