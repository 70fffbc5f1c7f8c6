"""A text file as blocks of whole lines, so that a large file is never held twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rocsolid.errors import InputError
from rocsolid.inputs.files import File, damaged

_SIZE = 1 << 20


class Block(NamedTuple):
    """Some lines in a row; ``first`` is the number of the first one, counting from 1."""

    first: int
    text: bytes


def blocks(file: File, size: int = _SIZE) -> Iterator[Block]:
    """All lines of the file, unpacked, about ``size`` bytes at a time.

    A byte order mark is left out. The last line may lack its line end.
    """
    first, rest = 1, b""
    try:
        with file.open() as opened:
            while piece := opened.read(size):
                cut = piece.rfind(b"\n") + 1
                if not cut:
                    rest += piece
                    continue
                text, rest = rest + piece[:cut], piece[cut:]
                yield Block(first, _unmarked(first, text, file))
                first += text.count(b"\n")
    except (OSError, EOFError) as error:
        raise damaged(file, error) from error
    if rest:
        yield Block(first, _unmarked(first, rest, file))


def _unmarked(first: int, text: bytes, file: File) -> bytes:
    if first > 1:
        return text
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):  # a gzipped file shows it only here
        raise InputError("the file is UTF-16, not UTF-8", where=file.name, fix="save it as UTF-8")
    return text.removeprefix(b"\xef\xbb\xbf")
