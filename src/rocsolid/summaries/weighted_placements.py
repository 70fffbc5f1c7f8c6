"""Placements of single rows, for weights and clusters."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.moments import Moments, Units, as_rare, carriers, unbiased
from rocsolid.summaries.placements import Placements, runs_on_device, squares_of
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import all_differ, in_order, run_begins

_Classes = tuple[NDArray[np.float64], NDArray[np.float64]]
_Places = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True, slots=True, eq=False)
class PlacedClass:
    """The rows of one class, in the order of row numbers.

    ``placement`` is the weighted share of the other class on the correct side of a row, ties half;
    ``share`` is the row's share of the weight of its class.
    """

    rows: NDArray[np.intp]
    placement: NDArray[np.float64]
    share: NDArray[np.float64]

    @property
    def squares(self) -> float:
        """The value Σs², the reciprocal of the effective number of rows."""
        return float(np.sum(self.share**2))

    def by_cluster(self, cluster: NDArray[np.int64], of_rows: Any) -> NDArray[np.float64]:
        sums = np.bincount(cluster[self.rows], of_rows, minlength=int(cluster.max()) + 1)
        return sums.astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class WeightedPlacements:
    """Both classes with their placements.

    V10 is the share of negatives below a positive, and V01 the share of positives above a negative.
    """

    pos: PlacedClass
    neg: PlacedClass
    auc: float
    tied_pairs: int

    @classmethod
    def from_arrays(
        cls,
        positive: NDArray[np.bool_],
        score: NDArray[Any],
        weight: NDArray[np.float64] | None = None,
        there: Any = None,
    ) -> WeightedPlacements:
        """Sort once, sum weights from below, and look up each row's distinct score.

        ``there`` contains the scores on the device that sorts them.

        >>> y, s = np.array([True, False, False]), np.array([2.0, 1.0, 3.0])
        >>> WeightedPlacements.from_arrays(y, s, np.array([1.0, 3.0, 1.0])).placement
        array([0.75, 1.  , 0.  ])
        """
        rows, places, size = _places(positive, score, there)
        tied, weights = size < len(score), (_scaled(weight, rows[0]), _scaled(weight, rows[1]))
        pos, neg = _tied(places, weights, size) if tied else _untied(places, weights)
        # weights are divided by their sum last, so that a constant score gives exactly one half
        shares = [of_class / of_class.sum() for of_class in weights]
        auc = float(np.sum(weights[0] * pos) / np.sum(weights[0]))
        ties = 0
        if tied:
            counts = [np.bincount(of_class, minlength=size) for of_class in places]
            ties = int((counts[0] * counts[1]).sum())
        return cls(
            PlacedClass(rows[0], pos, shares[0]),
            PlacedClass(rows[1], neg, shares[1]),
            min(max(auc, 0.0), 1.0),
            ties,
        )

    @property
    def placement(self) -> NDArray[np.float64]:
        return self._of_rows(self.pos.placement, self.neg.placement)

    @property
    def share(self) -> NDArray[np.float64]:
        return self._of_rows(self.pos.share, self.neg.share)

    def _of_rows(self, pos: NDArray[np.float64], neg: NDArray[np.float64]) -> NDArray[np.float64]:
        of_rows = np.empty(len(pos) + len(neg))
        of_rows[self.pos.rows], of_rows[self.neg.rows] = pos, neg
        return of_rows

    @property
    def moments(self) -> Moments:
        """DeLong's variance under weights: Σu²(V10 − Â)²/(Σu)² + Σv²(V01 − Â)²/(Σv)².

        Each part is multiplied by k/(k−1), k the effective size.
        """
        sizes, parts, fourths = [], [], []
        for of_class in (self.pos, self.neg):
            squares = of_class.squares
            size = 1.0 / squares
            deviation = of_class.share * (of_class.placement - self.auc)
            parts.append(unbiased(size) * float(np.sum(deviation**2)))
            sizes.append(size)
            fourths.append(float(np.sum((of_class.share**2) ** 2) / squares**2))
        return Moments(self.auc, *parts, *sizes, units=Units(fourths[0], fourths[1]))

    def clustered_moments(
        self,
        cluster: NDArray[np.int64],
        shares: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
    ) -> Moments:
        """Obuchowski's variance (1997): rows of a cluster may depend on each other in any way.

        S10 and S01 are sums of the deviations of each class within a cluster; a cluster with both
        classes adds twice the product of its two sums, half of it to each part. The sizes are the
        numbers of clusters with positives and with negatives. ``shares`` are the `cluster_shares`,
        if known.
        """
        shares = self.cluster_shares(cluster) if shares is None else shares
        size = len(shares[0])
        sums, held, misplaced = [], [], []
        for of_class, share in zip((self.pos, self.neg), shares, strict=True):
            deviation, right, wrong = (
                of_class.by_cluster(cluster, of_class.share * part)
                for part in (
                    of_class.placement - self.auc, of_class.placement, 1.0 - of_class.placement,
                )
            )  # fmt: skip
            sums.append(deviation)
            held.append(float(np.count_nonzero(share)))
            misplaced.append(as_rare(carriers(wrong, right), held[-1]))
        parts = [
            unbiased(count) * dot(total, total) for total, count in zip(sums, held, strict=True)
        ]
        shared = unbiased(size) * dot(sums[0], sums[1])
        units = Units.of_shares(*shares, min(misplaced))
        return Moments(
            self.auc, parts[0] + shared, parts[1] + shared, held[0], held[1], units=units
        )

    def cluster_shares(
        self, cluster: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Each cluster's share of the positives' weight and of the negatives' weight."""
        return (
            self.pos.by_cluster(cluster, self.pos.share),
            self.neg.by_cluster(cluster, self.neg.share),
        )


def row_placements(
    positive: NDArray[np.bool_], score: NDArray[Any], there: Any = None
) -> NDArray[np.float64]:
    """The ``placement`` of rows of equal weight, from integers.

    ``there`` contains the scores on the device that sorts them; the quotients are the same.

    >>> row_placements(np.array([True, False, False, True]), np.array([2.0, 1.0, 2.0, 0.5]))
    array([0.75, 0.5 , 0.25, 0.  ])
    """
    if there is None:
        return PlacedRows.of(positive, score).placement()
    n_pos = int(np.count_nonzero(positive))
    size, group = runs_on_device(there)
    neg, pos = (np.bincount(group[side], minlength=size) for side in (~positive, positive))
    below, through = ((2 * count.cumsum() - count)[group] for count in (neg, pos))
    n_neg = len(positive) - n_pos
    return np.where(positive, below / (2 * n_neg), 1.0 - through / (2 * n_pos))


class RowsInOrder(NamedTuple):
    """Row numbers in the order of scores, the sorted scores, and whether each is positive."""

    order: NDArray[np.intp]
    ascending: NDArray[Any]
    above: NDArray[np.bool_]

    @classmethod
    def of(cls, positive: NDArray[np.bool_], score: NDArray[Any]) -> RowsInOrder:
        order, ascending = in_order(score)
        return cls(order, ascending, positive.take(order))

    @property
    def tied_pairs(self) -> int:
        """The number of tied pairs of a positive and a negative."""
        if all_differ(self.ascending):
            return 0
        starts = np.flatnonzero(run_begins(self.ascending))
        pos = np.add.reduceat(self.above, starts, dtype=np.intp)
        return int(np.dot(pos, np.diff(starts, append=len(self.above)) - pos))


@dataclass(frozen=True, slots=True, eq=False)
class PlacedRows:
    """Rows of equal weight in the order of their scores, from one sort of both classes.

    ``places`` are the ranks of the positives and those of the negatives, from 0 without ties.
    ``below`` is, for each of them, twice the number of rows of the other class below, plus the
    number tied. ``tied_pairs`` counts pairs of both classes.

    >>> ranked = PlacedRows.of(np.array([True, False, True]), np.array([3, 3, 4]))
    >>> ranked.placement(), ranked.placements().ratio
    (array([0.5 , 0.75, 1.  ]), (3, 4))
    """

    rows: RowsInOrder
    places: _Places
    below: _Places
    tied_pairs: int

    @classmethod
    def of(cls, positive: NDArray[np.bool_], score: NDArray[Any]) -> PlacedRows:
        rows = RowsInOrder.of(positive, score)
        new, above = run_begins(rows.ascending), rows.above
        places = above.nonzero()[0], (~above).nonzero()[0]
        if np.logical_and.reduce(new):
            pos, neg = (place - np.arange(len(place)) for place in places)
            pos += pos
            neg += neg
            return cls(rows, places, (pos, neg), 0)
        ends, run = np.append(new[1:].nonzero()[0], len(new) - 1), new.cumsum() - 1
        of_pos = above.cumsum(dtype=np.intp)[ends]
        through = np.array([ends + 1 - of_pos, of_pos])  # negatives and positives
        held = np.diff(through, prepend=0)
        doubled = through + through - held
        below = doubled[0].take(run.take(places[0])), doubled[1].take(run.take(places[1]))
        return cls(rows, places, below, int(np.dot(*held)))

    @property
    def ratio(self) -> tuple[int, int]:
        """The AUC as a fraction."""
        won, lost = self.below
        return int(np.add.reduce(won)), 2 * len(won) * len(lost)

    def placement(self) -> NDArray[np.float64]:
        order, (of_pos, of_neg), (won, lost) = self.rows.order, self.places, self.below
        placement = np.empty(len(order))
        placement[order.take(of_pos)] = won / (2 * len(lost))
        placement[order.take(of_neg)] = 1.0 - lost / (2 * len(won))
        return placement

    def placements(self) -> Placements:
        won, lost = self.below
        m, n = len(won), len(lost)
        lost = 2 * m - lost
        return Placements(
            m, n, int(won.sum()), squares_of(won, 2 * n), squares_of(lost, 2 * m), self.tied_pairs
        )


def _places(
    positive: NDArray[np.bool_], score: NDArray[Any], there: Any
) -> tuple[_Places, _Places, int]:
    """The rows of each class, the indices of their scores, and the number of distinct scores.

    Without ties, rows are in the order of their scores, so that sums access neighbours.
    """
    if there is not None:
        size, place = runs_on_device(there)
        order = np.empty_like(place)
        order[place] = np.arange(len(place))
    else:
        order, ascending = in_order(score)
        new = run_begins(ascending)
        size = int(np.count_nonzero(new))
    if size == len(score):
        above = positive.take(order)
        places = np.flatnonzero(above), np.flatnonzero(~above)
        return (order.take(places[0]), order.take(places[1])), places, size
    if there is None:
        place = np.empty(len(score), dtype=np.intp)
        place[order] = np.cumsum(new) - 1
    rows = np.flatnonzero(positive), np.flatnonzero(~positive)
    return rows, (place[rows[0]], place[rows[1]]), size


def _untied(places: _Places, weights: _Classes) -> _Classes:
    """The placements of each class from ranks among all rows, without ties."""
    pos, neg = (np.zeros(len(weight) + 1) for weight in weights)
    for through, weight in zip((pos, neg), weights, strict=True):
        np.cumsum(weight, out=through[1:])
    neg_below, pos_below = (place - np.arange(len(place)) for place in places)
    return neg.take(neg_below) / neg[-1], (pos[-1] - pos.take(pos_below)) / pos[-1]


def _tied(places: _Places, weights: _Classes, size: int) -> _Classes:
    """The placements of each class from the indices of scores among the distinct ones."""
    below, at, total = _from_below(places[1], weights[1], size)
    pos_below, pos_at, pos_total = _from_below(places[0], weights[0], size)
    above = pos_total - pos_below - pos_at
    return (
        ((below + 0.5 * at) / total)[places[0]],
        ((above + 0.5 * pos_at) / pos_total)[places[1]],
    )


def _from_below(
    place: NDArray[np.intp], weight: NDArray[np.float64], size: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """The weight of a class strictly below each distinct score, at it, and overall."""
    at: NDArray[np.float64] = np.bincount(place, weight, minlength=size).astype(
        np.float64, copy=False
    )
    through = np.cumsum(at)
    return through - at, at, float(through[-1])


def _scaled(weight: NDArray[np.float64] | None, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """The weights of a class divided by the largest weight, so that small weights keep digits."""
    if weight is None:
        return np.ones(len(rows))
    of_class = weight.take(rows).astype(np.float64, copy=False)
    return np.asarray(of_class / of_class.max(initial=0.0))
