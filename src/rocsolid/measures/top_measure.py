"""What measures of the top of a ranking have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.binary.top_estimate import BAND, NAMES, TopValue
from rocsolid.engines.memory import check_classes
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.binary import unclustered
from rocsolid.inputs.measure_parameters import MeasureParameter
from rocsolid.intervals.guarantees.prevalence import Prevalence, prevalence_limits
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.scored import Scored
from rocsolid.results import Estimate
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.score_counts import ScoreCounts

_NAMED: dict[str, Prevalence] = {"rows": "rows", "classes": "classes"}


def _prevalence(value: str, text: str) -> Prevalence:
    try:
        prevalence = _NAMED.get(value) or float(value)
        prevalence_limits(prevalence, 1, 1, 0.5)
    except ValueError:
        raise InputError(
            "not a prevalence",
            where=text,
            value=value,
            fix="write prevalence=rows, prevalence=classes or a share such as 0.02",
        ) from None
    return prevalence


PREVALENCE = MeasureParameter(
    "prevalence",
    "the share of positives: estimated from the rows, as the class sizes have it, or known",
    "prevalence=classes",
    _prevalence,
    default="rows",
)


@dataclass(frozen=True, slots=True)
class TopMeasure(BinaryMeasure):
    """A value that depends on the share of positives, and mostly on the rows that rank high.

    ``prevalence`` says whether that share is estimated with it; see `rocsolid.pr_auc`.
    """

    prevalence: Prevalence = field(default="rows", kw_only=True)

    intervals: ClassVar[tuple[str, ...]] = (*NAMES, BAND)
    bounds: ClassVar[tuple[str, ...]] = (BAND,)

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        return (PREVALENCE,)

    @property
    @abstractmethod
    def stem(self) -> str:
        """The name without brackets."""

    @property
    def options(self) -> tuple[str, ...]:
        """What stands in brackets before the prevalence."""
        return ()

    @abstractmethod
    def found(self, rows: BinaryRows, summary: BinarySummary | None = None) -> TopValue:
        """The value with what its intervals are made of."""

    @abstractmethod
    def worded(self, rows: BinaryRows, scored: Scored, options: Options) -> Estimate:
        """The estimate from rows that are at hand."""

    @property
    def text(self) -> str:
        inside = list(self.options)
        if self.prevalence != "rows":
            of = self.prevalence
            inside.append(f"prevalence={of if isinstance(of, str) else format(of, 'g')}")
        return self.stem + (f"({', '.join(inside)})" if inside else "")

    @property
    def of_rows(self) -> bool:
        return self.prevalence == "rows"

    @property
    def of_ratio(self) -> bool:
        return isinstance(self.prevalence, str)

    def misplaced(self, value: float, n_pos: float, n_neg: float) -> float:  # noqa: ARG002
        return n_pos * min(value, 1.0 - value)

    def estimate(self, scored: Scored, options: Options) -> Estimate:
        if scored.rows is None:
            raise UnsoundError(
                f"{self.name} looks at rows, which are not at hand here",
                where="measure",
                value=self.name,
                fix="evaluate in memory",
            )
        check_classes(scored.rows)
        return self.worded(scored.rows, scored, options)

    def influence(self, rows: BinaryRows) -> NDArray[np.float64]:
        return self.found(unclustered(rows)).influences()

    def of_table(self, rows: BinaryRows) -> Callable[[ScoreCounts], float]:
        return self.found(unclustered(rows)).of_table
