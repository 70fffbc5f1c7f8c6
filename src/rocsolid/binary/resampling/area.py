"""The bootstrap interval of a weighted area."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.influence import row_influence
from rocsolid.binary.resampling.cells import RankingCells, of_tables
from rocsolid.binary.resampling.interval import Resampled, Resampling, bootstrap_limits
from rocsolid.binary.resampling.schemes import Sampler
from rocsolid.errors import UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.logit_t import unsound
from rocsolid.results import Alternative, Interval

if TYPE_CHECKING:
    from rocsolid.binary.area import Area

_FLOATS = NDArray[np.float64]


def area_bootstrap(
    area: Area,
    name: str,
    level: float,
    alternative: Alternative,
    resampling: Resampling,
    *,
    near: bool,
    auto: Callable[[], Interval],
) -> Interval:
    """The interval called ``name`` on the raw scale, refused where every resample would be alike.

    ``near`` says whether too few rows carry a tail for the bootstrap alone, and ``auto`` makes the
    interval that holds there. A loss without bounds leaves the percentiles only.
    """
    bounded = area.loss is None or area.loss.in_unit_range
    if bounded and bool(unsound(area.shares)):
        raise UnsoundError(
            "resampling such data shows no spread: the area is as small or as large as it can be, "
            "or a class has a single row",
            where=f"area {area.value:.6g} of at most {area.largest:.6g}",
            fix='use interval="auto", which holds there, or read the certified interval',
        )
    rows, largest = rows_of(area), area.largest
    sampler = Sampler.of(rows, resampling.scheme)
    if sampler.scheme == "bayesian" and area.loss is not None:
        raise UnsoundError(
            "the plug-in estimator counts whole rows, and the Bayesian bootstrap has none",
            where="scheme",
            fix='use scheme="stratified", "plain" or "poisson"',
        )
    # the plug-in estimator looks at the weight at every negative, a curve only at its corners
    cells = RankingCells.of(rows, sampler, merged=area.loss is None)
    counts = (resampling.resamples, resampling.seed)

    def values() -> _FLOATS:
        value = area.recompute
        numbers = of_tables(sampler, cells, *counts, lambda table, _: (value(table),))
        return np.asarray(numbers[:, 0] / largest)

    def moments() -> tuple[_FLOATS, _FLOATS]:
        numbers = of_tables(sampler, cells, *counts, area.remeasure)
        return np.asarray(numbers[:, 0] / largest), np.asarray(numbers[:, 1] / largest**2)

    def unresampled() -> tuple[float, float]:
        interval = auto()
        return interval.low / largest, interval.high / largest

    bayesian = sampler.scheme == "bayesian"
    bottom, top = (0.0, largest) if bounded else (float("-inf"), area.weight.sup_norm)
    if bayesian or not bounded:
        recommended = "bootstrap-percentile"
    else:  # BCa covers as often here as the studentised interval, and takes a third of the time
        recommended = "bootstrap-bca" if area.loss is None else "bootstrap-logit"
    sample = Resampled(
        value=area.value / largest,
        variance=sum(area.variance) / largest**2,
        recommended=recommended,
        values=values,
        moments=None if bayesian or not bounded else moments,
        influence=None if bayesian or area.loss is not None else lambda: _influence(area),
        near_boundary=near and bounded,
        unresampled=unresampled,
        range=(bottom / largest, top / largest),
    )
    low, high, method, source = bootstrap_limits(
        sample, name, level, alternative, resampling.resamples
    )
    assumptions = ["rows independent within and between the classes"]
    if area.summary.weighted:
        assumptions.append("each row is drawn with its weight")
    assumptions += [
        "some tens of rows of each class in the region",
        resampling.words(sampler.scheme),
    ]
    return Interval(
        largest * low, largest * high, level, method, False, tuple(assumptions), source,
        (bottom, top), resampling.words(sampler.scheme),
    )  # fmt: skip


def rows_of(area: Area) -> BinaryRows:
    """The rows behind an area; one that an engine reduced elsewhere has none."""
    if area.rows is None:
        raise UnsoundError(
            "a bootstrap resamples rows, which are not at hand here",
            where="interval",
            fix='use interval="auto", or evaluate in memory',
        )
    return area.rows


def _influence(area: Area) -> _FLOATS:
    """Each row's part of the first-order error of the share; the sums by class are 0."""
    rows = rows_of(area)
    of_rows = row_influence(rows.positive, rows.score, rows.weight, area.weight) / area.largest
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    part = np.empty(len(rows))
    for of_class in (rows.positive, ~rows.positive):
        share = weight[of_class] / weight[of_class].sum()
        part[of_class] = share * (of_rows[of_class] - share @ of_rows[of_class])
    return part
