"""What every weight knows about itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import one_of
from rocsolid.errors import InputError


def complement(rate: float) -> float:
    """1 − rate, for the decimal number that was written.

    The false-positive rate 0.9 is the true-negative rate 0.1, while the double nearest to 0.9
    leaves 0.09999999999999998, which would not reach one negative in ten.

    >>> complement(0.9), 1 - 0.9
    (0.1, 0.09999999999999998)
    """
    return float(1 - Fraction(repr(float(rate))))


def check_region(low: float, high: float, name: str) -> tuple[float, float]:
    """A region of rates, refused unless 0 ≤ low < high ≤ 1."""
    try:
        sound = 0.0 <= low < high <= 1.0 and not isinstance(high, bool)
    except TypeError:
        sound = False
    if not sound:
        raise InputError(
            "a region of rates needs 0 <= low < high <= 1",
            where=name,
            value=(low, high),
            fix="name the lower end first, such as (0, 0.05)",
        )
    return float(low), float(high)


def check_axis(axis: Axis) -> Axis:
    one_of(axis, get_args(Axis), "axis")
    return axis


def check_positive(value: float, name: str) -> float:
    if not 0.0 < value < float("inf"):
        raise InputError(f"{name} must be a positive number", value=value)
    return float(value)


Axis = Literal["fpr", "tpr"]


class Weight(ABC):
    """A bounded weight W ≥ 0 on [0, 1] for the area A_W = ∫ roc(v)·W(1−v) dv.

    The argument u is the true-negative rate 1−v, as in Maurer and Pontil 2020. A weight over
    true-positive rates (``axis`` "tpr") belongs to the mirrored problem, in which negatives and
    positives change places and the order of the scores is reversed; u is then the
    true-positive rate itself, and A_W = ∫ (1−roc⁻¹(t))·W(t) dt.
    """

    @property
    def axis(self) -> Axis:
        return "fpr"

    @abstractmethod
    def __call__(self, u: ArrayLike) -> NDArray[np.float64]:
        """W(u)."""

    @abstractmethod
    def integral(self, u: ArrayLike) -> NDArray[np.float64]:
        """K(u) = ∫₀ᵘ W."""

    @abstractmethod
    def mean_integral(self, low: ArrayLike, high: ArrayLike) -> NDArray[np.float64]:
        """The average of K over [low, high], which is K itself where they are equal.

        This is the second integral of W, requested in the form that does not cancel.
        """

    @property
    @abstractmethod
    def sup_norm(self) -> float:
        """‖W‖∞."""

    @property
    @abstractmethod
    def lipschitz(self) -> float:
        """‖W‖Lip, infinite for a weight that jumps."""

    @property
    def l1_norm(self) -> float:
        """‖W‖₁ = K(1), which is the largest value that A_W can have."""
        return float(self.integral(1.0))

    @property
    def support(self) -> tuple[float, float]:
        """An interval of u outside which W is zero."""
        return 0.0, 1.0

    @property
    def constant(self) -> float | None:
        """The one value that W has everywhere, if so."""
        return None

    @property
    def probed(self) -> bool:
        """Whether a norm or K was found by looking at values of W, which proves nothing."""
        return False
