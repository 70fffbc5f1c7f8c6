"""Estimates of areas: for one score, for clustered rows, and for many groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rocsolid.binary.area import Area, in_region_of
from rocsolid.binary.area_inference import (
    ENOUGH,
    asked_interval,
    auto_limits,
    certificate,
    cut_inside,
    hulled,
    near_end,
    scaled,
)
from rocsolid.binary.curve_area import Variance, areas, influences
from rocsolid.binary.estimate import Measured, Options, Wording, bootstrap_doubts, estimated
from rocsolid.binary.grouped_rows import GroupColumns, GroupedRows, as_lists
from rocsolid.binary.inference import undeclared
from rocsolid.errors import UnsoundError
from rocsolid.intervals.calibrated.auto import auto
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import FEW
from rocsolid.remarks.values import BelowDiagonal, FewInRegion, ProbedWeight
from rocsolid.results.deferred import Deferred
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.terms import TermSums
from rocsolid.weights.weight import Weight

ASSUMPTIONS = (
    "clusters are independent; rows within a cluster may depend on each other in any way",
    "some tens of clusters in the region (normal approximation)",
)
SOURCE = (
    "influence functions of the area under the completed curve, summed in each cluster (Obuchowski "
    "1997)"
)

_ALWAYS_CUT = 0.99  # a level above which the certified interval of an area may be the shorter one


def clustered_interval(area: Area, sums: TermSums, options: Options) -> Interval:
    """The interval by Obuchowski's variance, as if each cluster were one row of each class.

    The effective size of a class is its number of clusters, or of rows in the region if smaller.
    """
    if options.interval != "auto" or area.loss is not None:
        raise UnsoundError(
            f"the interval {options.interval!r} of an area holds for independent rows only"
            if area.loss is None
            else "the plug-in estimator has no interval for clustered rows",
            where="cluster",
            fix='use interval="auto" and estimator="curve"',
        )
    largest, inside = area.largest, area.in_region
    low, high, method = 0.0, 1.0, "auto (no row in the region)"
    if min(inside) >= 1.0:
        parts = [float(part[0, 0]) / largest**2 for part in sums.own.covariances]
        # a single cluster of a class has no degrees of freedom
        sizes, units = (
            [float(np.nan_to_num(1.0 + known, nan=1.0)) for known in sums.own.known],
            None,
        )
        share = min(max(area.value / largest, 0.0), 1.0)
        if min(inside) < ENOUGH:
            sizes = [min(pair) for pair in zip(sizes, inside, strict=True)]
        elif sums.units is not None and sums.units.misplaced is not None:
            of_rows = min(inside) * min(share, 1.0 - share)
            units = replace(sums.units, misplaced=min(sums.units.misplaced, of_rows))
        ends = auto(Moments(share, *parts, *sizes, units=units), options.level, options.alternative)
        low, high, method = float(ends[0]), float(ends[1]), "auto (clusters)"
    return Interval(
        largest * low, largest * high, options.level, method,
        assumptions=ASSUMPTIONS, source=SOURCE, range=(0.0, largest),
    )  # fmt: skip


def area_estimate(
    area: Area,
    options: Options,
    wording: Wording,
    scale: Callable[[float], float],
    omitted: int,
    clustered: TermSums | None = None,
) -> Estimate:
    """The estimate on a ``scale`` that increases with the raw area.

    The chance value of ``wording`` is a raw area. ``clustered`` are the sums of rows in clusters;
    the estimate then has no certified interval.
    """
    slope = (scale(area.largest) - scale(0.0)) / area.largest
    raw = None
    if clustered is None:
        raw = certificate(area, options.level, options.alternative, options.design)
        interval = Deferred(lambda: asked_interval(area, options))
        if options.interval != "auto" or not (area.loss is None or area.loss.in_unit_range):
            interval()  # raises an error now if it does not hold
        error = float(np.sqrt(sum(area.variance)))
    else:
        of_clusters = clustered_interval(area, clustered, options)
        interval = Deferred(lambda: of_clusters)
        error = float(np.sqrt(clustered.own.total[0, 0]))
    certified = None if raw is None else Deferred(lambda: _on_scale(raw(), scale))
    measured = Measured(
        scale(area.value),
        Deferred(lambda: _on_scale(interval(), scale)),
        certified,
        None if np.isnan(error) else slope * error,
        replace(wording, chance=scale(wording.chance)),
        warnings=lambda cut, _: (
            *(undeclared(area.summary, options.design) if clustered is None else ()),
            *_warnings(area, cut, certified is not None, wording.chance),
        ),
        # otherwise the certified interval is wider, see the tests; for a box it may be narrower
        may_be_cut=lambda: (
            area.box is not None
            or options.level > _ALWAYS_CUT
            or bool(hulled(area.shares, area.in_region))
        ),
        cut=lambda _: None if raw is None else _cut(area, interval(), options, scale),
        settings=options.resampling.settings(options.interval),
    )
    return estimated(area.summary, measured, options, omitted)


def area_columns(
    ranked: GroupedRows,
    weight: Weight,
    options: Options,
    wording: Wording,
    scale: Callable[[float], float],
) -> GroupColumns:
    largest = weight.l1_norm
    slope = (scale(largest) - scale(0.0)) / largest
    (values,) = ranked.columns(1, lambda block: [areas(block, weight)])
    on_scale = np.array([scale(value) for value in values.tolist()])
    sizes = ranked.n_pos.astype(np.float64), ranked.n_neg.astype(np.float64)
    in_region = in_region_of(weight, *sizes)
    variances = Deferred(lambda: ranked.columns(2, lambda block: influences(block, weight)))

    def moments() -> Moments:
        pos, neg = (variance / largest**2 for variance in variances())
        return Moments(np.clip(values / largest, 0.0, 1.0), pos, neg, *sizes)

    shares = Deferred(moments)
    limits = Deferred(lambda: as_lists(*auto_limits(shares(), in_region, options)))
    plain = Deferred(
        lambda: as_lists(
            values, *variances(), *in_region, on_scale, slope * np.sqrt(sum(variances())),
            hulled(shares(), in_region),
        )
    )  # fmt: skip
    turned = replace(wording, chance=scale(wording.chance))
    settings = options.resampling.settings(options.interval)

    def measured(group: int, summary: BinarySummary) -> Measured:
        value, of_pos, of_neg, *inside, shown, error, hull = (column[group] for column in plain())

        def area() -> Area:
            assert summary.classes is not None
            return Area(
                value, largest, Variance(of_pos, of_neg), weight, summary.classes, summary,
                (inside[0], inside[1]), None,
            )  # fmt: skip

        def default() -> Interval:
            low, high, method = (column[group] for column in limits())
            return scaled(summary, largest, (low, high), method, options)

        interval = Deferred(default)

        def certified() -> Interval:
            raw = certificate(area(), options.level, options.alternative)
            assert raw is not None
            return _on_scale(raw(), scale)

        return Measured(
            shown,
            Deferred(lambda: _on_scale(interval(), scale)),
            Deferred(certified),
            None if np.isnan(error) else error,
            turned,
            warnings=lambda cut, _: _warnings(area(), cut, True, wording.chance),
            may_be_cut=lambda: hull or options.level > _ALWAYS_CUT,
            cut=lambda _: _cut(area(), interval(), options, scale),
            settings=settings,
        )

    return GroupColumns(on_scale, measured)


def _cut(
    area: Area, interval: Interval, options: Options, scale: Callable[[float], float]
) -> Interval | None:
    cut = cut_inside(area, interval, options.level, options.alternative)
    return None if cut is None else _on_scale(cut, scale)


def _on_scale(interval: Interval, scale: Callable[[float], float]) -> Interval:
    bottom, top = interval.range
    return replace(
        interval, low=scale(interval.low), high=scale(interval.high),
        range=(scale(bottom), scale(top)),
    )  # fmt: skip


def _warnings(area: Area, interval: Interval, certified: bool, chance: float) -> list[Remark]:
    counts = (area.summary.n_pos, area.summary.n_neg)
    sizes = zip(("positive", "negative"), area.in_region, counts, strict=True)
    remarks: list[Remark] = [
        FewInRegion(inside, name, certified) for name, inside, size in sizes if inside < FEW <= size
    ]
    remarks += bootstrap_doubts(interval, near_end(area))
    if area.value < chance * (1 - 1e-12):
        remarks.append(BelowDiagonal())
    if area.weight.probed:
        remarks.append(ProbedWeight())
    return remarks
