"""What Spark says when a job fails, in words that say what to do."""

from __future__ import annotations

import re
import sys

from rocsolid import errors
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
