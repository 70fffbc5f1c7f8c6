"""The curves of a result by name, and which of many are named."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from rocsolid.binary.precision_recall import PrecisionRecall
from rocsolid.binary.roc import Roc
from rocsolid.errors import InputError

_COLOURS, _HIGHEST = 6, 5


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


def named_curves(result: Any, kind: type[_Curve]) -> dict[str, _Curve]:
    """One curve without a name, or several by name; a list is numbered.

    >>> named_curves(3, Roc)
    Traceback (most recent call last):
    rocsolid.errors.InputError: this has no ROC curve: 'int' (result). Fix: give what rs.roc
    returns, several of them by name, or what rs.evaluate returns.
    """
    if isinstance(result, kind):
        return {"": result}
    curves = getattr(result, "curves", result)
    if isinstance(curves, Sequence) and not isinstance(curves, str):
        curves = {f"curve {i}": curve for i, curve in enumerate(curves, start=1)}
    if not isinstance(curves, Mapping):
        raise _no_curve(result, kind)
    wrong = next((curve for curve in curves.values() if not isinstance(curve, kind)), None)
    if wrong is not None or not curves:
        raise _no_curve(result if wrong is None else wrong, kind)
    return {str(name): curve for name, curve in curves.items()}


def foremost(
    curves: Mapping[str, _Curve], value: Callable[[_Curve], float]
) -> tuple[dict[str, _Curve], list[_Curve]]:
    """The curves with a colour, a letter and a name, and the others.

    Up to six have one; of more, the five of the highest value.
    """
    if len(curves) <= _COLOURS:
        return dict(curves), []
    order = sorted(curves, key=lambda name: -value(curves[name]))
    return {name: curves[name] for name in order[:_HIGHEST]}, [curves[n] for n in order[_HIGHEST:]]


def value_span(noun: str, values: Sequence[float]) -> str:
    """From the lowest to the highest.

    >>> value_span("AUC", [0.7, 0.61]), value_span("AUC", [])
    (', AUC 0.6100 to 0.7000', '')
    """
    return f", {noun} {min(values):.4f} to {max(values):.4f}" if values else ""


def _no_curve(result: object, kind: type) -> InputError:
    name, fix = _NAMES[kind]
    return InputError(
        f"this has no {name}", where="result", value=type(result).__name__, fix=f"give {fix}"
    )
