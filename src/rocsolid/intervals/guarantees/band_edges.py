"""The edges of a band as a picture needs them: some of its stairs, cut to a box."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_FLOATS = NDArray[np.float64]
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
