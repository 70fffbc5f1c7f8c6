"""Pictures with a lane for each name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from rocsolid.pictures.forest import STATE_TINTS, ForestRow, rows_picture
from rocsolid.pictures.lists import VALUES, shown, signed, span
from rocsolid.pictures.marks import Axis, DotsMark, IntervalMark, Mark, Picture, Place, RuleMark
from rocsolid.results import percent
from rocsolid.results.card import held_of, measure_title
from rocsolid.results.comparison import Comparison
from rocsolid.results.interval import Interval
from rocsolid.results.standing import State, highest, standings

MOST = 30
"""Lanes that are drawn; tables have all."""
_RULE = 80  # letters of a rule; a frame shortens those that it has no room for

_VERDICTS: dict[str, State] = {"pass": "better", "fail": "worse", "undecided": "open"}


def differences_picture(result: Comparison) -> Picture:
    """Plot the difference of each score from the best, which has the line of no difference.

    ``result`` is a result of `rocsolid.compare` or `rocsolid.queries.compare`. The best score comes
    first. A diamond is significantly worse, a ring not significantly. With a margin, shown by
    dashed lines, a dot is equivalent to the best.

    >>> import rocsolid as rs
    >>> y, a, b = [0, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6], [2, 1, 6, 5, 4, 3]
    >>> picture = differences_picture(rs.compare(y, {"a": a, "b": b}))
    >>> [tick.text for tick in picture.y.named]
    ['b', 'a']
    """
    best = highest(result)
    top, digits = result.estimates[best], result.estimates[best].interval.decimals
    rows = [ForestRow(shown(best), 0.0, None, words=f"{top.value:.{digits}f}   highest",
                      strong=True)]  # fmt: skip
    for rival in standings(result)[: MOST - 1]:
        words = signed(rival.difference, rival.decimals)
        if rival.limits is not None:
            low, high = (signed(end, rival.decimals) for end in rival.limits)
            words += f"   {low} to {high}"
        rows.append(
            ForestRow(shown(rival.name), rival.difference, rival.limits, rival.certified,
                      words=words, state=rival.state)
        )  # fmt: skip
    margin = result.settings.get("margin")
    sides = [] if margin is None else [-margin, margin]
    rules = [RuleMark(0.0, upright=True), *(RuleMark(at, "limit", upright=True) for at in sides)]
    title = f"Difference of {measure_title(result.measure)} from {shown(best)}"
    # an end at the end of the scale, as of a one-sided limit, would leave no room for the others
    span = max(abs(end) for end in result.pairs[0].interval.range)
    telling = [end for end in _ends(rows) if abs(end) < span]
    x = Axis.around([0.0, *sides, *telling], title=title)
    rows = [replace(row, outer=_inside(row.outer, x), inner=_inside(row.inner, x)) for row in rows]
    spoken = ", ".join(f"{row.text} {row.words}" for row in rows)
    picture = rows_picture(rows, x, f"Differences from {shown(best)}", f"{spoken}.", *rules)
    level = percent(result.pairs[0].interval.level)
    return replace(picture, key=_key(rows, level), key_place="above", discloses=VALUES)


class JudgedMean(Protocol):
    @property
    def value(self) -> float: ...
    @property
    def interval(self) -> Interval: ...
    @property
    def certified(self) -> Interval | None: ...


def values_picture(
    values: Mapping[str, JudgedMean],
    measure: str = "AUC",
    chance: float | None = None,
    *,
    states: Mapping[str, State] | None = None,
    inside: Mapping[str, Sequence[tuple[str, float]]] | None = None,
) -> Picture:
    """Plot values with intervals, the highest first, and the value of a random ranking.

    ``states`` are verdicts against the highest. ``inside`` are further values below a name.
    """
    rows: list[ForestRow] = []
    order = sorted(values, key=lambda name: -values[name].value)[:MOST]
    most = max(0, MOST // len(order) - 1)
    for tint, name in enumerate(order):
        judged = values[name]
        digits = int(getattr(judged, "decimals", judged.interval.decimals))  # fewer if rounded
        known = judged.interval.method != "none"
        outer = None if judged.certified is None else (judged.certified.low, judged.certified.high)
        words = f"{judged.value:.{digits}f}"
        if known:
            words += f"   {judged.interval.low:.{digits}f} – {judged.interval.high:.{digits}f}"
        rows.append(
            ForestRow(shown(name), judged.value,
                      (judged.interval.low, judged.interval.high) if known else None, outer,
                      tint, words, first=inside is not None, strong=inside is not None or not tint,
                      state=(states or {}).get(name, ""))
        )  # fmt: skip
        rows += [
            ForestRow(shown(text), value, None, None, tint, f"{value:.{digits}f}")
            for text, value in (inside or {}).get(name, ())[:most]
        ]
    shown_chance = _near(chance, rows)
    rules = [RuleMark(at, upright=True) for at in shown_chance]
    x = Axis.around([*_ends(rows), *shown_chance], title=measure)
    spoken = ", ".join(f"{row.text} {row.words}" for row in rows)
    picture = rows_picture(rows, x, f"{measure} with intervals", f"{spoken}.", *rules)
    key = _key(rows, percent(values[order[0]].interval.level))
    key += ((held_of(values.values()), RuleMark(0.0)),) if rules else ()
    return replace(picture, key=key, key_place="above", discloses=VALUES)


def folds_picture(means: Mapping[str, Any], measure: str = "AUC") -> Picture:
    folds = {name: [(f"fold {fold.name}", fold.value) for fold in mean.folds]
             for name, mean in means.items()}  # fmt: skip
    chance = next(iter(means.values())).chance
    return values_picture(means, f"{measure}, mean of folds", chance, inside=folds)


class Ruled(Protocol):
    @property
    def place(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def bars(self) -> tuple[float, ...]: ...
    @property
    def scale(self) -> str: ...


def rules_pictures(rulings: Iterable[Ruled]) -> list[Picture]:
    by_scale: dict[str, list[Ruled]] = {}
    for ruling in rulings:
        by_scale.setdefault(ruling.scale, []).append(ruling)
    drawn = {scale: rules_picture(alike) for scale, alike in by_scale.items()}
    pictures = {scale: picture for scale, picture in drawn.items() if picture is not None}
    if len(pictures) == 1:
        return [*pictures.values()]
    return [
        replace(
            picture, title=f"{picture.title}: {scale}",
            x=replace(picture.x, title=f"{scale[0].upper()}{scale[1:]}, its limit, and the bar"),
        )
        for scale, picture in pictures.items()
    ]  # fmt: skip


def rules_picture(rulings: Iterable[Ruled]) -> Picture | None:
    """Plot each rule's limit with its bar: a dot passes, a diamond fails, a ring is open.

    Rules without a limit, such as a number of rows, have no lane; None if there is no other rule.
    """
    drawn = [ruling for ruling in rulings if ruling.bars and math.isfinite(ruling.value)][:MOST]
    if not drawn:
        return None
    rows = [_lane(ruling) for ruling in drawn]
    spoken = ", ".join(f"{row.text}: {row.words}" for row in rows)
    x = Axis.around(_ends(rows), title="Value, the limit that decides, and the bar")
    picture = rows_picture(rows, x, "Limits against the bars", f"{spoken}.")
    line = IntervalMark(0.0, 0.0, 1.0, "any")
    bar = IntervalMark(0.5, -0.8, 0.8, "bar", upright=True)
    key = (("from the value to its limit", line), ("required", bar))
    return replace(
        picture, key=(*key, *states_key(rows, _RULED)), key_place="above", discloses=VALUES
    )


def _lane(ruling: Ruled) -> ForestRow:
    low, high = (ruling.value if math.isnan(end) else end for end in (ruling.low, ruling.high))
    sides = [f"≥ {ruling.low:.4f}"] * (not math.isnan(ruling.low))
    sides += [f"≤ {ruling.high:.4f}"] * (not math.isnan(ruling.high))
    words = f"{ruling.verdict}   {', '.join(sides)}"
    line = min(low, ruling.value), max(high, ruling.value)
    state = _VERDICTS[ruling.verdict]
    return ForestRow(
        shown(ruling.place, _RULE), ruling.value, line, words=words, state=state, bar=ruling.bars[0]
    )


class LimitedValue(Protocol):
    """A value with a certified limit."""

    @property
    def value(self) -> float: ...
    @property
    def interval(self) -> Interval: ...
    @property
    def chance(self) -> float | None: ...


def limits_picture(
    certificates: Mapping[str, LimitedValue],
    calibrated: Mapping[str, Interval] | None = None,
    measure: str = "AUC",
    bar: float | None = None,
) -> Picture:
    order = sorted(certificates, key=lambda name: -certificates[name].interval.low)[:MOST]
    rows = []
    for tint, name in enumerate(order):
        certificate, digits = certificates[name], certificates[name].interval.decimals
        limits = certificate.interval
        inner = (calibrated or {}).get(name)
        outer = min(limits.low, certificate.value), certificate.value
        if limits.high < limits.range[1]:
            outer = limits.low, limits.high
        words = f"{certificate.value:.{digits}f}   {span(limits)}"
        rows.append(
            ForestRow(shown(name), certificate.value,
                      None if inner is None else (inner.low, inner.high),
                      outer, tint, words, strong=True, bar=bar)
        )  # fmt: skip
    first = certificates[order[0]]
    chance = [] if first.chance is None else [first.chance]
    x = Axis.around([*_ends(rows), *chance], title=measure)
    rules = [RuleMark(at, upright=True) for at in chance]
    spoken = ", ".join(f"{row.text} {row.words}" for row in rows)
    picture = rows_picture(rows, x, f"{measure} and its guaranteed limit", f"{spoken}.", *rules)
    level = percent(first.interval.level)
    return replace(picture, key=_key(rows, level), key_place="above", discloses=VALUES)


_SHOWN = {"better": "equivalent", "worse": "worse", "open": "not significantly different"}
_RULED = {"better": "pass", "worse": "fail", "open": "undecided"}


def _key(rows: Sequence[ForestRow], level: str) -> tuple[tuple[str, Mark], ...]:
    entries: list[tuple[str, Mark]] = []
    if any(row.inner is not None for row in rows):
        entries.append((f"{level} interval", IntervalMark(0.0, 0.0, 1.0, "any")))
    if any(row.outer is not None for row in rows):
        entries.append(("certified", IntervalMark(0.0, 0.0, 1.0, "certified")))
    return (*entries, *states_key(rows, _SHOWN))


def states_key(rows: Sequence[ForestRow], words: Mapping[str, str]) -> list[tuple[str, Mark]]:
    there = {row.state for row in rows}
    at = np.array([0.5])
    return [
        (words[state], DotsMark(at, 0.0 * at, state, tint))
        for state, tint in STATE_TINTS.items()
        if state in there
    ]


def _ends(rows: Iterable[ForestRow]) -> list[float]:
    return [end for row in rows for end in row.ends]


def _inside(ends: Place | None, x: Axis) -> Place | None:
    beyond = 0.002 * (x.high - x.low)
    return None if ends is None else (max(ends[0], x.low - beyond), min(ends[1], x.high + beyond))


def _near(chance: float | None, rows: Sequence[ForestRow]) -> list[float]:
    low, high = min(_ends(rows)), max(_ends(rows))
    return [] if chance is None or low - chance > 2.0 * (high - low) else [chance]
