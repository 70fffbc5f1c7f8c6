"""Sums over clusters, from parts that contain whole clusters or ranges of scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, fields
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.summaries.moments import INT64, Moments, Units, as_rare, carried, unbiased
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts, one_zero, run_begins
from rocsolid.summaries.terms import ClusterWalk

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ClusterInfluences:
    """Sums over clusters, which are additive over parts of the clusters.

    The influence of a cluster's positives is (below/2n − Â·pos)/m, that of its negatives (Â'·neg −
    under/2m)/n, with Â' = 1 − Â. ``pos`` and ``neg`` are sums of their squares, and ``both`` of
    their products. ``held_pos`` clusters have a positive with weight, ``held_neg`` a negative. With
    u and v a cluster's shares of the positives and the negatives, ``shares`` is Σ(u+v)², and
    ``even`` contains the sums of u², v², u⁴, v⁴ and u²v². ``lost`` contains sums of squares of the
    contributions of positives and negatives to 1 − Â, then to Â.
    """

    clusters: int = 0
    held_pos: int = 0
    held_neg: int = 0
    pos: float = 0.0
    neg: float = 0.0
    both: float = 0.0
    shares: float = 0.0
    even: _FLOATS = field(default_factory=lambda: np.zeros(5))
    lost: _FLOATS = field(default_factory=lambda: np.zeros(4))

    @classmethod
    def of(
        cls,
        pos: NDArray[Any],
        neg: NDArray[Any],
        below: NDArray[Any],
        under: NDArray[Any],
        whole: tuple[float, float, float],
    ) -> ClusterInfluences:
        """Build from an entry for each cluster, as in `ClusterSums`, and m, n and the AUC overall.

        >>> two = np.array([1, 1])
        >>> some = ClusterInfluences.of(two, two, np.array([2, 4]), np.array([0, 2]), (2, 2, 0.75))
        >>> some.pos, some.both, some.shares
        (0.03125, -0.03125, 2.0)
        """
        m, n, auc = whole
        of_pos = _beyond_rounding((below / (2.0 * n) - auc * pos) / m, pos / m)
        of_neg = _beyond_rounding(((1.0 - auc) * neg - under / (2.0 * m)) / n, neg / n)
        u, v, won, beaten = pos / m, neg / n, below / (2.0 * n * m), under / (2.0 * m * n)
        sides = ((pos - below / (2.0 * n)) / m, beaten, won, (neg - under / (2.0 * m)) / n)
        even = (u, u), (v, v), (u**2, u**2), (v**2, v**2), (u**2, v**2)
        return cls(
            len(pos),
            int(np.count_nonzero(pos)),
            int(np.count_nonzero(neg)),
            dot(of_pos, of_pos),
            dot(of_neg, of_neg),
            dot(of_pos, of_neg),
            float(((u + v) ** 2).sum()),
            np.array([dot(a, b) for a, b in even]),
            np.array([dot(side, side) for side in sides]),
        )

    def __add__(self, other: ClusterInfluences) -> ClusterInfluences:
        return ClusterInfluences(
            *(getattr(self, f.name) + getattr(other, f.name) for f in fields(ClusterInfluences))
        )

    def moments(self, auc: float) -> Moments:
        """Obuchowski's variance (1997); see `WeightedPlacements.clustered_moments`."""
        parts = [
            unbiased(held) * total
            for held, total in ((self.held_pos, self.pos), (self.held_neg, self.neg))
        ]
        shared = unbiased(self.clusters) * self.both
        sides = [
            ((1.0 - auc, lost), (auc, kept))
            for lost, kept in zip(self.lost[:2].tolist(), self.lost[2:].tolist(), strict=True)
        ]
        return Moments(
            auc, parts[0] + shared, parts[1] + shared,
            float(self.held_pos), float(self.held_neg), units=self.units(sides),
        )  # fmt: skip

    def units(self, sides: Sequence[Sequence[tuple[float, float]]]) -> Units:
        """From ΣL and ΣL² of the loss to either end, for the positives and for the negatives."""
        of_pos, of_neg, *fourths, both = self.even.tolist()
        misplaced = [
            as_rare(carried(*ends), held)
            for ends, held in zip(sides, (self.held_pos, self.held_neg), strict=True)
        ]
        return Units(
            fourths[0] / of_pos**2, fourths[1] / of_neg**2, both / (of_pos * of_neg),
            min(misplaced), effective=(1.0 / of_pos, 1.0 / of_neg),
        )  # fmt: skip


def _beyond_rounding(influence: NDArray[Any], share: NDArray[Any]) -> NDArray[Any]:
    """Zero instead of rounding errors, so that a constant score has no variance."""
    return np.where(np.abs(influence) > 1e-13 * share, influence, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class ClusterSums:
    """An entry for each cluster: its rows of each class, and sums of their placements.

    ``pos`` and ``neg`` are numbers of rows, or sums of weights. ``below`` sums, over a cluster's
    positives, twice the weight of negatives below each plus that of tied ones, times the positive's
    weight; ``under`` is the same for its negatives among the positives. Entries of parts of the
    data are additive.
    """

    pos: NDArray[Any]
    neg: NDArray[Any]
    below: NDArray[Any]
    under: NDArray[Any]

    def subset(self, clusters: NDArray[Any]) -> ClusterSums:
        return ClusterSums(
            self.pos[clusters], self.neg[clusters], self.below[clusters], self.under[clusters]
        )

    @property
    def influences(self) -> ClusterInfluences:
        """
        >>> two = np.array([1, 1])
        >>> sums = ClusterSums(two, two, np.array([2, 4]), np.array([0, 2]))
        >>> sums.auc, sums.influences.shares
        (0.75, 2.0)
        """
        whole = self.pos.sum(), self.neg.sum(), self.auc
        return ClusterInfluences.of(self.pos, self.neg, self.below, self.under, whole)

    @property
    def auc(self) -> float:
        return float(self.below.sum() / (2.0 * self.pos.sum() * self.neg.sum()))


def table_of_sorted(
    score: NDArray[Any], positive: NDArray[np.bool_], weight: NDArray[np.float64] | None = None
) -> ScoreCounts:
    """The table of distinct scores of ascending rows; another order is an error.

    >>> table = table_of_sorted(np.array([-0.0, 0.0, 2.0]), np.array([True, False, True]))
    >>> table.score.tolist(), table.pos.tolist(), table.neg.tolist()
    ([0.0, 2.0], [1, 1], [1, 0])
    """
    starts = np.flatnonzero(run_begins(score))
    pos: NDArray[Any]
    neg: NDArray[Any]
    if weight is None and len(starts) == len(score):  # without ties, no sums
        pos = positive.astype(np.int64)
        neg = 1 - pos
    elif weight is None:
        rows = np.diff(starts, append=len(score))
        pos = np.add.reduceat(positive, starts, dtype=np.int64) if len(score) else rows
        neg = rows - pos
    else:
        pos, neg = (
            np.add.reduceat(np.where(of_class, weight, 0.0), starts) if len(score) else weight
            for of_class in (positive, ~positive)
        )
    distinct = one_zero(score[starts])
    try:
        return ScoreCounts(distinct, pos, neg)
    except InputError:
        at = int(np.argmin(distinct[1:] > distinct[:-1]))
        raise out_of_order(distinct[at], distinct[at + 1]) from None


Tables = tuple[ScoreCounts, ...]
"""Tables of the same scores, such as counts and weights."""


def glued(parts: Iterable[Tables]) -> Iterator[Tables]:
    """Yield the tables, with a score that ends a part and begins the next part in only one part.

    Parts that do not ascend are an error.

    >>> a = ScoreCounts(np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 0]))
    >>> b = ScoreCounts(np.array([2.0, 3.0]), np.array([0, 1]), np.array([1, 1]))
    >>> [table.score.tolist() for (table,) in glued([(a,), (b,)])]
    [[1.0], [2.0], [3.0]]
    >>> list(glued([(b,), (a,)]))
    Traceback (most recent call last):
    rocsolid.errors.InputError: sorted scores came back out of order (3.0 before 1.0). Fix: report
    this with the versions of rocsolid and of the library that sorted them.
    """
    held: Tables | None = None
    for tables in parts:
        if len(tables[0]) == 0:
            continue
        if held is not None:
            last, first = held[0].score[-1], tables[0].score[0]
            if not first >= last:  # also rejects NaN
                raise out_of_order(last, first)
            if first == last:
                held = tuple(map(add, held, _rows(tables, slice(0, 1))))
                tables = _rows(tables, slice(1, None))
                if len(tables[0]) == 0:
                    continue
            yield held
        if len(tables[0]) > 1:
            yield _rows(tables, slice(0, -1))
        held = _rows(tables, slice(-1, None))
    if held is not None:
        yield held


def out_of_order(last: Any, first: Any) -> InputError:
    return InputError(
        f"sorted scores came back out of order ({last} before {first})",
        fix="report this with the versions of rocsolid and of the library that sorted them",
    )


def _rows(tables: Tables, rows: slice) -> Tables:
    return tuple(ScoreCounts(t.score[rows], t.pos[rows], t.neg[rows]) for t in tables)


BYTES = 100
"""Bytes of memory for a cluster while rows are streamed."""


@dataclass(slots=True, eq=False)
class ClusterRuns:
    """The `ClusterSums` of streamed batches.

    The rows of the highest score so far are kept as sums by cluster until a higher score comes, so
    that a tie takes only one entry for each cluster.
    """

    sums: ClusterSums
    seen: NDArray[np.bool_]
    """Clusters with a row, regardless of weight."""

    walks: Sequence[ClusterWalk] = ()
    """Walks of terms over the same rows."""

    _below: tuple[Any, Any] = (0, 0)
    _open: tuple[Any, NDArray[np.int64], NDArray[Any], NDArray[Any]] | None = field(default=None)

    @classmethod
    def empty(
        cls, clusters: int, pairs: int | None, walks: Sequence[ClusterWalk] = ()
    ) -> ClusterRuns:
        """Empty sums for clusters; ``pairs`` is twice the number of pairs of unweighted rows."""
        exact = pairs is not None and pairs < INT64
        kind = np.int64 if exact else np.float64
        columns = [np.zeros(clusters, dtype=kind) for _ in range(4)]
        return cls(ClusterSums(*columns), np.zeros(clusters, dtype=np.bool_), walks)

    def add(
        self,
        score: NDArray[Any],
        positive: NDArray[np.bool_],
        cluster: NDArray[np.int64],
        weight: NDArray[np.float64] | None = None,
    ) -> None:
        """Add rows with ascending scores, from the end of the previous rows.

        >>> runs = ClusterRuns.empty(2, 8)
        >>> for at in (slice(0, 2), slice(2, 4)):
        ...     runs.add(np.array([1, 2, 2, 3])[at], np.array([False, True, False, True])[at],
        ...              np.array([0, 0, 1, 1])[at])
        >>> found = runs.finished()
        >>> found.below.tolist(), found.under.tolist()
        ([3, 4], [0, 1])
        """
        if len(score) == 0:
            return
        kind = self.sums.pos.dtype
        self.seen[cluster] = True
        for walk in self.walks:
            walk.note(cluster, positive)
        each = np.ones(len(score), dtype=kind) if weight is None else weight
        pos, neg = np.where(positive, each, 0), np.where(positive, 0, each)
        if self._open is not None:
            last, *held = self._open
            if not score[0] >= last:  # also rejects NaN
                raise out_of_order(last, score[0])
            of_held = np.full(len(held[0]), last, dtype=score.dtype)
            score = np.concatenate([of_held, score])
            cluster, pos, neg = (
                np.concatenate(both) for both in zip(held, (cluster, pos, neg), strict=True)
            )
        starts = np.flatnonzero(run_begins(score))
        end = int(starts[-1])
        self._close(score[starts[:-1]], starts[:-1], cluster[:end], pos[:end], neg[:end])
        held_code, at = np.unique(cluster[end:], return_inverse=True)
        held_pos, held_neg = np.zeros(len(held_code), kind), np.zeros(len(held_code), kind)
        np.add.at(held_pos, at, pos[end:])
        np.add.at(held_neg, at, neg[end:])
        self._open = score[end], held_code, held_pos, held_neg

    def finished(self) -> ClusterSums:
        if self._open is not None:
            last, code, pos, neg = self._open
            self._close(np.array([last]), np.zeros(1, dtype=np.intp), code, pos, neg)
            self._open = None
        return self.sums.subset(self.seen)

    def _close(
        self, score: NDArray[Any], starts: NDArray[np.intp], code: NDArray[np.int64],
        pos: NDArray[Any], neg: NDArray[Any],
    ) -> None:  # fmt: skip
        """Add whole runs of equal scores above all previous runs."""
        if len(code) == 0:
            return
        size = np.diff(starts, append=len(code))
        for own, other, count, doubled, before in (
            (pos, neg, self.sums.pos, self.sums.below, self._below[1]),
            (neg, pos, self.sums.neg, self.sums.under, self._below[0]),
        ):
            tied = np.add.reduceat(other, starts)
            through = np.cumsum(tied)
            placement = np.repeat(2 * before + 2 * through - tied, size)
            np.add.at(count, code, own)
            np.add.at(doubled, code, own * placement)
        self._below = self._below[0] + pos.sum(), self._below[1] + neg.sum()
        for walk in self.walks:
            walk.add(score, starts, code, pos, neg)
