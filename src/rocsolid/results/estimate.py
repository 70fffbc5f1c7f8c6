"""An estimate as a card in a notebook, which takes style sheets and scripts away.

Text and lines have the notebook's own colour, light or dark.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Annotated, Any, TypeVar

from rocsolid.markup import Markup, element, name
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark, doubted
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
from rocsolid.results.plain import Plain, counted, one_line

_WIDTH, _HEIGHT, _MARGIN = 240.0, 24.0, 6.0


def card(
    valued: Valued, measure: str, subject: str, basis: str, warnings: tuple[Remark, ...]
) -> Markup:
    """The number, both intervals as text and as a bar, the class sizes, and warnings folded."""
    named = [name(subject), ": "] if subject else []
    digits = getattr(valued, "decimals", None)  # fewer where it was rounded
    limits = [_limits(valued.interval, digits)]
    if valued.certified is not None and valued.certified is not valued.interval:
        limits.append(f"certified {_limits(valued.certified, digits)}")
    number = f"{valued.value:.{valued.interval.decimals if digits is None else digits}f}"
    words = "; ".join(limits)
    return element(
        "div",
        element("div", *named, measure),
        element("div", element("b", number, style="font-size: 1.7em"), f" {limits[0]}"),
        _bar(valued, f"{measure} {number}, {words}"),
        *[element("div", text) for text in limits[1:]],
        element("div", basis),
        *_folded(warnings),
        style="display: inline-block; max-width: 36em; padding: 0.6em 1em; "
        "border: 1px solid; border-radius: 0.4em",
    )


def _limits(one: Interval, digits: int | None) -> str:
    if one.method == "none":
        return "no interval"
    places = one.decimals if digits is None else digits
    low, high = (f"{end:.{places}f}" for end in (one.low, one.high))
    return f"{percent(one.level)} {low} – {high}"


def _bar(valued: Valued, text: str) -> Markup:
    """All possible values as a faint line, the certified interval thin, the requested one thick."""
    shown = [interval for interval in (valued.certified, valued.interval) if interval is not None]
    known = [
        end
        for interval in shown
        for end in (*interval.range, interval.low, interval.high)
        if math.isfinite(end)
    ]
    least, most = min([*known, valued.value]), max([*known, valued.value])
    across = (_WIDTH - 2 * _MARGIN) / ((most - least) or 1.0)
    y = _HEIGHT / 2

    def line(low: float, high: float, width: float, **more: str | float) -> Markup:
        ends = [_MARGIN + across * (min(max(end, least), most) - least) for end in (low, high)]
        return element(
            "line", x1=ends[0], x2=ends[1], y1=y, y2=y, stroke="currentColor",
            stroke_width=width, **more,
        )  # fmt: skip

    parts = [line(least, most, 1, stroke_opacity=0.35)]
    parts += [
        line(interval.low, interval.high, 2 if interval.certified else 6)
        for interval in shown
        if interval.method != "none"
    ]
    x = _MARGIN + across * (valued.value - least)
    parts.append(element("circle", cx=x, cy=y, r=5.5, fill="currentColor"))
    return element(
        "svg", *parts, role="img", aria_label=text, viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}",
        width=_WIDTH, height=_HEIGHT, style="display: block",
    )  # fmt: skip


def _folded(warnings: tuple[Remark, ...]) -> list[Markup]:
    if not warnings:
        return []
    count = f"{len(warnings)} warning{'s' if len(warnings) > 1 else ''}"
    said = [element("li", text) for text in warnings]
    return [element("details", element("summary", count), element("ul", *said))]


RANKED_ABOVE = "The average positive example is ranked above {percent} of the negatives{ties}."


@dataclass(frozen=True, slots=True)
class Estimate(ReadLater, Valued, Plain, Checked):
    """A measure's value, the requested interval, and beside it a certified one.

    ``interval`` is calibrated unless a guarantee was requested by name; ``certified`` holds at its
    level for every distribution and sample size (``None`` where no such bound is known). ``ties``
    counts the pairs of a positive and a negative with equal scores. ``meaning`` says in words what
    the value is, with places for ``{value}``, ``{percent}`` and ``{ties}``; ``chance`` is the value
    of a score that ranks at random.

    A certified interval that is given as a `Deferred` is computed when it is first read.
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
    _later = ("interval", "certified", "std_error", "warnings", "fingerprint")
    _columns = "positives=n_pos negatives=n_neg"
    _narrow = "tied"
    _json = (
        "measure value low high level method assumptions=interval.assumptions certified "
        "std_error exact n_pos n_neg ties warnings settings fingerprint"
    )

    @property
    def exact(self) -> Fraction | None:
        """The value as a ratio of whole numbers, such as 3/4; ``None`` where it is none."""
        return None if self.ratio is None else Fraction(*self.ratio)

    @property
    def tied(self) -> float:
        """The share of pairs of a positive and a negative that have the same score."""
        return self.ties / (self.n_pos * self.n_neg)

    @property
    def deciding(self) -> Interval:
        """What decides sentences about the value: the certified interval if warnings rely on it."""
        if self.certified is not None and doubted(self.warnings):
            return self.certified
        return self.interval

    @property
    def basis(self) -> str:
        """The rows that it comes from."""
        return f"{counted(self.n_pos, 'positive')} and {counted(self.n_neg, 'negative')}"

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"{_title(self.measure)} {self._number(self.value)}, {self.interval}"
        if self.certified is not None:
            text += f", certified {self.certified}"
        return text + f", {counted(self.n_pos, 'positive')}, {counted(self.n_neg, 'negative')}"

    def _repr_html_(self) -> str:
        return card(self, _title(self.measure), self._subject(), self.basis, self.warnings)

    def _subject(self) -> str:
        """Which score and segment it is of, where it knows them."""
        return ""

    def _number(self, value: float) -> str:
        return f"{value:.{self.interval.decimals}f}"

    def explain(self) -> str:
        """The result as a short paragraph in plain words."""
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
            sentences.append("Here the certified interval is the shorter one: use it.")
        if self._compared_with_chance() and self.chance in self.deciding:
            chance = "one half" if self.chance == 0.5 else self._number(self.chance)
            sentences.append(f"A score that ranks at random ({chance}) is not ruled out.")
        return (*sentences, *self.warnings)

    def _compared_with_chance(self) -> bool:
        """Whether there is a limit on the side of chance; a one-sided interval may have none."""
        free = {"less": self.value > self.chance, "greater": self.value < self.chance}
        return not free.get(str(self.settings.get("alternative")), False)


@dataclass(frozen=True, slots=True)
class JointEstimate(Estimate):
    """An estimate among many of the same rows, with what holds of all of them together.

    ``simultaneous`` is an interval that holds with those of all others, and ``p_adjusted`` is about
    the value of a score that ranks at random. It has no certified interval and no fingerprint.
    """

    simultaneous: Interval = field(kw_only=True)
    p_adjusted: Annotated[
        PValue, "That the value is the one of random ranking, adjusted for all scores."
    ] = field(kw_only=True)
    _json = (
        "measure value low high level method std_error exact n_pos n_neg ties "
        "simultaneous_low simultaneous_high p_adjusted warnings"
    )

    @property
    def simultaneous_low(self) -> Annotated[float, "The lower limit that holds with all others."]:
        return self.simultaneous.low

    @property
    def simultaneous_high(self) -> Annotated[float, "The upper limit that holds with all others."]:
        return self.simultaneous.high

    __repr__ = one_line


_Kind = TypeVar("_Kind", bound=Estimate)


def extended(kind: type[_Kind], estimate: Estimate, **more: Any) -> _Kind:
    """The estimate as a result of another kind, with further or other fields."""
    own = {each.name for each in fields(Estimate) if each.init}
    more = {**estimate.deferred, **more}
    return kind(**{name: getattr(estimate, name) for name in own - more.keys()} | more)


def _title(measure: str) -> str:
    return "AUC" if measure == "auc" else measure


def _in_words(interval: Interval, basis: str) -> str:
    level = percent(interval.level)
    if interval.vacuous:
        return (
            f"From {basis}, the {level} interval by {interval.method} says nothing: it spans every "
            "possible value."
        )
    low, high = (f"{limit:.{interval.decimals}f}" for limit in (interval.low, interval.high))
    where = f"between {low} and {high}"
    kind = "certified interval" if interval.certified else "interval"
    return (
        f"From {basis}, the {level} {kind} for the value in the whole population lies {where} "
        f"({interval.method}); {interval.promise}."
    )
