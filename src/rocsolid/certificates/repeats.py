"""Rows that a scorer was fitted on, among those that it is to be certified on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.certificates.row_hashes import SIXTEEN_BITS, TWO_DIGITS, Hashes, RowHashes
from rocsolid.summaries.stream import stream

_DRAWS = 299
LEVEL = 1 / (_DRAWS + 1)
"""The probability with which rows that repeat by chance alone are taken for the fitted ones."""

_KEYS = 50_000  # distinct rows that are split again and again; of more, a share by their hash


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedRows:
    """How many rows are among the fitted ones, as multisets, and whether chance explains it.

    ``positions`` are those of all rows that equal a fitted one; ``matched`` is the size of the
    multisets' intersection, which counts a row only as often as it was fitted on. ``rounded`` says
    to what cells were rounded first, empty if they were not; ``coarsest`` is the last rounding that
    was tried.
    """

    matched: int
    positions: NDArray[np.intp]
    rows: int
    p_value: float
    rounded: str = ""
    coarsest: str = ""

    @property
    def by_chance(self) -> bool:
        return self.p_value > LEVEL


def repeated_rows(fitted: RowHashes, rows: RowHashes) -> RepeatedRows:
    """The rows that equal a fitted one; where chance explains these, the rows that do once rounded.

    Up to three exact tests are made, so that chance alone is refused once in 100 at most.
    """
    repeated = repeats(fitted.exact, rows.exact)
    rounded = [(SIXTEEN_BITS.name, fitted.rounded, rows.rounded)]
    if fitted.coarse is not None and rows.coarse is not None:
        rounded.append((TWO_DIGITS.name, fitted.coarse, rows.coarse))
    for name, before, now in rounded:
        if not repeated.by_chance:
            return repeated
        again = repeats(before, now, rounded=name)
        if again.matched > repeated.matched or not again.by_chance:
            repeated = again
    return replace(repeated, coarsest=rounded[-1][0])


def repeats(fitted: Hashes, rows: Hashes, *, rounded: str = "") -> RepeatedRows:
    """Compare the rows with the fitted ones, given by their hashes.

    Rows with discrete features repeat by chance. If the rows are independent of the fitted ones and
    come from the same distribution, all of them together are exchangeable: which of them were
    fitted on is a random split. So the intersection is compared with those of 299 random splits of
    the pooled rows, and chance does not explain it if it is larger than in all of them. That
    happens by chance with probability at most 1/300. Where no row repeats within either part,
    features are not discrete, and chance explains no repeat at all; ``rounded`` rows always are.

    >>> rows = np.arange(10, dtype=np.uint64)
    >>> repeats(rows[:6], rows[5:]).matched, repeats(rows[:6], rows[5:]).by_chance
    (1, False)
    >>> repeats(rows[:6] % 2, rows[6:] % 2).by_chance
    True
    """
    keys, code = np.unique(np.concatenate([fitted, rows]), return_inverse=True)
    before = np.bincount(code[: len(fitted)], minlength=len(keys))
    now = np.bincount(code[len(fitted) :], minlength=len(keys))
    matched = int(np.minimum(before, now).sum())
    positions = np.flatnonzero(before[code[len(fitted) :]] > 0)
    if not matched:
        p_value = 1.0
    elif before.max() == 1 and now.max() == 1 and not rounded:
        p_value = 0.0
    else:
        p_value = _exchangeable(keys, before, now)
    return RepeatedRows(matched, positions, len(rows), p_value, rounded)


def _exchangeable(keys: Hashes, before: NDArray[np.intp], now: NDArray[np.intp]) -> float:
    """The share of random splits, the one that was found among them, that match as many rows."""
    pooled = before + now
    often = pooled > 1
    thinning = -(-int(often.sum()) // _KEYS)
    if thinning > 1:  # a part of the keys, chosen without regard to the split, is split at random
        chosen = keys % np.uint64(thinning) == 0
        before, now, pooled, often = (x[chosen] for x in (before, now, pooled, often))
    # rows that occur once match nothing; together they are one more kind to draw from
    sizes = np.append(pooled[often], pooled[~often].sum())
    found = int(np.minimum(before, now).sum())
    random, as_many = stream(0), 1
    for _ in range(_DRAWS):
        drawn = random.multivariate_hypergeometric(sizes, int(now.sum()))[:-1]
        as_many += int(np.minimum(drawn, sizes[:-1] - drawn).sum() >= found)
    return as_many / (_DRAWS + 1)
