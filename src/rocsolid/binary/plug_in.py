"""The plug-in estimator of Maurer and Pontil 2020: (1/(mn)) Σᵢ Σⱼ ℓ(Xᵢ−Xⱼ)·W(F̂₀(Xⱼ))."""

from __future__ import annotations

import math

import numpy as np

from rocsolid.summaries.mirrored import mirrored
from rocsolid.summaries.sorted_classes import SortedClasses
from rocsolid.weights import Weight
from rocsolid.weights.losses import Loss


def plug_in(classes: SortedClasses, weight: Weight, loss: Loss) -> float:
    """Maurer and Pontil 2020, section 2.1: f_{W,ℓ}(μ̂) over positives i and negatives j.

    F̂₀(Xⱼ) is the share of negatives with scores up to Xⱼ, itself included. With the step loss
    ties count nothing (H(0) = 0), so W ≡ 1 gives the AUC less half of the ties. W is looked at
    where the sample jumps, which is why the estimator can be off by a constant for ever where W
    jumps too (Proposition 1). N log N work for the step, ramp and hinge-type losses.

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
