"""Text with every invisible character written out."""

from __future__ import annotations

import re

# control characters (which a terminal obeys), marks and overrides of the writing direction, line
# separators, and code points that are no characters
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff"
    "\ud800-\udfff\ufffe\uffff]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    r"""Return the text with controls, line breaks and direction overrides as Python escapes.

    Names in tables may contain them, and could overwrite lines of a terminal or reverse a number.

    >>> print(visible("risk\x1b[2K\r\u202e0.99"))
    risk\x1b[2K\r\u202e0.99
    """
    return UNSEEN.sub(lambda match: _written(match[0]), text)


def _written(character: str) -> str:
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")
