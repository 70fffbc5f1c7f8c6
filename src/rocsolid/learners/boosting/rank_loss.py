"""The share of pairs that a score gets wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def rank_loss(pos: Floats, neg: Floats, pos_weight: Floats, neg_weight: Floats) -> float:
    """The weight of the pairs whose positive is not above its negative; a tie is a loss.

    The weights of each class sum to 1, and a pair weighs the product of its two (Freund et al.
    2003). With half a loss for a tie it would be 1 − AUC.

    >>> half = np.array([0.5, 0.5])
    >>> rank_loss(np.array([2.0, 1.0]), np.array([1.0, 0.0]), half, half)
    0.25
    """
    order = np.argsort(neg)
    beyond = np.append(np.cumsum(neg_weight[order][::-1])[::-1], 0.0)  # weight from each place on
    places = np.argsort(pos)  # sorted look-ups stay in the cache
    at = np.searchsorted(neg[order], pos[places])
    return float(pos_weight[places] @ beyond[at])
