"""The covariance of estimates on the same rows: DeLong's, also weighted and clustered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.moments import unbiased
from rocsolid.summaries.products import dot, products
from rocsolid.summaries.strata import NO_VARIANCE, Covariation, PairParts, Parts, Stratum, blocks_of

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Spread(Covariation):
    """Each independent unit's influence on each estimate, one line per model, by class.

    The covariance is f₊·P Pᵀ + f₋·N Nᵀ + f·(P Nᵀ + N Pᵀ). For independent rows P contains u_i(V10_i
    − Â)/Σu and N likewise, f₊ = k/(k−1) with k the (effective) number of positives, and f = 0:
    DeLong et al. 1988, equations 4 and 5. For clusters P and N contain sums within each, f₊ and f₋
    have the numbers of clusters with such rows, and f that of all: Obuchowski 1997. Units are drawn
    within their class, or "together" for clusters and for random class sizes.
    """

    pos: _FLOATS
    neg: _FLOATS
    factors: tuple[float, float, float]
    units: float
    drawn: Literal["by class", "together"] = "by class"

    @classmethod
    def of(cls, rows: BinaryRows, influences: Sequence[_FLOATS], *, centred: bool = True) -> Spread:
        """Build from one influence per row and model.

        Unless they are ``centred`` in each class, the size of a class is random too: influences are
        then a class's total times the slope in a row's weight, whose sums over all rows are 0.

        >>> y = np.array([True, True, False, False])
        >>> spread = Spread.of(BinaryRows(y, y), [np.array([1.0, 0.5, 0.5, 1.0])])
        >>> spread.covariance()
        array([[0.125]])
        """
        parts, sizes = [], []
        for positive in (True, False):
            of_class = (rows.positive == positive).nonzero()[0]  # faster than many masks
            if rows.weight is None:
                share = np.full(len(of_class), 1.0 / len(of_class))
            else:
                share = rows.weight.take(of_class)
                share /= share.sum()
            weighted = np.empty((len(influences), len(share)))
            for row, influence in zip(weighted, influences, strict=True):
                influence.take(of_class, out=row, mode="clip")  # other modes copy ``out``
                if centred:
                    row -= dot(share, row)
                row *= share
            if rows.cluster is not None:
                cluster = rows.cluster[of_class]
                clusters = int(rows.cluster.max()) + 1
                weighted = np.stack(
                    [np.bincount(cluster, row, minlength=clusters) for row in weighted]
                )
                # rows without weight do not count as a cluster, as in `ClusterInfluences`
                sizes.append(float(np.count_nonzero(np.bincount(cluster, share))))
            else:
                sizes.append(1.0 / dot(share, share))
            parts.append(weighted)
        if rows.cluster is None:
            factors = (unbiased(sizes[0]), unbiased(sizes[1]), 0.0)
            units = sizes[0] + sizes[1]
        else:
            units = float(rows.cluster.max() + 1)
            factors = (unbiased(sizes[0]), unbiased(sizes[1]), unbiased(units))
        together = rows.cluster is not None or not centred
        return cls(parts[0], parts[1], factors, units, "together" if together else "by class")

    def covariance(self) -> _FLOATS:
        of_pos, of_neg, of_both = self.factors
        total = of_pos * products(self.pos, self.pos) + of_neg * products(self.neg, self.neg)
        if of_both:
            shared = products(self.pos, self.neg)
            total = total + of_both * (shared + shared.T)
        return np.asarray(total)

    def by_class(self) -> Parts:
        return self._by_class(self.pos, self.neg)

    def own(self, i: int) -> Parts:
        """The variance of one estimate by class; 0 for rounding errors alone."""
        parts = self._by_class(self.pos[[i]], self.neg[[i]])
        if not parts.total.item() <= NO_VARIANCE:
            return parts
        nothing = tuple(np.zeros((1, 1)) for _ in parts.covariances)
        return Parts(nothing, parts.known, parts.most)

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        """The covariance of differences of the i-th and the j-th estimate, by class.

        The covariance is computed from differences of influences, because variances of similar
        scores cancel.
        """
        i, j = (list(side) for side in zip(*pairs, strict=True))
        return self._by_class(self.pos[i] - self.pos[j], self.neg[i] - self.neg[j])

    def each(self, pairs: NDArray[np.intp]) -> PairParts:
        of_pos, of_neg, of_both = self.factors
        variances = np.empty((2, pairs.shape[1]))
        for some in blocks_of(pairs, self.pos.shape[1] + self.neg.shape[1]):
            i, j = pairs[:, some]
            pos, neg = self.pos.take(i, axis=0), self.neg.take(i, axis=0)
            pos -= self.pos.take(j, axis=0)
            neg -= self.neg.take(j, axis=0)
            variances[0, some] = of_pos * np.einsum("ij,ij->i", pos, pos)
            variances[1, some] = of_neg * np.einsum("ij,ij->i", neg, neg)
            if of_both:
                variances[:, some] += of_both * np.einsum("ij,ij->i", pos, neg)
        known = np.array(self._known)[:, None]
        return PairParts(variances, known, self.units - 1.0 if of_both else np.inf)

    def _by_class(self, pos: _FLOATS, neg: _FLOATS) -> Parts:
        """The covariance by class; each class has half of the shared part."""
        of_pos, of_neg, of_both = self.factors
        parts = of_pos * products(pos, pos), of_neg * products(neg, neg)
        if of_both:
            shared = 0.5 * of_both * products(pos, neg)
            parts = parts[0] + shared + shared.T, parts[1] + shared + shared.T
        return Parts(parts, self._known, self.units - 1.0 if of_both else np.inf)

    @property
    def smaller(self) -> float:
        """The (effective) number of rows or clusters of the smaller class."""
        return 1.0 + min(self._known)

    @property
    def _known(self) -> tuple[float, float]:
        """The degrees of freedom of each class: k − 1 for a variance factor of k/(k − 1)."""
        return 1.0 / (self.factors[0] - 1.0), 1.0 / (self.factors[1] - 1.0)

    @property
    def strata(self) -> tuple[Stratum, ...]:
        """The classes; or all units, where the rows of a cluster move as one."""
        if self.drawn == "by class":
            return Stratum.of_all(self.pos), Stratum.of_all(self.neg)
        apart = self.factors[2] == 0.0
        return (Stratum.of_all(np.hstack([self.pos, self.neg]) if apart else self.pos + self.neg),)

    @property
    def largest(self) -> _FLOATS:
        """The largest absolute influence of a unit on each estimate."""
        if self.factors[2]:
            return np.asarray(np.abs(self.pos + self.neg).max(axis=1))
        of_pos, of_neg = (
            np.maximum(np.maximum.reduce(own, axis=1), -np.minimum.reduce(own, axis=1))
            for own in (self.pos, self.neg)
        )
        return np.asarray(np.maximum(of_pos, of_neg))
