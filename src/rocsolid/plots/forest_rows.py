"""Values with their intervals, one under the other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from rocsolid.errors import InputError
from rocsolid.plots.gives import VALUES
from rocsolid.plots.picture import drawing
from rocsolid.plots.style import INTERVAL, Look, look_of
from rocsolid.plots.words import shown, signed, span
from rocsolid.results import Comparison, Difference, Interval, percent
from rocsolid.results.valued import Valued

_Found = TypeVar("_Found")
_MOST = 200  # rows that a picture can be read with


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the forest; ``first`` where a group of rows begins."""

    text: str
    measure: str
    value: float
    interval: Interval
    certified: Interval | None
    level: float | None
    tint: int
    first: bool = False
    sign: bool = False


def forest(result: Any, ax: Axes | None = None, *, measure: str | None = None) -> Axes:
    """Values one under the other: a dot, its interval thick, the certified one thin with ends.

    ``result`` is an evaluation (`rocsolid.evaluate`, or that of runs), estimates by name, or a list
    of estimates or of differences (``.estimates`` or ``.pairs`` of a comparison). ``measure``
    chooses one of an evaluation's measures, which is needed where they have different scales. The
    dotted line is what a score that ranks at random has, and no difference for differences. An end
    of an interval that nothing bounds is an arrow.

    >>> import rocsolid as rs
    >>> y, s = [0, 0, 1, 0, 1, 1, 0, 1], [1, 3, 2, 4, 5, 7, 6, 8]
    >>> ax = forest({"first": rs.auc(y, s), "second": rs.auc(y, [-v for v in s])})
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['first', 'second']
    """
    rows = _rows(result, measure)
    if len(rows) > _MOST:
        raise InputError(
            f"a picture with more than {_MOST} rows cannot be read",
            where="result",
            value=len(rows),
            fix=f"choose some of them: give a list of up to {_MOST} results",
        )
    with drawing(ax, 6.8, 1.5 + 0.27 * len(rows), VALUES) as axes:
        look = look_of(axes)
        low, high = _range(rows)
        axes.set_xlim(low, high)
        places = [-i - 0.4 * sum(row.first for row in rows[1 : i + 1]) for i in range(len(rows))]
        chance = {row.level for row in rows}
        at = chance.pop() if len(chance) == 1 else None
        if at is not None and low <= at <= high:
            axes.axvline(at, color=look.muted, linewidth=1.0, linestyle=(0, (1, 3)), zorder=1)
        for y, row in zip(places, rows, strict=True):
            _draw(axes, row, y)
        axes.set_ylim(places[-1] - 0.7, places[0] + 0.7)
        axes.set_yticks(places, [row.text for row in rows])
        axes.tick_params(axis="y", length=0, labelcolor=look.ink)
        axes.grid(visible=False, axis="y")
        axes.spines["left"].set_visible(False)
        measures = list(dict.fromkeys(row.measure for row in rows))
        axes.set_xlabel(measures[0] if len(measures) == 1 else "Value")
        axes.legend(
            handles=_key(rows, look), loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2,
            borderaxespad=0.2, columnspacing=1.4, handlelength=1.6, fontsize="small",
            labelcolor=look.muted,
        )  # fmt: skip
    return axes


def _rows(result: Any, measure: str | None) -> list[Row]:
    if isinstance(result, Comparison):
        raise InputError(
            "a comparison has values and differences",
            where="result",
            fix="give its .estimates or its .pairs to forest, or use comparison()",
        )
    placed = getattr(result, "results", result)
    if isinstance(placed, Sequence) and all(map(_placed, placed)):
        found = list(_scored(_of(placed, measure, "measure")))
    elif hasattr(result, "measures"):  # an evaluation of runs
        chosen = _of(result.measures, measure, "asked")
        found = [
            (_text(name, one.asked, len(chosen)), one.asked, estimate, i, k == 0)
            for one in chosen
            for k, (name, estimate) in enumerate(one.estimates.items())
            for i in [result.runs.index(name)]
        ]
    elif isinstance(result, Mapping):
        found = [(name, one.measure, one, 0, False) for name, one in _valued(result.items())]
    elif isinstance(result, Sequence) and all(isinstance(one, Difference) for one in result):
        return [_difference(pair) for pair in _some(result)]
    elif isinstance(result, Valued):
        found = [("", one.measure, one, 0, False) for _, one in _valued([("", result)])]
    else:
        named = enumerate(result, start=1) if isinstance(result, Sequence) else [(1, result)]
        found = [(f"{i}", one.measure, one, 0, False) for i, one in _valued(named)]
    rows = [
        Row(shown(text), _title(of), one.value, one.interval, one.certified,
            getattr(one, "chance", None), tint, first)
        for text, of, one, tint, first in found
    ]  # fmt: skip
    if len({row.interval.range for row in rows}) > 1:
        raise InputError(
            "these measures have different scales",
            where="measure",
            value=measure,
            fix=f"choose one: {', '.join(dict.fromkeys(of for _, of, *_ in found))}",
        )
    return rows


def _placed(one: object) -> bool:
    """Whether an estimate says which score and which segment it belongs to."""
    return isinstance(one, Valued) and hasattr(one, "score") and hasattr(one, "by")


def _scored(results: Iterable[Any]) -> Iterable[tuple[str, str, Any, int, bool]]:
    """Scores and their segments; a segment below its score does without the score's name."""
    order: dict[str, int] = {}
    before: tuple[str, str] | None = None
    several = len({one.measure for one in results}) > 1
    segmented = any(one.by is not None for one in results)
    for one in results:
        group = (one.score, one.measure)
        segment = "".join(f"{name} = {value}, " for name, value in (one.by or {}).items())[:-2]
        text = _text(one.score, one.measure, 2 if several else 1)
        if one.by is not None:
            text = segment if group == before else f"{text}, {segment}"
        elif segmented:
            text = f"{text}, all rows"
        tint = order.setdefault(one.score, len(order))
        yield text, one.measure, one, tint, group != before
        before = group


def _text(name: str, measure: str, measures: int) -> str:
    return name if measures == 1 else f"{name}, {_title(measure)}"


def _of(found: Sequence[Any], measure: str | None, key: str) -> Sequence[Any]:
    """Those of the one requested measure, or all."""
    names = list(dict.fromkeys(getattr(one, key) for one in found))
    if measure is None:
        return _some(list(found))
    if measure not in names:
        raise InputError(
            "no such measure", where="measure", value=measure, fix=f"use {', '.join(names)}"
        )
    return [one for one in found if getattr(one, key) == measure]


def _valued(named: Iterable[tuple[Any, Any]]) -> Sequence[tuple[Any, Any]]:
    found = list(named)
    for _, one in found:
        if not isinstance(one, Valued):
            raise InputError(
                "this is no estimate",
                where="result",
                value=type(one).__name__,
                fix="give estimates, such as those of rs.auc or rs.ndcg, or an evaluation",
            )
    return _some(found)


def _some(found: Sequence[_Found]) -> Sequence[_Found]:
    if not found:
        raise InputError("there is nothing to draw", where="result")
    return found


def _difference(pair: Difference) -> Row:
    text = f"{shown(pair.a, 24)} − {shown(pair.b, 24)}"
    return Row(text, "Difference", pair.difference, pair.interval, pair.certified, 0.0, 0,
               sign=True)  # fmt: skip


def _title(measure: str) -> str:
    return "AUC" if measure == "auc" else measure


def _range(rows: Sequence[Row]) -> tuple[float, float]:
    """Wide enough for every end, so that no interval looks shorter than it is."""
    shown = [row.value for row in rows]
    for row in rows:
        for interval in (row.interval, row.certified):
            if interval is not None:
                shown += [end for end in (interval.low, interval.high) if math.isfinite(end)]
        if row.sign:
            shown.append(0.0)
    low, high = min(shown), max(shown)
    room = 0.03 * (high - low) or 0.05
    return low - room, high + room


def _draw(axes: Axes, row: Row, y: float) -> None:
    look = look_of(axes)
    for interval, width, alpha, tint in (
        (row.certified, 1.1, 1.0, look.muted),
        (row.interval, 4.2, INTERVAL, look.colour(row.tint)),
    ):
        if interval is None or math.isnan(interval.low) or math.isnan(interval.high):
            continue
        low, high = (_end(axes, end, tint, y) for end in (interval.low, interval.high))
        axes.hlines(y, low, high, color=tint, linewidth=width, alpha=alpha, zorder=2)
        if interval is row.certified:
            caps = [end for end in (interval.low, interval.high) if math.isfinite(end)]
            axes.plot(caps, [y] * len(caps), "|", color=tint, markersize=7, zorder=2)
    axes.plot([row.value], [y], "o", color=look.colour(row.tint), markersize=5.5, zorder=3)
    digits = row.interval.decimals
    number = signed(row.value, digits) if row.sign else f"{row.value:.{digits}f}"
    limits = "no interval" if row.interval.method == "none" else span(row.interval, sign=row.sign)
    axes.text(
        1.02, y, f"{number}   {limits}", transform=axes.get_yaxis_transform(), va="center",
        fontsize="small", color=look.ink,
    )  # fmt: skip


def _end(axes: Axes, end: float, tint: str, y: float) -> float:
    """Where the line ends; an arrow at the side of the picture where nothing bounds it."""
    if math.isfinite(end):
        return end
    low, high = axes.get_xlim()
    side = high if end > 0 else low
    axes.plot([side], [y], ">" if end > 0 else "<", color=tint, markersize=5, clip_on=False)
    return side


def _key(rows: Sequence[Row], look: Look) -> list[Line2D]:
    """What the lines are, with the methods that they come from."""
    asked = _methods(row.interval for row in rows if row.interval.method != "none")
    proven = _methods(row.certified for row in rows if row.certified is not None)
    entries = []
    if asked:
        entries.append(Line2D([], [], color=look.ink, alpha=INTERVAL, linewidth=4.2, label=asked))
    if proven:
        text = f"certified, {proven}"
        entries.append(
            Line2D([], [], color=look.muted, linewidth=1.1, marker="|", markersize=7, label=text)
        )
    return entries


def _methods(intervals: Iterable[Interval | None]) -> str:
    by_level: dict[float, dict[str, None]] = {}
    for one in intervals:
        if one is not None:
            by_level.setdefault(one.level, {})[one.method] = None
    return "; ".join(f"{percent(level)}: {', '.join(of)}" for level, of in by_level.items())
