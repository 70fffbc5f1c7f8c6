"""The area of a box of rates under the curve, as a measure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, get_args

from rocsolid.binary.area import Area, area_of_tables
from rocsolid.binary.estimate import Options
from rocsolid.binary.partial_area import Region, Scale, rescaled
from rocsolid.binary.partial_auc import partial_estimate, region_area
from rocsolid.engines.capabilities import Feature
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.measure_parameters import MeasureParameter, settings_of
from rocsolid.measures.curve_area import CurveArea, OnScale, table_of
from rocsolid.measures.curve_rate import RATES
from rocsolid.measures.scored import Scored
from rocsolid.results import Estimate
from rocsolid.weights.weight import Axis, complement

_ALL = (0.0, 1.0)
_SCALES: tuple[Scale, ...] = get_args(Scale)
_NUMBER = r"(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)"
_RATE = "|".join(RATES)
_ONE_END = re.compile(rf"({_RATE})\s*(<=|>=|≤|≥)\s*{_NUMBER}", re.IGNORECASE)
_TWO_ENDS = re.compile(rf"{_NUMBER}\s*(?:<=|≤)\s*({_RATE})\s*(?:<=|≤)\s*{_NUMBER}", re.IGNORECASE)
_HOW = (
    "write partial_auc(fpr<=0.05), partial_auc(specificity>=0.9), "
    "partial_auc(tpr>=0.9, scale=mean) or the like"
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
    "the rates over which the area is taken, of either axis or of both",
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
    reads: ClassVar[Feature] = "partial areas"

    def __post_init__(self) -> None:
        rescaled(0.0, self.box, self.scale)  # a scale that does not exist here is refused

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

    def area(self, rows: BinaryRows) -> Area:
        return region_area(rows, self.box)

    def elsewhere(self, scored: Scored) -> Area:
        axis: Axis = "tpr" if self.box.fpr == _ALL else "fpr"
        tables = table_of(scored, axis, *getattr(self.box, axis))
        return area_of_tables(scored.summary, *tables, self.box)

    def worded(
        self, area: Area, options: Options, omitted: int, clustered: BinaryRows | None = None
    ) -> Estimate:
        return partial_estimate(area, options, self.box, self.scale, omitted, clustered)


def parse(text: str, inside: str | None) -> PartialArea:
    """From ``partial_auc(fpr<=0.1, tpr>=0.8, scale=mean)``; a region must be named.

    >>> print(parse("", "specificity >= 0.9").name, parse("", "Sens>=.8, scale=mean").name)
    partial_auc(fpr<=0.1) partial_auc(tpr>=0.8, scale=mean)
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


def _ends(part: str, text: str) -> tuple[str, tuple[float, float]]:
    if (both := _TWO_ENDS.fullmatch(part)) is not None:
        name, ends = both[2], (float(both[1]), float(both[3]))
    elif (one := _ONE_END.fullmatch(part)) is not None:
        name, end = one[1], float(one[3])
        ends = (0.0, end) if one[2] in ("<=", "≤") else (end, 1.0)
    else:
        raise InputError("not a region of rates", where=text, value=part, fix=_HOW)
    axis, turned = RATES[name.lower()]
    return axis, (complement(ends[1]), complement(ends[0])) if turned else ends


def _refused(what: str, text: str) -> InputError:
    return InputError(what, where="measure", value=text, fix=_HOW)
