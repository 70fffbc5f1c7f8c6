"""Influences of independent units on several values, and their covariance."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.summaries.moments import unbiased
from rocsolid.summaries.products import products

_FLOATS = NDArray[np.float64]
_CELLS = 1 << 17  # influences on differences in a block
_DIGITS = 9  # digits of influences that determine the order of units


@dataclass(frozen=True, slots=True, eq=False)
class Stratum:
    """Units drawn from one population: the positives, the negatives, all clusters, or queries.

    ``influence`` has a line for each value and a column for each unit; lines sum to 0. ``at`` are
    the indices of the values; other values do not depend on these units.
    """

    influence: _FLOATS
    at: tuple[int, ...]

    @classmethod
    def of_all(cls, influence: _FLOATS) -> Stratum:
        return cls(influence, tuple(range(len(influence))))

    @classmethod
    def of_means(cls, values: _FLOATS, at: tuple[int, ...] | None = None) -> Stratum:
        """Units whose values are averaged; the influence is the deviation from the mean over n."""
        size = values.shape[1]
        influence = (values - values.mean(axis=1, keepdims=True)) / size
        return cls(influence, tuple(range(len(values))) if at is None else at)

    @property
    def units(self) -> int:
        return int(self.influence.shape[1])

    def ordered(self) -> Stratum:
        """The units in an order that depends only on their influences, for seeded draws."""
        largest = np.abs(self.influence).max(axis=1, keepdims=True)
        scaled = self.influence / np.where(largest > 0.0, largest, 1.0)
        return Stratum(self.influence[:, np.lexsort(np.round(scaled, _DIGITS))], self.at)

    def pooled(self, units: int, draw: np.random.Generator) -> Stratum:
        """At most ``units`` units, each the sum of random ones, with the same expected variance and
        skewness.
        """
        if self.units <= units:
            return self
        order = draw.permutation(self.units)
        starts = np.arange(units) * self.units // units
        return Stratum(np.add.reduceat(self.influence[:, order], starts, axis=1), self.at)

    def differences(self, pairs: NDArray[np.intp]) -> tuple[NDArray[np.intp], _FLOATS]:
        """The pairs that depend on these units, and their influences on the differences.

        >>> one = Stratum(np.array([[1.0, -1.0], [0.5, -0.5]]), (0, 2))
        >>> one.differences(np.array([[0, 1], [2, 3]]))
        (array([0]), array([[ 0.5, -0.5]]))
        """
        row = np.full(max(int(pairs.max()), *self.at) + 1, len(self.at))
        row[list(self.at)] = np.arange(len(self.at))
        i, j = row[pairs]
        moved = np.flatnonzero((i < len(self.at)) | (j < len(self.at)))
        with_none = np.vstack([self.influence, np.zeros(self.units)])
        return moved, with_none[i[moved]] - with_none[j[moved]]


def skewness(strata: Sequence[Stratum], pairs: NDArray[np.intp]) -> _FLOATS:
    """Return the skewness Σp³/(Σp²)^{3/2} of each difference, with p the units' influences."""
    square, cube = np.zeros((2, pairs.shape[1]))
    for stratum in strata:
        for some in blocks_of(pairs, stratum.units):
            moved, influence = stratum.differences(pairs[:, some])
            at = some.start + moved
            squares = influence * influence
            square[at] += squares.sum(axis=1)
            cube[at] += np.einsum("ij,ij->i", squares, influence)
    return np.asarray(cube / np.where(square > 0.0, square, 1.0) ** 1.5)


def blocks_of(pairs: NDArray[np.intp], units: int) -> Iterator[slice]:
    """Yield blocks of pairs whose differences fit in the cache."""
    many = max(1, _CELLS // units)
    for start in range(0, pairs.shape[1], many):
        yield slice(start, min(start + many, pairs.shape[1]))


NO_VARIANCE = 1e-30
"""A variance that rounding alone can cause: placements have errors of some 1e-16, while one row of
10⁷ that is placed differently by half a row causes 1e-29."""
ROUNDING = 1e-12
"""The tolerance for equal sums of weights, for values between 0 and 1."""


def rounding(span: float) -> float:
    """`ROUNDING` for values that differ by up to ``span``, such as 100 for an enrichment at 1 %."""
    return ROUNDING * _scale(span)


def negligible(span: float) -> float:
    """`NO_VARIANCE` for values that differ by up to ``span``.

    >>> negligible(1.0), negligible(100.0)
    (1e-30, 1e-26)
    """
    return NO_VARIANCE * _scale(span) ** 2


def _scale(span: float) -> float:
    return max(span, 1.0) if math.isfinite(span) else 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Covariances that add up, such as those of two classes, with their degrees of freedom.

    ``most`` limits the overall degrees of freedom: for clusters with rows of both classes, the
    number of clusters minus one.

    >>> Parts((np.array([[1.0]]), np.array([[3.0]])), (9.0, 19.0)).df()
    27.36...
    """

    covariances: tuple[_FLOATS, ...]
    known: tuple[float, ...]
    most: float = np.inf

    @property
    def total(self) -> _FLOATS:
        return np.asarray(sum(self.covariances))

    def df(self) -> float:
        """Welch's degrees of freedom of one variance, V²/Σ(V_c²/ν_c); NaN without variance.

        Shares are squared instead of variances, which may underflow.
        """
        total = float(self.total[0, 0])
        if not total > 0.0:
            return float("nan")
        share = np.array([float(part[0, 0]) for part in self.covariances]) / total
        return min(float(1.0 / np.sum(share**2 / np.array(self.known))), self.most)


@dataclass(frozen=True, slots=True, eq=False)
class PairParts:
    """The variances of many differences: one line per part and one column per pair. See `Parts`.

    >>> both = PairParts(np.array([[1.0, 0.0], [3.0, 0.0]]), np.array([[9.0], [19.0]]))
    >>> both.total, both.df()
    (array([4., 0.]), array([27.36..., nan]))
    """

    variances: _FLOATS
    known: _FLOATS
    most: float = np.inf

    @classmethod
    def of(cls, parts: Sequence[Parts]) -> PairParts:
        """Build from the parts of each pair, which may depend on different units."""
        size = max(len(pair.known) for pair in parts)
        variances, known = np.zeros((size, len(parts))), np.full((size, len(parts)), np.inf)
        for column, pair in enumerate(parts):
            variances[: len(pair.known), column] = [part[0, 0] for part in pair.covariances]
            known[: len(pair.known), column] = pair.known
        return cls(variances, known, min(pair.most for pair in parts))

    @property
    def total(self) -> _FLOATS:
        return np.asarray(np.add.reduce(self.variances))

    def df(self) -> _FLOATS:
        total = self.total
        total = np.where(total > 0.0, total, np.nan)
        if len(self.variances) == 1:
            df = np.where(np.isnan(total), np.nan, self.known[0])
        else:
            df = 1.0 / np.add.reduce((self.variances / total) ** 2 / self.known)
        return np.minimum(df, self.most)


class Covariation(ABC):
    """The covariance of estimates, by any method.

    ``strata`` contains the influences of independent units, if known. Where a variance is NaN,
    ``unknown`` is the reason and ``instead`` the advice.
    """

    __slots__ = ()

    unknown: ClassVar[str] = (
        "DeLong's test needs at least two independent rows or clusters of each class"
    )
    instead: ClassVar[str] = "collect more rows, or use the certified interval of each score"

    @abstractmethod
    def covariance(self) -> _FLOATS: ...

    @abstractmethod
    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        """The covariance of differences of the i-th and the j-th estimate, by parts."""

    def each(self, pairs: NDArray[np.intp]) -> PairParts:
        """The variance of each difference separately."""
        return PairParts.of([self.apart([(i, j)]) for i, j in pairs.T.tolist()])

    @property
    def strata(self) -> tuple[Stratum, ...]:
        return ()

    @property
    def largest(self) -> _FLOATS | None:
        """The largest influence that a unit can have on each estimate, if known."""
        return None

    def sizes(self) -> Sequence[float]:
        """The number of units of the rarer kind for each value, if unseen ones may matter."""
        return ()


@dataclass(frozen=True, slots=True)
class Chosen(Covariation):
    spread: Covariation
    at: tuple[int, ...]

    def covariance(self) -> _FLOATS:
        return self.spread.covariance()[np.ix_(self.at, self.at)]

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        return self.spread.apart([(self.at[i], self.at[j]) for i, j in pairs])

    @property
    def largest(self) -> _FLOATS | None:
        largest = self.spread.largest
        return None if largest is None else largest[list(self.at)]


@dataclass(frozen=True, slots=True)
class Apart(Covariation):
    """Independent estimates: their variances, each with ``df`` degrees of freedom.

    ``units`` contains the strata of each, and ``most`` the largest influence of a unit on each.

    >>> Apart((1.0, 2.0), (9.0, 9.0)).apart([(0, 1)]).total
    array([[3.]])
    """

    variances: tuple[float, ...]
    df: tuple[float, ...]
    units: tuple[tuple[Stratum, ...], ...] = ()
    most: tuple[float, ...] = ()

    def covariance(self) -> _FLOATS:
        return np.diag(self.variances)

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        sign = np.zeros((len(pairs), len(self.variances)))
        for row, (i, j) in zip(sign, pairs, strict=True):
            row[i], row[j] = 1.0, -1.0
        used = np.flatnonzero(sign.any(axis=0))
        return Parts(
            tuple(self.variances[at] * np.outer(sign[:, at], sign[:, at]) for at in used),
            tuple(self.df[at] for at in used),
        )

    @property
    def strata(self) -> tuple[Stratum, ...]:
        return tuple(
            Stratum(stratum.influence, (at,))
            for at, own in enumerate(self.units)
            for stratum in own
        )

    @property
    def largest(self) -> _FLOATS | None:
        return np.array(self.most) if self.most else None


@dataclass(frozen=True, slots=True, eq=False)
class Replicated(Covariation):
    """Estimates on the same resamples, one column per model, with their sample covariance.

    ``df`` is the number of resampled units of the smaller class minus one.

    >>> Replicated(np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]), 9.0).covariance()
    array([[1., 0.],
           [0., 0.]])
    """

    values: _FLOATS
    df: float

    def covariance(self) -> _FLOATS:
        return _sample_covariance(self.values)

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        i, j = (list(side) for side in zip(*pairs, strict=True))
        covariance = _sample_covariance(self.values[:, i] - self.values[:, j])
        return Parts((covariance,), (self.df,))


def _sample_covariance(values: _FLOATS) -> _FLOATS:
    centred = values - values.mean(axis=0)
    return np.asarray(products(centred.T, centred.T) / (len(values) - 1.0))


@dataclass(frozen=True, slots=True, eq=False)
class StrataSpread(Covariation):
    """The covariance of values that are sums of means: over each class of rows, or over queries.

    The covariance is Σ n/(n − 1)·I Iᵀ over strata of n units with influences I.

    >>> spread = StrataSpread((Stratum.of_means(np.array([[0.0, 1.0, 2.0], [1.0, 1.0, 4.0]])),))
    >>> spread.covariance()
    array([[0.333..., 0.5       ],
           [0.5       , 1.        ]])
    """

    of: tuple[Stratum, ...]

    @property
    def strata(self) -> tuple[Stratum, ...]:
        return self.of

    @property
    def values(self) -> int:
        return 1 + max(max(stratum.at) for stratum in self.of)

    @property
    def largest(self) -> _FLOATS:
        """The largest absolute influence of a unit on each value."""
        out = np.zeros(self.values)
        for stratum in self.of:
            at = list(stratum.at)
            out[at] = np.maximum(out[at], np.abs(stratum.influence).max(axis=1))
        return out

    def covariance(self) -> _FLOATS:
        total = np.zeros((self.values, self.values))
        for stratum in self.of:
            total[np.ix_(stratum.at, stratum.at)] += _covariance(stratum.influence)
        return total

    def apart(self, pairs: Sequence[tuple[int, int]]) -> Parts:
        """The covariance of differences of the i-th and the j-th value, by stratum."""
        parts = []
        for stratum in self.of:
            moved, influence = stratum.differences(np.array(pairs).T)
            part = np.zeros((len(pairs), len(pairs)))
            part[np.ix_(moved, moved)] = _covariance(influence)
            parts.append(part)
        return Parts(tuple(parts), tuple(stratum.units - 1.0 for stratum in self.of))

    def each(self, pairs: NDArray[np.intp]) -> PairParts:
        variances = np.zeros((len(self.of), pairs.shape[1]))
        for row, stratum in zip(variances, self.of, strict=True):
            for some in blocks_of(pairs, stratum.units):
                moved, influence = stratum.differences(pairs[:, some])
                row[some.start + moved] = unbiased(stratum.units) * np.einsum(
                    "ij,ij->i", influence, influence
                )
        return PairParts(variances, np.array([[stratum.units - 1.0] for stratum in self.of]))


def _covariance(influence: _FLOATS) -> _FLOATS:
    return np.asarray(unbiased(influence.shape[1]) * products(influence, influence))
