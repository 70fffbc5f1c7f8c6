"""The frame of a page: the number of an answer, its rivals, and the picture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rocsolid.answer.entry import JudgedValue
from rocsolid.pictures.batches import AfterBatch, batches_picture
from rocsolid.pictures.lanes import differences_picture, values_picture
from rocsolid.pictures.lists import signed
from rocsolid.report.frame import Headline, Large, Rival
from rocsolid.report.text import Cells, number, span
from rocsolid.results.comparison import Comparison
from rocsolid.results.interval import Interval, percent
from rocsolid.results.standing import AgainstBest, State, standings

_WORDS = {"worse": "is worse", "better": "is equivalent", "open": "not significantly different"}


def ends_in_words(interval: Interval, word: str = "interval") -> str:
    """The level and the limits, as printed next to a large number."""
    if interval.method == "none":
        return ""
    return (
        f"{percent(interval.level)} {word} {span(interval.low, interval.high, interval.decimals)}"
    )


def headline_of(
    name: str,
    title: str,
    judged: JudgedValue,
    comparison: Comparison | None = None,
    chance: float | None = None,
) -> Headline:
    """The value of ``name``; the rivals are those of the comparison, or else chance."""
    interval = judged.interval
    rivals: tuple[Rival, ...] = ()
    if comparison is not None:
        rivals = tuple(_rival(one) for one in standings(comparison) if one.state)
    elif chance is not None and interval.method != "none":
        rivals = (_against_chance(getattr(judged, "deciding", interval), chance),)
    value = number(judged.value, interval.decimals)
    return Headline(value, f"{title} of {name}" if name else title, ends_in_words(interval), rivals)


def _rival(one: AgainstBest) -> Rival:
    text = f"{one.name} {_WORDS[one.state]}: {signed(one.difference, one.decimals)}"
    if one.limits is None:
        return Rival(one.state, text)
    low, high = (signed(end, one.decimals) for end in one.limits)
    return Rival(one.state, f"{text} ({low} to {high})")


def _against_chance(decides: Interval, chance: float) -> Rival:
    at = number(chance, decides.decimals)
    if decides.low > chance:
        return Rival("better", f"better than chance, which is {at}")
    if decides.high < chance:
        return Rival("worse", f"worse than chance, which is {at}")
    return Rival("open", f"not significantly different from chance, which is {at}")


def states_of(comparison: Comparison | None) -> dict[str, State]:
    """The decision for each name against the highest."""
    return {} if comparison is None else {one.name: one.state for one in standings(comparison)}


def values_drawn(
    values: Mapping[str, Any],
    title: str,
    comparison: Comparison | None = None,
    chance: float | None = None,
) -> Large:
    """Every value with its intervals, the highest first."""
    picture = values_picture(values, title, chance, states=states_of(comparison))
    return Large(picture, note=_assumed([each.certified for each in values.values()]))


def _assumed(proven: Sequence[Interval | None]) -> str:
    known = [each for each in proven if each is not None]
    if not known:
        return ""
    where = "" if len(known) == len(proven) else ", if one is known"
    assumed = "; ".join(dict.fromkeys(text for each in known for text in each.assumptions))
    return f"Certified{where}: whatever the distribution of scores (assumes: {assumed})."


def differences_drawn(comparison: Comparison) -> Large:
    """Every difference from the highest."""
    return Large(differences_picture(comparison))


def batches_drawn(
    looks: Sequence[AfterBatch], level: float, title: str, alarm: tuple[int, str] | None = None,
    margin: float | None = None,
) -> tuple[Large, ...]:  # fmt: skip
    """The value after each batch; empty if a state of an older version has no history."""
    if not looks:
        return ()
    picture = batches_picture(looks, level=level, title=title, alarm=alarm, margin=margin)
    rows = tuple(
        (f"{look.batch:,}", *(number(end) if math.isfinite(end) else "" for end in
                              (look.value, look.low, look.high)))
        for look in looks
    )  # fmt: skip
    cells = Cells("The interval from all batches so far.", ("batch", title, "from", "to"), rows)
    return (Large(picture, cells),)
