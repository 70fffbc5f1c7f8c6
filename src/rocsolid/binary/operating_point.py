"""One threshold and what it does."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results import Interval, percent
from rocsolid.results.plain import Plain, one_line, plain_key

Chosen = Literal["threshold", "fpr", "tpr", "youden", "closest-topleft", "cost"]
"""What the threshold was found by; "threshold" says that it was given."""

RATES = ("tpr", "fpr", "precision", "npv", "accuracy", "youden")
"""What an operating point has a value and an interval for."""

_IN_WORDS = {
    "tpr": "sensitivity",
    "fpr": "false-positive rate",
    "precision": "positive predictive value",
    "npv": "negative predictive value",
    "accuracy": "accuracy",
    "youden": "Youden's index",
}


@dataclass(frozen=True, slots=True)
class OperatingPoint(Plain, Checked):
    """Rows with a score ``rule`` (≥ or ≤) the threshold count as positive; the counts that follow.

    ``precision``, ``npv`` and ``accuracy`` are those of the rows, or of a population with the
    ``prevalence`` that was given. ``intervals`` has one for each of these, and for the two rates
    and Youden's index. Under weights the counts are sums of weights, and there are no intervals.

    >>> p = OperatingPoint(0.5, "≥", 8, 3, 10, 100)
    >>> p.tpr, p.fpr, round(p.precision, 4), round(p.npv, 4), round(p.youden, 2)
    (0.8, 0.03, 0.7273, 0.9798, 0.77)
    """

    threshold: float
    rule: str
    true_positives: float
    false_positives: float
    positives: float
    negatives: float
    chosen: Chosen = "threshold"
    prevalence: float | None = None
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    warnings: tuple[Remark, ...] = ()
    _json = (
        "threshold rule chosen prevalence tpr fpr precision npv accuracy youden true_positives "
        "false_positives false_negatives true_negatives positives negatives intervals warnings"
    )

    @property
    def false_negatives(self) -> float:
        """The positives that the threshold misses."""
        return self.positives - self.true_positives

    @property
    def true_negatives(self) -> float:
        """The negatives that it does not flag."""
        return self.negatives - self.false_positives

    @property
    def cut(self) -> str:
        """What is flagged, such as "score ≥ 0.2", or that the threshold lies beyond all scores."""
        if math.isinf(self.threshold):
            return f"a threshold {'above' if self.threshold > 0.0 else 'below'} all scores"
        return f"score {self.rule} {self.threshold:g}"

    @property
    def tpr(self) -> float:
        """Sensitivity, recall."""
        return self.true_positives / self.positives

    @property
    def fpr(self) -> float:
        """One minus specificity."""
        return self.false_positives / self.negatives

    @property
    def precision(self) -> float | None:
        """The share of positives among flagged rows (PPV); ``None`` where none is flagged."""
        return _share(*self._population(self.true_positives, self.false_positives))

    @property
    def npv(self) -> float | None:
        """The share of negatives among the rows that are not flagged; ``None`` if all are."""
        passed = self._population(self.false_negatives, self.true_negatives)
        return _share(*reversed(passed))

    @property
    def accuracy(self) -> float:
        """The share of rows on the right side of the threshold."""
        whole = sum(self._population(self.positives, self.negatives))
        right = self._population(self.true_positives, self.negatives - self.false_positives)
        return sum(right) / whole

    @property
    def youden(self) -> float:
        """Youden's index: sensitivity + specificity − 1, on a scale from −1 to 1."""
        return self.tpr - self.fpr

    def _population(self, positives: float, negatives: float) -> tuple[float, float]:
        """Rows as they are, or as shares of a population with the prevalence that was given."""
        if self.prevalence is None:
            return positives, negatives
        share = self.prevalence
        return share * positives / self.positives, (1.0 - share) * negatives / self.negatives

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"threshold {self.threshold:g}: true-positive rate {self.tpr:.4f} "
            f"({self.true_positives:g} of {self.positives:g}), false-positive rate {self.fpr:.4f} "
            f"({self.false_positives:g} of {self.negatives:g})"
        )

    def explain(self) -> str:
        """Every rate with its interval, and the warnings, in plain words."""
        return " ".join(self.sentences())

    def sentences(self) -> tuple[str, ...]:
        """The explanation sentence by sentence: what is flagged, the rates, the warnings."""
        what = f"Rows with a {self.cut} are flagged."
        sentences = [f"This is {self.cut}." if math.isinf(self.threshold) else what]
        for name in RATES:
            value, interval = getattr(self, name), self.intervals.get(name)
            told = "not defined" if value is None else f"{value:.4f}"
            limits = "" if interval is None else f" ({interval.low:.4f} to {interval.high:.4f})"
            sentences.append(f"{_IN_WORDS[name].capitalize()} {told}{limits}.")
        if self.intervals:
            sentences.append(
                f"Intervals at {percent(self.intervals['tpr'].level)}: "
                f"{self.intervals['tpr'].method}."
            )
        if self.prevalence is not None:
            sentences.append(
                f"Predictive values and accuracy at a prevalence of {self.prevalence:g}."
            )
        return (*sentences, *self.warnings)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable. An infinite threshold is written as text."""
        return Plain.to_dict(self) | {"threshold": plain_key(self.threshold)}


def _share(part: float, rest: float) -> float | None:
    return part / (part + rest) if part + rest else None
