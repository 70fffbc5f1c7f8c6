"""The best curve that never falls towards the top."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.asymptotics.curves.binned import parts
from rocsolid.asymptotics.curves.estimated import EstimatedCurve, estimated, step_function
from rocsolid.asymptotics.curves.lists import ranked_lists

_F = NDArray[np.float64]

MONOTONE = "ȳ never falls towards the top"


def isotonic(
    relevance: Any,
    scores: Any,
    *,
    qid: Any = None,
    gain: Any = "linear",
    level: float = 0.95,
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
