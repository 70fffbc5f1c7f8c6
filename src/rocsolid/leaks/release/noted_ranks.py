"""The ranks of an account's best submission, as a note in the ledger."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray


def ranks_noted(doubled: NDArray[np.int64]) -> str:
    """Return the ranks as a note.

    >>> ranks_noted(np.array([2, 5, 5]))
    '[2, 5, 5]'
    """
    return json.dumps(doubled.tolist())


def noted_ranks(note: str, n: int) -> NDArray[np.int64]:
    """Return the ranks in a note; without a note, all rows are tied.

    >>> noted_ranks("", 3)
    array([4, 4, 4])
    """
    return np.array(json.loads(note) if note else np.full(n, n + 1), dtype=np.int64)
