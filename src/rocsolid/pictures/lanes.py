"""A lane for each name on one scale: differences from the best, folds, rules, limits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from rocsolid.pictures.forest import STATE_TINTS, ForestRow, rows_picture
from rocsolid.pictures.lists import VALUES, shown, signed, span
from rocsolid.pictures.marks import Axis, DotsMark, IntervalMark, Mark, Picture, RuleMark
from rocsolid.results import percent
from rocsolid.results.comparison import Comparison
from rocsolid.results.interval import Interval
from rocsolid.results.standing import highest, standings

MOST = 30
"""Lanes that are drawn; tables have all."""

_VERDICTS = {"pass": "better", "fail": "worse", "undecided": "open"}


def differences_picture(result: Comparison) -> Picture:
    """How far each falls short of the best, which stands on the line of no difference.

    ``result`` is what `rocsolid.compare` or `rocsolid.queries.compare` returns. The best comes
    first. A diamond is shown to be worse, a ring is not told apart from the best. With a margin,
    whose lines are dashed, a dot is equivalent to the best.

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
    for one in standings(result)[: MOST - 1]:
        words = signed(one.difference, one.decimals)
        if one.limits is not None:
            low, high = (signed(end, one.decimals) for end in one.limits)
            words += f"   {low} to {high}"
        rows.append(
            ForestRow(shown(one.name), one.difference, one.limits, one.certified, words=words,
                      state=one.state)
        )  # fmt: skip
    margin = result.settings.get("margin")
    sides = [] if margin is None else [-margin, margin]
    rules = [RuleMark(0.0, upright=True), *(RuleMark(at, "limit", upright=True) for at in sides)]
    measure = "AUC" if result.measure == "auc" else result.measure
    x = Axis.around(
        [0.0, *sides, *_ends(rows)], title=f"Difference of {measure} from {shown(best)}"
    )
    said = ", ".join(f"{row.text} {row.words}" for row in rows)
    picture = rows_picture(rows, x, f"Differences from {shown(best)}", f"{said}.", *rules)
    level = percent(result.pairs[0].interval.level)
    return replace(picture, key=_key(rows, level), key_place="above", discloses=VALUES)


class Folded(Protocol):
    """A mean over folds with its interval, and the value of each fold."""

    @property
    def value(self) -> float: ...
    @property
    def interval(self) -> Interval: ...
    @property
    def certified(self) -> Interval | None: ...
    @property
    def folds(self) -> Sequence[Any]: ...
    @property
    def chance(self) -> float: ...


def folds_picture(means: Mapping[str, Folded], measure: str = "AUC") -> Picture:
    """The mean of each name with its intervals, and below it the value of each fold.

    ``means`` are estimates over folds by name, as `rocsolid.evaluate` with ``fold`` gives.
    """
    rows: list[ForestRow] = []
    order = sorted(means, key=lambda name: -means[name].value)
    drawn = max(0, MOST // len(order) - 1)
    for tint, name in enumerate(order):
        mean, digits = means[name], means[name].interval.decimals
        outer = None if mean.certified is None else (mean.certified.low, mean.certified.high)
        words = f"{mean.value:.{digits}f}   {span(mean.interval)}"
        rows.append(
            ForestRow(shown(name), mean.value, (mean.interval.low, mean.interval.high), outer, tint,
                      words, first=True, strong=True)
        )  # fmt: skip
        rows += [
            ForestRow(f"fold {shown(fold.name, 16)}", fold.value, None, None, tint,
                      f"{fold.value:.{digits}f}")
            for fold in mean.folds[:drawn]
        ]  # fmt: skip
    first = means[order[0]]
    x = Axis.around([*_ends(rows), *_near(first.chance, rows)], title=measure)
    chance = RuleMark(first.chance, upright=True)
    said = ", ".join(f"{row.text} {row.words}" for row in rows if row.strong)
    picture = rows_picture(rows, x, f"{measure} in each fold, and the mean", f"{said}.", chance)
    level = percent(first.interval.level)
    return replace(picture, key=_key(rows, level), key_place="above", discloses=VALUES)


class Ruled(Protocol):
    """A rule's verdict, the value, the limits that decided it, and what they had to reach."""

    @property
    def brief(self) -> str: ...
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


def rules_picture(rulings: Iterable[Ruled]) -> Picture | None:
    """Each rule's limit against its bar: a dot passes, a diamond fails, a ring is undecided.

    ``rulings`` are those of `rocsolid.gate`. Rules without a limit, such as a number of rows, have
    no lane; nothing is drawn where there is no other rule.
    """
    drawn = [one for one in rulings if one.bars and math.isfinite(one.value)][:MOST]
    if not drawn:
        return None
    rows = [_lane(one) for one in drawn]
    said = ", ".join(f"{row.text}: {row.words}" for row in rows)
    x = Axis.around(_ends(rows), title="Value, the limit that decides, and the bar")
    picture = rows_picture(rows, x, "Limits against the bars", f"{said}.")
    line = IntervalMark(0.0, 0.0, 1.0, "any")
    bar = IntervalMark(0.5, -0.8, 0.8, "bar", upright=True)
    key = (("from the value to its limit", line), ("what it must reach", bar))
    return replace(
        picture, key=(*key, *states_key(rows, _RULED)), key_place="above", discloses=VALUES
    )


def _lane(one: Ruled) -> ForestRow:
    """The line runs from the value to the limit, or between both limits."""
    low, high = (one.value if math.isnan(end) else end for end in (one.low, one.high))
    sides = [f"≥ {one.low:.4f}"] * (not math.isnan(one.low))
    sides += [f"≤ {one.high:.4f}"] * (not math.isnan(one.high))
    words = f"{one.verdict}   {', '.join(sides)}"
    return ForestRow(shown(one.brief), one.value, (min(low, one.value), max(high, one.value)),
                     words=words, state=_VERDICTS[one.verdict], bar=one.bars[0])  # type: ignore[arg-type]  # fmt: skip


class Limited(Protocol):
    """A value with a guaranteed limit."""

    @property
    def value(self) -> float: ...
    @property
    def interval(self) -> Interval: ...
    @property
    def chance(self) -> float | None: ...


def limits_picture(
    certificates: Mapping[str, Limited],
    calibrated: Mapping[str, Interval] | None = None,
    measure: str = "AUC",
    bar: float | None = None,
) -> Picture:
    """Each value with its guaranteed limit, and beside it the calibrated interval where given.

    ``certificates`` are those of `rocsolid.certify` by name, ``bar`` what the limit is to reach.
    """
    order = sorted(certificates, key=lambda name: -certificates[name].interval.low)[:MOST]
    rows = []
    for tint, name in enumerate(order):
        one, digits = certificates[name], certificates[name].interval.decimals
        limits = one.interval
        inner = (calibrated or {}).get(name)
        outer = min(limits.low, one.value), one.value
        if limits.high < limits.range[1]:
            outer = limits.low, limits.high
        words = f"{one.value:.{digits}f}   {span(limits)}"
        rows.append(
            ForestRow(shown(name), one.value, None if inner is None else (inner.low, inner.high),
                      outer, tint, words, strong=True, bar=bar)
        )  # fmt: skip
    first = certificates[order[0]]
    chance = [] if first.chance is None else [first.chance]
    x = Axis.around([*_ends(rows), *chance], title=measure)
    rules = [RuleMark(at, upright=True) for at in chance]
    said = ", ".join(f"{row.text} {row.words}" for row in rows)
    picture = rows_picture(rows, x, f"{measure} and its guaranteed limit", f"{said}.", *rules)
    level = percent(first.interval.level)
    return replace(picture, key=_key(rows, level), key_place="above", discloses=VALUES)


_SHOWN = {"better": "equivalent", "worse": "worse", "open": "not told apart"}
_RULED = {"better": "pass", "worse": "fail", "open": "undecided"}


def _key(rows: Sequence[ForestRow], level: str) -> tuple[tuple[str, Mark], ...]:
    """What the lines and marks mean, of those that are there."""
    entries: list[tuple[str, Mark]] = []
    if any(row.inner is not None for row in rows):
        entries.append((f"{level} interval", IntervalMark(0.0, 0.0, 1.0, "any")))
    if any(row.outer is not None for row in rows):
        entries.append(("guaranteed", IntervalMark(0.0, 0.0, 1.0, "certified")))
    return (*entries, *states_key(rows, _SHOWN))


def states_key(rows: Sequence[ForestRow], words: Mapping[str, str]) -> list[tuple[str, Mark]]:
    """The marks of the states that are there, with their words."""
    there = {row.state for row in rows}
    at = np.array([0.5])
    return [
        (words[state], DotsMark(at, 0.0 * at, state, tint))
        for state, tint in STATE_TINTS.items()
        if state in there
    ]


def _ends(rows: Iterable[ForestRow]) -> list[float]:
    return [end for row in rows for end in row.ends]


def _near(chance: float, rows: Sequence[ForestRow]) -> list[float]:
    """Chance, where the scale has room for it without squeezing the rows."""
    low, high = min(_ends(rows)), max(_ends(rows))
    return [chance] if low - chance <= high - low else []
