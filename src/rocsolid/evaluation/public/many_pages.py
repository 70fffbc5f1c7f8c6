"""The pages of many labelings at a time, as integers that are equal if and only if the pages are
equal.

The page of equally weighted rows is a function of three integer sums for each score and of the
positives above a few cuts. `without_audit` makes the page itself; a test compares the two.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.binary.inference import auto_name
from rocsolid.dataclass import dataclass
from rocsolid.evaluation.public.coarseness import CoarseCounts, Coarseness, coarse_counts
from rocsolid.evaluation.public.segments import RoundedResult, from_sizes
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult
from rocsolid.intervals.calibrated.auto import METHODS
from rocsolid.leaks.simulate import public_decimals
from rocsolid.results.interval import VALUE
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.score_counts import run_begins

_BOOLS = NDArray[np.bool_]
_INTS = NDArray[np.int64]
_FLOATS = NDArray[np.float64]
_Limits = tuple[_FLOATS, _FLOATS, _INTS]  # low, high, a number for the method

_NO_PAGE = -1
_EDGE = 1e-6  # a limit closer to an integer, in units, is rounded in exact arithmetic


@dataclass(frozen=True, eq=False)
class RankedRows:
    """Rows of the table in ascending order of a score, with the ends of their ties."""

    rows: NDArray[np.intp]
    begin: _INTS
    end: _INTS

    @classmethod
    def of(cls, scored: ScoreResult) -> RankedRows:
        score = scored.in_memory.score
        order = np.argsort(score)
        new = run_begins(score[order])
        run = np.cumsum(new) - 1
        begin = np.flatnonzero(new)
        end = np.append(begin[1:], len(score))
        at = np.arange(len(score)) if scored.kept is None else np.flatnonzero(scored.kept)
        return cls(at[order], begin[run], end[run])

    def seen(self, labels: _BOOLS) -> _INTS:
        """Return the positives among the lowest 0, 1, 2, ... rows; one row for each labeling."""
        seen = np.zeros((len(labels), len(self.rows) + 1), dtype=np.int64)
        np.cumsum(labels[:, self.rows], axis=1, out=seen[:, 1:])
        return seen

    def sums(self, labels: _BOOLS) -> PlacementSums:
        is_pos, seen = labels[:, self.rows], self.seen(labels)
        doubled = seen[:, self.begin] + seen[:, self.end]
        m = seen[:, -1]
        beaten = np.where(is_pos, self.begin + self.end - doubled, 0)
        lost = np.where(is_pos, 0, 2 * m[:, None] - doubled)
        squares = ((wins.astype(np.float64) ** 2).sum(axis=1) for wins in (beaten, lost))
        return PlacementSums(m, len(self.rows) - m, beaten.sum(axis=1), *squares)


@dataclass(frozen=True, eq=False)
class PlacementSums:
    """Class sizes, doubled wins and the sums of squares of both classes, for each labeling."""

    n_pos: _INTS
    n_neg: _INTS
    wins: _INTS
    pos_squares: _FLOATS
    neg_squares: _FLOATS

    @cached_property
    def moments(self) -> Moments:
        m, n, wins = (sums.astype(np.float64) for sums in (self.n_pos, self.n_neg, self.wins))
        return Moments(
            wins / (2 * m * n),
            _variance(m, wins, self.pos_squares, 2 * n),
            _variance(n, wins, self.neg_squares, 2 * m),
            m,
            n,
        )

    def __getitem__(self, some: NDArray[np.intp]) -> PlacementSums:
        return PlacementSums(
            self.n_pos[some], self.n_neg[some], self.wins[some],
            self.pos_squares[some], self.neg_squares[some],
        )  # fmt: skip


def _variance(count: _FLOATS, total: _FLOATS, squares: _FLOATS, scale: _FLOATS) -> _FLOATS:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(
            (count * squares - total * total) / (count * count * (count - 1.0) * scale * scale)
        )


class ManyPages:
    """Labelings, one per row, with a computable page at any coarseness without comparisons."""

    def __init__(self, evaluation: EvaluationNumbers, labels: _BOOLS) -> None:
        self.labels = labels
        self._options = evaluation.options
        self._parts = list(evaluation.parts)
        self._ranked = [RankedRows.of(part) for part in self._parts]
        self._sums = [ranked.sums(labels) for ranked in self._ranked]
        self._limits: dict[int, _Limits] = {}

    @cached_property
    def exist(self) -> _BOOLS:
        there = np.ones(len(self.labels), dtype=bool)
        name = self._options.interval
        if name in METHODS:
            for sums in self._sums:
                there &= ~np.broadcast_to(METHODS[name].unsound(sums.moments), there.shape)
        return there

    def keys(self, coarseness: Coarseness) -> _INTS:
        """Return a number for each labeling: equal if the pages are, -1 without a page."""
        key = np.zeros(len(self.labels), dtype=np.int64)
        for index in range(coarseness.scores):
            for column in self._columns(index, coarseness):
                code = np.unique(column, return_inverse=True)[1]
                # joined one by one, so that both numbers stay below that of the labelings
                key = np.unique(key * len(key) + code, return_inverse=True)[1]
        return np.where(self.exist, key, _NO_PAGE)

    def as_first(self, coarseness: Coarseness) -> _BOOLS:
        """Return a mask of the labelings that give the page of the first one.

        Limits take longest, so they are computed for the labelings with the other numbers alone.
        """
        alike: _BOOLS = self.exist & self.exist[0]
        for index in range(coarseness.scores):
            for column in self._counted(index, coarseness):
                alike &= column == column[0]
        for index in range(coarseness.scores):
            if self._has_limits(index, coarseness) and alike.any():
                left = np.flatnonzero(alike)
                limits = self._limits_of(self._sums[index][left])
                for column in self._rounded(index, coarseness, limits):
                    alike[left] &= column == column[0]
        return alike

    def _columns(self, index: int, coarseness: Coarseness) -> Iterator[_INTS]:
        yield from self._counted(index, coarseness)
        if self._has_limits(index, coarseness):
            if index not in self._limits:
                self._limits[index] = self._limits_of(self._sums[index])
            yield from self._rounded(index, coarseness, self._limits[index])

    def _counted(self, index: int, coarseness: Coarseness) -> Iterator[_INTS]:
        """Yield the value and the bins of the curve."""
        scored, (n_pos, n_neg) = self._parts[index], self._parts[index].sizes
        wins = self._sums[index].wins * 10 ** self._places(index, coarseness)
        yield rounded_half_even(wins, 2 * n_pos * n_neg)
        if coarseness.curve:
            counts = coarse_counts(scored.in_memory, coarseness.curve)
            if counts is not None:
                yield from self._bins(index, counts)

    def _places(self, index: int, coarseness: Coarseness) -> int:
        return coarseness.places(public_decimals(*self._parts[index].sizes))

    def _has_limits(self, index: int, coarseness: Coarseness) -> bool:
        return coarseness.limits and not self._parts[index].overall.interval.reads <= VALUE

    def _rounded(self, index: int, coarseness: Coarseness, limits: _Limits) -> Iterator[_INTS]:
        low, high, name = limits
        places = self._places(index, coarseness)
        yield outward(low, places, math.floor)
        yield outward(high, places, math.ceil)
        yield name

    def _limits_of(self, sums: PlacementSums) -> _Limits:
        options, moments = self._options, sums.moments
        low, high = METHODS[options.interval].limits(moments, options.level, options.alternative)
        name = np.zeros(len(sums.wins), dtype=np.int64)
        if options.interval == "auto":
            name = np.unique(auto_name(moments), return_inverse=True)[1].astype(np.int64)
        return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0), name

    def _bins(self, index: int, counts: CoarseCounts) -> Iterator[_INTS]:
        seen = self._ranked[index].seen(self.labels)
        for above in counts.above.tolist():
            positives = seen[:, -1] - seen[:, seen.shape[1] - 1 - above]
            least, most = max(0, above - counts.n_neg), min(above, counts.n_pos)
            span = most - least + 1
            yield (positives - least) * max(1, span // counts.step) // span


def limits_stay(moments: Moments, result: RoundedResult, options: Options) -> _BOOLS:
    """Return whether calibrated limits at these moments round to the published limits."""
    low, high = METHODS[options.interval].limits(moments, options.level, options.alternative)
    places, shown = 10.0**result.decimals, result.interval
    same = np.floor(low * places) == np.rint(shown.low * places)
    same &= np.ceil(high * places) == np.rint(shown.high * places)
    if options.interval == "auto":
        same &= auto_name(moments) == shown.method
    return np.asarray(same)


def in_integers(evaluation: EvaluationNumbers) -> bool:
    """Return whether `ManyPages` applies: AUCs of all rows with equal weights, and no segments."""
    name = evaluation.options.interval
    return (
        evaluation.segments is None
        and all(
            scored.rows is not None
            and scored.rows.weight is None
            and scored.rows.cluster is None
            and scored.kept is None
            and scored.measure.name == "auc"
            and from_sizes(scored.overall, "auc")
            and (name in METHODS or scored.overall.interval.reads <= VALUE)
            for scored in evaluation.by_score
        )
        and len(evaluation.by_score) == len(evaluation.parts)
    )


def rounded_half_even(numerator: _INTS, denominator: int) -> _INTS:
    """Round numerator/denominator to the nearest integer, a half to the even integer, exactly."""
    whole, rest = np.divmod(numerator, denominator)
    up = (2 * rest > denominator) | ((2 * rest == denominator) & (whole % 2 == 1))
    return np.asarray(whole + up)


def outward(limits: _FLOATS, places: int, rounding: object) -> _INTS:
    """Round a limit in units of the last place by ``math.floor`` or ``math.ceil``, exactly."""
    units = limits * 10.0**places
    rounded = (np.floor if rounding is math.floor else np.ceil)(units)
    near = np.flatnonzero(np.abs(units - np.rint(units)) < _EDGE)
    for at in near.tolist():
        exact = Fraction(float(limits[at])) * 10**places
        rounded[at] = math.floor(exact) if rounding is math.floor else math.ceil(exact)
    return rounded.astype(np.int64)
