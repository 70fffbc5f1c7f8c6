"""Exact products of the placements that several scores give to the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.covariation import Covariation
from rocsolid.summaries.exact_dot import exact_products
from rocsolid.summaries.parts import Parts
from rocsolid.summaries.score_counts import total

Integers = tuple[tuple[int, ...], ...]
_Sum = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PairedPlacements(Covariation):
    """Sums over rows of equal weight, as Python integers of any size.

    A row's doubled placement by a score is twice the number of rows of the other class below it
    plus the number tied with it. ``wins`` sums the positives' for each score; ``pos`` and ``neg``
    sum the products for each two scores over the positives and over the negatives.
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
        """From some of the rows, whose placements have a column for each score.

        >>> some = np.array([True, False]), np.array([[6, 2], [4, 0]])
        >>> PairedPlacements.of(("a", "b"), *some).pos
        ((36, 12), (12, 4))
        """
        pos, neg = (exact_products(placement[rows]) for rows in (positive, ~positive))
        n_pos = int(np.count_nonzero(positive))
        wins = tuple(total(column) for column in placement[positive].T)
        return cls(names, n_pos, len(positive) - n_pos, wins, _integers(pos), _integers(neg))  # type: ignore[arg-type]

    def __add__(self, other: PairedPlacements) -> PairedPlacements:
        """Of the rows of both parts of the data, whose placements are among all rows."""
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
        """DeLong et al. 1988, equations 4 and 5, each class's part of an entry rounded once.

        >>> both = PairedPlacements(("a",), 2, 2, (6,), ((20,),), ((4,),))
        >>> both.covariance()
        array([[0.125]])
        """
        return self._of([((i, 1),) for i in range(len(self.names))]).total

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        """The covariance of differences, class by class, from integers, so that nothing cancels."""
        return self._of([((i, 1), (j, -1)) for i, j in pairs])

    @property
    def largest(self) -> NDArray[np.float64]:
        """A placement is 1 from its mean at most, and counts 1/m of m rows of its class."""
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
        # a negative's doubled placements sum to all pairs less the wins
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
