"""Doubled midranks: integers that relate scores to an exact AUC."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.summaries.score_counts import distinct_scores

MOST_ROWS = 20_000_000
"""The limit on rows given as a number: counting their labelings needs about two gigabytes."""


def untied_scores(n: int) -> NDArray[np.int64]:
    """Return ``n`` distinct scores, lowest first.

    >>> untied_scores(3)
    array([0, 1, 2])
    """
    if n < 2:
        raise InputError("an AUC needs at least two rows", where="rows", value=n)
    if n > MOST_ROWS:
        raise InputError(
            "this many rows do not fit in memory", where="rows", value=n,
            fix=f"use at most {MOST_ROWS:,}",
        )  # fmt: skip
    return np.arange(n)


def doubled_ranks(scores: Any, times: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Return twice the midrank of each score, from 2 (the lowest) up, in the caller's order.

    ``times`` is the number of rows that each score represents.

    >>> doubled_ranks([0.2, 0.5, 0.9, 0.5])
    array([2, 5, 8, 5])
    """
    values = valid_scores(scores, name="scores")
    if len(values) < 2:
        raise InputError("an AUC needs at least two rows", where="scores", value=len(values))
    distinct, run = distinct_scores(values)
    size = np.bincount(run, times, minlength=len(distinct)).astype(np.int64)
    through = np.cumsum(size)
    return (2 * through - size + 1)[run]
