"""What every training-set bound starts from, and the form in which it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.plug_in import plug_in
from rocsolid.certificates.certificate import rounded_down
from rocsolid.results import Interval
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.sorted_classes import SortedClasses
from rocsolid.weights import Weight, losses

_FLOATS = NDArray[np.float64]

ROOTS = tuple(2.0 ** (-j / 2) for j in range(13))
"""Margins as parts of the largest there can be, fixed before any row was seen."""


@dataclass(frozen=True, slots=True)
class Bound(Plain):
    """A lower limit that the training rows prove; ``value`` is what it was subtracted from.

    A ``randomised`` bound is not about the scorer but about one that draws its weights at random
    around it. ``chance`` is the value of a score that ranks at random.
    """

    method: str
    value: float
    interval: Interval
    chance: float = 0.5
    randomised: bool = False
    _json = (
        "method value low verdict randomised assumptions=interval.assumptions "
        "source=interval.source"
    )

    @property
    def low(self) -> float:
        return self.interval.low

    @property
    def vacuous(self) -> bool:
        """Whether it says nothing: the limit is the lowest possible value."""
        return self.low <= self.interval.range[0]

    @property
    def verdict(self) -> str:
        """One of "vacuous", "not better than chance" and "better than chance"."""
        if self.vacuous:
            return "vacuous"
        return "better than chance" if self.low > self.chance else "not better than chance"

    __repr__ = one_line

    def __str__(self) -> str:
        low = rounded_down(self.low, self.interval.decimals)
        text = f"{self.method}: at least {low}, {self.verdict}"
        return f"{text}, of the randomised scorer" if self.randomised else text


Made = Callable[[float], Bound]
"""A bound for the share of δ that it is given."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRows:
    """The features by class, and the weights or votes that score them."""

    pos: _FLOATS
    neg: _FLOATS

    @property
    def sizes(self) -> tuple[int, int]:
        return len(self.pos), len(self.neg)

    @property
    def features(self) -> int:
        return int(self.pos.shape[1])

    def linear(self, w: _FLOATS) -> SortedClasses:
        """The sorted scores x·w."""
        return SortedClasses(np.sort(self.pos @ w), np.sort(self.neg @ w))


def in_part(classes: SortedClasses, weight: Weight, width: float) -> float:
    """f_{W,ℓ} with the ramp ℓ: a pair counts in part until its scores are ``width`` apart."""
    return plug_in(classes, weight, losses.ramp(width))
