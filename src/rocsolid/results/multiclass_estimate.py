"""An AUC averaged over classes, with the two-class AUCs behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.results.plain import Plain, one_line
from rocsolid.results.valued import Valued


@dataclass(frozen=True, slots=True)
class MulticlassEstimate(Valued, Plain):
    """The weighted mean of two-class AUCs, with an interval of its own.

    ``parts`` are the two-class AUCs by name, each with both its intervals, and ``weights`` their
    shares of the mean; ``class_sizes`` counts the rows of each class.
    """

    value: float
    interval: Interval
    certified: Interval
    std_error: float | None
    measure: str
    parts: Mapping[str, Estimate]
    weights: Mapping[str, float]
    class_sizes: Mapping[str, int]
    warnings: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    _json = (
        "measure value low high level method assumptions=interval.assumptions certified "
        "std_error class_sizes weights parts warnings settings"
    )

    @property
    def basis(self) -> str:
        """What it was found from."""
        return f"{sum(self.class_sizes.values()):,} rows of {len(self.class_sizes)} classes"

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"{self.measure} {self.value:.4f}, {self.interval}, certified {self.certified}, "
            f"{self.basis}"
        )

    def explain(self) -> str:
        """The result in plain words, with the class that is ranked worst."""
        worst = min(self.parts, key=lambda name: self.parts[name].value)
        return " ".join(
            [
                f"Averaged over {len(self.parts)} comparisons of classes, a row of the one class "
                f"is scored above a row of the other {100 * self.value:.3g} % of the time. The "
                f"interval is {self.interval}, the certified one {self.certified}.",
                f"Worst is {worst} with {self.parts[worst].value:.4f}.",
                *self.warnings,
            ]
        )
