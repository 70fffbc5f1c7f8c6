"""What stands on a curve and beside it, as plain data: operating points, and a part drawn large."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.pictures.rates import Box, Rates
from rocsolid.remarks.remark import Remark

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CutPoint:
    """A threshold and what it does. Without limits the rows have none, or none was requested.

    ``chosen`` says in words what the threshold was found by. ``method`` names the intervals and
    ``warnings`` say what limits them.

    Publishes a threshold, which is a score of the data, and the exact shares of both classes that
    it flags: with the class sizes, two counts of labels.
    """

    chosen: str
    threshold: float
    tpr: float
    fpr: float
    tpr_limits: Rates | None = None
    fpr_limits: Rates | None = None
    level: float = 0.95
    method: str = ""
    warnings: tuple[Remark, ...] = ()


RankLimits = tuple[NDArray[np.int64], FloatArray]
"""Ranks from the top, ascending, and the limit that belongs to each."""


@dataclass(frozen=True, slots=True, eq=False)
class RateLimits:
    """Limits for both rates that hold at all thresholds at once; a pair for each class.

    With ``k`` rows of a class flagged its rate is at least the first table's limit of the largest
    rank up to ``k`` (0 where there is none), and at most the second's of the smallest rank above
    ``k`` (else 1).
    """

    positives: tuple[RankLimits, RankLimits]
    negatives: tuple[RankLimits, RankLimits]


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """Thresholds from the one that flags nothing on, and how many rows of each class they flag.

    ``total`` is how many the data has, and before the first ``exact`` of these none is left out.
    ``hits`` and ``alarms`` may be sums of weights, and without ``limits`` there are no intervals.

    Publishes the numbers of positives and negatives above each threshold: with all thresholds that
    is the path of the curve. The limits follow from the class sizes.
    """

    thresholds: FloatArray
    hits: NDArray[Any]
    alarms: NDArray[Any]
    total: int
    exact: int
    level: float
    limits: RateLimits | None = None

    @property
    def complete(self) -> bool:
        return len(self.thresholds) == self.total


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One curve inside a box, from where it enters to where it leaves.

    ``corners`` is how many the data has there; ``area_error`` bounds what dropping some of them
    moved. A curve that passes above or below the box runs along that side. The band's arrays are
    empty where there is none; its edges are joined by straight lines.

    Publishes some corners of the exact curve (each two counts of labels), and limits that follow
    from the whole of it.
    """

    score: str
    fpr: FloatArray
    tpr: FloatArray
    corners: int
    area_error: float
    band_fpr: FloatArray
    band_low: FloatArray
    band_high: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Zoom:
    """A box of rates, drawn large: the same curves in the same order as in their panel.

    ``box`` is what is drawn. ``region`` is set where a partial area was requested: the
    part of that box under the curve is shaded, and ``rows`` are its values, as in the table of
    results.

    Publishes what its parts do, and the values in ``rows``.
    """

    title: str
    box: Box
    parts: tuple[Part, ...]
    region: Box | None = None
    rows: tuple[Mapping[str, Any], ...] = ()
