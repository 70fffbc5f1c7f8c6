"""What each threshold of a curve does, as counts, for the reader of a private page to explore."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.roc import Roc
from rocsolid.intervals.guarantees.rank_band import MOST_RANKS, RankBand, lower_band, upper_band
from rocsolid.report.curve_data import Cuts, RankLimits, RateLimits
from rocsolid.summaries.score_counts import ScoreCounts

_MOST = 2_000
_FEW_FLAGGED = 1_000
_SHARED = 24_000
_BY_SEGMENT = 2_500


def cuts_per_curve(curves: int) -> int:
    """How many thresholds each of ``curves`` curves keeps; other parts grow with their square too.

    >>> cuts_per_curve(1), cuts_per_curve(3), cuts_per_curve(10), cuts_per_curve(20)
    (2000, 2000, 240, 60)
    """
    return max(50, min(_MOST, _SHARED // curves**2))


def cuts_by_segment(curves: int) -> int:
    """How many thresholds each of ``curves`` curves of segments keeps.

    >>> cuts_by_segment(1), cuts_by_segment(15)
    (2000, 166)
    """
    return min(_MOST, _BY_SEGMENT // curves)


def cuts_of(curve: Roc, level: float, most: int, *, ranks: int = MOST_RANKS) -> Cuts:
    """Every threshold of a short curve; of a long one ``most`` of them.

    Up to half of these are the ones that flag the fewest rows, where each row counts; the others
    lie evenly along the rest of the curve.

    Limits are for independent rows that count alike, and come from the ranks of all rows. At most
    ``ranks`` ranks of a class have one: with fewer, rates between them have wider limits.

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
    """Kept thresholds with few digits, where these flag the very same rows.

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
    """The tables in which `rate_boxes` looks its limits up."""
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
