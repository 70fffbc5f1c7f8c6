"""McDiarmid's inequality under weights: ε = √(ln(2/δ)/2·(Σu²/(Σu)² + Σv²/(Σv)²))."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs.tensors import in_main_memory
from rocsolid.intervals.guarantees.checks import FIXED_SCORER, INDEPENDENT, check_value
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.mcdiarmid import mcdiarmid_limits
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import WEIGHTS

SOURCE = "McDiarmid 1989, as in Agarwal et al. 2005, Theorem 5, with weights"
ASSUMPTIONS = (INDEPENDENT, FIXED_SCORER, "weights fixed without regard to the scores")
CLAIM = Claim("weighted", SOURCE, ASSUMPTIONS, WEIGHTS)


def weighted(
    auc: float,
    pos_weights: ArrayLike,
    neg_weights: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Limits for E Â, where Â = Σᵢⱼ uᵢvⱼφᵢⱼ/(ΣuΣv) and the weights do not depend on the scores.

    Moving one positive moves Â by at most uᵢ/Σu, so the effective sizes (Σu)²/Σu² and (Σv)²/Σv²
    take the place of m and n in Theorem 5; equal weights give back ``mcdiarmid``. For weights that
    were chosen after looking at the scores it says nothing.

    >>> print(weighted(0.8, [1, 2] * 50, [1] * 400))
    [0.6416, 0.9584] at 95 % (weighted)
    """
    sizes = effective_size(pos_weights, "pos_weights"), effective_size(neg_weights, "neg_weights")
    return weighted_from(auc, *sizes, delta, alternative)


def weighted_from(
    auc: float, n_pos: float, n_neg: float, delta: float, alternative: Alternative = "two-sided"
) -> Interval:
    """The same from the effective sizes (Σu)²/Σu² and (Σv)²/Σv² alone.

    >>> print(weighted_from(0.8, 90.0, 400.0, 0.05))
    [0.6416, 0.9584] at 95 % (weighted)
    """
    low, high = mcdiarmid_limits(check_value(auc), n_pos, n_neg, delta, alternative)
    return CLAIM.interval((low, high), delta)


def effective_size(weights: ArrayLike, name: str = "weights") -> float:
    """(Σw)²/Σw²: the number of equal weights that would average as well.

    >>> effective_size([1, 1, 1, 1]), effective_size([5, 0, 0])
    (4.0, 1.0)
    """
    w: NDArray[np.float64] = np.asarray(in_main_memory(weights, name), dtype=np.float64)
    bad = np.flatnonzero(~(np.isfinite(w) & (w >= 0)))
    if bad.size:
        raise InputError(
            "a weight must be finite and not negative",
            where=f"{name}, position {bad[0]}",
            value=w.flat[bad[0]],
            fix="remove the row or give it the weight 0",
        )
    if not np.any(w):
        raise OneClassError(f"{name} has no weight in it", fix="give a row of either class weight")
    shares = w / w.max()  # the scale cancels; without it the squares might overflow
    return float(shares.sum() ** 2 / (shares**2).sum())
