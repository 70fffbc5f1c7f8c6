"""Forest plots: values with intervals, one below the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.pictures.lists import VALUES, shown, signed, span, wrong_result
from rocsolid.pictures.marks import (
    Axis,
    DotsMark,
    IntervalMark,
    Mark,
    Picture,
    Place,
    RuleMark,
    Tick,
)
from rocsolid.results import Comparison, Difference, percent
from rocsolid.results import Interval as Limits
from rocsolid.results.card import measure_title
from rocsolid.results.interval import Valued
from rocsolid.results.standing import State

_Given = TypeVar("_Given")
_MOST = 200  # the most rows of a legible picture
_GAP = 0.4  # rows of space above the first row of a group
_BAR = 0.26  # half the height of a bar, in rows
STATE_TINTS: dict[str, int] = {"better": 2, "worse": 1, "open": 5}
"""The colours of verdicts, which also differ in marks and words."""


@dataclass(frozen=True, slots=True)
class ForestRow:
    """A row of the forest; ``first`` begins a group of rows, ``words`` are its numbers.

    ``state`` is the verdict, and ``bar`` the reference value of this row.
    """

    text: str
    value: float
    inner: Place | None
    outer: Place | None = None
    tint: int = 0
    words: str = ""
    first: bool = False
    strong: bool = False
    state: State = ""
    bar: float | None = None

    @property
    def ends(self) -> tuple[float, ...]:
        bar = () if self.bar is None else (self.bar,)
        return (self.value, *(self.inner or ()), *(self.outer or ()), *bar)


def whisker(row: ForestRow, y: float = 0.0) -> tuple[Mark, ...]:
    tint = STATE_TINTS.get(row.state, row.tint)
    marks: list[Mark] = []
    if row.outer is not None:
        marks.append(IntervalMark(y, *row.outer, "certified", tint))
    if row.inner is not None:
        marks.append(IntervalMark(y, *row.inner, "calibrated", tint))
    if row.bar is not None:
        marks.append(IntervalMark(row.bar, y - _BAR, y + _BAR, "bar", tint, upright=True))
    return *marks, DotsMark(np.array([row.value]), np.array([y]), row.state or "value", tint)


def rows_picture(
    rows: Sequence[ForestRow], x: Axis, title: str, description: str, *levels: RuleMark
) -> Picture:
    """The rows on one scale, with reference ``levels`` where these are on the scale."""
    gaps = np.cumsum([_GAP * (row.first and i > 0) for i, row in enumerate(rows)])
    places = [-i - float(gap) for i, gap in enumerate(gaps)]
    marks: list[Mark] = [rule for rule in levels if x.low <= rule.at <= x.high]
    for row, at in zip(rows, places, strict=True):
        marks += whisker(row, at)
    ticks = [Tick(at, row.text, row.words, row.strong)
             for row, at in zip(rows, places, strict=True)]  # fmt: skip
    y = Axis(places[-1] - 0.7, places[0] + 0.7, named=tuple(ticks), rows=True)
    return Picture(title, description, x, y, tuple(marks), inches=(6.8, 1.5 + 0.27 * len(rows)))


def forest_picture(result: Any, *, measure: str | None = None) -> Picture:
    """Plot values one below the other, each with its interval and its certified interval.

    ``result`` is an evaluation (`rocsolid.evaluate` or `rocsolid.runs`), estimates by name, or a
    list of estimates or differences (``.estimates`` or ``.pairs`` of a comparison). ``measure``
    selects one of an evaluation's measures, and is required if their scales differ. Intervals are
    thick, certified intervals thin with caps, and unbounded ends arrows. The dotted line is the
    value of a random score, or zero for differences.

    >>> import rocsolid as rs
    >>> y, s = [0, 0, 1, 0, 1, 1, 0, 1], [1, 3, 2, 4, 5, 7, 6, 8]
    >>> ax = rs.plots.forest({"first": rs.auc(y, s), "second": rs.auc(y, [-v for v in s])})
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['first', 'second']
    """
    lines = _lines(result, measure)
    if len(lines) > _MOST:
        raise InputError(
            f"a picture with more than {_MOST} rows cannot be read",
            where="result",
            value=len(lines),
            fix=f"choose some of them: give a list of up to {_MOST} results",
        )
    rows = [line.row for line in lines]
    levels = {line.level for line in lines}
    chance = levels.pop() if len(levels) == 1 else None
    rules = [] if chance is None else [RuleMark(chance, upright=True)]
    measures = list(dict.fromkeys(line.measure for line in lines))
    noun = measures[0] if len(measures) == 1 else "Value"
    shown_ends = [end for row in rows for end in row.ends]
    signs = [0.0] if lines[0].sign else []
    x = Axis.around([*shown_ends, *signs], title=noun)
    picture = rows_picture(
        rows, x, f"{noun} with intervals", f"{noun}: {counted(len(rows), 'row')}.", *rules
    )
    return replace(picture, key=_key(lines), key_place="above", discloses=VALUES)


@dataclass(frozen=True, slots=True)
class _Result:
    text: str
    measure: str
    value: float
    interval: Limits
    certified: Limits | None
    level: float | None
    tint: int = 0
    first: bool = False
    sign: bool = False

    @property
    def row(self) -> ForestRow:
        digits = self.interval.decimals
        number = signed(self.value, digits) if self.sign else f"{self.value:.{digits}f}"
        none = self.interval.method == "none"
        limits = "no interval" if none else span(self.interval, sign=self.sign)
        certified = self.certified
        return ForestRow(
            self.text,
            self.value,
            (self.interval.low, self.interval.high),
            None if certified is None else (certified.low, certified.high),
            self.tint,
            f"{number}   {limits}",
            self.first,
        )


def _lines(result: Any, measure: str | None) -> list[_Result]:
    if isinstance(result, Comparison):
        raise InputError(
            "a comparison has values and differences",
            where="result",
            fix="give its .estimates or its .pairs to forest, or use comparison()",
        )
    placed = getattr(result, "results", result)
    if hasattr(result, "runs"):
        chosen = _of(result.measures, measure, "asked")
        named = [
            (_text(name, table.asked, len(chosen)), table.asked, estimate, i, k == 0)
            for table in chosen
            for k, (name, estimate) in enumerate(table.estimates.items())
            for i in [result.runs.index(name)]
        ]
    elif isinstance(placed, Sequence) and all(map(_placed, placed)):
        named = list(_scored(_of(placed, measure, "measure")))
    elif isinstance(result, Sequence) and all(isinstance(pair, Difference) for pair in result):
        return [_difference(pair) for pair in _some(result)]
    else:
        if isinstance(result, Mapping):
            pairs: Iterable[tuple[Any, Any]] = result.items()
        elif isinstance(result, Valued):
            pairs = [("", result)]
        else:
            pairs = enumerate(result if isinstance(result, Sequence) else [result], start=1)
        named = [(f"{name}", valued.measure, valued, 0, False) for name, valued in _valued(pairs)]
    lines = [
        _Result(shown(text), measure_title(of), valued.value, valued.interval, valued.certified,
                getattr(valued, "chance", None), tint, first)
        for text, of, valued, tint, first in named
    ]  # fmt: skip
    if len({line.interval.range for line in lines}) > 1:
        raise InputError(
            "these measures have different scales",
            where="measure",
            value=measure,
            fix=f"choose one: {', '.join(dict.fromkeys(of for _, of, *_ in named))}",
        )
    return lines


def _placed(result: object) -> bool:
    return isinstance(result, Valued) and hasattr(result, "score") and hasattr(result, "by")


def _scored(results: Iterable[Any]) -> Iterable[tuple[str, str, Any, int, bool]]:
    order: dict[str, int] = {}
    before: tuple[str, str] | None = None
    several = len({entry.measure for entry in results}) > 1
    segmented = any(entry.by is not None for entry in results)
    for entry in results:
        group = (entry.score, entry.measure)
        segment = "".join(f"{name} = {value}, " for name, value in (entry.by or {}).items())[:-2]
        text = _text(entry.score, entry.measure, 2 if several else 1)
        if entry.by is not None:
            text = segment if group == before else f"{text}, {segment}"
        elif segmented:
            text = f"{text}, all rows"
        yield text, entry.measure, entry, order.setdefault(entry.score, len(order)), group != before
        before = group


def _text(name: str, measure: str, measures: int) -> str:
    return name if measures == 1 else f"{name}, {measure_title(measure)}"


def _of(results: Sequence[Any], measure: str | None, key: str) -> Sequence[Any]:
    names = list(dict.fromkeys(getattr(entry, key) for entry in results))
    if measure is None:
        return _some(list(results))
    if measure not in names:
        raise InputError(
            "no such measure", where="measure", value=measure, fix=f"use {', '.join(names)}"
        )
    return [entry for entry in results if getattr(entry, key) == measure]


def _valued(named: Iterable[tuple[Any, Any]]) -> Sequence[tuple[Any, Any]]:
    pairs = list(named)
    for _, value in pairs:
        if not isinstance(value, Valued):
            raise wrong_result(
                "this is not an estimate",
                value,
                "give estimates, such as those of rs.auc or rs.ndcg, or an evaluation",
            )
    return _some(pairs)


def _some(results: Sequence[_Given]) -> Sequence[_Given]:
    if not results:
        raise InputError("there is nothing to draw", where="result")
    return results


def _difference(pair: Difference) -> _Result:
    text = f"{shown(pair.a, 24)} − {shown(pair.b, 24)}"
    return _Result(text, "Difference", pair.difference, pair.interval, pair.certified, 0.0,
                   sign=True)  # fmt: skip


def _key(lines: Sequence[_Result]) -> tuple[tuple[str, Mark], ...]:
    inner = _methods(line.interval for line in lines if line.interval.method != "none")
    outer = _methods(line.certified for line in lines if line.certified is not None)
    entries: list[tuple[str, Mark]] = []
    if inner:
        entries.append((inner, IntervalMark(0.0, 0.0, 1.0, "any")))
    if outer:
        entries.append((f"certified, {outer}", IntervalMark(0.0, 0.0, 1.0, "certified")))
    return tuple(entries)


def _methods(intervals: Iterable[Limits | None]) -> str:
    by_level: dict[float, dict[str, None]] = {}
    for interval in intervals:
        if interval is not None:
            by_level.setdefault(interval.level, {})[interval.method] = None
    return "; ".join(f"{percent(level)}: {', '.join(of)}" for level, of in by_level.items())
