"""Many lists at growing numbers of items, drawn from them in random orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.side_by_side import side_by_side
from rocsolid.summaries.stream import stream
from rocsolid.theory.asymptotics.distinguishing.compared_list import ComparedList
from rocsolid.theory.asymptotics.distinguishing.sampled_ndcg import Weights, sampled_ndcg

_F = NDArray[np.float64]

_CELLS = 1 << 19  # items of samples worked on together: in cache


@dataclass(frozen=True, slots=True, eq=False)
class Growth:
    """Means over queries of NDCG, by ranker, measure, size and random order.

    ``prefix`` is of the first n items of each query in that order, all of them in a shorter query.
    ``next`` is of the n items after these, thus of other items; where a query has fewer than 2n,
    ``prefix_of_next`` and ``next`` take one half of it each. NaN where no query has a relevant item
    in its sample. ``overlap`` is the mean share of a query's items that a prefix holds.
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
) -> Growth:
    """NDCG of the first n items of every list, for each size n, in ``orders`` random orders.

    One random order gives all sizes: its prefixes grow, as in Definition 3 of Wang et al. 2013,
    and each by itself is a sample without replacement. Each query has a stream of random numbers
    for each half of the orders, which are worked on side by side. ``done`` receives the items of
    each query, half of them at a time.
    """
    means = _Means.none(lists[0], weights, sizes, orders)
    one_at_a_time = Lock()

    def work(half: int, rows: slice) -> None:
        for q, items in enumerate(lists):
            means.add(items, weights, sizes, rows, stream(seed, 0, q, half))
            with one_at_a_time:
                done((items.size + half) // 2)

    middle = (orders + 1) // 2
    side_by_side(
        lambda: work(0, slice(0, middle)),
        lambda: work(1, slice(middle, orders)),
        orders * sum(one.size for one in lists),
    )
    length = np.array([one.size for one in lists])
    overlap = np.array([np.mean(np.minimum(n / length, 1.0)) for n in sizes])
    prefix, here, there = means.found()
    return Growth(tuple(sizes), overlap, prefix, (here, there))


@dataclass(frozen=True, slots=True, eq=False)
class _Means:
    """Sums over queries, and how many queries are in them: of prefixes, and of two samples that
    have no item in common."""

    sums: tuple[_F, _F, _F]
    counts: tuple[_F, _F, _F]

    @classmethod
    def none(
        cls, like: ComparedList, weights: Sequence[Weights], sizes: Sequence[int], orders: int
    ) -> _Means:
        measures = sum(len(one.cutoffs) for one in weights)
        shape = (len(like.rankings), measures, len(sizes), orders)
        sums = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        counts = np.zeros(shape[2:]), np.zeros(shape[2:]), np.zeros(shape[2:])
        return cls(sums, counts)

    def add(
        self,
        items: ComparedList,
        weights: Sequence[Weights],
        sizes: Sequence[int],
        orders: slice,
        random: np.random.Generator,
    ) -> None:
        """One query in some of the orders."""
        n = items.size
        windows, taken = _windows(sizes, n)
        step = max(1, _CELLS // n)
        for start in range(orders.start, orders.stop, step):
            rows = slice(start, min(start + step, orders.stop))
            time = np.tile(np.arange(1, n + 1, dtype=np.int32), (rows.stop - start, 1))
            random.permuted(time, axis=1, out=time)
            found = sampled_ndcg(items, time, windows, weights)
            for total, count, places in zip(self.sums, self.counts, taken, strict=True):
                chosen = found[:, :, places]
                chosen[:, :, [p < 0 for p in places]] = np.nan
                known = ~np.isnan(chosen)
                total[..., rows] += np.where(known, chosen, 0.0)
                count[:, rows] += known[0, 0]

    def found(self) -> list[_F]:
        return [
            np.where(count > 0, total / np.maximum(count, 1), np.nan)
            for total, count in zip(self.sums, self.counts, strict=True)
        ]


def _windows(sizes: Sequence[int], n: int) -> tuple[list[tuple[int, int]], list[list[int]]]:
    """The samples of a list of n items, each once, and where those of each size are among them.

    Places of prefixes, of halves and of the halves after them; −1 where there is no item for one.

    >>> _windows([1, 2, 4], 3)
    ([(0, 1), (0, 2), (0, 3), (1, 2)], [[0, 1, 2], [0, 0, 0], [3, 3, 3]])
    """
    halves = [min(size, n // 2) for size in sizes]
    asked = [
        [(0, min(size, n)) for size in sizes],
        [(0, half) for half in halves],
        [(half, 2 * half) for half in halves],
    ]
    windows = [one for one in dict.fromkeys(chain(*asked)) if one[1] > 0]
    at = {window: place for place, window in enumerate(windows)}
    return windows, [[at.get(window, -1) for window in some] for some in asked]
