"""The questions to a lazy frame's library: counts, and columns as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.kinds import refuse_missing
from rocsolid.errors import InputError, RocsolidError
from rocsolid.inputs.arrays import column

NAME = "the lazy frame"

_CELL = 32  # bytes that a cell of a collected table may take until it is summed up


@dataclass(frozen=True, slots=True, eq=False)
class LazyFrame:
    """A frame of Narwhals, and the memory that a table collected from it may take.

    Nothing is filtered there. NumPy finds the missing values and NaN, as databases leave NaN out of
    the ranges that they look up in place of rows.
    """

    native: Any
    memory: int | None

    @classmethod
    def of(cls, source: Any, memory: int | None) -> LazyFrame:
        import narwhals as nw

        return cls(nw.from_native(source), memory)

    @property
    def names(self) -> list[str]:
        with _computing():
            return list(self.native.collect_schema().names())

    def counted(self, keys: list[str]) -> tuple[dict[str, Any], NDArray[np.int64]]:
        """The combinations of values of some columns that occur, and how often each does."""
        import narwhals as nw

        count = "rows"
        while count.casefold() in (key.casefold() for key in keys):
            count += "_"
        with _computing():
            grouped = self.native.group_by(*keys).agg(nw.len().alias(count))
        table = self._collected(grouped, [*keys, count])
        return table, np.asarray(column(table.pop(count), count), dtype=np.int64)

    def rows(self, names: list[str]) -> dict[str, Any]:
        """Some columns in the order that the library gives."""
        return self._collected(self.native, names)

    def _collected(self, frame: Any, names: list[str]) -> dict[str, Any]:
        """The columns of a frame, unless they would not fit into the memory allowed."""
        import narwhals as nw

        with _computing():
            frame = frame.select(*names)
            if self.memory is not None:
                size = int(frame.select(nw.len()).collect().item()) * len(names) * _CELL
                if size > self.memory:
                    raise InputError(
                        f"the distinct rows would take about {size / 1e6:,.0f} MB of memory, more "
                        f"than the {self.memory / 1e6:,.0f} MB allowed",
                        where=NAME,
                        fix="allow more memory, or write the rows to Parquet files and name those",
                    )
            table = frame.collect()
        return {name: table[name] for name in names}


def refuse_gaps(values: Any, count: NDArray[np.int64], name: str) -> None:
    """A label or a key that is missing is an error, with the number of the rows."""
    bad: NDArray[np.bool_] = values.is_null().to_numpy()
    if values.dtype.is_float():
        bad = bad | values.is_nan().fill_null(value=False).to_numpy()
    refuse_missing(bad, count, name)


@contextmanager
def _computing() -> Iterator[None]:
    """The library's errors become errors of this one."""
    try:
        yield
    except RocsolidError:
        raise
    except Exception as error:  # each library has classes of its own
        said = str(error).strip().partition("\n")[0]
        raise InputError(
            f"the lazy frame cannot be computed: {(said or type(error).__name__).rstrip('.')}",
            where=NAME,
            fix="mend what makes it; collecting it by itself most often fails alike",
        ) from error
