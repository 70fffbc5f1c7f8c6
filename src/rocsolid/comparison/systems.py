"""Systems over queries: values, how queries move their means, and each pair's difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.compared import Compared, Outcome, StudentsT
from rocsolid.comparison.omnibus import anova_type, welch
from rocsolid.comparison.query_certificate import certificates
from rocsolid.comparison.question import Question
from rocsolid.comparison.unseen import added, unseen
from rocsolid.inputs.query_values import Range, check_range, query_matrix
from rocsolid.intervals.means.tail import FEW, SAME, in_tail
from rocsolid.remarks.comparisons import STILL_QUERIES, FewQueriesCompared, StuckTest, ThinTail
from rocsolid.remarks.remark import Remark
from rocsolid.results import Interval
from rocsolid.results.comparison import Difference, Omnibus
from rocsolid.summaries.covariation import Covariation
from rocsolid.summaries.parts import Parts
from rocsolid.summaries.strata import Stratum
from rocsolid.summaries.strata_spread import StrataSpread

_FLOATS = NDArray[np.float64]
_CELLS = 1 << 20  # differences worked on together
_NAMED = 3  # pairs; more of them are only counted
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
    """The mean of one system, where nothing else of it is needed."""

    value: float


@dataclass(frozen=True, eq=False)
class Systems(Compared):
    """One value per query and system; ``paired`` where all systems answered the same queries."""

    estimates: dict[str, Any]
    by_query: tuple[_FLOATS, ...]
    paired: bool
    low: float
    high: float
    measure: str = ""

    @classmethod
    def of(
        cls,
        values: object,
        *,
        range: Range,
        paired: bool = True,
        estimates: Mapping[str, Any] | None = None,
        measure: str = "",
    ) -> Systems:
        """Validated values.

        >>> Systems.of({"a": [0, 1], "b": [1, 1]}, range=(0, 1)).values
        array([0.5, 1. ])
        """
        named = query_matrix(values, range=range, paired=paired)
        shown = {name: Mean(float(each.mean())) for name, each in named.items()}
        return cls(
            shown if estimates is None else dict(estimates), tuple(named.values()), paired,
            *check_range(range), measure,
        )  # fmt: skip

    @property
    def students_t(self) -> StudentsT:
        return PAIRED if self.paired else UNPAIRED

    @property
    def measure_name(self) -> str:
        return self.measure

    @property
    def span(self) -> float:
        return self.high - self.low

    @cached_property
    def values(self) -> _FLOATS:
        return np.array([each.mean() for each in self.by_query])

    def difference(self, i: int, j: int) -> float:
        """Exactly zero where rounding is all."""
        apart = float(self.values[i] - self.values[j])
        return 0.0 if abs(apart) <= SAME * self.largest_value else apart

    @cached_property
    def matrix(self) -> _FLOATS:
        """A row a system, a column a query; for paired systems only."""
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
        """A value less the mean, over n, is a query's influence."""
        if self.paired:
            return StrataSpread((Stratum.of_means(self.matrix),))
        return StrataSpread(
            tuple(Stratum.of_means(each[None], (at,)) for at, each in enumerate(self.by_query))
        )

    @property
    def negligible(self) -> float:
        return (SAME * self.largest_value) ** 2 / min(self.queries)

    def unseen(self) -> _FLOATS:
        """What queries that the sample does not show add, for a measure with a range."""
        if not self.bounded or min(self.queries) < 2:
            return np.zeros((len(self.names),) * 2)
        share = (self.values - self.low) / self.span
        size = np.array(self.queries, dtype=np.float64)
        return self.span**2 * unseen(share, self.spread.covariance() / self.span**2, size)

    def certificates(self, question: Question) -> list[Interval | None]:
        return certificates(self, question)

    def all_equal(self, question: Question) -> tuple[Omnibus, list[Remark]]:  # noqa: ARG002
        """`anova_type` of the means; Welch's test where systems have queries of their own.

        On the same queries it is the F test of a repeated-measures ANOVA with the factor of
        Greenhouse and Geisser; for two systems it is the square of the paired t. It needs no more
        queries than two and keeps its level where systems differ in spread.
        """
        if not self.paired:
            own = np.diag(self.spread.covariance())
            return welch(self.values, np.where(own > self.negligible, own, 0.0), self.queries)
        covariance = self.against_first().total
        varies = np.diag(covariance) > self.negligible
        covariance = np.where(np.outer(varies, varies), covariance, 0.0)
        more = added(self.unseen(), varies)
        differences = np.array([self.difference(i, 0) for i in range(1, len(self.names))])
        test = anova_type(differences, Parts((covariance,), (self.queries[0] - 1.0,)), more)
        return test, ([StuckTest(STILL_QUERIES)] if np.isnan(test.p_value) else [])

    @cached_property
    def in_tail(self) -> _FLOATS:
        """The queries that carry the longer tail of each pair's difference."""
        if self.paired:
            return np.concatenate([in_tail(rows) for rows in self.difference_rows()])
        tails = np.array([float(in_tail(each)) for each in self.by_query])
        i, j = self.pair_places
        return np.asarray(np.minimum(tails[i], tails[j]))

    def difference_rows(self) -> Iterator[_FLOATS]:
        """Each pair's differences by query, in `pairs` order, some pairs at a time.

        A difference that rounding alone can leave between equal values is zero.
        """
        matrix = self.matrix
        scale = np.abs(matrix).max(axis=1)
        at, many = self.pair_places.T, max(1, _CELLS // matrix.shape[1])
        for start in range(0, len(at), many):
            i, j = at[start : start + many].T
            rows = matrix[i] - matrix[j]
            rounding = SAME * np.maximum(scale[i], scale[j])
            yield np.where(np.abs(rows) <= rounding[:, None], 0.0, rows)

    def doubts(self, outcome: Outcome, pairs: tuple[Difference, ...]) -> list[Remark]:
        """On few queries, and on differences whose tail few queries carry."""
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
