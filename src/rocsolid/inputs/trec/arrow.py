"""Numbers between pyarrow and NumPy without a copy.

pyarrow's own conversions (``to_numpy``, ``pyarrow.array``) import pandas where it is installed,
which takes longer than reading a run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def to_numpy(array: Any) -> NDArray[Any]:
    """The numbers of a pyarrow array without missing values.

    >>> import pyarrow as pa
    >>> to_numpy(pa.array([1, 2, 3])[1:])
    array([2, 3])
    """
    return np.from_dlpack(array)


def to_arrow(positions: NDArray[np.intp]) -> Any:
    """Positions as a pyarrow array, to take rows by.

    >>> to_arrow(np.array([2, 0])).to_pylist()
    [2, 0]
    """
    import pyarrow as pa

    content = pa.py_buffer(np.ascontiguousarray(positions, dtype=np.int64))
    return pa.Array.from_buffers(pa.int64(), len(positions), [None, content])
