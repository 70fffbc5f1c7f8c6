"""A discount given by its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.discounts.discount import Discount, Tail, checked
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
    found = checked(values, "discount")
    if found.ndim != 1 or not found.size:
        raise InputError(
            "a table of discounts is a list of numbers, one for each rank from 1",
            where="discount",
            value=values,
        )
    return TableDiscount(tuple(found.tolist()))
