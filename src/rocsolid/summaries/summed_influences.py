"""The covariance of several estimates, from sums over units in parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.moments import unbiased
from rocsolid.summaries.products import dot
from rocsolid.summaries.strata import NO_VARIANCE, Covariation, Parts

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SummedInfluences(Covariation):
    """The covariance of estimates on the same independent units, from sums over units.

    ``own`` contains, for each class or outcome, the sum of squares of each estimate's influences,
    and ``differences`` the sums for differences of two, whose common part would cancel. ``trials``
    are the effective numbers of rows and ``most`` the largest influence of a row.

    With ``clusters``, ``trials`` are the numbers of clusters with weight of a class, and a third
    entry of ``own`` and ``differences`` contains products of the contributions of a cluster's
    positives and negatives.
    """

    own: tuple[_FLOATS, ...]
    differences: tuple[_FLOATS, ...]
    trials: tuple[float, ...]
    most: _FLOATS
    clusters: float | None = None

    @classmethod
    def of(cls, pos: _FLOATS, neg: _FLOATS, weight: _FLOATS | None = None) -> SummedInfluences:
        """Build from influences, one line per score, of rows by class, or of clusters with
        ``weight``.

        >>> one = SummedInfluences.of(np.array([[0.5, -0.5]]), np.array([[0.25, -0.25]]))
        >>> (one + one).own, one.trials, one.most
        ((array([1.]), array([0.25])), (2.0, 2.0), array([0.5]))
        """
        sides = [(pos, pos), (neg, neg), *([] if weight is None else [(pos, neg)])]
        own, apart = zip(*(_forms(*both) for both in sides), strict=True)
        if weight is None:
            most = [np.abs(side).max(axis=1, initial=0.0) for side in (pos, neg)]
            trials = float(pos.shape[1]), float(neg.shape[1])
            return cls(own, apart, trials, np.maximum(*most))
        held, other = (float(np.count_nonzero(each)) for each in weight)
        together = np.abs(pos + neg).max(axis=1, initial=0.0)
        return cls(own, apart, (held, other), together, float(pos.shape[1]))

    def __add__(self, other: SummedInfluences) -> SummedInfluences:
        return SummedInfluences(
            tuple(a + b for a, b in zip(self.own, other.own, strict=True)),
            tuple(a + b for a, b in zip(self.differences, other.differences, strict=True)),
            tuple(a + b for a, b in zip(self.trials, other.trials, strict=True)),
            np.maximum(self.most, other.most),
            None if self.clusters is None else self.clusters + (other.clusters or 0.0),
        )

    @property
    def units(self) -> float:
        """The (effective) number of independent rows, or of clusters."""
        return sum(self.trials) if self.clusters is None else self.clusters

    @property
    def smaller(self) -> float:
        """The (effective) number of units of the smaller class."""
        return min(self.trials)

    @property
    def largest(self) -> _FLOATS:
        return self.most

    def covariance(self) -> _FLOATS:
        of_class = self._by_class(
            [joint(own, apart) for own, apart in zip(self.own, self.differences, strict=True)]
        )
        return np.asarray(sum(of_class))

    def variance(self, i: int) -> Parts:
        """The variance of one estimate by class; see `Spread.own`."""
        parts = self._by_class([np.array([[own[i]]]) for own in self.own])
        if sum(part.item() for part in parts) <= NO_VARIANCE:  # false for NaN
            parts = tuple(np.zeros((1, 1)) for _ in parts)
        return self._parts(parts)

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        parts = [joint_apart(apart, pairs) for apart in self.differences]
        return self._parts(self._by_class(parts))

    def _by_class(self, sums: Sequence[_FLOATS]) -> tuple[_FLOATS, ...]:
        """The covariance by class; each class has half of the shared part (see `Spread`)."""
        of_class = tuple(
            unbiased(size) * each for size, each in zip(self.trials, sums, strict=False)
        )
        if self.clusters is None:
            return of_class
        shared = unbiased(self.clusters) * sums[2]
        return tuple(each + shared for each in of_class)

    def _parts(self, covariances: tuple[_FLOATS, ...]) -> Parts:
        most = np.inf if self.clusters is None else self.clusters - 1.0
        return Parts(covariances, tuple(size - 1.0 for size in self.trials), most)


def joint(own: _FLOATS, differences: _FLOATS) -> _FLOATS:
    """Return Σab of every two estimates from Σa² of each and Σ(a − b)² of every two."""
    return np.asarray(0.5 * (own[:, None] + own[None, :] - differences))


def joint_apart(differences: _FLOATS, pairs: Sequence[tuple[int, int]]) -> _FLOATS:
    """(i − j)(k − l) is half of (i − l)² + (j − k)² − (i − k)² − (j − l)²."""
    i, j = (np.array(side) for side in zip(*pairs, strict=True))
    return np.asarray(
        0.5
        * (
            differences[np.ix_(i, j)]
            + differences[np.ix_(j, i)]
            - differences[np.ix_(i, i)]
            - differences[np.ix_(j, j)]
        )
    )


def _forms(a: _FLOATS, b: _FLOATS) -> tuple[_FLOATS, _FLOATS]:
    """Return Σab of each row, and of the differences of every two rows."""
    size = len(a)
    apart = np.zeros((size, size))
    for i in range(size):
        for j in range(i):
            apart[i, j] = apart[j, i] = dot(a[i] - a[j], b[i] - b[j])
    return np.array([dot(x, y) for x, y in zip(a, b, strict=True)]), apart
