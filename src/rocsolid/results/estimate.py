"""A measure's value with its intervals."""

from __future__ import annotations

from dataclasses import field, fields
from fractions import Fraction
from typing import Annotated, Any, TypeVar

from rocsolid.counts import both_classes
from rocsolid.dataclass import dataclass
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import doubted
from rocsolid.results.card import measure_title
from rocsolid.results.deferred import ReadLater
from rocsolid.results.interval import Certified, Interval, Valued, percent
from rocsolid.results.json_schema import (
    Count,
    Keywords,
    MeasureName,
    PValue,
    ScoresFingerprint,
    StdError,
    Warnings,
)
from rocsolid.results.plain import Plain, one_line
from rocsolid.results.references import References, against_references

RANKED_ABOVE = "The average positive example is ranked above {percent} of the negatives{ties}."


@dataclass(frozen=True, slots=True)
class Estimate(ReadLater, Valued, Plain, Checked):
    """A measure's value with the requested interval and a certified interval.

    ``interval`` is calibrated unless a certified method was requested by name; ``certified`` holds
    at its level for every distribution and sample size (``None`` if no such bound is known).
    ``ties`` counts the pairs of a positive and a negative with equal scores. ``meaning`` is a
    sentence about the value, with the placeholders ``{value}``, ``{percent}`` and ``{ties}``;
    ``chance`` is the value of a random ranking, or the highest of the values in ``references``, the
    alternatives to a score.
    """

    value: Annotated[float, "The value of these rows."]
    interval: Interval
    certified: Certified
    std_error: StdError
    n_pos: Annotated[Count, "Positives."]
    n_neg: Annotated[Count, "Negatives."]
    ties: Annotated[Count, "Pairs of a positive and a negative with equal scores."]
    measure: MeasureName = "auc"
    ratio: tuple[int, int] | None = None
    warnings: Warnings = ()
    settings: Keywords = field(default_factory=dict)
    fingerprint: ScoresFingerprint = ""
    meaning: str = RANKED_ABOVE
    chance: float = 0.5
    references: References = ()
    _later = ("interval", "certified", "std_error", "warnings", "fingerprint")
    _columns = "positives=n_pos negatives=n_neg"
    _narrow = "tied"
    _json = (
        "measure value low high level method assumptions=interval.assumptions certified "
        "std_error exact n_pos n_neg ties warnings settings fingerprint"
    )

    @property
    def exact(self) -> Fraction | None:
        """The value as a ratio of whole numbers, such as 3/4; ``None`` if it is not exact."""
        return None if self.ratio is None else Fraction(*self.ratio)

    @property
    def tied(self) -> float:
        """The share of pairs of a positive and a negative that have the same score."""
        return self.ties / (self.n_pos * self.n_neg)

    @property
    def deciding(self) -> Interval:
        """The interval that decides verdicts: the certified one if a warning relies on it."""
        if self.certified is not None and doubted(self.warnings):
            return self.certified
        return self.interval

    @property
    def basis(self) -> str:
        """The rows behind the value."""
        return both_classes(self.n_pos, self.n_neg)

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"{measure_title(self.measure)} {self._number(self.value)}, {self.interval}"
        if self.certified is not None:
            text += f", certified {self.certified}"
        return text + f", {both_classes(self.n_pos, self.n_neg, ', ')}"

    def _number(self, value: float) -> str:
        return f"{value:.{self.interval.decimals}f}"

    def explain(self) -> str:
        """Describe the result in a short paragraph."""
        return " ".join(self.sentences())

    def sentences(self) -> tuple[str, ...]:
        """The explanation sentence by sentence: the value, the intervals, the warnings."""
        meaning = self.meaning.format(
            value=self._number(self.value),
            percent=f"{100 * self.value:.3g} %",
            ties=", a tie counting as half" if self.ties else "",
        )
        sentences = [meaning, _in_words(self.interval, self.basis)]
        if self.certified is not None and self.certified is not self.interval:
            sentences.append(_in_words(self.certified, "the same data"))
        if self.certified_is_shorter:
            sentences.append("The certified interval is shorter here, so use it.")
        if self.references:
            sentences.append(against_references(self.deciding, self.references))
        elif self._compared_with_chance() and self.chance in self.deciding:
            chance = "one half" if self.chance == 0.5 else self._number(self.chance)
            sentences.append(f"A random ranking ({chance}) is not ruled out.")
        return (*sentences, *self.warnings)

    def _compared_with_chance(self) -> bool:
        """Whether the interval has a limit towards chance; a one-sided interval may have none."""
        free = {"less": self.value > self.chance, "greater": self.value < self.chance}
        return not free.get(str(self.settings.get("alternative")), False)


@dataclass(frozen=True, slots=True)
class JointEstimate(Estimate):
    """An estimate of one score among many, with joint inference for all of them.

    ``simultaneous`` holds jointly for all scores, and ``p_adjusted`` tests against the value of a
    random ranking. There is no certified interval and no fingerprint.
    """

    simultaneous: Interval = field(kw_only=True)
    p_adjusted: Annotated[
        PValue, "The p-value of the test against random ranking, adjusted for all scores."
    ] = field(kw_only=True)
    _json = (
        "measure value low high level method std_error exact n_pos n_neg ties "
        "simultaneous_low simultaneous_high p_adjusted warnings"
    )

    @property
    def simultaneous_low(
        self,
    ) -> Annotated[float, ("The lower limit that holds jointly for all scores.")]:
        return self.simultaneous.low

    @property
    def simultaneous_high(
        self,
    ) -> Annotated[float, ("The upper limit that holds jointly for all scores.")]:
        return self.simultaneous.high

    __repr__ = one_line


_Kind = TypeVar("_Kind", bound=Estimate)
_OWN = frozenset(each.name for each in fields(Estimate) if each.init)


def extended(kind: type[_Kind], estimate: Estimate, **more: Any) -> _Kind:
    """Convert an estimate to a result of another class, with additional or replaced fields."""
    more = {**estimate.deferred, **more}
    return kind(**{name: getattr(estimate, name) for name in _OWN - more.keys()} | more)


def _in_words(interval: Interval, basis: str) -> str:
    level = percent(interval.level)
    if interval.vacuous:
        return (
            f"From {basis}, the {level} interval by {interval.method} is uninformative: it spans "
            "every possible value."
        )
    low, high = (f"{limit:.{interval.decimals}f}" for limit in (interval.low, interval.high))
    kind = "certified interval" if interval.certified else "interval"
    return (
        f"From {basis}, the {level} {kind} for the value in the whole population is {low} to "
        f"{high} ({interval.method}); {interval._promise}."
    )
