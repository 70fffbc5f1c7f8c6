"""Measures of ordered outcomes of rows that stay in an engine."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rocsolid.binary.concordance import OutcomeFacts, of_many, of_two, of_volume
from rocsolid.binary.estimate import Options, estimate
from rocsolid.binary.ordered_volume import Volume, check_volume
from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Engine
from rocsolid.engines.outcome_chains import ChainQueries
from rocsolid.engines.outcomes import OutcomeQueries, ReducedOutcomes
from rocsolid.inputs.models import one_outcome
from rocsolid.parameters import Scale
from rocsolid.results.concordance_estimate import ConcordanceEstimate
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.outcome_spread import OutcomeSums
from rocsolid.summaries.strata import Chosen, Covariation


@dataclass(frozen=True, slots=True, eq=False)
class StreamedRows:
    """What `OrderedRows` says of rows in memory.

    ``reduced`` has the areas of two outcomes, or the sums of more for one scale.
    """

    engine: Engine
    sizes: Mapping[str, int]
    omitted: int
    facts: Mapping[str, OutcomeFacts]
    reduced: Mapping[str, BinarySummary] | ReducedOutcomes

    @classmethod
    def of(cls, engine: Engine, scale: Scale) -> StreamedRows | None:
        """Reduce the complete rows of a checked engine with few outcomes.

        ``None`` if all rows of the highest outcome lack a score, and two outcomes remain.
        """
        queries, omitted = engine.outcomes()
        weighing = [
            value for value, weight in zip(queries.values, queries.weights, strict=True) if weight
        ]
        if len(weighing) < 2:
            raise one_outcome(f"column {engine.columns.label!r}", weighing)
        sizes = dict(zip(map(str, queries.values), queries.sizes, strict=True))
        if len(sizes) == 2:
            if queries.values[1] != engine.pos_label:
                return None
            areas = {name: _area(engine, name) for name in engine.columns.scores}
            facts = {
                name: _facts_of_two(area, omitted, queries, i)
                for i, (name, area) in enumerate(areas.items())
            }
            return cls(engine, sizes, omitted, facts, areas)
        if scale == "vus":
            check_volume(queries.values, queries.weights)
            reduced = ChainQueries(queries).reduced()
        else:
            reduced = queries.reduced()
        return cls(engine, sizes, omitted, _facts(engine, queries, omitted, reduced), reduced)

    @property
    def names(self) -> tuple[str, ...]:
        return self.engine.columns.scores

    @property
    def missing(self) -> Mapping[str, int]:
        return self.engine.missing() if self.omitted else {}

    @property
    def two_outcomes(self) -> bool:
        return not isinstance(self.reduced, ReducedOutcomes)

    def facts_of(self, name: str) -> OutcomeFacts:
        return self.facts[name]

    def estimate(self, name: str, scale: Scale, options: Options) -> ConcordanceEstimate:
        facts, reduced, i = self.facts[name], self.reduced, self.names.index(name)
        if not isinstance(reduced, ReducedOutcomes):
            return of_two(estimate(reduced[name], options), facts, scale, options)
        if isinstance(reduced.spread, OutcomeSums):
            return of_many(reduced.spread.only(i), facts, scale, options)
        parts = reduced.spread.variance(i)
        volume = Volume(
            reduced.values[i], reduced.ratios[i], float(parts.total[0, 0]), parts.df(),
            reduced.trials, dict(self.sizes), reduced.shares,
        )  # fmt: skip
        return of_volume(volume, facts, options)

    def clusters(self, scale: Scale) -> tuple[int | None, float]:  # noqa: ARG002
        assert isinstance(self.reduced, ReducedOutcomes)
        shares = self.reduced.shares
        if self.facts[self.names[0]].clusters is None:
            return None, math.inf
        return shares.units, shares.effective

    def spread(self, *names: str, scale: Scale = "concordance") -> Covariation:  # noqa: ARG002
        assert isinstance(self.reduced, ReducedOutcomes)
        spread, at = self.reduced.spread, tuple(map(self.names.index, names))
        return spread.only(*at) if isinstance(spread, OutcomeSums) else Chosen(spread, at)


def _area(engine: Engine, name: str) -> BinarySummary:
    summary = engine.summary(name, complete=True).summary
    assert summary is not None
    return summary


def _facts_of_two(
    area: BinarySummary, omitted: int, queries: OutcomeQueries, i: int
) -> OutcomeFacts:
    ratio = area.ratio
    return OutcomeFacts(
        area.n_pos + area.n_neg, 2, area.n_pos * area.n_neg, area.ties,
        (2 * ratio[0], 2 * ratio[1]) if ratio else queries.ratio(i), area.fingerprint, omitted,
        area.weighted, area.evened, area.clusters,
    )  # fmt: skip


def _facts(
    engine: Engine, queries: OutcomeQueries, omitted: int, reduced: ReducedOutcomes
) -> dict[str, OutcomeFacts]:
    prints, rows = engine.prints(), sum(queries.sizes)
    pairs = (rows**2 - sum(size**2 for size in queries.sizes)) // 2
    return {
        name: OutcomeFacts(
            rows, len(queries.sizes), pairs, reduced.ties[i], reduced.ratios[i], prints[name],
            omitted, queries.weighted, queries.evened,
            reduced.shares.units if queries.clustered else None,
        )
        for i, name in enumerate(engine.columns.scores)
    }  # fmt: skip
