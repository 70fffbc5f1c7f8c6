"""The counts at each threshold of a curve, for readers of a private page to explore."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import Region
from rocsolid.binary.roc import Roc
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, Results
from rocsolid.intervals.guarantees.band import MOST_RANKS, RankBand, lower_band, upper_band
from rocsolid.intervals.guarantees.roc_band import RocBand
from rocsolid.report.data import Cuts, FloatArray, Part, RankLimits, RateLimits, Zoom
from rocsolid.summaries.score_counts import ScoreCounts

_MOST = 2_000
_FEW_FLAGGED = 1_000
_SHARED = 22_400
_BY_SEGMENT = 2_300


def cuts_per_curve(curves: int) -> int:
    """The number of thresholds kept for each of ``curves`` curves; other parts grow quadratically.

    >>> cuts_per_curve(1), cuts_per_curve(3), cuts_per_curve(10), cuts_per_curve(20)
    (2000, 2000, 224, 56)
    """
    return max(50, min(_MOST, _SHARED // curves**2))


def cuts_by_segment(curves: int) -> int:
    """The number of thresholds kept for each of ``curves`` curves of segments.

    >>> cuts_by_segment(1), cuts_by_segment(15)
    (2000, 153)
    """
    return min(_MOST, _BY_SEGMENT // curves)


def cuts_of(curve: Roc, level: float, most: int, *, ranks: int = MOST_RANKS) -> Cuts:
    """Every threshold of a short curve, or ``most`` thresholds of a long one.

    Up to half of these flag the fewest rows; the others are spaced evenly along the rest of the
    curve. Limits are for independent rows of equal weight. At most ``ranks`` ranks of a class have
    limits, and the rates between them have wider limits.

    >>> import rocsolid as rs
    >>> cuts = cuts_of(rs.roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5]), 0.95, 100)
    >>> cuts.thresholds.tolist(), cuts.hits.tolist(), cuts.alarms.tolist()
    ([inf, 8.0, 5.0, 3.0, 1.0, -3.0, -5.0], [0, 1, 1, 3, 3, 3, 3], [0, 0, 1, 1, 2, 3, 4])
    """
    counts = curve.counts
    total = len(curve.fpr)
    if total > most:
        # evenly in both rates and in thresholds, of which rows of one class may have most
        along = curve.fpr + curve.tpr + np.linspace(0.0, 1.0, total)
        first = max(most - _FEW_FLAGGED, most // 4)
        spread = np.linspace(along[first], along[-1], most - first)
        kept = np.union1d(np.arange(first), np.searchsorted(along, spread))
    else:
        kept = np.arange(total)
    hits, alarms = curve.tpr[kept] * float(counts.n_pos), curve.fpr[kept] * float(counts.n_neg)
    if not curve.weighted:
        hits, alarms = np.rint(hits).astype(np.int64), np.rint(alarms).astype(np.int64)
    known = isinstance(counts, ScoreCounts) and not (curve.weighted or curve.clustered)
    thresholds = np.asarray(curve.thresholds, dtype=np.float64)
    exact = int(np.count_nonzero(kept == np.arange(len(kept))))  # none is left out before these
    rest = _short(thresholds, kept[exact:])
    return Cuts(
        np.concatenate([thresholds[:exact], rest]),
        hits,
        alarms,
        total,
        exact,
        level,
        _limits(int(counts.n_pos), int(counts.n_neg), level, ranks) if known else None,
    )


def _short(thresholds: NDArray[np.float64], kept: NDArray[np.intp]) -> NDArray[np.float64]:
    """Shorten thresholds to few digits if these flag the very same rows.

    >>> _short(np.array([np.inf, 0.98765432, 0.8765432123, 0.7]), np.array([0, 2])).tolist()
    [inf, 0.876543]
    """
    shortened = thresholds[kept].copy()
    down = thresholds[0] > 0
    for i, corner in enumerate(kept.tolist()):
        value = float(thresholds[corner])
        following = (
            float(thresholds[corner + 1]) if corner + 1 < len(thresholds) else -thresholds[0]
        )
        for digits in (6, 9):
            short = float(f"{value:.{digits}g}")
            if following < short <= value if down else value <= short < following:
                shortened[i] = short
                break
    return shortened


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
    """The regions of the requested partial areas, at most three, or else the low rates."""
    requested = dict.fromkeys(part.measure.region for part in evaluation.parts)
    whole = Region(_SIDES, _SIDES)
    regions = [each for each in requested if each is not None and each != whole][:_REGIONS]
    curves = len(evaluation.by_score) * max(1, len(regions))
    points = max(_LEAST, min(_POINTS, _PAGE_POINTS // curves))
    if regions:
        return [Window(region, True, points) for region in regions]
    return low_rates(evaluation.parts[0].sizes[1], points)


def low_rates(negatives: int, points: int = _POINTS) -> list[Window]:
    """False-positive rates up to 0.1, if there are enough negatives for a separate drawing."""
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
    """The curve inside the box; a curve above or below the box becomes that side of the box."""
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
