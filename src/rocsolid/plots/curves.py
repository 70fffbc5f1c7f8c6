"""The curves of whatever has some, by name, and the letters on their lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from matplotlib.axes import Axes

from rocsolid.binary.precision_recall import PrecisionRecall
from rocsolid.binary.roc import Roc
from rocsolid.errors import InputError
from rocsolid.plots.style import look_of

LOOKS = 24
"""Six colours, each in four dashes: one more line would look like another."""


class HasCurves(Protocol):
    """What `rocsolid.evaluate` returns: one curve for each score."""

    @property
    def curves(self) -> Mapping[str, Roc]: ...


Curves = Roc | Mapping[str, Roc] | Sequence[Roc] | HasCurves

_Curve = TypeVar("_Curve", Roc, PrecisionRecall)
_NAMES: dict[type, tuple[str, str]] = {
    Roc: ("ROC curve", "what rs.roc returns, several of them by name, or what rs.evaluate returns"),
    PrecisionRecall: (
        "precision-recall curve",
        "what rs.precision_recall returns, or several of them by name",
    ),
}


def named_curves(result: Any, kind: type[_Curve], *, most: int | None = None) -> dict[str, _Curve]:
    """One curve without a name, or several by name; a list is numbered.

    >>> named_curves(3, Roc)
    Traceback (most recent call last):
    rocsolid.errors.InputError: this has no ROC curve: 'int' (result). Fix: give what rs.roc
    returns, several of them by name, or what rs.evaluate returns.
    """
    if isinstance(result, kind):
        return {"": result}
    found = getattr(result, "curves", result)
    if isinstance(found, Sequence) and not isinstance(found, str):
        found = {f"curve {i}": one for i, one in enumerate(found, start=1)}
    if not isinstance(found, Mapping):
        raise _no_curve(result, kind)
    wrong = next((one for one in found.values() if not isinstance(one, kind)), None)
    if wrong is not None or not found:
        raise _no_curve(result if wrong is None else wrong, kind)
    if most is not None and len(found) > most:
        raise InputError(
            f"a picture with more than {most} curves cannot be read",
            where="result",
            value=len(found),
            fix="choose some of them, or compare all in rs.plots.forest",
        )
    return {str(name): one for name, one in found.items()}


def letter(order: int) -> str:
    """What stands on a line and in the key: A to X.

    >>> letter(0), letter(LOOKS - 1)
    ('A', 'X')
    """
    return chr(ord("A") + order)


def badge(axes: Axes, x: float, y: float, order: int) -> None:
    """The letter of a line, in its colour."""
    look = look_of(axes)
    axes.text(
        x, y, letter(order), color=look.colour(order), fontsize="x-small", fontweight="bold",
        ha="center", va="center", zorder=5, clip_on=True,
        bbox={
            "boxstyle": "circle,pad=0.25", "facecolor": look.paper, "edgecolor": look.colour(order),
        },
    )  # fmt: skip


def _no_curve(result: object, kind: type) -> InputError:
    name, fix = _NAMES[kind]
    return InputError(
        f"this has no {name}", where="result", value=type(result).__name__, fix=f"give {fix}"
    )
