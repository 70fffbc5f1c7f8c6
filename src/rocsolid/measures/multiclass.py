"""The mean of a two-class measure over several classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from rocsolid.binary.estimate import Options
from rocsolid.binary.multiclass_auc import (
    Average,
    ClassRows,
    MulticlassEstimate,
    Scheme,
    influences,
    multiclass_estimate,
    problems,
)
from rocsolid.dataclass import dataclass
from rocsolid.errors import UnsoundError
from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.intervals.guarantees.clustered import counted
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.summaries.products import products
from rocsolid.summaries.strata import StrataSpread, Stratum


@dataclass(frozen=True, slots=True)
class Multiclass:
    """The mean of a measure over problems of two classes.

    A row has an influence on each problem that it takes part in. Influences are summed within a
    class of rows, which is a stratum.
    """

    measure: BinaryMeasure
    scheme: Scheme = "ovr"
    average: Average = "macro"

    parameters: ClassVar[tuple[MeasureParameter, ...]] = ()

    @property
    def name(self) -> str:
        return f"{self.measure.name}({self.scheme}, {self.average})"

    @property
    def words(self) -> str:
        return f"the mean over problems of two classes of {self.measure.words}"

    @property
    def range(self) -> tuple[float, float]:
        return self.measure.range

    def estimate(self, sample: ClassRows, options: Options) -> MulticlassEstimate:
        return multiclass_estimate(sample, self.scheme, self.average, options)

    def clusters(self, sample: ClassRows) -> tuple[int | None, float]:  # noqa: ARG002
        return counted(None)

    def spread(self, samples: Sequence[ClassRows]) -> StrataSpread:
        by_score = []
        for sample in samples:
            pairings = problems(sample, self.scheme, self.average)
            weights = np.array([[pairing.weight for pairing in pairings]])
            each = influences(sample, pairings)
            by_score.append([products(weights, influence)[0] for influence in each])
        of_classes = zip(*by_score, strict=True)
        return StrataSpread(tuple(Stratum.of_means(np.stack(rows)) for rows in of_classes))


def multiclass(
    measure: BinaryMeasure, average: Average = "macro", scheme: Scheme = "ovr"
) -> Multiclass:
    """The measure over several classes; only the AUC has formulas.

    >>> from rocsolid.measures.whole_area import WholeArea
    >>> multiclass(WholeArea(), "weighted").name
    'auc(ovr, weighted)'
    """
    if not measure.pairwise:
        raise UnsoundError(
            "several classes have no formula for this measure",
            where="measure",
            value=measure.name,
            fix='use measure="auc", or compare one class at a time',
        )
    return Multiclass(measure, scheme, average)
