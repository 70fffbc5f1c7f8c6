"""The answer of a page in a sentence or two, and what to know before relying on it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rocsolid.report.section_data import Pair, ScoreComparison
from rocsolid.report.text import measure_title, number, span
from rocsolid.results import ScoreEstimate, percent

_NAMED = 3
_WORRIES = 3


def verdict(
    overall: Sequence[ScoreEstimate], comparisons: Sequence[ScoreComparison]
) -> tuple[str, ...]:
    """The best score of the first measure, and which others it is significantly better than."""
    measure = overall[0].measure
    mine = [one for one in overall if one.measure == measure]
    best = max(mine, key=lambda one: one.value)
    digits = best.interval.decimals
    title = measure_title(measure)
    between = f"{percent(best.level)} interval {span(best.low, best.high, digits)}"
    if len(mine) == 1:
        return (f"{best.score}: {title} {number(best.value, digits)} ({between}). {_chance(best)}",)
    compared = next((one for one in comparisons if one.measure == measure and one.pairs), None)
    first = f"{best.score} has the highest {title}: {number(best.value, digits)}."
    if compared is None:
        return (first, "The scores are not compared with each other here.")
    return (first, _standing(best.score, compared))


def _chance(one: ScoreEstimate) -> str:
    """How it stands to ranking by chance, where one half is chance."""
    if one.measure != "auc":
        return ""
    if one.low > 0.5:
        return "It ranks better than chance."
    if one.high < 0.5:
        return "It ranks worse than chance: perhaps low scores mean positive."
    return "The interval includes .5, so these rows do not show that it is better than chance."


def _standing(best: str, found: ScoreComparison) -> str:
    """The best score's pairs, whichever way they are written."""
    others, better = {}, []
    for pair in found.pairs:
        if best not in (pair.a, pair.b):
            continue
        name = pair.b if pair.a == best else pair.a
        others[name] = pair
        ahead = pair.difference if pair.a == best else -pair.difference
        if ahead > 0.0 and pair.p_adjusted < 1.0 - found.level:
            better.append(name)
    alike = [name for name in others if name not in better]
    if not alike:
        every = "the other score" if len(others) == 1 else "every other score"
        shown = f" ({_p(next(iter(others.values())))})" if len(others) == 1 else ""
        name = f", {better[0]}" if len(others) == 1 else ""
        return f"It is significantly better than {every}{name}{shown}."
    text = f"It is not significantly better than {_names(alike, others)}"
    if not better:
        return f"{text}."
    return f"{text}; it is significantly better than {_names(better, others)}."


def _names(names: Sequence[str], pairs: dict[str, Pair]) -> str:
    """A few names, each with its p-value, or how many there are."""
    if len(names) > _NAMED:
        return f"{len(names)} of the {len(pairs)} others"
    shown = [f"{name} ({_p(pairs[name])})" for name in names]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _p(pair: Pair) -> str:
    if math.isnan(pair.p_adjusted):
        return "p unknown"
    return "p < 0.0001" if pair.p_adjusted < 1e-4 else f"p = {pair.p_adjusted:.2g}"


def worries(warnings: Sequence[str]) -> tuple[str, ...]:
    """The first warnings about all rows, and how many more there are."""
    if len(warnings) <= _WORRIES:
        return tuple(warnings)
    more = len(warnings) - (_WORRIES - 1)
    return (*warnings[: _WORRIES - 1], f"{more} more warnings are under All numbers.")
