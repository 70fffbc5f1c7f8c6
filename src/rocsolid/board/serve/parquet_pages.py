"""The unpacked sizes of Parquet pages, from their own headers.

A reader allocates the memory that the header of a page requests, whatever the footer of the file
states. Headers are written in Thrift's compact protocol.
"""

from __future__ import annotations

_DEEPEST = 8
_BOOL, _BYTE, _WHOLE, _DOUBLE, _BINARY, _LISTS, _STRUCT = (
    (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 12,
)  # fmt: skip
_UNPACKED, _PACKED = 2, 3  # fields of a page header


def unpacked_bytes(content: bytes, start: int, stop: int) -> int:
    """Return the total unpacked size of the pages from ``start`` to ``stop``.

    Damaged pages raise ValueError.
    """
    total, place = 0, start
    if not 0 <= start < stop <= len(content):
        raise ValueError("a column lies outside the file")
    while place < stop:
        header = _Header(content, place)
        sizes = header.struct()
        unpacked, packed = sizes.get(_UNPACKED, -1), sizes.get(_PACKED, -1)
        if unpacked < 0 or packed < 0:
            raise ValueError("a page has no size")
        total += unpacked
        place = header.at + packed
    return total


class _Header:
    """A position in the bytes, with methods that read the next value."""

    def __init__(self, content: bytes, at: int) -> None:
        self._content, self.at = content, at

    def struct(self, depth: int = 0) -> dict[int, int]:
        if depth > _DEEPEST:
            raise ValueError("a header is nested too deeply")
        fields: dict[int, int] = {}
        number = 0
        while kind := self._byte():
            step, kind = kind >> 4, kind & 15
            number = number + step if step else self._whole()
            value = self._value(kind, depth)
            if value is not None:
                fields[number] = value
        return fields

    def _value(self, kind: int, depth: int, inside: bool = False) -> int | None:
        if kind in _WHOLE:
            return self._whole()
        if kind == _STRUCT:
            self.struct(depth + 1)
        elif kind in _LISTS:
            self._list(depth)
        elif kind == _BINARY:
            self._skip(self._varint())
        elif kind == _DOUBLE:
            self._skip(8)
        elif kind == _BYTE or (kind in _BOOL and inside):
            self._skip(1)
        elif kind not in _BOOL:  # no header has a map
            raise ValueError("a header has a value of unknown kind")
        return None

    def _list(self, depth: int) -> None:
        head = self._byte()
        size = head >> 4
        for _ in range(self._varint() if size == 15 else size):
            self._value(head & 15, depth + 1, inside=True)

    def _whole(self) -> int:
        zigzag = self._varint()
        return zigzag >> 1 ^ -(zigzag & 1)

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise ValueError("a number of a header is too long")

    def _byte(self) -> int:
        self._skip(1)
        return self._content[self.at - 1]

    def _skip(self, count: int) -> None:
        self.at += count
        if self.at > len(self._content):
            raise ValueError("a header is cut short")
