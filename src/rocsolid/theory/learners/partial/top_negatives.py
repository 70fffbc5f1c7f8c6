"""Which of the negatives, from the largest score down, a range of false-positive rates is about."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TopNegatives:
    """The negatives ranked ``first`` + 1 to ``last`` of n, and their shares, which sum to 1.

    The j-th largest negative stands for the false-positive rates from (j−1)/n to j/n. Where the
    range cuts such a cell, the negative counts for the part inside, so that every range has a
    meaning for every n, and the same as in ``rocsolid.partial_auc``.

    >>> TopNegatives.of(20, (0.0, 0.125))
    TopNegatives(first=0, last=3, share=array([0.4, 0.4, 0.2]))
    """

    first: int
    last: int
    share: Floats

    @classmethod
    def of(cls, n: int, fpr: tuple[float, float]) -> TopNegatives:
        """For n negatives; rates are taken as the decimal numbers that were written."""
        low, high = (Fraction(repr(rate)) * n for rate in fpr)
        first, last = math.floor(low), math.ceil(high)
        share = np.full(last - first, float(1 / (high - low)))
        for j in (first, last - 1):  # the range cuts no cell but its first and its last
            share[j - first] = (min(high, Fraction(j + 1)) - max(low, Fraction(j))) / (high - low)
        return cls(first, last, share)

    def ranked(self, neg: Floats) -> NDArray[np.intp]:
        """Where they are among the negatives' scores, from the largest down."""
        if self.last < len(neg):
            top = np.argpartition(-neg, self.last - 1)[: self.last]
        else:
            top = np.arange(len(neg))
        return top[np.argsort(-neg[top], kind="stable")][self.first :]


def whole_negatives(n: int, fpr: tuple[float, float]) -> tuple[int, int]:
    """⌈n·α⌉ and ⌊n·β⌋: the negatives that lie in the range entirely are ranked in between.

    >>> whole_negatives(100, (0.0, 0.29))
    (0, 29)
    """
    low, high = (Fraction(repr(rate)) * n for rate in fpr)
    first, last = math.ceil(low), math.floor(high)
    if last <= first:
        raise InputError(
            f"no negative of {n} lies in the false-positive rates {fpr[0]:g} to {fpr[1]:g} as a "
            "whole, which the tight hinge needs",
            where="fpr",
            fix='widen the range, add negatives, or take surrogate="sigmoid"',
        )
    return first, last
