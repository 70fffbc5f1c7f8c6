"""An estimate with everything that says more than it must about the labels taken out."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rocsolid.binary.warnings import MANY_TIES, bootstrap_doubts
from rocsolid.intervals.guarantees.table import interval as guarantee
from rocsolid.results import Estimate, Interval, percent
from rocsolid.results.plain import plain_segment
from rocsolid.results.reads import PLACEMENTS, VALUE

_COUNTS = re.compile(r"Only \d+ (positive row|negative row|cluster)|\S+ rows? (was|were) left out")
_TIED = f"More than {percent(MANY_TIES)} of the pairs of a positive and a negative are tied; a tie "
_TIED += "counts half."
_FIGURES = "A further warning quotes figures; it stands in the private report only."


@dataclass(frozen=True, slots=True)
class RoundedInterval:
    """Limits rounded outward, so that they hold at the level that the unrounded ones have."""

    low: float
    high: float
    level: float
    method: str
    certified: bool
    assumptions: tuple[str, ...]
    source: str
    vacuous: bool

    def to_dict(self) -> dict[str, Any]:
        return {name: _plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Rounded:
    """One result as it is published. ``n_pos`` and ``n_neg`` are None where they are left out."""

    score: str
    measure: str
    by: Mapping[str, Any] | None
    value: float
    interval: RoundedInterval
    certified: RoundedInterval | None
    decimals: int
    rows: int
    n_pos: int | None
    n_neg: int | None
    meaning: str
    chance: float
    warnings: tuple[str, ...]

    @property
    def text(self) -> str:
        """The value with its decimals; it was rounded, so 1.00 is no promise of a perfect score."""
        return f"{self.value:.{self.decimals}f}"

    def sentences(self) -> tuple[str, ...]:
        places = f"{self.decimals} decimal{'s' if self.decimals > 1 else ''}"
        said = [
            self.meaning,
            f"Rounded to {places}: {self.text} stands for every value that rounds to it.",
            self._in_words(self.interval, "calibrated: right on average, not for every one"),
        ]
        if self.certified is not None and self.certified != self.interval:
            said.append(self._in_words(self.certified, "whatever the distribution"))
        if self.interval.low <= self.chance <= self.interval.high:
            said.append("A score that ranks at random is not ruled out.")
        return (*said, *self.warnings)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {
            "score": self.score,
            "by": plain_segment(self.by),
            "measure": self.measure,
            "value": self.value,
            "low": self.interval.low,
            "high": self.interval.high,
            "level": self.interval.level,
            "method": self.interval.method,
            "assumptions": list(self.interval.assumptions),
            "certified": None if self.certified is None else self.certified.to_dict(),
            "decimals": self.decimals,
            "rows": self.rows,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            "warnings": list(self.warnings),
        }

    def _in_words(self, limits: RoundedInterval, holds: str) -> str:
        if limits.vacuous:
            return f"The {percent(limits.level)} interval by {limits.method} says nothing."
        low, high = (f"{end:.{self.decimals}f}" for end in (limits.low, limits.high))
        if limits.certified:
            holds = "whatever the distribution"
        return (
            f"The {percent(limits.level)} interval for the value in the whole population lies "
            f"between {low} and {high}, its limits rounded outward ({limits.method}, {holds})."
        )


def rounded(
    estimate: Estimate,
    decimals: int,
    *,
    score: str,
    measure: str,
    by: Mapping[str, Any] | None,
    rows: int,
    tied: bool,
) -> Rounded:
    """The value to the nearest unit (a half to the even one), the limits outward.

    ``decimals`` are those of a measure between 0 and 1; one in a smaller range gets more, by the
    same share of its range. A certified interval that needs no more than the AUC and the class
    sizes is made anew from the rounded AUC, so wide that it holds for all that rounds to it: then
    it adds nothing. ``tied`` says whether any two rows have the same score.
    """
    decimals += estimate.interval.decimals - 4
    unit = Fraction(1, 10**decimals)
    exact = Fraction(estimate.value) if estimate.exact is None else estimate.exact
    if measure != "auc":
        exact = Fraction(estimate.value)
    value = round(exact / unit) * unit
    certified = _certified(estimate, measure, value, unit)
    asked = estimate.interval
    same = estimate.certified is asked
    interval = certified if same and certified else _outward(asked, unit)
    whole = by is None
    if not whole and not same:
        certified = None  # even one made anew would tell the class sizes, which are left out
    share = f"{100 * float(value):.{max(0, decimals - 2)}f} %"
    return Rounded(
        score=score,
        measure=measure,
        by=by,
        value=float(value),
        interval=interval,
        certified=certified,
        decimals=decimals,
        rows=rows,
        n_pos=estimate.n_pos if whole else None,
        n_neg=estimate.n_neg if whole else None,
        meaning=estimate.meaning.format(
            value=f"{float(value):.{decimals}f}",
            percent=f"about {share}",
            ties=", a tie counting as half" if tied else "",
        ),
        chance=estimate.chance,
        warnings=_warnings(estimate, whole=whole),
    )


def _certified(
    estimate: Estimate, measure: str, value: Fraction, unit: Fraction
) -> RoundedInterval | None:
    found = estimate.certified
    if found is None:
        return None
    if not _from_sizes(estimate, measure):
        return _outward(found, unit)
    method = found.method if found.reads <= VALUE else "hinge"
    ends = []
    for auc in (max(Fraction(0), value - unit / 2), min(Fraction(1), value + unit / 2)):
        ends.append(
            guarantee(
                method,
                float(auc),
                estimate.n_pos,
                estimate.n_neg,
                delta=1.0 - found.level,
                alternative=estimate.settings["alternative"],
            )
        )
    return _outward(
        Interval(
            ends[0].low,
            ends[1].high,
            found.level,
            method,
            found.certified,
            found.assumptions,
            ends[0].source,
            found.range,
        ),
        unit,
    )


def _from_sizes(estimate: Estimate, measure: str) -> bool:
    """Whether the AUC and the class sizes give a certified interval, by `hinge` if not this one."""
    found = estimate.certified
    return measure == "auc" and found is not None and found.reads <= VALUE | PLACEMENTS


def _outward(interval: Interval, unit: Fraction) -> RoundedInterval:
    bottom, top = interval.range
    low = max(float(math.floor(Fraction(interval.low) / unit) * unit), bottom)
    high = min(float(math.ceil(Fraction(interval.high) / unit) * unit), top)
    return RoundedInterval(
        low,
        high,
        interval.level,
        interval.method,
        interval.certified,
        interval.assumptions,
        interval.source,
        low <= bottom and high >= top,
    )


def _warnings(estimate: Estimate, *, whole: bool) -> tuple[str, ...]:
    """Those without figures, and those whose figures are published or known anyway."""
    doubts = bootstrap_doubts(estimate.interval, near=True)
    said: dict[str, None] = {}
    for text in estimate.warnings:
        known = text in doubts or (whole and _COUNTS.match(text))
        if known or not re.search(r"\d", text):
            said[text] = None
        elif "are tied; a tie counts half" in text:
            said[_TIED] = None
        else:
            said[_FIGURES] = None
    return tuple(said)


def form_bits(estimate: Estimate, decimals: int, *, measure: str, whole: bool, tied: bool) -> float:
    """log₂ of how many different `Rounded` there could be instead of this one, at most.

    Low ≤ value ≤ high, each in steps of one unit, and what is said beside them. It looks at the
    options and the scores alone, so it is the same whatever the labels.
    """
    asked = estimate.interval
    name = estimate.settings["interval"]
    resampled = name.startswith("bootstrap")
    span = Fraction(asked.range[1] - asked.range[0])
    steps = math.ceil(span * 10 ** (decimals + asked.decimals - 4))
    # a resampled interval need not hold the value
    choices = (steps + 1) * math.comb(steps + 2, 2) if resampled else math.comb(steps + 3, 3)
    alone = estimate.certified is None or estimate.certified is asked
    if whole and not alone and not _from_sizes(estimate, measure):
        choices *= math.comb(steps + 2, 2)
    # which method was taken, and which warnings there are: reversed, tied, in the region
    method = 1 if name == "auto" else 3 if resampled else 0
    figures = measure != "auc" or estimate.settings["weighted"]
    return math.log2(choices) + method + 1 + int(tied) + int(figures)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
