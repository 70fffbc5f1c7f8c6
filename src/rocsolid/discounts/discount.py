"""Discounts of ranks: logarithmic, power, exponential, by table, or user-defined."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import nearest
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError


def checked(values: Any, where: str) -> NDArray[np.float64]:
    """Return the values; reject infinite, negative or increasing ones, and 0 at the first rank."""
    try:
        discounts = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("a discount is not a number", where=where, value=values) from None
    bad = np.flatnonzero(~(np.isfinite(discounts) & (discounts >= 0.0)))
    if bad.size:
        raise InputError(
            f"a discount is finite and not negative; at rank {bad[0] + 1} it is not",
            where=where,
            value=float(discounts[bad[0]]),
        )
    rising = np.flatnonzero(np.diff(discounts) > 0.0)
    if rising.size:
        at = int(rising[0])
        raise InputError(
            f"a discount must not increase: it is {discounts[at]:g} at rank {at + 1} and "
            f"{discounts[at + 1]:g} at rank {at + 2}",
            where=where,
            fix="a later rank cannot count more than an earlier one",
        )
    if discounts.size and discounts[0] == 0.0:
        raise InputError("a discount that is zero everywhere measures nothing", where=where)
    return discounts


@dataclass(frozen=True, slots=True)
class Tail:
    """The behaviour of D at high ranks, which determines the limit of NDCG.

    "summable": ΣD is finite. "power": D(r) = r^−index, up to a slowly varying factor, with 0 <
    index ≤ 1. "logarithmic": D varies slowly, as 1/log r does (index 0). ``proven`` is False if
    this was estimated from values.
    """

    kind: Literal["summable", "power", "logarithmic"]
    index: float
    proven: bool = True


class Discount(ABC):
    """A discount D ≥ 0 that never increases with the rank r ≥ 1, which may be a real number."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The short name that appears in a measure's full name."""

    @abstractmethod
    def __call__(self, rank: ArrayLike) -> NDArray[np.float64]:
        """D(rank)."""

    @property
    def tail(self) -> Tail | None:
        """The behaviour of D at high ranks; ``None`` if the formula is unknown."""
        return None

    def values(self, n: int) -> NDArray[np.float64]:
        """D(1), …, D(n)."""
        return self(np.arange(1, n + 1, dtype=np.float64))


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
    """Return D(r) = b^−r, b > 1. Only the first few ranks matter, however long the list.

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
    """Return D(r) = r^−β, β > 0. For each β < 1 NDCG has its own limit (Wang et al. 2013).

    >>> power(0.5).values(4).round(4)
    array([1.    , 0.7071, 0.5774, 0.5   ])
    """
    if not 0.0 < beta < float("inf"):
        raise InputError("the exponent must be positive", where="power", value=beta)
    return PowerDiscount(float(beta))


def zipf() -> PowerDiscount:
    """Return D(r) = 1/r.

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
    """Return D(r) = 1/log₂(1+r), the common form of Järvelin and Kekäläinen's discount.

    >>> log2().values(3).round(4)
    array([1.    , 0.6309, 0.5   ])
    """
    return Logarithm("log2")


def natural() -> Logarithm:
    """Return D(r) = 1/ln(1+r). NDCG is as with log2(); DCG is larger by the factor 1/ln 2.

    >>> round(float(natural()(1)), 4)
    1.4427
    """
    return Logarithm("natural")


@dataclass(frozen=True, slots=True)
class TableDiscount(Discount):
    """D(1), D(2), … from a list, and zero beyond."""

    listed: tuple[float, ...]

    @property
    def name(self) -> str:
        shown = ",".join(f"{value:g}" for value in self.listed[:4])
        return f"table({shown}{',…' if len(self.listed) > 4 else ''})"

    def __call__(self, rank: ArrayLike) -> NDArray[np.float64]:
        # a rank between two integers counts as the later integer, since D never increases
        at = np.ceil(np.asarray(rank, dtype=np.float64)).astype(np.int64) - 1
        inside = at < len(self.listed)
        return np.where(inside, np.asarray(self.listed)[np.where(inside, at, 0)], 0.0)

    @property
    def tail(self) -> Tail:
        return Tail("summable", float("inf"))


def table(values: Sequence[float] | NDArray[np.float64]) -> TableDiscount:
    """Return the discount with listed values at ranks 1, 2, …; later ranks count 0.

    >>> table([1, 0.5, 0.25]).values(4)
    array([1.  , 0.5 , 0.25, 0.  ])
    """
    discounts = checked(values, "discount")
    if discounts.ndim != 1 or not discounts.size:
        raise InputError(
            "a table of discounts is a list of numbers, one for each rank from 1",
            where="discount",
            value=values,
        )
    return TableDiscount(tuple(discounts.tolist()))


@dataclass(frozen=True, slots=True)
class CallableDiscount(Discount):
    """A user-defined D, whose behaviour at high ranks is unknown."""

    function: Callable[[Any], Any]
    name: str = "custom"

    def __call__(self, rank: ArrayLike) -> NDArray[np.float64]:
        ranks = np.asarray(rank, dtype=np.float64)
        values = np.asarray(self.function(ranks), dtype=np.float64)
        if values.shape != ranks.shape:
            raise InputError(
                "a discount function must give one number for each rank",
                where="discount",
                value=f"{values.shape} for {ranks.shape}",
                fix="write it for arrays: lambda r: 1 / (r + 1)",
            )
        return values

    def values(self, n: int) -> NDArray[np.float64]:
        """D(1), …, D(n), which must be finite, not negative and never increase."""
        return checked(self(np.arange(1, n + 1, dtype=np.float64)), "discount")


def from_callable(function: Callable[[Any], Any], name: str = "custom") -> CallableDiscount:
    """Return the discount that ``function`` computes from an array of ranks, from 1.

    >>> from_callable(lambda r: 1 / (r + 1)).values(3).round(3)
    array([0.5  , 0.333, 0.25 ])
    """
    return CallableDiscount(function, name)


SHORT_NAMES: dict[str, Discount] = {"log2": log2(), "natural": natural(), "zipf": zipf()}


def as_discount(discount: Any) -> Discount:
    """Convert a discount, a short name, a function of the rank, or listed values.

    >>> as_discount("zipf")
    PowerDiscount(beta=1.0)
    >>> as_discount([1, 0.5]).name
    'table(1,0.5)'
    >>> as_discount("log")
    Traceback (most recent call last):
    rocsolid.errors.InputError: unknown discount: 'log' (discount). Fix: use 'log2', 'natural',
    'zipf', or an object such as rs.discounts.power(0.5) or rs.discounts.exponential(2).
    """
    if isinstance(discount, Discount):
        return discount
    if isinstance(discount, str) and discount in SHORT_NAMES:
        return SHORT_NAMES[discount]
    if callable(discount):
        return from_callable(discount)
    if isinstance(discount, Sequence | np.ndarray) and not isinstance(discount, str):
        return table(discount)
    close = nearest(discount, SHORT_NAMES) if isinstance(discount, str) else None
    known = ", ".join(repr(name) for name in sorted(SHORT_NAMES, key=lambda name: name != close))
    raise InputError(
        "unknown discount",
        where="discount",
        value=discount,
        fix=f"use {known}, or an object such as rs.discounts.power(0.5) or "
        "rs.discounts.exponential(2)",
    )
