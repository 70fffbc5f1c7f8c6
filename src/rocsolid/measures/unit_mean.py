"""The mean of one value a unit, such as a measure of ranked lists a query."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.matrices import Range, check_range, in_main_memory
from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.intervals.guarantees.clustered import effective_size
from rocsolid.intervals.means import MeanInterval, mean_interval
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import few_clusters
from rocsolid.results.query_estimate import QueryEstimate
from rocsolid.summaries.strata import StrataSpread, Stratum


@dataclass(frozen=True, slots=True)
class UnitMean:
    """The mean over units with values within ``bounds``; if ``binary``, only its ends.

    The influence of a unit is its value minus the mean, over the number of units. If units are
    clusters, ``sizes`` are their numbers of values, and ``limits`` is the range of these values.

    >>> UnitMean("RR").spread([np.array([0.0, 1.0, 0.5])]).covariance()
    array([[0.08333333]])
    """

    name: str
    bounds: Range = (0.0, 1.0)
    binary: bool = False
    sizes: tuple[int, ...] = ()
    limits: Range = None

    parameters: ClassVar[tuple[MeasureParameter, ...]] = ()

    @property
    def words(self) -> str:
        return f"the mean over units of {self.name}"

    @property
    def range(self) -> tuple[float, float]:
        return check_range(self.bounds)

    @property
    def ends(self) -> tuple[float, float]:
        """The range of the mean, which may be known if a cluster's value has no bounds."""
        return check_range(self.limits if self.bounds is None else self.bounds)

    @property
    def span(self) -> float:
        """The largest possible difference of two means."""
        low, high = self.ends
        return high - low

    @property
    def even_clusters(self) -> float:
        """The number of clusters of equal size with the same variance; infinite without any."""
        return effective_size(self.sizes) if self.sizes else math.inf

    def _warnings(self, mean: MeanInterval) -> tuple[Remark, ...]:
        clusters = len(self.sizes) or None
        few = few_clusters(clusters, self.even_clusters, mean.certified is not None)
        return (*few, *mean.warnings)

    def estimate(self, sample: Any, options: EstimateOptions, names: Any = None) -> QueryEstimate:
        """The mean of the values; ``names`` are the names of the units."""
        mean = mean_interval(
            sample, range=self.bounds, interval=options.interval, level=options.level,
            alternative=options.alternative, binary=self.binary,
        )  # fmt: skip
        values = np.asarray(in_main_memory(sample, "values"), dtype=np.float64)
        units = np.arange(1, len(values) + 1) if names is None else np.asarray(names)
        if units.shape != values.shape:
            raise InputError(
                "every value needs the name of one query",
                where="queries",
                value=f"{counted(units.size, 'name')} for {counted(values.size, 'value')}",
            )
        low, high = check_range(self.limits)
        limits = mean.interval
        return QueryEstimate(
            value=mean.value,
            interval=replace(limits, low=max(limits.low, low), high=min(limits.high, high)),
            certified=mean.certified,
            std_error=mean.std_error,
            measure=self.name,
            per_query=values,
            qids=units,
            empty=(),
            missing=(),
            tied=0.0,
            worst=mean.value,
            best=mean.value,
            judged=math.nan,
            warnings=self._warnings(mean),
            settings={
                "interval": options.interval,
                "alternative": options.alternative,
                "in_tail": mean.in_tail,
            },
        )

    def spread(self, samples: Sequence[NDArray[np.float64]]) -> StrataSpread:
        return StrataSpread((Stratum.of_means(np.stack(samples)),))
