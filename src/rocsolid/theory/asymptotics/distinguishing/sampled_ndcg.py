"""NDCG of samples of one list, several rankers and measures at once, without sorting again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts import Discount
from rocsolid.discounts.cutoff import Cutoff
from rocsolid.theory.asymptotics.distinguishing.compared_list import ComparedList

_F = NDArray[np.float64]
_INT = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """A discount up to rank n with its sums, and the cut-offs that it is asked with.

    ``at[r]`` is D(r), and 0 for r = 0; ``sums[r]`` is D(1) + … + D(r). No rank beyond ``last``
    counts.
    """

    at: _F
    sums: _F
    last: int
    cutoffs: tuple[Cutoff, ...]

    @classmethod
    def of(cls, discount: Discount, cutoffs: Sequence[Cutoff], n: int) -> Weights:
        at = np.concatenate([[0.0], discount.values(n)])
        return cls(at, np.cumsum(at), int(np.flatnonzero(at)[-1]), tuple(cutoffs))


def sampled_ndcg(
    items: ComparedList, time: _INT, windows: Sequence[tuple[int, int]], weights: Sequence[Weights]
) -> _F:
    """NDCG by ranker, measure, window and sample; NaN where no sampled item is relevant.

    Row i of ``time`` numbers the items; the sample of a window (low, high) are those with
    low < time ≤ high. Measures go by discount and then by cut-off. Items with equal scores share
    the mean of the discounts of their ranks, as in `rocsolid.ndcg`; the ideal list has all sampled
    items and the cut-off of the list of retrieved ones.

    >>> from rocsolid.discounts import zipf
    >>> items = ComparedList.of([np.array([3.0, 2.0, 1.0])], np.array([0.0, 1.0, 1.0]))
    >>> time = np.array([[1, 2, 3]], dtype=np.int32)
    >>> sampled_ndcg(items, time, [(0, 2), (0, 3)], [Weights.of(zipf(), [Cutoff()], 3)]).ravel()
    array([0.5       , 0.55555556])
    """
    found = []
    count = np.zeros((len(time), items.size + 1), dtype=np.int32)
    best_time = time[:, items.best]
    ordered = [(time[:, one.order], time[:, one.relevant]) for one in items.rankings]
    for low, high in windows:
        best = _within(best_time, low, high)
        ideal = _Alone.of(best * items.best_gain, np.cumsum(best, axis=1, dtype=np.int32))
        most: list[_F] = []
        known: _INT | None = None  # the lengths that the ideal was cut for
        for ranking, (listed, relevant) in zip(items.rankings, ordered, strict=True):
            np.cumsum(_within(listed, low, high), axis=1, out=count[:, 1:])
            length = count[:, ranking.listed].copy()  # the counts are overwritten by the next
            depths = [[_depth(k, length, items.size) for k in one.cutoffs] for one in weights]
            if known is None or not np.array_equal(known, length):
                most, known = _totals(ideal, weights, depths), length
            gain, through = _within(relevant, low, high) * ranking.gain, count[:, ranking.through]
            gained = (
                _Level(gain, count[:, ranking.above], through)
                if ranking.tied
                else _Alone.of(gain, through)
            )
            found.append(_shares(_totals(gained, weights, depths), most))
    shape = (len(windows), len(items.rankings), -1, len(time))
    return np.reshape(found, shape).transpose(1, 2, 0, 3)


def _within(time: _INT, low: int, high: int) -> NDArray[np.bool_]:
    return time <= high if low == 0 else (time > low) & (time <= high)


def _shares(gained: Sequence[_F], most: Sequence[_F]) -> list[_F]:
    """NDCG by measure and sample."""
    found = []
    for here, best in zip(gained, most, strict=True):
        none = best == 0.0
        found.append(np.where(none, np.nan, np.minimum(here / np.where(none, 1.0, best), 1.0)))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Alone:
    """The gains of sampled items (0 for the others), each at a rank of its own.

    Ranks ascend along each row; ``lowest`` has the smallest of each column, so that a cut-off needs
    no more columns than can be above it.
    """

    gain: _F
    rank: _INT
    lowest: _INT

    @classmethod
    def of(cls, gain: _F, rank: _INT) -> _Alone:
        return cls(gain, rank, rank.min(axis=0))

    def totals(self, one: Weights, depths: Sequence[_INT | None]) -> list[_F]:
        """Σ gain·D(rank) down to each cut-off, by sample."""
        read = [one.last if depth is None else min(one.last, int(depth.max())) for depth in depths]
        widths = np.searchsorted(self.lowest, read, side="right")
        rank = self.rank[:, : widths.max()]
        weighted = self.gain[:, : widths.max()] * one.at[rank]
        found = []
        for depth, width in zip(depths, widths, strict=True):
            part = weighted[:, :width]
            if depth is not None:
                part = np.where(rank[:, :width] <= depth, part, 0.0)
            found.append(part.sum(axis=1))
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """The gains of sampled items that share ranks ``before`` + 1 to ``after`` with others."""

    gain: _F
    before: _INT
    after: _INT

    def totals(self, one: Weights, depths: Sequence[_INT | None]) -> list[_F]:
        """Σ gain·(mean of D over the shared ranks) down to each cut-off, by sample."""
        size = np.maximum(self.after - self.before, 1)
        return [self._total(one, depth, size) for depth in depths]

    def _total(self, one: Weights, depth: _INT | None, size: _INT) -> _F:
        before, after = self.before, self.after
        if depth is not None:
            before, after = np.minimum(before, depth), np.minimum(after, depth)
        found: _F = (self.gain * (one.sums[after] - one.sums[before]) / size).sum(axis=1)
        return found


def _totals(
    gained: _Alone | _Level, weights: Sequence[Weights], depths: Sequence[Sequence[_INT | None]]
) -> list[_F]:
    return [
        total
        for one, cuts in zip(weights, depths, strict=True)
        for total in gained.totals(one, cuts)
    ]


def _depth(cutoff: Cutoff, length: _INT, size: int) -> _INT | None:
    """The cut-off of each sample, as a column; None where it is never reached."""
    rule = cutoff.rule
    if rule is None:
        return None
    if isinstance(rule, int):
        return None if rule >= size else np.full((1, 1), rule, dtype=np.int32)
    # most often all samples are equally long
    same = bool(np.all(length == length[0]))
    lengths, which = np.unique(length[:1] if same else length, return_inverse=True)
    asked = [cutoff.asked(int(n)) if n else 1 for n in lengths]
    return np.asarray(asked, dtype=np.int32)[which][:, None]
