"""Placements row by row, for weights and clusters: sums of integers no longer tell all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.moments import Moments, Units, as_rare, carriers
from rocsolid.summaries.placements import runs_on_device
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ascending_order, distinct_scores, run_begins


@dataclass(frozen=True, slots=True, eq=False)
class WeightedPlacements:
    """For each row the weighted share of the other class that it is placed on the right side of.

    ``placement`` is V10 for a positive (the share of negatives below it) and V01 for a negative
    (the share of positives above it), ties half; ``share`` is the row's weight divided by its
    class's total. Rows are in the caller's order.
    """

    positive: NDArray[np.bool_]
    placement: NDArray[np.float64]
    share: NDArray[np.float64]
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
        """Sort once, add up weights from below, and look up each row's distinct score.

        ``there`` is the score on a device that sorts it; sums are made here, in the same order.

        >>> y, s = np.array([True, False, False]), np.array([2.0, 1.0, 3.0])
        >>> WeightedPlacements.from_arrays(y, s, np.array([1.0, 3.0, 1.0])).placement
        array([0.75, 1.  , 0.  ])
        """
        if there is None:
            distinct, group = distinct_scores(score)
            size = len(distinct)
        else:
            size, group = runs_on_device(there)
        share = np.ones(len(score)) if weight is None else weight.astype(np.float64)
        for of_class in (positive, ~positive):
            share[of_class] /= share[of_class].max(
                initial=0.0
            )  # however small, weights keep their digits
        # they are divided by their sum last, so that a constant score has exactly one half
        below, at, total = _from_below(group[~positive], share[~positive], size)
        pos_below, pos_at, pos_total = _from_below(group[positive], share[positive], size)
        above = pos_total - pos_below - pos_at
        # one look-up a row: the table of the negatives, then that of the positives
        table = np.concatenate([(above + 0.5 * pos_at) / pos_total, (below + 0.5 * at) / total])
        placement = table[group + size * positive]
        won = share[positive]
        auc = float(np.sum(won * placement[positive]) / np.sum(won))
        for of_class in (positive, ~positive):
            share[of_class] /= share[of_class].sum()
        ties = np.bincount(group[positive], minlength=size) * np.bincount(
            group[~positive], minlength=size
        )
        return cls(positive, placement, share, min(max(auc, 0.0), 1.0), int(ties.sum()))

    @property
    def effective_pos(self) -> float:
        """The number of equally weighted positives that would count as much: (Σu)²/Σu²."""
        return float(1.0 / np.sum(self.share[self.positive] ** 2))

    @property
    def effective_neg(self) -> float:
        return float(1.0 / np.sum(self.share[~self.positive] ** 2))

    @property
    def moments(self) -> Moments:
        """DeLong's variance under weights: Σu²(V10 − Â)²/(Σu)² + Σv²(V01 − Â)²/(Σv)².

        Each part is multiplied by k/(k−1), k the effective size, so that equal weights give back
        the unweighted variance.
        """
        deviation = self.share * (self.placement - self.auc)
        parts = []
        for of_class, size in (
            (self.positive, self.effective_pos),
            (~self.positive, self.effective_neg),
        ):
            # a class carried by one row shows no spread
            spread = size / (size - 1.0) if size > 1.0 + 1e-12 else float("nan")
            parts.append(spread * float(np.sum(deviation[of_class] ** 2)))
        pos, neg = (self.share[of_class] for of_class in (self.positive, ~self.positive))
        units = Units(_fourths(pos), _fourths(neg))
        sizes = self.effective_pos, self.effective_neg
        return Moments(self.auc, parts[0], parts[1], *sizes, units=units)

    def clustered_moments(self, cluster: NDArray[np.int64]) -> Moments:
        """Obuchowski's variance (1997): rows of a cluster may depend on each other in any way.

        S10 and S01 sum the deviations of each class within a cluster; a cluster that holds both
        classes adds twice the product of its two sums. The sizes are the numbers of clusters with
        positives and with negatives, which is what the degrees of freedom come from. Half of the
        covariance goes to each part of the variance.
        """
        size = int(cluster.max()) + 1
        deviation = self.share * (self.placement - self.auc)
        sums, held, misplaced = [], [], []
        for of_class in (self.positive, ~self.positive):
            sums.append(np.bincount(cluster[of_class], deviation[of_class], minlength=size))
            weight = np.bincount(cluster[of_class], self.share[of_class], minlength=size)
            held.append(float(np.count_nonzero(weight)))
            right = self.share[of_class] * self.placement[of_class]
            wrong = self.share[of_class] * (1.0 - self.placement[of_class])
            lost, kept = (np.bincount(cluster[of_class], w, size) for w in (wrong, right))
            carrying = carriers(lost.astype(np.float64), kept.astype(np.float64))
            misplaced.append(as_rare(carrying, held[-1]))
        parts = [
            count / (count - 1.0) * dot(total, total) if count > 1 else float("nan")
            for total, count in zip(sums, held, strict=True)
        ]
        shared = size / (size - 1.0) * dot(sums[0], sums[1]) if size > 1 else float("nan")
        units = Units.of_shares(*self.cluster_shares(cluster), min(misplaced))
        return Moments(
            self.auc, parts[0] + shared, parts[1] + shared, held[0], held[1], units=units
        )

    def cluster_shares(self, cluster: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The share of the positives' and of the negatives' weight that each cluster holds."""
        size = int(cluster.max()) + 1
        return (
            np.bincount(cluster[self.positive], self.share[self.positive], minlength=size),
            np.bincount(cluster[~self.positive], self.share[~self.positive], minlength=size),
        )


def row_placements(
    positive: NDArray[np.bool_], score: NDArray[Any], there: Any = None
) -> NDArray[np.float64]:
    """The ``placement`` of rows that count alike, from whole numbers, without a look-up a row.

    ``there`` is the score on a device that sorts it; the quotients are the same.

    >>> row_placements(np.array([True, False, False, True]), np.array([2.0, 1.0, 2.0, 0.5]))
    array([0.75, 0.5 , 0.25, 0.  ])
    """
    n_pos = int(np.count_nonzero(positive))
    if there is not None:
        size, group = runs_on_device(there)
        neg, pos = (np.bincount(group[side], minlength=size) for side in (~positive, positive))
        below, through = ((2 * one.cumsum() - one)[group] for one in (neg, pos))
        return _shares(positive, below, through, n_pos)
    order = ascending_order(score)
    new, above = run_begins(score[order]), positive[order]
    ends = None if new.all() else np.append(np.flatnonzero(new[1:]), len(score) - 1)
    doubled = []
    for of_class in (~above, above):
        through = np.cumsum(of_class, dtype=np.intp)
        through = through if ends is None else through[ends]
        through[1:] += through[:-1].copy()
        doubled.append(through if ends is None else np.repeat(through, np.diff(ends, prepend=-1)))
    found = np.empty(len(score))
    found[order] = _shares(above, doubled[0], doubled[1], n_pos)
    return found


def _shares(
    positive: NDArray[np.bool_], neg: NDArray[np.intp], pos: NDArray[np.intp], n_pos: int
) -> NDArray[np.float64]:
    """From the rows of each class below a row, counted twice, and those tied with it, once."""
    found = pos / (2 * n_pos)
    np.subtract(1.0, found, out=found)
    np.copyto(found, neg / (2 * (len(positive) - n_pos)), where=positive)
    return found


def _from_below(
    group: NDArray[np.intp], weight: NDArray[np.float64], size: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """The weight of a class strictly below each distinct score, at it, and in all."""
    at: NDArray[np.float64] = np.bincount(group, weight, minlength=size).astype(np.float64)
    through = np.cumsum(at)
    return through - at, at, float(through[-1])


def _fourths(share: NDArray[np.float64]) -> float:
    """Σs⁴/(Σs²)²: see `Units`."""
    return float(np.sum(share**4) / np.sum(share**2) ** 2)
