"""Errors that state what is wrong, where, the value, and a fix."""

from __future__ import annotations

import importlib.util
import re
from typing import Any

from rocsolid.visible import visible

_UNSET: Any = object()


class RocsolidError(ValueError):
    """The base class of all errors that rocsolid raises deliberately.

    The attributes `what`, `where`, `value` and `fix` contain the parts of the message.

    >>> raise RocsolidError("a score is not a number", where="row 3", value="abc", fix="remove it")
    Traceback (most recent call last):
    rocsolid.errors.RocsolidError: a score is not a number: 'abc' (row 3). Fix: remove it.
    """

    def __init__(
        self, what: str, *, where: str | None = None, value: object = _UNSET, fix: str | None = None
    ) -> None:
        # a name from a file may have any length
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
    """Invalid data, or an invalid argument."""


class OneClassError(InputError):
    """Only one class has weight, so no pair of a positive and a negative exists."""


class UnsoundError(RocsolidError):
    """The requested method is not valid for this input; the message names a valid one."""


class ExposedError(RocsolidError):
    """The publication would reveal labels, however coarsely it is rounded."""


class OutOfMemoryError(InputError, MemoryError):
    """The computation needs more memory than this process may use."""


class MissingExtraError(RocsolidError, ImportError):
    """A package of an optional extra is not installed."""


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra; rocsolid itself is on no package index.

    >>> how_to_install("learn")
    "pip install '.[learn]' in a clone of rocsolid, or pip install 'scikit-learn>=1.9'"
    """
    from importlib.metadata import PackageNotFoundError, requires

    clone = f"pip install '.[{extra}]' in a clone of rocsolid"
    try:
        requirements = requires("rocsolid") or []
    except PackageNotFoundError:  # run from its sources
        return clone
    of_extra = re.compile(rf"(.+?)\s*;\s*extra == ['\"]{extra}['\"]")
    matches = filter(None, map(of_extra.fullmatch, requirements))
    packages = " ".join(f"'{match[1]}'" for match in matches)
    return f"{clone}, or pip install {packages}" if packages else clone


def require_scikit_learn(asker: str) -> None:
    """Raise an error that names the extra if scikit-learn is missing."""
    _require("sklearn", "scikit-learn", "learn", asker)


def require_matplotlib(asker: str) -> None:
    """Raise an error that names the extra if matplotlib is missing."""
    _require("matplotlib", "matplotlib", "plot", asker)


def _require(module: str, package: str, extra: str, asker: str) -> None:
    if importlib.util.find_spec(module) is None:
        raise MissingExtraError(
            f"{asker} needs {package}, which is not installed", fix=how_to_install(extra)
        )


def short(value: object, limit: int = 120) -> str:
    """The value as Python quotes it, shortened; a NumPy scalar as the plain number."""
    plain = getattr(value, "item", None) if getattr(value, "ndim", None) == 0 else None
    value = value if plain is None else plain()
    of_date = None if isinstance(value, type) else getattr(value, "isoformat", None)
    text = repr(value) if of_date is None else of_date()
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _cut(text: str, limit: int = 2000) -> str:
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}… ({len(text) - 2 * half:,} characters) …{text[-half:]}"
