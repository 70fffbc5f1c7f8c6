"""Discounts that fall as a power of the rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.discounts.discount import Discount, Tail
from rocsolid.errors import InputError


@dataclass(frozen=True, slots=True)
class PowerDiscount(Discount):
    """D(r) = r^−β."""

    beta: float

    @property
    def name(self) -> str:
        return "zipf" if self.beta == 1.0 else f"power({self.beta:g})"

    def __call__(self, rank: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(rank, dtype=np.float64) ** -self.beta

    @property
    def tail(self) -> Tail:
        return Tail("power" if self.beta <= 1.0 else "summable", self.beta)


def power(beta: float) -> PowerDiscount:
    """D(r) = r^−β, β > 0. NDCG has a limit of its own for each β < 1 (Wang et al. 2013).

    >>> power(0.5).values(4).round(4)
    array([1.    , 0.7071, 0.5774, 0.5   ])
    """
    if not 0.0 < beta < float("inf"):
        raise InputError("the exponent must be positive", where="power", value=beta)
    return PowerDiscount(float(beta))


def zipf() -> PowerDiscount:
    """D(r) = 1/r.

    >>> zipf().name, zipf().values(2)
    ('zipf', array([1. , 0.5]))
    """
    return PowerDiscount(1.0)
