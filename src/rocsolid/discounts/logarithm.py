"""The logarithmic discounts, the standard of NDCG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.discounts.discount import Discount, Tail


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
