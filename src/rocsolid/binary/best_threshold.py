"""The corner of a ROC curve that is best by a criterion, and the path of the curve."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import known
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError

_FLOATS = NDArray[np.float64]
_SAME = 1e-12  # relative difference up to which gains differ only by rounding


def _closest_topleft(tpr: _FLOATS, fpr: _FLOATS, ratio: float) -> _FLOATS:
    return -((1.0 - tpr) ** 2) - ratio * fpr**2


def _saved(tpr: _FLOATS, fpr: _FLOATS, ratio: float) -> _FLOATS:
    return tpr - ratio * fpr


CRITERIA: dict[str, Callable[[_FLOATS, _FLOATS, float], _FLOATS]] = {
    "youden": _saved,
    "closest-topleft": _closest_topleft,
    "cost": _saved,
}


def best_corner(
    tpr: _FLOATS,
    fpr: _FLOATS,
    criterion: str,
    prevalence: float | None = None,
    cost_ratio: float | None = None,
) -> tuple[int, int]:
    """Return the strictest corner with the largest gain, and the number of such corners.

    - ``youden``: the largest tpr − fpr (Youden 1950).
    - ``closest-topleft``: the smallest (1−tpr)² + r·fpr².
    - ``cost``: the largest tpr − r·fpr, which is the least expected cost.

    r = (1−prevalence)/(cost_ratio·prevalence), where ``cost_ratio`` is the cost of a missed
    positive over that of a false alarm; without it r is 1. pROC calls these ``best.method`` and
    ``best.weights``; its weighted "youden" is ``cost``.

    >>> tpr, fpr = np.array([0, 0.5, 0.9, 1]), np.array([0, 0.05, 0.6, 1])
    >>> best_corner(tpr, fpr, "youden"), best_corner(tpr, fpr, "cost", 0.5, cost_ratio=1.5)
    ((1, 1), (2, 1))
    """
    known(criterion, CRITERIA, "criterion")
    ratio = _ratio(criterion, prevalence, cost_ratio)
    gain = CRITERIA[criterion](tpr, fpr, ratio)
    ties = np.flatnonzero(gain >= gain.max() - _SAME * max(1.0, ratio))
    return int(ties[0]), len(ties)


def _ratio(criterion: str, prevalence: float | None, cost_ratio: float | None) -> float:
    if cost_ratio is None and criterion != "cost":
        return 1.0
    if criterion == "youden":
        raise InputError(
            "Youden's index weights both rates equally",
            where="cost_ratio",
            value=cost_ratio,
            fix='use criterion="cost"',
        )
    if cost_ratio is None or prevalence is None:
        raise InputError(
            "a cost needs both the prevalence and the cost ratio",
            where="prevalence" if prevalence is None else "cost_ratio",
            value=None,
            fix="give the share of positives where the threshold will be used, and the cost of a "
            "missed positive over that of a false alarm: prevalence=0.1, cost_ratio=5",
        )
    if not (isinstance(cost_ratio, Real) and 0.0 < cost_ratio < np.inf):
        raise InputError("a cost ratio is a positive number", where="cost_ratio", value=cost_ratio)
    weight = cost_ratio * prevalence
    if not weight > 0.0 or not np.isfinite((1.0 - prevalence) / weight):
        raise InputError(
            "cost ratio times prevalence is too small to weight the rates",
            where="prevalence, cost_ratio",
            value=(prevalence, cost_ratio),
        )
    return (1.0 - prevalence) / weight


def bends(fpr: _FLOATS, tpr: _FLOATS) -> NDArray[np.bool_]:
    keep = np.ones(len(fpr), dtype=bool)
    right, up = np.diff(fpr), np.diff(tpr)
    keep[1:-1] = right[:-1] * up[1:] != right[1:] * up[:-1]
    return keep


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The steps up and right of the curve at each distinct score, highest score first.

    Iterating yields the moves in words: rows of one class move one step at a time, and equal scores
    of both classes move together along a diagonal. The path contains every label in the order of
    the scores, so publishing the path publishes the labels.

    >>> print(Path(np.array([1, 0, 2]), np.array([0, 1, 1])))
    up, right, diagonal (2 up, 1 right)
    """

    up: NDArray[np.int64]
    right: NDArray[np.int64]

    def __len__(self) -> int:
        mixed = (self.up > 0) & (self.right > 0)
        return int(np.where(mixed, 1, self.up + self.right).sum())

    def __iter__(self) -> Iterator[str]:
        for up, right in zip(self.up.tolist(), self.right.tolist(), strict=True):
            if up and right:
                yield f"diagonal ({up} up, {right} right)"
            else:
                yield from ["up"] * up + ["right"] * right

    def __str__(self) -> str:
        return ", ".join(self)
