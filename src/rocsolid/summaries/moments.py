"""Moments of the AUC, and the distribution of weight over independent units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.products import dot

_FLOATS = NDArray[np.float64]
_WORSE = 0.25  # share of 1/count for unseen clusters that are worse; chosen by simulation
Numbers = float | _FLOATS


@dataclass(frozen=True, slots=True)
class Units:
    """The effect of weights, or of sizes of clusters, on the degrees of freedom.

    A unit with the share s of its class's weight has the share t = s²/Σs² of the variance of its
    class. ``pos`` and ``neg`` are Σt² of each class, and ``both`` is Σt₊t₋ over clusters with rows
    of both classes. ``misplaced`` is the effective number of misplaced rows in clusters
    (`as_rare`). ``unseen`` is `unseen_share`. ``effective`` is 1/Σs² of each class.
    """

    pos: Numbers
    neg: Numbers
    both: Numbers = 0.0
    misplaced: Numbers | None = None
    unseen: Numbers = field(default=0.0, repr=False)
    effective: tuple[float, float] | None = field(default=None, repr=False)

    @classmethod
    def of_shares(cls, pos: _FLOATS, neg: _FLOATS, misplaced: float | None = None) -> Units:
        """Build from each cluster's share of the weight of each class.

        >>> Units.of_shares(np.full(4, 0.25), np.array([0.5, 0.5, 0.0, 0.0]))
        Units(pos=0.25, neg=0.5, both=0.25, misplaced=None)
        """
        squares = dot(pos, pos), dot(neg, neg)
        of_pos, of_neg = pos**2 / squares[0], neg**2 / squares[1]
        return cls(
            dot(of_pos, of_pos), dot(of_neg, of_neg), dot(of_pos, of_neg), misplaced,
            effective=(1.0 / squares[0], 1.0 / squares[1]),
        )  # fmt: skip

    def df(self, share: Numbers) -> _FLOATS:
        """Satterthwaite's ν, with ``share`` the positives' part p of the variance.

        1/ν = p²·g(Σt₊²) + q²·g(Σt₋²) + 2pq·g(Σt₊t₋) with q = 1 − p and g(x) = x/(1−x). The result
        is Welch's ν if no unit has rows of both classes, and C − 1 for C clusters with equal
        numbers of each class.

        >>> Units(1 / 40, 1 / 60).df(np.array([1.0, 0.0]))
        array([39., 59.])
        >>> Units(0.1, 0.1, 0.1).df(np.array([0.3]))
        array([9.])
        """
        rest = 1.0 - np.asarray(share)
        with np.errstate(divide="ignore", invalid="ignore"):
            lost = share**2 * _odds(self.pos) + rest**2 * _odds(self.neg)
            lost = lost + 2.0 * share * rest * _odds(self.both)
            return np.asarray(1.0 / np.maximum(lost, 0.0))

    def grown(self, times: _FLOATS) -> Units:
        """Multiply the units, with the same distribution of weight.

        >>> Units(0.1, 0.2, 0.05, 8.0).grown(np.array([2.0])).misplaced
        array([16.])
        """
        misplaced = None if self.misplaced is None else self.misplaced * times
        return Units(self.pos / times, self.neg / times, self.both / times, misplaced)


def unbiased(size: float) -> float:
    """Return k/(k−1); NaN for a class of one unit."""
    return size / (size - 1.0) if size > 1.0 + 1e-12 else float("nan")


def _odds(share: Numbers) -> _FLOATS:
    return np.asarray(share / (1.0 - np.asarray(share)))


def lost_and_kept(
    moved: _FLOATS, share: _FLOATS, value: float, largest: float
) -> tuple[_FLOATS, _FLOATS]:
    """Each cluster's contribution to ``largest`` − Â and to Â, from its influence ``moved``.

    Influences of a class are known up to a constant, which is set so that their mean is Â.

    >>> lost_and_kept(np.array([0.1, -0.1]), np.array([0.5, 0.5]), 0.6, 1.0)
    (array([0.1, 0.3]), array([0.4, 0.2]))
    """
    kept = moved + share * value
    return np.maximum(share * largest - kept, 0.0), np.maximum(kept, 0.0)


def carriers(lost: _FLOATS, kept: _FLOATS) -> float:
    """The effective number of clusters that carry the loss to the nearer end of the range.

    For a class, ``lost`` contains each cluster's contribution to 1 − Â and ``kept`` its
    contribution to Â. The number is (ΣL)²/ΣL², and 0 if nothing is lost.

    >>> carriers(np.array([0.1, 0.1, 0.0, 0.0]), np.array([0.15, 0.15, 0.25, 0.25]))
    2.0
    """
    return carried((float(lost.sum()), dot(lost, lost)), (float(kept.sum()), dot(kept, kept)))


def carried(*sides: tuple[float, float]) -> float:
    """`carriers` from ΣL and ΣL² on each side.

    >>> carried((0.5, 0.125), (0.5, 0.125)), carried((0.0, 0.0), (1.0, 0.25))
    (2.0, 0.0)
    """
    return min(total**2 / squares if squares > 0.0 else 0.0 for total, squares in sides)


def as_rare(carrying: float, count: float, times: float = 1.0) -> float:
    """The number of misplaced rows among many that would make a loss as uncertain as this loss.

    ``carrying`` of ``count`` clusters carry the loss (`carriers`), whose relative variance is
    1/carrying − 1/count. A quarter of 1/count is kept for unseen clusters that are worse. So ten
    centres that all misplace some rows count as forty, and one bad centre of fifty as one.
    ``times`` multiplies the variance.

    >>> as_rare(10.0, 10.0), round(as_rare(1.0, 50.0), 3), as_rare(0.0, 10.0)
    (40.0, 1.015, 0.0)
    >>> as_rare(10.0, 10.0, times=4.0), round(as_rare(4.0, 50.0, times=4.0), 3)
    (40.0, 1.081)
    """
    if carrying == 0.0:
        return 0.0
    return carrying / (times - (times - _WORSE) * carrying / count)


@dataclass(frozen=True, slots=True)
class Moments:
    """The AUC, the two parts of its variance, and the class sizes: scalars or equal-shaped arrays.

    With V10 the share of negatives below a positive and V01 the share of positives above a
    negative, ``var_pos`` is s²(V10)/m and ``var_neg`` is s²(V01)/n (NaN for a class of one row).
    Under weights the sizes are (Σw)²/Σw², and for clusters numbers of clusters.
    """

    auc: Numbers
    var_pos: Numbers
    var_neg: Numbers
    n_pos: Numbers
    n_neg: Numbers
    units: Units | None = field(default=None, kw_only=True)

    @property
    def variance(self) -> Numbers:
        return self.var_pos + self.var_neg

    @classmethod
    def stacked(cls, each: Sequence[Moments]) -> Moments:
        """The moments of several data sets as columns; all of them have units, or none."""
        units = [moments.units for moments in each if moments.units is not None]
        return cls(
            *_columns(each, _NUMBERS), units=Units(*_columns(units, _OF_UNITS)) if units else None
        )

    def chosen(self, some: NDArray[np.intp]) -> Moments:
        def of_some(value: Any) -> Any:
            return value if value is None else value[some]

        units = self.units
        if units is not None:
            units = Units(*(of_some(getattr(units, name)) for name in _OF_UNITS))
        return Moments(*(of_some(getattr(self, name)) for name in _NUMBERS), units=units)


_NUMBERS = ("auc", "var_pos", "var_neg", "n_pos", "n_neg")
_OF_UNITS = ("pos", "neg", "both", "misplaced", "unseen")


def _columns(each: Sequence[Any], names: Sequence[str]) -> list[Any]:
    """An array for each name; ``None`` for a name without values."""
    columns = ([getattr(item, name) for item in each] for name in names)
    return [None if column[0] is None else np.array(column, dtype=float) for column in columns]


_HALF = 0.5 * (1.0 + 1e-9)  # allows for the rounding of sums


@dataclass(frozen=True, slots=True)
class ClassWeights:
    """The smallest, the largest and the sum of the weights of a class.

    ``rows`` of its rows have a weight above 0, from ``lightest`` on.
    """

    least: float
    most: float
    sum: float
    rows: int
    lightest: float

    @classmethod
    def of(cls, weight: NDArray[np.float64], count: NDArray[Any]) -> ClassWeights:
        """Build from kinds of rows and their counts.

        >>> ClassWeights.of(np.array([0.0, 1.0, 2.0, 9.0]), np.array([5, 3, 1, 0]))
        ClassWeights(least=0.0, most=2.0, sum=5.0, rows=4, lightest=1.0)
        """
        kept = weight[np.flatnonzero(count)]
        least, most = kept.min(initial=np.inf), kept.max(initial=-np.inf)
        rows, lightest = int(count[weight > 0.0].sum()), kept[kept > 0.0].min(initial=np.inf)
        return cls(float(least), float(most), dot(weight, count), rows, float(lightest))

    def __add__(self, other: ClassWeights) -> ClassWeights:
        return ClassWeights(
            min(self.least, other.least), max(self.most, other.most),
            self.sum + other.sum, self.rows + other.rows, min(self.lightest, other.lightest),
        )  # fmt: skip


NO_WEIGHTS = ClassWeights(np.inf, -np.inf, 0.0, 0, np.inf)
"""The weights of a class without rows."""


def unseen_share(pos: ClassWeights, neg: ClassWeights, beyond: float) -> float:
    """The share of a class that an unseen row would have, as heavy as the other class's heaviest.

    ``beyond`` is the weight of all rows that are heavier than every row of one class. The share is
    0 unless most of the other class's weight is on such rows, although the light rows of both
    classes are alike: the sample then lacks heavy rows of this class. Weights that are set by
    class, and do not overlap, are no such case.

    >>> ones = ClassWeights.of(np.ones(50), np.ones(50))
    >>> unseen_share(ones, ClassWeights.of(np.array([1.0, 1.0, 50.0]), np.ones(3)), 50.0)
    0.5
    >>> unseen_share(ones, ClassWeights.of(np.array([0.0, 50.0, 50.0]), np.ones(3)), 100.0)
    0.0
    """
    light, heavy = (pos, neg) if pos.most < neg.most else (neg, pos)
    if heavy.lightest > light.most or not beyond > _HALF * heavy.sum:
        return 0.0
    return heavy.most / (light.sum + heavy.most)


def allowing(moments: Moments, pos: ClassWeights, neg: ClassWeights, beyond: float) -> Moments:
    """Moments of weighted rows with the unseen row of `unseen_share`."""
    if moments.units is None:
        return moments
    return replace(moments, units=replace(moments.units, unseen=unseen_share(pos, neg, beyond)))


def allowing_unseen(
    moments: Moments, weight: NDArray[np.float64], pos: NDArray[Any], neg: NDArray[Any]
) -> Moments:
    """`allowing`, from rows, or from kinds of rows and their counts by class."""
    of_pos, of_neg = ClassWeights.of(weight, pos), ClassWeights.of(weight, neg)
    heavier = weight > min(of_pos.most, of_neg.most)
    return allowing(moments, of_pos, of_neg, dot(weight[heavier], (pos + neg)[heavier]))


INT64 = 1 << 63
"""Sums below this number fit into 64-bit integers."""


def exact_dot(a: NDArray[Any], b: NDArray[Any], bound: int) -> int:
    """Return Σ ab of counts as a Python integer, in int64 if ``bound``, a limit of the sum, fits.

    >>> exact_dot(np.array([2**62, 1]), np.array([4, 1]), 2**64 + 1)
    18446744073709551617
    """
    if bound >= INT64:
        a, b = a.astype(object), b.astype(object)
    return int(np.dot(a, b))
