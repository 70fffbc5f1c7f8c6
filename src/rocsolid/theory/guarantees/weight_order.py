"""Whether weights lie below one another, as Corollary 4 of Maurer and Pontil 2020 asks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import UnsoundError
from rocsolid.weights import Weight
from rocsolid.weights.polyline import Polyline

_GRID = 4097
_ROUNDING = 1e-12


def order_of_weights(*ascending: Weight) -> tuple[str, ...]:
    """Refuse weights that are not in ascending order; name what must be assumed, if anything.

    Weights made of straight lines are compared everywhere; others at 4,097 places, which proves
    nothing.

    >>> from rocsolid.weights import power, ramp, step
    >>> order_of_weights(step(0, 0.1), ramp(0, 0.2, 10, side="below"), step(0, 0.2))
    ()
    """
    if len({weight.axis for weight in ascending}) > 1:
        raise UnsoundError(
            "weights over false-positive and over true-positive rates do not compare",
            where="weights",
            value=tuple(weight.axis for weight in ascending),
        )
    straight = all(isinstance(weight, Polyline) for weight in ascending)
    places = _between_corners(ascending) if straight else np.linspace(0.0, 1.0, _GRID)
    for lower, upper in pairwise(ascending):
        gap = upper(places) - lower(places)
        if straight:  # both straight between corners: extend from a quarter to the ends
            quarter, three = gap.reshape(-1, 2).T
            gap = np.concatenate([1.5 * quarter - 0.5 * three, 1.5 * three - 0.5 * quarter])
        if gap.min() < -_ROUNDING * upper.sup_norm:
            raise UnsoundError(
                "a weight exceeds the one that should lie above it",
                where=f"{lower} against {upper}",
                value=float(-gap.min()),
                fix="take W-hat at most W_Lip and W_Lip at most W everywhere",
            )
    return () if straight else (f"order of the weights checked at {_GRID:,} places only",)


def _between_corners(weights: tuple[Weight, ...]) -> NDArray[np.float64]:
    """One and three quarters of the way between neighbouring corners of any of the weights."""
    rates = {rate for weight in weights if isinstance(weight, Polyline)
             for rate, _ in weight.points()}  # fmt: skip
    corners = np.array(sorted({0.0, 1.0, *rates}))
    if weights[0].axis == "fpr":
        corners = 1.0 - corners[::-1]
    start, width = corners[:-1], np.diff(corners)
    return np.stack([start + width / 4, start + 3 * width / 4], axis=1).ravel()
