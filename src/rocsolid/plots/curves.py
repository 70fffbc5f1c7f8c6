"""The curves of whatever has some, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from rocsolid.binary.roc import Roc
from rocsolid.errors import InputError


class HasCurves(Protocol):
    """What `rocsolid.evaluate` returns: one curve for each score."""

    @property
    def curves(self) -> Mapping[str, Roc]: ...


Curves = Roc | Mapping[str, Roc] | Sequence[Roc] | HasCurves


def named_curves(result: Any) -> dict[str, Roc]:
    """One curve without a name, or several by name; a list is numbered.

    >>> named_curves(3)
    Traceback (most recent call last):
    rocsolid.errors.InputError: this has no ROC curve: 'int' (result). Fix: give what rs.roc
    returns, several of them by name, or what rs.evaluate returns.
    """
    if isinstance(result, Roc):
        return {"": result}
    found = getattr(result, "curves", result)
    if isinstance(found, Sequence) and not isinstance(found, str):
        found = {f"curve {i}": one for i, one in enumerate(found, start=1)}
    if not isinstance(found, Mapping):
        raise _no_curve(result)
    wrong = next((one for one in found.values() if not isinstance(one, Roc)), None)
    if wrong is not None or not found:
        raise _no_curve(result if wrong is None else wrong)
    return {str(name): one for name, one in found.items()}


def _no_curve(result: object) -> InputError:
    return InputError(
        "this has no ROC curve",
        where="result",
        value=type(result).__name__,
        fix="give what rs.roc returns, several of them by name, or what rs.evaluate returns",
    )
