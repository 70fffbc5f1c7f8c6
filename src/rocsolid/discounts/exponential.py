"""Discounts that fall by the same factor from each rank to the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.discounts.discount import Discount, Tail
from rocsolid.errors import InputError


@dataclass(frozen=True, slots=True)
class ExponentialDiscount(Discount):
    """D(r) = b^−r."""

    base: float

    @property
    def name(self) -> str:
        return f"exponential({self.base:g})"

    def __call__(self, rank: ArrayLike) -> NDArray[np.float64]:
        values: NDArray[np.float64] = np.exp2(-np.log2(self.base) * np.asarray(rank, np.float64))
        return values

    @property
    def tail(self) -> Tail:
        return Tail("summable", float("inf"))


def exponential(base: float) -> ExponentialDiscount:
    """D(r) = b^−r, b > 1. Only the first few ranks count, however long the list is.

    >>> exponential(2).values(3)
    array([0.5  , 0.25 , 0.125])
    """
    if not 1.0 < base < float("inf"):
        raise InputError("the base must be greater than 1", where="exponential", value=base)
    return ExponentialDiscount(float(base))
