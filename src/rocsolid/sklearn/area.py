"""The area under any curve, by the trapezoidal rule."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d

from rocsolid.sklearn.parameters import ARRAY, checked


@checked(x=ARRAY, y=ARRAY)
def auc(x: Any, y: Any) -> float:
    """Area under the points (x, y), x ascending or descending; as ``sklearn.metrics.auc``.

    >>> auc([0.0, 0.5, 1.0], [0.0, 1.0, 1.0])
    0.75
    """
    return trapezoid(x, y)


def trapezoid(x: Any, y: Any) -> float:
    check_consistent_length(x, y)
    x = column_or_1d(x)
    y = column_or_1d(y)
    if len(x) < 2:
        raise ValueError(
            f"At least 2 points are needed to compute area under curve, but x.shape = {len(x)}"
        )
    steps = x[1:] - x[:-1]
    descending = np.any(steps < 0)
    if descending and not np.all(steps <= 0):
        raise ValueError(f"x is neither increasing nor decreasing : {x}.")
    area = np.sum(steps * (y[1:] + y[:-1]) / 2.0)
    return float(-area if descending else area)
