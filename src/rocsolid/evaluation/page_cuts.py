"""The counts at each threshold of a curve, for readers of a private page to explore."""

from __future__ import annotations

import math
from dataclasses import field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import Region
from rocsolid.binary.roc import Roc
from rocsolid.dataclass import dataclass
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, Results
from rocsolid.intervals.guarantees.band import MOST_RANKS, RankBand, lower_band, upper_band
from rocsolid.intervals.guarantees.roc_band import RocBand
from rocsolid.report.data import Cuts, FloatArray, Part, RankLimits, RateLimits, Zoom
from rocsolid.report.decimal_grid import DecimalGrid
from rocsolid.report.packed import packed_size
from rocsolid.summaries.score_counts import ScoreCounts

_MOST = 2_000
_FEW_FLAGGED = 1_000
_SHARED = 22_400
_BY_SEGMENT = 2_300
_LETTERS = 14  # of a threshold with its counts
_DIGITS = 9
_SUMMARISED = "the rows were summarised"
_WEIGHTED = "limits for independent rows do not hold for weighted rows"
_CLUSTERED = (
    "limits for independent rows would be too narrow for clusters. The verb curve has intervals "
    "for clusters at chosen rates"
)
_ROOM, _ROOM_OF_CURVE = 130_000, 10_000  # letters on a page, less those of other parts


def cuts_per_curve(curves: int) -> int:
    """The number of thresholds kept for each of ``curves`` curves; other parts grow quadratically.

    >>> cuts_per_curve(1), cuts_per_curve(3), cuts_per_curve(10), cuts_per_curve(20)
    (2000, 2000, 224, 56)
    """
    return max(50, min(_MOST, _SHARED // curves**2))


def room_per_curve(curves: int) -> int:
    """The letters that thresholds of few digits may take, for each of ``curves`` curves.

    >>> room_per_curve(1), room_per_curve(3), room_per_curve(10), room_per_curve(20)
    (120000, 33333, 3000, 0)
    """
    return max(0, _ROOM - _ROOM_OF_CURVE * curves) // curves


def cuts_by_segment(curves: int) -> int:
    """The number of thresholds kept for each of ``curves`` curves of segments.

    >>> cuts_by_segment(1), cuts_by_segment(15)
    (2000, 153)
    """
    return min(_MOST, _BY_SEGMENT // curves)


def cuts_of(curve: Roc, level: float, most: int, *, ranks: int = MOST_RANKS, room: int = 0) -> Cuts:
    """Every threshold of a short curve.

    Of a curve with more than ``most`` thresholds, the first ones, which flag the fewest rows, and
    below them every threshold of a few significant digits: as many digits as fit in ``room``
    letters, or in the space of ``most`` thresholds.

    Limits are for independent rows of equal weight, and come from the ranks of all rows. At most
    ``ranks`` ranks of a class have limits: with fewer ranks, the rates between them have wider
    limits.

    >>> import rocsolid as rs
    >>> cuts = cuts_of(rs.roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5]), 0.95, 100)
    >>> cuts.thresholds.tolist(), cuts.hits.tolist(), cuts.alarms.tolist()
    ([inf, 8.0, 5.0, 3.0, 1.0, -3.0, -5.0], [0, 1, 1, 3, 3, 3, 3], [0, 0, 1, 1, 2, 3, 4])
    """
    counts = curve.counts
    total = len(curve.fpr)
    hits, alarms = curve.tpr * float(counts.n_pos), curve.fpr * float(counts.n_neg)
    if not curve.weighted:
        hits, alarms = np.rint(hits).astype(np.int64), np.rint(alarms).astype(np.int64)
    thresholds = np.asarray(curve.thresholds, dtype=np.float64)
    first, digits, kept = total, 0, np.arange(total)
    if total > most:
        first = max(most - _FEW_FLAGGED, most // 4)
        room = max(room, _LETTERS * (most - first))
        digits, rest, cut = _rounded(thresholds[first:], hits[first:], alarms[first:], room)
        kept = np.concatenate([kept[:first], first + rest])
        thresholds = np.concatenate([thresholds[:first], cut])
    reason = "" if isinstance(counts, ScoreCounts) else _SUMMARISED
    if curve.weighted or curve.clustered:
        reason = _CLUSTERED if curve.clustered else _WEIGHTED
    return Cuts(
        thresholds,
        hits[kept],
        alarms[kept],
        total,
        first,
        level,
        None if reason else _limits(int(counts.n_pos), int(counts.n_neg), level, ranks),
        digits,
        reason,
    )


def _rounded(
    thresholds: FloatArray, hits: NDArray[Any], alarms: NDArray[Any], room: int
) -> tuple[int, NDArray[np.intp], FloatArray]:
    """A threshold is rounded towards the rows that it does not flag, so it flags the same rows as
    the last threshold that rounds to it.
    """
    side = 1.0 if thresholds[0] > thresholds[-1] else -1.0
    finite = side * thresholds[np.isfinite(thresholds)]
    beyond = np.flatnonzero(~np.isfinite(thresholds))  # at most the last one

    best = None
    for digits in range(1, _DIGITS + 1):
        grid = DecimalGrid.of(finite, digits)
        keys, last = grid.falling(finite)
        letters = packed_size(-np.diff(keys))
        for counts in (hits[last], alarms[last]):
            steps = np.diff(counts)
            letters += packed_size(steps) if steps.dtype.kind == "i" else _LETTERS * len(steps)
        if best is not None and letters > room:
            break
        values = np.append(side * grid.value(keys), thresholds[beyond])
        best = digits, np.append(last, beyond), values
    assert best is not None
    return best


def _limits(n_pos: int, n_neg: int, level: float, ranks: int) -> RateLimits:
    share = (1.0 - math.sqrt(level)) / 2.0
    both = [
        (
            _table(lower_band(n, 0.0, 1.0, share), ranks),
            _table(upper_band(n, 0.0, 1.0, share), ranks),
        )
        for n in (n_pos, n_neg)
    ]
    return RateLimits(both[0], both[1])


def _table(band: RankBand, most: int) -> RankLimits:
    last = len(band.ranks) - 1
    kept = np.unique(np.rint(np.linspace(0, last, min(most, last + 1))).astype(np.intp))
    return band.ranks[kept], band.limit[kept]


LOW_RATES = Region.of(fpr=0.1)
_NEGATIVES_INSIDE = 20  # fewer of them are stairs that the whole drawing shows as well
_REGIONS = 3
_POINTS, _LEAST, _PAGE_POINTS = 300, 30, 600
_SIDES = (0.0, 1.0)
_NOTHING = np.zeros(0)


@dataclass(slots=True)
class Window:
    """A region to draw, with the data collected while the curves are available one by one."""

    region: Region
    measured: bool
    points: int
    parts: list[Part] = field(default_factory=list)

    def add(self, score: str, curve: Roc, band: RocBand | None) -> None:
        self.parts.append(part_of(score, curve, band, self.region, self.points))

    def zoom(self, evaluation: EvaluationNumbers | None = None) -> Zoom:
        region, top = self.region, self.region.tpr[1]
        if region.tpr == _SIDES:  # an open side ends where the highest curve or band does
            ends = [max(p.tpr.max(), p.band_high.max(initial=0.0)) for p in self.parts]
            top = min(1.0, math.ceil(20.0 * max(float(max(ends)), 0.05) - 1e-9) / 20.0)
        return Zoom(
            _in_words(region),
            (region.fpr, (region.tpr[0], top)),
            tuple(self.parts),
            (region.fpr, region.tpr) if self.measured else None,
            () if evaluation is None else _values(evaluation, region),
        )


def windows_of(evaluation: EvaluationNumbers) -> list[Window]:
    """The regions of at most three requested partial areas, or else the low rates."""
    requested = dict.fromkeys(part.measure.region for part in evaluation.parts)
    whole = Region(_SIDES, _SIDES)
    regions = [each for each in requested if each is not None and each != whole][:_REGIONS]
    curves = len(evaluation.by_score) * max(1, len(regions))
    points = max(_LEAST, min(_POINTS, _PAGE_POINTS // curves))
    if regions:
        return [Window(region, True, points) for region in regions]
    return low_rates(evaluation.parts[0].sizes[1], points)


def low_rates(negatives: int, points: int = _POINTS) -> list[Window]:
    supported = LOW_RATES.fpr[1] * negatives >= _NEGATIVES_INSIDE
    return [Window(LOW_RATES, False, points)] if supported else []


def part_of(score: str, curve: Roc, band: RocBand | None, region: Region, points: int) -> Part:
    """The curve inside the region, with about ``points`` corners.

    >>> import rocsolid as rs
    >>> part = part_of("s", rs.roc([0, 0, 1, 0, 1, 1], range(6)), None, Region.of(fpr=0.5), 50)
    >>> part.fpr.tolist(), part.tpr.round(2).tolist()
    ([0.0, 0.0, 0.333..., 0.333..., 0.5], [0.0, 0.67, 0.67, 1.0, 1.0])
    """
    line = _inside(curve, region).simplified()
    drawn = line.simplified(points)
    edges = (_NOTHING, _NOTHING, _NOTHING)
    if band is not None:
        edges = band.drawn(max(20, points // 4), fpr=region.fpr, tpr=region.tpr)
    return Part(score, drawn.fpr, drawn.tpr, len(line.fpr), drawn.area_error, *edges)


def _inside(curve: Roc, region: Region) -> Roc:
    (left, right), (bottom, top) = region.fpr, region.tpr
    along = curve.fpr + curve.tpr
    start = max(_reaches(curve.fpr, along, left), _reaches(curve.tpr, along, bottom))
    end = min(_leaves(curve.fpr, along, right), _leaves(curve.tpr, along, top))
    if start > end:
        height = top if _reaches(curve.fpr, along, left) > end else bottom
        sides, heights = np.array([left, right]), np.array([height, height])
        return replace(curve, fpr=sides, tpr=heights, thresholds=curve.thresholds[:2])
    inner = slice(along.searchsorted(start, side="right"), along.searchsorted(end))
    cut = np.array([start, end])
    ends = (
        np.clip(np.interp(cut, along, curve.fpr), left, right),
        np.clip(np.interp(cut, along, curve.tpr), bottom, top),
    )
    fpr, tpr = (
        np.concatenate((at[:1], rates[inner], at[1:]))
        for at, rates in zip(ends, (curve.fpr, curve.tpr), strict=True)
    )
    # thresholds play no part in the drawing of a part
    return replace(curve, fpr=fpr, tpr=tpr, thresholds=np.zeros(len(fpr)))


def _reaches(rates: FloatArray, along: FloatArray, rate: float) -> float:
    i = int(np.searchsorted(rates, rate, side="left"))
    return float(along[0]) if i == 0 else _between(rates, along, i, rate)


def _leaves(rates: FloatArray, along: FloatArray, rate: float) -> float:
    i = int(np.searchsorted(rates, rate, side="right"))
    return float(along[-1]) if i == len(rates) else _between(rates, along, i, rate)


def _between(rates: FloatArray, along: FloatArray, i: int, rate: float) -> float:
    share = (rate - rates[i - 1]) / (rates[i] - rates[i - 1])
    return float(along[i - 1] + share * (along[i] - along[i - 1]))


def _values(evaluation: EvaluationNumbers, region: Region) -> tuple[dict[str, object], ...]:
    parts = tuple(part for part in evaluation.parts if part.measure.region == region)
    return tuple(
        {**result.to_dict(), "decimals": result.interval.decimals}
        for result in Results(parts, None)
    )


def _in_words(region: Region) -> str:
    rates = (("false-positive rates", region.fpr), ("true-positive rates", region.tpr))
    text = ", ".join(_ends(name, ends) for name, ends in rates if ends != _SIDES)
    return text[0].upper() + text[1:]


def _ends(name: str, ends: tuple[float, float]) -> str:
    low, high = ends
    if low == 0.0:
        return f"{name} up to {high:g}"
    return f"{name} from {low:g} on" if high == 1.0 else f"{name} from {low:g} to {high:g}"
