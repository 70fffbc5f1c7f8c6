"""Sums of measures over streamed groups of equal scores, lowest first, in bounded memory.

Such a measure needs, for each group, its positives and negatives, the totals, and the rows below;
with a fixed threshold, also its score. The influence of a row is known when its group is processed,
except for a factor and a constant for each class, which are known at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.moments import Units, as_rare, carriers, lost_and_kept, unbiased
from rocsolid.summaries.products import dot
from rocsolid.summaries.ranked_classes import RankedClass, RankedClasses
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.strata import NO_VARIANCE, Parts

_FLOATS = NDArray[np.float64]


class Places(NamedTuple):
    """Ascending ranks in each class, from 0."""

    pos: NDArray[np.int64]
    neg: NDArray[np.int64]


_NOWHERE = np.zeros(0, dtype=np.int64)
NO_PLACES = Places(_NOWHERE, _NOWHERE)


@dataclass(frozen=True, slots=True)
class Ended:
    """The value, and the factor and constant of each class that convert sums to influences.

    ``details`` contains further results for the measure. ``largest`` is the largest value, if
    `TermSums.units` are needed. ``rows`` of each class have a positive weight, if this is needed.
    """

    value: float
    pos: tuple[float, float]
    neg: tuple[float, float]
    details: Any = None
    largest: float | None = None
    rows: tuple[int, int] | None = None


class Walk(Protocol):
    """The running state of a term over the groups of one sample, in ascending order."""

    def step(self, groups: ScoreCounts) -> tuple[_FLOATS, _FLOATS]:
        """Process the next groups; return the known parts of a row's influence by class."""
        ...

    def then(self, following: Self) -> tuple[float, float]:
        """Append a walk that began where this one ended; see ``below`` in `Term.begin`.

        Return the missing parts of a positive's and a negative's influence in that walk.
        """
        ...

    def end(self) -> Ended:
        """Finish after the last group."""
        ...


class Term(Protocol):
    """A measure as a sum over groups of equal scores; equal terms are computed once."""

    @property
    def centred(self) -> bool:
        """Whether the class sizes are fixed; see `Spread.of`."""
        ...

    def begin(self, pos: float, neg: float, below: tuple[float, float] = (0.0, 0.0)) -> Walk:
        """Begin a walk over positives and negatives with these counts or sums of weights.

        The walk begins above the rows ``below``, with empty sums.
        """
        ...

    def places(self, pos: int, neg: int) -> Places:
        """The ranks in classes of these sizes whose scores a certificate reads."""
        ...

    def weighed(self, rows: tuple[int, int], unit: float) -> Term:
        """An equal term for a sample with ``rows`` of positive weight: positives and negatives.

        ``unit`` is the value of a weight of 1 in the sums of a walk.
        """
        ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class TermSums:
    """A measure of streamed rows: its value and its variance.

    ``own`` is the variance by class, and ``alone`` the variance that ignores clusters. ``trials``
    are the effective numbers of positives and of negatives, and ``weighs`` the sums of their
    weights. ``held`` is the number of clusters with a positive. ``reached`` is the effective number
    of rows if each counts with the known part of its influence. ``ranked`` is set for independent
    rows of equal weight. ``units`` describes the clusters of a term with a largest value.
    """

    value: float
    own: Parts
    alone: Parts
    trials: tuple[float, float]
    weighs: tuple[float, float]
    reached: float
    held: int | None = None
    ranked: RankedClasses | None = None
    details: Any = None
    units: Units | None = None
    rows: tuple[int, int] | None = None
    """The rows of positive weight by class, if the measure needs them and weights were given."""


@dataclass(slots=True)
class _Squares:
    """Σq(x − r)^k for k = 0, 1, 2 about a reference r near the weighted mean, with Σw and Σwx."""

    weight: float = 0.0
    weighted: float = 0.0
    reference: float = 0.0
    sums: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def add(self, weight: _FLOATS, square: _FLOATS, x: _FLOATS) -> None:
        added = float(weight.sum())
        if added == 0.0:
            return
        self.weight += added
        self.weighted += dot(weight, x)
        reference = self.weighted / self.weight
        zeroth, first, second = self.sums
        moved = self.reference - reference
        away = x - reference
        pull = square * away
        self.sums = (
            zeroth + float(square.sum()),
            first + moved * zeroth + float(pull.sum()),
            second + 2.0 * moved * first + moved**2 * zeroth + dot(pull, away),
        )
        self.reference = reference

    def then(self, following: _Squares, by: float) -> None:
        """Append other groups, with ``by`` added to each x."""
        if following.weight == 0.0:
            return
        self.weight += following.weight
        self.weighted += following.weighted + by * following.weight
        reference = self.weighted / self.weight
        sums = [0.0, 0.0, 0.0]
        for part, moved in (
            (self.sums, self.reference - reference),
            (following.sums, following.reference + by - reference),
        ):
            zeroth, first, second = part
            sums[0] += zeroth
            sums[1] += first + moved * zeroth
            sums[2] += second + 2.0 * moved * first + moved**2 * zeroth
        self.sums = sums[0], sums[1], sums[2]
        self.reference = reference

    @property
    def effective(self) -> float:
        return self.weight**2 / self.sums[0]

    @property
    def middle(self) -> float:
        return self.weighted / self.weight

    @property
    def pulled(self) -> float:
        return self.sums[1] + self.reference * self.sums[0]

    def variance(self, factor: float, constant: float, *, centred: bool) -> float:
        zeroth, first, second = self.sums
        away = self.reference - self.middle if centred else self.reference
        constant = 0.0 if centred else constant
        shift = factor * away + constant
        square = factor**2 * second + 2.0 * factor * shift * first + shift**2 * zeroth
        return max(square, 0.0) / self.weight**2 * unbiased(self.effective)


@dataclass(slots=True, eq=False)
class _Kept:
    places: NDArray[np.int64]
    below: int = 0

    def at(self, count: NDArray[np.int64]) -> NDArray[np.int64]:
        through = self.below + np.cumsum(count)
        first, last = np.searchsorted(self.places, [self.below, through[-1]])
        return np.searchsorted(through, self.places[first:last], side="right")


@dataclass(slots=True, eq=False)
class TermWalk:
    """The walk of one term over the groups of a sample, with its variance."""

    term: Term
    walk: Walk
    kept: tuple[_Kept, _Kept] | None
    pos: _Squares = field(default_factory=_Squares)
    neg: _Squares = field(default_factory=_Squares)
    _ranked: list[tuple[NDArray[Any], ...]] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        term: Term,
        pos: float,
        neg: float,
        *,
        counted: bool,
        below: tuple[float, float] = (0.0, 0.0),
    ) -> TermWalk:
        """Begin a walk with these counts or sums of weights.

        ``counted`` rows are independent and of equal weight. A walk may begin above some rows and
        be appended by `then` to the walk over them.
        """
        kept = None
        if counted:
            places = term.places(int(pos), int(neg))
            kept = _Kept(places.pos, int(below[0])), _Kept(places.neg, int(below[1]))
        return cls(term, term.begin(pos, neg, below), kept)

    def add(self, weight: ScoreCounts, square: ScoreCounts) -> tuple[_FLOATS, _FLOATS]:
        """Add the next complete groups: sums of weights, and of their squares.

        Return the known parts of the influences.
        """
        pos, neg = (np.asarray(each, dtype=np.float64) for each in (weight.pos, weight.neg))
        of_pos, of_neg = self.walk.step(ScoreCounts(weight.score, pos, neg))
        self.pos.add(pos, np.asarray(square.pos, dtype=np.float64), of_pos)
        self.neg.add(neg, np.asarray(square.neg, dtype=np.float64), of_neg)
        if self.kept is not None:
            self._keep(self.kept, weight)
        return of_pos, of_neg

    def _keep(self, kept: tuple[_Kept, _Kept], table: ScoreCounts) -> None:
        own = kept[0].at(table.pos), kept[1].at(table.neg)
        at = np.unique(np.concatenate(own))
        columns = [table.score[at]]
        for side, count in zip(kept, (table.pos, table.neg), strict=True):
            columns += [side.below + (np.cumsum(count) - count)[at], count[at]]
        self._ranked.append(tuple(columns))
        kept[0].below += int(table.pos.sum())
        kept[1].below += int(table.neg.sum())

    def then(self, following: TermWalk) -> tuple[float, float]:
        moved = self.walk.then(following.walk)
        self.pos.then(following.pos, moved[0])
        self.neg.then(following.neg, moved[1])
        if following.kept is not None:
            self.kept = following.kept
            self._ranked += following._ranked
        return moved

    def turns(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The factors and constants that give the influences, centred if needed."""
        ended = self.walk.end()
        if not self.term.centred:
            return ended.pos, ended.neg
        return (
            (ended.pos[0], -ended.pos[0] * self.pos.middle),
            (ended.neg[0], -ended.neg[0] * self.neg.middle),
        )

    def end(self, clusters: ClusterWalk | None = None) -> TermSums:
        """Finish after the last group; ``clusters`` is the walk over the same groups by cluster."""
        ended = self.walk.end()
        turns, sides = (ended.pos, ended.neg), (self.pos, self.neg)
        parts = [
            side.variance(*turn, centred=self.term.centred)
            for side, turn in zip(sides, turns, strict=True)
        ]
        sizes = self.pos.effective, self.neg.effective
        alone = own = _parts(parts, sizes)
        held = units = None
        if clusters is not None:
            totals = self.pos.weight, self.neg.weight
            spread = clusters.spread(self.turns(), totals)
            own, held = spread.own(0), int(np.count_nonzero(clusters.holds_positive))
            if ended.largest is not None:
                units = clusters.units(spread, totals, ended.value, ended.largest)
        ranked = None
        if self.kept is not None:
            score, *columns = (np.concatenate(each) for each in zip(*self._ranked, strict=True))
            ranked = RankedClasses(
                RankedClass(score, columns[0], columns[1], self.kept[0].below),
                RankedClass(score, columns[2], columns[3], self.kept[1].below),
            )
        weighs = self.pos.weight, self.neg.weight
        known, squares = self.pos.weighted + self.neg.weighted, self.pos.pulled + self.neg.pulled
        reached = known**2 / squares if squares > 0.0 else 0.0
        return TermSums(
            ended.value, own, alone, sizes, weighs, reached, held, ranked, ended.details, units,
            ended.rows,
        )  # fmt: skip


def _parts(parts: Sequence[float], sizes: tuple[float, float]) -> Parts:
    total = sum(parts)
    if total <= NO_VARIANCE:  # rounding errors alone
        parts = [0.0, 0.0]
    first, second = (np.array([[part]]) for part in parts)
    return Parts((first, second), (sizes[0] - 1.0, sizes[1] - 1.0))


BYTES_OF_TERM = 50
"""Bytes of memory for a cluster and a term."""


@dataclass(slots=True, eq=False)
class ClusterWalk:
    """A walk with sums by cluster: of weights, and of weights times the known influences.

    ``unit`` converts the weights of each class into those of the walk.
    """

    walk: Walk
    unit: tuple[float, float]
    weight: _FLOATS
    known: _FLOATS
    holds_positive: NDArray[np.bool_]
    holds_row: NDArray[np.bool_]

    @classmethod
    def of(
        cls, term: Term, pos: float, neg: float, clusters: int, unit: tuple[float, float]
    ) -> ClusterWalk:
        sums, holds = np.zeros((2, 2, clusters)), np.zeros((2, clusters), dtype=np.bool_)
        return cls(term.begin(pos, neg), unit, sums[0], sums[1], holds[0], holds[1])

    def note(self, cluster: NDArray[np.int64], positive: NDArray[np.bool_]) -> None:
        self.holds_row[cluster] = True
        self.holds_positive[cluster[positive]] = True

    def add(
        self,
        score: NDArray[Any],
        starts: NDArray[np.intp],
        cluster: NDArray[np.int64],
        pos: NDArray[Any],
        neg: NDArray[Any],
    ) -> None:
        """Add weights of rows of complete groups with the scores ``score``.

        Each group begins at one of the ``starts``.
        """
        weights = [each * unit for each, unit in zip((pos, neg), self.unit, strict=True)]
        groups = ScoreCounts(score, *(np.add.reduceat(each, starts) for each in weights))
        size = np.diff(starts, append=len(cluster))
        for i, x in enumerate(self.walk.step(groups)):
            np.add.at(self.weight[i], cluster, weights[i])
            np.add.at(self.known[i], cluster, weights[i] * np.repeat(x, size))

    def spread(
        self, turns: tuple[tuple[float, float], tuple[float, float]], totals: tuple[float, float]
    ) -> Spread:
        """The influences of clusters on the value; see `Spread.of`."""
        sums = [
            factor * known + constant * weight
            for (factor, constant), known, weight in zip(
                turns, self.known, self.weight, strict=True
            )
        ]
        there = self.holds_row
        pos, neg = (each[None, there] for each in sums)
        return spread_of_clusters(pos, neg, self.weight[:, there], totals)

    def units(
        self, spread: Spread, totals: tuple[float, float], value: float, largest: float
    ) -> Units:
        """The shares of clusters in the weight of each class, and in the loss to either end."""
        shares = [
            weight[self.holds_row] / total
            for weight, total in zip(self.weight, totals, strict=True)
        ]
        misplaced = [
            as_rare(carriers(*lost_and_kept(moved[0], share, value, largest)),
                    float(np.count_nonzero(share)))
            for moved, share in zip((spread.pos, spread.neg), shares, strict=True)
        ]  # fmt: skip
        return Units.of_shares(shares[0], shares[1], min(misplaced))


def spread_of_clusters(
    pos: _FLOATS, neg: _FLOATS, weight: _FLOATS, totals: tuple[float, float]
) -> Spread:
    """Return the spread from sums by cluster of weighted influences, one line per score, and of
    weights by class.
    """
    sizes = [float(np.count_nonzero(each)) for each in weight]
    units = float(pos.shape[1])
    of_pos, of_neg, of_both = (unbiased(size) for size in (*sizes, units))
    parts = pos / totals[0], neg / totals[1]
    return Spread(*parts, (of_pos, of_neg, of_both), units, "together")


@dataclass(frozen=True, slots=True)
class PlacementTerm:
    """The AUC: each row counts the share of the other class on its correct side."""

    @property
    def centred(self) -> bool:
        return True

    def begin(
        self, pos: float, neg: float, below: tuple[float, float] = (0.0, 0.0)
    ) -> PlacementWalk:
        return PlacementWalk(pos, neg, below)

    def places(self, pos: int, neg: int) -> Places:  # noqa: ARG002 -- its summary certifies it
        return NO_PLACES

    def weighed(self, rows: tuple[int, int], unit: float) -> PlacementTerm:  # noqa: ARG002
        return self


@dataclass(slots=True, eq=False)
class PlacementWalk:
    pos: float
    neg: float
    below: tuple[float, float] = (0.0, 0.0)
    won: float = 0.0

    def step(self, groups: ScoreCounts) -> tuple[_FLOATS, _FLOATS]:
        pos, neg = groups.pos, groups.neg
        below_pos, below_neg = self.below[0] + np.cumsum(pos), self.below[1] + np.cumsum(neg)
        of_pos = (below_neg - neg / 2) / self.neg
        of_neg = (below_pos - pos / 2) / self.pos
        self.won += dot(pos, of_pos)
        self.below = float(below_pos[-1]), float(below_neg[-1])
        return of_pos, of_neg

    def then(self, following: PlacementWalk) -> tuple[float, float]:
        self.won += following.won
        self.below = following.below
        return 0.0, 0.0

    def end(self) -> Ended:
        return Ended(self.won / self.pos, (1.0, 0.0), (-1.0, 1.0))
