"""What the weights of two classes say about rows that a sample has missed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.moments import Moments

_HALF = 0.5 * (1.0 + 1e-9)  # half of a sum that is rounded as it comes is half of it


@dataclass(frozen=True, slots=True)
class ClassWeights:
    """The least, the largest and the sum of the weights of a class."""

    least: float
    most: float
    sum: float

    @classmethod
    def of(cls, weight: NDArray[np.float64], count: NDArray[Any]) -> ClassWeights:
        """From kinds of rows and how many there are of each, some of them none.

        >>> ClassWeights.of(np.array([1.0, 2.0, 9.0]), np.array([3, 1, 0]))
        ClassWeights(least=1.0, most=2.0, sum=5.0)
        """
        kept = weight[count > 0]
        least, most = kept.min(initial=np.inf), kept.max(initial=-np.inf)
        return cls(float(least), float(most), float(weight @ count))

    def __add__(self, other: ClassWeights) -> ClassWeights:
        return ClassWeights(
            min(self.least, other.least), max(self.most, other.most), self.sum + other.sum
        )


NO_WEIGHTS = ClassWeights(np.inf, -np.inf, 0.0)
"""Of a class without a row."""


def unseen_share(pos: ClassWeights, neg: ClassWeights, beyond: float) -> float:
    """The share of a class that one more row would have, as heavy as the other class's heaviest.

    ``beyond`` is the weight of all rows that are heavier than every row of one class. The share is
    0 where a class's own rows show what heavy rows score. They do not where most of the other
    class's weight lies on rows heavier than all of this class, although the light rows of both are
    alike: the sample has then missed the heavy rows of this class. Weights that are set by class,
    and do not overlap, are no such sign.

    >>> unseen_share(ClassWeights(1.0, 1.0, 50.0), ClassWeights(1.0, 50.0, 52.0), 50.0)
    0.5
    >>> unseen_share(ClassWeights(1.0, 1.0, 50.0), ClassWeights(50.0, 50.0, 150.0), 150.0)
    0.0
    """
    light, heavy = (pos, neg) if pos.most < neg.most else (neg, pos)
    if heavy.least > light.most or not beyond > _HALF * heavy.sum:
        return 0.0
    return heavy.most / (light.sum + heavy.most)


def allowing(moments: Moments, pos: ClassWeights, neg: ClassWeights, beyond: float) -> Moments:
    """Moments of weighted rows that allow for the unseen row of `unseen_share`."""
    if moments.units is None:
        return moments
    return replace(moments, units=replace(moments.units, unseen=unseen_share(pos, neg, beyond)))


def allowing_unseen(
    moments: Moments, weight: NDArray[np.float64], pos: NDArray[Any], neg: NDArray[Any]
) -> Moments:
    """The same from the rows, or from kinds of rows and how many there are of each class."""
    of_pos, of_neg = ClassWeights.of(weight, pos), ClassWeights.of(weight, neg)
    heavier = weight > min(of_pos.most, of_neg.most)
    return allowing(moments, of_pos, of_neg, float(weight[heavier] @ (pos + neg)[heavier]))
