"""What every test of systems over queries starts from: values, and each pair's difference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.unseen import unseen
from rocsolid.inputs.query_values import Range, check_range, query_matrix
from rocsolid.intervals.means.tail import SAME, constant, in_tail

_FLOATS = NDArray[np.float64]
_CELLS = 1 << 20  # differences worked on together


@dataclass(frozen=True, slots=True, eq=False)
class Systems:
    """One value per query and system; ``paired`` where all systems answered the same queries."""

    names: tuple[str, ...]
    values: tuple[_FLOATS, ...]
    paired: bool
    low: float
    high: float

    @classmethod
    def of(cls, values: object, *, range: Range, paired: bool = True) -> Systems:
        """Validated values.

        >>> Systems.of({"a": [0, 1], "b": [1, 1]}, range=(0, 1)).means
        array([0.5, 1. ])
        """
        named = query_matrix(values, range=range, paired=paired)
        return cls(tuple(named), tuple(named.values()), paired, *check_range(range))

    @property
    def means(self) -> _FLOATS:
        return np.array([each.mean() for each in self.values])

    @property
    def matrix(self) -> _FLOATS:
        """A row a system, a column a query; for paired systems only."""
        return np.stack(self.values)

    @property
    def queries(self) -> tuple[int, ...]:
        return tuple(each.size for each in self.values)

    @property
    def bounded(self) -> bool:
        return self.low > -np.inf

    def covariance(self) -> _FLOATS:
        """Of the means; systems with queries of their own are independent. NaN from one query."""
        if min(self.queries) < 2:
            return np.full((len(self.names),) * 2, np.nan)
        if self.paired:
            return np.atleast_2d(np.cov(self.matrix)) / self.queries[0]
        return np.diag([each.var(ddof=1) / each.size for each in self.values])

    def unseen(self) -> _FLOATS:
        """What queries that the sample does not show add to that, for a measure with a range."""
        if not self.bounded or min(self.queries) < 2:
            return np.zeros((len(self.names),) * 2)
        span = self.high - self.low
        share = (self.means - self.low) / span
        size = np.array(self.queries, dtype=np.float64)
        return span**2 * unseen(share, self.covariance() / span**2, size)

    def pairs(self) -> list[tuple[int, int]]:
        """All pairs in the order in which every list of pairs here is."""
        return list(combinations(range(len(self.names)), 2))

    def difference_rows(self) -> Iterator[_FLOATS]:
        """Each pair's differences by query, in `pairs` order, some pairs at a time.

        A difference that rounding alone can leave between equal values is zero.
        """
        matrix = self.matrix
        scale = np.abs(matrix).max(axis=1)
        at, many = np.array(self.pairs()), max(1, _CELLS // matrix.shape[1])
        for start in range(0, len(at), many):
            i, j = at[start : start + many].T
            rows = matrix[i] - matrix[j]
            rounding = SAME * np.maximum(scale[i], scale[j])
            yield np.where(np.abs(rows) <= rounding[:, None], 0.0, rows)


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """Each pair's mean difference, its standard error (zero if only rounding varies) and ν.

    The error has what `Systems.unseen` adds: a system that wins one query in ten may win none of
    fifteen.
    """

    found: _FLOATS
    std_error: _FLOATS
    df: _FLOATS
    in_tail: _FLOATS

    @classmethod
    def of(cls, systems: Systems) -> Differences:
        if not systems.paired:
            return _welch(systems)
        size = systems.queries[0]
        found, errors, tails = [], [], []
        largest = max(float(np.abs(each).max()) for each in systems.values)
        for rows in systems.difference_rows():
            found.append(rows.mean(axis=1))
            spread = rows.std(axis=1, ddof=1) / np.sqrt(size)
            errors.append(np.where(constant(rows, largest), 0.0, spread))
            tails.append(in_tail(rows))
        all_found = np.concatenate(found)
        return cls(
            all_found, _with_unseen(systems, np.concatenate(errors)),
            np.full(all_found.shape, size - 1.0), np.concatenate(tails),
        )  # fmt: skip


def _welch(systems: Systems) -> Differences:
    """Welch 1947: Var_a + Var_b, ν = V²/(V_a²/(n_a−1) + V_b²/(n_b−1)); the smaller tail of both."""
    i, j = np.array(systems.pairs()).T
    sizes = np.array(systems.queries, dtype=np.float64)
    flat = np.array([bool(constant(each)) for each in systems.values])
    own = np.where(flat, 0.0, np.diag(systems.covariance()))
    total = own[i] + own[j]
    share = own[i] / np.where(total > 0.0, total, 1.0)
    weight = share**2 / (sizes[i] - 1.0) + (1.0 - share) ** 2 / (sizes[j] - 1.0)
    tails = np.array([float(in_tail(each)) for each in systems.values])
    return Differences(
        systems.means[i] - systems.means[j],
        _with_unseen(systems, np.sqrt(total)),
        1.0 / weight,
        np.minimum(tails[i], tails[j]),
    )


def _with_unseen(systems: Systems, error: _FLOATS) -> _FLOATS:
    more = systems.unseen()
    i, j = np.array(systems.pairs()).T
    own = np.diag(more)
    added = np.maximum(own[i] + own[j] - 2.0 * more[i, j], 0.0)
    return np.asarray(np.where(error > 0.0, np.sqrt(error**2 + added), error))
