"""How an estimate is requested, whatever its sample: rows of two classes, or queries."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rocsolid.intervals.guarantees.checks import check_alternative, check_level
from rocsolid.results import Alternative


@dataclass(frozen=True, slots=True)
class EstimateOptions:
    """The interval, and how scores are read; see `rocsolid.auc`.

    The names that ``interval`` may have depend on the measure, so the measure checks them.
    """

    interval: str = "auto"
    level: float = 0.95
    alternative: Alternative = "two-sided"
    lower_is_better: bool = False
    nan: Literal["raise", "omit"] = "raise"

    def __post_init__(self) -> None:
        check_sided_level(self.level, self.alternative)

    def together(self, count: int) -> EstimateOptions:
        """For each of ``count`` certified intervals that hold together (Bonferroni)."""
        level = 1.0 - (1.0 - self.level) / count
        return replace(self, interval="auto", level=level, alternative="two-sided")


def check_sided_level(level: float, alternative: Alternative) -> None:
    check_level(level)
    check_alternative(alternative)
