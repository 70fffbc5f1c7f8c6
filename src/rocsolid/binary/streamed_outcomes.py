"""Measures of ordered outcomes of rows that stay in an engine."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rocsolid.binary.concordance import OutcomeFacts, of_many, of_two, of_volume
from rocsolid.binary.estimate import Options, estimate
from rocsolid.binary.ordered_volume import Volume, check_volume
from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Engine
from rocsolid.engines.outcome_chains import ChainQueries, ReducedChains
from rocsolid.engines.outcomes import OutcomeQueries, ReducedOutcomes
from rocsolid.inputs.models import one_outcome
from rocsolid.parameters import Scale
from rocsolid.results.concordance_estimate import ConcordanceEstimate
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.strata import Chosen, Covariation

Reduced = Mapping[str, BinarySummary] | ReducedOutcomes | ReducedChains
"""The areas of two outcomes, or the sums of more for the concordance or for the volume."""


@dataclass(frozen=True, slots=True, eq=False)
class StreamedRows:
    """What `OrderedRows` says of rows in memory; ``sizes`` counts the rows of each outcome."""

    facts: Mapping[str, OutcomeFacts]
    sizes: Mapping[str, int]
    reduced: Reduced

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
            return _of_two(engine, queries, omitted, sizes)
        if scale == "vus":
            check_volume(queries.values, queries.weights)
            chains = ChainQueries(queries).reduced()
            return cls(_facts(engine, queries, omitted, chains, chains.shares.units), sizes, chains)
        pairs = queries.reduced()
        units = pairs.sums.of_pairs.units
        return cls(_facts(engine, queries, omitted, pairs, units), sizes, pairs)

    @property
    def areas(self) -> bool:
        """Whether two outcomes are two classes."""
        return not isinstance(self.reduced, ReducedOutcomes | ReducedChains)

    @property
    def omitted(self) -> int:
        return next(iter(self.facts.values())).omitted

    def estimate(self, name: str, scale: Scale, options: Options) -> ConcordanceEstimate:
        facts, reduced, i = self.facts[name], self.reduced, self._at(name)
        if isinstance(reduced, ReducedOutcomes):
            return of_many(reduced.sums.only(i), facts, scale, options)
        if not isinstance(reduced, ReducedChains):
            return of_two(estimate(reduced[name], options), facts, scale, options)
        parts = reduced.spread.variance(i)
        volume = Volume(
            reduced.values[i], reduced.ratios[i], float(parts.total[0, 0]), parts.df(),
            reduced.trials, dict(self.sizes), reduced.shares,
        )  # fmt: skip
        return of_volume(volume, facts, options)

    def facts_of(self, name: str) -> OutcomeFacts:
        return self.facts[name]

    def clusters(self, scale: Scale) -> tuple[int | None, float]:  # noqa: ARG002
        reduced = self.reduced
        if next(iter(self.facts.values())).clusters is None:
            return None, math.inf
        assert isinstance(reduced, ReducedOutcomes | ReducedChains)
        shares = reduced.shares if isinstance(reduced, ReducedChains) else reduced.sums.of_pairs
        return shares.units, shares.effective

    def spread(self, *names: str, scale: Scale = "concordance") -> Covariation:  # noqa: ARG002
        at = tuple(map(self._at, names))
        if isinstance(self.reduced, ReducedChains):
            return Chosen(self.reduced.spread, at)
        assert isinstance(self.reduced, ReducedOutcomes)
        return self.reduced.sums.only(*at)

    def _at(self, name: str) -> int:
        return list(self.facts).index(name)


def _of_two(
    engine: Engine, queries: OutcomeQueries, omitted: int, sizes: Mapping[str, int]
) -> StreamedRows | None:
    if queries.values[1] != engine.pos_label:
        return None
    areas, facts = {}, {}
    for i, name in enumerate(engine.columns.scores):
        summary = engine.summary(name, complete=True).summary
        assert summary is not None
        areas[name], ratio = summary, summary.ratio
        facts[name] = OutcomeFacts(
            summary.n_pos + summary.n_neg, 2, summary.n_pos * summary.n_neg, summary.ties,
            (2 * ratio[0], 2 * ratio[1]) if ratio else queries.ratio(i), summary.fingerprint,
            omitted,
            summary.weighted, summary.evened, summary.clusters,
        )  # fmt: skip
    return StreamedRows(facts, sizes, areas)


def _facts(
    engine: Engine, queries: OutcomeQueries, omitted: int,
    reduced: ReducedOutcomes | ReducedChains, units: int,
) -> dict[str, OutcomeFacts]:  # fmt: skip
    prints, rows = engine.prints(), sum(queries.sizes)
    pairs = (rows**2 - sum(size**2 for size in queries.sizes)) // 2
    return {
        name: OutcomeFacts(
            rows, len(queries.sizes), pairs, reduced.ties[i], reduced.ratios[i], prints[name],
            omitted, queries.weighted, queries.evened, units if queries.clustered else None,
        )
        for i, name in enumerate(engine.columns.scores)
    }  # fmt: skip
