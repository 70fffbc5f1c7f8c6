"""Measures to compare by, as people write them: "auc", "partial_auc(fpr<=0.1)", and weights."""

from __future__ import annotations

import ast
import re
from typing import Any

from rocsolid import weights
from rocsolid.binary.measure_name import measure as whole_or_part
from rocsolid.binary.weighted_auc import weight_text
from rocsolid.comparison.measure import AUC, Measure
from rocsolid.comparison.measure_area import partial_area_measure, weighted_area_measure
from rocsolid.comparison.measure_rate import NAMES as RATES
from rocsolid.comparison.measure_rate import rate_measure
from rocsolid.errors import InputError
from rocsolid.inputs.wanted import nearest
from rocsolid.weights import Weight

_EXAMPLES = (
    '"auc", "partial_auc(fpr<=0.05)", "weighted_auc(power(2))", "sensitivity(specificity=0.9)" or '
    '"specificity(sensitivity=0.9)"'
)
_CALL = re.compile(r"\s*(\w+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_AT = re.compile(r"\s*(\w+)\s*=\s*([0-9.eE+-]+)\s*")
_KINDS = ("auc", "partial_auc", "weighted_auc", *RATES)
_WEIGHTS = ("step", "ramp", "power", "exponential", "cost_curve")


def measure_of(measure: str | Weight | Measure) -> Measure:
    """A measure itself, the area with a weight of ``rs.weights``, or what a name says.

    >>> measure_of("weighted_auc(power(2))").name, measure_of(weights.power(2)).name
    ('weighted_auc(power(2))', 'weighted_auc(power(p=2))')
    """
    if isinstance(measure, Measure):
        return measure
    if isinstance(measure, Weight):
        return weighted_area_measure(measure, f"weighted_auc({weight_text(measure)})")
    call = _CALL.fullmatch(measure) if isinstance(measure, str) else None
    if call is None or call[1] not in _KINDS:
        near = nearest(call[1], _KINDS) if call is not None else None
        raise InputError(
            "unknown measure",
            where="measure",
            value=measure,
            fix=f"{'' if near is None else f'did you mean {near!r}? '}write {_EXAMPLES}",
        )
    kind, inside = call[1], call[2] or ""
    if kind in RATES:
        return _rate(str(measure), kind, inside)
    if kind == "weighted_auc":
        return weighted_area_measure(_weight(str(measure), inside), str(measure).strip())
    asked = whole_or_part(measure)
    return AUC if asked.region is None else partial_area_measure(asked.region, asked.scale)


def _rate(text: str, kind: str, inside: str) -> Measure:
    found = _AT.fullmatch(inside)
    if found is not None and found[1] == RATES[kind]:
        try:
            return rate_measure(kind, float(found[2]))
        except ValueError as error:
            if isinstance(error, InputError):
                raise
    raise InputError(
        f"the {kind} is compared at a {RATES[kind]}",
        where="measure",
        value=text,
        fix=f"write {kind}({RATES[kind]}=0.9)",
    )


def _weight(text: str, inside: str) -> Weight:
    """``power(2)`` and the like: a constructor of ``rs.weights`` with numbers in brackets."""
    try:
        call = ast.parse(inside.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise ValueError(inside)
        name = call.func.id
        given: list[Any] = [ast.literal_eval(part) for part in call.args]
        named = {str(part.arg): _value(part.value) for part in call.keywords}
    except (ValueError, SyntaxError):
        raise InputError(
            "not a weight with its numbers",
            where="measure",
            value=text,
            fix=f"write {_EXAMPLES}; the weights are {', '.join(_WEIGHTS)}",
        ) from None
    if name not in _WEIGHTS:
        near = nearest(name, _WEIGHTS)
        hint = "" if near is None else f"did you mean {near!r}? "
        raise InputError(
            "unknown weight", where=text, value=name, fix=f"{hint}use {', '.join(_WEIGHTS)}"
        )
    try:
        made: Weight = getattr(weights, name)(*given, **named)
    except TypeError as error:
        raise InputError(f"the weight cannot be made: {error}", where=text) from None
    return made


def _value(node: ast.expr) -> Any:
    """A literal, or a bare word such as ``axis=tpr``, which needs no quotes on a command line."""
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)
