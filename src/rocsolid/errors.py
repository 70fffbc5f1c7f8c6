"""Errors that say what is wrong, where, with which value, and how to fix it."""

from __future__ import annotations

import importlib.util
import re
from typing import Any

from rocsolid.visible import visible

_UNSET: Any = object()


class RocsolidError(ValueError):
    """The root of every error that rocsolid raises on purpose.

    The four parts are kept, so that a program can show them separately.

    >>> raise RocsolidError("a score is not a number", where="row 3", value="abc", fix="remove it")
    Traceback (most recent call last):
    rocsolid.errors.RocsolidError: a score is not a number: 'abc' (row 3). Fix: remove it.
    """

    def __init__(
        self, what: str, *, where: str | None = None, value: object = _UNSET, fix: str | None = None
    ) -> None:
        # a name out of a file may have any length
        what = _cut(what)
        where, fix = (text and _cut(text) for text in (where, fix))
        self.what = what
        self.where = where
        self.value = None if value is _UNSET else value
        self.fix = fix
        text = visible(what)
        if value is not _UNSET:
            text += f": {short(value)}"
        if where is not None:
            text += f" ({visible(where)})"
        text += "."
        if fix is not None:
            advice = visible(fix).rstrip(".")
            text += f" Fix: {advice}" + ("" if advice.endswith("?") else ".")
        super().__init__(text)


class InputError(RocsolidError):
    """The data or an argument cannot be read as what it should be."""


class OneClassError(InputError):
    """Only one class carries weight, so no pair of a positive and a negative exists."""


class UnsoundError(RocsolidError):
    """The method requested does not hold for this input; the message names one that does."""


class ExposedError(RocsolidError):
    """What was to be published would give labels away, however coarse it is made."""


class OutOfMemoryError(InputError, MemoryError):
    """The process may not take as much memory as this needs; the answer itself is not in doubt."""


class MissingExtraError(RocsolidError, ImportError):
    """A package that an extra of rocsolid brings is not installed."""


def how_to_install(extra: str) -> str:
    """What to type for an extra: rocsolid is on no index, but what its extras bring is.

    >>> how_to_install("learn")
    "pip install '.[learn]' in a clone of rocsolid, or pip install 'scikit-learn>=1.9'"
    """
    from importlib.metadata import PackageNotFoundError, requires

    clone = f"pip install '.[{extra}]' in a clone of rocsolid"
    try:
        asked = requires("rocsolid") or []
    except PackageNotFoundError:  # run from its sources
        return clone
    of_extra = re.compile(rf"(.+?)\s*;\s*extra == ['\"]{extra}['\"]")
    found = [match[1] for one in asked if (match := of_extra.fullmatch(one))]
    packages = " ".join(f"'{one}'" for one in found)
    return f"{clone}, or pip install {packages}" if packages else clone


def require_scikit_learn(asker: str) -> None:
    """Raise an error that names the extra where scikit-learn is missing."""
    if importlib.util.find_spec("sklearn") is None:
        raise MissingExtraError(
            f"{asker} needs scikit-learn, which is not installed", fix=how_to_install("learn")
        )


def require_matplotlib(asker: str) -> None:
    """Raise an error that names the extra where matplotlib is missing."""
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingExtraError(
            f"{asker} needs matplotlib, which is not installed", fix=how_to_install("plot")
        )


def short(value: object, limit: int = 120) -> str:
    """Quoted as Python writes it; a NumPy number as the plain number that it holds."""
    plain = getattr(value, "item", None) if getattr(value, "ndim", None) == 0 else None
    text = repr(value if plain is None else plain())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _cut(text: str, limit: int = 2000) -> str:
    """A text of any length with its beginning and its end."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}… ({len(text) - 2 * half:,} characters) …{text[-half:]}"
