"""One threshold and what it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """Rows with a score ``rule`` (≥ or ≤) the threshold count as positive; the counts that follow.

    Under weights the counts are sums of weights.

    >>> p = OperatingPoint(0.5, "≥", 8, 3, 10, 100)
    >>> p.tpr, p.fpr, round(p.precision, 4)
    (0.8, 0.03, 0.7273)
    """

    threshold: float
    rule: str
    true_positives: float
    false_positives: float
    positives: float
    negatives: float

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
        """The share of true positives among the flagged rows; ``None`` where none is flagged."""
        flagged = self.true_positives + self.false_positives
        return self.true_positives / flagged if flagged else None

    def __str__(self) -> str:
        return (
            f"threshold {self.threshold:g}: true-positive rate {self.tpr:.4f} "
            f"({self.true_positives:g} of {self.positives:g}), false-positive rate {self.fpr:.4f} "
            f"({self.false_positives:g} of {self.negatives:g})"
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "threshold": self.threshold,
            "rule": self.rule,
            "tpr": self.tpr,
            "fpr": self.fpr,
            "precision": self.precision,
            "true_positives": self.true_positives,
            "false_positives": self.false_positives,
            "positives": self.positives,
            "negatives": self.negatives,
        }
