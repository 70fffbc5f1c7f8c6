"""Labelings drawn uniformly from all that fit a released AUC."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.leaks.completions import Completions
from rocsolid.leaks.constraint import constraint, no_labeling
from rocsolid.leaks.numbering import labelings_at
from rocsolid.summaries.stream import stream


def sample(
    auc: Fraction | str | float | Decimal,
    scores: Any,
    *,
    size: int,
    seed: int = 0,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
) -> NDArray[np.bool_]:
    """``size`` independent labelings, one a row, each of those that fit equally likely.

    A uniform number below the count, then the counting recursion
    walked back to the labeling of that number. All comparisons are of exact integers, so nothing
    but the generator is approximate. Refused where the table is too big (`completions`).

    >>> sample("3/4", [0.2, 0.5, 0.9, 0.1], size=2).astype(int)
    array([[1, 0, 1, 0],
           [1, 0, 1, 0]])
    """
    if size != int(size) or size < 0:
        raise InputError("size is a whole number of at least 0", where="size", value=size)
    c = constraint(auc, scores, n_pos, decimals, known)
    table = Completions(c)
    if table.total == 0:
        raise no_labeling(auc)
    rng = stream(seed)
    return labelings_at(c, table, [_below(table.total, rng) for _ in range(int(size))])


def _below(limit: int, rng: np.random.Generator) -> int:
    """A uniform integer from 0 to ``limit`` − 1: too large draws are thrown away, not folded."""
    bits = (limit - 1).bit_length()
    while True:
        drawn = int.from_bytes(rng.bytes((bits + 7) // 8), "little") >> (-bits % 8)
        if drawn < limit:
            return drawn
