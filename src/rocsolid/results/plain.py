"""Results as JSON and as one line of text; why two tools give different values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar

import numpy as np

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results.card import Carded


def joined(words: Sequence[str]) -> str:
    """The words as a list in a sentence.

    >>> joined(["a"]), joined(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def one_line(result: object) -> str:
    """The first line of a result's text, and the number of further lines."""
    first, *rest = str(result).splitlines() or [""]
    if not rest:
        return first
    return f"{first} (print it for {counted(len(rest), 'more line')})"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table: names to the left, numbers to the right.

    >>> aligned([["", "a"], ["auc", "0.5"]])
    ['       a', 'auc  0.5']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        f"{row[0]:<{widths[0]}}  "
        + " ".join(f"{cell:>{w}}" for cell, w in zip(row[1:], widths[1:], strict=True)).rstrip()
        for row in rows
    ]


class Plain(Carded):
    """A frozen dataclass that is written as JSON: all its fields, or the list in ``_json``.

    The list contains attribute names in order; ``key=path.to.it`` renames an attribute. ``*name``
    inserts the keys of that attribute, and ``name?`` is omitted if it is ``None``. A mapping under
    ``by`` is a segment.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Limits(Plain):
    ...     low: float
    ...     high: float
    ...     _json = "high lowest=low whole=low.real"
    >>> Limits(1.0, math.inf).to_dict()
    {'high': None, 'lowest': 1.0, 'whole': 1.0}
    """

    __slots__ = ()
    _json: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return written(self, names_of(type(self)))


def names_of(cls: type[Plain]) -> str:
    """The names to write: the result's ``_json``, or all fields of its constructor."""
    return cls._json or " ".join(each.name for each in fields(cls) if each.init)  # type: ignore[arg-type]


@cache  # once for all results of a class
def entries(names: str) -> tuple[tuple[str, str, bool], ...]:
    """The key, the path and whether it is required; an empty key for merged values.

    >>> entries("top=limits.high *limits note?")
    (('top', 'limits.high', True), ('', 'limits', True), ('note', 'note', False))
    """
    made = []
    for name in names.split():
        key, _, path = name.removesuffix("?").partition("=")
        own = "" if key.startswith("*") else key
        made.append((own, path or key.removeprefix("*"), not name.endswith("?")))
    return tuple(made)


def written(result: object, names: str) -> dict[str, Any]:
    """Some attributes of a result as plain data; ``names`` as in `Plain`."""
    data: dict[str, Any] = {}
    for key, path, always in entries(names):
        value = attrgetter(path)(result)
        if not key:
            data |= plain(value)
        elif key == "by" and isinstance(value, Mapping):
            data[key] = plain_segment(value)
        elif always or value is not None:
            data[key] = plain(value)
    return data


def attributes(result: object, names: str) -> dict[str, Any]:
    """Return the attributes unconverted, such as for the settings of a result."""
    return {key: attrgetter(path)(result) for key, path, _ in entries(names)}


_PLAIN = frozenset({str, int, bool, type(None)})


def plain(value: Any) -> Any:
    """Convert to lists, mappings, numbers and text; a number that is not finite is ``None``.

    >>> plain({"a": (1, float("nan")), "b": np.array([0.5, np.inf]), "c": Fraction(1, 3)})
    {'a': [1, None], 'b': [0.5, None], 'c': '1/3'}
    """
    if type(value) in _PLAIN:  # most values: the checks below take longer
        return value
    if isinstance(value, np.generic):  # such as a positive label taken from an array
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, tuple | list):
        return [plain(inner) for inner in value]
    if isinstance(value, Fraction):
        return str(value)
    return value.to_dict() if hasattr(value, "to_dict") else value


def plain_key(value: Any) -> Any:
    """Keep numbers and text; convert dates, infinities and other values to text.

    >>> import datetime
    >>> plain_key(np.int64(3)), plain_key(datetime.date(2024, 5, 1)), plain_key(float("inf"))
    (3, '2024-05-01', 'inf')
    """
    key = value.item() if isinstance(value, np.generic) else value
    if isinstance(key, str | int) or (isinstance(key, float) and math.isfinite(key)):
        return key
    return str(key)


def plain_segment(by: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A segment's columns and values; ``None`` for all rows."""
    return None if by is None else {name: plain_key(value) for name, value in by.items()}


@dataclass(frozen=True, slots=True)
class Switch(Plain):
    """One convention, switched from the first tool's choice to the second's.

    ``value`` is the measure after this switch and all before it, and ``change`` is the effect of
    this switch. ``alone`` is its effect before all others, and ``last`` after all others.
    ``queries`` counts those whose value changed, or that started or stopped counting; ``counted``
    queries count afterwards.
    """

    convention: str
    label: str
    before: str
    after: str
    value: float
    change: float
    alone: float
    last: float
    queries: int
    counted: int

    @property
    def matters(self) -> bool:
        """Whether the switch changes anything: in order, alone or last."""
        return self.queries > 0 or self.alone != 0.0 or self.last != 0.0

    __repr__ = one_line

    def __str__(self) -> str:
        return f"{self.label}: {self.before} → {self.after}"


@dataclass(frozen=True, slots=True)
class MovedQuery(Plain):
    """A query's value with each tool (``None`` if left out), and its part of the difference.

    ``effect`` is the change of the first tool's mean if this query alone counted as with the second
    tool; ``label`` is the convention with the largest effect on the query.
    """

    qid: str
    value: float | None
    other: float | None
    effect: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation(Plain, Checked):
    """The reasons why ``profile`` and ``vs`` give different values of a measure on the same files.

    ``switches`` change ``value`` into ``other`` one convention at a time, in a fixed order. If
    conventions affect the same queries, the effect of each depends on the order, so each also has
    its effect ``alone`` and ``last``. ``queries`` are those with the largest effects. ``worst`` and
    ``best`` bound the first tool's value over all orders of tied documents; ``tied`` is the share
    of documents that are tied.
    """

    measure: str
    profile: str
    vs: str
    value: float
    other: float
    counted: int
    other_counted: int
    judged_queries: int
    switches: tuple[Switch, ...]
    queries: tuple[MovedQuery, ...]
    tied: float
    worst: float
    best: float
    digits: int
    notes: tuple[Remark, ...] = ()
    _json = (
        "measure profile vs value other difference counted other_counted judged_queries "
        "switches queries tied worst best notes"
    )

    @property
    def difference(self) -> float:
        """The second value minus the first."""
        return self.other - self.value

    def number(self, value: float) -> str:
        """A value with the digits that the tools print."""
        return f"{value:.{self.digits}f}"

    def signed(self, change: float) -> str:
        """A change with the same digits, or its magnitude if these digits would print 0.

        >>> one = Explanation(measure="P@1", profile="a", vs="b", value=0.0, other=0.0, counted=1,
        ...     other_counted=1, judged_queries=1, switches=(), queries=(), tied=0.0, worst=0.0,
        ...     best=0.0, digits=4)
        >>> one.signed(-0.25), one.signed(0.0), one.signed(2e-7)
        ('-0.2500', '0', '+2e-07')
        """
        if change == 0.0:
            return "0"
        shown = f"{change:+.{self.digits}f}"
        return shown if float(shown) != 0.0 else f"{change:+.0e}"

    @property
    def counts(self) -> str:
        """The number of queries behind each mean."""
        if self.counted == self.other_counted == self.judged_queries:
            return counted(self.counted, "judged query")
        return (
            f"{counted(self.judged_queries, 'judged query')}: {self.profile} counts "
            f"{self.counted:,}, {self.vs} {self.other_counted:,}"
        )

    @property
    def mattering(self) -> tuple[Switch, ...]:
        """The switches that change anything on these files."""
        return tuple(switch for switch in self.switches if switch.matters)

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """The rows of the table, headings first."""
        table = [
            ("", "value", "change", "alone", "last"),
            (f"as {self.profile}", self.number(self.value), "", "", ""),
        ]
        for switch in self.mattering:
            change, alone, last = map(self.signed, (switch.change, switch.alone, switch.last))
            table.append((str(switch), self.number(switch.value), change, alone, last))
        total = self.signed(self.difference)
        return [*table, (f"as {self.vs}", self.number(self.other), total, "", "")]

    def sentences(self) -> tuple[str, ...]:
        """Sentences that supplement the table."""
        sentences = []
        idle = [str(switch) for switch in self.switches if not switch.matters]
        if idle:
            sentences.append(
                f"These conventions differ, but without effect on these files: {'; '.join(idle)}."
            )
        if len(self.mattering) > 1:
            sentences.append(
                "The conventions were switched in this order; another order would split the "
                'difference otherwise. "Alone" is the effect of a switch before all others, '
                '"last" its effect after all others; if the two differ, conventions affect the '
                "same queries."
            )
        return (*sentences, *_orders_of(self), *self.notes)

    __repr__ = one_line

    def __str__(self) -> str:
        rows = self.rows()
        width = max(len(row[0]) for row in rows)
        lines = [f"{self.measure}, {self.counts}"]
        lines += [f"{a:{width}}{b:>8}{c:>9}{d:>9}{e:>9}".rstrip() for a, b, c, d, e in rows]
        return "\n".join([*lines, *self.sentences()])

    def explain(self) -> str:
        """Describe the difference in a short paragraph."""
        if not self.mattering:
            head = f"{self.profile} and {self.vs} agree on these files: {self.number(self.value)}."
            return " ".join([head, *self.sentences()])
        head = (
            f"{self.measure} is {self.number(self.value)} by {self.profile} and "
            f"{self.number(self.other)} by {self.vs}."
        )
        most = max(self.mattering, key=lambda switch: abs(switch.change))
        cause = f"The largest step, {self.signed(most.change)}, is {most}."
        return " ".join([head, cause, *self.sentences()])


def _orders_of(values: Explanation | Reproduction) -> list[str]:
    if values.worst == values.best:
        return []
    return [
        f"{100 * values.tied:.3g} % of the documents share their score with another. Over all "
        f"orders of these, {values.profile} could give anything from "
        f"{values.number(values.worst)} to {values.number(values.best)}."
    ]


@dataclass(frozen=True, slots=True)
class OtherValue(Plain):
    """Another possible value from the same files, and its cause.

    ``kind`` is "profile" (an unchanged tool), "queries" (another number of queries in the mean) or
    "conventions" (``changes`` of them switched in the starting profile).
    """

    kind: str
    how: str
    value: float
    changes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction(Plain, Checked):
    """Possible explanations of a published number, the simplest first.

    An explanation fits if it rounds to the published number. Some of the ``tried`` values may fit
    by chance. If none fits, ``nearest`` contains the closest.
    """

    measure: str
    published: str
    profile: str
    value: float
    counted: int
    ways: tuple[OtherValue, ...]
    nearest: tuple[OtherValue, ...]
    tried: int
    tied: float
    worst: float
    best: float
    notes: tuple[Remark, ...] = ()

    def number(self, value: float) -> str:
        """A value with one digit more than was published."""
        return f"{value:.{len(self.published.partition('.')[2]) + 1}f}"

    def sentences(self) -> tuple[str, ...]:
        """Remarks on the explanations, one sentence each."""
        tried = f"{self.tried:,} values were tried; a fitting value is a candidate, not a proof."
        return (tried, *_orders_of(self), *self.notes)

    __repr__ = one_line

    def __str__(self) -> str:
        head = (
            f"{self.measure}: published {self.published}, {self.number(self.value)} as "
            f"{self.profile} over {counted(self.counted, 'query')}"
        )
        title = f"Ways to {self.published}"
        if not self.ways:
            title = f"Nothing gives {self.published}. Nearest"
        shown = [f"  {way.how}: {self.number(way.value)}" for way in self.ways or self.nearest]
        return "\n".join([head, f"{title}:", *shown, *self.sentences()])

    def explain(self) -> str:
        """Describe the result in a short paragraph."""
        if not self.ways:
            finding = f"No convention or number of queries that was tried gives {self.published}."
        else:
            finding = f"{self.published} results from: {self.ways[0].how}."
            if len(self.ways) > 1:
                finding += f" Other explanations that fit: {len(self.ways) - 1}."
        head = f"{self.measure} is {self.number(self.value)} by {self.profile}."
        return " ".join([head, finding, *self.sentences()])


def each_once(
    remarks: Iterable[tuple[str, Remark]], *, everywhere: int = 0, most: int = 0
) -> tuple[Remark, ...]:
    """Each sentence once, prefixed by the names of all its subjects.

    A sentence with ``everywhere`` subjects, which are all there are, has no prefix. The prefix
    lists at most ``most`` names, unless it is 0.

    >>> ties, few = Remark.says("Ties."), Remark.says("Few rows.")
    >>> each_once([("a", ties), ("b", ties), ("b", few)])
    ('a; b: Ties.', 'b: Few rows.')
    >>> each_once([("a", ties), ("b", ties), ("b", few)], everywhere=2)
    ('Ties.', 'b: Few rows.')
    >>> each_once([("a", ties), ("b", ties), ("c", ties)], most=2)
    ('a; b and 1 more: Ties.',)
    """
    names: dict[Remark, list[str]] = {}
    for name, text in remarks:
        names.setdefault(text, []).append(name)
    return tuple(
        text if len(of) == everywhere else text.of(_listed(of, most)) for text, of in names.items()
    )


def _listed(names: list[str], most: int) -> str:
    shown = names[: most or len(names)]
    more = len(names) - len(shown)
    return "; ".join(shown) + (f" and {more:,} more" if more else "")
