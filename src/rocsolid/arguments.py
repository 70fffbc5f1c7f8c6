"""Checks of arguments, with one message for each kind of mistake."""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable
from functools import lru_cache
from numbers import Real
from typing import TypeGuard, TypeVar

import numpy as np

from rocsolid.errors import InputError

_T = TypeVar("_T")
_REAL = (float, int, Real)  # the check of an abstract class is slow, so it comes last


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a real number; True is not, since it is often a misplaced flag.

    >>> is_number(1), is_number(0.5), is_number(True), is_number("0.5"), is_number(None)
    (True, True, False, False, False)
    """
    return type(value) is float or (isinstance(value, _REAL) and not isinstance(value, bool))


def whole(value: int, name: str, least: int = 1) -> int:
    """Return the value as a Python integer of any length; reject a value below ``least``.

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


def flag(value: bool, name: str) -> bool:
    """Return the value if it equals True or False; NumPy's booleans, 0 and 1 do.

    >>> flag("yes", "paired")
    Traceback (most recent call last):
    rocsolid.errors.InputError: paired must be True or False: 'yes' (paired).
    """
    if value not in (True, False):
        raise InputError(f"{name} must be True or False", where=name, value=value)
    return value


def one_of(value: _T, known: Collection[_T], name: str) -> _T:
    """Return the value if it is known.

    >>> one_of("up", ("left", "right"), "side")
    Traceback (most recent call last):
    rocsolid.errors.InputError: unknown side: 'up' (side). Fix: use "left" or "right".
    """
    if value not in known:
        *first, last = (f'"{each}"' if isinstance(each, str) else str(each) for each in known)
        fix = f"use {', '.join(first)}{' or ' if first else ''}{last}"
        raise InputError(f"unknown {name}", where=name, value=value, fix=fix)
    return value


def known(value: str, names: Collection[str], what: str, where: str | None = None) -> str:
    """Return the value if it is among ``names``; ``what`` describes a wrong one in the error.

    >>> known("younden", ("youden", "cost"), "criterion")
    Traceback (most recent call last):
    rocsolid.errors.InputError: unknown criterion: 'younden'. Fix: use 'youden', or another of
    youden, cost.
    """
    if not isinstance(value, str) or value not in names:
        near = nearest(str(value), names)
        use = f"use {near!r}, or another" if near else "use one"
        fix = f"{use} of {', '.join(names)}"
        raise InputError(f"unknown {what}", where=where, value=value, fix=fix)
    return value


def share(value: float) -> str:
    """Advice on how to write a share that may have been given in percent.

    >>> share(90), share(0.0)
    ('write 0.9 for 90 %', 'write a share such as 0.9')
    """
    return (
        f"write {value / 100:g} for {value:g} %" if 1 < value < 100 else "write a share such as 0.9"
    )


def nearest(word: str, options: Iterable[str]) -> str | None:
    """The option most similar to ``word``, ignoring case and surrounding spaces.

    >>> nearest("Scores", ["y", " score "])
    ' score '
    """
    import difflib

    plain = {option.strip().casefold(): option for option in options}
    matches = difflib.get_close_matches(word.strip().casefold(), plain, n=1)
    return plain[matches[0]] if matches else None


@lru_cache(maxsize=1024)
def spelling(name: str) -> str:
    """A name without case, hyphens and underscores, to compare the spellings of two tools.

    >>> spelling("ROC-AUC") == spelling("roc_auc") == spelling("RocAuc")
    True
    """
    return name.strip().casefold().replace("-", "").replace("_", "")


def misspelt(word: str, names: Collection[str]) -> list[str]:
    """The names that ``word`` misspells: two letters swapped, or some lost or doubled.

    A different letter, or a different first letter, often names another measure (auroc, auprc,
    auprg), so it matches no name.

    >>> misspelt("sensitivty", ["sensitivity", "specificity"]), misspelt("acu", ["auc"])
    (['sensitivity'], ['auc'])
    >>> misspelt("auprg", ["auprc", "auroc"]), misspelt("gauc", ["auc"])
    ([], [])
    """
    return [name for name in names if _misspelt(spelling(word), spelling(name))]


def _misspelt(word: str, name: str) -> bool:
    if not word or word[0] != name[0]:
        return False
    if len(word) == len(name):
        swapped = sum(a != b for a, b in zip(word, name, strict=True)) <= 2
        return swapped and sorted(word) == sorted(name)
    short, long = sorted((word, name), key=len)
    rest = iter(long)
    few = len(long) - len(short) <= max(1, len(short) // 5)
    return len(short) >= _LONG and few and all(letter in rest for letter in short)


_LONG = 5
"""In a shorter name, one more letter often makes another name."""
