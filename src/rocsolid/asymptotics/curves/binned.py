"""Mean relevance in equal parts of the list."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.asymptotics.curves.estimated import EstimatedCurve, estimated, step_function
from rocsolid.asymptotics.curves.lists import RankedLists, ranked_lists
from rocsolid.asymptotics.curves.windows import Windows, nearest, windows
from rocsolid.checks import whole

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
