"""Increasing integers as text: their increments in the code of Elias, with an order, in base 64."""

from __future__ import annotations

import base64

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
_ORDERS = range(30)


def packed(steps: IntArray) -> str:
    """Pack integers from 0 on; the first sign is the order k, as a digit to the base 36.

    An integer n is written as n + 2^k in binary digits, after as many zeros as there are digits
    beyond k + 1 (the Golomb code of order k with the exponents of Elias 1975).

    >>> packed(np.array([0, 3, 1])), unpacked(packed(np.array([0, 3, 1])))
    ('1lw==', [0, 3, 1])
    """
    sizes = {order: int(_lengths(steps, order)[1].sum()) for order in _ORDERS}
    order = min(sizes, key=sizes.__getitem__)
    digits, lengths = _lengths(steps, order)
    ends = np.cumsum(lengths)
    bits = np.zeros(sizes[order], dtype=np.uint8)
    codes = steps + (1 << order)
    for place in range(int(digits.max(initial=0))):
        held = (place < digits) & ((codes >> place) & 1).astype(bool)
        bits[ends[held] - 1 - place] = 1
    text = base64.b64encode(np.packbits(bits).tobytes()).decode()
    return f"{np.base_repr(order, 36).lower()}{text}"


def packed_size(steps: IntArray) -> int:
    """Estimate the number of letters of the packed text, to within a few letters."""
    return min(int(_lengths(steps, order)[1].sum()) for order in _ORDERS) // 6


def unpacked(text: str) -> list[int]:
    """Decode the text of `packed`, as the script of a page does."""
    order = int(text[0], 36)
    bits = np.unpackbits(np.frombuffer(base64.b64decode(text[1:]), dtype=np.uint8)).tolist()
    steps, at = [], 0
    while 1 in bits[at : at + 64]:
        zeros = bits.index(1, at) - at
        at += 2 * zeros + order + 1
        code = "".join(map(str, bits[at - zeros - order - 1 : at]))
        steps.append(int(code, 2) - (1 << order))
    return steps


def _lengths(steps: IntArray, order: int) -> tuple[IntArray, IntArray]:
    digits = np.frexp((steps + (1 << order)).astype(np.float64))[1].astype(np.int64)
    return digits, 2 * digits - order - 1
