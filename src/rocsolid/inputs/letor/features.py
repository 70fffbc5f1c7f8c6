"""Features of documents as SVMLight files have them: most are 0 and not written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError


@dataclass(frozen=True, slots=True, eq=False)
class SparseFeatures:
    """The written features, row after row: row i has ``offsets[i]`` to ``offsets[i + 1]``.

    ``number`` is the number of a feature as the file has it, ascending within a row.
    """

    offsets: NDArray[np.int64]
    number: NDArray[np.int32]
    value: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def numbers(self) -> NDArray[np.int32]:
        """The features that some row has, ascending."""
        return np.unique(self.number)

    def column(self, number: int) -> NDArray[np.float64]:
        """One feature of every row, 0 where it is not written.

        >>> found = SparseFeatures(np.array([0, 2, 2]), np.array([1, 5], np.int32),
        ...                        np.array([0.5, 0.7]))
        >>> found.column(5).tolist()
        [0.7, 0.0]
        """
        return self.dense([number])[:, 0]

    def dense(self, numbers: Any = None) -> NDArray[np.float64]:
        """A matrix with a row for each row and a column for each of these features.

        Without ``numbers``: for each feature that some row has. For a second file pass the numbers
        of the first, so that the columns agree; features that are not named are left out.
        """
        chosen = self.numbers if numbers is None else np.asarray(numbers)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
            raise InputError("features are named by whole numbers", where="numbers", value=numbers)
        order = np.argsort(chosen)
        ordered = chosen[order]
        if len(ordered) and bool(np.any(ordered[1:] == ordered[:-1])):
            raise InputError("a feature is named twice", where="numbers", value=numbers)
        matrix = np.zeros((len(self), len(chosen)))
        if not len(chosen):
            return matrix
        place = np.minimum(np.searchsorted(ordered, self.number), len(ordered) - 1)
        wanted = ordered[place] == self.number
        row = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        matrix[row[wanted], order[place[wanted]]] = self.value[wanted]
        return matrix
