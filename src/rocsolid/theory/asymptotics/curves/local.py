"""Mean relevance in a window that slides along the list."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocsolid.errors import InputError
from rocsolid.theory.asymptotics.curves.estimated import EstimatedCurve, estimated
from rocsolid.theory.asymptotics.curves.lists import ranked_lists
from rocsolid.theory.asymptotics.curves.windows import windows

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
    """The mean gain within ``width``/2 of s, cut at the ends of the list; lines between 257 points.

    It can rise and fall, unlike ``isotonic``. Its mean over s is not exactly that of the gains:
    for the order of the gap between two rankers take ``isotonic`` or ``binned``, which keep it. The
    band is certified for the mean over the window, as in ``binned``; how far that is from ȳ(s)
    itself depends on how ȳ bends. Without ``width`` it is the number of items to the power −1/3.

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
            f"a window of that width holds fewer than two of {lists.items:,} items",
            where="width",
            value=reach,
            fix=f"use at least {2 / lists.items:.2g}",
        )
    at = np.linspace(0.0, 1.0, _POINTS)
    found = windows(lists, np.maximum(at - reach / 2, 0.0), np.minimum(at + reach / 2, 1.0), level)
    return estimated(
        lists,
        found,
        name=f"local({reach:.3g})",
        function=lambda s: np.interp(s, at, found.mean),
        breaks=at[1:-1],
        limits=lambda s: (np.interp(s, at, found.low), np.interp(s, at, found.high)),
        level=level,
    )
