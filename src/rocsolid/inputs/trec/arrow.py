"""Numbers between pyarrow and NumPy without a copy.

pyarrow's own conversions (``to_numpy``, ``pyarrow.array``) import pandas where it is installed,
which takes longer than reading a run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Layout:
    """The fields of a line, in order; ``value`` is the number that the file is read for."""

    kind: Literal["run", "qrels"]
    fields: tuple[str, ...]
    value: Literal["score", "relevance"]

    @property
    def shown(self) -> str:
        """The layout as a user would write it."""
        return f'"{" ".join(self.fields)}"'

    def width(self, count: int) -> int | None:
        """How many of ``count`` fields on a line are read; None if the line is not one of these.

        The tag of a run may be missing, and whatever follows it is no field: trec_eval, too,
        reads nothing after it.
        """
        most = len(self.fields)
        if self.kind == "qrels":
            return most if count == most else None
        return min(count, most) if count >= most - 1 else None


RUN = Layout("run", ("query", "Q0", "document", "rank", "score", "tag"), "score")
QRELS = Layout("qrels", ("query", "0", "document", "relevance"), "relevance")


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
