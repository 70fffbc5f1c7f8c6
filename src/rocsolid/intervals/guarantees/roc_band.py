"""Bands for the ROC curve: limits for the share of a class above every threshold at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.clopper_pearson import lower_limit, upper_limit
from rocsolid.intervals.guarantees.band import RankBand, lower_band, upper_band
from rocsolid.intervals.guarantees.checks import IID, check_level
from rocsolid.intervals.guarantees.dkw import dkw_radius
from rocsolid.results import percent
from rocsolid.results.interval import CURVE, Interval, Reads
from rocsolid.results.plain import one_line, written
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts, mirrored

_FLOATS = NDArray[np.float64]
Limits = tuple[_FLOATS, _FLOATS]


def dkw_limits(above: NDArray[np.int64], rows: int, share: float) -> Limits:
    """Return the empirical share ± √(ln(2/share)/(2·rows)), the DKW limits with Massart's constant.

    All limits hold together except with probability ``share`` (Dvoretzky, Kiefer and Wolfowitz;
    Massart). The width is the same everywhere, which makes the limits useless for small rates.

    >>> low, high = dkw_limits(np.array([0, 50, 100]), 100, 0.05)
    >>> low.round(3), high.round(3)
    (array([0.   , 0.364, 0.864]), array([0.136, 0.636, 1.   ]))
    """
    rate, radius = above / rows, dkw_radius(rows, share)
    return np.maximum(rate - radius, 0.0), np.minimum(rate + radius, 1.0)


def equal_local_limits(above: NDArray[np.int64], rows: int, share: float) -> Limits:
    """Return Beta quantiles of the order statistics, each at the same level (Berk and Jones 1979).

    Each side fails at any threshold with probability at most share/2, ties included. The limits are
    narrow for rates near 0 or 1, and a little wider than `dkw_limits` in the middle.

    >>> low, high = equal_local_limits(np.array([0, 50, 100]), 100, 0.05)
    >>> low.round(3), high.round(3)
    (array([0.   , 0.346, 0.934]), array([0.066, 0.654, 1.   ]))
    """
    return at_least(above, rows, share / 2.0), at_most(above, rows, share / 2.0)


def at_least(above: NDArray[np.int64], rows: int, share: float) -> _FLOATS:
    """Return the lower limits alone, which fail anywhere with probability at most ``share``."""
    return reached(above, lower_band(rows, 0.0, 1.0, share))


def at_most(above: NDArray[np.int64], rows: int, share: float) -> _FLOATS:
    return not_exceeded(above, upper_band(rows, 0.0, 1.0, share))


def reached(above: NDArray[np.int64], band: RankBand) -> _FLOATS:
    """Return the lower limit for the rate at each count of rows."""
    return np.append(0.0, band.limit)[np.searchsorted(band.ranks, above, side="right")]


def not_exceeded(above: NDArray[np.int64], band: RankBand) -> _FLOATS:
    return np.append(band.limit, 1.0)[np.searchsorted(band.ranks, above + 1, side="left")]


def jumps(rows: int, level: float) -> NDArray[np.int64]:
    """Return the counts at which the equal local limits of `rate_boxes` change."""
    share = (1.0 - math.sqrt(level)) / 2.0
    bands = lower_band(rows, 0.0, 1.0, share), upper_band(rows, 0.0, 1.0, share)
    return np.union1d(bands[0].ranks, bands[1].ranks)


SIMULTANEOUS: dict[str, Callable[[NDArray[np.int64], int, float], Limits]] = {
    "dkw": dkw_limits,
    "equal-local-levels": equal_local_limits,
}


def rate_boxes(
    hits: NDArray[np.int64],
    alarms: NDArray[np.int64],
    sizes: tuple[int, int],
    kind: str,
    level: float,
) -> tuple[Limits, Limits]:
    """Return simultaneous limits for the true-positive and the false-positive rates.

    ``hits`` and ``alarms`` count the positives and negatives at or above each threshold; ``sizes``
    are the class sizes. The classes are independent, so limits that hold for each with probability
    √level hold for both with probability ``level``.
    """
    share = 1.0 - math.sqrt(level)
    limits = SIMULTANEOUS[kind]
    return limits(hits, sizes[0], share), limits(alarms, sizes[1], share)


_SIDES = (0.0, 1.0)


def stairs(
    edges: tuple[_FLOATS, _FLOATS, _FLOATS],
    places: int,
    fpr: tuple[float, float] = _SIDES,
    tpr: tuple[float, float] = _SIDES,
) -> tuple[_FLOATS, _FLOATS, _FLOATS]:
    """Return the part inside a box of a band with stairs as edges (rates are listed twice).

    ``edges`` are the rates, the lower and the upper edge. Of more than ``places`` rates some are
    left out, and the others extend over those that they replace, so the drawn area contains the
    whole band.

    >>> x = np.repeat([0.0, 0.2, 0.5, 1.0], 2)
    >>> low, high = np.repeat([0.0, 0.1, 0.6], [3, 2, 3]), np.repeat([0.4, 0.9, 1.0], [3, 2, 3])
    >>> [edge.tolist() for edge in stairs((x, low, high), 3)]
    [[0.0, 0.5, 0.5, 1.0], [0.0, 0.0, 0.6, 0.6], [0.9, 0.9, 1.0, 1.0]]
    >>> stairs((x, low, high), 9, fpr=(0.1, 0.3))[1].tolist()
    [0.0, 0.0, 0.1, 0.1]
    """
    rates, low, high = edges
    inside = np.unique(rates)
    inside = inside[(inside > fpr[0]) & (inside < fpr[1])]
    x = np.concatenate(([fpr[0]], inside, [fpr[1]]))
    if len(x) > places:
        along = x + np.interp(x, rates, low + high) / 2.0
        spread = np.searchsorted(along, np.linspace(along[0], along[-1], places))
        x = x[np.unique(np.append(0, np.minimum(spread, len(x) - 1)))]
    # of a place that is listed twice the second entry is its right, the first its left
    right = np.searchsorted(rates, x[:-1], side="right") - 1
    left = np.searchsorted(rates, x[1:], side="left")
    return (
        np.repeat(x, 2)[1:-1],
        np.clip(np.repeat(low[right], 2), *tpr),
        np.clip(np.repeat(high[left], 2), *tpr),
    )


def lines(
    edges: tuple[_FLOATS, _FLOATS, _FLOATS],
    fpr: tuple[float, float] = _SIDES,
    tpr: tuple[float, float] = _SIDES,
) -> tuple[_FLOATS, _FLOATS, _FLOATS]:
    """Return the part inside a box of a band with straight lines as edges; all rates are kept.

    >>> x = np.array([0.0, 0.5, 1.0])
    >>> [edge.tolist() for edge in lines((x, x * x, x), fpr=(0.25, 0.5))]
    [[0.25, 0.5], [0.125, 0.25], [0.25, 0.5]]
    """
    rates, low, high = edges
    inside = rates[(rates > fpr[0]) & (rates < fpr[1])]
    x = np.concatenate(([fpr[0]], inside, [fpr[1]]))
    return x, np.clip(np.interp(x, rates, low), *tpr), np.clip(np.interp(x, rates, high), *tpr)


POINTWISE = "order statistics and Clopper-Pearson"
SOURCE = "Clopper and Pearson, Biometrika 26 (1934), 404-413 (binomial limits)"


@dataclass(frozen=True, slots=True, eq=False)
class RocBand:
    """Limits for the true curve in both directions; ``certified`` limits hold at every sample size.

    ``low`` and ``high`` enclose the true-positive rate at each false-positive rate ``fpr``;
    ``left`` and ``right`` enclose the false-positive rate at each true-positive rate ``tpr``. If
    ``pointwise``, the level holds at each rate by itself. Otherwise the level holds for the whole
    curve at once, in both directions, and the edges are stairs whose rates are listed twice.
    ``reads`` lists the facts about the labels that the band is computed from.
    """

    fpr: _FLOATS
    low: _FLOATS
    high: _FLOATS
    tpr: _FLOATS
    left: _FLOATS
    right: _FLOATS
    level: float
    method: str
    pointwise: bool
    assumptions: tuple[str, ...] = IID
    source: str = SOURCE
    reads: Reads = CURVE
    certified: bool = True

    __repr__ = one_line

    def __str__(self) -> str:
        height = self.high - self.low
        width = dot(np.diff(self.fpr), height[1:] + height[:-1]) / 2.0
        holds = "at each rate by itself" if self.pointwise else "for the whole curve"
        return (
            f"ROC band that holds {holds} at {percent(self.level)} ({self.method}), on average "
            f"{width:.3f} high"
        )

    def at(self, *, fpr: float | None = None, tpr: float | None = None) -> Interval:
        """Return limits for the true-positive rate at a false-positive rate, or the reverse.

        Between two grid rates of a pointwise band, the neighbours' outer limits hold, because a ROC
        curve never falls.
        """
        if (fpr is None) == (tpr is None):
            raise InputError(
                "a band is read at one rate", value=(fpr, tpr), fix="name fpr or tpr, not both"
            )
        rate, grid, low, high = (
            (fpr, self.fpr, self.low, self.high)
            if tpr is None
            else (tpr, self.tpr, self.left, self.right)
        )
        if not isinstance(rate, Real) or not 0.0 <= rate <= 1.0:
            raise InputError("a rate must lie in [0, 1]", value=rate)
        first = int(np.searchsorted(grid, rate, side="left"))
        last = int(np.searchsorted(grid, rate, side="right"))
        on_it = last > first
        return Interval(
            float(low[first if on_it else first - 1]),
            float(high[last - 1 if on_it else last]),
            self.level,
            self.method,
            certified=self.certified,
            assumptions=self.assumptions,
            source=self.source,
            reads=self.reads,
        )

    def drawn(
        self,
        places: int = 400,
        *,
        fpr: tuple[float, float] = (0.0, 1.0),
        tpr: tuple[float, float] = (0.0, 1.0),
    ) -> tuple[_FLOATS, _FLOATS, _FLOATS]:
        """Return ``fpr``, ``low`` and ``high`` for a picture of the box, to be joined by lines.

        At most ``places`` stairs are drawn, and the drawn area contains the whole band; see
        `stairs`.
        """
        edges = self.fpr, self.low, self.high
        return lines(edges, fpr, tpr) if self.pointwise else stairs(edges, places, fpr, tpr)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; the keys are stable."""
        keys = "fpr low high tpr left right level method pointwise certified assumptions source"
        return written(self, keys)


def pointwise_band(counts: ScoreCounts, rates: _FLOATS, level: float = 0.95) -> RocBand:
    """Return the limits of `curve_limits` at each of ``rates``, from 0 to 1, in both directions.

    Limits for a false-positive rate are one minus those for a true-positive rate of the mirrored
    curve.

    >>> table = ScoreCounts.from_arrays(np.arange(40) >= 20, np.arange(40.0))
    >>> band = pointwise_band(table, np.linspace(0, 1, 11))
    >>> band.at(fpr=0.5).low, band.at(tpr=0.5).high
    (0.8032..., 0.1967...)
    """
    low, high = curve_limits(counts, rates, level)
    mirror_low, mirror_high = curve_limits(mirrored(counts), 1.0 - rates, level)
    return RocBand(
        rates, low, high, rates, 1.0 - mirror_high, 1.0 - mirror_low, level, POINTWISE, True
    )


def curve_limits(counts: ScoreCounts, fpr: _FLOATS, level: float = 0.95) -> tuple[_FLOATS, _FLOATS]:
    """Return at each false-positive rate t an interval for roc(t), exact for every distribution.

    Two order statistics of the negatives enclose their (1−t)-quantile: each side fails with
    probability at most δ/4, by binomial tails. Given them, the numbers of positives above the upper
    and at or above the lower one are binomial, and each has a Clopper-Pearson limit with δ/4. The
    level holds at each t, not for all t together.

    >>> table = ScoreCounts.from_arrays(np.arange(40) >= 20, np.arange(40.0))
    >>> low, high = curve_limits(table, np.array([0.5]))
    >>> low.round(3), high
    (array([0.803]), array([1.]))
    """
    share = check_level(level) / 4.0
    m, n = int(counts.n_pos), int(counts.n_neg)
    pos_through, neg_through = np.cumsum(counts.pos), np.cumsum(counts.neg)
    # the least u with P(Bin(n, 1−t) ≥ u) ≤ share (or n + 1) and the largest l with P(Bin < l) ≤
    # share (or 0): P(Bin < l) stays below the share up to the first k that reaches it
    upper_rank = first_reaching(n, 1.0 - fpr, 1.0 - share) + 1
    lower_rank = first_reaching(n, 1.0 - fpr, share)
    # the r-th smallest negative sits in the first row of the table that reaches r
    at_upper = np.searchsorted(neg_through, upper_rank)
    at_lower = np.searchsorted(neg_through, np.maximum(lower_rank, 1))
    through = pos_through[np.minimum(at_upper, len(counts) - 1)]
    above = np.where(upper_rank <= n, m - through, 0)
    not_below = np.where(lower_rank >= 1, m - pos_through[at_lower] + counts.pos[at_lower], m)
    return lower_limit(above, m, share), upper_limit(not_below, m, share)


def first_reaching(n: int, q: _FLOATS, level: float) -> NDArray[np.int64]:
    """Return the smallest k in 0..n with P(Bin(n, q) ≤ k) ≥ level, by bisection."""
    from scipy.special import bdtr

    low, high = np.zeros(len(q), dtype=np.int64), np.full(len(q), n)
    while np.any(low < high):
        middle = (low + high) // 2
        enough = bdtr(middle.astype(float), n, q) >= level
        low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
    return low


SOURCES = {
    "dkw": "Massart, Annals of Probability 18 (1990), 1269-1283, for the rates of each class "
    "(fixed-width bands: Campbell, Statistics in Medicine 13 (1994), 499-508)",
    "equal-local-levels": "Berk and Jones, Zeitschrift für Wahrscheinlichkeitstheorie 47 (1979), "
    "47-59, for the rates of each class",
}


def simultaneous_band(counts: ScoreCounts, kind: str, level: float = 0.95) -> RocBand:
    """Return a region that contains the whole curve, vertical steps and tied segments included.

    At every threshold the two true rates lie in a box, for all thresholds at once. The true curve
    passes through each box and never falls, so to the right of a box it is nowhere below the box's
    lower edge, and to the left nowhere above the upper edge.

    >>> table = ScoreCounts.from_arrays(np.arange(200) >= 100, np.arange(200.0) % 130)
    >>> print(simultaneous_band(table, "equal-local-levels").at(fpr=0.5))
    [0.1877, 0.8123] at 95 % (equal-local-levels)
    """
    check_level(level)
    m, n = int(counts.n_pos), int(counts.n_neg)
    hits, alarms = counts.corners
    if kind == "equal-local-levels":  # a few hundred boxes hold all others
        kept = [above.searchsorted(jumps(rows, level)) for above, rows in ((hits, m), (alarms, n))]
        needed = np.unique(np.concatenate([[0], *kept]))
        hits, alarms = hits[needed], alarms[needed]
    tpr, fpr = rate_boxes(hits, alarms, (m, n), kind, level)
    across, low, high = _stairs(fpr, tpr)
    upward, left, right = _stairs(tpr, fpr)
    return RocBand(
        across, low, high, upward, left, right, level, kind, pointwise=False, source=SOURCES[kind]
    )


def _stairs(x: Limits, y: Limits) -> tuple[_FLOATS, _FLOATS, _FLOATS]:
    """Return the largest lower edge of boxes left of each x, the smallest upper edge of the rest.

    Each x at which an edge jumps is listed twice, with the values to the left and right of it.

    >>> x, y = (np.array([0.2]), np.array([0.4])), (np.array([0.5]), np.array([0.7]))
    >>> places, low, high = _stairs(x, y)
    >>> places.tolist(), low.tolist()
    ([0.0, 0.0, 0.2, 0.2, 0.4, 0.4, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5])
    >>> high.tolist()
    [0.7, 0.7, 0.7, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    up = np.argsort(x[1], kind="stable")
    ends, floor = x[1][up], np.append(0.0, np.maximum.accumulate(y[0][up]))
    down = np.argsort(x[0], kind="stable")
    starts = x[0][down]
    ceiling = np.append(np.minimum.accumulate(y[1][down][::-1])[::-1], 1.0)
    rises, falls = ends[floor[1:] > floor[:-1]], starts[ceiling[1:] > ceiling[:-1]]
    places = np.unique(np.concatenate([[0.0, 1.0], rises, falls]))
    before = floor[np.searchsorted(ends, places, side="left")]
    after = floor[np.searchsorted(ends, places, side="right")]
    # left of a place the boxes that start there still count, right of it they no longer do
    until = ceiling[np.searchsorted(starts, places, side="left")]
    beyond = ceiling[np.searchsorted(starts, places, side="right")]
    # there is nothing to the left of 0 and to the right of 1
    until[0], after[-1] = beyond[0], before[-1]
    return (
        np.repeat(places, 2),
        np.column_stack([before, after]).ravel(),
        np.column_stack([until, beyond]).ravel(),
    )
