"""Segments: the combinations of values that the segment columns take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs import Table, codes


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """Each row's segment number, and the values of the columns that make each segment."""

    code: NDArray[np.int64]
    columns: tuple[str, ...]
    values: tuple[NDArray[Any], ...]

    def __len__(self) -> int:
        return len(self.values[0])

    def key(self, segment: int) -> dict[str, Any]:
        """Column name to value, in plain Python types.

            >>> from rocsolid.inputs import read_table
        >>> table = read_table({"site": ["b", "a", "b"]}, keys=["site"])
            >>> segments_of(table, ["site"]).key(0)
            {'site': 'a'}
        """
        return {
            name: _plain(values[segment])
            for name, values in zip(self.columns, self.values, strict=True)
        }


def segments_of(table: Table, columns: Sequence[str]) -> Segments:
    """The segments that occur, in ascending order of their values."""
    code = np.zeros(len(table), dtype=np.int64)
    found: list[NDArray[Any]] = []
    for name in columns:
        column_code, values = codes(table[name], name=f"column {name!r}", rows=table.rows)
        if not found:
            code, found = column_code, [values]
            continue
        # numbered anew after each column: the product of all their sizes could exceed 64 bits
        occurring, code = np.unique(code * len(values) + column_code, return_inverse=True)
        before, last = np.divmod(occurring, len(values))
        found = [*(earlier[before] for earlier in found), values[last]]
    return Segments(code, tuple(columns), tuple(found))


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
