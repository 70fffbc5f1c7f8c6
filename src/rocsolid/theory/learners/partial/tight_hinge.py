"""The tight hinge of a partial area: each positive against its worst set of top negatives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def tight_hinge(pos: Floats, neg: Floats, first: int, last: int) -> tuple[float, Floats, Floats]:
    """Narasimhan and Agarwal's surrogate, and a subgradient by each score.

    With the negatives sorted down, t₁ ≥ t₂ ≥ ...,

        (1/(m·(last−first))) Σᵢ max_{r≤last} {(r−first)₊ − Σ_{j≤r}(sᵢ − tⱼ)},

    the largest of Σ over the negatives in any set of at most ``last``, so a convex function of the
    scores, and 1 where all scores are equal. Up to r = ``first`` the terms grow while tⱼ > sᵢ, and
    from there on while tⱼ > sᵢ − 1: two candidates r a positive, found by one sorted look-up each.
    (Narasimhan and Agarwal, Support vector algorithms for optimizing the partial area under the
    ROC curve, Neural Computation 29 (2017), 1919-1963.)

    >>> tight_hinge(np.array([0.0]), np.array([0.5, -2.0]), 0, 1)[0]
    1.5
    """
    order = np.argsort(-neg, kind="stable")
    down = neg[order]
    up = down[::-1]
    prefix = np.concatenate([np.zeros(1), np.cumsum(down[:last])])
    above = len(neg) - np.searchsorted(up, pos, side="right")
    near = len(neg) - np.searchsorted(up, pos - 1.0, side="right")
    few, many = np.minimum(first, above), np.clip(near, first, last)
    gain_few = prefix[few] - few * pos
    gain_many = (many - first) + prefix[many] - many * pos
    taken = np.where(gain_many > gain_few, many, few)
    scale = 1.0 / (len(pos) * (last - first))
    value = scale * float(np.maximum(gain_many, gain_few).sum())
    # the j-th negative is in the set of every positive with r at least j
    users = np.cumsum(np.bincount(taken, minlength=last + 1)[::-1])[::-1]
    by_neg = np.zeros(len(neg))
    by_neg[order[:last]] = scale * users[1 : last + 1]
    return value, -scale * taken, by_neg
