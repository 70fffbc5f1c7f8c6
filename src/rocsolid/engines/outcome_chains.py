"""Volumes under the ROC surface of an ordered outcome, in the SQL that DuckDB and Spark share."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.engines.outcomes import OutcomeQueries, real
from rocsolid.summaries.ordered_chains import INT64
from rocsolid.summaries.outcome_spread import PairShares
from rocsolid.summaries.summed_influences import SummedInfluences


@dataclass(frozen=True, slots=True, eq=False)
class ReducedChains:
    """The volume of each score, as a ratio where `OrderedChains` has one, and how they vary.

    ``shares`` are those of units in the values, and ``trials`` the effective number of units of the
    outcome with the fewest.
    """

    values: tuple[float, ...]
    ratios: tuple[tuple[int, int] | None, ...]
    ties: tuple[int, ...]
    spread: SummedInfluences
    shares: PairShares
    trials: float


@dataclass(frozen=True, slots=True, eq=False)
class ChainQueries:
    """The recursion of `OrderedChains` along the scores, upwards and downwards."""

    of: OutcomeQueries

    def reduced(self) -> ReducedChains:
        queries, db = self.of, self.of.db
        tables, values, ratios, ties = [], [], [], []
        for i in range(queries.scores):
            table = self._through(i)
            value, twice = db.answer(f"SELECT {db.total}(d), sum(e) FROM {table}")
            ratio = self._ratio(i)
            tables.append(table)
            ratios.append(ratio)
            values.append(float(value) if ratio is None else ratio[0] / ratio[1])
            ties.append(int(twice) // 2)
        units = self._units(tables, values)
        return ReducedChains(
            tuple(values), tuple(ratios), tuple(ties), self._spread(units),
            queries.pair_shares(units), self._trials(),
        )  # fmt: skip

    @property
    def _kinds(self) -> range:
        return range(len(self.of.weights))

    def _through(self, i: int) -> str:
        """Keep the share ``gk`` of the chains through a row of each outcome with each score.

        ``d`` are the shares of all chains that end at the score.
        """
        number = len(self._kinds)
        up, down = (
            self.of.db.table(self._chains(i, list(self._kinds)[::step], whole=False))
            for step in (1, -1)
        )
        below = ["1.0E0", *(f"up.b{k}" for k in range(1, number))]
        above = [*(f"down.b{number - 1 - k}" for k in range(number - 1)), "1.0E0"]
        through = []
        for k in self._kinds:
            terms = [
                " * ".join(
                    [below[j], *(f"up.c{a}" for a in range(j, end + 1) if a != k), above[end],
                     real(1.0 / math.factorial(end - j + 1))]
                )
                for j in range(k + 1)
                for end in range(k, number)
            ]  # fmt: skip
            through.append(f"{' + '.join(terms)} AS g{k}")
        return self.of.db.table(
            f"SELECT up.v AS v, up.e AS e, up.x{number} AS d, {', '.join(through)}"
            f" FROM {up} AS up JOIN {down} AS down ON up.v = down.v"
        )

    def _chains(self, i: int, kinds: list[int], *, whole: bool) -> str:
        """Select ``bk``, the chains of the first k of these outcomes before each score.

        ``xk`` are those of which the last row has the score. Chains are shares, or ``whole``
        numbers times k!.
        """
        queries, type_ = self.of, "BIGINT" if whole else "DOUBLE"
        order = queries.order(upwards=kinds[0] == 0)
        columns = ", ".join(
            f"CAST({queries.weight_of(f'k = {k}')} AS {type_})"
            f"{'' if whole else f' / {real(queries.weights[k])}'} AS c{k}"
            for k in kinds
        )
        query = queries.by_score(i, columns, order)
        window = queries.db.running(order)
        for k in range(1, len(kinds) + 1):
            terms = []
            for j in range(k):
                factors = [f"c{kinds[a]}" for a in range(j, k)]
                factors += [f"b{j}"] if j else []
                times = math.comb(k, j) if whole else real(1.0 / math.factorial(k - j))
                terms.append(" * ".join([*factors, str(times)]))
            query = f"SELECT *, {' + '.join(terms)} AS x{k} FROM ({query}) AS before_{k}"
            reached = f"CAST(sum(x{k}) OVER ({window}) AS {type_}) - x{k}"
            query = f"SELECT *, {reached} AS b{k} FROM ({query}) AS at_{k}"
        return query

    def _ratio(self, i: int) -> tuple[int, int] | None:
        chains = math.factorial(len(self._kinds)) * math.prod(self.of.sizes)
        if self.of.weighted or chains >= INT64:
            return None
        query = self._chains(i, list(self._kinds), whole=True)
        (right,) = self.of.db.answer(f"SELECT sum(x{len(self._kinds)}) FROM ({query}) AS chains")
        return int(right), chains

    def _units(self, tables: list[str], values: list[float]) -> str:
        """Keep the stratum ``k`` of each unit, its share ``h`` and its influence ``p``.

        Each outcome is a stratum of rows; all clusters are one.
        """
        queries, total = self.of, self.of.db.total
        w = queries.w
        columns, joins = [f"{w} / m AS h"], ""
        for i, (table, value) in enumerate(zip(tables, values, strict=True)):
            cases = " ".join(f"WHEN {k} THEN j{i}.g{k}" for k in self._kinds)
            columns.append(f"{w} / m * ((CASE k {cases} END) - {real(value)}) AS p{i}")
            joins += f" JOIN {table} AS j{i} ON rows.s{i} = j{i}.v"
        beside = "c" if queries.clustered else "k"
        rows = f"SELECT {beside}, {', '.join(columns)} FROM {queries.numbered}{joins}"
        kept = queries.db.table(rows)
        if not queries.clustered:
            return kept
        names = ["h", *(f"p{i}" for i in range(queries.scores))]
        summed = ", ".join(f"{total}({name}) AS {name}" for name in names)
        return queries.db.table(f"SELECT 0 AS k, {summed} FROM {kept} GROUP BY c")

    def _spread(self, units: str) -> SummedInfluences:
        queries, total = self.of, self.of.db.total
        each, pairs = range(queries.scores), list(combinations(range(queries.scores), 2))
        chosen = ["count(*)", *(f"max(abs(p{i}))" for i in each)]
        chosen += [f"{total}(p{i} * p{i})" for i in each]
        chosen += [f"{total}((p{i} - p{j}) * (p{i} - p{j}))" for i, j in pairs]
        own, apart, trials, most = [], [], [], np.zeros(queries.scores)
        for k in (0,) if queries.clustered else self._kinds:
            row = queries.db.answer(f"SELECT {', '.join(chosen)} FROM {units} WHERE k = {k}")
            count, *rest = (float(number) for number in row)
            trials.append(count)
            most = np.maximum(most, rest[: len(each)])
            own.append(np.array(rest[len(each) : 2 * len(each)]))
            differences = np.zeros((len(each), len(each)))
            for (i, j), square in zip(pairs, rest[2 * len(each) :], strict=True):
                differences[i, j] = differences[j, i] = square
            apart.append(differences)
        return SummedInfluences(tuple(own), tuple(apart), tuple(trials), most)

    def _trials(self) -> float:
        """See `OrderedVolume`: unweighted clusters count alike."""
        queries, total = self.of, self.of.db.total
        w = queries.w
        cells = f"SELECT k, {w} AS w FROM {queries.numbered}"
        if queries.clustered:
            summed = f"{total}(w)" if queries.weighted else "1.0E0"
            cells = f"SELECT k, {summed} AS w FROM {queries.numbered} GROUP BY k, c"
        of_kind = f"SELECT {total}(w) * {total}(w) / {total}(w * w) AS t FROM ({cells}) AS cells"
        (least,) = queries.db.answer(f"SELECT min(t) FROM ({of_kind} GROUP BY k) AS trials")
        return round(float(least), 9)
