"""Random samples of a query's items, and their NDCG under several rankers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.discounts.cutoff import Cutoff
from rocsolid.discounts.discount import Discount
from rocsolid.summaries.placements import side_by_side
from rocsolid.summaries.score_counts import run_begins
from rocsolid.summaries.stream import stream
from rocsolid.theory.asymptotics.distinguishing.sampled_measures import (
    Declared,
    QueryRows,
    sampled_values,
)

_F = NDArray[np.float64]
_INT = NDArray[np.int64]
_COUNTS = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class RankerOrder:
    """One ranker's order of the items, best first, and the positions of the relevant items.

    The first ``listed`` items of ``order`` were retrieved. Relevant item ``relevant[i]`` has
    ``above[i]`` items strictly above it, and ``through[i]`` items above it or tied with it.
    """

    order: _INT
    listed: int
    relevant: _INT
    gain: _F
    above: _INT
    through: _INT

    @property
    def tied(self) -> bool:
        return bool(np.any(self.through - self.above > 1))

    @classmethod
    def of(cls, score: _F, gain: _F) -> RankerOrder:
        """Sort items by score; an item with a score of −∞ was not retrieved.

        >>> score, gain = np.array([0.2, 0.9, 0.2, -np.inf]), np.array([1.0, 0.0, 0.0, 2.0])
        >>> order = RankerOrder.of(score, gain)
        >>> order.listed, order.relevant, order.above, order.through
        (3, array([0]), array([1]), array([3]))
        """
        order = np.argsort(-score, kind="stable")
        begins = np.flatnonzero(run_begins(-score[order]))
        ends = np.append(begins[1:], len(score))
        listed = int(np.count_nonzero(score > -np.inf))
        ranks = np.flatnonzero(gain[order[:listed]] > 0.0)
        block = np.searchsorted(begins, ranks, side="right") - 1
        relevant = order[ranks]
        return cls(order, listed, relevant, gain[relevant], begins[block], ends[block])


@dataclass(frozen=True, slots=True, eq=False)
class ComparedList:
    """One sample of ``size`` items under several rankers.

    ``best`` contains the relevant items, retrieved or not, largest gain first: the ideal list.
    ``rows`` are the items as measures other than NDCG read them.
    """

    size: int
    rankings: tuple[RankerOrder, ...]
    best: _INT
    best_gain: _F
    rows: QueryRows

    @classmethod
    def of(cls, scores: Sequence[_F], gain: _F, grade: _F | None = None) -> ComparedList:
        """Rank items by each score; ``grade`` is the gain itself by default."""
        down = np.argsort(-gain, kind="stable")
        best = down[: int(np.count_nonzero(gain > 0.0))]
        rankings = tuple(RankerOrder.of(score, gain) for score in scores)
        rows = QueryRows(gain if grade is None else grade, tuple(scores))
        return cls(len(gain), rankings, best, gain[best], rows)


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """A discount up to rank n with its sums, and the cut-offs to evaluate.

    ``at[r]`` is D(r), and 0 for r = 0; ``sums[r]`` is D(1) + … + D(r). D is 0 beyond rank ``last``.
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
    items: ComparedList,
    time: _COUNTS,
    windows: Sequence[tuple[int, int]],
    weights: Sequence[Weights],
) -> _F:
    """Return NDCG by ranker, measure, window and sample; NaN if no sampled item is relevant.

    Row i of ``time`` numbers the items; the sample of a window (low, high) contains the items with
    low < time ≤ high. Ties are averaged as in `rocsolid.ndcg`. The ideal list contains all sampled
    items and has the cut-off of the retrieved list.

    >>> from rocsolid.discounts import zipf
    >>> items = ComparedList.of([np.array([3.0, 2.0, 1.0])], np.array([0.0, 1.0, 1.0]))
    >>> time = np.array([[1, 2, 3]], dtype=np.int32)
    >>> sampled_ndcg(items, time, [(0, 2), (0, 3)], [Weights.of(zipf(), [Cutoff()], 3)]).ravel()
    array([0.5       , 0.55555556])
    """
    shares = []
    count = np.zeros((len(time), items.size + 1), dtype=np.int32)
    best_time = time[:, items.best]
    ordered = [(time[:, ranking.order], time[:, ranking.relevant]) for ranking in items.rankings]
    for low, high in windows:
        best = _within(best_time, low, high)
        ideal = _Alone.of(best * items.best_gain, np.cumsum(best, axis=1, dtype=np.int32))
        most: list[_F] = []
        known: _COUNTS | None = None  # the lengths that the ideal was cut for
        for ranking, (listed, relevant) in zip(items.rankings, ordered, strict=True):
            np.cumsum(_within(listed, low, high), axis=1, out=count[:, 1:])
            length = count[:, ranking.listed].copy()  # the counts are overwritten by the next
            depths = [[_depth(k, length, items.size) for k in weight.cutoffs] for weight in weights]
            if known is None or not np.array_equal(known, length):
                most, known = _totals(ideal, weights, depths), length
            gain, through = _within(relevant, low, high) * ranking.gain, count[:, ranking.through]
            gained = (
                _Level(gain, count[:, ranking.above], through)
                if ranking.tied
                else _Alone.of(gain, through)
            )
            shares.append(_shares(_totals(gained, weights, depths), most))
    shape = (len(windows), len(items.rankings), -1, len(time))
    return np.reshape(shares, shape).transpose(1, 2, 0, 3)


def measured(
    items: ComparedList,
    time: _COUNTS,
    windows: Sequence[tuple[int, int]],
    weights: Sequence[Weights],
    measures: Sequence[Declared],
) -> _F:
    """Return NDCG as `sampled_ndcg`, then the declared measures, by ranker and measure."""
    ndcg = [sampled_ndcg(items, time, windows, weights)] if weights else []
    others = [sampled_values(items.rows, time, windows, measures)] if measures else []
    return np.concatenate([*ndcg, *others], axis=1)


def _within(time: _COUNTS, low: int, high: int) -> NDArray[np.bool_]:
    return time <= high if low == 0 else (time > low) & (time <= high)


def _shares(gained: Sequence[_F], most: Sequence[_F]) -> list[_F]:
    shares = []
    for dcg, ideal in zip(gained, most, strict=True):
        none = ideal == 0.0
        shares.append(np.where(none, np.nan, np.minimum(dcg / np.where(none, 1.0, ideal), 1.0)))
    return shares


@dataclass(frozen=True, slots=True, eq=False)
class _Alone:
    """The gains of sampled items (0 for the others), each at its own rank.

    ``lowest`` is the smallest rank in each column; a cut-off reads only the columns above it.
    """

    gain: _F
    rank: _COUNTS
    lowest: _COUNTS

    @classmethod
    def of(cls, gain: _F, rank: _COUNTS) -> _Alone:
        return cls(gain, rank, rank.min(axis=0))

    def totals(self, weights: Weights, depths: Sequence[_COUNTS | None]) -> list[_F]:
        read = [
            weights.last if depth is None else min(weights.last, int(depth.max()))
            for depth in depths
        ]
        widths = np.searchsorted(self.lowest, read, side="right")
        rank = self.rank[:, : widths.max()]
        weighted = self.gain[:, : widths.max()] * weights.at[rank]
        sums = []
        for depth, width in zip(depths, widths, strict=True):
            counted = weighted[:, :width]
            if depth is not None:
                counted = np.where(rank[:, :width] <= depth, counted, 0.0)
            sums.append(counted.sum(axis=1))
        return sums


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """The gains of sampled items that share ranks ``before`` + 1 to ``after`` with others."""

    gain: _F
    before: _COUNTS
    after: _COUNTS

    def totals(self, weights: Weights, depths: Sequence[_COUNTS | None]) -> list[_F]:
        size = np.maximum(self.after - self.before, 1)
        return [self._total(weights, depth, size) for depth in depths]

    def _total(self, weights: Weights, depth: _COUNTS | None, size: _COUNTS) -> _F:
        before, after = self.before, self.after
        if depth is not None:
            before, after = np.minimum(before, depth), np.minimum(after, depth)
        weighted = self.gain * (weights.sums[after] - weights.sums[before]) / size
        return np.asarray(weighted.sum(axis=1))


def _totals(
    gained: _Alone | _Level, weights: Sequence[Weights], depths: Sequence[Sequence[_COUNTS | None]]
) -> list[_F]:
    return [
        total
        for discount, cuts in zip(weights, depths, strict=True)
        for total in gained.totals(discount, cuts)
    ]


def _depth(cutoff: Cutoff, length: _COUNTS, size: int) -> _COUNTS | None:
    """Return the cut-off of each sample, as a column; None if no list is longer."""
    rule = cutoff.rule
    if rule is None:
        return None
    if isinstance(rule, int):
        return None if rule >= size else np.full((1, 1), rule, dtype=np.int32)
    # usually all samples are equally long
    same = bool(np.all(length == length[0]))
    lengths, which = np.unique(length[:1] if same else length, return_inverse=True)
    depths = [cutoff.asked(int(n)) if n else 1 for n in lengths]
    return np.asarray(depths, dtype=np.int32)[which][:, None]


_CELLS = 1 << 19  # items of samples worked on together: in cache


@dataclass(frozen=True, slots=True, eq=False)
class Growth:
    """Means over queries, by ranker, measure, size and random order.

    ``prefix`` is for the first n items of each query. ``apart`` is a pair: n items and the next n,
    or two halves of a short query. ``overlap`` is the mean share of a query's items in a prefix.
    """

    sizes: tuple[int, ...]
    overlap: _F
    prefix: _F
    apart: tuple[_F, _F]


def growing(
    lists: Sequence[ComparedList],
    weights: Sequence[Weights],
    sizes: Sequence[int],
    orders: int,
    seed: int,
    done: Callable[[int], None],
    measures: Sequence[Declared] = (),
) -> Growth:
    """Return NDCG and ``measures`` of the first n items of every list, in random orders.

    One random order serves all sizes n (Wang et al. 2013, Definition 3). Each query has a stream of
    random numbers for each half of the ``orders``, so that the halves can run side by side.
    ``done`` receives the items of each query, half of them at a time.
    """
    means = _Means.none(lists[0], weights, sizes, orders, measures)
    reporting = Lock()

    def work(half: int, rows: slice) -> None:
        for q, items in enumerate(lists):
            means.add(items, weights, sizes, rows, stream(seed, 0, q, half), measures)
            with reporting:
                done((items.size + half) // 2)

    middle = (orders + 1) // 2
    side_by_side(
        lambda: work(0, slice(0, middle)),
        lambda: work(1, slice(middle, orders)),
        orders * sum(items.size for items in lists),
    )
    length = np.array([items.size for items in lists])
    overlap = np.array([np.mean(np.minimum(n / length, 1.0)) for n in sizes])
    prefix, first, second = means.values()
    return Growth(tuple(sizes), overlap, prefix, (first, second))


@dataclass(frozen=True, slots=True, eq=False)
class _Means:
    sums: tuple[_F, _F, _F]
    counts: tuple[_F, _F, _F]

    @classmethod
    def none(
        cls,
        like: ComparedList,
        weights: Sequence[Weights],
        sizes: Sequence[int],
        orders: int,
        measures: Sequence[Declared],
    ) -> _Means:
        columns = sum(len(discount.cutoffs) for discount in weights) + len(measures)
        shape = (len(like.rankings), columns, len(sizes), orders)
        sums = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        counts = np.zeros(shape[1:]), np.zeros(shape[1:]), np.zeros(shape[1:])
        return cls(sums, counts)

    def add(
        self,
        items: ComparedList,
        weights: Sequence[Weights],
        sizes: Sequence[int],
        orders: slice,
        random: np.random.Generator,
        measures: Sequence[Declared],
    ) -> None:
        n = items.size
        windows, taken = _windows(sizes, n)
        step = max(1, _CELLS // n)
        for start in range(orders.start, orders.stop, step):
            rows = slice(start, min(start + step, orders.stop))
            time = np.tile(np.arange(1, n + 1, dtype=np.int32), (rows.stop - start, 1))
            random.permuted(time, axis=1, out=time)
            values = measured(items, time, windows, weights, measures)
            for total, count, indices in zip(self.sums, self.counts, taken, strict=True):
                chosen = values[:, :, indices]
                chosen[:, :, [index < 0 for index in indices]] = np.nan
                known = ~np.isnan(chosen).any(axis=0)
                total[..., rows] += np.where(known, chosen, 0.0)
                count[..., rows] += known

    def values(self) -> list[_F]:
        return [
            np.where(count > 0, total / np.maximum(count, 1), np.nan)
            for total, count in zip(self.sums, self.counts, strict=True)
        ]


def _windows(sizes: Sequence[int], n: int) -> tuple[list[tuple[int, int]], list[list[int]]]:
    """Return the distinct samples of a list of n items, and the index of the sample for each size.

    The indices are those of prefixes and of two adjacent halves; −1 without items.

    >>> _windows([1, 2, 4], 3)
    ([(0, 1), (0, 2), (0, 3), (1, 2)], [[0, 1, 2], [0, 0, 0], [3, 3, 3]])
    """
    halves = [min(size, n // 2) for size in sizes]
    samples = [
        [(0, min(size, n)) for size in sizes],
        [(0, half) for half in halves],
        [(half, 2 * half) for half in halves],
    ]
    windows = [window for window in dict.fromkeys(chain(*samples)) if window[1] > 0]
    positions = {window: index for index, window in enumerate(windows)}
    return windows, [[positions.get(window, -1) for window in sample] for sample in samples]
