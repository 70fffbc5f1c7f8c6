"""What measures of the top of a ranking have in common, and the area under precision-recall."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.binary.pr_auc import pr_area, pr_estimate
from rocsolid.binary.precision_steps import Kind
from rocsolid.binary.top_estimate import BAND, NAMES, TopValue
from rocsolid.engines.memory import check_classes
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.binary import unclustered
from rocsolid.inputs.measure_parameters import MeasureParameter, settings_of
from rocsolid.intervals.guarantees.prevalence import Prevalence, prevalence_limits
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.picture import Picture
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
        return self.found(unclustered(rows)).pulls()

    def of_table(self, rows: BinaryRows) -> Callable[[ScoreCounts], float]:
        return self.found(unclustered(rows)).of_table


@dataclass(frozen=True, slots=True)
class PrecisionRecallArea(TopMeasure):
    """The area under the precision-recall curve, by steps the average precision.

    >>> PrecisionRecallArea("trapezoid", prevalence=0.02).name
    'pr_auc(trapezoid, prevalence=0.02)'
    """

    kind: Kind = "step"

    @property
    def stem(self) -> str:
        return "pr_auc"

    @property
    def options(self) -> tuple[str, ...]:
        return () if self.kind == "step" else (self.kind,)

    @property
    def words(self) -> str:
        return "the area under the precision-recall curve; by steps, the average precision"

    @property
    def picture(self) -> Picture:
        return "pr"

    @property
    def merged(self) -> bool:
        return self.kind == "davis-goadrich"

    def found(self, rows: BinaryRows, summary: BinarySummary | None = None) -> TopValue:
        return pr_area(rows, self.kind, self.prevalence, summary)

    def worded(self, rows: BinaryRows, scored: Scored, options: Options) -> Estimate:
        return pr_estimate(
            rows, scored.summary, scored.omitted, options, self.kind, self.prevalence, self.name
        )


def parse(text: str, inside: str | None) -> PrecisionRecallArea:
    """From ``pr_auc(davis-goadrich, prevalence=0.02)``.

    >>> parse("", "prevalence=classes").name
    'pr_auc(prevalence=classes)'
    """
    words, settings = settings_of(inside, text, PREVALENCE)
    kinds: tuple[Kind, ...] = get_args(Kind)
    asked = [kind for kind in kinds if kind in words]
    if len(words) > 1 or len(asked) < len(words):
        raise InputError(
            "not a kind of area under the precision-recall curve",
            where="measure",
            value=text,
            fix=f"write pr_auc, or pr_auc({kinds[1]}) or pr_auc({kinds[2]})",
        )
    return PrecisionRecallArea(asked[0] if asked else "step", **settings)
