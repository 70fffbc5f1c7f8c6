"""All labelings of a short list: the subsets of one half meet those of the other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.chosen_queries import subset_sums
from rocsolid.leaks.system import System

_KEY_BITS = 62
_CHUNK = 1 << 16


@dataclass(frozen=True)
class SearchOutcome:
    """What a search of one system came to."""

    labelings: tuple[NDArray[np.bool_], ...]
    """Labelings that fit, at most two, each verified."""
    complete: bool
    """Whether every labeling was looked at."""
    work: int
    """Partial labelings looked at."""
    count: int | None = None
    """How many labelings fit, where all were counted."""
    positive: tuple[int, ...] | None = None
    """In how many of them each label is 1, where all were counted."""


def meet_in_middle(question: System, work: int) -> SearchOutcome:
    """Count and find the labelings by Horowitz and Sahni's (1974) two lists of 2^(f/2) sums.

    Exact rows, and at most one row that is an interval, are packed into one integer key in mixed
    radix, so that a labeling fits them when the keys of its halves add up to a number in an
    interval. Remaining rows are checked candidate by candidate. Nothing is tried when the lists
    alone would be more than ``work``.

    >>> found = meet_in_middle(System(np.array([[1, 1, 1, 1], [4, 3, 2, 1]]), (2, 5), (2, 5)), 100)
    >>> found.count, found.positive
    (2, (1, 1, 1, 1))
    """
    half = question.free // 2
    lists = 2**half + 2 ** (question.free - half)
    if lists > work:
        return SearchOutcome((), False, 0)
    weights, low, high, packed = _pack(question)
    left, right = subset_sums(weights[:half]), subset_sums(weights[half:])
    order = np.argsort(right, kind="stable")
    right = right[order]
    begin = np.searchsorted(right, low - left, "left")
    end = np.searchsorted(right, high - left, "right")
    sizes = end - begin
    total = int(sizes.sum())
    if packed == len(question.low):
        chosen = pairs(begin, end, 0, min(2, total))
        examples = _labelings(chosen[0], order[chosen[1]], half, question.free)
        cover = np.zeros(len(right) + 1, dtype=np.int64)
        np.add.at(cover, begin, 1)
        np.subtract.at(cover, end, 1)
        times = np.cumsum(cover[:-1])
        positive = [int(sizes[np.arange(len(left)) >> i & 1 == 1].sum()) for i in range(half)]
        positive += [int(times[order >> i & 1 == 1].sum()) for i in range(question.free - half)]
        return SearchOutcome(tuple(examples), True, lists, total, tuple(positive))
    kept: list[NDArray[np.bool_]] = []
    count, ones = 0, np.zeros(question.free, dtype=np.int64)
    complete = total + lists <= work
    for first in range(0, total, _CHUNK):
        if not complete and (len(kept) == 2 or first + lists > work):
            return SearchOutcome(tuple(kept), False, lists + first)
        chosen = pairs(begin, end, first, min(first + _CHUNK, total))
        y = _labelings(chosen[0], order[chosen[1]], half, question.free)
        y = y[question.fits(y)]
        count += len(y)
        ones += y.sum(axis=0)
        kept += list(y[: 2 - len(kept)])
    return SearchOutcome(tuple(kept), True, lists + total, count, tuple(ones.tolist()))


def _pack(question: System) -> tuple[NDArray[np.int64], int, int, int]:
    """One weight a label, the interval of the key, and how many rows it holds."""
    radix = [int(np.abs(row).sum()) + 1 for row in question.weights]
    widths = [high - low for low, high in zip(question.low, question.high, strict=True)]
    exact = sorted((r for r, width in enumerate(widths) if width == 0), key=lambda r: radix[r])
    loose = sorted(
        (r for r, width in enumerate(widths) if width > 0), key=lambda r: widths[r] / radix[r]
    )
    chosen: list[int] = []
    size = 1
    # the interval takes the last digit, and so comes first
    for r in [*loose[:1], *exact]:
        if math.log2(size) + math.log2(radix[r]) < _KEY_BITS:
            chosen.append(r)
            size *= radix[r]
    key = np.zeros(question.free, dtype=np.int64)
    low = high = 0
    unit = 1
    for r in chosen:
        key += unit * question.weights[r]
        low += unit * question.low[r]
        high += unit * question.high[r]
        unit *= radix[r]
    return key, low, high, len(chosen)


def pairs(
    begin: NDArray[np.intp], end: NDArray[np.intp], first: int, last: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs number ``first`` to ``last`` of (left subset, place in the sorted right list)."""
    through = np.cumsum(end - begin)
    number = np.arange(first, last)
    left = np.searchsorted(through, number, "right")
    before = through[left] - (end - begin)[left]
    return left, begin[left] + number - before


def _labelings(
    left: NDArray[np.intp], right: NDArray[np.intp], half: int, free: int
) -> NDArray[np.bool_]:
    y = np.empty((len(left), free), dtype=bool)
    y[:, :half] = left[:, None] >> np.arange(half) & 1
    y[:, half:] = right[:, None] >> np.arange(free - half) & 1
    return y
