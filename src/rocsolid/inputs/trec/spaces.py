"""Any white space becomes one space between two fields, as a reader of delimited text needs it."""

from __future__ import annotations

import re

import numpy as np

_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")
_COMMENT = re.compile(rb"^#[^\n]*\n?", re.MULTILINE)


def single_spaced(text: bytes) -> bytes:
    """The same lines with single spaces and no comments; text that is so already is not copied.

    A comment is a line whose first character after white space is ``#``, as in trec_eval 10. A
    carriage return is taken out before a line end only: elsewhere it stays, for the reader to
    refuse.

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
        text = _COMMENT.sub(b"", text)
    return text


def _has_extra(text: bytes) -> bool:
    """Whether a space stands beside a space or a line end; most texts hold no two blanks at all."""
    blank = np.frombuffer(text, dtype=np.uint8) <= ord(" ")
    if not bool(np.any(blank[1:] & blank[:-1])):
        return False
    return any(pair in text for pair in (b"  ", b" \n", b"\n "))


def _squeezed(text: bytes) -> bytes:
    """Without the spaces that follow a space or a line end, or come before a line end."""
    byte = np.frombuffer(text, dtype=np.uint8)
    space = byte == ord(" ")
    extra = space.copy()
    extra[1:] &= space[:-1] | (byte[:-1] == ord("\n"))  # a space at the very start is extra as is
    kept: bytes = byte[~extra].tobytes()
    return kept.replace(b" \n", b"\n").rstrip(b" ")
