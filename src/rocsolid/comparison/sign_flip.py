"""Systems over queries, and the sign-flip test of their differences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.certificate import Certificates, certificates_of_systems
from rocsolid.comparison.compared import (
    Compared,
    Outcome,
    Question,
    StudentsT,
    Tested,
    errors,
    within,
    without_variance,
)
from rocsolid.comparison.omnibus import added, anova_type, unseen, welch
from rocsolid.dataclass import dataclass
from rocsolid.inputs.matrices import Range, check_range, query_matrix
from rocsolid.intervals.calibrated.standard_error import tail
from rocsolid.intervals.means.tail import FEW, SAME, in_tail
from rocsolid.remarks.comparisons import (
    STILL_QUERIES,
    FewQueriesCompared,
    StuckTest,
    ThinTail,
    few_clusters_compared,
)
from rocsolid.remarks.remark import Remark
from rocsolid.results import Alternative
from rocsolid.results.comparison import Difference, Omnibus
from rocsolid.results.deferred import Deferred
from rocsolid.summaries.products import products
from rocsolid.summaries.strata import Covariation, Parts, StrataSpread, Stratum
from rocsolid.summaries.stream import stream

_FLOATS = NDArray[np.float64]
_CELLS = 1 << 20  # differences in a block
_NAMED = 3  # the most pairs that a remark lists by name
PAIRED = StudentsT(
    "t",
    "t",
    "t",
    ("queries independent and drawn alike", "mean difference close to normal"),
    "Student, Biometrika 6 (1908), 1-25",
)
UNPAIRED = StudentsT(
    "t",
    "t (welch)",
    "t (welch)",
    ("the two sets of queries independent of each other", *PAIRED.assumptions),
    "Welch, Biometrika 34 (1947), 28-35",
)


@dataclass(frozen=True, slots=True)
class Mean:
    value: float


@dataclass(frozen=True, eq=False)
class Systems(Compared):
    """One value for each query and system; ``paired`` systems have the same queries.

    If queries are clusters, ``clusters`` is their number, and the number of clusters of equal size
    that they count as. ``span`` is then the range of a difference of means, even if the values of
    clusters have no bounds.
    """

    estimates: dict[str, Any]
    by_query: tuple[_FLOATS, ...]
    paired: bool
    low: float
    high: float
    measure: str = ""
    span: float = math.inf
    clusters: tuple[int | None, float] = (None, math.inf)

    @classmethod
    def of(
        cls,
        values: object,
        *,
        range: Range,
        paired: bool = True,
        estimates: Mapping[str, Any] | None = None,
        measure: str = "",
        reach: float = math.inf,
        clusters: tuple[int | None, float] = (None, math.inf),
    ) -> Systems:
        """

        >>> Systems.of({"a": [0, 1], "b": [1, 1]}, range=(0, 1)).values
        array([0.5, 1. ])
        """
        by_name = query_matrix(values, range=range, paired=paired)
        shown = {name: Mean(float(each.mean())) for name, each in by_name.items()}
        low, high = check_range(range)
        return cls(
            shown if estimates is None else dict(estimates), tuple(by_name.values()), paired,
            low, high, measure, min(reach, high - low), clusters,
        )  # fmt: skip

    @property
    def students_t(self) -> StudentsT:
        return PAIRED if self.paired else UNPAIRED

    @property
    def measure_name(self) -> str:
        return self.measure

    @cached_property
    def values(self) -> _FLOATS:
        return np.array([each.mean() for each in self.by_query])

    def difference(self, i: int, j: int) -> float:
        difference = float(self.values[i] - self.values[j])
        return 0.0 if abs(difference) <= SAME * self.largest_value else difference

    @cached_property
    def matrix(self) -> _FLOATS:
        """The values of paired systems, one row per system and one column per query."""
        return np.stack(self.by_query)

    @property
    def queries(self) -> tuple[int, ...]:
        return tuple(each.size for each in self.by_query)

    @property
    def bounded(self) -> bool:
        return self.low > -np.inf

    @cached_property
    def largest_value(self) -> float:
        return max(float(np.abs(each).max()) for each in self.by_query)

    @cached_property
    def spread(self) -> Covariation:  # type: ignore[override]
        """The influence of a query is its value minus the mean, divided by n."""
        if self.paired:
            return StrataSpread((Stratum.of_means(self.matrix),))
        return StrataSpread(
            tuple(Stratum.of_means(each[None], (at,)) for at, each in enumerate(self.by_query))
        )

    @property
    def negligible(self) -> float:
        return (SAME * self.largest_value) ** 2 / min(self.queries)

    @cached_property
    def unseen(self) -> _FLOATS:
        if not self.bounded or min(self.queries) < 2:
            return np.zeros((len(self.names),) * 2)
        share = (self.values - self.low) / self.span
        size = np.array(self.queries, dtype=np.float64)
        return self.span**2 * unseen(share, self.spread.covariance() / self.span**2, size)

    def kept(self) -> Deferred[Systems]:
        return Deferred(partial(replace, self, by_query=tuple(map(np.copy, self.by_query))))

    def certificates(self, question: Question) -> Certificates:
        return certificates_of_systems(self, question)

    def all_equal(self, question: Question) -> tuple[Omnibus, list[Remark]]:  # noqa: ARG002
        """Return `anova_type` of the means, or Welch's test for systems with different queries."""
        if not self.paired:
            own = np.diag(self.spread.covariance())
            return welch(self.values, np.where(own > self.negligible, own, 0.0), self.queries)
        covariance = self.against_first().total
        varies = np.diag(covariance) > self.negligible
        covariance = np.where(np.outer(varies, varies), covariance, 0.0)
        more = added(self.unseen, varies)
        differences = np.array([self.difference(i, 0) for i in range(1, len(self.names))])
        test = anova_type(differences, Parts((covariance,), (self.queries[0] - 1.0,)), more)
        return test, ([StuckTest(STILL_QUERIES)] if np.isnan(test.p_value) else [])

    @cached_property
    def in_tail(self) -> _FLOATS:
        if self.paired:
            return np.concatenate([in_tail(rows) for rows in self.difference_rows()])
        tails = np.array([float(in_tail(each)) for each in self.by_query])
        i, j = self.pair_places
        return np.asarray(np.minimum(tails[i], tails[j]))

    def difference_rows(self) -> Iterator[_FLOATS]:
        """Yield each pair's differences by query, in the order of `pairs`, in blocks.

        Differences that are rounding errors are zero.
        """
        matrix = self.matrix
        scale = np.abs(matrix).max(axis=1)
        at, many = self.pair_places.T, max(1, _CELLS // matrix.shape[1])
        for start in range(0, len(at), many):
            i, j = at[start : start + many].T
            rows = matrix[i] - matrix[j]
            rounding = SAME * np.maximum(scale[i], scale[j])
            yield np.where(np.abs(rows) <= rounding[:, None], 0.0, rows)

    def doubts(self) -> list[Remark]:
        return few_clusters_compared(self.clusters)

    def thin(self, outcome: Outcome, pairs: tuple[Difference, ...]) -> list[Remark]:
        fewest, method = min(self.queries), outcome.tested[0].interval
        name = outcome.method if method is None else method.method
        if fewest < 2 * FEW:
            return [FewQueriesCompared(fewest, name, self.bounded)]
        thin = [
            (pair, carried)
            for pair, carried in zip(pairs, self.in_tail.tolist(), strict=True)
            if pair.std_error > 0.0 and carried < FEW
        ]
        if not thin:
            return []
        least = max(min(carried for _, carried in thin), 1.0)
        names = _names([pair for pair, _ in thin])
        return [ThinTail(names, FEW, least, len(thin) > 1, name, self.bounded)]


def _names(pairs: list[Difference]) -> str:
    if len(pairs) > _NAMED:
        return f"{len(pairs):,} of the pairs"
    return ", ".join(f"{pair.a} − {pair.b}" for pair in pairs)


EXACT = 20
_FLIPS_CELLS = 1 << 22  # signs in a block
_WORK = 1 << 28  # the most comparisons for a full enumeration


@dataclass(frozen=True, slots=True, eq=False)
class Flips:
    """The sums Σ_q ε_q x_q of each system, and Σ_q ε_q, for sign vectors ε; the first ε is all +.

    All pairs share the signs. If ``exact``, the vectors are all vectors whose first sign is +,
    which with their mirror images are a full enumeration. Otherwise the vectors are drawn.
    ``rounding`` is, for each system, the largest difference of two sums that count as equal.
    """

    sums: _FLOATS
    signs: _FLOATS
    rounding: _FLOATS
    exact: bool

    @classmethod
    def of(cls, systems: Systems, question: Question) -> Flips:
        values, size = systems.matrix, systems.queries[0]
        exact = size <= EXACT and len(systems.pairs()) << size <= _WORK
        count = 1 << (size - 1) if exact else question.resamples + 1
        sums, signs = np.empty((count, len(values))), np.empty(count)
        many = max(1, _FLIPS_CELLS // size)
        for start in range(0, count, many):
            rows = np.arange(start, min(start + many, count))
            if exact:
                turned = rows[:, None] >> np.arange(size) & 1
            else:
                turned = stream(question.seed, 1, start).integers(
                    2, size=(len(rows), size), dtype=np.int8
                )
                turned[rows == 0] = 0
            flipped = 1.0 - 2.0 * turned
            sums[rows], signs[rows] = products(flipped, values), flipped.sum(axis=1)
        return cls(sums, signs, SAME * np.abs(values).sum(axis=1), exact)

    @property
    def least_p(self) -> float:
        """The smallest possible two-sided p-value; a one-sided p-value may be half as large."""
        return 1.0 / len(self.signs)

    def of_pair(self, i: int, j: int, null: float) -> _FLOATS:
        return self.sums[:, i] - self.sums[:, j] - null * self.signs

    def p_value(self, i: int, j: int, null: float, alternative: Alternative) -> float:
        """Return the share of vectors and mirror images with a sum as extreme as observed."""
        sums, slack = self.of_pair(i, j, null), float(self.rounding[i] + self.rounding[j])
        if alternative == "two-sided":
            return float(np.mean(np.abs(sums) >= abs(sums[0]) - slack))
        side = 1.0 if alternative == "greater" else -1.0
        reached = side * sums[0] - slack
        return float(np.mean(side * sums >= reached) + np.mean(-side * sums >= reached)) / 2.0


NAME = "sign-flip"
ASSUMPTIONS = (
    "queries independent",
    "under the null, exchanging the two systems on a query changes nothing in distribution",
)
SOURCE = (
    "Fisher, The Design of Experiments, 1935, section 21; interval: Hartigan, Journal of the "
    "American Statistical Association 64 (1969), 1303-1317"
)


def sign_flip(systems: Systems, question: Question) -> Outcome:
    """Test the sum of d_q − null against the sums with random signs.

    If the differences are symmetric about ``null``, all 2^Q sign vectors are equally likely. Up to
    20 queries, all vectors are enumerated. For more queries, B vectors are drawn with a seed and p
    = (b+1)/(B+1), which is also valid. The interval contains the values that the test does not
    reject. The reported statistic is Student's.
    """
    flips = Flips.of(systems, question)
    std_errors, _ = errors(systems)
    # in a one-sided test, a sign vector and its mirror image count half each
    sides = 1 if question.alternative == "two-sided" else 2
    draws = 0 if flips.exact else sides * (question.resamples + 1) - 1
    tested = []
    for (i, j), difference, error in zip(
        systems.pairs(), systems.differences.tolist(), std_errors.tolist(), strict=True
    ):
        p = flips.p_value(i, j, question.null, question.alternative)
        if error == 0.0:
            still = without_variance(difference, None, question)
            tested.append(replace(still, p_value=p, draws=draws))
            continue
        low, high = _limits(flips, i, j, question)
        interval = within(low, high, question, NAME, ASSUMPTIONS, SOURCE)
        statistic = (difference - question.null) / error
        tested.append(Tested(error, statistic, None, p, interval, draws))
    return Outcome(
        tested,
        systems,
        NAME,
        partial(systems.all_equal, question),
        least_p=flips.least_p,
        exact=flips.exact,
    )


def _limits(flips: Flips, i: int, j: int, question: Question) -> tuple[float, float]:
    """Return the ends of the values that are not rejected, from means over subsets of queries.

    The sum of d_q − θ under ε is at least as large as the first sum exactly if θ is at least (Σd −
    Σεd)/(Q − Σε), the mean of d over the queries with negative signs, or if no sign is negative. θ
    is rejected from below if at most a share α of all vectors have such a sum.
    """
    sums, share = flips.of_pair(i, j, 0.0), 1.0 - tail(question.level, question.alternative)
    turned = np.concatenate([sums[0] - sums, sums[0] + sums])
    count = np.concatenate([flips.signs[0] - flips.signs, flips.signs[0] + flips.signs])
    flipped = count > 0.5
    means = turned[flipped] / count[flipped]
    rank = math.floor(share * count.size + 1e-9) + 1 - (count.size - means.size)
    if rank < 1:
        return -math.inf, math.inf
    ends = np.partition(means, [rank - 1, means.size - rank])
    return (
        -math.inf if question.alternative == "less" else float(ends[rank - 1]),
        math.inf if question.alternative == "greater" else float(ends[means.size - rank]),
    )
