"""A weighted area to an estimate, on the scale that was requested."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocsolid.binary.area import Area
from rocsolid.binary.area_inference import asked_interval, certificate, near_end
from rocsolid.binary.clustered_area import clustered_area
from rocsolid.binary.design import undeclared
from rocsolid.binary.estimate import Options
from rocsolid.binary.warnings import bootstrap_doubts, few_rows, missing_rows
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.within import within
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import FEW
from rocsolid.remarks.values import BelowDiagonal, FewInRegion, ProbedWeight
from rocsolid.results import Estimate, Interval
from rocsolid.results.plain import attributes
from rocsolid.summaries.binary_summary import BinarySummary


@dataclass(frozen=True, slots=True)
class Wording:
    """How an area is named, what it means, and the raw area of a score that ranks at random."""

    measure: str
    meaning: str
    chance: float
    settings: Mapping[str, Any]


def area_estimate(
    area: Area,
    asked: Options,
    wording: Wording,
    scale: Callable[[float], float],
    omitted: int,
    clustered: BinaryRows | None = None,
) -> Estimate:
    """Both intervals and the value, each turned by ``scale``, which grows with the raw area.

    ``clustered`` are the rows where they have clusters; then nothing is certified.
    """
    of_clusters = None if clustered is None else clustered_area(area, clustered, asked)
    certified = None
    if of_clusters is not None:
        interval, error = of_clusters.interval, of_clusters.std_error
    else:
        certified = certificate(area, asked.level, asked.alternative, asked.design)
        interval = asked_interval(area, asked)
        if asked.interval == "auto":
            interval = within(interval, certified, area.value)
        error = float(np.sqrt(sum(area.variance)))
    slope = (scale(area.largest) - scale(0.0)) / area.largest
    summary = area.summary
    if of_clusters is not None:
        summary = replace(summary, clusters=of_clusters.clusters)
    return Estimate(
        value=scale(area.value),
        interval=_on_scale(interval, scale),
        certified=None if certified is None else _on_scale(certified, scale),
        std_error=None if np.isnan(error) else slope * error,
        n_pos=summary.n_pos,
        n_neg=summary.n_neg,
        ties=summary.ties,
        measure=wording.measure,
        warnings=_warnings(area, summary, interval, certified, wording.chance, asked, omitted),
        settings={
            **wording.settings,
            **attributes(asked, "pos_label lower_is_better nan interval alternative"),
            "omitted": omitted,
            "weighted": summary.weighted,
            "clusters": None if of_clusters is None else of_clusters.clusters,
            **asked.resampling.settings(asked.interval),
        },
        fingerprint=str(summary.fingerprint),
        meaning=wording.meaning,
        chance=scale(wording.chance),
    )


def _on_scale(interval: Interval, scale: Callable[[float], float]) -> Interval:
    bottom, top = interval.range
    return replace(
        interval, low=scale(interval.low), high=scale(interval.high),
        range=(scale(bottom), scale(top)),
    )  # fmt: skip


def _warnings(
    area: Area,
    summary: BinarySummary,
    found: Interval,
    certified: Interval | None,
    chance: float,
    asked: Options,
    omitted: int,
) -> tuple[Remark, ...]:
    said = [*missing_rows(omitted), *few_rows(summary, certified is not None)]
    said += undeclared(area.summary, asked.design) if summary.clusters is None else []
    counts = (area.summary.n_pos, area.summary.n_neg)
    sizes = zip(("positive", "negative"), area.in_region, counts, strict=True)
    said += [
        FewInRegion(inside, name, certified is not None)
        for name, inside, size in sizes
        if inside < FEW <= size
    ]
    said += bootstrap_doubts(found, near_end(area))
    if area.value < chance * (1 - 1e-12):
        said.append(BelowDiagonal())
    if area.weight.probed:
        said.append(ProbedWeight())
    return tuple(said)
