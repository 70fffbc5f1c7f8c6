"""Partial areas: the part of a box of rates that lies under the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from rocsolid.arguments import one_of
from rocsolid.errors import InputError, UnsoundError
from rocsolid.weights.weight import check_region

Scale = Literal["raw", "mean", "mcclish"]
Rates = float | tuple[float, float]
_ALL = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Region:
    """A box of false-positive rates and true-positive rates; a side left open is [0, 1]."""

    fpr: tuple[float, float]
    tpr: tuple[float, float]

    @classmethod
    def of(cls, fpr: Rates | None = None, tpr: Rates | None = None) -> Region:
        """From what was requested: ``fpr=b`` means rates up to b, ``tpr=a`` rates from a on.

        >>> print(Region.of(fpr=0.05)), print(Region.of(fpr=(0.1, 0.2), tpr=0.8))
        fpr<=0.05
        0.1<=fpr<=0.2, tpr>=0.8
        (None, None)
        """
        if fpr is None and tpr is None:
            raise InputError(
                "a partial area needs a region", fix="give fpr=, tpr= or both, such as fpr=0.05"
            )
        box = []
        for name, rates, open_end in (("fpr", fpr, 0), ("tpr", tpr, 1)):
            if rates is None:
                ends = _ALL
            elif isinstance(rates, tuple | list):
                if len(rates) != 2:
                    raise InputError("a region has two ends", where=name, value=rates)
                ends = (rates[0], rates[1])
            else:
                ends = (0.0, rates) if open_end == 0 else (rates, 1.0)
            box.append(check_region(*ends, name))
        return cls(*box)

    @property
    def maximum(self) -> float:
        """The area of the box."""
        return (self.fpr[1] - self.fpr[0]) * (self.tpr[1] - self.tpr[0])

    @property
    def diagonal(self) -> float:
        """The area of the box's part under the diagonal, where a score of no use has its curve."""
        (a, b), (c, d) = self.fpr, self.tpr
        left, right = min(max(a, c), b), max(min(b, d), a)  # where the diagonal is in the box
        slanted = (right - left) * ((left + right) / 2 - c) if right > left else 0.0
        return slanted + max(b - max(a, d), 0.0) * (d - c)

    def __str__(self) -> str:
        named = (("fpr", self.fpr), ("tpr", self.tpr))
        return ", ".join(_in_words(name, ends) for name, ends in named if ends != _ALL) or "all"


def rescaled(raw: float, region: Region, scale: Scale) -> float:
    """A raw area of a region on another scale; each scale grows with the area.

    "mean" divides by the area of the box: the mean height of the curve over a region of
    false-positive rates, the mean specificity over one of true-positive rates. "mcclish" is
    (1 + (A−min)/(max−min))/2 with the diagonal's area as min and the box's as max (McClish 1989
    for false-positive rates; pROC's partial.auc.correct does the same for both): one half for a
    score of no use and one for a perfect one, whatever the region.

    >>> rescaled(0.1, Region.of(fpr=0.2), "mean"), rescaled(0.02, Region.of(fpr=0.2), "mcclish")
    (0.5, 0.5)
    """
    one_of(scale, get_args(Scale), "scale")
    if scale == "raw":
        return raw
    if scale == "mean":
        return raw / region.maximum
    span = region.maximum - region.diagonal
    if not span > 0.0:
        raise UnsoundError(
            "McClish's scale needs a region that reaches above the diagonal",
            where="scale",
            value=str(region),
            fix='use scale="mean", or a region with higher true-positive rates',
        )
    return (1.0 + (raw - region.diagonal) / span) / 2.0


def _in_words(name: str, ends: tuple[float, float]) -> str:
    low, high = ends
    if low == 0.0:
        return f"{name}<={high:g}"
    return f"{name}>={low:g}" if high == 1.0 else f"{low:g}<={name}<={high:g}"
