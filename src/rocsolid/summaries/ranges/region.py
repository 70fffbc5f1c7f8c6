"""Tables with merged scores outside a region, coarse tables, and paired placements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.moments import exact_products
from rocsolid.summaries.score_counts import ScoreCounts, total
from rocsolid.summaries.strata import Covariation, Parts

_ROUNDING = 1e-9  # tolerance of a rate, since sums of weights are rounded


def lumped(
    table: ScoreCounts,
    squares: ScoreCounts,
    axis: Literal["fpr", "tpr"],
    low: float,
    high: float,
    below: float = 0.0,
    total: float | None = None,
) -> tuple[ScoreCounts, ScoreCounts]:
    """Both tables with neighbouring scores merged outside the rates from ``low`` to ``high``.

    A merged entry has its lowest score. An additional entry remains on each side, so the curve over
    the region is that of the whole table. For a part of the scores, ``below`` is the number of rows
    of the axis's class (negatives for "fpr") below it, and ``total`` the number overall; joined
    parts are merged again without these.

    >>> many = ScoreCounts(np.arange(10), np.ones(10, int), np.ones(10, int))
    >>> few, _ = lumped(many, many, "fpr", 0.0, 0.2)
    >>> few.score.tolist(), few.neg.tolist()
    ([0, 6, 7, 8, 9], [6, 1, 1, 1, 1])
    """
    own = table.neg if axis == "fpr" else table.pos
    if total is None:
        total = float(own.sum())
    through = below + np.cumsum(own)
    start, end = (total - through) / total, (total - through + own) / total
    inside = (end >= low - _ROUNDING) & (start <= high + _ROUNDING)
    kept = inside.copy()
    kept[1:] |= inside[:-1]
    kept[:-1] |= inside[1:]
    begins = kept.copy()
    begins[1:] |= kept[:-1]
    begins[:1] = True
    starts = np.flatnonzero(begins)
    first, second = (
        ScoreCounts(t.score[starts], *(np.add.reduceat(c, starts) for c in (t.pos, t.neg)))
        for t in (table, squares)
    )
    return first, second


def thinned(
    tables: Iterable[ScoreCounts], n_pos: float, n_neg: float, entries: int = 2_000
) -> ScoreCounts:
    """Neighbouring scores merged under the lowest of them, with about ``entries`` entries.

    Every kept score is a threshold of the whole table with its exact rates, so the curve of the
    result passes through points of the true curve. A new entry begins when the rows since the last
    entry exceed that share of ``n_pos`` or of ``n_neg``, the totals.

    >>> many = ScoreCounts(np.arange(1000), np.ones(1000, int), np.ones(1000, int))
    >>> few = thinned([many], 1000, 1000, entries=10)
    >>> len(few), few.n_pos, few.score[:3].tolist()
    (10, 1000, [0, 100, 200])
    """
    step = 2.0 / entries
    scores: list[Any] = []
    pos: list[Any] = []
    neg: list[Any] = []
    passed = 0.0  # the sum of both shares below the next table
    last = -1
    for table in tables:
        if len(table) == 0:
            continue
        up_to = np.cumsum(table.pos) / n_pos
        up_to += np.cumsum(table.neg) / n_neg
        up_to += passed
        before = passed if len(table) == 1 else float(up_to[-2])
        newest = _bin(before, step)
        # the first entries at which the sum reaches each bin that begins in this table
        reached = (np.arange(last + 1, newest + 1) - _ROUNDING) * step
        starts = np.unique(np.where(reached <= passed, 0, np.searchsorted(up_to, reached) + 1))
        passed, last = float(up_to[-1]), max(newest, last)
        bounds = starts if len(starts) and starts[0] == 0 else np.concatenate([[0], starts])
        sums = [np.add.reduceat(column, bounds) for column in (table.pos, table.neg)]
        if len(bounds) > len(starts):  # the first rows belong to the previous entry
            pos[-1], neg[-1] = pos[-1] + sums[0][0], neg[-1] + sums[1][0]
            sums = [column[1:] for column in sums]
        scores += list(table.score[starts])
        pos += list(sums[0])
        neg += list(sums[1])
    return ScoreCounts(np.array(scores), np.array(pos), np.array(neg))


def _bin(passed: float, step: float) -> int:
    return int(passed / step + _ROUNDING)


Integers = tuple[tuple[int, ...], ...]
_Sum = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PairedPlacements(Covariation):
    """Sums over rows of equal weight, as Python integers of any size.

    A row's doubled placement by a score is twice the number of rows of the other class below it
    plus the number tied. ``wins`` contains the positives' sum for each score; ``pos`` and ``neg``
    contain sums of products for every two scores over the positives and over the negatives.
    """

    names: tuple[str, ...]
    n_pos: int
    n_neg: int
    wins: tuple[int, ...]
    pos: Integers
    neg: Integers

    @classmethod
    def of(
        cls, names: tuple[str, ...], positive: NDArray[np.bool_], placement: NDArray[np.int64]
    ) -> PairedPlacements:
        """The sums of some rows, whose placements have a column for each score.

        >>> some = np.array([True, False]), np.array([[6, 2], [4, 0]])
        >>> PairedPlacements.of(("a", "b"), *some).pos
        ((36, 12), (12, 4))
        """
        pos, neg = (exact_products(placement[rows]) for rows in (positive, ~positive))
        n_pos = int(np.count_nonzero(positive))
        wins = tuple(total(column) for column in placement[positive].T)
        return cls(names, n_pos, len(positive) - n_pos, wins, _integers(pos), _integers(neg))  # type: ignore[arg-type]

    def __add__(self, other: PairedPlacements) -> PairedPlacements:
        """The sums of the rows of both parts, whose placements are among all rows."""
        wins, pos, neg = (
            np.array(getattr(self, name), object) + np.array(getattr(other, name), object)
            for name in ("wins", "pos", "neg")
        )
        return PairedPlacements(
            self.names, self.n_pos + other.n_pos, self.n_neg + other.n_neg, tuple(wins.tolist()),
            _integers(pos), _integers(neg),
        )  # fmt: skip

    @property
    def units(self) -> float:
        """The number of independent rows."""
        return float(self.n_pos + self.n_neg)

    @property
    def smaller(self) -> float:
        """The number of rows of the smaller class."""
        return float(min(self.n_pos, self.n_neg))

    def covariance(self) -> NDArray[np.float64]:
        """DeLong et al. (1988), equations 4 and 5, with each class's part rounded once.

        >>> both = PairedPlacements(("a",), 2, 2, (6,), ((20,),), ((4,),))
        >>> both.covariance()
        array([[0.125]])
        """
        return self._of([((i, 1),) for i in range(len(self.names))]).total

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        """The covariance of differences by class, from integers, without cancellation."""
        return self._of([((i, 1), (j, -1)) for i, j in pairs])

    @property
    def largest(self) -> NDArray[np.float64]:
        """A placement differs from its mean by at most 1, and has weight 1/m among m rows."""
        return np.full(len(self.names), 1.0 / min(self.n_pos, self.n_neg))

    def _of(self, sums: list[_Sum]) -> Parts:
        """The covariance of sums of AUCs, each given as (score, sign)."""
        entries = np.array([[self._entry(a, b) for b in sums] for a in sums])
        return Parts((entries[..., 0], entries[..., 1]), (self.n_pos - 1.0, self.n_neg - 1.0))

    def _entry(self, a: _Sum, b: _Sum) -> tuple[float, float]:
        m, n = self.n_pos, self.n_neg
        if min(m, n) < 2:
            return float("nan"), float("nan")
        pairs = 2 * m * n
        # doubled placements of negatives sum to all pairs minus the wins
        total = [sum(s * self.wins[i] for i, s in side) for side in (a, b)]
        lost = [sum(s * (pairs - self.wins[i]) for i, s in side) for side in (a, b)]
        of_pos = sum(s * t * self.pos[i][j] for i, s in a for j, t in b)
        of_neg = sum(s * t * self.neg[i][j] for i, s in a for j, t in b)
        pos = m * of_pos - total[0] * total[1]
        neg = n * of_neg - lost[0] * lost[1]
        # s²(V10)/m with V10 = placement/2n, and s²(V01)/n with V01 = 1 − placement/2m
        return pos / (m * m * (m - 1) * 4 * n * n), neg / (n * n * (n - 1) * 4 * m * m)


def _integers(matrix: NDArray[np.object_]) -> Integers:
    return tuple(tuple(row) for row in matrix.tolist())
