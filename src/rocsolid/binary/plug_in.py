"""The plug-in estimator of Maurer and Pontil 2020: (1/(mn)) Σᵢ Σⱼ ℓ(Xᵢ−Xⱼ)·W(F̂₀(Xⱼ))."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.influence import Variance
from rocsolid.summaries.mirrored import mirrored
from rocsolid.summaries.runs import run_begins
from rocsolid.summaries.sorted_classes import SortedClasses
from rocsolid.weights import Weight
from rocsolid.weights.losses import Loss, StepLoss, ranks

_FLOATS = NDArray[np.float64]
_MOST = 2000  # rows of a class whose pairs are looked at where the loss is not the step


def plug_in_influence(classes: SortedClasses, weight: Weight, loss: Loss) -> Variance:
    """s²/m of the positives' influences and s²/n of the negatives'; NaN for a class of one row.

    A positive at x contributes (1/n)Σⱼ ℓ(x−Yⱼ)W(F̂₀(Yⱼ)). With φ(t) the mean of ℓ(Xᵢ−t), the value
    is ∫φ dK(F̂₀), so that mass at a negative y weighs −∫W(F̂₀)dφ over t ≥ y. For losses other than
    the step the positives' part is estimated from at most 2000 evenly spaced rows of each class.

    >>> from rocsolid.weights import losses, step
    >>> classes = SortedClasses(np.array([1.0, 2.0, 5.0]), np.array([0.0, 3.0]))
    >>> v = plug_in_influence(classes, step(0, 1), losses.step())
    >>> round(v.pos, 12), round(v.neg, 12)
    (0.027777777778, 0.111111111111)
    """
    if weight.axis == "fpr":
        return _variance(classes, weight, loss)
    turned = _variance(mirrored(classes), weight, loss)
    return Variance(turned.neg, turned.pos)


def _variance(classes: SortedClasses, weight: Weight, loss: Loss) -> Variance:
    pos, neg = classes.pos, classes.neg
    starts = np.flatnonzero(run_begins(neg))
    count = np.diff(starts, append=len(neg))
    weighed = weight((starts + count) / len(neg))
    beaten = loss.sums(pos, neg[starts]) / len(pos)
    # a constant does not matter, so the sum may leave out what lies beyond the last negative
    drops = np.append(weighed[:-1] * (beaten[:-1] - beaten[1:]), 0.0)
    of_neg = np.cumsum(drops[::-1])[::-1]
    return Variance(
        _spread(_of_pos(pos, neg, starts, weighed * count / len(neg), loss), None, len(pos)),
        _spread(of_neg, count, len(neg)),
    )


def _of_pos(
    pos: NDArray[np.float64], neg: NDArray[np.float64], starts: NDArray[np.intp],
    weighed: _FLOATS, loss: Loss,
) -> _FLOATS:  # fmt: skip
    """Σⱼ ℓ(x−Yⱼ)W(F̂₀(Yⱼ))/n for positives x; all of them for the step loss."""
    through = np.append(0.0, np.cumsum(weighed))
    if isinstance(loss, StepLoss):
        return np.asarray(through[ranks(neg[starts], pos, "left")])
    # neighbouring negatives share a representative, the first of each group
    each = -(-len(starts) // _MOST)
    at = neg[starts[::each]].astype(np.float64)
    mass = np.diff(through[np.append(np.arange(0, len(starts), each), len(starts))])
    some = pos[:: -(-len(pos) // _MOST)].astype(np.float64)
    with np.errstate(invalid="ignore"):
        z = np.where(some[:, None] == at, 0.0, some[:, None] - at)
    return np.asarray(loss(z) @ mass)


def _spread(values: _FLOATS, count: NDArray[np.intp] | None, rows: int) -> float:
    if rows < 2:
        return float("nan")
    mean = np.average(values, weights=count)
    return float(np.average((values - mean) ** 2, weights=count)) / (rows - 1.0)


def plug_in(classes: SortedClasses, weight: Weight, loss: Loss) -> float:
    """Maurer and Pontil 2020, section 2.1: f_{W,ℓ}(μ̂) over positives i and negatives j.

    F̂₀(Xⱼ) is the share of negatives with scores up to Xⱼ, itself included. With the step loss ties
    count nothing (H(0) = 0), so W ≡ 1 gives the AUC less half of the ties. W is evaluated where the
    sample jumps. Where W jumps too, the estimator can therefore be off by a constant at every
    sample size (Proposition 1). N log N work for the step, ramp and hinge-type losses.

    >>> from rocsolid.weights import losses, step
    >>> classes = SortedClasses(np.array([3.0, 3.0, 8.0]), np.array([-5.0, -3.0, 1.0, 5.0]))
    >>> plug_in(classes, step(0, 0.5), losses.step()) == (3 + 3 + 1) / 12
    True
    """
    if weight.axis == "tpr":
        classes = mirrored(classes)
    neg = classes.neg
    new = np.empty(len(neg), dtype=bool)
    new[:1] = True
    np.not_equal(neg[1:], neg[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    count = np.diff(starts, append=len(neg))
    weighed = weight((starts + count) / len(neg)) * count
    seen = np.flatnonzero(weighed)  # negatives without weight need no look at the positives
    sums = loss.sums(classes.pos, neg[starts[seen]]) if seen.size else np.zeros(0)
    return math.fsum(weighed[seen] * sums) / (len(classes.pos) * len(neg))
