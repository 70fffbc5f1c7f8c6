"""The certified precision of partial and weighted areas at given class sizes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rocsolid.binary.curve_area import curve_area
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
from rocsolid.plan.variances import NormalCurve
from rocsolid.results import Alternative
from rocsolid.results.interval import Interval
from rocsolid.summaries.placements import SortedClasses
from rocsolid.weights.weight import Weight

MOST = 10**6
"""Rows for which the limits of expected scores are computed; more take seconds each."""


@dataclass(frozen=True, slots=True)
class PlannedArea:
    """An area along one axis, and the factor from the raw area to the measure's scale."""

    measure: CurveArea
    weight: Weight
    factor: float

    @classmethod
    def of(cls, text: str) -> PlannedArea:
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
        return cls(measure, weight, (top - bottom) / measure.largest)

    def deviation(self, n_pos: int, n_neg: int, delta: float) -> tuple[float, str, str]:
        """Return the smallest deviation for every distribution, with its method and source."""
        m, n = sizes_of_sides(self.weight, n_pos, n_neg)
        share = delta / 2.0
        epsilon = dkw_epsilon(self.weight.l1_norm, self.weight.sup_norm, m, n, share)
        bound = epsilon, "weighted-dkw", DKW_SOURCE
        if self.weight.lipschitz < np.inf:
            epsilon = mcdiarmid_area_epsilon(self.weight, n_pos, n_neg, share)
            bound = min(bound, (epsilon, "weighted-mcdiarmid", MCDIARMID))
        return self.factor * bound[0], *bound[1:]

    def expected(
        self, auc: float, n_pos: int, n_neg: int, delta: float, alternative: Alternative
    ) -> tuple[float, Interval]:
        """Return the value and the certified interval of scores at the normal quantiles."""
        from scipy.special import ndtri

        pos, neg = (ndtri((np.arange(size) + 0.5) / size) for size in (n_pos, n_neg))
        classes = SortedClasses(pos + NormalCurve(auc).shift, neg)
        interval = best_area_interval(classes, self.weight, delta, alternative)
        scale = self.measure.on_scale
        low, high = scale(interval.low), scale(interval.high)
        return scale(curve_area(classes, self.weight)), replace(
            interval, low=low, high=high, range=self.measure.range
        )
