"""Measures of an outcome of two or more ordered values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from rocsolid.arguments import spelling
from rocsolid.binary.concordance import OrderedRows
from rocsolid.binary.estimate import Options
from rocsolid.binary.streamed_outcomes import StreamedRows
from rocsolid.dataclass import dataclass
from rocsolid.errors import UnsoundError
from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.parameters import Scale
from rocsolid.results.concordance_estimate import ConcordanceEstimate
from rocsolid.summaries.strata import Covariation


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeScore:
    """One score, with outcomes that all scores share."""

    rows: OrderedRows | StreamedRows
    score: str


@dataclass(frozen=True, slots=True)
class Concordance:
    """The share of pairs with different outcomes that a score ranks correctly.

    With the ``scale`` "vus" it is the volume under the ROC surface; differences for every other
    scale are of concordances.
    """

    scale: Scale = "concordance"

    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    parameters: ClassVar[tuple[MeasureParameter, ...]] = ()

    @property
    def name(self) -> str:
        return "vus" if self.scale == "vus" else "concordance"

    @property
    def words(self) -> str:
        if self.scale == "vus":
            return (
                "the share of chains of rows, one of each outcome, that the score ranks in the "
                "right order"
            )
        return "the share of pairs with different outcomes that the score ranks correctly"

    def estimate(self, sample: OutcomeScore, options: Options) -> ConcordanceEstimate:
        return sample.rows.estimate(sample.score, self.scale, options)

    def clusters(self, sample: OutcomeScore) -> tuple[int | None, float]:
        return sample.rows.clusters(self.scale)

    def spread(self, samples: Sequence[OutcomeScore]) -> Covariation:
        names = (sample.score for sample in samples)
        return samples[0].rows.spread(*names, scale=self.scale)


NAMES_OF_OUTCOMES: dict[Scale, tuple[str, ...]] = {
    "concordance": ("concordance_index", "c_index"),
    "vus": ("volume_under_surface", "volume_under_the_roc_surface"),
}
"""The measures of ordered outcomes, with their further names."""
_SCALES: dict[str, Scale] = {
    spelling(name): scale
    for scale, aliases in NAMES_OF_OUTCOMES.items()
    for name in (scale, *aliases)
}


def of_outcomes(measure: Any) -> Scale | None:
    """Return the scale of a measure of ordered outcomes, or ``None`` for other measures.

    >>> of_outcomes("VUS"), of_outcomes("c-index"), of_outcomes("auc")
    ('vus', 'concordance', None)
    """
    if isinstance(measure, list | tuple) and len(measure) == 1:
        measure = measure[0]
    return _SCALES.get(spelling(measure)) if isinstance(measure, str) else None


def refuse_for_outcomes(**two_classes: Any) -> None:
    """Reject keywords that are not ``None``, for a measure of ordered outcomes."""
    for name, value in two_classes.items():
        if value is not None:
            raise UnsoundError(
                f"{name} is not available for this measure of ordered outcomes",
                where=name,
                value=value if isinstance(value, str | int | float) else None,
                fix='leave it out, or give labels of two classes and measure="auc"',
            )
