"""Discounts that have a formula: logarithms, powers, and the same factor at every rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class Logarithm(Discount):
    """D(r) = 1/log(1+r), to base 2 or e."""

    name: Literal["log2", "natural"]

    def __call__(self, rank: ArrayLike) -> NDArray[np.float64]:
        ranks = np.asarray(rank, dtype=np.float64)
        return 1.0 / (np.log2(1.0 + ranks) if self.name == "log2" else np.log1p(ranks))

    @property
    def tail(self) -> Tail:
        return Tail("logarithmic", 0.0)


def log2() -> Logarithm:
    """D(r) = 1/log₂(1+r): Järvelin and Kekäläinen's discount in the form that is usual today.

    >>> log2().values(3).round(4)
    array([1.    , 0.6309, 0.5   ])
    """
    return Logarithm("log2")


def natural() -> Logarithm:
    """D(r) = 1/ln(1+r). NDCG is that of log2(); DCG is larger by the factor 1/ln 2.

    >>> round(float(natural()(1)), 4)
    1.4427
    """
    return Logarithm("natural")
