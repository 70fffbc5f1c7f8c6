"""The area under the curve with a weight, as a measure."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, ClassVar

from rocsolid import weights
from rocsolid.arguments import nearest
from rocsolid.binary.area import Area, curve, weighted_area_of_tables
from rocsolid.binary.estimate import Options
from rocsolid.binary.weighted_auc import weight_text, weighted_estimate
from rocsolid.engines.capabilities import Feature
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.measures.curve_area import CurveArea, table_of
from rocsolid.measures.scored import Scored
from rocsolid.results import Estimate
from rocsolid.weights import Weight

_WEIGHTS = ("step", "ramp", "power", "exponential", "cost_curve")
_HOW = f"write weighted_auc(power(2)) or the like; the weights are {', '.join(_WEIGHTS)}"


@dataclass(frozen=True, slots=True)
class WeightedArea(CurveArea):
    """∫ roc(v)·W(1−v) dv by the completed curve.

    >>> WeightedArea(weights.power(2)).name
    'weighted_auc(power(p=2))'
    """

    weight: Weight
    reads: ClassVar[Feature] = "partial areas"

    @property
    def text(self) -> str:
        return f"weighted_auc({weight_text(self.weight)})"

    @property
    def words(self) -> str:
        return "the area under the ROC curve with a weight over false-positive rates"

    @property
    def largest(self) -> float:
        return self.weight.l1_norm

    def area(self, rows: BinaryRows) -> Area:
        return curve(rows, self.weight)

    def elsewhere(self, scored: Scored) -> Area:
        tables = table_of(scored, self.weight.axis, 0.0, 1.0)
        return weighted_area_of_tables(scored.summary, *tables, self.weight)

    def worded(
        self, area: Area, options: Options, omitted: int, clustered: BinaryRows | None = None
    ) -> Estimate:
        return weighted_estimate(area, options, self.weight, omitted, clustered=clustered)


def parse(text: str, inside: str | None) -> WeightedArea:
    """From ``weighted_auc(power(2))``: a constructor of ``rs.weights`` with its numbers.

    >>> parse("", "step(0.9, 1, axis=fpr)").name
    'weighted_auc(step(a=0.9, b=1, axis=fpr))'
    """
    try:
        call = ast.parse((inside or "").strip(), mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise ValueError(inside)
        name = call.func.id
        given: list[Any] = [ast.literal_eval(part) for part in call.args]
        named = {str(part.arg): _value(part.value) for part in call.keywords}
    except (ValueError, SyntaxError):
        raise InputError(
            "not a weight with its numbers", where="measure", value=text, fix=_HOW
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
    return WeightedArea(made)


def _value(node: ast.expr) -> Any:
    """A literal, or a bare word such as ``axis=tpr``, which needs no quotes on a command line."""
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)
