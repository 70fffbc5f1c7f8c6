"""What a measure is, whatever its sample: rows, outcomes, classes, folds, or one value a unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.summaries.strata import Covariation


class Measure(Protocol):
    """A number of a sample, and how the units of the sample move it.

    A sample is one score with all that the measure reads beside it. ``estimate`` gives its value
    with intervals, and ``spread`` the influence of each unit on the values of several scores of the
    same units: tests, ranks, limits and sizes follow from it alone. A measure of ranked lists gives
    one value a query, of which `rocsolid.measures.unit_mean.UnitMean` is the measure. `folded`,
    `multiclass` and `across` take a measure and give a measure.
    """

    @property
    def name(self) -> str:
        """What results call it."""

    @property
    def words(self) -> str:
        """What it is, as it follows "is"."""

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value."""

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        """What may stand in the brackets of its name."""

    def estimate(self, sample: Any, options: Any, /) -> Any:
        """The value of one score, with the intervals that the options ask for."""

    def spread(self, samples: Sequence[Any], /) -> Covariation | None:
        """How the units move the value of each score; ``None`` where no formula says."""
