"""Relevance curves from data: mean relevance over windows of relative ranks, with limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.clopper_pearson import SOURCE as CLOPPER_PEARSON
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.intervals.guarantees.hoeffding import kl_limits
from rocsolid.results import percent
from rocsolid.results.plain import one_line, written
from rocsolid.theory.asymptotics.curves.curve import Curve
from rocsolid.theory.asymptotics.curves.levels import RankedLists, ranked_lists

_F = NDArray[np.float64]

WITHIN = (
    "items independent and identically distributed",
    "scorer fixed before this data was seen",
    "about the mean relevance over the scores in the window; the relative ranks of the window are "
    "an estimate",
)
ACROSS = (
    "queries independent and identically distributed",
    "scorer fixed before this data was seen",
    "about the mean over queries of a query's relevance at these relative ranks",
)
BOUNDED = "no gain is higher than the highest gain in the data"


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    start: _F
    end: _F
    mean: _F
    low: _F
    high: _F
    assumptions: tuple[str, ...]
    source: str


def windows(lists: RankedLists, start: _F, end: _F, level: float) -> Windows:
    """Return means and limits over the windows [start, end] of relative ranks.

    The limits hold for each window by itself. For one list, a window moves to the nearest ends of
    blocks of equal scores. Two gains have Clopper and Pearson's limits, more gains Hoeffding's
    relative-entropy limits. For several queries, the limits are for the mean over queries.
    """
    if not 0.0 < level < 1.0:
        raise InputError("a level lies between 0 and 1", where="level", value=level, fix="use 0.95")
    if lists.queries == 1:
        return _within(lists, start, end, level)
    return _across(lists, start, end, level)


def _within(lists: RankedLists, start: _F, end: _F, level: float) -> Windows:
    n, borders = lists.items, lists.borders
    first, last = nearest(borders, start * n), nearest(borders, end * n)
    # a window inside one block of equal scores becomes that block
    empty = first == last
    after = np.clip(np.searchsorted(borders, (start + end) / 2 * n), 1, len(borders) - 1)
    first, last = np.where(empty, borders[after - 1], first), np.where(empty, borders[after], last)
    total = np.concatenate([[0.0], np.cumsum(lists.given)])
    count = last - first
    hits = total[last] - total[first]
    top = float(lists.given.max())
    if set(np.unique(lists.given)) <= {0.0, top}:
        low, high = clopper_pearson(np.rint(hits / top), count, (1.0 - level) / 2)
        assumptions: tuple[str, ...] = WITHIN
        source = CLOPPER_PEARSON
    else:
        low, high = kl_limits(np.minimum(hits / (top * count), 1.0), count, 1.0 - level)
        assumptions, source = (*WITHIN, BOUNDED), "Hoeffding 1963, Theorem 1"
    return Windows(first / n, last / n, hits / count, low * top, high * top, assumptions, source)


def _across(lists: RankedLists, start: _F, end: _F, level: float) -> Windows:
    mean = np.zeros(len(start))
    for begin, stop in zip(lists.offsets[:-1], lists.offsets[1:], strict=True):
        area = np.concatenate([[0.0], np.cumsum(lists.gain[begin:stop])]) / (stop - begin)
        at = np.linspace(0.0, 1.0, stop - begin + 1)
        mean += np.interp(end, at, area) - np.interp(start, at, area)
    mean /= lists.queries * (end - start)
    top = float(lists.given.max())
    share = np.clip(mean / top, 0.0, 1.0)
    low, high = kl_limits(share, lists.queries, 1.0 - level)
    return Windows(
        start, end, mean, low * top, high * top, (*ACROSS, BOUNDED), "Hoeffding 1963, Theorem 1"
    )


def nearest(borders: NDArray[np.intp], at: _F) -> NDArray[np.intp]:
    after = np.clip(np.searchsorted(borders, at), 1, len(borders) - 1)
    below, above = borders[after - 1], borders[after]
    return np.where(at - below <= above - at, below, above)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EstimatedCurve(Curve):
    """A relevance curve from data, whose ``band`` holds at each s by itself.

    ``certified`` states whether the level of the band holds at every number of items under the
    ``assumptions``. ``left_out`` counts queries without a relevant item.
    """

    limits: Callable[[_F], tuple[_F, _F]] = field(repr=False)
    level: float
    certified: bool
    assumptions: tuple[str, ...]
    source: str
    items: int
    queries: int
    left_out: int

    @property
    def estimated(self) -> bool:
        return True

    @property
    def top_noise(self) -> float | None:
        """None: observing no error at the top does not exclude errors."""
        return None

    def band(self, s: ArrayLike) -> tuple[_F, _F]:
        """Return the limits for ȳ(s) at each s."""
        return self.limits(np.asarray(s, dtype=np.float64))

    __repr__ = one_line

    def __str__(self) -> str:
        low, high = self.band(np.ones(1))
        where = f"{self.items:,} items" + (
            f" of {self.queries:,} queries" if self.queries > 1 else ""
        )
        return (
            f"{self.name} curve from {where}: mean {self.levels.mean:.4g}, at the top "
            f"{self.top:.4g} [{low[0]:.4g}, {high[0]:.4g}] at {percent(self.level)}"
        )

    def to_dict(self) -> dict[str, Any]:
        curve = Curve.to_dict(self)
        low, high = self.band(np.asarray(curve["s"]))
        rest = written(self, "level certified assumptions source items queries left_out")
        return {**curve, "low": low.tolist(), "high": high.tolist(), **rest}


def estimated(
    lists: RankedLists,
    band: Windows,
    *,
    name: str,
    function: Callable[[_F], _F],
    breaks: _F,
    limits: Callable[[_F], tuple[_F, _F]],
    level: float,
    assuming: str | None = None,
) -> EstimatedCurve:
    """Return the curve with a band from windows; a further assumption makes it uncertified."""
    return EstimatedCurve(
        name, lists.levels, function, tuple(breaks.tolist()), limits=limits, level=level,
        certified=assuming is None,
        assumptions=band.assumptions if assuming is None else (*band.assumptions, assuming),
        source=band.source, items=lists.items, queries=lists.queries, left_out=lists.left_out,
    )  # fmt: skip


def step_function(edges: _F, values: _F) -> Callable[[_F], _F]:
    """Return the function values[i] on (edges[i], edges[i + 1]], with values[0] at 0.

    >>> step_function(np.array([0, 0.5, 1]), np.array([1.0, 2.0]))(np.array([0.5, 0.6]))
    array([1., 2.])
    """
    last = len(values) - 1

    def at(s: _F) -> _F:
        return np.asarray(values[np.clip(np.searchsorted(edges, s, side="left") - 1, 0, last)])

    return at


_POINTS = 257


def local(
    relevance: Any,
    scores: Any,
    *,
    qid: Any = None,
    width: float | None = None,
    gain: Any = "linear",
    level: float = 0.95,
) -> EstimatedCurve:
    """Estimate the curve by the mean gain within ``width``/2 of s, with lines between 257 points.

    The default width is the number of items to the power −1/3. Unlike ``isotonic``, the estimate
    can rise and fall, and its mean over s is not exactly that of the gains, as `gap_order`
    requires. The band is certified for the mean over the window, not for ȳ(s) itself.

    >>> curve = local([1, 1, 0, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1], width=0.5)
    >>> curve.mean([0, 0.75, 1])
    array([0.  , 0.75, 1.  ])
    """
    lists = ranked_lists(relevance, scores, qid, gain)
    reach = lists.items ** (-1 / 3) if width is None else float(width)
    if not 0.0 < reach <= 1.0:
        raise InputError("the width lies above 0 and is at most 1", where="width", value=width)
    if lists.queries == 1 and reach * lists.items < 2.0:
        raise InputError(
            f"a window of that width contains fewer than two of {lists.items:,} items",
            where="width",
            value=reach,
            fix=f"use at least {2 / lists.items:.2g}",
        )
    points = np.linspace(0.0, 1.0, _POINTS)
    band = windows(
        lists, np.maximum(points - reach / 2, 0.0), np.minimum(points + reach / 2, 1.0), level
    )
    return estimated(
        lists,
        band,
        name=f"local({reach:.3g})",
        function=lambda s: np.interp(s, points, band.mean),
        breaks=points[1:-1],
        limits=lambda s: (np.interp(s, points, band.low), np.interp(s, points, band.high)),
        level=level,
    )


def binned(
    relevance: Any,
    scores: Any,
    *,
    qid: Any = None,
    bins: int | None = None,
    gain: Any = "linear",
    level: float = 0.95,
) -> EstimatedCurve:
    """Estimate the curve as a histogram: the mean gain in each of ``bins`` equal parts of the list.

    The default number of bins is the cube root of the number of items. The band is certified for
    the means of the parts: Clopper and Pearson's limits for labels 0 and 1, otherwise Hoeffding's
    relative-entropy limits. With ``qid`` the limits are over queries, each with equal weight.

    >>> curve = binned([1, 1, 0, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1], bins=2)
    >>> print(curve)
    binned(2) curve from 8 items: mean 0.375, at the top 0.75 [0.1941, 0.9937] at 95 %
    """
    lists = ranked_lists(relevance, scores, qid, gain)
    band, edges = parts(lists, bins, level)
    low, high = step_function(edges, band.low), step_function(edges, band.high)
    return estimated(
        lists,
        band,
        name=f"binned({len(band.mean)})",
        function=step_function(edges, band.mean),
        breaks=edges[1:-1],
        limits=lambda s: (low(s), high(s)),
        level=level,
    )


def parts(lists: RankedLists, bins: int | None, level: float) -> tuple[Windows, _F]:
    """Return adjacent parts from s = 0 to s = 1 and their edges.

    The parts of a single list end at the ends of blocks of equal scores.
    """
    count = round(lists.items ** (1 / 3)) if bins is None else whole(bins, "bins")
    edges = np.linspace(0.0, 1.0, count + 1)
    if lists.queries == 1:
        edges = np.unique(nearest(lists.borders, edges * lists.items)) / lists.items
    return windows(lists, edges[:-1], edges[1:], level), edges


MONOTONE = "ȳ never falls towards the top"


def isotonic(
    relevance: Any, scores: Any, *, qid: Any = None, gain: Any = "linear", level: float = 0.95
) -> EstimatedCurve:
    """Estimate the curve by the least-squares non-decreasing step function, which keeps the mean.

    With ``qid`` it is fitted to the average query. The step at the very top depends on few items
    and is biased upwards: judge limits that depend on ȳ(1) alone (Zipf, or a cut-off far below n)
    by the band. The band combines the lower limit of ``binned`` in the part below s and the upper
    limit in the part above, and is not certified, because the relative ranks of a part are
    estimated.

    >>> isotonic([1, 0, 1, 0], [4, 3, 2, 1]).mean([0.1, 0.4, 0.9])
    array([0. , 0.5, 1. ])
    """
    from scipy.optimize import isotonic_regression

    lists = ranked_lists(relevance, scores, qid, gain)
    edges, values = lists.steps()
    fit = isotonic_regression(values, weights=np.diff(edges))
    steps = edges[fit.blocks]
    band, part_edges = parts(lists, None, level)
    below = step_function(part_edges, np.concatenate([[0.0], band.low[:-1]]))
    above = step_function(part_edges, np.concatenate([band.high[1:], [lists.levels.top]]))
    return estimated(
        lists,
        band,
        name="isotonic",
        function=step_function(steps, fit.x[fit.blocks[:-1]]),
        breaks=steps[1:-1],
        limits=lambda s: (below(s), above(s)),
        level=level,
        assuming=MONOTONE,
    )
