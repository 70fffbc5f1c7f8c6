"""Several classes as one binary column each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def indicator(y_true: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int64]:
    """One row a sample, one column a class, 1 where the sample is of the class.

    >>> indicator(np.array(["a", "c"]), np.array(["a", "b", "c"])).tolist()
    [[1, 0, 0], [0, 0, 1]]
    """
    return np.asarray(y_true[:, None] == classes, dtype=np.int64)
