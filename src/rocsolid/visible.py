"""Text whose every character can be seen: what would steer a screen is written out."""

from __future__ import annotations

import re

# controls (a terminal obeys them), marks and overrides of the writing direction, separators of
# lines, and what is no character at all
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff"
    "\ud800-\udfff\ufffe\uffff]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    r"""The text with controls, line breaks and overrides of direction as Python writes them.

    A name in a table of someone else may hold them: on a terminal it could overwrite other lines,
    and in a page turn a number round.

    >>> print(visible("risk\x1b[2K\r\u202e0.99"))
    risk\x1b[2K\r\u202e0.99
    """
    return UNSEEN.sub(lambda found: _written(found[0]), text)


def _written(sign: str) -> str:
    code = ord(sign)
    return _SHORT.get(sign) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")
