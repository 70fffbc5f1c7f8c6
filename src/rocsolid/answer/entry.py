"""Rows of result tables, and the sentences of verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol, overload

from rocsolid.comparison.venkatraman import NAME as CURVES
from rocsolid.dataclass import dataclass
from rocsolid.remarks.remark import Remark, doubted, doubts
from rocsolid.report.text import measure_title, number, span
from rocsolid.results.card import Carded
from rocsolid.results.comparison import Comparison
from rocsolid.results.deferred import ReadLater
from rocsolid.results.equivalence import p_equals
from rocsolid.results.interval import Interval, Valued, certificates_wanted, percent
from rocsolid.results.plain import joined, one_line, plain_segment
from rocsolid.results.references import against_references, listed, references_of

if TYPE_CHECKING:
    from rocsolid.report.sections import ScoreComparison


@dataclass(frozen=True, slots=True)
class Refused:
    """The reason for a missing estimate. Its ``counts`` are also attributes."""

    reason: str
    counts: Mapping[str, int] = field(default_factory=dict)

    def __getattr__(self, name: str) -> int:
        if name.startswith("__") or name in Refused.__slots__ or name not in self.counts:
            raise AttributeError(name)
        return self.counts[name]

    def to_dict(self) -> dict[str, Any]:
        return {"reason": self.reason, **self.counts}


@dataclass(frozen=True, slots=True)
class Entry(Valued, ReadLater, Carded):
    """A score by a measure, over all rows (``by`` is ``None``) or in one segment.

    The attributes of ``result``, an estimate or `Refused`, are also those of the entry, and so are
    ``names``, further JSON keys. ``known`` is the value if it is known without the result, and
    ``place`` the number of the segment from which a result is computed later.
    """

    score: str
    measure: str
    by: Mapping[str, Any] | None
    result: Any
    names: Mapping[str, Any] = field(default_factory=dict, repr=False)
    known: float | None = field(default=None, repr=False, compare=False)
    place: int | None = field(default=None, repr=False, compare=False)
    _later = ("result",)

    def __getattr__(self, name: str) -> Any:
        if name in ("result", "deferred"):
            return self._read(name)
        if name.startswith("__") or name in Entry.__slots__:  # as it is made from a pickle
            raise AttributeError(name)
        return self.names[name] if name in self.names else getattr(self.result, name)

    @property
    def asked(self) -> str:
        """The measure as it was requested, while ``measure`` names every convention."""
        return str(self.names.get("measure", self.measure))

    @property
    def where(self) -> str:
        """The score and its segment."""
        return f"{self.score}{segment_text(self.by)}".removeprefix(", ")

    @property
    def value(self) -> float:  # type: ignore[override]
        return float(self.result.value) if self.known is None else self.known

    @property
    def interval(self) -> Interval:  # type: ignore[override]
        return self.result.interval  # type: ignore[no-any-return]

    @property
    def certified(self) -> Interval | None:  # type: ignore[override]
        return self.result.certified  # type: ignore[no-any-return]

    @property
    def refused(self) -> bool:
        return isinstance(self.result, Refused)

    __repr__ = one_line

    def __str__(self) -> str:
        if not self.refused:
            return str(self.result)
        of = "" if self.measure in ("", "auc") else f" of {self.measure}"
        return f"no estimate{of}, {self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        by = plain_segment(self.by)
        if not self.refused:
            return {"score": self.score, "by": by, **self.result.to_dict(), **self.names}
        names = {"score": self.score, "measure": self.measure}
        return {**{k: v for k, v in names.items() if v}, "by": by, **self.result.to_dict()}


def segment_text(by: Mapping[str, Any] | None) -> str:
    """A segment in the form that follows the name of a score.

    >>> segment_text({"site": "a"})
    ', site = a'
    """
    return "" if by is None else "".join(f", {name} = {value}" for name, value in by.items())


def overall(results: Iterable[Entry]) -> list[Entry]:
    """The entries of all rows, without those of segments."""
    return [entry for entry in results if entry.by is None]


def by_measure(results: Iterable[Entry]) -> dict[str, dict[str, Entry]]:
    """The entries of all rows, by measure and score."""
    entries: dict[str, dict[str, Entry]] = {}
    for entry in overall(results):
        entries.setdefault(entry.measure, {})[entry.score] = entry
    return entries


def of_first_measure(results: Iterable[Entry]) -> dict[str, Entry]:
    """The entries of all rows by the first measure, by score."""
    return next(iter(by_measure(results).values()))


class Later(Sequence[Entry]):
    def __init__(self, owner: object, name: str) -> None:
        self._owner, self._name = owner, name
        self._made: Sequence[Entry] | None = None

    @property
    def _entries(self) -> Sequence[Entry]:
        if self._made is None:
            self._made = getattr(self._owner, self._name)
        return self._made

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<{len(self):,} entries>"

    @overload
    def __getitem__(self, index: int) -> Entry: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Entry]: ...

    def __getitem__(self, index: int | slice) -> Entry | Sequence[Entry]:
        return self._entries[index]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)


_NAMED, _DIGITS = 3, ".2g"
_APART = "They are not compared with each other here."


class JudgedValue(Protocol):
    """A value with its interval."""

    @property
    def value(self) -> float: ...
    @property
    def interval(self) -> Interval: ...


class JudgedPair(Protocol):
    @property
    def a(self) -> str: ...
    @property
    def b(self) -> str: ...
    @property
    def difference(self) -> float: ...
    @property
    def p_adjusted(self) -> float: ...
    @property
    def p_adjusted_at_floor(self) -> bool: ...
    @property
    def proven(self) -> tuple[float, float] | None: ...


def verdict_of_one(name: str, title: str, judged: JudgedValue) -> str:
    """A value with its interval."""
    limits, digits = judged.interval, judged.interval.decimals
    between = ""
    if limits.method != "none":
        ends = span(limits.low, limits.high, digits)
        between = f" ({percent(limits.level)} interval {ends})"
    return f"{name}: {title} {number(judged.value, digits)}{between}."


def title_of(measure: str, estimate: Any) -> str:
    folds = getattr(estimate, "folds", ())
    return f"{measure_title(measure)} (mean of {len(folds)} folds)" if folds else (
        measure_title(measure)
    )  # fmt: skip


def verdict_of_many(
    title: str, values: Mapping[str, JudgedValue], pairs: Sequence[JudgedPair], level: float,
    adjust: str = "holm", warnings: Sequence[Remark] = (),
) -> tuple[str, ...]:  # fmt: skip
    """The highest value, and the significant differences from it.

    If ``warnings`` doubt the tests, the certified intervals decide, or nothing without them.
    """
    if len(values) == 1:
        ((name, one),) = values.items()
        return (verdict_of_one(name, title, one),)
    best = max(values, key=lambda name: values[name].value)
    top = values[best]
    shared = [name for name, one in values.items() if one.value == top.value]
    who = f"{joined(shared) if len(shared) <= _NAMED else len(shared)} share"
    first = f"{who if len(shared) > 1 else f'{best} has'} the highest {title}: "
    first += f"{number(top.value, top.interval.decimals)}{_below_reference(top)}."
    if len(shared) == len(values):
        return (first,)
    if not any(best in (pair.a, pair.b) for pair in pairs):
        return (first, _APART)
    others = [pair for pair in pairs if not {pair.a, pair.b} <= set(shared)]
    it = "It" if len(shared) == 1 else best
    if doubts(warnings):
        return (first, _proven(best, others, it, certified=doubted(warnings)))
    return (first, _standing(best, others, level, it, _p_name(pairs, adjust)))


def _below_reference(value: JudgedValue) -> str:
    higher = tuple(each for each in references_of(value) if each[1] > value.value)
    return f", worse than {' and than '.join(listed(higher))}" if higher else ""


def _worse_than_references(values: Mapping[str, JudgedValue]) -> Iterator[str]:
    best = max(values, key=lambda name: values[name].value)
    worse = _below_reference(values[best])
    if worse:
        yield f"The highest value, {number(values[best].value)} of {best}, is{worse[1:]}."


def verdict_of_scores(
    results: Iterable[Entry], comparisons: Sequence[ScoreComparison]
) -> tuple[str, ...]:
    mine = of_first_measure(results)
    measure = next(iter(mine.values())).measure
    title = measure_title(measure)
    if len(mine) == 1:
        ((name, one),) = mine.items()
        return (" ".join(filter(None, (verdict_of_one(name, title, one), _against_chance(one)))),)
    compared = next((one for one in comparisons if one.measure == measure), None)
    if compared is None:
        return verdict_of_many(title, mine, (), 0.95)
    warnings = compared.warnings if compared.certified else ()
    return verdict_of_many(title, mine, compared.pairs, compared.level, warnings=warnings)


def _against_chance(entry: Entry) -> str:
    decides, chance, references = entry.deciding, entry.chance, references_of(entry.result)
    if entry.measure == "auc":
        gives, worse = "", ": perhaps low scores mean positive"
    else:
        gives, worse = f", which is {number(chance, decides.decimals)}", ""
    which, by = "interval", ""
    if decides is not entry.interval:
        which = f"certified interval ({span(decides.low, decides.high, decides.decimals)})"
        by = f" by the {which}, which decides here"
    if references:
        return against_references(decides, references) + (
            f" The {which} decides here." if by else ""
        )
    if decides.low > chance:
        return f"It ranks better than chance{gives}{by}."
    if decides.high < chance:
        return f"It ranks worse than chance{gives}{by}{worse}."
    shown = ".5" if chance == 0.5 else number(chance, decides.decimals)
    return f"The {which} includes {shown}, so these rows do not show that it is better than chance."


def verdict_of_comparison(
    comparison: Comparison, title: str = "", values: Mapping[str, JudgedValue] | None = None
) -> tuple[str, ...]:
    """Return the decision about a margin, or else compare with the highest value.

    Tests other than of equality do not decide which is better, so their first p-value is reported.
    The scale of ``values`` may differ from the scale of the comparison.
    """
    decided = comparison.decided()
    shown = comparison.estimates if values is None else values
    if decided:
        return (*decided[:2], *_worse_than_references(shown))
    named, adjust = (
        title or title_of(comparison.measure, next(iter(shown.values()))),
        comparison.settings.get("adjust", "holm"),
    )
    curves = comparison.settings.get("test") == CURVES
    if comparison.groups and not curves:
        warnings = comparison.warnings if certificates_wanted(comparison.settings) else ()
        sentences = verdict_of_many(
            named, shown, comparison.pairs, comparison.level, adjust, warnings
        )
        return (
            (sentences[0], _all_equal(comparison), *sentences[1:])
            if _of_segments(comparison)
            else sentences
        )
    first, *_ = verdict_of_many(named, shown, (), comparison.level)
    p_name = _p_name(comparison.pairs, adjust)
    best = max(comparison.estimates, key=lambda name: comparison.estimates[name].value)
    if curves:
        return first, _curves_differ(best, comparison.pairs, 1.0 - comparison.level, p_name)
    pair = next(iter(_by_other(best, comparison.pairs).values()))
    null, side = (comparison.settings.get(name) for name in ("null", "alternative"))
    asked = "two-sided" if side == "two-sided" else "one-sided"
    asked += f" test against {_signed(f'{null:+g}')}" if null else ""
    difference = _signed(f"{pair.difference:+.4f}")
    return first, f"{pair.a} − {pair.b} is {difference} ({asked}: {p_name}{_p(pair)})."


def _signed(number: str) -> str:
    return number.replace("-", "−")


def _by_other(best: str, pairs: Sequence[JudgedPair]) -> dict[str, JudgedPair]:
    return {
        pair.b if pair.a == best else pair.a: pair for pair in pairs if best in (pair.a, pair.b)
    }


def _curves_differ(best: str, pairs: Sequence[JudgedPair], alpha: float, named: str) -> str:
    others = _by_other(best, pairs)
    differ = [name for name, pair in others.items() if pair.p_adjusted < alpha]
    alike = [name for name in others if name not in differ]
    first, *then = (
        f"{verb} significantly from {'that' if len(names) == 1 else 'those'} of "
        f"{_names(names, others, named)}"
        for names, verb in ((differ, "differs"), (alike, "does not differ"))
        if names
    )
    return ", and ".join((f"The ROC curve of {best} {first}", *then)) + "."


def _of_segments(comparison: Comparison) -> bool:
    return comparison.compared == "samples" and len(comparison.estimates) > 2


def _all_equal(found: Comparison) -> str:
    differ = found.omnibus.p_value < 1.0 - found.level
    verdict = "differ significantly" if differ else "do not differ significantly"
    return f"The {len(found.estimates):,} {found.compared} {verdict} ({found.omnibus})."


def _standing(
    best: str, pairs: Sequence[JudgedPair], level: float, subject: str, named: str
) -> str:
    others, better = _by_other(best, pairs), []
    for name, pair in others.items():
        ahead = pair.difference if pair.a == best else -pair.difference
        if ahead > 0.0 and pair.p_adjusted < 1.0 - level:
            better.append(name)
    alike = [name for name in others if name not in better]
    if not alike:
        ((name, pair), *more) = others.items()
        every = "all others" if more else f"{name} ({named}{_p(pair)})"
        return f"{subject} is significantly better than {every}."
    text = f"{subject} is not significantly better than {_names(alike, others, named)}"
    if not better:
        return f"{text}."
    return f"{text}; it is significantly better than {_names(better, others, named)}."


def _proven(best: str, pairs: Sequence[JudgedPair], subject: str, *, certified: bool) -> str:
    better: list[str] = []
    open_: list[str] = []
    for name, pair in _by_other(best, pairs).items():
        low, high = pair.proven or (0.0, 0.0)
        ahead = low > 0.0 if pair.a == best else high < 0.0
        (better if ahead else open_).append(name)
    subject = subject.lower() if subject == "It" else subject
    text = "With so little data the certified intervals decide" if certified else (
        "The data are too few to decide"
    )  # fmt: skip
    text = f"{text}: {subject}"
    if not open_:
        return f"{text} is better than {_few(better)}."
    shown = f"{text} is not shown to be better than {_few(open_)}"
    return f"{shown}; it is better than {_few(better)}." if better else f"{shown}."


def _few(names: Sequence[str]) -> str:
    return joined(names) if len(names) <= _NAMED else f"{len(names)} others"


def _p_name(pairs: Sequence[JudgedPair], adjust: str) -> str:
    return "" if len(pairs) == 1 or adjust == "none" else "adjusted "


def _p(pair: JudgedPair) -> str:
    return p_equals(pair.p_adjusted, _DIGITS, floor=pair.p_adjusted_at_floor)


def _names(names: Sequence[str], pairs: Mapping[str, JudgedPair], named: str) -> str:
    if len(names) > _NAMED:
        return f"{len(names)} of the {len(pairs)} others"
    return joined([f"{name} ({named}{_p(pairs[name])})" for name in names])
