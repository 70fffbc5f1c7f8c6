"""Relevance along the list: in equal parts, and as the best curve that never falls to the top."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.theory.asymptotics.curves.estimated import EstimatedCurve, estimated, step_function
from rocsolid.theory.asymptotics.curves.lists import RankedLists, ranked_lists
from rocsolid.theory.asymptotics.curves.windows import Windows, nearest, windows

_F = NDArray[np.float64]


def binned(
    relevance: Any,
    scores: Any,
    *,
    qid: Any = None,
    bins: int | None = None,
    gain: Any = "linear",
    level: float = 0.95,
) -> EstimatedCurve:
    """The curve as a histogram: the mean gain in each of ``bins`` equal parts of the list.

    The band is certified for the means of the parts: Clopper and Pearson where the labels are 0
    and 1, else Hoeffding's relative-entropy limits; with ``qid`` over queries, each counting the
    same. Without ``bins`` there are as many as the cube root of the number of items.

    >>> curve = binned([1, 1, 0, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1], bins=2)
    >>> print(curve)
    binned(2) curve from 8 items: mean 0.375, at the top 0.75 [0.1941, 0.9937] at 95 %
    """
    lists = ranked_lists(relevance, scores, qid, gain)
    found, edges = parts(lists, bins, level)
    low, high = step_function(edges, found.low), step_function(edges, found.high)
    return estimated(
        lists,
        found,
        name=f"binned({len(found.mean)})",
        function=step_function(edges, found.mean),
        breaks=edges[1:-1],
        limits=lambda s: (low(s), high(s)),
        level=level,
    )


def parts(lists: RankedLists, bins: int | None, level: float) -> tuple[Windows, _F]:
    """The parts, which follow on each other from s = 0 to s = 1, and their edges.

    In a single list they end where blocks of equal scores do, so there may be fewer than requested.
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
    """The non-decreasing step function nearest to the gains in squares, which keeps their mean.

    With ``qid`` it is fitted to the average query. The step at the very top rests on few items and
    is biased upwards: limits that depend on ȳ(1) alone (Zipf, or a cut-off far below n) should be
    judged by the band. The band takes the lower limit of ``binned`` from the part below s and the
    upper one from the part above: a curve that never falls lies between. It is not called
    certified, because that a part covers the relative ranks shown is itself an estimate.

    >>> isotonic([1, 0, 1, 0], [4, 3, 2, 1]).mean([0.1, 0.4, 0.9])
    array([0. , 0.5, 1. ])
    """
    from scipy.optimize import isotonic_regression

    lists = ranked_lists(relevance, scores, qid, gain)
    edges, values = lists.steps()
    fit = isotonic_regression(values, weights=np.diff(edges))
    steps = edges[fit.blocks]
    found, parted = parts(lists, None, level)
    below = step_function(parted, np.concatenate([[0.0], found.low[:-1]]))
    above = step_function(parted, np.concatenate([found.high[1:], [lists.levels.top]]))
    return estimated(
        lists,
        found,
        name="isotonic",
        function=step_function(steps, fit.x[fit.blocks[:-1]]),
        breaks=steps[1:-1],
        limits=lambda s: (below(s), above(s)),
        level=level,
        assuming=MONOTONE,
    )
