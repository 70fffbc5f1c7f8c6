"""Doubled midranks: the integers through which a set of scores meets a released AUC."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs import scores as valid_scores
from rocsolid.summaries.runs import distinct_scores


def doubled_ranks(scores: Any, times: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Twice the midrank of each score among all, from 2 (the lowest) up, in the caller's order.

    ``times`` says how many rows each stands for.

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
