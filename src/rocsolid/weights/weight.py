"""What every weight knows about itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
