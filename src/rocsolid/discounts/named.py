"""Discounts by name, from tables and from callables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import nearest
from rocsolid.discounts.discount import Discount, Tail, checked
from rocsolid.discounts.formulas import log2, natural, zipf
from rocsolid.errors import InputError


@dataclass(frozen=True, slots=True)
class TableDiscount(Discount):
    """D(1), D(2), … as listed, and zero beyond the list."""

    listed: tuple[float, ...]

    @property
    def name(self) -> str:
        shown = ",".join(f"{value:g}" for value in self.listed[:4])
        return f"table({shown}{',…' if len(self.listed) > 4 else ''})"

    def __call__(self, rank: ArrayLike) -> NDArray[np.float64]:
        # a rank between two integers counts as the later one: D never increases
        at = np.ceil(np.asarray(rank, dtype=np.float64)).astype(np.int64) - 1
        inside = at < len(self.listed)
        return np.where(inside, np.asarray(self.listed)[np.where(inside, at, 0)], 0.0)

    @property
    def tail(self) -> Tail:
        return Tail("summable", float("inf"))


def table(values: Sequence[float] | NDArray[np.float64]) -> TableDiscount:
    """The discount whose values at ranks 1, 2, … are listed. Later ranks count nothing.

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
    """D as its author wrote it; what it does at high ranks is not known from a formula."""

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
    """The discount that ``function`` computes from an array of ranks, which begin at 1.

    >>> from_callable(lambda r: 1 / (r + 1)).values(3).round(3)
    array([0.5  , 0.333, 0.25 ])
    """
    return CallableDiscount(function, name)


SHORT_NAMES: dict[str, Discount] = {"log2": log2(), "natural": natural(), "zipf": zipf()}


def as_discount(discount: Any) -> Discount:
    """A discount itself, the one with that short name, a function of the rank, or listed values.

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
    known = ", ".join(repr(name) for name in sorted(SHORT_NAMES, key=lambda one: one != close))
    raise InputError(
        "unknown discount",
        where="discount",
        value=discount,
        fix=f"use {known}, or an object such as rs.discounts.power(0.5) or "
        "rs.discounts.exponential(2)",
    )
