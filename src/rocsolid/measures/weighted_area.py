"""Weighted areas under the ROC curve as measures."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import field, fields, is_dataclass, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid import weights
from rocsolid.arguments import nearest, one_of
from rocsolid.binary.area import Area, curve, plugged_in
from rocsolid.binary.area_estimate import area_columns, area_estimate
from rocsolid.binary.area_inference import CERTIFIED, NAMES
from rocsolid.binary.area_term import MOST_KEPT, AreaTerm
from rocsolid.binary.estimate import Options, Wording
from rocsolid.binary.grouped_rows import GroupColumns, GroupedRows
from rocsolid.binary.inference import Design
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.binary.resampling.interval import Resampling, Scheme
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.binary import BinaryRows, unclustered
from rocsolid.intervals.guarantees.weighted_best import of_weight
from rocsolid.measures.binary_measure import BinaryMeasure, Scored
from rocsolid.measures.whole_area import of_arrays
from rocsolid.results import Alternative
from rocsolid.results.estimate import Estimate
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.weights import losses
from rocsolid.weights.exponential import as_weight
from rocsolid.weights.losses import Loss
from rocsolid.weights.weight import Weight

OnScale = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class CurveArea(BinaryMeasure):
    """An area under the completed curve, at most ``largest``, converted by ``on_scale``."""

    intervals: ClassVar[tuple[str, ...]] = NAMES
    intervals_of_rows: ClassVar[tuple[str, ...]] = (*BOOTSTRAPS, "weighted-rooks", "weighted-top")
    bounds: ClassVar[tuple[str, ...]] = CERTIFIED

    @property
    @abstractmethod
    def largest(self) -> float:
        """The raw area of a perfect score."""

    @property
    def on_scale(self) -> OnScale:
        """The conversion from the raw area, which is increasing."""
        return float

    @abstractmethod
    def area(self, rows: BinaryRows) -> Area:
        """The raw area of rows."""

    @property
    @abstractmethod
    def term(self) -> AreaTerm | None: ...

    @property
    @abstractmethod
    def wording(self) -> Wording:
        """The name and meaning of the area; its chance value is a raw area."""

    @property
    def range(self) -> tuple[float, float]:
        return self.on_scale(0.0), self.on_scale(self.largest)

    def estimate(self, scored: Scored, options: Options) -> Estimate:
        rows, term = scored.rows, self.term
        if rows is None:
            assert term is not None
            area = Area.of_sums(term, scored.sums, scored.summary, self.region)
        else:
            area = self.area(unclustered(rows))
            if rows.cluster is not None:
                clusters = len(np.unique(rows.cluster))
                area = replace(area, summary=replace(area.summary, clusters=clusters))
        sums = None
        if area.summary.clusters is not None:
            sums = scored.sums(term or AreaTerm(area.weight))
        return area_estimate(area, options, self.wording, self.on_scale, scored.omitted, sums)

    @property
    def over(self) -> Weight | None:
        """The weight along one axis with this area; ``None`` if there is none."""
        return None

    def shorter_in_memory(self, summary: BinarySummary) -> bool:
        weight, sizes = self.over, (summary.n_pos, summary.n_neg)
        if weight is None or summary.squared_shares is not None or max(sizes) <= MOST_KEPT:
            return False
        return weight.constant is not None or of_weight(weight, *sizes) != "weighted-band"

    def columns(self, ranked: GroupedRows, options: Options) -> GroupColumns | None:
        weight = self.over
        if options.interval != "auto" or weight is None or weight.probed or weight.constant:
            return None
        return area_columns(ranked, weight, options, self.wording, self.on_scale)

    def influence(self, rows: BinaryRows) -> NDArray[np.float64]:
        area = self.area(unclustered(rows))
        bottom, top = self.range
        return (top - bottom) / self.largest * area.influence(rows)

    def of_table(self, rows: BinaryRows) -> Callable[[ScoreCounts], float]:
        recompute, on_scale = self.area(unclustered(rows)).recompute, self.on_scale
        return lambda table: on_scale(recompute(table))


Estimator = Literal["curve", "plug-in"]
_WEIGHTS = ("step", "ramp", "power", "polynomial", "exponential", "cost_curve")
_HOW = f"write weighted_auc(power(2)) or similar ones; the weights are {', '.join(_WEIGHTS)}"


@dataclass(frozen=True, slots=True)
class WeightedArea(CurveArea):
    """∫ roc(v)·W(1−v) dv, by the completed curve or by the plug-in estimator with a ``loss``.

    >>> WeightedArea(weights.power(2)).name
    'weighted_auc(power(p=2))'
    """

    weight: Weight
    loss: Loss | None = field(default=None, kw_only=True)

    @property
    def text(self) -> str:
        return f"weighted_auc({weight_text(self.weight)})"

    @property
    def words(self) -> str:
        return "the area under the ROC curve with a weight over false-positive rates"

    @property
    def largest(self) -> float:
        return self.weight.l1_norm

    @property
    def over(self) -> Weight | None:
        return self.weight if self.loss is None else None

    def area(self, rows: BinaryRows) -> Area:
        if self.loss is not None:
            return plugged_in(rows, self.weight, self.loss)
        return curve(rows, self.weight)

    @property
    def term(self) -> AreaTerm | None:
        return AreaTerm(self.weight) if self.loss is None else None

    @property
    def wording(self) -> Wording:
        weight, text = self.weight, weight_text(self.weight)
        return Wording(
            f"weighted_auc({text})",
            f"The area under the ROC curve, weighted by {text}, is {{value}}, out of "
            f"{weight.l1_norm:.6g}.",
            # a random score's curve is the diagonal, whose area is the average of K
            float(weight.mean_integral(0.0, 1.0)),
            {
                "weight": text,
                "estimator": "curve" if self.loss is None else "plug-in",
                "loss": None if self.loss is None else weight_text(self.loss),
            },
        )


def weighted_auc(
    y_true: Any,
    y_score: Any,
    *,
    weight: Weight | Callable[[Any], Any],
    estimator: Estimator = "curve",
    loss: Loss | None = None,
    sample_weight: Any = None,
    frequency: Any = None,
    cluster: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    interval: str = "auto",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    resamples: int = 2000,
    seed: int = 0,
    scheme: Scheme | None = None,
    design: Design = None,
) -> Estimate:
    """Return the weighted area ∫ roc(v)·W(1−v) dv (Maurer and Pontil 2020), from 0 to ∫W.

    ``weight`` is one of ``rs.weights``, or a function W(u) of the *true-negative* rate u = 1−v, as
    in the paper. A bare function is probed, and its area has no certified interval. The
    ``estimator`` "curve" (the default) is the area under the completed ROC curve, with W integrated
    exactly over each step. "plug-in" is the double sum of the paper with ``loss`` as ℓ (one of
    ``rs.weights.losses``; by default the step, which counts a tie as 0). The paper's Theorem 2
    holds for "plug-in" alone.

    >>> from rocsolid.weights import power
    >>> y, s = [1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5]
    >>> result = weighted_auc(y, s, weight=power(2))
    >>> print(result.measure, round(result.value, 4), round(result.high, 4))
    weighted_auc(power(p=2)) 0.2049 0.3333
    >>> round(weighted_auc(y, s, weight=power(2), estimator="plug-in").value, 4)
    0.3021
    """
    one_of(estimator, get_args(Estimator), "estimator")
    if loss is not None and estimator != "plug-in":
        raise InputError(
            "only the plug-in estimator has a loss",
            where="loss",
            value=loss,
            fix='set estimator="plug-in", or leave the loss out',
        )
    plug_in = losses.step() if loss is None and estimator == "plug-in" else loss
    measure = WeightedArea(as_weight(weight), loss=plug_in)
    options = Options(
        interval, level, alternative, lower_is_better, nan, pos_label,
        Resampling(resamples, seed, scheme), design,
    )  # fmt: skip
    return of_arrays(
        measure,
        y_true,
        y_score,
        options,
        sample_weight=sample_weight,
        frequency=frequency,
        cluster=cluster,
    )


def weight_text(described: Weight | Loss) -> str:
    """The weight or loss as a call of its constructor."""
    kind = type(described).__name__.removesuffix("Loss")
    if not is_dataclass(described) or kind == "CallableWeight":
        return "a function of the true-negative rate"
    parts = ((f.name, getattr(described, f.name)) for f in fields(described))
    given = (f"{n}={v:g}" if isinstance(v, float | int) else f"{n}={v}" for n, v in parts)
    words = "".join(f"_{c.lower()}" if c.isupper() else c for c in kind).lstrip("_")
    return f"{words}({', '.join(given)})"


def parse(text: str, inside: str | None) -> WeightedArea:
    """Parse ``weighted_auc(power(2))``: a constructor of ``rs.weights`` with numbers.

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
    """A literal, or a bare word such as ``axis=tpr``, which needs no quotes in a shell."""
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)
