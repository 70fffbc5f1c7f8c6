"""Exact and weighted sums over placements within ranges of scores, which add up."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.binary_summary import MOST, Board
from rocsolid.summaries.moments import INT64, Moments, Units, exact_dot, unbiased
from rocsolid.summaries.placements import Placements, exact_sums, mirrored_squares
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts, total

_INT = NDArray[np.int64]
_FLOAT = 1 << 53  # whole numbers up to here are floats too


def _none() -> _INT:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Staircase:
    """Rows in ascending order of score: a step is a tie of both classes or a run of one class.

    With at most ``MOST`` rows in one class there are at most 2·``MOST`` + 1 steps.

    >>> low = Staircase.of(np.array([0, 0]), np.array([3, 2]))
    >>> high = Staircase.of(np.array([0, 1]), np.array([1, 1]))
    >>> low.then(high).pos.tolist(), low.then(high).neg.tolist()
    ([0, 1], [6, 1])
    """

    pos: _INT = field(default_factory=_none)
    neg: _INT = field(default_factory=_none)

    @classmethod
    def of(cls, pos: _INT, neg: _INT) -> Staircase | None:
        """The steps of counts by score; ``None`` if both classes have more than ``MOST`` rows."""
        sizes = total(pos), total(neg)
        if min(sizes) > MOST or max(sizes) > _FLOAT:
            return None
        # a run of one class continues if the next score has rows of that class only
        goes_on = ((pos[1:] == 0) & (pos[:-1] == 0)) | ((neg[1:] == 0) & (neg[:-1] == 0))
        starts = np.flatnonzero(np.concatenate([[True], ~goes_on])) if len(pos) else _none()
        if len(starts) < len(pos):
            pos, neg = np.add.reduceat(pos, starts), np.add.reduceat(neg, starts)
        return cls(pos, neg)

    def then(self, higher: Staircase) -> Staircase | None:
        """The steps with rows that all lie above these."""
        pos, neg = (self.pos, higher.pos), (self.neg, higher.neg)
        return Staircase.of(np.concatenate(pos), np.concatenate(neg))

    @property
    def board(self) -> Board:
        rows, columns = self.pos, self.neg
        if rows.sum() > columns.sum():
            rows, columns = columns[::-1], rows[::-1]
        below = np.cumsum(columns) - columns
        return Board(np.repeat(below, rows), np.repeat(columns, rows), int(columns.sum()))


@dataclass(frozen=True, slots=True)
class RangePlacements:
    """Sums over a range of scores, as Python integers of any size.

    ``below`` is the sum over positives of twice the number of negatives below in the range plus the
    number tied; ``under`` is the same for negatives among positives; both also squared. ``ties`` is
    the number of tied pairs. ``staircase`` contains the ROC curve while one class has few rows.

    >>> a = RangePlacements.of(ScoreCounts(np.array([1]), np.array([1]), np.array([2])))
    >>> b = RangePlacements.of(ScoreCounts(np.array([2, 3]), np.array([1, 0]), np.array([0, 1])))
    >>> a.then(b).placements.ratio
    (6, 12)
    """

    n_pos: int = 0
    n_neg: int = 0
    below: int = 0
    below_squares: int = 0
    under: int = 0
    under_squares: int = 0
    ties: int = 0
    staircase: Staircase | None = field(default=Staircase(), compare=False, repr=False)

    @classmethod
    def of(cls, table: ScoreCounts) -> RangePlacements:
        """Build from the table of distinct scores of the range; counts of any size stay exact."""
        m, n = int(table.n_pos), int(table.n_neg)
        pos, neg = table.pos, table.neg
        if max(m, n) >= INT64 // 4:
            pos, neg = pos.astype(object), neg.astype(object)
        below, below_squares = exact_sums(pos, 2 * np.cumsum(neg) - neg)
        under, under_squares = exact_sums(neg, 2 * np.cumsum(pos) - pos)
        ties = exact_dot(pos, neg, m * n)
        stairs = Staircase.of(table.pos, table.neg)
        return cls(m, n, below, below_squares, under, under_squares, ties, stairs)

    def then(self, higher: RangePlacements) -> RangePlacements:
        """The sums with a higher range, all of whose rows are above these."""
        m, n = 2 * self.n_pos, 2 * self.n_neg
        stairs = None
        if self.staircase is not None and higher.staircase is not None:
            stairs = self.staircase.then(higher.staircase)
        return RangePlacements(
            self.n_pos + higher.n_pos,
            self.n_neg + higher.n_neg,
            self.below + higher.below + n * higher.n_pos,
            self.below_squares + higher.below_squares + 2 * n * higher.below + n * n * higher.n_pos,
            self.under + higher.under + m * higher.n_neg,
            self.under_squares + higher.under_squares + 2 * m * higher.under + m * m * higher.n_neg,
            self.ties + higher.ties,
            stairs,
        )

    @property
    def board(self) -> Board | None:
        """The board of a range with all rows, if one class has few rows."""
        return None if self.staircase is None else self.staircase.board

    @property
    def placements(self) -> Placements:
        m, n = self.n_pos, self.n_neg
        squares = mirrored_squares(self.under, self.under_squares, m, n)
        return Placements(m, n, self.below, self.below_squares, squares, self.ties)


_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Side:
    """For rows of one class with weights w: Σw·B, the mean of B under w², and Σw²(B − mean)².

    B is the other class's weight on one side of the row, plus half of the tied weight. Squares
    about their own mean add up without cancellation.
    """

    sum: float = 0.0
    mean: float = 0.0
    spread: float = 0.0

    def moved(self, by: float, weight: float) -> Side:
        """The sums after ``by`` is added to every B; ``weight`` is Σw."""
        return Side(self.sum + by * weight, self.mean + by, self.spread)

    def joined(self, added: Side, own: float, others: float) -> Side:
        """The sums with other rows; ``own`` and ``others`` are Σw² (Chan, Golub, LeVeque 1983)."""
        total = self.sum + added.sum
        if not own or not others:
            rest = self if own else added
            return Side(total, rest.mean, rest.spread)
        gap = added.mean - self.mean
        share = others / (own + others)
        spread = self.spread + added.spread + gap * gap * own * share
        return Side(total, self.mean + gap * share, spread)


@dataclass(frozen=True, slots=True)
class OneClass:
    """The rows of one class in a range: Σw, Σw², Σw⁴, and the other class's weight on each side."""

    weight: float = 0.0
    squares: float = 0.0
    fourths: float = 0.0
    low: Side = Side()
    high: Side = Side()

    def among(self, below: float, above: float) -> OneClass:
        """The rows with additional weight of the other class below and above the range."""
        low, high = self.low.moved(below, self.weight), self.high.moved(above, self.weight)
        return OneClass(self.weight, self.squares, self.fourths, low, high)

    def __add__(self, other: OneClass) -> OneClass:
        return OneClass(
            self.weight + other.weight,
            self.squares + other.squares,
            self.fourths + other.fourths,
            self.low.joined(other.low, self.squares, other.squares),
            self.high.joined(other.high, self.squares, other.squares),
        )

    @property
    def effective(self) -> float:
        """The effective number of rows, (Σw)²/Σw²."""
        return self.weight**2 / self.squares

    def variance(self, other_weight: float) -> float:
        """Return k/(k−1)·Σw²(V − mean)²/(Σw)², V = B/``other_weight``, k `effective`.

        The side with small B is used, because near an end of the range of the AUC the other side
        loses digits.
        """
        side = self.low if self.low.sum <= self.high.sum else self.high
        off = side.mean - side.sum / self.weight
        deviations = (side.spread + self.squares * off * off) / other_weight**2
        return unbiased(self.effective) * deviations / self.weight**2


@dataclass(frozen=True, slots=True)
class RangeWeights:
    """Weighted placements within a range of scores.

    >>> score, once = np.array([1.0, 2.0, 3.0]), np.ones(3)
    >>> table = ScoreCounts(score, np.array([0.0, 1.0, 0.0]), np.array([3.0, 0.0, 1.0]))
    >>> squares = ScoreCounts(score, np.array([0.0, 1.0, 0.0]), np.array([9.0, 0.0, 1.0]))
    >>> fourths = ScoreCounts(score, squares.pos**2, squares.neg**2)
    >>> RangeWeights.of(table, squares, fourths).moments.auc
    0.75
    """

    pos: OneClass = OneClass()
    neg: OneClass = OneClass()

    @classmethod
    def of(cls, table: ScoreCounts, squares: ScoreCounts, fourths: ScoreCounts) -> RangeWeights:
        """Build from the weights of each distinct score and class, and their 2nd and 4th powers."""
        return cls(
            _one_class(table.pos, squares.pos, fourths.pos, table.neg),
            _one_class(table.neg, squares.neg, fourths.neg, table.pos),
        )

    def then(self, other: RangeWeights) -> RangeWeights:
        return RangeWeights(
            self.pos.among(0.0, other.neg.weight) + other.pos.among(self.neg.weight, 0.0),
            self.neg.among(0.0, other.pos.weight) + other.neg.among(self.pos.weight, 0.0),
        )

    @property
    def moments(self) -> Moments:
        """The AUC and DeLong's variance under weights; see `WeightedPlacements.moments`."""
        pos, neg = self.pos, self.neg
        pairs = pos.weight * neg.weight
        near_one = pos.high.sum < pos.low.sum
        auc = 1.0 - pos.high.sum / pairs if near_one else pos.low.sum / pairs
        return Moments(
            min(max(auc, 0.0), 1.0),
            pos.variance(neg.weight),
            neg.variance(pos.weight),
            pos.effective,
            neg.effective,
            units=Units(pos.fourths / pos.squares**2, neg.fourths / neg.squares**2),
        )

    @property
    def squared_shares(self) -> float:
        """The value Σ(u/Σu)² + Σ(v/Σv)², for the certified interval."""
        return 1.0 / self.pos.effective + 1.0 / self.neg.effective


def _one_class(
    own: NDArray[Any], squares: NDArray[Any], fourths: NDArray[Any], other: NDArray[Any]
) -> OneClass:
    below = np.cumsum(other) - 0.5 * other
    above = np.cumsum(other[::-1])[::-1] - 0.5 * other
    return OneClass(
        float(own.sum()), float(squares.sum()), float(fourths.sum()),
        _side(own, squares, below), _side(own, squares, above),
    )  # fmt: skip


def _side(own: _FLOATS, squares: _FLOATS, other: _FLOATS) -> Side:
    total = float(squares.sum())
    mean = dot(squares, other) / total if total else 0.0
    off = other - mean
    return Side(dot(own, other), mean, dot(squares, off * off))
