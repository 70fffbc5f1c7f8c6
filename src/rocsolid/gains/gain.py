"""What every gain knows about itself."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Gain(ABC):
    """A gain G ≥ 0 that never decreases with the grade."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The short name that stands in a measure's full name."""

    @abstractmethod
    def __call__(self, grade: ArrayLike) -> NDArray[np.float64]:
        """G(grade)."""
