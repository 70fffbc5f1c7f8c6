"""Tables of values and of pairs, sorted for readers."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import numpy as np

from rocsolid.answer.entry import Entry, segment_text
from rocsolid.comparison.venkatraman import NAME as CURVES
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.tables import NoEstimate, NotCompared
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.text import Bar, Cells, measure_title, number
from rocsolid.results import percent
from rocsolid.results.comparison import Comparison, Difference
from rocsolid.results.equivalence import p_text, signed, telling
from rocsolid.results.interval import (
    SHORTER,
    Interval,
    Valued,
    certificates_wanted,
    how_often,
    whatever,
)
from rocsolid.results.plain import attributes, each_once

Compared = TypeVar("Compared", bound=Comparison)


def best_first(compared: Compared) -> Compared:
    """Sort by value, with the pairs of the highest score first, so that a shortened list contains
    them.

    A pair stays a − b, because a margin and a one-sided test refer to this difference.

    >>> from rocsolid.comparison.models import compare
    >>> y = [0, 0, 1, 1, 0, 1]
    >>> three = {"c": [3, 1, 2, 0, 4, 2], "b": [3, 1, 2, 5, 4, 6], "a": [1, 2, 3, 4, 0, 6]}
    >>> [(pair.a, pair.b) for pair in best_first(compare(y, three)).pairs]
    [('b', 'a'), ('c', 'a'), ('c', 'b')]
    """
    names = list(compared.estimates)
    order = sorted(range(len(names)), key=lambda i: -compared.estimates[names[i]].value)
    rank_of = {names[i]: rank for rank, i in enumerate(order)}
    pairs = sorted(
        range(len(compared.pairs)),
        key=lambda i: sorted((rank_of[compared.pairs[i].a], rank_of[compared.pairs[i].b])),
    )
    return replace(
        compared,
        estimates={names[i]: compared.estimates[names[i]] for i in order},
        covariance=compared.covariance[np.ix_(order, order)],
        pairs=tuple(compared.pairs[i] for i in pairs),
        equivalence=tuple(compared.equivalence[i] for i in pairs) if compared.equivalence else (),
    )


_LETTERS = string.ascii_lowercase + string.ascii_uppercase
_SHORT = {"positives": "pos", "negatives": "neg"}
NONE = "none known"


class Tabled(Protocol):
    @property
    def score(self) -> str: ...
    @property
    def measure(self) -> str: ...
    @property
    def by(self) -> Mapping[str, Any] | None: ...
    @property
    def value(self) -> float: ...
    @property
    def interval(self) -> Interval: ...
    @property
    def certified(self) -> Interval | None: ...
    @property
    def warnings(self) -> tuple[Remark, ...]: ...


def value_block(
    entries: Sequence[Entry], caption: str, form: Form, *, heading: str = "",
    sentences: tuple[str, ...] = (),
) -> TextBlock:  # fmt: skip
    """Scores with their values, and the methods."""
    shown = entries[: form.rows]
    segments = tuple(dict.fromkeys(name for entry in shown for name in entry.by or {}))
    named = len({entry.measure for entry in shown}) > 1
    cells = result_cells(shown, caption, named=named, segments=segments, form=form)
    return TextBlock(
        heading, cells, sentences, methods=(how_estimated(shown),),
        bars=tuple(bar_of(entry.value, entry.interval, entry.certified) for entry in shown),
        more=len(entries) - len(shown),
    )  # fmt: skip


def result_cells(
    results: Sequence[Tabled], caption: str, *, named: bool, segments: Sequence[str], form: Form,
) -> Cells:  # fmt: skip
    first = results[0]
    short = named or form.narrow  # where the measure stands elsewhere
    title = "value" if short and first.measure != "auc" else measure_title(first.measure)
    names = ("score", *(["measure"] if named else []), *segments)
    values = ("value" if named else getattr(first, "_title", title), percent(first.interval.level))
    counted = _counted(first, form)
    heads = (*names, *values, "certified", *(_SHORT.get(n, n) if form.narrow else n
                                             for n in counted))  # fmt: skip
    rows = tuple(_row(one, named, segments, form) for one in results)
    cells = Cells(caption, heads, rows, names=len(names))
    wanted = any(certificates_wanted(getattr(one, "settings", {})) for one in results)
    return cells if wanted else cells.without("certified")


def _row(result: Tabled, named: bool, segments: Sequence[str], form: Form) -> tuple[str, ...]:
    by = ["all" if result.by is None else str(result.by[name]) for name in segments]
    counted = _counted(result, form).values()
    return (
        result.score,
        *([result.measure] if named else []),
        *by,
        _number(result, result.value, form),
        _span(result, result.interval, form),
        _span(result, result.certified, form),
        *(_count(result, value, form) for value in counted),
    )


def _counted(one: Any, form: Form) -> dict[str, Any]:
    more = getattr(one, "_narrow", "") if form.narrow else ""
    return attributes(one, f"{one._columns} {more}")


def _count(one: Tabled, value: Any, form: Form) -> str:
    if isinstance(value, Interval):
        return _span(one, value, form)
    if isinstance(value, Valued):
        return _number(one, value.value, form)
    if isinstance(value, tuple):
        value = len(value)
    if value is None:
        return ""
    return f"{value:.1%}" if isinstance(value, float) else f"{value:,}"


def _number(one: Tabled, value: float, form: Form) -> str:
    """Format a value; a published value is printed unchanged, because 1.00 may be rounded."""
    digits = one.interval.decimals if isinstance(one, Entry) else one.decimals  # type: ignore[attr-defined]
    if form.narrow or not isinstance(one, Entry):
        return f"{value:.{digits}f}"
    return number(value, digits)


def _span(one: Tabled, limits: Interval | None, form: Form) -> str:
    if limits is None or limits.method == "none":
        return "" if form.narrow else NONE
    between = "–" if form.narrow else " – "
    return between.join(_number(one, end, form) for end in (limits.low, limits.high))


def value_text(estimate: Any) -> str:
    return f"{estimate.value:.{estimate.interval.decimals}f}"


def limits_text(interval: Interval | None) -> str:
    if interval is None or interval.vacuous or interval.method == "none":
        return "none"
    return f"{interval.low:.{interval.decimals}f}–{interval.high:.{interval.decimals}f}"


def bar_of(value: float, inner: Interval, outer: Interval | None) -> Bar:
    return Bar(value, (inner.low, inner.high), None if outer is None else (outer.low, outer.high))


def warnings_of(results: Iterable[Tabled], *, most: int = 0) -> tuple[Remark, ...]:
    """Each warning once, with its subjects."""
    said = ((one, warning) for one in results for warning in one.warnings)
    return each_once(
        ((f"{one.score}{segment_text(one.by)}", text) for one, text in said), most=most
    )


def why_skipped(skipped: Iterable[Entry]) -> tuple[Remark, ...]:
    return tuple(_lacks(one).of(one.where) for one in skipped)


def _lacks(entry: Entry) -> Remark:
    if not entry.measure:
        return NotCompared(entry.reason)
    return NoEstimate(measure_title(entry.measure), entry.reason)


def how_estimated(results: Iterable[Valued]) -> str:
    """The methods of the intervals."""
    used: dict[str, Interval] = {}
    shorter = False
    for result in results:
        shorter |= result.certified_is_shorter
        for interval in (result.interval, result.certified):
            if interval is not None and interval.method != "none":
                used.setdefault(interval.method, interval)
    calibrated = [name for name, interval in used.items() if not interval.certified]
    certified = [interval for interval in used.values() if interval.certified]
    methods = []
    if calibrated:
        level = next(interval.level for interval in used.values() if not interval.certified)
        methods.append(f"{', '.join(calibrated)}: calibrated, {how_often(level)}")
    if certified:
        names = ", ".join(interval.method for interval in certified)
        assumed = (text for interval in certified for text in interval.assumptions)
        methods.append(f"{names}: certified, holds {whatever(assumed)}")
    if not methods:
        return "There is no interval."
    text = f"Intervals: {'; '.join(methods)}."
    return f"{text} {SHORTER}" if shorter else text


def pair_block(found: Comparison, form: Form, *, heading: str = "") -> TextBlock:
    comparison = best_first(found)
    pairs = comparison.pairs[: form.rows]
    cells = pair_cells(comparison, pairs, form)
    equal = f"All equal: {comparison.omnibus}."
    said = (equal, *comparison.decided(), *comparison._told_apart())
    bars = tuple(bar_of(one.difference, shown_interval(one), one.certified) for one in pairs)
    return TextBlock(
        heading, cells, said, comparison.warnings, (how_compared(comparison),), bars,
        float(comparison.settings.get("null", 0.0)), len(comparison.pairs) - len(pairs),
    )  # fmt: skip


def shown_interval(pair: Difference) -> Interval:
    return getattr(pair, "simultaneous", None) or pair.interval


def pair_cells(comparison: Comparison, pairs: Sequence[Difference], form: Form) -> Cells:
    null, level = comparison.settings.get("null", 0.0), percent(comparison.level)
    beside = {(one.a, one.b): p_text(one.p_value) for one in
              getattr(comparison, "corrected_t", ())}  # fmt: skip
    together = any(shown_interval(pair) is not pair.interval for pair in pairs)
    rows = tuple(
        (
            pair.a,
            pair.b,
            f"{pair.difference:+.{pair.interval.decimals}f}",
            _limits(shown_interval(pair), null, form),
            _limits(pair.certified, null, form),
            p_text(pair.p_value, floor=pair.p_at_floor),
            pair._adjusted_text,
            *([beside[pair.a, pair.b]] if beside else []),
        )
        for pair in pairs
    )
    heads = ("a", "b", "a − b", f"{level} all" if together else level, "certified", "p", "p adj.")
    of = "" if comparison.measure == "auc" else f" of {comparison.measure}"
    how = f"with {level} intervals that hold jointly" if together else "one pair at a time"
    caption = f"Differences{of}, {how}."
    cells = Cells(caption, (*heads, *(["corrected t"] if beside else [])), rows, names=2)
    return cells if certificates_wanted(comparison.settings) else cells.without("certified")


def _limits(interval: Interval | None, null: float, form: Form) -> str:
    if interval is None:
        return "" if form.narrow else "none"
    if interval.vacuous:
        return "none"
    ends, digits = (interval.low, interval.high), interval.decimals - form.narrow
    return (" " if form.narrow else " to ").join(telling(end, null, digits, signed) for end in ends)


def how_compared(comparison: Comparison) -> str:
    settings = comparison.settings
    curves = settings["test"] == CURVES
    hypothesis = "the ROC curves of a and b are equal" if curves else comparison._hypothesis
    certified = ""
    joint = any(shown_interval(pair) is not pair.interval for pair in comparison.pairs)
    held = "hold jointly" if joint else "are for one pair at a time"
    if certificates_wanted(settings):
        proven = dict.fromkeys(p.certified.method for p in comparison.pairs if p.certified)
        certified = f"; certified: {', '.join(proven) or 'none known'}"
    return (
        f"p tests that {hypothesis} ({settings['test']}, {settings['alternative']}); adjusted "
        f"for all pairs by {settings['adjust']}. Intervals {held}{certified}. All equal: "
        f"{comparison.omnibus._described}."
    )


def group_letters(comparison: Comparison) -> dict[str, str]:
    """The letters of each name: names that share a letter do not differ significantly.

    >>> from rocsolid.comparison.queries import compare
    >>> same = [0.2, 0.9, 0.3, 0.5, 0.1, 0.4, 0.7, 0.6]
    >>> group_letters(compare({"a": same, "b": same, "c": [0.1 * v for v in same]}))
    {'a': 'a', 'b': 'a', 'c': 'b'}
    """
    order = {name: i for i, name in enumerate(comparison.estimates)}
    groups = sorted(comparison.groups, key=lambda group: [order[name] for name in group])
    marks = list(_LETTERS)
    if len(groups) > len(marks):
        marks = [f"{i} " for i in range(1, len(groups) + 1)]
    of = {
        name: [mark for mark, group in zip(marks, groups, strict=False) if name in group]
        for name in order
    }
    return {name: "".join(letters).strip() for name, letters in of.items()}
