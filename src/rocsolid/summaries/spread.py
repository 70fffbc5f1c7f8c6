"""How estimates on the same rows vary together: DeLong's covariance, weighted and clustered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs import BinaryRows

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Each independent unit's pull on each estimate, a row a model: positives and negatives apart.

    The covariance is f₊·P Pᵀ + f₋·N Nᵀ + f·(P Nᵀ + N Pᵀ). For independent rows P holds
    u_i(V10_i − Â)/Σu and N likewise, f₊ = k/(k−1) with k the (effective) number of positives, and
    f = 0: DeLong et al. 1988, equations 4 and 5. For clusters P and N hold sums within each, f₊
    and f₋ have the numbers of clusters with such rows, and f that of all: Obuchowski 1997.
    """

    pos: _FLOATS
    neg: _FLOATS
    factors: tuple[float, float, float]
    units: float

    @classmethod
    def of(
        cls,
        rows: BinaryRows,
        influences: Sequence[_FLOATS],
        count: NDArray[np.int64] | None = None,
    ) -> Spread:
        """From one influence per row and model; the rows are those of every model.

        A row may stand for ``count`` alike ones. Independent ones then pull as one row would whose
        square is the sum of theirs: variances are right, sums of cubes are not.

        >>> y = np.array([True, True, False, False])
        >>> spread = Spread.of(BinaryRows(y, y), [np.array([1.0, 0.5, 0.5, 1.0])])
        >>> spread.covariance()
        array([[0.125]])
        """
        parts, sizes = [], []
        for of_class in (rows.positive, ~rows.positive):
            times = np.ones(len(rows)) if count is None else count
            share = times if rows.weight is None else times * rows.weight
            share = share[of_class] / share[of_class].sum()
            each = 1.0 if count is None else np.sqrt(times[of_class])
            pull = np.empty((len(influences), len(share)))
            for row, influence in zip(pull, influences, strict=True):
                values = influence[of_class]
                np.multiply(values - share @ values, share, out=row)
            if rows.cluster is not None:
                cluster = rows.cluster[of_class]
                clusters = int(rows.cluster.max()) + 1
                pull = np.stack([np.bincount(cluster, row, minlength=clusters) for row in pull])
                # rows without weight make no cluster, as in `ClusterPulls`
                sizes.append(float(np.count_nonzero(np.bincount(cluster, share))))
            else:
                pull /= each
                sizes.append(float(1.0 / ((share / each) @ (share / each))))
            parts.append(pull)
        if rows.cluster is None:
            factors = (_factor(sizes[0]), _factor(sizes[1]), 0.0)
            units = sizes[0] + sizes[1]
        else:
            units = float(rows.cluster.max() + 1)
            factors = (_factor(sizes[0]), _factor(sizes[1]), _factor(units))
        return cls(parts[0], parts[1], factors, units)

    def covariance(self) -> _FLOATS:
        of_pos, of_neg, of_both = self.factors
        total = of_pos * (self.pos @ self.pos.T) + of_neg * (self.neg @ self.neg.T)
        if of_both:
            shared = self.pos @ self.neg.T
            total = total + of_both * (shared + shared.T)
        return np.asarray(total)

    def parts(self, i: int) -> tuple[float, float]:
        """The parts of a variance that the classes add, each with half of what they share."""
        of_pos, of_neg, of_both = self.factors
        shared = of_both * float(self.pos[i] @ self.neg[i]) if of_both else 0.0
        return (
            of_pos * float(self.pos[i] @ self.pos[i]) + shared,
            of_neg * float(self.neg[i] @ self.neg[i]) + shared,
        )

    def of_difference(self, i: int, j: int) -> float:
        """The variance of the i-th estimate less the j-th.

        From the differences themselves, as two scores that rank almost alike have variances and a
        covariance that cancel to nothing.
        """
        pair = Spread(
            self.pos[i : i + 1] - self.pos[j], self.neg[i : i + 1] - self.neg[j], self.factors, 0.0
        )
        return float(pair.covariance()[0, 0])

    def against_first(self) -> _FLOATS:
        """The covariance of each estimate's difference from the first."""
        return Spread(
            self.pos[1:] - self.pos[0], self.neg[1:] - self.neg[0], self.factors, 0.0
        ).covariance()

    def skewness(self, i: int, j: int) -> float:
        """Σp³/(Σp²)^{3/2} of the units' pulls p on the i-th estimate less the j-th."""
        pulls = self._pulls(i) - self._pulls(j)
        return skewness(float(np.sum(pulls**3)), float(pulls @ pulls))

    def cube(self, i: int) -> float:
        """The sum of the cubes of the units' pulls on one estimate."""
        return float(np.sum(self._pulls(i) ** 3))

    def _pulls(self, i: int) -> _FLOATS:
        """What each unit pulls: the rows of a cluster pull as one, whatever their class."""
        if self.factors[2]:
            return np.asarray(self.pos[i] + self.neg[i])
        return np.concatenate([self.pos[i], self.neg[i]])


def skewness(cube: float, square: float) -> float:
    """Σp³/(Σp²)^{3/2} from the sums of the cubes and of the squares."""
    return cube / square**1.5 if square > 0.0 else 0.0


def _factor(size: float) -> float:
    """k/(k−1); a class carried by one unit shows no spread."""
    return size / (size - 1.0) if size > 1.0 + 1e-12 else float("nan")
