"""The statements of a publication about labels, by row."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

_INTS = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Statements:
    """low ≤ weights·labels ≤ high, in integers: one line per published number.

    ``ids`` are the names of the rows, and ``unit`` the unit of each row, whose rows share a label.
    ``weights`` has a column for each unit. The first line counts the positive rows.
    """

    ids: tuple[bytes, ...]
    unit: _INTS
    weights: _INTS
    low: _INTS
    high: _INTS

    @classmethod
    def of(
        cls, ids: Sequence[bytes], unit: _INTS, weights: _INTS, low: _INTS, high: _INTS
    ) -> Statements:
        """Return the statements with the rows in the order of their names, so that tables whose
        rows have another order make equal statements.
        """
        order = sorted(range(len(ids)), key=ids.__getitem__)
        units, first, renamed = np.unique(unit[order], return_index=True, return_inverse=True)
        rank = np.argsort(np.argsort(first))
        return cls(
            tuple(ids[row] for row in order),
            rank[renamed.reshape(-1)].astype(np.int64),
            weights[:, units[np.argsort(first)]], low, high,
        )  # fmt: skip

    def to_bytes(self) -> bytes:
        """Encode the statements; equal statements have equal bytes.

        >>> one = np.ones((1, 2), dtype=np.int64)
        >>> stated = Statements.of([b"b", b"a"], np.arange(2), one, one[0, :1], one[0, :1])
        >>> Statements.of_bytes(stated.to_bytes()).ids
        (b'a', b'b')
        """
        lines, units = self.weights.shape
        sizes = [len(row_id) for row_id in self.ids]
        header = {"lines": lines, "units": units, "ids": sizes}
        arrays = (self.unit, self.low, self.high, self.weights)
        body = b"".join((*self.ids, *(values.astype("<i8").tobytes() for values in arrays)))
        return zlib.compress(json.dumps(header).encode() + b"\n" + body)

    @classmethod
    def of_bytes(cls, encoded: bytes) -> Statements:
        text, _, body = zlib.decompress(encoded).partition(b"\n")
        header = json.loads(text)
        ends = np.cumsum([0, *header["ids"]]).tolist()
        ids = tuple(body[a:b] for a, b in pairwise(ends))
        lines, units = header["lines"], header["units"]
        numbers = np.frombuffer(body[ends[-1] :], dtype="<i8").astype(np.int64)
        unit, low, high, weights = np.split(numbers, np.cumsum([len(ids), lines, lines]))
        return cls(ids, unit, weights.reshape(lines, units), low, high)
