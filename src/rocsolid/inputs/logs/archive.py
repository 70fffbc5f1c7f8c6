"""Entries of the zip archives that inspect_ai writes, without trust in their declared sizes."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

from rocsolid.errors import InputError
from rocsolid.inputs.logs.documents import check_room, parsed

_ZSTANDARD = 93
"""The method of Zstandard in a zip archive, which Python's own module reads from 3.14 on."""
_HEADER = 30  # bytes before the name of an entry


class Archive:
    """The JSON documents of an archive by name."""

    def __init__(self, path: str, file: BinaryIO) -> None:
        self._path, self._file = path, file
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise self._broken(error) from None

    @property
    def names(self) -> list[str]:
        return self._zip.namelist()

    def document(self, name: str) -> Any:
        """Parse an entry; an entry with more bytes than it declares is refused."""
        entry = self._zip.getinfo(name)
        where = f"{self._path}, {name}"
        check_room(entry.file_size, where)
        read: Callable[[zipfile.ZipInfo], bytes] = (
            self._zstandard if entry.compress_type == _ZSTANDARD else self._usual
        )
        try:
            content = read(entry)
            if len(content) != entry.file_size or zlib.crc32(content) != entry.CRC:
                raise zipfile.BadZipFile(f"{name} has another length or checksum")
        except (
            zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, NotImplementedError,
            RuntimeError, struct.error,
        ) as error:  # fmt: skip
            raise self._broken(error) from None
        return parsed(content, where)

    def _usual(self, entry: zipfile.ZipInfo) -> bytes:
        with self._zip.open(entry) as content:
            return content.read(entry.file_size + 1)

    def _zstandard(self, entry: zipfile.ZipInfo) -> bytes:
        import pyarrow as pa

        self._file.seek(entry.header_offset)
        header = self._file.read(_HEADER)
        name, extra = struct.unpack("<HH", header[26:30])
        self._file.seek(entry.header_offset + _HEADER + name + extra)
        compressed = self._file.read(entry.compress_size)
        with pa.CompressedInputStream(pa.BufferReader(compressed), "zstd") as content:
            return bytes(content.read(entry.file_size + 1))

    def _broken(self, error: Exception) -> InputError:
        return InputError(
            f"the archive is broken or was cut off: {error}",
            where=self._path,
            fix="write the log again",
        )
