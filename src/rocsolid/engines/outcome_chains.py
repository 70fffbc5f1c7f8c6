"""Volumes under the ROC surface of an ordered outcome, in the SQL that DuckDB and Spark share."""

from __future__ import annotations

import math

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.engines.outcomes import OutcomeQueries, ReducedOutcomes, real
from rocsolid.summaries.ordered_chains import INT64
from rocsolid.summaries.summed_influences import SummedInfluences


@dataclass(frozen=True, slots=True, eq=False)
class ChainQueries:
    """The recursion of `OrderedChains` along the scores, upwards and downwards."""

    of: OutcomeQueries

    def reduced(self) -> ReducedOutcomes:
        queries, each = self.of, range(self.of.scores)
        tables = [self._through(i) for i in each]
        of_all = f"SELECT {queries.db.total}(d), sum(e) FROM"
        sums = [queries.db.answers(f"{of_all} {table}")[0] for table in tables]
        ratios = tuple(self._ratio(i) for i in each)
        values = [
            float(value) if ratio is None else ratio[0] / ratio[1]
            for (value, _), ratio in zip(sums, ratios, strict=True)
        ]
        share = f"{queries.w} / m"
        _, units = queries.units(tables, values, share, f"{share} * ({{right}} - {{value}})")
        shares = queries.pair_shares(units)
        sizes = (shares.units,) if queries.clustered else queries.sizes
        of_strata = [queries.squares(f"{units} WHERE k = {k}") for k in range(len(sizes))]
        most, own, differences = zip(*of_strata, strict=True)
        spread = SummedInfluences(own, differences, tuple(map(float, sizes)), np.max(most, axis=0))
        ties = tuple(int(twice) // 2 for _, twice in sums)
        return ReducedOutcomes(tuple(values), ratios, ties, spread, shares, self._trials())

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
        ((right,),) = self.of.db.answers(
            f"SELECT sum(x{len(self._kinds)}) FROM ({query}) AS chains"
        )
        return int(right), chains

    def _trials(self) -> float:
        """See `OrderedVolume`: unweighted clusters count alike."""
        queries, total = self.of, self.of.db.total
        cells = f"SELECT k, {queries.w} AS t FROM {queries.numbered}"
        if queries.clustered:
            summed = f"{total}({queries.w})" if queries.weighted else "1.0E0"
            cells = f"SELECT k, {summed} AS t FROM {queries.numbered} GROUP BY k, c"
        of_kind = f"SELECT {total}(t) * {total}(t) / {total}(t * t) AS t FROM ({cells}) AS cells"
        ((least,),) = queries.db.answers(f"SELECT min(t) FROM ({of_kind} GROUP BY k) AS trials")
        return round(float(least), 9)
