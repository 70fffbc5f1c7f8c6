"""Precision at a recall, for the rows' own share of positives or another, as a measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rocsolid.binary.area import rate_at
from rocsolid.binary.estimate import Options
from rocsolid.errors import InputError
from rocsolid.inputs.measure_parameters import MeasureParameter, settings_of
from rocsolid.intervals.guarantees.curve_point import precision_at_recall_of
from rocsolid.intervals.guarantees.prevalence import Prevalence
from rocsolid.measures.picture import Picture
from rocsolid.measures.resampled import ResampledMeasure
from rocsolid.measures.top_measure import PREVALENCE
from rocsolid.results import Interval
from rocsolid.summaries.score_counts import ScoreCounts


def _recall(value: str, text: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise _refused(text) from None


RECALL = MeasureParameter(
    "recall",
    "the recall at which precision is read",
    "recall=0.8",
    _recall,
    aliases=("sensitivity", "sens", "se", "tpr"),
)


@dataclass(frozen=True, slots=True)
class PredictiveValue(ResampledMeasure):
    """The share of positives among the rows above the threshold with a given recall r.

    It is πr/(πr + (1−π)f), with f the false-positive rate at which the completed ROC curve reaches
    r and π the share of positives: that of the rows, or a known one. As f has no variance without a
    density, the interval is a bootstrap.

    >>> PredictiveValue(0.8).name, PredictiveValue(0.9, prevalence=0.02).name
    ('precision(recall=0.8)', 'ppv(sensitivity=0.9, prevalence=0.02)')
    """

    recall: float
    prevalence: Prevalence = field(default="rows", kw_only=True)

    def __post_init__(self) -> None:
        if not 0.0 < self.recall < 1.0:
            raise InputError(
                "the recall must lie strictly between 0 and 1", where="recall", value=self.recall
            )

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        return (RECALL, PREVALENCE)

    @property
    def text(self) -> str:
        if self.prevalence == "rows":
            return f"precision(recall={self.recall:g})"
        if self.prevalence == "classes":
            return f"precision(recall={self.recall:g}, prevalence=classes)"
        return f"ppv(sensitivity={self.recall:g}, prevalence={self.prevalence:g})"

    @property
    def of_rows(self) -> bool:
        return self.prevalence == "rows"

    @property
    def words(self) -> str:
        return (
            "the share of positives among the rows flagged at a given recall"
            if isinstance(self.prevalence, str)
            else "the precision at a given sensitivity, for a prevalence that you name"
        )

    @property
    def picture(self) -> Picture:
        return "pr"

    @property
    def meaning(self) -> str:
        at = "" if isinstance(self.prevalence, str) else f" and a prevalence of {self.prevalence:g}"
        return f"At a recall of {self.recall:g}{at} {{percent}} of the flagged rows are positive."

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"recall": self.recall, "prevalence": self.prevalence}

    def share(self, table: ScoreCounts) -> float:
        """The share of positives that it is about."""
        if not isinstance(self.prevalence, str):
            return self.prevalence
        return float(table.n_pos) / (float(table.n_pos) + float(table.n_neg))

    def guarantee(self, table: ScoreCounts, options: Options) -> Interval:
        return precision_at_recall_of(
            table, self.recall, 1.0 - options.level, options.alternative,
            prevalence=self.prevalence,
        )  # fmt: skip

    def chance(self, table: ScoreCounts) -> float:
        return self.share(table)

    def value(self, table: ScoreCounts) -> float:
        hits = self.share(table) * self.recall
        return hits / (hits + (1.0 - self.share(table)) * rate_at(table, self.recall))


def parse(text: str, inside: str | None) -> PredictiveValue:
    """From ``precision(recall=.8)`` or ``ppv(sensitivity=.9, prevalence=.02)``.

    >>> parse("", "recall=.8").name
    'precision(recall=0.8)'
    """
    words, settings = settings_of(inside, text, RECALL, PREVALENCE)
    if words or "recall" not in settings:
        raise _refused(text)
    return PredictiveValue(**settings)


def _refused(text: str) -> InputError:
    return InputError(
        "precision is read at a recall, or at a cut",
        where="measure",
        value=text,
        fix="write precision(recall=.8), ppv(sensitivity=.9, prevalence=.02) or precision@5%",
    )
