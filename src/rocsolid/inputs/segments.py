"""Segments: the combinations of values that the segment columns take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs.groups import codes, combined, plain
from rocsolid.inputs.tables import Table


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
            name: plain(values[segment])
            for name, values in zip(self.columns, self.values, strict=True)
        }


def segments_of(table: Table, columns: Sequence[str]) -> Segments:
    """The segments that occur, in ascending order of their values."""
    code, found = combined(
        [codes(table[name], name=f"column {name!r}", rows=table.rows) for name in columns]
    )
    return Segments(code, tuple(columns), found)
