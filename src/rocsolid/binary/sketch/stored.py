"""A sketch as bytes, to be kept or sent: little-endian columns, a version, a check sum."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid.errors import InputError
from rocsolid.summaries.cells import LEVELS, KeyCells, cell_low
from rocsolid.summaries.fingerprint import PRIME, Fingerprint
from rocsolid.summaries.score_keys import SCORE_TYPES, ScoreType

VERSION = 1
_MAGIC = b"rocsolid sketch\n"
# version, score type, bytes allowed, rows omitted, fingerprint, cells
_HEADER = struct.Struct("<HBQQQQ")
_CHECK = struct.Struct("<I")
_COLUMNS = (("low", "<u8"), ("level", "|u1"), ("pos", "<i8"), ("neg", "<i8"))
CELL_BYTES = sum(np.dtype(kind).itemsize for _, kind in _COLUMNS)
FIXED_BYTES = len(_MAGIC) + _HEADER.size + _CHECK.size
_FIX = "write the sketch again with to_bytes(), or copy the file again"


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Everything that a sketch consists of."""

    scores: ScoreType
    size: int
    omitted: int
    fingerprint: Fingerprint
    cells: KeyCells

    def to_bytes(self) -> bytes:
        header = _HEADER.pack(
            VERSION,
            SCORE_TYPES.index(self.scores),
            self.size,
            self.omitted,
            self.fingerprint.value,
            len(self.cells),
        )
        columns = [
            getattr(self.cells, name).astype(kind, copy=False).tobytes() for name, kind in _COLUMNS
        ]
        body = b"".join([_MAGIC, header, *columns])
        return body + _CHECK.pack(zlib.crc32(body))

    @classmethod
    def from_bytes(cls, data: bytes) -> State:
        """What `to_bytes` wrote, checked in every part, as it may come from anywhere."""
        if not data.startswith(_MAGIC):
            raise InputError("this is not a sketch", value=data[:16], fix=_FIX)
        if len(data) < FIXED_BYTES:
            raise _damaged("it is cut short")
        version, code, size, omitted, value, count = _HEADER.unpack_from(data, len(_MAGIC))
        if version != VERSION:
            raise InputError(
                f"the sketch has format version {version}, and this rocsolid reads {VERSION}",
                fix="use the version of rocsolid that wrote it, or a newer one",
            )
        if len(data) != FIXED_BYTES + count * CELL_BYTES:
            raise _damaged(f"{len(data):,} bytes are not those of {count:,} buckets")
        if _CHECK.unpack(data[-_CHECK.size :])[0] != zlib.crc32(data[: -_CHECK.size]):
            raise _damaged("its check sum is wrong")
        if code >= len(SCORE_TYPES) or value >= PRIME or len(data) > size:
            raise _damaged("its header contradicts itself")
        cells = KeyCells(**_columns(data, count))
        _check_cells(cells)
        return cls(SCORE_TYPES[code], size, omitted, Fingerprint(value), cells)


def _columns(data: bytes, count: int) -> dict[str, Any]:
    columns, at = {}, len(_MAGIC) + _HEADER.size
    for name, kind in _COLUMNS:
        column = np.frombuffer(data, dtype=kind, count=count, offset=at)
        columns[name] = column.astype(np.dtype(kind).newbyteorder("="))
        at += column.nbytes
    return columns


def _check_cells(cells: KeyCells) -> None:
    """Each cell once, in order, aligned and not empty: all that the proof of a bracket needs."""
    low, level = cells.low, cells.level
    if len(cells) == 0:
        return
    if level.max() > LEVELS or (cell_low(low, level) != low).any():
        raise _damaged("a bucket begins where none can begin")
    ascends = (low[1:] > low[:-1]) | ((low[1:] == low[:-1]) & (level[1:] < level[:-1]))
    if not ascends.all():
        raise _damaged("its buckets do not ascend")
    if min(cells.pos.min(), cells.neg.min()) < 0 or (cells.pos + cells.neg <= 0).any():
        raise _damaged("a bucket has an impossible count")
    if float(cells.pos.sum(dtype=np.float64)) + float(cells.neg.sum(dtype=np.float64)) >= 2**62:
        raise _damaged("it counts more rows than there can be")


def _damaged(how: str) -> InputError:
    return InputError(f"the sketch is damaged: {how}", fix=_FIX)
