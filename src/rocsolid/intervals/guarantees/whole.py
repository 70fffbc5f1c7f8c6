"""A check that several counts share."""

from __future__ import annotations

import operator

import numpy as np

from rocsolid.errors import InputError


def whole(value: int, name: str, least: int = 1) -> int:
    """The value as a Python integer (of any length), refused below ``least``.

    >>> whole(3, "n_pos")
    3
    >>> whole(0, "n_pos")
    Traceback (most recent call last):
    rocsolid.errors.InputError: not a whole number of at least 1: 0 (n_pos).
    """
    try:
        # True is 1 as an index, and NumPy's warns or fails there
        number = least - 1 if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise InputError(f"not a whole number of at least {least}", where=name, value=value)
    return number
