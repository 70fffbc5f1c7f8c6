"""Losses ℓ(z) of the score difference z between a positive and a negative.

The plug-in estimator uses these losses. In Maurer and Pontil (2020) ℓ is nondecreasing with values
in [0, 1]. ``step`` is their Heaviside function H with H(0) = 0, so that a tie counts 0. Equal
infinite scores are a tie.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import one_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.weights.weight import Axis, Polyline, check_axis, check_positive, check_region

__all__ = ["hinge", "ramp", "sigmoid", "step"]

_FLOATS = NDArray[np.float64]
_BLOCK = 4096  # values per lookup
_CHUNK = 1 << 20  # differences per step
_MOST_PAIRS = 2_000_000_000  # about ten seconds of sigmoids
_MOST_WIDTHS = 2.0**50  # up to here a score's number of whole widths is exact


class Loss(ABC):
    """A loss ℓ(z) with its Lipschitz constant and fast sums over all positives."""

    @abstractmethod
    def __call__(self, z: ArrayLike) -> _FLOATS:
        """Return ℓ(z)."""

    @property
    @abstractmethod
    def lipschitz(self) -> float:
        """The norm ‖ℓ‖Lip, infinite for a loss that jumps."""

    @property
    def in_unit_range(self) -> bool:
        """True if ℓ lies in [0, 1], as the theorems of Maurer and Pontil (2020) require."""
        return True

    @abstractmethod
    def sums(self, pos: NDArray[Any], neg: NDArray[Any]) -> _FLOATS:
        """Return Σᵢ ℓ(posᵢ − y) for each y in ``neg``; both arrays ascend."""


@dataclass(frozen=True)
class StepLoss(Loss):
    """H(z) = 1 for z > 0, else 0."""

    def __call__(self, z: ArrayLike) -> _FLOATS:
        return (np.asarray(z) > 0).astype(np.float64)

    @property
    def lipschitz(self) -> float:
        return float("inf")

    def sums(self, pos: NDArray[Any], neg: NDArray[Any]) -> _FLOATS:
        return (len(pos) - ranks(pos, neg, "right")).astype(np.float64)


@dataclass(frozen=True)
class RampLoss(Loss):
    """ℓ(z) = z/width between 0 and ``width``, 0 before and 1 after."""

    width: float

    def __call__(self, z: ArrayLike) -> _FLOATS:
        return np.clip(np.asarray(z, dtype=np.float64) / self.width, 0.0, 1.0)

    @property
    def lipschitz(self) -> float:
        return 1.0 / self.width

    def sums(self, pos: NDArray[Any], neg: NDArray[Any]) -> _FLOATS:
        """Count positives beyond the ramp, and sum over positives on the ramp by prefix sums.

        Each score is written as g·width + f with whole g, and g and f are summed separately, so the
        sums lose no digits by cancellation.
        """
        x, y = _finite(pos, neg, self.width)
        reach = max(abs(float(x[0])), abs(float(x[-1])), abs(float(y[0])), abs(float(y[-1])))
        if reach > _MOST_WIDTHS * self.width:
            raise InputError(
                "the ramp is too narrow for scores of this size",
                where=f"scores up to {reach:g}",
                value=self.width,
                fix="use the step loss, which equals such a ramp",
            )
        first = ranks(x, y, "right")
        last = np.maximum(ranks(x, y + self.width, "left"), first)
        count = last - first
        whole, rest = np.divmod(x, self.width)
        own_whole, own_rest = np.divmod(y, self.width)
        # sums of whole numbers may overflow; their small differences are still right
        wholes = _prefix(whole.astype(np.int64))
        rests = _prefix(rest)
        over = wholes[last] - wholes[first] - count * own_whole.astype(np.int64)
        part = rests[last] - rests[first] - count * own_rest
        return np.asarray(len(x) - last + over + part / self.width)


@dataclass(frozen=True)
class HingeLoss(Loss):
    """ℓ(z) = min(1, z/margin), one minus the hinge loss of z/margin."""

    margin: float

    def __call__(self, z: ArrayLike) -> _FLOATS:
        return np.minimum(np.asarray(z, dtype=np.float64) / self.margin, 1.0)

    @property
    def lipschitz(self) -> float:
        return 1.0 / self.margin

    @property
    def in_unit_range(self) -> bool:
        return False

    def sums(self, pos: NDArray[Any], neg: NDArray[Any]) -> _FLOATS:
        """Return the sums of the ramp, minus the shortfall of positives below the negative."""
        for scores in (pos, neg):
            if not np.isfinite(scores[[0, -1]]).all():
                raise InputError(
                    "the hinge-type loss is unbounded, so it needs finite scores",
                    value=scores[0] if np.isinf(scores[0]) else scores[-1],
                    fix="use the ramp, or give finite scores",
                )
        centre = float(pos[len(pos) // 2])
        x, y = pos.astype(np.float64) - centre, neg.astype(np.float64) - centre
        below = ranks(x, y, "left")
        lacking = below * y - _prefix(x)[below]
        return np.asarray(RampLoss(self.margin).sums(pos, neg) - lacking / self.margin)


@dataclass(frozen=True)
class SigmoidLoss(Loss):
    """ℓ(z) = 1/(1+e^(−z/scale))."""

    scale: float

    def __call__(self, z: ArrayLike) -> _FLOATS:
        from scipy.special import expit

        return np.asarray(expit(np.asarray(z, dtype=np.float64) / self.scale))

    @property
    def lipschitz(self) -> float:
        return 0.25 / self.scale

    def sums(self, pos: NDArray[Any], neg: NDArray[Any]) -> _FLOATS:
        """Sum pair by pair in chunks; no faster way is known."""
        if len(pos) * len(neg) > _MOST_PAIRS:
            raise InputError(
                f"the sigmoid loss evaluates every pair, and {_MOST_PAIRS:,} pairs are the limit",
                value=len(pos) * len(neg),
                fix="use the step, ramp or hinge-type loss, or a sample of the rows",
            )
        x, y = pos.astype(np.float64), neg.astype(np.float64)
        total = np.empty(len(y))
        rows = max(1, _CHUNK // len(x))
        for start in range(0, len(y), rows):
            own = y[start : start + rows, None]
            with np.errstate(invalid="ignore"):
                z = np.where(x == own, 0.0, x - own)  # equal infinities have no difference
            total[start : start + rows] = self(z).sum(axis=1)
        return total


def step() -> StepLoss:
    """Return ℓ = H: 1 if a positive is strictly above a negative, else 0.

    >>> step()([-1, 0, 1])
    array([0., 0., 1.])
    """
    return StepLoss()


def ramp(width: float) -> RampLoss:
    """Return the Lipschitz ramp: 0 up to 0, 1 from ``width`` on, linear between; at most H.

    >>> ramp(2.0)([-1, 0, 1, 3])
    array([0. , 0. , 0.5, 1. ])
    """
    return RampLoss(check_positive(width, "width"))


def hinge(margin: float) -> HingeLoss:
    """Return min(1, z/margin), a concave lower bound of H that learners can maximise.

    The loss is unbounded below, so theorems that require ℓ in [0, 1] do not apply.

    >>> hinge(2.0)([-1, 0, 1, 3])
    array([-0.5,  0. ,  0.5,  1. ])
    """
    return HingeLoss(check_positive(margin, "margin"))


def sigmoid(scale: float) -> SigmoidLoss:
    """Return 1/(1+e^(−z/scale)), which is smooth and 1/2 at a tie.

    >>> sigmoid(1.0)(0.0)
    array(0.5)
    """
    return SigmoidLoss(check_positive(scale, "scale"))


def ranks(
    ascending: NDArray[Any], values: NDArray[Any], side: Literal["left", "right"]
) -> NDArray[np.int64]:
    """Return `numpy.searchsorted` for ascending ``values``, block by block.

    >>> ranks(np.array([1, 2, 2, 5]), np.array([0, 2, 9]), "right")
    array([0, 3, 4])
    """
    counts = np.empty(len(values), dtype=np.int64)
    firsts = np.append(np.searchsorted(ascending, values[::_BLOCK], side=side), len(ascending))
    for block, start in enumerate(range(0, len(values), _BLOCK)):
        offset = int(firsts[block])
        stretch = ascending[offset : int(firsts[block + 1])]
        counts[start : start + _BLOCK] = offset + np.searchsorted(
            stretch, values[start : start + _BLOCK], side=side
        )
    return counts


def _prefix(values: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([np.zeros(1, values.dtype), np.cumsum(values)])


def _finite(pos: NDArray[Any], neg: NDArray[Any], width: float) -> tuple[_FLOATS, _FLOATS]:
    """Return scores as floats, with infinite scores moved two widths beyond all finite ones."""
    x, y = pos.astype(np.float64), neg.astype(np.float64)
    both = [v[[0, -1]] for v in (x[np.isfinite(x)], y[np.isfinite(y)]) if v.size]
    low = min((float(ends[0]) for ends in both), default=0.0) - 2 * width
    high = max((float(ends[1]) for ends in both), default=0.0) + 2 * width
    for v in (x, y):
        v[v == -np.inf], v[v == np.inf] = low, high
    return x, y


@dataclass(frozen=True)
class Step(Polyline):
    """W = 1 for the rates in [a, b], ends included."""

    a: float
    b: float
    axis: Axis = "fpr"

    def points(self) -> list[tuple[float, float]]:
        a, b = self.a, self.b
        return [(0.0, 0.0), (a, 0.0), (a, 1.0), (b, 1.0), (b, 0.0), (1.0, 0.0)]


def step_of_ramp(a: float, b: float, *, axis: Axis = "fpr") -> Step:
    """Return the weight 1 for false-positive rates in [a, b], else 0.

    With ``axis="tpr"`` [a, b] are true-positive rates. A step is not Lipschitz unless it covers [0,
    1]. Maurer and Pontil (2020) write W(u) = 1 on [1−b, 1−a], u the true-negative rate.

    >>> w = step_of_ramp(0, 0.05)
    >>> w([0.9, 0.95, 1.0]), round(w.l1_norm, 15), w.lipschitz
    (array([0., 1., 1.]), 0.05, inf)
    """
    return Step(*check_region(a, b, "step"), check_axis(axis))


Side = Literal["below", "above"]


@dataclass(frozen=True)
class Ramp(Polyline):
    """The largest weight of the given slope below the step on [a, b], or the smallest above it.

    At an end of [0, 1] the ramp needs no slope, since no rates lie beyond.
    """

    a: float
    b: float
    slope: float
    side: Side
    axis: Axis = "fpr"

    def points(self) -> list[tuple[float, float]]:
        return self._below() if self.side == "below" else self._above()

    def _above(self) -> list[tuple[float, float]]:
        left, right = self.a - 1 / self.slope, self.b + 1 / self.slope
        return [
            (0.0, max(0.0, 1 - self.slope * self.a)),
            (max(0.0, left), max(0.0, 1 - self.slope * self.a)),
            (self.a, 1.0),
            (self.b, 1.0),
            (min(1.0, right), max(0.0, 1 - self.slope * (1 - self.b))),
            (1.0, max(0.0, 1 - self.slope * (1 - self.b))),
        ]

    def _below(self) -> list[tuple[float, float]]:
        rising, falling = self.a > 0.0, self.b < 1.0
        sides = rising + falling
        # the sides may meet below height one
        top = min(1.0, self.slope * (self.b - self.a) / sides) if sides else 1.0
        reach = top / self.slope
        plateau = (self.a + reach * rising, self.b - reach * falling)
        return [
            (0.0, 0.0),
            (self.a, 0.0 if rising else top),
            (plateau[0], top),
            (max(plateau), top),
            (self.b, 0.0 if falling else top),
            (1.0, 0.0 if falling else top),
        ]


def ramp_of_ramp(a: float, b: float, slope: float, *, side: Side, axis: Axis = "fpr") -> Ramp:
    """Return a step on [a, b] with sides of the given slope, below or above the exact step.

    Bounds for these two Lipschitz weights enclose the area of the step (Maurer and Pontil 2020,
    Theorem 2, remark 2). [a, b] are false-positive rates, or true-positive rates with
    ``axis="tpr"``.

    >>> low, high = ramp_of_ramp(0, 0.2, 10, side="below"), ramp_of_ramp(0, 0.2, 10, side="above")
    >>> low([0.8, 0.85, 0.95]).round(12), high([0.65, 0.75, 0.95]).round(12)
    (array([0. , 0.5, 1. ]), array([0. , 0.5, 1. ]))
    """
    one_of(side, get_args(Side), "side")
    region = check_region(a, b, "ramp")
    return Ramp(*region, check_positive(slope, "slope"), side, check_axis(axis))


@dataclass(frozen=True)
class CostCurve(Polyline):
    fpr: tuple[float, ...]
    cost: tuple[float, ...]

    def points(self) -> list[tuple[float, float]]:
        return list(zip(self.fpr, self.cost, strict=True))


def cost_curve(fpr: Sequence[float], cost: Sequence[float]) -> CostCurve:
    """Return the weight that interpolates costs at false-positive rates from 0 to 1.

    A rate that occurs twice is a jump; without jumps the weight is Lipschitz. In this example
    false-positive rates below 5 % cost ten times as much:

    >>> w = cost_curve([0, 0.05, 0.05, 1], [10, 10, 1, 1])
    >>> w([0.5, 0.99]), round(w.l1_norm, 12)
    (array([ 1., 10.]), 1.45)
    """
    rates, costs = np.asarray(fpr, dtype=np.float64), np.asarray(cost, dtype=np.float64)
    if rates.ndim != 1 or rates.shape != costs.shape or len(rates) < 2:
        raise InputError(
            "a cost curve needs as many costs as rates, at least two",
            value=(rates.shape, costs.shape),
        )
    if rates[0] != 0.0 or rates[-1] != 1.0 or not bool(np.all(np.diff(rates) >= 0)):
        raise InputError("the rates of a cost curve must ascend from 0 to 1", value=rates.tolist())
    if bool(np.any(rates[2:] == rates[:-2])):
        raise InputError("a rate may occur twice, not three times", value=rates.tolist())
    if not bool(np.all((costs >= 0) & (costs < np.inf))) or not costs.any():
        raise InputError(
            "costs must be finite, not negative and not all zero", value=costs.tolist()
        )
    return CostCurve(tuple(rates.tolist()), tuple(costs.tolist()))
