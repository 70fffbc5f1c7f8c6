"""Concordances with an ordered outcome, in the SQL that DuckDB and Spark share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import unit_of
from rocsolid.summaries.moments import carried
from rocsolid.summaries.outcome_spread import (
    ALL_PAIRS,
    ROUNDED,
    OutcomeSums,
    PairShares,
    misplaced,
    settled,
)
from rocsolid.summaries.summed_influences import SummedInfluences

_FLOATS = NDArray[np.float64]
MOST = 100
"""The largest number of outcomes that stay in an engine: each is a column of a table of scores."""


class OutcomeTables(Protocol):
    """Where queries run. ``rows`` selects complete rows with the columns l, s0, s1, …, w and c."""

    @property
    def rows(self) -> str: ...

    @property
    def total(self) -> str:
        """The name of the most exact sum of real numbers."""

    def table(self, query: str) -> str:
        """Keep the result of a query, and return its name."""

    def answers(self, query: str) -> Sequence[Sequence[Any]]:
        """Return the rows of a query's result."""

    def running(self, order: str) -> str:
        """Return the window of all earlier rows and this row, for a query in this order."""


@dataclass(frozen=True, slots=True, eq=False)
class ReducedOutcomes:
    """The concordance or the volume of each score, from sums over the complete rows.

    ``ratios`` has the values as two integers, or ``None`` for weighted rows and where
    `OrderedChains` has none; ``ties`` counts pairs of different outcomes with the same score.
    ``shares`` are those of units in the values, and ``trials`` the effective number of units of the
    outcome with the fewest, for a volume.
    """

    values: tuple[float, ...]
    ratios: tuple[tuple[int, int] | None, ...]
    ties: tuple[int, ...]
    spread: OutcomeSums | SummedInfluences
    shares: PairShares
    trials: float = math.inf


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeQueries:
    """Queries over rows whose outcomes are numbered from 0 in the table ``kinds``.

    ``weights`` are the weights of all rows of each outcome, or their numbers; ``w`` is the weight
    of a row, times a power of two that brings the largest near 1. Weights that were given and are
    all equal are ``evened``.
    """

    db: OutcomeTables
    kinds: str
    values: tuple[Any, ...]
    sizes: tuple[int, ...]
    weights: tuple[Any, ...]
    scores: int
    weighted: bool
    w: str
    evened: bool
    clustered: bool
    descending: bool

    @classmethod
    def of(
        cls, db: OutcomeTables, scores: int, *, weighted: bool, evened: bool, most: float,
        clustered: bool, descending: bool = False,
    ) -> Self:  # fmt: skip
        """Number the outcomes of the rows, of which ``most`` is the largest weight."""
        weighted, w = weighted or most == 0.0, "1.0E0"
        if weighted:
            w = f"(w * {real(unit_of(most))})"
        weight = f"sum({w})" if weighted else "count(*)"
        kinds = db.table(
            f"SELECT l, row_number() OVER (ORDER BY l) - 1 AS k, count(*) AS n, {weight} AS m"
            f" FROM ({db.rows}) AS rows GROUP BY l"
        )
        of_kinds = db.answers(f"SELECT l, n, m FROM {kinds} ORDER BY k")
        values, sizes, weights = zip(*of_kinds, strict=True)
        return cls(
            db, kinds, values, sizes, weights, scores, weighted, w, evened and not weighted,
            clustered, descending,
        )  # fmt: skip

    def reduced(self) -> ReducedOutcomes:
        """Reduce in two passes: the pairs by score, and then the influence of each unit.

        A table for each score has the pairs of a row of each outcome. Joined to the rows, it gives
        their influences.
        """
        tables = [self._pairs_by_score(i) for i in range(self.scores)]
        counts = [self._counted(table) for table in tables]
        values = [float(right) / (2.0 * float(self._pairs)) for right, _ in counts]
        if self.weighted:
            values = list(map(settled, values))
        ratios = tuple(None if self.weighted else self._ratio(right) for right, _ in counts)
        ties = tuple(int(twice) // 2 for _, twice in counts)
        sums = self._sums(tables, values)
        return ReducedOutcomes(tuple(values), ratios, ties, sums, sums.of_pairs)

    def ratio(self, i: int) -> tuple[int, int] | None:
        """See `ReducedOutcomes`."""
        return None if self.weighted else self._ratio(self._counted(self._pairs_by_score(i))[0])

    def _ratio(self, right: Any) -> tuple[int, int]:
        return int(right), 2 * int(self._pairs)

    def _counted(self, table: str) -> Sequence[Any]:
        own = "d" if self.weighted else "CAST(d AS DECIMAL(38, 0))"
        return self.db.answers(f"SELECT sum({own}), sum(e) FROM {table}")[0]

    @property
    def _pairs(self) -> Any:
        """The weight of the pairs of different outcomes, each from both sides."""
        return sum(weight * (sum(self.weights) - weight) for weight in self.weights)

    def _number(self, value: Any) -> str:
        return real(value) if self.weighted else f"({int(value)})"

    def _pairs_by_score(self, i: int) -> str:
        """Keep a table of the distinct scores ``v``, from the lowest rank up.

        A row of outcome k has twice the weight ``gk`` of rows in the right order, where tied rows
        count half. ``d`` sums it over the rows of the score, and ``e`` counts its pairs of
        different outcomes twice. With u_k the weight of the outcomes below k, U_k its sum up to the
        score, and y_k = 2U_k − u_k, g_k is y_k + y_{k+1} − y_K, plus twice the weight of all
        outcomes above k.
        """
        number = len(self.weights)
        kind = "DOUBLE" if self.weighted else "BIGINT"
        below = ", ".join(
            f"CAST({self.weight_of(f'k < {k}')} AS {kind}) AS u{k}" for k in range(1, number + 1)
        )
        order = self.order()
        by_score = self.by_score(i, below, order)
        window = self.db.running(order)
        doubled = ", ".join(
            f"CAST(2 * sum(u{k}) OVER ({window}) - u{k} AS {kind}) AS y{k}"
            for k in range(1, number + 1)
        )
        summed = f"SELECT *, {doubled} FROM ({by_score}) AS by_score"
        right = ", ".join(f"{self._right(k)} AS g{k}" for k in range(number))
        pairs = f"SELECT *, {right} FROM ({summed}) AS summed"
        own = " + ".join(f"(u{k + 1}{f' - u{k}' if k else ''}) * g{k}" for k in range(number))
        kept = ", ".join(f"g{k}" for k in range(number))
        return self.db.table(f"SELECT v, e, {own} AS d, {kept} FROM ({pairs}) AS pairs")

    def _right(self, k: int) -> str:
        """Return ``gk``, at an end where it is off by the rounding of sums of weights."""
        weights = self.weights
        right = (
            f"{f'y{k} + ' if k else ''}y{k + 1} - y{len(weights)}"
            f" + {self._number(2 * sum(weights[k + 1 :]))}"
        )
        if not self.weighted:
            return right
        off, most = ROUNDED * sum(weights), 2.0 * (sum(weights) - weights[k])
        return (
            f"CASE WHEN {right} < {real(off)} THEN {real(0.0)}"
            f" WHEN {right} > {real(most - off)} THEN {real(most)} ELSE {right} END"
        )

    def by_score(self, i: int, columns: str, order: str) -> str:
        """Select columns for the distinct scores ``v``, and ``e``."""
        alike = " - ".join(
            f"count_if(k = {k}) * count_if(k = {k})" for k in range(len(self.weights))
        )
        return (
            f"SELECT s{i} AS v, {columns}, count(*) * count(*) - {alike} AS e"
            f" FROM {self.numbered} GROUP BY s{i} ORDER BY {order}"
        )

    def weight_of(self, condition: str) -> str:
        return f"sum(CASE WHEN {condition} THEN {self.w if self.weighted else '1'} ELSE 0 END)"

    def order(self, *, upwards: bool = True) -> str:
        return "v" if upwards != self.descending else "v DESC"

    @property
    def numbered(self) -> str:
        """The rows with the number ``k`` of their outcome, its size ``n`` and its weight ``m``."""
        return f"({self.db.rows}) AS rows JOIN {self.kinds} AS kinds ON rows.l = kinds.l"

    def units(
        self, tables: list[str], values: list[float], share: str, influence: str
    ) -> tuple[str, str]:
        """Keep the ``share`` h of each row and its ``influence`` p on each score, and of each unit.

        In SQL, the influence names the share ``right`` of a row and the ``value`` of a score.
        Outcomes are the strata k of rows; all clusters are one stratum.
        """
        columns, joins = [f"{share} AS h"], ""
        for i, (table, value) in enumerate(zip(tables, values, strict=True)):
            cases = " ".join(f"WHEN {k} THEN j{i}.g{k}" for k in range(len(self.weights)))
            named = influence.format(right=f"(CASE k {cases} END)", value=real(value))
            columns.append(f"{named} AS p{i}")
            joins += f" JOIN {table} AS j{i} ON rows.s{i} = j{i}.v"
        code = "c" if self.clustered else "k"
        rows = self.db.table(f"SELECT {code}, {', '.join(columns)} FROM {self.numbered}{joins}")
        if not self.clustered:
            return rows, rows
        names = ["h", *(f"p{i}" for i in range(self.scores))]
        summed = ", ".join(f"{self.db.total}({name}) AS {name}" for name in names)
        return rows, self.db.table(f"SELECT 0 AS k, {summed} FROM {rows} GROUP BY c")

    def sums(self, chosen: list[str], units: str) -> list[float]:
        """Return sums over units; of no number it is NaN."""
        (row,) = self.db.answers(f"SELECT {', '.join(chosen)} FROM {units}")
        return [math.nan if number is None else float(number) for number in row]

    def squares(self, units: str, rest: str = "1") -> tuple[_FLOATS, _FLOATS, _FLOATS]:
        """Return the largest influence on each score, and the sums of squares over ``rest``.

        The sums are those of influences on each score, and on differences of every two.
        """
        total, size = self.db.total, self.scores
        pairs = list(combinations(range(size), 2))
        chosen = [f"max(abs(p{i}))" for i in range(size)]
        chosen += [f"{total}(p{i} * p{i} / {rest})" for i in range(size)]
        chosen += [f"{total}((p{i} - p{j}) * (p{i} - p{j}) / {rest})" for i, j in pairs]
        row, differences = self.sums(chosen, units), np.zeros((size, size))
        for (i, j), square in zip(pairs, row[2 * size :], strict=True):
            differences[i, j] = differences[j, i] = square
        return np.array(row[:size]), np.array(row[size : 2 * size]), differences

    def pair_shares(self, units: str) -> PairShares:
        """Sum the shares ``h`` in a table of units."""
        total = self.db.total
        count, shares, squares, fourths = self.sums(
            ["count(*)", f"{total}(h)", f"{total}(h * h)", f"{total}(h * h * h * h)"], units
        )
        return PairShares(int(count), shares**2 / squares, squares, fourths / squares**2)

    def _sums(self, tables: list[str], values: list[float]) -> OutcomeSums:
        unit = real(self._pairs)
        pairs = "(CASE k " + " ".join(
            f"WHEN {k} THEN {self._number(2 * (sum(self.weights) - weight))}"
            for k, weight in enumerate(self.weights)
        ) + " END)"  # fmt: skip
        off = f"({{right}} - {{value}} * {pairs})"
        if self.weighted:
            off = f"(CASE WHEN abs({off}) > {real(ROUNDED)} * {pairs} THEN {off} ELSE 0 END)"
        rows, units = self.units(
            tables, values, f"{self.w} * {pairs} / {unit}", f"{self.w} * {off} / {unit}"
        )
        most, own, differences = self.squares(units, "(CASE WHEN h < 1 THEN 1 - h END)")
        holding, largest = self.sums(["count_if(h <> 0)", "max(h)"], units)
        if not largest <= 1.0 - ALL_PAIRS:
            own, differences = own * math.nan, differences * math.nan
        of_clusters = self._carriers(units, values) if self.clustered else None
        rare = misplaced(self._carriers(rows, values), of_clusters, holding)
        return OutcomeSums(
            np.array(values), self.pair_shares(units), rare, own, differences, most
        )  # fmt: skip

    def _carriers(self, units: str, values: list[float]) -> list[float]:
        """See `carriers`: a unit keeps p + Ĉh of its share h, and loses the rest."""
        total, chosen = self.db.total, []
        for i, value in enumerate(values):
            kept = f"(p{i} + {real(value)} * h)"
            for side in (f"(h - {kept})", kept):
                chosen += [f"{total}({side})", f"{total}({side} * {side})"]
        sides = iter(self.sums(chosen, units))
        return [carried((a, b), (c, d)) for a, b, c, d in zip(*[sides] * 4, strict=True)]


def real(value: Any) -> str:
    return f"({float(value):.17e})"  # a number with an exponent is a double
