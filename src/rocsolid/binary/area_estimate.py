"""A weighted area to an estimate, on the scale that was requested."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rocsolid.binary.area import Area
from rocsolid.binary.area_inference import asked_interval, certificate, hulled, near_end
from rocsolid.binary.clustered_area import clustered_area
from rocsolid.binary.design import undeclared
from rocsolid.binary.estimate import Measured, Options, Wording, estimated
from rocsolid.binary.warnings import bootstrap_doubts
from rocsolid.inputs import BinaryRows
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import FEW
from rocsolid.remarks.values import BelowDiagonal, FewInRegion, ProbedWeight
from rocsolid.results import Estimate, Interval
from rocsolid.results.deferred import Deferred


def area_estimate(
    area: Area,
    options: Options,
    wording: Wording,
    scale: Callable[[float], float],
    omitted: int,
    clustered: BinaryRows | None = None,
) -> Estimate:
    """Both intervals and the value, each turned by ``scale``, which grows with the raw area.

    The chance of ``wording`` is a raw area too.

    ``clustered`` are the rows where they have clusters; then nothing is certified.
    """
    of_clusters = None if clustered is None else clustered_area(area, clustered, options)
    certified: Deferred[Interval] | None = None
    if of_clusters is not None:
        interval, error = of_clusters.interval, of_clusters.std_error
    else:
        raw = certificate(area, options.level, options.alternative, options.design)
        certified = None if raw is None else Deferred(lambda: _on_scale(raw(), scale))
        interval = asked_interval(area, options)
        error = float(np.sqrt(sum(area.variance)))
    slope = (scale(area.largest) - scale(0.0)) / area.largest
    summary = area.summary
    if of_clusters is not None:
        summary = replace(summary, clusters=of_clusters.clusters)
    measured = Measured(
        scale(area.value),
        _on_scale(interval, scale),
        certified,
        None if np.isnan(error) else slope * error,
        replace(wording, chance=scale(wording.chance)),
        warnings=lambda cut, _: (
            *(undeclared(summary, options.design) if of_clusters is None else ()),
            *_warnings(area, cut, certified is not None, wording.chance),
        ),
        # elsewhere it lies outside, see the tests; of a box it may end a little inside
        may_be_cut=area.box is not None or hulled(area),
        settings=options.resampling.settings(options.interval),
    )
    return estimated(summary, measured, options, omitted)


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
