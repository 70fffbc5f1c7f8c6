"""The protocol of measures of any sample: rows, outcomes, classes, folds, or units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.summaries.strata import Covariation


class Measure(Protocol):
    """A number of a sample, and the influence of each unit on it.

    A sample is one score with everything else that the measure reads. ``estimate`` returns the
    value with intervals. ``spread`` returns the influences of units on the values of several scores
    of the same units, which determine tests, ranks, limits and sizes. A measure of ranked lists
    gives one value a query, and `rocsolid.measures.unit_mean.UnitMean` is their mean. `folded`,
    `multiclass` and `across` convert a measure into another.
    """

    @property
    def name(self) -> str:
        """The name in results."""

    @property
    def words(self) -> str:
        """The description, as a completion of "is"."""

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value."""

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        """The settings that its name may have in brackets."""

    def estimate(self, sample: Any, options: Any, /) -> Any:
        """The value of one score, with the requested intervals."""

    def spread(self, samples: Sequence[Any], /) -> Covariation | None:
        """The influences of units on the value of each score; ``None`` without a formula."""


class MeasureOfUnits(Measure, Protocol):
    """A measure that counts the clusters of a sample."""

    def clusters(self, sample: Any, /) -> tuple[int | None, float]:
        """Count clusters by their shares in the value; see `counted`."""
