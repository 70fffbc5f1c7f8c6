"""The band of a ROC curve of clustered rows, from whole clusters drawn again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.resampling.interval import Sampler
from rocsolid.binary.resampling.replicates import RankingCells, of_tables
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.guarantees.checks import check_level
from rocsolid.intervals.guarantees.roc_band import RocBand
from rocsolid.results.interval import CLUSTERS, CURVE
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]
_ASSUMED = (
    "clusters are independent; rows within a cluster may depend on each other in any way",
    "some tens of clusters",
)
_SOURCE = "Efron 1979, whole clusters resampled"
_GRID = 101  # rates of a band


def heights(counts: ScoreCounts, fpr: _FLOATS) -> _FLOATS:
    """The true-positive rate at each false-positive rate; a vertical stretch counts at its top.

    >>> positive = np.array([True, False, True, False])
    >>> table = ScoreCounts.from_arrays(positive, np.array([4, 3, 2, 1]))
    >>> heights(table, np.array([0.0, 0.25, 0.5, 1.0]))
    array([0.5, 0.5, 1. , 1. ])
    """
    tpr, alarms = (flagged / flagged[-1] for flagged in counts.corners)
    at = np.searchsorted(alarms, fpr, side="right") - 1
    after = np.minimum(at + 1, len(alarms) - 1)
    run = alarms[after] - alarms[at]
    share = np.where(run > 0.0, (fpr - alarms[at]) / np.where(run > 0.0, run, 1.0), 0.0)
    return np.asarray(tpr[at] + share * (tpr[after] - tpr[at]))


def widths(counts: ScoreCounts, tpr: _FLOATS) -> _FLOATS:
    """The false-positive rate at each true-positive rate; a flat stretch counts at its left end."""
    hits, alarms = (flagged / flagged[-1] for flagged in counts.corners)
    at = np.searchsorted(hits, tpr, side="left")
    before = np.maximum(at - 1, 0)
    rise = hits[at] - hits[before]
    share = np.where(rise > 0.0, (hits[at] - tpr) / np.where(rise > 0.0, rise, 1.0), 0.0)
    return np.asarray(alarms[at] - share * (alarms[at] - alarms[before]))


def clustered_band(rows: BinaryRows, level: float, resamples: int, seed: int) -> RocBand:
    """A band that holds at each rate by itself, from whole clusters drawn again; not certified."""
    check_level(level)
    rates, sampler = np.linspace(0.0, 1.0, _GRID), Sampler.of(rows, None)

    def curves(table: ScoreCounts, _: ScoreCounts) -> list[float]:
        return [*heights(table, rates), *widths(table, rates)]

    drawn = of_tables(sampler, RankingCells.of(rows, sampler, merged=True), resamples, seed, curves)
    limits = np.quantile(drawn, [(1.0 - level) / 2.0, (1.0 + level) / 2.0], axis=0)
    (low, left), (high, right) = (np.split(limit, 2) for limit in limits)
    return RocBand(
        rates, low, high, rates, left, right, level, "bootstrap-percentile (clusters)", True,
        _ASSUMED, _SOURCE, CURVE | CLUSTERS, certified=False,
    )  # fmt: skip
