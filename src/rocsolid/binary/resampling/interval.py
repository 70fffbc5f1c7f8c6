"""Schemes of resampling, and bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import known, whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.bootstrap.bootstrap import (
    PERCENTILE_SOURCE,
    acceleration,
    bca,
    percentile,
    studentised_logit,
)
from rocsolid.intervals.bootstrap.bootstrap import SOURCE as BCA_SOURCE
from rocsolid.intervals.bootstrap.bootstrap import STUDENTISED_SOURCE as LOGIT_SOURCE
from rocsolid.intervals.calibrated.standard_error import tail
from rocsolid.parameters import Scheme as Scheme
from rocsolid.results import Alternative

_CHUNK = 1 << 18  # counts in a block, which fit in the cache
_CELLS = 256
_NEGLIGIBLE = 1e-18


def poisson_counts(
    draw: np.random.Generator, mean: float, shape: tuple[int, int]
) -> NDArray[np.uint8]:
    """Counts with P(k) = e^-μ μ^k / k!, for a mean of at most 1.

    The distribution is a mixture of two parts (Walker, ACM Transactions on Mathematical Software 3
    (1977), 253-256). Each count k owns ⌊256 P(k)⌋ of the 256 values of a random byte. The few
    remaining values require a second draw, with 53 bits, from the remainders of the probabilities.

    >>> from rocsolid.summaries.stream import stream
    >>> counts = poisson_counts(stream(0), 1.0, (1000, 1000))
    >>> print(f"{counts.mean():.3f} {counts.var():.3f}")
    0.998 0.997
    """
    owned, left = _split(mean)
    starts = np.cumsum(owned)
    known = int(starts[-1])  # bytes from here on require the second draw
    starts = starts[: int(np.count_nonzero(owned)) - 1]
    size = shape[0] * shape[1]
    out = np.zeros(size, dtype=np.uint8)
    for begin in range(0, size, _CHUNK):
        counts = out[begin : begin + _CHUNK]
        words = draw.integers(0, 1 << 64, size=-(-len(counts) // 8), dtype=np.uint64)
        byte = words.view(np.uint8)[: len(counts)]
        for start in starts.tolist():
            counts += byte >= start
        if known < _CELLS:
            at = np.flatnonzero(byte >= known)
            counts[at] = np.searchsorted(left, draw.random(len(at)), side="right")
    return out.reshape(shape)


def _split(mean: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    chances = [math.exp(-mean)]
    while chances[-1] > _NEGLIGIBLE and mean > 0.0:
        chances.append(chances[-1] * mean / len(chances))
    cells = _CELLS * np.array(chances)
    owned = np.floor(cells).astype(np.int64)
    left = np.cumsum(cells - owned)
    # the last count has no bound, which no draw from [0, 1) could exceed
    return owned, left[:-1] / left[-1] if left[-1] > 0.0 else left[:-1]


_SPARE = 4.0
"""Standard deviations by which the mean Poisson total is below the number of draws."""


def multinomial_counts(draw: np.random.Generator, units: int, columns: int) -> NDArray[np.uint8]:
    """Counts of ``units`` draws from ``units`` equally likely units, one column per resample.

    Given their total S, independent Poisson counts are S draws with replacement. So Poisson counts
    with a mean slightly below 1, plus n − S single draws, are n draws for every S. A column with S
    > n is drawn again, a decision that depends only on S. A count never reaches 256: the chance is
    below 1/255! for more than 255 units.

    >>> from rocsolid.summaries.stream import stream
    >>> multinomial_counts(stream(0), 4, 3).sum(axis=0).tolist()
    [4, 4, 4]
    """
    mean = max(0.0, 1.0 - _SPARE / math.sqrt(units))
    counts = poisson_counts(draw, mean, (units, columns))
    total = column_sums(counts)
    while (over := np.flatnonzero(total > units)).size:
        anew = poisson_counts(draw, mean, (units, len(over)))
        counts[:, over], total[over] = anew, column_sums(anew)
    column = np.repeat(np.arange(columns), units - total)
    row = draw.integers(0, units, size=len(column))
    one = np.uint8(1)  # np.add.at is slow for another type
    np.add.at(counts.reshape(-1), row * columns + column, one)
    return counts


def column_sums(counts: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The sums over rows, through 16-bit sums of 256 rows, which cannot overflow.

    >>> column_sums(np.array([[255, 1], [255, 2]], dtype=np.uint8))
    array([510,   3])
    """
    whole = len(counts) // 256 * 256
    short = counts[:whole].reshape(-1, 256, counts.shape[1]).sum(axis=1, dtype=np.uint16)
    rest = counts[whole:].sum(axis=0, dtype=np.int64)
    return np.asarray(short.sum(axis=0, dtype=np.int64) + rest)


_NAMES: tuple[Scheme, ...] = get_args(Scheme)
_UnitDraw = Callable[["np.random.Generator", int, int], NDArray[Any]]


def _poisson(draw: np.random.Generator, units: int, columns: int) -> NDArray[Any]:
    return poisson_counts(draw, 1.0, (units, columns))


def _bayesian(draw: np.random.Generator, units: int, columns: int) -> NDArray[Any]:
    return draw.standard_exponential((units, columns))


# the count of each unit (a row, or a cluster with all its rows) in a resample
_UNIT_DRAWS: dict[Scheme, _UnitDraw] = {
    "plain": multinomial_counts,
    "cluster": multinomial_counts,
    "poisson": _poisson,
    "bayesian": _bayesian,
}


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The count of each row in each resample (a column), by class, with column sums.

    Counts are uint8, but float64 under sample weights and for the Bayesian bootstrap.
    """

    pos: NDArray[Any]
    neg: NDArray[Any]
    pos_total: NDArray[Any]
    neg_total: NDArray[Any]

    def first(self, resamples: int) -> Drawn:
        if resamples >= self.pos.shape[1]:
            return self
        return Drawn(
            np.ascontiguousarray(self.pos[:, :resamples]),
            np.ascontiguousarray(self.neg[:, :resamples]),
            self.pos_total[:resamples],
            self.neg_total[:resamples],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Sampler:
    """``pos`` and ``neg`` are the rows of each class. "stratified" draws as many rows of each class
    as the data have; "plain" draws rows of either class; "cluster" draws whole clusters. "poisson"
    gives each unit an independent Poisson count of mean 1. "bayesian" gives each unit an
    independent exponential weight, so that shares within a class are Dirichlet (Rubin, Annals of
    Statistics 9 (1981), 130-134). The unit is the row, or the cluster if rows have clusters. A
    resample without rows of both classes has no AUC and is drawn again.
    """

    scheme: Scheme
    pos: NDArray[np.intp]
    neg: NDArray[np.intp]
    weight: NDArray[np.float64] | None
    cluster: NDArray[np.int64] | None

    @classmethod
    def of(cls, rows: BinaryRows, scheme: str | None) -> Sampler:
        """The default scheme is "cluster" for rows in clusters, else "stratified"."""
        weight = rows.weight
        if weight is not None:
            # equal weights cancel, so counts stay integers; the scale cancels too, and prevents
            # overflow of products
            weight = None if weight.min() == weight.max() else weight / weight.max()
        pos, neg = np.flatnonzero(rows.positive), np.flatnonzero(~rows.positive)
        return cls(scheme_for(rows, scheme), pos, neg, weight, rows.cluster)

    def draw(self, draw: np.random.Generator, columns: int) -> Drawn:
        drawn = self._once(draw, columns)
        while (bad := np.flatnonzero((drawn.pos_total == 0) | (drawn.neg_total == 0))).size:
            anew = self._once(draw, len(bad))
            drawn.pos[:, bad], drawn.neg[:, bad] = anew.pos, anew.neg
            drawn.pos_total[bad], drawn.neg_total[bad] = anew.pos_total, anew.neg_total
        return drawn

    def _once(self, draw: np.random.Generator, columns: int) -> Drawn:
        pos: NDArray[Any]
        neg: NDArray[Any]
        if self.scheme == "stratified":
            pos = multinomial_counts(draw, len(self.pos), columns)
            neg = multinomial_counts(draw, len(self.neg), columns)
        else:
            units = len(self.pos) + len(self.neg)
            at = (self.pos, self.neg)
            if self.cluster is not None:
                units = int(self.cluster.max()) + 1
                at = (self.cluster[self.pos], self.cluster[self.neg])
            counts = _UNIT_DRAWS[self.scheme](draw, units, columns)
            pos, neg = (counts[rows] for rows in at)
        if self.weight is not None:
            pos, neg = pos * self.weight[self.pos, None], neg * self.weight[self.neg, None]
        zeros = np.zeros((1, columns), dtype=pos.dtype)
        return Drawn(
            np.concatenate([pos, zeros]), np.concatenate([neg, zeros]), _sums(pos), _sums(neg)
        )


def check_scheme(scheme: str | None) -> Scheme | None:
    """Return the scheme if the name is known.

    >>> check_scheme("stratify")
    Traceback (most recent call last):
    rocsolid.errors.InputError: unknown scheme of resampling: 'stratify' (scheme). Fix: ...
    """
    if scheme is None:
        return None
    return cast(Scheme, known(scheme, _NAMES, "scheme of resampling", "scheme"))


def scheme_for(rows: BinaryRows, scheme: str | None) -> Scheme:
    known = check_scheme(scheme)
    if known is None:
        return "stratified" if rows.cluster is None else "cluster"
    if known == "cluster" and rows.cluster is None:
        raise InputError(
            "there are no clusters to resample", where="scheme", value=scheme, fix="give cluster="
        )
    if known in ("stratified", "plain") and rows.cluster is not None:
        raise UnsoundError(
            f"the {known} scheme draws rows one by one, as if those of a cluster were independent",
            where="scheme",
            fix='use scheme="cluster", "poisson" or "bayesian", which keep clusters whole',
        )
    return known


def _sums(counts: NDArray[Any]) -> NDArray[Any]:
    return column_sums(counts) if counts.dtype == np.uint8 else np.asarray(counts.sum(axis=0))


_FLOATS = NDArray[np.float64]

NAMES = ("bootstrap", "bootstrap-percentile", "bootstrap-bca", "bootstrap-logit")
"""The recommended method, and the methods it is chosen from."""


@dataclass(frozen=True, slots=True)
class Resampling:
    resamples: int = 2000
    seed: int = 0
    scheme: Scheme | None = None

    def check(self, interval: str) -> None:
        check_scheme(self.scheme)
        if self.scheme is not None and interval not in NAMES:
            raise InputError(
                f"the interval {interval!r} resamples nothing",
                where="scheme",
                value=self.scheme,
                fix='set interval="bootstrap", or leave the scheme out',
            )

    def settings(self, interval: str, clustered: bool = False) -> dict[str, int | str]:
        if interval not in NAMES:
            return {}
        scheme = self.scheme or ("cluster" if clustered else "stratified")
        # JSON does not accept NumPy's integers
        return {"resamples": int(self.resamples), "seed": int(self.seed), "scheme": scheme}

    def words(self, scheme: Scheme) -> str:
        return f"{self.resamples:,} resamples, seed {self.seed}, {scheme}"


@dataclass(frozen=True, slots=True, eq=False)
class Resampled:
    """A statistic between 0 and 1 with the inputs of bootstrap intervals.

    ``values`` returns the values of the resamples, ``moments`` the values and the variance in each
    if known, and ``influence`` the influence of each independent unit. ``recommended`` is the best
    method away from the ends of the range. ``near_boundary`` means that few rows determine the
    tail, where the limits ``unresampled`` hold. ``range`` is the range of possible values.
    """

    value: float
    variance: float
    recommended: str
    values: Callable[[], _FLOATS]
    moments: Callable[[], tuple[_FLOATS, _FLOATS]] | None
    influence: Callable[[], _FLOATS] | None
    near_boundary: bool
    unresampled: Callable[[], tuple[float, float]]
    range: tuple[float, float] = (0.0, 1.0)


def bootstrap_limits(
    sample: Resampled, name: str, level: float, alternative: Alternative, resamples: int
) -> tuple[float, float, str, str]:
    """The limits, the name of the method used, and its source.

    Near the ends of the range no bootstrap reaches its level; there "bootstrap" is the hull of BCa
    (or percentiles without BCa) and the interval "auto". The page on intervals has the coverages.
    """
    whole(resamples, "resamples")
    if (1.0 - tail(level, alternative)) * resamples < 1.0:
        raise InputError(
            f"{resamples} resamples do not reach into the tails of a {level:g} interval",
            where="resamples",
            value=resamples,
            fix="take 2,000 or more",
        )
    if name != "bootstrap":
        return (*_METHODS[name](sample, level, alternative), name, _SOURCES[name])
    if sample.near_boundary:
        best = "bootstrap-percentile" if sample.influence is None else "bootstrap-bca"
        low, high = _METHODS[best](sample, level, alternative)
        other_low, other_high = sample.unresampled()
        source = f"{_SOURCES[best]}; hull with the limits of interval auto"
        return min(low, other_low), max(high, other_high), "bootstrap (hull)", source
    best = sample.recommended
    low, high = _METHODS[best](sample, level, alternative)
    return low, high, f"bootstrap ({best.removeprefix('bootstrap-')})", _SOURCES[best]


def check_spread(values: _FLOATS) -> None:
    if float(np.ptp(values)) <= 1e-12:
        raise UnsoundError(
            "every resample has the same value, so the bootstrap cannot measure the spread",
            where=f"{len(values):,} resamples of value {values[0]:.6g}",
            fix='use interval="auto", which holds there, or read the certified interval',
        )


def _percentile(sample: Resampled, level: float, alternative: Alternative) -> tuple[float, float]:
    values = sample.values()
    check_spread(values)
    return percentile(values, level, alternative, sample.range)


def _bca(sample: Resampled, level: float, alternative: Alternative) -> tuple[float, float]:
    if sample.influence is None:
        raise UnsoundError(
            "BCa needs each row's influence, which is not known here",
            where="interval",
            fix='use interval="bootstrap-percentile"',
        )
    values = sample.values()
    check_spread(values)
    skew = acceleration(sample.influence())
    return bca(sample.value, values, skew, level, alternative, sample.range)


def _logit(sample: Resampled, level: float, alternative: Alternative) -> tuple[float, float]:
    if sample.moments is None:
        raise UnsoundError(
            "the studentised bootstrap needs the variance in each resample, which is not known for "
            "clusters, for the Bayesian bootstrap and for losses without bounds",
            where="interval",
            fix=f'use interval="{NAMES[2] if sample.influence is not None else NAMES[1]}"',
        )
    values, variances = sample.moments()
    check_spread(values)
    return studentised_logit(sample.value, sample.variance, values, variances, level, alternative)


_METHODS: dict[str, Callable[[Resampled, float, Alternative], tuple[float, float]]] = {
    "bootstrap-percentile": _percentile,
    "bootstrap-bca": _bca,
    "bootstrap-logit": _logit,
}
_SOURCES = {
    "bootstrap-percentile": PERCENTILE_SOURCE,
    "bootstrap-bca": BCA_SOURCE,
    "bootstrap-logit": LOGIT_SOURCE,
}
