"""What every discount knows about itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError


def checked(values: Any, where: str) -> NDArray[np.float64]:
    """Finite values, none negative, none above the one before it, and the first above zero."""
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
    """How D behaves at high ranks, which decides what NDCG tends to.

    "summable": ΣD is finite. "power": D(r) = r^−index, up to a slowly varying factor, with ΣD
    infinite, so 0 < index ≤ 1. "logarithmic": D varies slowly, as 1/log r does (index 0).
    ``proven`` says that this follows from the formula of D and was not read off its values.
    """

    kind: Literal["summable", "power", "logarithmic"]
    index: float
    proven: bool = True


class Discount(ABC):
    """A discount D ≥ 0 that never increases with the rank r ≥ 1.

    D takes real ranks too, because the limits in Wang et al. 2013 integrate it.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """The short name that stands in a measure's full name."""

    @abstractmethod
    def __call__(self, rank: ArrayLike) -> NDArray[np.float64]:
        """D(rank)."""

    @property
    def tail(self) -> Tail | None:
        """How D behaves at high ranks; ``None`` where the formula does not say."""
        return None

    def values(self, n: int) -> NDArray[np.float64]:
        """D(1), …, D(n)."""
        return self(np.arange(1, n + 1, dtype=np.float64))
