"""Read a text file in blocks of whole lines, with one space between fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from rocsolid.errors import InputError
from rocsolid.inputs.files import File, damaged

_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")
_COMMENT = re.compile(rb"^#[^\n]*\n?", re.MULTILINE)


def single_spaced(text: bytes, is_comment: Callable[[bytes], bool] = bool) -> bytes:
    """Return the same lines with single spaces and no comments.

    A line whose first character after white space is ``#`` is a comment, unless ``is_comment``
    says otherwise. A carriage return is removed only before a line end: elsewhere the parser
    refuses it.

    >>> single_spaced(b"q1\\tQ0  d1 \\r\\n# a comment\\n\\n q1 Q0 d#2\\n")
    b'q1 Q0 d1\\n\\nq1 Q0 d#2\\n'
    """
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    if any(blank in text for blank in (b"\t", b"\v", b"\f")):
        text = text.translate(_BLANKS)
    if text[:1] == b" " or text[-1:] == b" " or _has_extra(text):
        text = _squeezed(text)
    if b"#" in text and (text[:1] == b"#" or b"\n#" in text):
        text = _COMMENT.sub(lambda line: b"" if is_comment(line[0]) else line[0], text)
    return text


def _has_extra(text: bytes) -> bool:
    """Whether a space is next to a space or a line end; most texts have no two blanks in a row."""
    blank = np.frombuffer(text, dtype=np.uint8) <= ord(" ")
    if not bool(np.any(blank[1:] & blank[:-1])):
        return False
    return any(pair in text for pair in (b"  ", b" \n", b"\n "))


def _squeezed(text: bytes) -> bytes:
    """Remove the spaces that follow a space or a line end, or that precede a line end."""
    byte = np.frombuffer(text, dtype=np.uint8)
    space = byte == ord(" ")
    extra = space.copy()
    extra[1:] &= space[:-1] | (byte[:-1] == ord("\n"))  # a space at the very start is extra as is
    kept: bytes = byte[~extra].tobytes()
    return kept.replace(b" \n", b"\n").rstrip(b" ")


_SIZE = 1 << 20


class Block(NamedTuple):
    """Consecutive lines; ``first`` is the number of the first line, counting from 1."""

    first: int
    text: bytes


def blocks(file: File, size: int = _SIZE) -> Iterator[Block]:
    """All lines of the file, decompressed, about ``size`` bytes at a time.

    A byte order mark is dropped.
    """
    first = 1
    try:
        with file.open() as opened:
            while text := opened.read(size):
                text += opened.readline()
                yield Block(first, _unmarked(first, text, file))
                # faster than bytes.count where lines are short
                line_ends = np.frombuffer(text, dtype=np.uint8) == ord("\n")
                first += int(np.count_nonzero(line_ends))
    except (OSError, EOFError) as error:
        raise damaged(file, error) from error


def _unmarked(first: int, text: bytes, file: File) -> bytes:
    if first > 1:
        return text
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):  # a gzipped file shows it only here
        raise InputError("the file is UTF-16, not UTF-8", where=file.name, fix="save it as UTF-8")
    return text.removeprefix(b"\xef\xbb\xbf")
