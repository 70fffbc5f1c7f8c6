"""The certified precision of partial and weighted areas at given class sizes."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from rocsolid.binary.curve_area import curve_area
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.weighted_area import (
    DKW_SOURCE,
    MCDIARMID,
    check_known,
    mcdiarmid_area_epsilon,
    sizes_of_sides,
)
from rocsolid.intervals.guarantees.weighted_best import best_area_interval, dkw_epsilon
from rocsolid.measures.named import measure_of
from rocsolid.measures.weighted_area import CurveArea
from rocsolid.plan.certified import LARGEST, Reached, farther, normal_quantiles
from rocsolid.plan.unknown import check_inside
from rocsolid.plan.variances import NormalCurve
from rocsolid.results import Alternative
from rocsolid.results.interval import Interval
from rocsolid.summaries.placements import SortedClasses
from rocsolid.weights.weight import Weight

MOST = 10**6
"""Rows for which the limits of expected scores are computed; more take seconds each."""
_MANY = 10**5


@dataclass(frozen=True, slots=True)
class PlannedArea:
    """An area along one axis, for every distribution or for normal scores with one AUC.

    ``factor`` converts the raw area to the measure's scale.
    """

    measure: CurveArea
    weight: Weight
    factor: float
    auc: float | None

    kind: ClassVar[str] = "area"
    most: ClassVar[int] = MOST
    turns: ClassVar[int] = LARGEST

    @classmethod
    def of(cls, text: str, auc: float | None = None) -> PlannedArea:
        """
        >>> PlannedArea.of("partial_auc(fpr<=0.2, scale=mean)").factor
        5.0
        """
        measure = measure_of(text)
        weight = measure.over if isinstance(measure, CurveArea) else None
        if not isinstance(measure, CurveArea) or weight is None:
            raise InputError(
                "this plan is for the AUC and for areas over one rate",
                where="measure",
                value=text,
                fix='give one such as "partial_auc(fpr<=0.1)" or "weighted_auc(power(2))"',
            )
        check_known(weight)
        bottom, top = measure.range
        expected = None if auc is None else check_inside(auc, "auc")
        return cls(measure, weight, (top - bottom) / measure.largest, expected)

    @property
    def value(self) -> float:
        return self._value(self._classes(_MANY, _MANY))

    def deviation(self, n_pos: int, n_neg: int, delta: float) -> Reached:
        """Return the deviation for the expected scores, or the smallest for every distribution."""
        if self.auc is not None:
            classes = self._classes(n_pos, n_neg)
            limits = self._limits(classes, delta, "two-sided")
            return farther(self._value(classes), limits)
        m, n = sizes_of_sides(self.weight, n_pos, n_neg)
        share = delta / 2.0
        epsilon = dkw_epsilon(self.weight.l1_norm, self.weight.sup_norm, m, n, share)
        bound = epsilon, "weighted-dkw", DKW_SOURCE
        if self.weight.lipschitz < np.inf:
            epsilon = mcdiarmid_area_epsilon(self.weight, n_pos, n_neg, share)
            bound = min(bound, (epsilon, "weighted-mcdiarmid", MCDIARMID))
        return self.factor * bound[0], *bound[1:]

    def lower(self, n_pos: int, n_neg: int, delta: float) -> Interval:
        return self._limits(self._classes(n_pos, n_neg), delta, "greater")

    def _classes(self, n_pos: int, n_neg: int) -> SortedClasses:
        assert self.auc is not None
        return SortedClasses(
            normal_quantiles(n_pos) + NormalCurve(self.auc).shift, normal_quantiles(n_neg)
        )

    def _value(self, classes: SortedClasses) -> float:
        return self.measure.on_scale(curve_area(classes, self.weight))

    def _limits(self, classes: SortedClasses, delta: float, alternative: Alternative) -> Interval:
        interval = best_area_interval(classes, self.weight, delta, alternative)
        scale = self.measure.on_scale
        low, high = scale(interval.low), scale(interval.high)
        return replace(interval, low=low, high=high, range=self.measure.range)
