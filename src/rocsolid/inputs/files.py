"""Files of tables: finding and opening them, recognising formats, and reporting progress."""

from __future__ import annotations

import gzip
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeVar, cast

from rocsolid.arguments import nearest
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, RocsolidError
from rocsolid.room import out_of_memory

Watcher = Callable[[int, int], None]

_WATCHER: ContextVar[Watcher | None] = ContextVar("_WATCHER", default=None)


@contextmanager
def watched(by: Watcher | None) -> Iterator[None]:
    """Within this context, call ``by`` with the work done and the total of each long job.

    The work is bytes of a file, or blocks of resamples. ``None`` changes nothing.

    >>> seen = []
    >>> with watched(lambda done, total: seen.append((done, total))):
    ...     watcher()(1, 2)
    >>> seen, watcher()
    ([(1, 2)], None)
    """
    token = _WATCHER.set(by or _WATCHER.get())
    try:
        yield
    finally:
        _WATCHER.reset(token)


def watcher() -> Watcher | None:
    return _WATCHER.get()


T = TypeVar("T")

Format = Literal["csv", "tsv", "jsonl", "parquet", "ipc", "ipc stream", "TREC", "JSON", "LETOR"]

_FORMATS: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "ipc",
    ".feather": "ipc",
    ".ipc": "ipc",
}
_MAGIC: dict[bytes, Format] = {
    b"PAR1": "parquet",
    b"ARROW1": "ipc",
    b"\xff\xff\xff\xff": "ipc stream",
}
_BUFFER = 1 << 16
_GZIP = b"\x1f\x8b"
_TEXT = ("csv", "tsv", "jsonl", "TREC", "JSON", "LETOR")


@dataclass(frozen=True, slots=True)
class File:
    """The bytes of a table (a path, or memory for standard input) and their format."""

    name: str
    format: Format
    content: Path | bytes
    gzipped: bool = False

    def open(self) -> BinaryIO:
        content = self.content
        raw = io.BytesIO(content) if isinstance(content, bytes) else _CountedFile(content)
        if self.gzipped:
            return cast(BinaryIO, gzip.open(raw))
        return raw if isinstance(raw, io.BytesIO) else io.BufferedReader(raw, _BUFFER)

    def arrow(self) -> Any:
        import pyarrow as pa

        content = self.content
        if isinstance(content, bytes):
            raw = pa.BufferReader(content)
        elif watcher() is None:
            raw = pa.OSFile(str(content))
        else:
            raw = pa.PythonFile(_CountedFile(content), mode="r")
        return pa.CompressedInputStream(raw, "gzip") if self.gzipped else raw


class _CountedFile(io.FileIO):
    """A file that reports to the watcher how many bytes were read, and the total.

    pyarrow and gzip do not close the file; garbage collection does.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._report, self._done, self._size = watcher(), 0, os.fstat(self.fileno()).st_size

    def read(self, size: int | None = -1) -> bytes:
        return self._counted(super().read(size), len)

    def readinto(self, buffer: Any) -> int:
        return self._counted(super().readinto(buffer), int)

    def _counted(self, found: T, size: Callable[[T], int]) -> T:
        self._done += size(found)
        if self._report is not None:
            self._report(min(self._done, self._size), self._size)
        return found

    def __del__(self) -> None:
        self.close()


def find_file(source: str | os.PathLike[str]) -> File:
    """The file at a path, or standard input for ``"-"``."""
    if source == "-":
        # a process may be started without a standard input at all
        return _standard_input(b"" if sys.stdin is None else sys.stdin.buffer.read())
    path = Path(source)
    _check_path(path, os.fspath(source))
    with path.open("rb") as opened:
        head = opened.read(16)
    return _check_text(
        File(path.name, _format(path, head), path, gzipped=head.startswith(_GZIP)), head
    )


def text_file(source: str | os.PathLike[str], form: Format) -> File:
    """A text file whose name does not tell its format, or standard input for ``"-"``."""
    if source == "-":
        file = File("standard input", form, b"" if sys.stdin is None else sys.stdin.buffer.read())
        head = cast(bytes, file.content)[:16]
    else:
        path = Path(source)
        _check_path(path, os.fspath(source))
        file = File(path.name, form, path)
        with path.open("rb") as opened:
            head = opened.read(16)
    if not head:
        raise InputError("the file is empty", where=file.name, fix="write the file again")
    inside = _magic(head)
    if inside is not None:
        raise InputError(
            f"{form} text is expected but the content is {inside}",
            where=file.name,
            fix="rename the file to match its content",
        )
    return _check_text(replace(file, gzipped=head.startswith(_GZIP)), head)


def is_table_name(source: str | os.PathLike[str]) -> bool:
    """Return whether a file's name marks a table with named columns.

    >>> is_table_name("runs/bm25.parquet"), is_table_name("bm25.trec.gz")
    (True, False)
    """
    return _extension(Path(source))[0] in _FORMATS


def damaged(file: File, error: Exception) -> RocsolidError:
    """The error for a file whose bytes do not match its format, or for insufficient memory."""
    shortage = out_of_memory(error, file.name)
    if shortage is not None:
        return shortage
    lines = str(error).strip().splitlines()
    return InputError(
        f"the file cannot be read as {file.format}; it may be cut short or damaged: "
        f"{lines[0].rstrip('.') if lines else type(error).__name__}",
        where=file.name,
        fix="write or copy the file again",
    )


def decoded(raw: bytes, where: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise InputError(
            "the text is not UTF-8", where=where, value=raw[:60], fix="save the file as UTF-8"
        ) from None


def _check_path(path: Path, given: str) -> None:
    if "://" in given:
        raise InputError(
            ("web addresses are not supported, only files"), value=given, fix="download it first"
        )
    exists = True
    try:
        path.stat()  # Path.exists hides what is wrong from Python 3.14 on
    except (FileNotFoundError, NotADirectoryError, ValueError):
        exists = False
    except OSError as error:  # a name that is too long, say
        raise InputError(
            f"this is not a valid path: {error.strerror}", value=given, fix="check the path"
        ) from error
    if not exists:
        folder = path.parent
        if not folder.is_dir():
            raise InputError("there is no such folder", value=str(folder), fix="check the path")
        names = [p.name for p in folder.iterdir() if p.is_file()]
        near = nearest(path.name, names)
        fix = f"use {near!r}, the nearest name in that folder" if near else "check the path"
        if near is None and not path.suffix:  # "--score a b" leaves b where files stand
            fix += "; if it is a column, repeat its option: --score a --score b"
        raise InputError("there is no such file", value=given, fix=fix)
    if path.is_dir():
        names = sorted(p.name for p in path.iterdir() if _extension(p)[0] in _FORMATS)
        fix = f"name one of its files, such as {names[0]!r}" if names else "name a file"
        raise InputError("this is a folder, not a file", value=given, fix=fix)
    if not os.access(path, os.R_OK):
        raise InputError(
            ("the file cannot be opened: no permission"), value=given, fix="allow reading it"
        )


def _extension(path: Path) -> tuple[str, bool]:
    """The extension that names the format, and whether ``.gz`` follows it."""
    suffixes = [s.lower() for s in path.suffixes]
    if suffixes[-1:] == [".gz"]:
        return (suffixes[-2] if len(suffixes) > 1 else ""), True
    return (suffixes[-1] if suffixes else ""), False


def _format(path: Path, head: bytes) -> Format:
    extension, gz = _extension(path)
    form = _FORMATS.get(extension)
    if form is None:
        fix = {
            ".xlsx": "save the sheet as CSV",
            ".xls": "save the sheet as CSV",
            ".json": "write one JSON object per line, in a .jsonl file",
            ".txt": "rename it to .csv or .tsv if that is its format",
        }.get(extension, f"write one of {', '.join(_FORMATS)}")
        raise InputError(
            "the file's name does not end in a supported format",
            where=path.name,
            value=extension,
            fix=fix,
        )
    if not head:
        raise InputError("the file is empty", where=path.name, fix="write the table again")
    if gz and form not in _TEXT:
        raise InputError(
            f"a gzipped {form} file is not supported; the format is already compressed",
            where=path.name,
            fix="unpack it with gunzip",
        )
    if gz and not head.startswith(_GZIP):
        raise InputError(
            "the name ends in .gz but the content is not gzipped",
            where=path.name,
            fix="rename it without .gz",
        )
    inside = _magic(head)
    if form in _TEXT and inside is not None:
        raise InputError(
            f"the name means {form} but the content is {inside}",
            where=path.name,
            fix="rename the file to match its content",
        )
    return "ipc stream" if form == "ipc" and inside == "ipc stream" else form


def _magic(head: bytes) -> Format | None:
    return next((form for magic, form in _MAGIC.items() if head.startswith(magic)), None)


def _check_text(file: File, head: bytes) -> File:
    """Refuse UTF-16 text, which spreadsheet programs call Unicode text."""
    if file.format in _TEXT and head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("the file is UTF-16, not UTF-8", where=file.name, fix="save it as UTF-8")
    return file


def _standard_input(data: bytes) -> File:
    name = "standard input"
    if data.startswith(_GZIP):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError) as error:
            raise damaged(File(name, "csv", data), error) from error
    if not data.strip():
        raise InputError("nothing came in", where=name, fix="pipe a table into the command")
    form = _magic(data[:16])
    if form is None:
        start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
        line = start.partition(b"\n")[0]
        if start.startswith((b"{", b"[")):
            form = "jsonl"
        else:
            form = "tsv" if b"\t" in line and b"," not in line else "csv"
    return _check_text(File(name, form, data), data[:16])
