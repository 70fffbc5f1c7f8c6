"""Partial areas, and rates of the ROC curve at a rate, as measures."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of, share
from rocsolid.binary.area import Area, Rates, Region, box_area, curve, rate_at, rates_at, rescaled
from rocsolid.binary.area import AreaScale as Scale
from rocsolid.binary.area_term import AreaTerm
from rocsolid.binary.estimate import Measured, Options, Wording
from rocsolid.binary.grouped_rows import GroupColumns, GroupedRows
from rocsolid.binary.inference import Design
from rocsolid.binary.rate_term import RateTerm
from rocsolid.binary.resampling.interval import Resampling, Scheme
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import table_sums
from rocsolid.errors import InputError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.measure_parameters import MeasureParameter, settings_of
from rocsolid.intervals.guarantees.checks import IID
from rocsolid.intervals.guarantees.roc_band import POINTWISE, SOURCE, curve_limits
from rocsolid.measures.rate_at_rate import RateAtRate
from rocsolid.measures.weighted_area import CurveArea, OnScale
from rocsolid.measures.whole_area import of_arrays
from rocsolid.results import Alternative
from rocsolid.results.deferred import Deferred
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.ranked_groups import RankedGroups
from rocsolid.summaries.score_counts import ScoreCounts, mirrored
from rocsolid.weights.weight import Weight, complement

RATES: dict[str, tuple[Literal["fpr", "tpr"], bool]] = {
    "fpr": ("fpr", False),
    "specificity": ("fpr", True),
    "spec": ("fpr", True),
    "sp": ("fpr", True),
    "tnr": ("fpr", True),
    "tpr": ("tpr", False),
    "sensitivity": ("tpr", False),
    "sens": ("tpr", False),
    "se": ("tpr", False),
    "recall": ("tpr", False),
}
"""Rates by name in lower case: the axis, and whether the rate is one minus that of the axis."""

Rate = Literal["sensitivity", "specificity"]
_OTHER: dict[Rate, Rate] = {"sensitivity": "specificity", "specificity": "sensitivity"}
_AT = re.compile(rf"\s*({'|'.join(RATES)})\s*=\s*([0-9.eE+-]+)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CurveRate(RateAtRate):
    """The sensitivity of the completed curve at a specificity, or the reverse.

    The curve is linear between corners; on a vertical or horizontal segment the better end counts,
    as in pROC's `coords`.

    >>> measure = CurveRate("sensitivity", 0.9)
    >>> print(measure.name, measure.range)
    sensitivity(specificity=0.9) (0.0, 1.0)
    """

    rate: Rate
    at: float
    of_rows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not 0.0 < self.at < 1.0:
            other = _OTHER[self.rate]
            raise InputError(
                f"the {other} must lie strictly between 0 and 1",
                where=f"{self.rate} at {other}",
                value=self.at,
                fix=share(self.at),
            )

    @property
    def text(self) -> str:
        return f"{self.rate}({_OTHER[self.rate]}={self.at:g})"

    @property
    def words(self) -> str:
        return (
            "the share of positives flagged at a given specificity"
            if self.rate == "sensitivity"
            else "the share of negatives not flagged at a given sensitivity"
        )

    @property
    def meaning(self) -> str:
        return f"At a {_OTHER[self.rate]} of {self.at:g} the {self.rate} is {{value}}."

    def chance(self, table: ScoreCounts) -> float:  # noqa: ARG002
        return 1.0 - self.at

    @property
    def settings(self) -> Mapping[str, Any]:
        return {_OTHER[self.rate]: self.at}

    def value(self, table: ScoreCounts) -> float:
        return 1.0 - rate_at(mirrored(table) if self.rate == "sensitivity" else table, self.at)

    def columns(self, ranked: GroupedRows, options: Options) -> GroupColumns | None:
        if options.resampling.scheme not in (None, "stratified"):
            return None

        def values(block: RankedGroups) -> list[NDArray[np.float64]]:
            return [1.0 - rates_at(block.turned if self.rate == "sensitivity" else block, self.at)]

        (value,) = ranked.columns(1, values)
        plain = value.tolist()

        def measured(group: int, summary: BinarySummary) -> Measured:
            table, draws = ranked.table(group), options.resampling
            later = Deferred(lambda: table)
            drawn = self.drawn(None, later, draws)
            formula = self.limits(table_sums(table, self.term), summary)
            return self.measured(
                plain[group], summary, later, drawn, draws, options, 1.0 - self.at, formula
            )

        return GroupColumns(value, measured)

    @property
    def term(self) -> RateTerm:
        if self.rate == "sensitivity":
            return RateTerm("neg", complement(self.at))
        return RateTerm("pos", self.at)

    def height_of(self, value: float, share: float) -> float:  # noqa: ARG002
        return value

    def at_height(
        self,
        height: NDArray[np.float64],
        share: float | NDArray[np.float64],  # noqa: ARG002
    ) -> NDArray[np.float64]:
        return height

    def guarantee(
        self, table: Callable[[], ScoreCounts], options: Options
    ) -> Deferred[Interval] | None:
        two_sided = options.alternative == "two-sided"
        level = options.level if two_sided else 2.0 * options.level - 1.0
        if level <= 0.0:
            return None

        def certified() -> Interval:
            at = np.array([complement(self.at)])
            low, high = (float(limit[0]) for limit in curve_limits(self._seen(table()), at, level))
            return Interval(
                0.0 if options.alternative == "less" else low,
                1.0 if options.alternative == "greater" else high,
                options.level, POINTWISE, True, IID, SOURCE,
            )  # fmt: skip

        return Deferred(certified)

    def _seen(self, table: ScoreCounts) -> ScoreCounts:
        """The table whose curve has this rate as its height."""
        return table if self.rate == "sensitivity" else mirrored(table)


def parse_rate(text: str, inside: str | None) -> CurveRate:
    """Parse ``sensitivity(specificity=0.9)``, with any name of the two rates.

    >>> parse_rate("recall(fpr=0.1)", "fpr=0.1").name
    'sensitivity(specificity=0.9)'
    >>> parse_rate("tnr(recall=.8)", "recall=.8").name
    'specificity(sensitivity=0.8)'
    """
    kind = text.strip().partition("(")[0].strip()
    axis, turned = RATES[kind]
    rate: Rate = "sensitivity" if axis == "tpr" else "specificity"
    setting = _AT.fullmatch(inside or "")
    if axis == "fpr" and not turned:
        setting = None  # larger false-positive rates are not better
    if setting is not None and RATES[setting[1].lower()][0] != axis:
        try:
            fixed = float(setting[2])
        except ValueError:
            pass
        else:
            turned = RATES[setting[1].lower()][1]
            return CurveRate(rate, fixed if turned or axis == "fpr" else complement(fixed))
    raise InputError(
        f"the {rate} needs a {_OTHER[rate]}",
        where="measure",
        value=text,
        fix=f"write {rate}({_OTHER[rate]}=0.9)",
    )


_ALL = (0.0, 1.0)
_SCALES: tuple[Scale, ...] = get_args(Scale)
_NUMBER = r"(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)"
_RATE = "|".join(RATES)
_ONE_END = re.compile(rf"({_RATE})\s*(<=|>=|≤|≥)\s*{_NUMBER}", re.IGNORECASE)
_TWO_ENDS = re.compile(rf"{_NUMBER}\s*(?:<=|≤)\s*({_RATE})\s*(?:<=|≤)\s*{_NUMBER}", re.IGNORECASE)
_HOW = (
    "write partial_auc(fpr<=0.05), partial_auc(specificity>=0.9), "
    "partial_auc(tpr>=0.9, scale=mean) or similar ones"
)


def _scale(value: str, text: str) -> Scale:
    for scale in _SCALES:
        if value == scale:
            return scale
    raise InputError(
        "unknown scale", where=text, value=value, fix=f"use scale={' or scale='.join(_SCALES)}"
    )


REGION = MeasureParameter(
    "region",
    "the rates over which to compute the area, on one axis or both",
    "fpr<=0.1",
    lambda part, text: _ends(part, text),
)
SCALE = MeasureParameter(
    "scale", "the area itself, McClish's, or the mean rate", "scale=mcclish", _scale, default="raw"
)


@dataclass(frozen=True, slots=True)
class PartialArea(CurveArea):
    """The area under the curve in a region of rates, on one of three scales.

    >>> measure = PartialArea(Region.of(fpr=0.1), "mcclish")
    >>> print(measure.name, [round(end, 4) for end in measure.range])
    partial_auc(fpr<=0.1, scale=mcclish) [0.4737, 1.0]
    """

    box: Region
    scale: Scale = "raw"

    def __post_init__(self) -> None:
        one_of(self.scale, _SCALES, "scale")
        rescaled(0.0, self.box, self.scale)  # raises an error if the region lacks the scale

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        return (REGION, SCALE)

    @property
    def text(self) -> str:
        scale = "" if self.scale == "raw" else f", scale={self.scale}"
        return f"partial_auc({self.box}{scale})"

    @property
    def words(self) -> str:
        return "the area under the ROC curve within a region of rates"

    @property
    def region(self) -> Region:
        return self.box

    def misplaced(self, value: float, n_pos: float, n_neg: float) -> float:
        (a, b), (c, d) = self.box.fpr, self.box.tpr
        bottom, top = self.range
        share = (value - bottom) / (top - bottom)
        return min(n_pos * (d - c), n_neg * (b - a)) * min(share, 1.0 - share)

    @property
    def largest(self) -> float:
        return self.box.maximum

    @property
    def on_scale(self) -> OnScale:
        return partial(rescaled, region=self.box, scale=self.scale)

    @property
    def over(self) -> Weight | None:
        return None if _ALL not in (self.box.fpr, self.box.tpr) else self.term.weight

    def area(self, rows: BinaryRows) -> Area:
        weight = self.over
        return box_area(rows, self.box) if weight is None else curve(rows, weight)

    @property
    def term(self) -> AreaTerm:
        return self.box.term

    @property
    def wording(self) -> Wording:
        region = self.box
        settings = {
            "fpr": list(region.fpr), "tpr": list(region.tpr), "scale": self.scale,
            "estimator": "curve",
        }  # fmt: skip
        meaning = _meaning(region, self.scale)
        return Wording(f"partial_auc({region})", meaning, region.diagonal, settings)


def partial_auc(
    y_true: Any,
    y_score: Any,
    *,
    fpr: Rates | None = None,
    tpr: Rates | None = None,
    scale: Scale = "raw",
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
    """Return the area under the ROC curve over a region of rates.

    The region is required: ``fpr=0.05`` means false-positive rates up to 5 %, ``tpr=0.9``
    true-positive rates from 90 % up. A pair gives both ends, and both parameters a box. ``scale``
    is "raw" (the area), "mean" (the area divided by that of the region: the mean height of the
    curve, or the mean specificity for ``tpr`` alone) or "mcclish" (one half for a random score, one
    for a perfect score; McClish 1989, scikit-learn's ``max_fpr``). Tied scores are straight
    segments of the curve, also where the region cuts them. With ``cluster`` the interval is
    calibrated for clusters, and nothing is certified. The partial area is the weighted area of
    Maurer and Pontil (2020) with W = 1 at u = 1−FPR in the region.

    ``interval`` is "auto", "logit-t", "wald", the name of a guarantee, or a bootstrap ("bootstrap",
    "bootstrap-percentile", "bootstrap-bca" or "bootstrap-logit", with ``resamples``, ``seed`` and
    ``scheme`` as in `rocsolid.auc`). Every result has a ``certified`` interval too; under weights
    it requires ``design="fixed"`` (see `rocsolid.auc`).

    >>> y = [1, 0, 1, 1, 0, 0, 0]
    >>> result = partial_auc(y, [8, 5, 3, 3, 1, -3, -5], fpr=0.5)
    >>> print(result)
    partial_auc(fpr<=0.5) 0.33333, [0.00005, 0.49999] at 95 % (auto (hull)), certified ...
    >>> round(partial_auc(y, [8, 5, 3, 3, 1, -3, -5], fpr=0.5, scale="mcclish").value, 4)
    0.7778
    """
    measure = PartialArea(Region.of(fpr, tpr), scale)
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


def _meaning(region: Region, scale: Scale) -> str:
    if scale == "raw":
        return f"The area under the ROC curve for {region} is {{value}}, out of {region.maximum:g}."
    if scale == "mcclish":
        return (
            f"On McClish's scale, where one half is chance and one is perfect, the area under the "
            f"ROC curve for {region} is {{value}}."
        )
    if region.tpr == _ALL:
        return f"For {region} the true-positive rate is {{percent}} on average."
    if region.fpr == _ALL:
        return f"For {region} the true-negative rate is {{percent}} on average."
    return f"Of the box {region}, {{percent}} is below the ROC curve."


def parse_partial_area(text: str, inside: str | None) -> PartialArea:
    """Parse ``partial_auc(fpr<=0.1, tpr>=0.8, scale=mean)``; a region is required.

    >>> parse_partial_area("", "specificity >= 0.9").name
    'partial_auc(fpr<=0.1)'
    >>> parse_partial_area("", "Sens>=.8, scale=mean").name
    'partial_auc(tpr>=0.8, scale=mean)'
    """
    if inside is None or not inside.strip():
        raise _refused("a partial area needs a region", text)
    rates: dict[str, tuple[float, float]] = {}
    regions, settings = settings_of(inside, text, SCALE)
    for part in (*regions, *(part for part in inside.split(",") if not part.strip())):
        axis, ends = REGION.read(part, text)
        if axis in rates:
            raise InputError(
                f"two regions for {axis}", where=text, value=part,
                fix=f"write both ends at once, such as 0.01<={axis}<=0.1",
            )  # fmt: skip
        rates[axis] = ends
    if not rates:
        raise _refused("a partial area needs a region", text)
    return PartialArea(Region.of(rates.get("fpr"), rates.get("tpr")), **settings)


def _ends(region: str, text: str) -> tuple[str, tuple[float, float]]:
    if (both := _TWO_ENDS.fullmatch(region)) is not None:
        name, ends = both[2], (float(both[1]), float(both[3]))
    elif (single := _ONE_END.fullmatch(region)) is not None:
        name, end = single[1], float(single[3])
        ends = (0.0, end) if single[2] in ("<=", "≤") else (end, 1.0)
    else:
        raise InputError("not a region of rates", where=text, value=region, fix=_HOW)
    axis, turned = RATES[name.lower()]
    return axis, (complement(ends[1]), complement(ends[0])) if turned else ends


def _refused(what: str, text: str) -> InputError:
    return InputError(what, where="measure", value=text, fix=_HOW)
