"""Estimates of areas: for one score, for clustered rows, and for many groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import Area, in_region_of
from rocsolid.binary.area_inference import (
    ENOUGH,
    asked_interval,
    auto_limits,
    certificate,
    hulled,
    near_end,
    scaled,
)
from rocsolid.binary.curve_area import Variance, areas_and_influences, row_influence
from rocsolid.binary.estimate import Measured, Options, Wording, bootstrap_doubts, estimated
from rocsolid.binary.grouped_rows import GroupColumns, GroupedRows, as_lists
from rocsolid.binary.inference import undeclared
from rocsolid.errors import UnsoundError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.calibrated.auto import auto
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import FEW
from rocsolid.remarks.values import BelowDiagonal, FewInRegion, ProbedWeight
from rocsolid.results.deferred import Deferred
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.moments import Moments, Units, as_rare, carriers
from rocsolid.summaries.products import dot
from rocsolid.summaries.spread import Spread
from rocsolid.weights.weight import Weight

ASSUMPTIONS = (
    "clusters independent; rows within one depend in any way",
    "some tens of clusters in the region (normal approximation)",
)
SOURCE = (
    "influence functions of the area under the completed curve, summed in each cluster (Obuchowski "
    "1997)"
)


@dataclass(frozen=True, slots=True)
class ClusteredArea:
    """The interval and standard error of an area for clustered rows, on the raw scale."""

    interval: Interval
    std_error: float
    clusters: int


def influence(area: Area, rows: BinaryRows) -> NDArray[np.float64]:
    """The influence of each row on the raw area; 0 if the curve misses the box."""
    if area.box is not None and area.variance == (0.0, 0.0):
        return np.zeros(len(rows))
    return row_influence(rows.positive, rows.score, rows.weight, area.weight)


def clustered_area(area: Area, rows: BinaryRows, options: Options) -> ClusteredArea:
    """Interval by Obuchowski's variance, as if each cluster were one row of each class.

    The value ignores clusters, so every pair of rows counts equally and large clusters weigh more.
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
    influences, largest = influence(area, rows), area.largest
    spread = Spread.of(rows, [influences])
    parts = [float(part[0, 0]) / largest**2 for part in spread.own(0).covariances]
    held, units = _units(area, rows, influences)
    inside = area.in_region
    few = min(inside) < ENOUGH
    if few:
        held = [min(pair) for pair in zip(held, inside, strict=True)]
    if min(inside) < 1.0:
        low, high, method = 0.0, 1.0, "auto (no row in the region)"
    else:
        share = min(max(area.value / largest, 0.0), 1.0)
        moments = Moments(share, *parts, *held, units=None if few else units)
        ends = auto(moments, options.level, options.alternative)
        low, high, method = float(ends[0]), float(ends[1]), "auto (clusters)"
    interval = Interval(
        largest * low, largest * high, options.level, method,
        assumptions=ASSUMPTIONS, source=SOURCE, range=(0.0, largest),
    )  # fmt: skip
    return ClusteredArea(interval, float(np.sqrt(spread.covariance()[0, 0])), int(spread.units))


def _units(
    area: Area, rows: BinaryRows, influences: NDArray[np.float64]
) -> tuple[list[float], Units]:
    """The number of clusters with rows of each class, and how evenly they share the weight.

    Influences are known up to a constant per class, which is set so that their mean is the area.
    """
    cluster = np.zeros(len(rows), dtype=np.int64) if rows.cluster is None else rows.cluster
    weight = np.ones(len(rows)) if rows.weight is None else rows.weight
    size, shares, carrying = int(cluster.max()) + 1, [], []
    for of_class in (rows.positive, ~rows.positive):
        share = weight[of_class] / weight[of_class].sum()
        kept = influences[of_class] - dot(share, influences[of_class]) + area.value
        by_cluster = [
            np.bincount(cluster[of_class], share * factor, size).astype(np.float64)
            for factor in (
                np.ones(len(share)),
                np.maximum(area.largest - kept, 0.0),
                kept.clip(0.0),
            )
        ]
        shares.append(by_cluster[0])
        held = float(np.count_nonzero(by_cluster[0]))
        carrying.append(as_rare(carriers(by_cluster[1], by_cluster[2]), held))
    attained = area.value / area.largest
    rows_misplaced = min(area.in_region) * min(attained, 1.0 - attained)
    units = Units.of_shares(shares[0], shares[1], min(*carrying, rows_misplaced))
    return [float(np.count_nonzero(share)) for share in shares], units


def area_estimate(
    area: Area,
    options: Options,
    wording: Wording,
    scale: Callable[[float], float],
    omitted: int,
    clustered: BinaryRows | None = None,
) -> Estimate:
    """The estimate on a ``scale`` that increases with the raw area.

    The chance value of ``wording`` is a raw area. ``clustered`` are the rows if they have clusters;
    the estimate then has no certified interval.
    """
    slope = (scale(area.largest) - scale(0.0)) / area.largest
    summary, raw = area.summary, None
    if clustered is None:
        raw = certificate(area, options.level, options.alternative, options.design)
        interval = Deferred(lambda: _on_scale(asked_interval(area, options), scale))
        if options.interval != "auto" or not (area.loss is None or area.loss.in_unit_range):
            interval()  # raises an error now if it does not hold
        error = float(np.sqrt(sum(area.variance)))
    else:
        of_clusters = clustered_area(area, clustered, options)
        interval = Deferred(lambda: _on_scale(of_clusters.interval, scale))
        summary, error = replace(summary, clusters=of_clusters.clusters), of_clusters.std_error
    certified = None if raw is None else Deferred(lambda: _on_scale(raw(), scale))
    measured = Measured(
        scale(area.value),
        interval,
        certified,
        None if np.isnan(error) else slope * error,
        replace(wording, chance=scale(wording.chance)),
        warnings=lambda cut, _: (
            *(undeclared(summary, options.design) if clustered is None else ()),
            *_warnings(area, cut, certified is not None, wording.chance),
        ),
        # otherwise the certified interval is wider, see the tests; for a box it may be narrower
        may_be_cut=lambda: area.box is not None or bool(hulled(area.shares, area.in_region)),
        settings=options.resampling.settings(options.interval),
    )
    return estimated(summary, measured, options, omitted)


def area_columns(
    ranked: GroupedRows,
    weight: Weight,
    options: Options,
    wording: Wording,
    scale: Callable[[float], float],
) -> GroupColumns:
    """The areas of many groups for a known weight, with default intervals."""
    largest = weight.l1_norm
    slope = (scale(largest) - scale(0.0)) / largest
    values, var_pos, var_neg = ranked.columns(3, lambda block: areas_and_influences(block, weight))
    on_scale = np.array([scale(value) for value in values.tolist()])
    sizes = ranked.n_pos.astype(np.float64), ranked.n_neg.astype(np.float64)
    in_region = in_region_of(weight, *sizes)
    shares = Moments(
        np.clip(values / largest, 0.0, 1.0), var_pos / largest**2, var_neg / largest**2, *sizes
    )
    limits = Deferred(lambda: as_lists(*auto_limits(shares, in_region, options)))
    plain = Deferred(
        lambda: as_lists(
            values, var_pos, var_neg, *in_region, on_scale, slope * np.sqrt(var_pos + var_neg),
            hulled(shares, in_region),
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

        def interval() -> Interval:
            low, high, method = (column[group] for column in limits())
            return _on_scale(scaled(summary, largest, (low, high), method, options), scale)

        def certified() -> Interval:
            raw = certificate(area(), options.level, options.alternative)
            assert raw is not None
            return _on_scale(raw(), scale)

        return Measured(
            shown,
            Deferred(interval),
            Deferred(certified),
            None if np.isnan(error) else error,
            turned,
            warnings=lambda cut, _: _warnings(area(), cut, True, wording.chance),
            may_be_cut=lambda: hull,
            settings=settings,
        )

    return GroupColumns(on_scale, measured)


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
