"""The needed columns of a Spark dataframe, and Spark's jobs."""

from __future__ import annotations

import pickle
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from rocsolid import errors
from rocsolid._version import __version__
from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Columns
from rocsolid.errors import InputError, RocsolidError
from rocsolid.inputs.arrays import of_lists
from rocsolid.inputs.rows import Rows

NAME = "the Spark dataframe"
_WHOLE = ("byte", "short", "integer", "long")
_REAL = ("float", "double")


class SomeRow(Rows):
    __slots__ = ()

    def name(self, positions: Any) -> str:  # noqa: ARG002
        return f"in {NAME}"


SOME_ROW = SomeRow()


@dataclass(frozen=True, slots=True)
class Source:
    """A dataframe whose needed columns get the names of `Columns.short`."""

    frame: Any
    columns: Columns
    types: dict[str, str]

    @classmethod
    def of(cls, frame: Any, columns: Columns) -> Source:
        """Check the names and types of the columns before any job runs."""
        wanted = columns.wanted
        wanted.check(list(frame.columns), NAME)
        present = {field.name: field.dataType.typeName() for field in frame.schema.fields}
        types = {name: present[name] for name in wanted.names}
        for name in (*wanted.labels, *wanted.keys):
            if types[name] in ("array", "struct", "map", "variant"):
                raise of_lists(f"column {name!r}", types[name])
        return cls(frame, columns, types)

    def projected(self) -> Any:
        from pyspark.sql import functions as F

        named = []
        for short, name in self.columns.short.items():
            value = column(name)
            if short == "w":
                value = (value.cast("int") if self.types[name] == "boolean" else value).cast(
                    "double"
                )
            elif short[0] in "bc" and self.types[name] in _REAL:
                value = value + F.lit(0.0)
            named.append(value.alias(short))
        return self.frame.select(*named)

    def without(self, score: str) -> str:
        """Return the SQL condition for rows without the score."""
        return missing(f"s{self.columns.scores.index(score)}", self.types[score])

    @property
    def keys(self) -> list[str]:
        return [f"b{i}" for i in range(len(self.columns.by))]

    def is_number(self, name: str) -> bool:
        return self.types[name] in (*_WHOLE, *_REAL, "boolean")

    def is_whole(self, name: str) -> bool:
        return self.types[name] in (*_WHOLE, "boolean")

    def oriented(self, score: str, as_float: bool) -> Any:
        """Return the score with higher values better, and with -0.0 changed to 0.0.

        As in `rocsolid.inputs.reverse`, integers become their complement (booleans that of a byte).
        """
        from pyspark.sql import functions as F

        value = F.col(f"s{self.columns.scores.index(score)}")
        low = self.columns.lower_is_better
        if self.types[score] == "boolean":
            value = value.cast("int")
            if not as_float:
                return (255 - value if low else value).cast("long")
        elif self.is_whole(score) and not as_float:
            value = value.cast("long")
            return F.bitwise_not(value) if low else value
        value = value.cast("double")
        return (-value if low else value) + F.lit(0.0)


def column(name: str) -> Any:
    """Return a column by its name, which may contain dots."""
    from pyspark.sql import functions as F

    return F.col("`" + name.replace("`", "``") + "`")


def missing(name: str, kind: str) -> str:
    """Return the SQL condition for a missing value."""
    return f"({name} IS NULL OR isnan({name}))" if kind in _REAL else f"({name} IS NULL)"


_OURS = re.compile(r"rocsolid\.errors\.(\w+): (.+?)(?: Fix: (.+?))?\.\s*$", re.MULTILINE)
_RAISED = re.compile(r"^(?:[\w.]+\.)?(\w*(?:Error|Exception|Interrupt)\b.*)$", re.MULTILINE)
_KNOWN = (
    (
        ("No module named 'rocsolid",),
        "Spark's Python workers cannot import rocsolid",
        "install the same version of rocsolid for the workers' Python, and set PYSPARK_PYTHON to "
        f"it before the session starts (here it is {sys.executable})",
    ),
    (
        ("PYTHON_VERSION_MISMATCH", "different minor version"),
        "Spark's Python workers run another version of Python than this process",
        "set PYSPARK_PYTHON, before the session starts, to the same version as here "
        f"({sys.version_info.major}.{sys.version_info.minor})",
    ),
    (
        (
            "exited unexpectedly", "Python worker failed to connect back", "ExecutorLostFailure",
            "EOFException", "Connection reset",
        ),
        "a Spark worker died and Spark gave up on its task, so there is no result",
        "see the executor's log: if its memory ran out, give executors more (Python uses "
        "spark.executor.memoryOverhead)",
    ),
    (
        ("maxResultSize",),
        "the result is larger than Spark lets a driver receive",
        "raise spark.driver.maxResultSize",
    ),
)  # fmt: skip
"""Parts of Spark's messages, what they mean, and the fix."""


def explained(error: Exception) -> RocsolidError:
    """Translate an error of Spark into an error of this library.

    >>> text = "PythonException: ... ModuleNotFoundError: No module named 'rocsolid'"
    >>> explained(RuntimeError(text)).what
    "Spark's Python workers cannot import rocsolid"
    """
    text = str(error)
    ours = _OURS.findall(text)
    if ours:  # raised by rocsolid in a worker
        kind, what, fix = ours[-1]
        of_kind = getattr(errors, kind, InputError)
        again: RocsolidError = of_kind(what.rstrip("."), fix=fix or None)
        return again
    for signs, what, fix in _KNOWN:
        if any(sign in text for sign in signs):
            return InputError(what, where=NAME, fix=fix)
    reasons = _RAISED.findall(text)
    reason = reasons[-1] if reasons else text.strip().partition("\n")[0]
    return InputError(
        f"Spark could not compute the rows: {reason.strip()[:300].rstrip('.')}",
        where=NAME,
        fix="fix what creates the dataframe; its own .count() usually fails in the same way",
    )


ROWS = 1 << 20
"""The target number of rows in a range of scores, which a Python worker sorts in memory."""

_ROWS_A_TASK = 4096  # the fewest rows that justify a separate task


def collected(frame: Any) -> list[Any]:
    try:
        rows: list[Any] = frame.collect()
    except RocsolidError:
        raise
    except Exception as error:  # Spark, py4j and pickle have no common class
        raise explained(error) from error
    return rows


def results(frame: Any, function: Callable[..., Any], *args: Any) -> list[Any]:
    """Return the results that ``function`` yields in each partition, pickled for the transfer."""
    packed = mapped(frame, _pickled, "result binary", function, *args)
    return [pickle.loads(row.result) for row in collected(packed)]


def mapped(frame: Any, function: Callable[..., Any], schema: str, *args: Any) -> Any:
    """Apply ``function`` to the record batches of each partition; versions must agree."""
    context = frame.sparkSession.sparkContext
    before = context.pythonExec
    with warnings.catch_warnings():
        # pandas is not involved, whichever version is installed
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        if context.master.startswith("local"):
            # on one machine this Python has rocsolid; the Python that PATH finds first may not
            context.pythonExec = sys.executable
        try:
            return frame.mapInArrow(partial(_same_version, __version__, function, args), schema)
        except RocsolidError:
            raise
        except Exception as error:
            raise explained(error) from error
        finally:
            context.pythonExec = before


def in_ranges(frame: Any, rows: int, *keys: str) -> Any:
    """Return the rows in ranges of ``keys``, the ranges in ascending order of the partitions."""
    busy = 2 * frame.sparkSession.sparkContext.defaultParallelism
    ranges = max(min(busy, 2 + rows // _ROWS_A_TASK), -(-rows // ROWS))
    return frame.repartitionByRange(ranges, *keys)


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
