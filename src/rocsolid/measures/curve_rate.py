"""Sensitivity at a specificity, and specificity at a sensitivity, as measures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import rate_at
from rocsolid.binary.curve_reading import resampled_readings
from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.engines.memory import score_counts
from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.guarantees.checks import IID
from rocsolid.intervals.guarantees.roc_band import POINTWISE, SOURCE, curve_limits
from rocsolid.measures.resampled import ResampledMeasure
from rocsolid.results import Interval
from rocsolid.summaries.mirrored import mirrored
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.weights.weight import complement

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
"""The axis that each is on, in any case, and whether it is one minus the rate there."""

Rate = Literal["sensitivity", "specificity"]
_OTHER: dict[Rate, Rate] = {"sensitivity": "specificity", "specificity": "sensitivity"}
_AT = re.compile(rf"\s*({'|'.join(RATES)})\s*=\s*([0-9.eE+-]+)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CurveRate(ResampledMeasure):
    """The height of the completed curve at a specificity, or its specificity at a height.

    Between two corners the curve is straight, and where it is vertical or flat the better end
    counts; pROC's `coords` reads the same. No formula without a density gives its variance, so its
    interval is a bootstrap, and it is compared by one.

    >>> measure = CurveRate("sensitivity", 0.9)
    >>> print(measure.name, measure.range)
    sensitivity(specificity=0.9) (0.0, 1.0)
    """

    rate: Rate
    at: float

    def __post_init__(self) -> None:
        if not 0.0 < self.at < 1.0:
            other = _OTHER[self.rate]
            raise InputError(
                f"the {other} must lie strictly between 0 and 1",
                where=f"{self.rate} at {other}",
                value=self.at,
            )

    @property
    def text(self) -> str:
        return f"{self.rate}({_OTHER[self.rate]}={self.at:g})"

    @property
    def words(self) -> str:
        return (
            "the share of positives found at a given specificity"
            if self.rate == "sensitivity"
            else "the share of negatives spared at a given sensitivity"
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

    def drawn(self, rows: BinaryRows, draws: Resampling) -> NDArray[np.float64]:
        """Rows that count alike need no table of each resample."""
        plain = rows.weight is None and rows.cluster is None
        if not plain or draws.scheme not in (None, "stratified"):
            return ResampledMeasure.drawn(self, rows, draws)
        table = self._seen(score_counts(rows))
        return resampled_readings(table, complement(self.at), draws.resamples, draws.seed)

    def guarantee(self, table: ScoreCounts, options: Options) -> Interval | None:
        two_sided = options.alternative == "two-sided"
        level = options.level if two_sided else 2.0 * options.level - 1.0
        if level <= 0.0:
            return None
        limits = curve_limits(self._seen(table), np.array([complement(self.at)]), level)
        low, high = (float(limit[0]) for limit in limits)
        return Interval(
            0.0 if options.alternative == "less" else low,
            1.0 if options.alternative == "greater" else high,
            options.level, POINTWISE, True, IID, SOURCE,
        )  # fmt: skip

    def _seen(self, table: ScoreCounts) -> ScoreCounts:
        """The table in which this rate is the height of the curve."""
        return table if self.rate == "sensitivity" else mirrored(table)


def parse(text: str, inside: str | None) -> CurveRate:
    """From ``sensitivity(specificity=0.9)``, by any of the names of the two rates.

    >>> print(parse("recall(fpr=0.1)", "fpr=0.1").name, parse("tnr(recall=.8)", "recall=.8").name)
    sensitivity(specificity=0.9) specificity(sensitivity=0.8)
    """
    kind = text.strip().partition("(")[0].strip()
    axis, turned = RATES[kind]
    rate: Rate = "sensitivity" if axis == "tpr" else "specificity"
    setting = _AT.fullmatch(inside or "")
    if axis == "fpr" and not turned:
        setting = None  # a false-positive rate is not what anybody wants large
    if setting is not None and RATES[setting[1].lower()][0] != axis:
        try:
            fixed = float(setting[2])
        except ValueError:
            pass
        else:
            turned = RATES[setting[1].lower()][1]
            return CurveRate(rate, fixed if turned or axis == "fpr" else complement(fixed))
    raise InputError(
        f"the {rate} is read at a {_OTHER[rate]}",
        where="measure",
        value=text,
        fix=f"write {rate}({_OTHER[rate]}=0.9)",
    )
