"""The grade itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.gains.gain import Gain


@dataclass(frozen=True, slots=True)
class LinearGain(Gain):
    """G(y) = y."""

    name: str = "linear"

    def __call__(self, grade: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(grade, dtype=np.float64)


def linear() -> LinearGain:
    """G(y) = y, as in trec_eval and scikit-learn.

    >>> linear()([0, 1, 2])
    array([0., 1., 2.])
    """
    return LinearGain()
