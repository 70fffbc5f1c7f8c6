"""The named models of how an area varies from sample to sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rocsolid.binary.partial_area import Region
from rocsolid.plan.curve import NormalCurve
from rocsolid.plan.hanley_mcneil import hanley_mcneil, hanley_mcneil_together
from rocsolid.plan.mann_whitney import VarianceParts, mann_whitney, mann_whitney_together
from rocsolid.plan.obuchowski import obuchowski, obuchowski_one, obuchowski_together


@dataclass(frozen=True, slots=True)
class VarianceModel:
    """The variance of one area, of each of two areas, and how two on the same rows vary together.

    ``together`` takes the scores' correlation among the positives and among the negatives.
    """

    one: Callable[[NormalCurve, Region], VarianceParts]
    each: Callable[[NormalCurve, Region], VarianceParts]
    together: Callable[[NormalCurve, NormalCurve, float, float, Region], VarianceParts]
    source: str


MODELS: dict[str, VarianceModel] = {
    "binormal": VarianceModel(
        mann_whitney,
        mann_whitney,
        mann_whitney_together,
        "exact variance of the Mann-Whitney statistic for normal scores (Birnbaum, Proceedings of "
        "the Third Berkeley Symposium 1 (1956), 13-17); of a partial area by influence functions",
    ),
    "obuchowski": VarianceModel(
        obuchowski_one,
        obuchowski,
        obuchowski_together,
        "Obuchowski and McClish, Statistics in Medicine 16 (1997), 1529-1542; Obuchowski, Lieber "
        "and Wians, Clinical Chemistry 50 (2004), 1118-1125",
    ),
    "hanley-mcneil": VarianceModel(
        hanley_mcneil,
        hanley_mcneil,
        hanley_mcneil_together,
        "Hanley and McNeil, Radiology 143 (1982), 29-36, and 148 (1983), 839-843",
    ),
}
"""Public name of each variance."""
