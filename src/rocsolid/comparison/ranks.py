"""The possible ranks of systems from joint tests of all pairs, and the predicted ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.comparison.compared import Outcome
from rocsolid.comparison.compared import errors as of_differences
from rocsolid.comparison.venkatraman import NAME as CURVES
from rocsolid.dataclass import dataclass
from rocsolid.intervals.estimate_options import picked
from rocsolid.results import Interval
from rocsolid.results.comparison import (
    DRAWS,
    Comparison,
    Difference,
    NextRank,
    RankLimits,
    RankSet,
    Winner,
)
from rocsolid.results.deferred import Deferred, later
from rocsolid.summaries.products import products
from rocsolid.summaries.strata import negligible
from rocsolid.summaries.stream import stream


def _unknown(comparison: Comparison) -> bool:
    finite = bool(np.isfinite(comparison.covariance).all())
    return comparison.settings.get("test") == CURVES or not finite


def winner(comparison: Comparison) -> Winner | None:
    """Return `picked` for a comparison, with errors widened by its fewest degrees of freedom.

    The result is ``None`` where there are no ranks, or where the highest value has no variance, as
    an AUC of 1 has.
    """
    if _unknown(comparison):
        return None
    names = list(comparison.estimates)
    values = np.array([estimate.value for estimate in comparison.estimates.values()])
    known = [pair.df for pair in comparison.pairs if pair.df is not None]
    best = int(np.argmax(values))
    interval = comparison.estimates[names[best]].interval
    if comparison.covariance[best, best] <= negligible(interval.range[1] - interval.range[0]):
        return None
    return picked(
        names, values, comparison.covariance, min(known, default=np.inf), comparison.level,
        logits=comparison.compared != "systems", range=interval.range, decimals=interval.decimals,
    )  # fmt: skip


_FLOATS = NDArray[np.float64]
_FLAGS = NDArray[np.bool_]
_Found = TypeVar("_Found", bound=Comparison)
_SMALLEST = 1e-15  # smaller variances are rounding errors


def ranks_of(
    comparison: Comparison,
    outcome: Outcome,
    certificates: Callable[[float], list[Deferred[Interval | None]]],
) -> dict[str, RankSet]:
    """Return the possible ranks of each system; empty for tests of curves or unknown variances.

    ``certificates`` computes the two-sided certified differences at a level.
    """
    if _unknown(comparison):
        return {}
    alpha, count = 1.0 - comparison.level, len(comparison.estimates)
    joint: _Draws | _Pair
    if outcome.redrawn is not None:
        joint = _Studentised.of(outcome)
    else:
        joint = _Joint.of(comparison) if count > 2 else _Pair(_observed(comparison))
    proven = joint.all_proven(alpha)
    names, pairs = tuple(comparison.estimates), comparison.pairs
    certified = Deferred(lambda: _certified(names, pairs, certificates, alpha))

    def certified_limits(j: int) -> RankLimits | None:
        better = certified()
        return None if better is None else RankLimits(*_limits(better[:, j], better[j]))

    ranks = {}
    for j, name in enumerate(names):
        better, worse = joint.proven_of(j, alpha)
        ranks[name] = RankSet(
            *_limits(proven[:, j], proven[j]),
            single=RankLimits(1 + int(worse.sum()), count - int(better.sum())),
            certified=later(Deferred(partial(certified_limits, j))),
        )
    return ranks


def _limits(above: _FLAGS, below: _FLAGS) -> tuple[int, int]:
    return 1 + int(above.sum()), len(above) - int(below.sum())


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """The normal statistic of two systems, whose critical value needs no draws."""

    observed: _FLOATS

    def all_proven(self, alpha: float) -> _FLAGS:
        from scipy.special import ndtri

        return np.asarray(self.observed > -ndtri(alpha / 2.0))

    def proven_of(self, j: int, alpha: float) -> tuple[_FLAGS, _FLAGS]:
        proven = self.all_proven(alpha)
        return proven[j], proven[:, j]


class _Draws:
    """The statistic of each ordered pair in the data and in draws under the null."""

    observed: _FLOATS
    draws: _FLOATS

    def _ahead(self, j: int) -> _FLOATS:
        """Return the drawn statistics of j minus each other system, one row per draw."""
        raise NotImplementedError

    def all_proven(self, alpha: float) -> _FLAGS:
        """Return [j, k]: j is proven better than k, jointly for all ordered pairs at ``alpha``.

        Each step removes proven pairs from the family (Romano and Wolf 2005).
        """
        count = len(self.observed)
        proven = np.zeros((count, count), dtype=bool)
        while True:
            largest = np.full(len(self.draws), -np.inf)
            for j in range(count):
                others = ~proven[j]
                others[j] = False
                if others.any():
                    np.maximum(largest, self._ahead(j)[:, others].max(axis=1), out=largest)
            now = proven | (self.observed > _critical(largest, alpha))
            if (now == proven).all():
                return proven
            proven = now

    def proven_of(self, j: int, alpha: float) -> tuple[_FLAGS, _FLAGS]:
        """Return which systems j is proven better than, and worse than, at ``alpha`` for j only."""
        ahead = self._ahead(j)
        signed = np.hstack([ahead, -ahead])
        family = np.tile(np.arange(len(self.observed)) != j, 2)
        observed = np.concatenate([self.observed[j], self.observed[:, j]])
        proven = np.zeros(len(family), dtype=bool)
        while True:
            others = family & ~proven
            if not others.any():
                break
            now = proven | (observed > _critical(signed[:, others].max(axis=1), alpha))
            if (now == proven).all():
                break
            proven = now
        better, worse = np.split(proven, 2)
        return better, worse


@dataclass(frozen=True, eq=False)
class _Joint(_Draws):
    """The normal statistic of each pair's p-value, compared with normal errors.

    ``draws`` contains errors of the estimates, one row per draw. ``error[j, k]`` is the standard
    deviation of the difference of j and k.
    """

    observed: _FLOATS
    draws: _FLOATS
    error: _FLOATS

    @classmethod
    def of(cls, comparison: Comparison) -> _Joint:
        covariance = comparison.covariance
        own = np.diag(covariance)
        between = own[:, None] + own - 2.0 * covariance
        error = np.where(between > _SMALLEST * own.max(), np.sqrt(np.abs(between)), np.inf)
        return cls(_observed(comparison), errors(covariance, DRAWS), error)

    def _ahead(self, j: int) -> _FLOATS:
        return np.asarray((self.draws[:, [j]] - self.draws) / self.error[j])


@dataclass(frozen=True, eq=False)
class _Studentised(_Draws):
    """Studentised differences and their draws for redrawn units, one column per pair.

    ``place[j, k]`` is the pair of j and k, and ``sign[j, k]`` orients its statistic to j minus k.
    """

    observed: _FLOATS
    draws: _FLOATS
    place: NDArray[np.intp]
    sign: _FLOATS

    @classmethod
    def of(cls, outcome: Outcome) -> _Studentised:
        assert outcome.redrawn is not None
        compared = outcome.compared
        std_errors, _ = of_differences(compared)
        size = len(compared.names)
        i, j = compared.pair_places
        place, sign = np.zeros((size, size), dtype=np.intp), np.zeros((size, size))
        place[i, j] = place[j, i] = np.arange(len(i))
        sign[i, j], sign[j, i] = 1.0, -1.0
        ratio = compared.differences / np.where(std_errors > 0.0, std_errors, np.inf)
        return cls(sign * ratio[place], outcome.redrawn, place, sign)

    def _ahead(self, j: int) -> _FLOATS:
        return np.asarray(self.draws[:, self.place[j]] * self.sign[j])


def errors(covariance: _FLOATS, count: int, seed: int = 0) -> _FLOATS:
    eigenvalues, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(eigenvalues, 0.0))
    return products(stream(seed, 0).normal(size=(count, len(covariance))), root)


def _critical(largest: _FLOATS, alpha: float) -> float:
    return float(np.quantile(largest, 1.0 - alpha, method="higher"))


def _observed(comparison: Comparison) -> _FLOATS:
    """Return the signed normal statistic of each pair's two-sided p-value.

    For another null or a one-sided test, the p-value is that of the difference over its error.
    """
    from scipy.special import ndtri, stdtr

    place = {name: i for i, name in enumerate(comparison.estimates)}
    settings = comparison.settings
    two_sided = settings.get("null", 0.0) == 0.0 and (
        settings.get("alternative", "two-sided") == "two-sided"
    )
    observed = np.zeros((len(place), len(place)))
    for pair in comparison.pairs:
        p = pair.p_value
        if not two_sided:
            ratio = abs(pair.difference) / pair.std_error if pair.std_error > 0.0 else 0.0
            p = 2.0 * float(stdtr(np.inf if pair.df is None else pair.df, -ratio))
        size = 0.0 if np.isnan(p) else -float(ndtri(max(p, 1e-300) / 2.0))
        i, j = place[pair.a], place[pair.b]
        observed[i, j] = np.copysign(size, pair.difference)
        observed[j, i] = -observed[i, j]
    return observed


def _certified(
    names: tuple[str, ...],
    pairs: tuple[Difference, ...],
    certificates: Callable[[float], list[Deferred[Interval | None]]],
    alpha: float,
) -> _FLAGS | None:
    """Return [j, k]: j is certified better than k, with the error shared among all pairs.

    If no unadjusted certified interval excludes 0, neither do the wider intervals.
    """
    if any(pair.certified is None for pair in pairs):
        return None
    place = {name: i for i, name in enumerate(names)}
    proven = np.zeros((len(place), len(place)), dtype=bool)
    if all(pair.certified.low <= 0.0 <= pair.certified.high for pair in pairs):  # type: ignore[union-attr]
        return proven
    of_pairs = certificates(1.0 - alpha / len(pairs))
    for pair, certified in zip(pairs, of_pairs, strict=True):
        limits = certified()
        if limits is not None:
            proven[place[pair.a], place[pair.b]] = limits.low > 0.0
            proven[place[pair.b], place[pair.a]] = limits.high < 0.0
    return proven


def next_ranks(comparison: Comparison, size: int, *, seed: int = 0) -> dict[str, NextRank]:
    """Predict the ranks from the next ``size`` queries, or rows with the same class mix.

    The prediction includes the errors of both samples, and its limits are for one system at a time.

    >>> import rocsolid as rs
    >>> y, a, b = [0, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6], [2, 1, 6, 5, 4, 3]
    >>> next_ranks(rs.compare(y, {"a": a, "b": b}), 500)["a"].high
    2
    """
    whole(size, "size", 1)
    now = _size(comparison)
    draws = errors(comparison.covariance * (1.0 + now / size), DRAWS, seed)
    known = [pair.df for pair in comparison.pairs if pair.df is not None]
    if known:
        df = min(known)
        draws /= np.sqrt(stream(seed, 1).chisquare(df, size=(len(draws), 1)) / df)
    values = draws + np.array([estimate.value for estimate in comparison.estimates.values()])
    ranks = 1 + np.argsort(np.argsort(-values, axis=1), axis=1)
    tail = (1.0 - comparison.level) / 2.0
    low, high = np.quantile(ranks, [tail, 1.0 - tail], axis=0, method="nearest")
    return {
        name: NextRank(int(low[i]), int(high[i]), float(np.mean(ranks[:, i] == 1)))
        for i, name in enumerate(comparison.estimates)
    }


def with_next(comparison: _Found, size: int | None) -> _Found:
    if size is None or not comparison.ranks:
        return comparison
    settings = {**comparison.settings, "next": size}
    return replace(comparison, next_ranks=next_ranks(comparison, size), settings=settings)


def _size(comparison: Comparison) -> float:
    if comparison.compared == "systems":
        return float(np.mean(comparison.settings["queries"]))
    return float(
        np.mean([estimate.n_pos + estimate.n_neg for estimate in comparison.estimates.values()])
    )
