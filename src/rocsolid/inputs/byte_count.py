"""Numbers of bytes as people write them."""

from __future__ import annotations

import re

from rocsolid.errors import InputError

_UNITS = {
    "": 1, "b": 1,
    "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
    "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40,
}  # fmt: skip
_TEXT = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*")


def byte_count(text: str, option: str) -> int:
    """A number of bytes with or without a unit: 1 MB is 1,000,000 bytes, 1 MiB 1,048,576.

    >>> byte_count("1MB", "--size"), byte_count("0.5 KiB", "--size"), byte_count("2000", "--size")
    (1000000, 512, 2000)
    """
    found = _TEXT.fullmatch(text)
    if found is None or found[2].lower() not in _UNITS:
        raise InputError(
            "this is not a number of bytes", where=option, value=text, fix="write 1MB, say"
        )
    return int(float(found[1]) * _UNITS[found[2].lower()])
