"""What a page says first: which of several values is highest, and what it is better than."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from rocsolid.answer.entry import Entry
from rocsolid.comparison.venkatraman import NAME as CURVES
from rocsolid.remarks.remark import Remark, doubted
from rocsolid.report.section_data import ScoreComparison
from rocsolid.report.text import measure_title, number, span
from rocsolid.results.comparison import Comparison
from rocsolid.results.interval import Interval, percent
from rocsolid.results.p_value import p_equals

_NAMED, _DIGITS = 3, ".2g"
_APART = "They are not compared with each other here."


class JudgedValue(Protocol):
    """A value with its interval."""

    @property
    def value(self) -> float: ...
    @property
    def interval(self) -> Interval: ...


class JudgedPair(Protocol):
    """Two names, their difference a − b, and its adjusted p-value."""

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


def verdict_of_one(name: str, title: str, one: JudgedValue) -> str:
    """A value with its interval."""
    limits, digits = one.interval, one.interval.decimals
    between = ""
    if limits.method != "none":
        ends = span(limits.low, limits.high, digits)
        between = f" ({percent(limits.level)} interval {ends})"
    return f"{name}: {title} {number(one.value, digits)}{between}."


def verdict_of_many(
    title: str, values: Mapping[str, JudgedValue], pairs: Sequence[JudgedPair], level: float,
    adjust: str = "holm", warnings: Sequence[Remark] = (),
) -> tuple[str, ...]:  # fmt: skip
    """The highest value, and which others it is significantly better than.

    Where ``warnings`` say to rely on the certified intervals, those decide.
    """
    if len(values) == 1:
        ((name, one),) = values.items()
        return (verdict_of_one(name, title, one),)
    best = max(values, key=lambda name: values[name].value)
    top = values[best]
    shared = [name for name, one in values.items() if one.value == top.value]
    who = f"{_listed(shared) if len(shared) <= _NAMED else len(shared)} share"
    first = f"{who if len(shared) > 1 else f'{best} has'} the highest {title}: "
    first += f"{number(top.value, top.interval.decimals)}."
    if len(shared) == len(values):
        return (first,)
    if not any(best in (pair.a, pair.b) for pair in pairs):
        return (first, _APART)
    others = [pair for pair in pairs if not {pair.a, pair.b} <= set(shared)]
    it = "It" if len(shared) == 1 else best
    if doubted(warnings):
        return (first, _proven(best, others, it))
    return (first, _standing(best, others, level, it, _p_name(pairs, adjust)))


def verdict_of_scores(
    overall: Sequence[Entry], comparisons: Sequence[ScoreComparison]
) -> tuple[str, ...]:
    """The best score of the first measure, and which others it is significantly better than."""
    measure, title = overall[0].measure, measure_title(overall[0].measure)
    mine = {one.score: one for one in overall if one.measure == measure}
    if len(mine) == 1:
        ((name, one),) = mine.items()
        return (" ".join(filter(None, (verdict_of_one(name, title, one), _against_chance(one)))),)
    compared = next((one for one in comparisons if one.measure == measure), None)
    if compared is None:
        return verdict_of_many(title, mine, (), 0.95)
    return verdict_of_many(title, mine, compared.pairs, compared.level, warnings=compared.warnings)


def _against_chance(one: Entry) -> str:
    """How it stands to ranking by chance; see `Estimate.deciding`."""
    decides, chance = one.deciding, one.chance
    if one.measure == "auc":
        gives, worse = "", ": perhaps low scores mean positive"
    else:
        gives, worse = f", which gives {number(chance, decides.decimals)}", ""
    which, by = "interval", ""
    if decides is not one.interval:
        which = f"certified interval ({span(decides.low, decides.high, decides.decimals)})"
        by = f" by the {which}, which decides here"
    if decides.low > chance:
        return f"It ranks better than chance{gives}{by}."
    if decides.high < chance:
        return f"It ranks worse than chance{gives}{by}{worse}."
    at = ".5" if chance == 0.5 else number(chance, decides.decimals)
    return f"The {which} includes {at}, so these rows do not show that it is better than chance."


def verdict_of_comparison(
    found: Comparison, title: str = "", values: Mapping[str, JudgedValue] | None = None
) -> tuple[str, ...]:
    """What was decided of a margin; else the standing of the highest, by tests of equality.

    Other tests do not say which one is better: the first of their p-values stands as it is.
    ``values`` may have another scale than those of the comparison.
    """
    decided = found.decided()
    if decided:
        return tuple(decided[:2])
    shown = found.estimates if values is None else values
    named, adjust = title or measure_title(found.measure), found.settings.get("adjust", "holm")
    if found.groups and found.settings.get("test") != CURVES:
        said = verdict_of_many(named, shown, found.pairs, found.level, adjust, found.warnings)
        return (said[0], _all_equal(found), *said[1:]) if _of_segments(found) else said
    first, *_ = verdict_of_many(named, shown, (), found.level)
    pair = found.pairs[0]
    which = "the curves differ" if found.settings.get("test") == CURVES else "one-sided"
    size = f"{pair.a} − {pair.b} is {pair.difference:+.4f}"
    return (first, f"{size} ({which}: {_p_name(found.pairs, adjust)}{_p(pair)}).")


def _of_segments(found: Comparison) -> bool:
    """Whether three independent samples or more were compared: then all together come first."""
    return found.compared == "samples" and len(found.estimates) > 2


def _all_equal(found: Comparison) -> str:
    differ = found.omnibus.p_value < 1.0 - found.level
    verdict = "differ significantly" if differ else "do not differ significantly"
    return f"The {len(found.estimates):,} {found.compared} {verdict} ({found.omnibus})."


def _standing(best: str, pairs: Sequence[JudgedPair], level: float, it: str, named: str) -> str:
    """The best one's pairs, whichever way they are written."""
    others, better = {}, []
    for pair in pairs:
        if best not in (pair.a, pair.b):
            continue
        name = pair.b if pair.a == best else pair.a
        others[name] = pair
        ahead = pair.difference if pair.a == best else -pair.difference
        if ahead > 0.0 and pair.p_adjusted < 1.0 - level:
            better.append(name)
    alike = [name for name in others if name not in better]
    if not alike:
        ((name, pair), *more) = others.items()
        every = "all others" if more else f"{name} ({named}{_p(pair)})"
        return f"{it} is significantly better than {every}."
    text = f"{it} is not significantly better than {_names(alike, others, named)}"
    if not better:
        return f"{text}."
    return f"{text}; it is significantly better than {_names(better, others, named)}."


def _proven(best: str, pairs: Sequence[JudgedPair], it: str) -> str:
    """The same by certified intervals."""
    better: list[str] = []
    open_: list[str] = []
    for pair in pairs:
        if best not in (pair.a, pair.b):
            continue
        low, high = pair.proven or (0.0, 0.0)
        ahead = low > 0.0 if pair.a == best else high < 0.0
        (better if ahead else open_).append(pair.b if pair.a == best else pair.a)
    text = f"With so little data the certified intervals decide: {it.lower() if it == 'It' else it}"
    if not open_:
        return f"{text} is better than {_few(better)}."
    shown = f"{text} is not shown to be better than {_few(open_)}"
    return f"{shown}; it is better than {_few(better)}." if better else f"{shown}."


def _few(names: Sequence[str]) -> str:
    return _listed(names) if len(names) <= _NAMED else f"{len(names)} others"


def _p_name(pairs: Sequence[JudgedPair], adjust: str) -> str:
    """What stands before a p-value that allows for other pairs."""
    return "" if len(pairs) == 1 or adjust == "none" else "adjusted "


def _p(pair: JudgedPair) -> str:
    return p_equals(pair.p_adjusted, _DIGITS, floor=pair.p_adjusted_at_floor)


def _names(names: Sequence[str], pairs: Mapping[str, JudgedPair], named: str) -> str:
    """A few names, each with its p-value, or how many there are."""
    if len(names) > _NAMED:
        return f"{len(names)} of the {len(pairs)} others"
    return _listed([f"{name} ({named}{_p(pairs[name])})" for name in names])


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
