"""The value of a measure with its uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rocsolid.results.interval import Interval, percent


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure's value, the interval that was asked for, and beside it a certified one.

    ``interval`` is calibrated unless a guarantee was asked for by name; ``certified`` holds at its
    level for every distribution and sample size (``None`` where no such bound is known). ``ties``
    counts the pairs of a positive and a negative with equal scores.
    """

    value: float
    interval: Interval
    certified: Interval | None
    std_error: float | None
    n_pos: int
    n_neg: int
    ties: int
    measure: str = "auc"
    ratio: tuple[int, int] | None = None
    warnings: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    fingerprint: str = ""

    @property
    def low(self) -> float:
        return self.interval.low

    @property
    def high(self) -> float:
        return self.interval.high

    @property
    def level(self) -> float:
        return self.interval.level

    @property
    def method(self) -> str:
        return self.interval.method

    @property
    def exact(self) -> Fraction | None:
        """The value as a ratio of integers; ``None`` where it is not one (real-valued weights)."""
        return None if self.ratio is None else Fraction(*self.ratio)

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        text = f"{_title(self.measure)} {self.value:.4f}, {self.interval}"
        if self.certified is not None:
            text += f", certified {self.certified}"
        return text + f", {self.n_pos:,} positives, {self.n_neg:,} negatives"

    def explain(self) -> str:
        """The result as a short paragraph in plain words."""
        return " ".join(self.sentences())

    def sentences(self) -> tuple[str, ...]:
        """The explanation sentence by sentence: the value, the intervals, what to mind."""
        share = f"{100 * self.value:.3g} %"
        said = [
            f"The average positive example is ranked above {share} of the negatives"
            + (", a tie counting as half." if self.ties else "."),
            _in_words(self.interval, f"{self.n_pos:,} positives and {self.n_neg:,} negatives"),
        ]
        if self.certified is not None and self.certified is not self.interval:
            said.append(_in_words(self.certified, "the same data"))
        if self.interval.low <= 0.5 <= self.interval.high:
            said.append("A score that ranks at random (one half) is not ruled out.")
        return (*said, *self.warnings)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        certified = None if self.certified is None else self.certified.to_dict()
        return {
            "measure": self.measure,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "method": self.method,
            "assumptions": list(self.interval.assumptions),
            "certified": certified,
            "std_error": self.std_error,
            "exact": None if self.ratio is None else str(self.exact),
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            "ties": self.ties,
            "warnings": list(self.warnings),
            "settings": dict(self.settings),
            "fingerprint": self.fingerprint,
        }


def _title(measure: str) -> str:
    return "AUC" if measure == "auc" else measure


def _in_words(interval: Interval, basis: str) -> str:
    level = percent(interval.level)
    if interval.vacuous:
        return (
            f"From {basis}, the {level} interval by {interval.method} says nothing: it spans every "
            "possible value."
        )
    where = f"between {interval.low:.4f} and {interval.high:.4f}"
    if interval.certified:
        return (
            f"From {basis}, the value in the whole population lies {where} with probability at "
            f"least {level}, whatever the distribution ({interval.method})."
        )
    return (
        f"From {basis}, the {level} interval for the value in the whole population lies {where} "
        f"({interval.method}, calibrated: right on average, not for every distribution)."
    )
