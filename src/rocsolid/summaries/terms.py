"""What a measure adds up while the rows of a score go by, lower scores first, in bounded memory.

A measure that is a sum over groups of equal scores needs of each group its positives and negatives,
those of all rows, and those below it. How a row influences such a measure is then known when the
row goes by, up to one factor and one constant for its class that only the end tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread, unbiased
from rocsolid.summaries.strata import NO_VARIANCE, Parts

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ended:
    """The value, and the factor and the constant that turn what a walk gave into influences.

    ``details`` are what else its measure reads of the walk.
    """

    value: float
    pos: tuple[float, float]
    neg: tuple[float, float]
    details: Any = None


class Walk(Protocol):
    """A walk up the scores of one sample."""

    def step(self, pos: _FLOATS, neg: _FLOATS) -> tuple[_FLOATS, _FLOATS]:
        """What a positive and a negative of each group are known to add, from the next groups."""
        ...

    def then(self, following: Self) -> tuple[float, float]:
        """On to where a walk ended that began here: see ``below`` in `Term.begin`.

        What is returned is missing in what that walk gave of a positive and of a negative.
        """
        ...

    def end(self) -> Ended:
        """After the last group."""
        ...


class Term(Protocol):
    """A measure as a sum over groups of equal scores; equal terms are one."""

    @property
    def centred(self) -> bool:
        """Whether the sizes of the classes are fixed; see `Spread.of`."""
        ...

    def begin(self, pos: float, neg: float, below: tuple[float, float] = (0.0, 0.0)) -> Walk:
        """A walk up the scores of so many positives and negatives, or such sums of weights.

        It begins above as many as are ``below``, with nothing added up.
        """
        ...

    def places(self, size: int) -> NDArray[np.int64]:
        """Places from 0 in a class of that size, lowest first, whose scores a certificate reads."""
        ...

    def weighed(self, rows: int, unit: float) -> Term:
        """An equal term for a sample in which so many rows weigh more than 0.

        ``unit`` is what a weight of 1 comes to in the sums that a walk is given.
        """
        ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class RankedClass:
    """A class of which the scores at some places are known: it answers as all of them would.

    ``score`` ascends, ``below`` rows of the class lie below each and ``size`` there are in all. It
    may be read at the known places alone, and searched for scores that are known here alone.

    >>> some = RankedClass(np.array([1.0, 4.0]), np.array([0, 7]), 9)
    >>> len(some), some[np.array([6, 8])], some.searchsorted(np.array([4.0, 5.0]))
    (9, array([1., 4.]), array([7, 9]))
    """

    score: NDArray[Any]
    below: NDArray[np.int64]
    size: int

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, place: NDArray[np.int64]) -> NDArray[Any]:
        return np.asarray(self.score[np.searchsorted(self.below, place, side="right") - 1])

    def searchsorted(self, score: NDArray[Any]) -> NDArray[np.int64]:
        """How many rows of the class lie below."""
        return np.append(self.below, self.size)[np.searchsorted(self.score, score)]


@dataclass(frozen=True, slots=True, eq=False)
class RankedClasses:
    """Both classes at the places that a certificate reads."""

    pos: RankedClass
    neg: RankedClass


@dataclass(frozen=True, slots=True, eq=False)
class TermSums:
    """A measure of a sample whose rows went by: its value and how it varies.

    ``own`` is its variance by class, ``alone`` that of rows which are independent, whatever their
    clusters. ``trials`` are the effective numbers of positives and of negatives, and ``weighs`` the
    sums of their weights; ``held`` is how many clusters have a positive. ``reached`` is the
    effective number of rows when each counts with what the walk gave of it, where that is a share.
    ``ranked`` is known of independent rows of equal weight.
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


@dataclass(slots=True)
class _Squares:
    """Σq(x − r)^k for k = 0, 1 and 2 about a reference r near the weighted mean, and Σw and Σwx."""

    weight: float = 0.0
    weighted: float = 0.0
    reference: float = 0.0
    sums: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def add(self, weight: _FLOATS, square: _FLOATS, x: _FLOATS) -> None:
        """Groups of so much weight and of so large a sum of squared weights."""
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
        """With other groups, to each of whose x something is added."""
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
        """Σqx."""
        return self.sums[1] + self.reference * self.sums[0]

    def variance(self, factor: float, constant: float, *, centred: bool) -> float:
        """Of the class's part of the estimate, as `Spread` has it."""
        zeroth, first, second = self.sums
        away = self.reference - self.middle if centred else self.reference
        constant = 0.0 if centred else constant
        shift = factor * away + constant
        square = factor**2 * second + 2.0 * factor * shift * first + shift**2 * zeroth
        return max(square, 0.0) / self.weight**2 * unbiased(self.effective)


@dataclass(slots=True, eq=False)
class _Kept:
    """The scores at some places of a class, and how many rows lie below each."""

    places: NDArray[np.int64]
    below: int = 0

    def at(self, count: NDArray[np.int64]) -> NDArray[np.int64]:
        """Which of the next groups hold a place."""
        through = self.below + np.cumsum(count)
        first, last = np.searchsorted(self.places, [self.below, through[-1]])
        return np.searchsorted(through, self.places[first:last], side="right")


@dataclass(slots=True, eq=False)
class TermWalk:
    """One term along the groups of a sample, and its variance."""

    term: Term
    walk: Walk
    kept: tuple[_Kept, _Kept] | None
    pos: _Squares = field(default_factory=_Squares)
    neg: _Squares = field(default_factory=_Squares)
    _ranked: list[tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]] = field(
        default_factory=list
    )

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
        """Of so many rows, or such sums of weights; ``counted`` rows are independent and alike.

        It may begin above some of them, and be joined with what went by below by `then`.
        """
        kept = None
        if counted:
            kept = (
                _Kept(term.places(int(pos)), int(below[0])),
                _Kept(term.places(int(neg)), int(below[1])),
            )
        return cls(term, term.begin(pos, neg, below), kept)

    def add(self, weight: ScoreCounts, square: ScoreCounts) -> tuple[_FLOATS, _FLOATS]:
        """The next groups, each in full: sums of weights, and of their squares.

        What the walk gives of them is returned.
        """
        pos, neg = (np.asarray(each, dtype=np.float64) for each in (weight.pos, weight.neg))
        of_pos, of_neg = self.walk.step(pos, neg)
        self.pos.add(pos, np.asarray(square.pos, dtype=np.float64), of_pos)
        self.neg.add(neg, np.asarray(square.neg, dtype=np.float64), of_neg)
        if self.kept is not None:
            self._keep(self.kept, weight)
        return of_pos, of_neg

    def _keep(self, kept: tuple[_Kept, _Kept], table: ScoreCounts) -> None:
        own = kept[0].at(table.pos), kept[1].at(table.neg)
        at = np.unique(np.concatenate(own))
        below = [
            side.below + (np.cumsum(count) - count)[at]
            for side, count in zip(kept, (table.pos, table.neg), strict=True)
        ]
        self._ranked.append((table.score[at], below[0], below[1]))
        kept[0].below += int(table.pos.sum())
        kept[1].below += int(table.neg.sum())

    def then(self, following: TermWalk) -> tuple[float, float]:
        """With a walk that began where this one ended; see `Walk.then`."""
        moved = self.walk.then(following.walk)
        self.pos.then(following.pos, moved[0])
        self.neg.then(following.neg, moved[1])
        if following.kept is not None:
            self.kept = following.kept
            self._ranked += following._ranked
        return moved

    def turns(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """After the last group: what makes influences of what the walk gave, centred if need be."""
        ended = self.walk.end()
        if not self.term.centred:
            return ended.pos, ended.neg
        return (
            (ended.pos[0], -ended.pos[0] * self.pos.middle),
            (ended.neg[0], -ended.neg[0] * self.neg.middle),
        )

    def end(self, clusters: ClusterWalk | None = None) -> TermSums:
        """After the last group; ``clusters`` went the same way."""
        ended = self.walk.end()
        turns, sides = (ended.pos, ended.neg), (self.pos, self.neg)
        parts = [
            side.variance(*turn, centred=self.term.centred)
            for side, turn in zip(sides, turns, strict=True)
        ]
        sizes = self.pos.effective, self.neg.effective
        alone = own = _parts(parts, sizes)
        held = None
        if clusters is not None:
            totals = self.pos.weight, self.neg.weight
            own = clusters.spread(self.turns(), totals).own(0)
            held = int(np.count_nonzero(clusters.holds_positive))
        ranked = None
        if self.kept is not None:
            score, pos, neg = (np.concatenate(each) for each in zip(*self._ranked, strict=True))
            ranked = RankedClasses(
                RankedClass(score, pos, self.kept[0].below),
                RankedClass(score, neg, self.kept[1].below),
            )
        weighs = self.pos.weight, self.neg.weight
        known, squares = self.pos.weighted + self.neg.weighted, self.pos.pulled + self.neg.pulled
        reached = known**2 / squares if squares > 0.0 else 0.0
        return TermSums(
            ended.value, own, alone, sizes, weighs, reached, held, ranked, ended.details
        )


def _parts(parts: Sequence[float], sizes: tuple[float, float]) -> Parts:
    total = sum(parts)
    if total <= NO_VARIANCE:  # rounding alone is left
        parts = [0.0, 0.0]
    first, second = (np.array([[part]]) for part in parts)
    return Parts((first, second), (sizes[0] - 1.0, sizes[1] - 1.0))


BYTES_OF_TERM = 50
"""What a cluster takes for each term that walks along."""


@dataclass(slots=True, eq=False)
class ClusterWalk:
    """The same walk with sums by cluster: of weights, and of weights times what is known of rows.

    ``unit`` turns the weights of either class into those that the walk began with.
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
        """Rows of these clusters come by, whatever they weigh."""
        self.holds_row[cluster] = True
        self.holds_positive[cluster[positive]] = True

    def add(
        self,
        starts: NDArray[np.intp],
        cluster: NDArray[np.int64],
        pos: NDArray[Any],
        neg: NDArray[Any],
    ) -> None:
        """Weights of rows of whole groups, each of which begins at one of the ``starts``."""
        weights = [each * unit for each, unit in zip((pos, neg), self.unit, strict=True)]
        groups = [np.add.reduceat(each, starts) for each in weights]
        size = np.diff(starts, append=len(cluster))
        for i, x in enumerate(self.walk.step(groups[0], groups[1])):
            np.add.at(self.weight[i], cluster, weights[i])
            np.add.at(self.known[i], cluster, weights[i] * np.repeat(x, size))

    def spread(
        self, turns: tuple[tuple[float, float], tuple[float, float]], totals: tuple[float, float]
    ) -> Spread:
        """How each cluster moves the value; see `Spread.of`."""
        sums = [
            factor * known + constant * weight
            for (factor, constant), known, weight in zip(
                turns, self.known, self.weight, strict=True
            )
        ]
        there = self.holds_row
        pos, neg = (each[None, there] for each in sums)
        return spread_of_clusters(pos, neg, self.weight[:, there], totals)


def spread_of_clusters(
    pos: _FLOATS, neg: _FLOATS, weight: _FLOATS, totals: tuple[float, float]
) -> Spread:
    """From sums by cluster of weights times influences, a row a score, and of weights by class."""
    sizes = [float(np.count_nonzero(each)) for each in weight]
    units = float(pos.shape[1])
    of_pos, of_neg, of_both = (unbiased(size) for size in (*sizes, units))
    parts = pos / totals[0], neg / totals[1]
    return Spread(*parts, (of_pos, of_neg, of_both), units, "together")


@dataclass(frozen=True, slots=True)
class PlacementTerm:
    """The AUC: each row counts the share of the other class that it is on the right side of."""

    @property
    def centred(self) -> bool:
        return True

    def begin(
        self, pos: float, neg: float, below: tuple[float, float] = (0.0, 0.0)
    ) -> PlacementWalk:
        return PlacementWalk(pos, neg, below)

    def places(self, size: int) -> NDArray[np.int64]:  # noqa: ARG002 -- its summary certifies it
        return np.zeros(0, dtype=np.int64)

    def weighed(self, rows: int, unit: float) -> PlacementTerm:  # noqa: ARG002
        return self


@dataclass(slots=True, eq=False)
class PlacementWalk:
    """A tie counts half."""

    pos: float
    neg: float
    below: tuple[float, float] = (0.0, 0.0)
    won: float = 0.0

    def step(self, pos: _FLOATS, neg: _FLOATS) -> tuple[_FLOATS, _FLOATS]:
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
