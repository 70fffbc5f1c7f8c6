"""The steps upward of a ROC curve: where positives are, and which stretch of negatives each spans.

The curve from right to left is a walk through the scores in ascending order. A score that s of m
positives and t of n negatives hold is a straight segment, which goes down by s/m while the
true-negative rate grows from ``low`` to ``high`` = low + t/n (a vertical step where t = 0).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.runs import run_begins
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.sorted_classes import SortedClasses
from rocsolid.weights.weight import complement

_FLOATS = NDArray[np.float64]
# rows handled at once: large enough to forget NumPy's call overhead, small enough to stay in cache
_BLOCK = 4096


class StepsUp(NamedTuple):
    """Segments with positives on them: their true-negative rates and shares of the positives."""

    low: _FLOATS
    high: _FLOATS
    share: _FLOATS


def steps_up(
    data: SortedClasses | ScoreCounts,
    *,
    tpr: tuple[float, float] = (0.0, 1.0),
    within: tuple[float, float] = (0.0, 1.0),
) -> Iterator[StepsUp]:
    """Blocks of segments, cut to a range of true-positive rates.

    They ascend, except for the two that a range of true-positive rates cuts, which come first.
    Segments whose true-negative rates lie wholly outside ``within`` may come as one segment at the
    rate 0 or 1, which is all that a weight with that support can see of them.
    """
    if isinstance(data, ScoreCounts):
        yield _cut(data.pos, data.neg, tpr)
        return
    pos, neg = data.pos, data.neg
    m, n = len(pos), len(neg)
    first, last = 0, m
    if tpr != (0.0, 1.0):
        # only the two scores at the ends of the range can be cut: whole ones lie between them
        places = [int(complement(rate) * m) for rate in reversed(tpr)]
        ends = np.unique(pos[np.minimum(places, m - 1)])
        yield _cut_scores(data, ends, tpr)
        first = int(np.searchsorted(pos, ends[0], side="right"))
        last = max(first, int(np.searchsorted(pos, ends[-1], side="left")))
    # one negative's worth of margin, so that rounding cannot lump what the weight still sees
    bottom, top = neg[max(int(within[0] * n) - 1, 0)], neg[min(int(within[1] * n) + 1, n - 1)]
    from_ = min(max(int(np.searchsorted(pos, bottom, side="left")), first), last)
    to = max(min(int(np.searchsorted(pos, top, side="right")), last), from_)
    yield _lump(0.0, (from_ - first) / m)
    start, end = int(np.searchsorted(neg, bottom)), int(np.searchsorted(neg, top, side="right"))
    if end - start < to - from_:
        yield from _blocks_of_neg(pos[from_:to], neg, m, start, end)
    else:
        yield from _blocks(pos[from_:to], neg, m)
    yield _lump(1.0, (last - to) / m)


def _lump(rate: float, share: float) -> StepsUp:
    return StepsUp(np.array([rate]), np.array([rate]), np.array([share]))


def _blocks(pos: NDArray[Any], neg: NDArray[Any], m: int) -> Iterator[StepsUp]:
    """The segments of ascending positives, each looked up among the negatives nearby."""
    n = len(neg)
    lefts = np.append(np.searchsorted(neg, pos[::_BLOCK]), n)
    for block, start in enumerate(range(0, len(pos), _BLOCK)):
        keys = pos[start : start + _BLOCK]
        share = np.full(len(keys), 1.0 / m)
        new = np.empty(len(keys), dtype=bool)
        new[:1] = True
        np.not_equal(keys[1:], keys[:-1], out=new[1:])
        if not new.all():
            share = np.diff(np.flatnonzero(new), append=len(keys)) / m
            keys = keys[new]
        # every key of the block lies in this stretch of the negatives, or just past it
        offset = int(lefts[block])
        stretch = neg[offset : int(lefts[block + 1]) + 1]
        low = stretch.searchsorted(keys)
        high = low
        inside = low < len(stretch)
        equal = np.zeros(len(keys), dtype=bool)
        equal[inside] = stretch[low[inside]] == keys[inside]
        if equal.any():
            high = low.copy()
            high[equal] = np.searchsorted(neg, keys[equal], side="right") - offset
        yield StepsUp((low + offset) / n, (high + offset) / n, share)


def _blocks_of_neg(
    pos: NDArray[Any], neg: NDArray[Any], m: int, start: int, end: int
) -> Iterator[StepsUp]:
    """The same with one segment for all positives between two neighbouring negatives.

    The negatives from ``start`` to ``end`` are looked up among the positives, which is less work
    where they are fewer.
    """
    n = len(neg)
    starts = start + np.flatnonzero(run_begins(neg[start:end]))
    lefts = np.append(np.searchsorted(pos, neg[starts[::_BLOCK]]), len(pos))
    passed = 0  # positives up to the last negative that was looked up
    for block, begin in enumerate(range(0, len(starts), _BLOCK)):
        low = starts[begin : begin + _BLOCK]
        high = np.append(low[1:], starts[begin + _BLOCK] if begin + _BLOCK < len(starts) else end)
        keys, offset = neg[low], int(lefts[block])
        stretch = pos[offset : int(lefts[block + 1]) + 1]
        left = stretch.searchsorted(keys)
        right = left
        inside = left < len(stretch)
        equal = np.zeros(len(keys), dtype=bool)
        equal[inside] = stretch[left[inside]] == keys[inside]
        if equal.any():
            right = left.copy()
            right[equal] = np.searchsorted(pos, keys[equal], side="right") - offset
        between = left + offset - np.append(passed, right[:-1] + offset)
        passed = int(right[-1]) + offset
        if right is left:
            yield StepsUp(low / n, low / n, between / m)
        else:
            rates = np.repeat(low / n, 2), np.column_stack([low, high]).ravel() / n
            yield StepsUp(*rates, np.column_stack([between, right - left]).ravel() / m)
    yield _lump(end / n, (len(pos) - passed) / m)


def _cut_scores(data: SortedClasses, scores: NDArray[Any], tpr: tuple[float, float]) -> StepsUp:
    """The segments of some scores, from the tables' form with all that lies between as one row."""
    pos = _between(data.pos, scores)
    neg = _between(data.neg, scores)
    return _cut(pos, neg, tpr, np.arange(len(pos)) % 2 == 1)


def _between(ascending: NDArray[Any], scores: NDArray[Any]) -> NDArray[np.int64]:
    """How many values lie before the first score, at it, between it and the next, and so on."""
    left = np.searchsorted(ascending, scores, side="left")
    right = np.searchsorted(ascending, scores, side="right")
    at = np.column_stack([left, right]).ravel()
    return np.diff(at, prepend=0, append=len(ascending))


def _cut(
    pos: NDArray[Any],
    neg: NDArray[Any],
    tpr: tuple[float, float],
    rows: NDArray[np.bool_] | bool = True,
) -> StepsUp:
    """Segments of a table of scores, without what lies beyond the range of true-positive rates."""
    low, high = _ends(neg)
    start, end = _ends(pos)
    used = (end > start) & rows
    low, high, start, end = low[used], high[used], start[used], end[used]
    if tpr == (0.0, 1.0):
        return StepsUp(low, high, end - start)
    # shares of the positives from the bottom: a rate of hits t is the place 1−t
    bottom, top = complement(tpr[1]), complement(tpr[0])
    from_, to = np.clip(start, bottom, top), np.clip(end, bottom, top)
    rise = (high - low) / (end - start)
    return StepsUp(low + rise * (from_ - start), high - rise * (end - to), to - from_)


def _ends(counts: NDArray[Any]) -> tuple[_FLOATS, _FLOATS]:
    """The share of a class before each row of a table and up to it."""
    up_to = np.cumsum(counts)
    shares = np.concatenate([[0.0], up_to / up_to[-1]])
    return shares[:-1], shares[1:]
