"""The statements of a publication about labels, by row."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass

_INTS = NDArray[np.int64]
_BOOLS = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Statements:
    """low ≤ weights·labels ≤ high, in integers: one line per published number.

    ``ids`` are the names of the rows, and ``unit`` the unit of each row, whose rows share a label.
    ``weights`` has a column for each unit. The first line counts the positive rows. ``labelings``
    lists the labelings, one per row, that a rule leads to this publication, if fewer than fit.
    ``giving`` lists those that give its numbers, if some numbers are not sums over labels.
    """

    ids: tuple[bytes, ...]
    unit: _INTS
    weights: _INTS
    low: _INTS
    high: _INTS
    labelings: _BOOLS | None = None
    giving: _BOOLS | None = None

    @classmethod
    def of(
        cls, ids: Sequence[bytes], unit: _INTS, weights: _INTS, low: _INTS, high: _INTS,
        labelings: _BOOLS | None = None, giving: _BOOLS | None = None,
    ) -> Statements:  # fmt: skip
        """Return the statements with the rows in the order of their names, so that tables whose
        rows have another order make equal statements.
        """
        order = sorted(range(len(ids)), key=ids.__getitem__)
        units, first, renamed = np.unique(unit[order], return_index=True, return_inverse=True)
        rank = np.argsort(np.argsort(first))
        column = units[np.argsort(first)]
        return cls(
            tuple(ids[row] for row in order),
            rank[renamed.reshape(-1)].astype(np.int64),
            weights[:, column], low, high,
            *(
                None if listed is None else np.unique(listed[:, column], axis=0)
                for listed in (labelings, giving)
            ),
        )  # fmt: skip

    @property
    def refused(self) -> bool:
        """Whether no page was published, which the rule did for these ``labelings``."""
        return self.labelings is not None and self.giving is None and len(self.low) == 1

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
        for name, listed in (("labelings", self.labelings), ("giving", self.giving)):
            if listed is not None:
                header[name] = len(listed)
                body += np.packbits(listed).tobytes()
        return zlib.compress(json.dumps(header).encode() + b"\n" + body)

    @classmethod
    def of_bytes(cls, encoded: bytes) -> Statements:
        text, _, body = zlib.decompress(encoded).partition(b"\n")
        header = json.loads(text)
        ends = np.cumsum([0, *header["ids"]]).tolist()
        ids = tuple(body[a:b] for a, b in pairwise(ends))
        lines, units = header["lines"], header["units"]
        rest, count = body[ends[-1] :], len(ids) + 2 * lines + lines * units
        numbers = np.frombuffer(rest, dtype="<i8", count=count).astype(np.int64)
        unit, low, high, weights = np.split(numbers, np.cumsum([len(ids), lines, lines]))
        packed, listed = np.frombuffer(rest[8 * count :], dtype=np.uint8), {}
        for name in ("labelings", "giving"):
            if name in header:
                bits = header[name] * units
                listed[name] = np.unpackbits(packed, count=bits).reshape(-1, units).astype(bool)
                packed = packed[-(-bits // 8) :]
        return cls(ids, unit, weights.reshape(lines, units), low, high, **listed)
