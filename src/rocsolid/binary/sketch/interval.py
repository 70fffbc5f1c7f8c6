"""Intervals for the population: each holds the one that all rows would have given."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import nearest
from rocsolid.errors import InputError
from rocsolid.intervals.calibrated import delong as calibrated
from rocsolid.intervals.calibrated.tails import refuse_scalar
from rocsolid.intervals.guarantees.checks import IID, check_delta
from rocsolid.intervals.guarantees.hinge import SOURCE as HINGE_SOURCE
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.results import Bracket, Interval
from rocsolid.results.reads import VALUE
from rocsolid.summaries.cells import KeyCells
from rocsolid.summaries.moments import Moments

Method = Literal["delong", "hinge"]
_METHODS: tuple[str, ...] = get_args(Method)
_WIDENED = "widened by what the sketch leaves open: it holds the interval that all rows would give"


def widened_interval(cells: KeyCells, auc: Bracket, level: float, method: Method) -> Interval:
    """The interval by a method, widened so that it holds the one from all rows, whatever they are.

    For "hinge" the limits ascend with the AUC, so those of the bracket's two ends are outside those
    of any AUC between: the widened interval is certified, too. For "delong" see `largest_moments`.
    """
    if method not in _METHODS:
        near = nearest(str(method), _METHODS)
        raise InputError(
            "there is no such method for a sketch",
            value=method,
            fix=f"use {near!r}" if near else "use 'delong' or 'hinge'",
        )
    check_delta(1.0 - level)
    if method == "hinge":
        ends = np.array([auc.low, auc.high])
        lows, highs = hinge_limits(ends, min(auc.n_pos, auc.n_neg), 1.0 - level)
        return Interval(
            float(lows[0]), float(highs[1]), level, "hinge, widened", certified=True,
            assumptions=(*IID, _WIDENED), source=HINGE_SOURCE, reads=VALUE,
        )  # fmt: skip
    moments = largest_moments(cells, auc)
    refuse_scalar(
        calibrated.unsound(moments), moments, "DeLong's interval", calibrated.REASON,
        'use method="hinge", which holds there',
    )  # fmt: skip
    at_low, at_high = (
        calibrated.delong(replace(moments, auc=end), level, "two-sided")
        for end in (auc.low, auc.high)
    )
    return Interval(
        float(at_low[0]), float(at_high[1]), level, "DeLong, widened",
        assumptions=(*calibrated.ASSUMPTIONS, _WIDENED), source=calibrated.SOURCE,
    )  # fmt: skip


def largest_moments(cells: KeyCells, auc: Bracket) -> Moments:
    """DeLong's variance at its largest over all orders that the sketch leaves open, or above that.

    A row's placement is known up to the half-range h of its cell. The standard deviation is a
    seminorm, so s(V) ≤ s(V₀) + s(V − V₀) with V₀ the middles, and (m − 1)·s(V − V₀)² ≤ Σh².
    """
    return Moments(
        auc.value,
        _largest_variance(cells.pos, *cells.below(cells.neg), auc.n_neg),
        _largest_variance(cells.neg, *cells.below(cells.pos), auc.n_pos),
        float(auc.n_pos),
        float(auc.n_neg),
    )


def _largest_variance(
    count: NDArray[np.int64], doubled: NDArray[np.int64], open_: NDArray[np.int64], n_other: int
) -> float:
    """(s(V₀) + √(Σh²/(m − 1)))²/m over the rows of one class."""
    rows = int(count.sum())
    if rows < 2:
        return math.nan
    middle, half = (doubled + open_) / (2 * n_other), open_ / (2 * n_other)
    spread = middle - np.average(middle, weights=count)
    own, more = (math.sqrt(float(np.dot(count, x * x)) / (rows - 1)) for x in (spread, half))
    return (own + more) ** 2 / rows
