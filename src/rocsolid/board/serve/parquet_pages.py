"""The places and unpacked sizes of Parquet pages, from the footer and the pages' own headers.

A reader allocates the memory that the header of a page requests, whatever the footer of the file
states. pyarrow 26 ends the process when it describes a column whose footer contradicts the schema,
so the footer is read here. Both are written in Thrift's compact protocol.
"""

from __future__ import annotations

from typing import Any

_DEEPEST = 8
_MOST = 500_000  # values; some 2,000 columns in 10 groups of rows
_BOOL, _BYTE, _WHOLE, _DOUBLE, _BINARY, _LISTS, _STRUCT = (
    (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 12,
)  # fmt: skip
_GROUPS, _COLUMNS, _FACTS = 4, 1, 3  # fields of the footer, a group of rows and a column
_SIZE, _DATA, _DICTIONARY = 7, 9, 11  # fields of the facts
_UNPACKED, _PACKED = 2, 3  # fields of a page header


def column_places(content: bytes) -> list[list[tuple[int, int]]]:
    """Return the first byte and the end of each column, by group of rows.

    A damaged footer raises ValueError.
    """
    start = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    if start < 0:
        raise ValueError("the footer is longer than the file")
    footer = _Header(content, start).struct()
    try:
        return [[_place(column[_FACTS]) for column in group[_COLUMNS]] for group in footer[_GROUPS]]
    except (LookupError, TypeError) as error:
        raise ValueError("the footer is damaged") from error


def _place(facts: dict[int, int]) -> tuple[int, int]:
    places = [facts[_DATA], facts.get(_DICTIONARY, 0)]
    start = min((place for place in places if place > 0), default=0)
    return start, start + facts[_SIZE]


def unpacked_bytes(content: bytes, start: int, stop: int, most_pages: int) -> int:
    """Return the total unpacked size of the pages from ``start`` to ``stop``.

    Damaged pages, and more pages than ``most_pages``, raise ValueError.
    """
    total, pages, place = 0, 0, start
    if not 0 <= start < stop <= len(content):
        raise ValueError("a column lies outside the file")
    while place < stop:
        header = _Header(content, place)
        sizes: Any = header.struct()
        unpacked, packed = sizes.get(_UNPACKED), sizes.get(_PACKED)
        if not all(isinstance(size, int) and size >= 0 for size in (unpacked, packed)):
            raise ValueError("a page has no size")
        total, pages = total + unpacked, pages + 1
        if pages > most_pages:
            raise ValueError("a column has more pages than the table has rows")
        place = header.at + packed
    return total


class _Header:
    """A position in the bytes, with methods that read the next value."""

    def __init__(self, content: bytes, at: int) -> None:
        self._content, self.at, self._left = content, at, _MOST

    def struct(self, depth: int = 0) -> dict[int, Any]:
        if depth > _DEEPEST:
            raise ValueError("a header is nested too deeply")
        fields: dict[int, Any] = {}
        number = 0
        while kind := self._byte():
            step, kind = kind >> 4, kind & 15
            number = number + step if step else self._whole()
            if number in fields:  # readers may disagree on which of the two counts
                raise ValueError("a header has a field twice")
            fields[number] = self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int, inside: bool = False) -> Any:
        self._left -= 1
        if self._left < 0:
            raise ValueError("a header has too many values")
        if kind in _WHOLE:
            return self._whole()
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in _LISTS:
            return self._list(depth)
        if kind == _BINARY:
            self._skip(self._varint())
        elif kind == _DOUBLE:
            self._skip(8)
        elif kind == _BYTE or (kind in _BOOL and inside):
            self._skip(1)
        elif kind not in _BOOL:  # no header has a map
            raise ValueError("a header has a value of unknown kind")
        return None

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        size = head >> 4
        count = self._varint() if size == 15 else size
        return [self._value(head & 15, depth + 1, inside=True) for _ in range(count)]

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
