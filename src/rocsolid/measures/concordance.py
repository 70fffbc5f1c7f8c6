"""Concordance with an outcome of many values, as a measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rocsolid.binary.concordance import OrderedRows
from rocsolid.binary.estimate import Options
from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.parameters import Scale
from rocsolid.results.concordance_estimate import ConcordanceEstimate
from rocsolid.summaries.pair_counts import OutcomeSpread


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeScore:
    """One score, with outcomes that all scores share."""

    rows: OrderedRows
    score: str


@dataclass(frozen=True, slots=True)
class Concordance:
    """The share of pairs with different outcomes that a score ranks correctly.

    Differences are of concordances for every ``scale`` of the values.
    """

    scale: Scale = "concordance"

    name: ClassVar[str] = "concordance"
    words: ClassVar[str] = (
        "the share of pairs with different outcomes that the score ranks correctly"
    )
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    parameters: ClassVar[tuple[MeasureParameter, ...]] = ()

    def estimate(self, sample: OutcomeScore, options: Options) -> ConcordanceEstimate:
        return sample.rows.estimate(sample.score, self.scale, options)

    def spread(self, samples: Sequence[OutcomeScore]) -> OutcomeSpread:
        return samples[0].rows.spread(*(sample.score for sample in samples))
