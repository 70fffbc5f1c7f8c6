"""Limits around a ROC curve, and those that hold at each rate by itself."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.intervals.guarantees.checks import IID, check_level
from rocsolid.results import Interval, percent
from rocsolid.results.plain import one_line, written
from rocsolid.results.reads import CURVE, Reads
from rocsolid.summaries.mirrored import mirrored
from rocsolid.summaries.score_counts import ScoreCounts

_SIDES = (0.0, 1.0)


def stairs(
    edges: tuple[_FLOATS, _FLOATS, _FLOATS],
    places: int,
    fpr: tuple[float, float] = _SIDES,
    tpr: tuple[float, float] = _SIDES,
) -> tuple[_FLOATS, _FLOATS, _FLOATS]:
    """Of the rates, lower and upper edge of stairs (places listed twice) those inside a box.

    With more than ``places`` of them some are left out, and the others reach as far as those that
    they replace: what is drawn holds all of the band. They are spread evenly along the band, and
    not over the rates, as most curves are steep at first.

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
    """The same of edges whose places are joined by straight lines; all places are kept.

    >>> x = np.array([0.0, 0.5, 1.0])
    >>> [edge.tolist() for edge in lines((x, x * x, x), fpr=(0.25, 0.5))]
    [[0.25, 0.5], [0.125, 0.25], [0.25, 0.5]]
    """
    rates, low, high = edges
    inside = rates[(rates > fpr[0]) & (rates < fpr[1])]
    x = np.concatenate(([fpr[0]], inside, [fpr[1]]))
    return x, np.clip(np.interp(x, rates, low), *tpr), np.clip(np.interp(x, rates, high), *tpr)


_FLOATS = NDArray[np.float64]
POINTWISE = "order statistics and Clopper-Pearson"
SOURCE = "Clopper and Pearson, Biometrika 26 (1934), 404-413 (binomial limits)"


@dataclass(frozen=True, slots=True, eq=False)
class RocBand:
    """Limits for the true curve, read both ways; they hold at every sample size.

    ``low`` and ``high`` enclose the true-positive rate at each false-positive rate ``fpr``;
    ``left`` and ``right`` enclose the false-positive rate at each true-positive rate ``tpr``.
    ``pointwise`` says that the level holds at each rate by itself; otherwise it holds for the whole
    curve at once, both ways, and the edges are stairs whose places are listed twice. ``reads`` is
    what of the labels it is computed from.
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

    __repr__ = one_line

    def __str__(self) -> str:
        height = self.high - self.low
        width = float(np.diff(self.fpr) @ (height[1:] + height[:-1]) / 2.0)
        holds = "at each rate by itself" if self.pointwise else "for the whole curve"
        return (
            f"ROC band that holds {holds} at {percent(self.level)} ({self.method}), on average "
            f"{width:.3f} high"
        )

    def at(self, *, fpr: float | None = None, tpr: float | None = None) -> Interval:
        """Limits for the true-positive rate at a false-positive rate, or the other way round.

        Between two rates of a pointwise band's grid these are the lower limit of the one before and
        the upper limit of the next, which hold because a ROC curve never falls.
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
            certified=True,
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
        """``fpr``, ``low`` and ``high`` for a picture of the box, to be joined by straight lines.

        Of more stairs than ``places`` some are drawn, each as wide as those that it replaces, so
        that the area drawn holds the whole band; see `stairs`.
        """
        edges = self.fpr, self.low, self.high
        return lines(edges, fpr, tpr) if self.pointwise else stairs(edges, places, fpr, tpr)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        found = written(self, "fpr low high tpr left right level method pointwise")
        return {**found, "certified": True, **written(self, "assumptions source")}


def pointwise_band(counts: ScoreCounts, rates: _FLOATS, level: float = 0.95) -> RocBand:
    """The limits of `curve_limits` at each of ``rates``, which run from 0 to 1, both ways.

    Exchanging the classes and turning the scores round mirrors a ROC curve, so that the limits for
    a false-positive rate are one minus those for a true-positive rate of the mirrored curve.

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
    """At each false-positive rate t an interval for roc(t), exact for every distribution.

    Let c be the (1−t)-quantile of the negatives' scores. Two order statistics of the negatives
    enclose c: each side fails with probability at most δ/4, by binomial tails. Given them, the
    numbers of positives above the upper and at or above the lower one are binomial, and
    Clopper-Pearson limits with δ/4 each finish it: roc(t) lies between P(X > c) and P(X ≥ c), ties
    joined by segments included. The level holds at each t, not for all t together.

    >>> table = ScoreCounts.from_arrays(np.arange(40) >= 20, np.arange(40.0))
    >>> low, high = curve_limits(table, np.array([0.5]))
    >>> low.round(3), high
    (array([0.803]), array([1.]))
    """
    share = check_level(level) / 4.0
    m, n = int(counts.n_pos), int(counts.n_neg)
    pos_through, neg_through = np.cumsum(counts.pos), np.cumsum(counts.neg)
    upper_rank, lower_rank = _enclosing_ranks(n, 1.0 - fpr, share)
    # the r-th smallest negative sits in the first row of the table that reaches r
    at_upper = np.searchsorted(neg_through, upper_rank)
    at_lower = np.searchsorted(neg_through, np.maximum(lower_rank, 1))
    through = pos_through[np.minimum(at_upper, len(counts) - 1)]
    above = np.where(upper_rank <= n, m - through, 0)
    not_below = np.where(lower_rank >= 1, m - pos_through[at_lower] + counts.pos[at_lower], m)
    return clopper_pearson(above, m, share)[0], clopper_pearson(not_below, m, share)[1]


def _enclosing_ranks(
    n: int, quantile: _FLOATS, share: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The smallest u with P(Bin(n, q) ≥ u) ≤ share and the largest l with P(Bin(n, q) < l) ≤ share.

    u is n + 1 and l is 0 where no order statistic will do.

    >>> _enclosing_ranks(20, np.array([0.5]), 0.0125)
    (array([16]), array([5]))
    """
    # P(Bin < l) = P(Bin ≤ l − 1) stays below the share up to the first k that reaches it
    return first_reaching(n, quantile, 1.0 - share) + 1, first_reaching(n, quantile, share)


def first_reaching(n: int, q: _FLOATS, level: float) -> NDArray[np.int64]:
    """The smallest k in 0..n with P(Bin(n, q) ≤ k) ≥ level, by bisection: it ascends in k."""
    from scipy.special import bdtr

    low, high = np.zeros(len(q), dtype=np.int64), np.full(len(q), n)
    while np.any(low < high):
        middle = (low + high) // 2
        enough = bdtr(middle.astype(float), n, q) >= level
        low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
    return low
