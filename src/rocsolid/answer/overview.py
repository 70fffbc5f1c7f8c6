"""The answer on one screen of the terminal."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from rocsolid.answer.entry import Entry, by_measure
from rocsolid.answer.tables import (
    best_first,
    group_letters,
    limits_text,
    shown_interval,
    value_text,
    why_skipped,
)
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.remarks.remark import Remark, doubted
from rocsolid.report.blocks import TextBlock
from rocsolid.report.text import Cells, measure_title
from rocsolid.results import percent
from rocsolid.results.comparison import Comparison, Difference
from rocsolid.results.equivalence import p_equals, signed, telling
from rocsolid.results.interval import certificates_wanted
from rocsolid.results.plain import each_once
from rocsolid.results.segments import SegmentEvidence, segment_name

SEGMENTS = 8
"""The number of segments shown: those with the most rows, because extreme values may be chance."""
_COLUMNS = 4  # scores whose segments stand side by side
_LINE = 76  # letters of a table
_NAME = 20  # letters of a name, which may be shortened
_SHORT = 8  # letters that a name keeps at least in the line of a pair
_NOUNS = ("score", "run")
_PAIRS = 3  # pairs without the best score that are shown
_ROWS = 14  # scores that are shown
_FINDINGS = 3  # that are shown whole
_NOTES = 2  # remarks of an answer without an overview
_LONG = 135  # letters of two lines of a remark


@dataclass(frozen=True, slots=True)
class ByMeasure:
    """Scores by one measure, and their comparison or the ``reason`` for its absence."""

    title: str
    estimates: Mapping[str, Any]
    comparison: Comparison | None = None
    reason: str = ""

    @property
    def order(self) -> list[str]:
        """The names, the highest value first."""
        return sorted(self.estimates, key=lambda name: -self.estimates[name].value)


@dataclass(frozen=True, slots=True)
class Overview:
    """An answer in a few lines about what ``noun`` names, such as scores.

    ``segments`` has the largest of the ``many`` segments of ``by``: each score by the first
    measure. ``all_pairs`` requests pairs without the best score, ``further`` blocks are requested
    by an option, and ``hidden`` names what is not shown.
    """

    verdict: tuple[str, ...]
    source: str
    noun: str
    rankings: tuple[ByMeasure, ...]
    notes: tuple[Remark, ...] = ()
    by: str = ""
    segments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    many: int = 0
    evidence: tuple[SegmentEvidence, ...] = ()
    all_pairs: bool = False
    further: tuple[TextBlock, ...] = ()
    hidden: tuple[str, ...] = ("certified intervals", "methods")


def brief_verdict(comparisons: Iterable[Comparison]) -> tuple[str, ...]:
    first = next(iter(comparisons), None)
    if first is None or not first.decided() or len(first.pairs) == 1:
        return ()
    count, margin = len(first.pairs), first.settings["margin"]
    kept, alike = (
        sum(decision.shown for decision in each)
        for each in (first.non_inferiority, first.equivalence)
    )
    return (
        f"{kept:,} of {count:,} pairs are shown to be non-inferior at margin {margin:g} "
        f"(one-sided {percent(1.0 - first.level)}), and {alike:,} to be equivalent within it.",
    )


def remarks_of(rankings: Sequence[ByMeasure]) -> tuple[Remark, ...]:
    """The remarks on scores and comparisons, with names if they differ between scores."""
    names = [name for ranking in rankings for name in ranking.estimates]
    each = {
        (name, remark): None
        for ranking in rankings
        for name, estimate in ranking.estimates.items()
        for remark in estimate.warnings
    }
    compared = [
        remark
        for ranking in rankings
        if ranking.comparison is not None
        for remark in ranking.comparison.warnings
    ]
    return tuple(dict.fromkeys(
        (*compared, *each_once(each, everywhere=len(set(names)), most=2))
    ))  # fmt: skip


def overview_of(answer: Any, source: str, verdict: tuple[str, ...]) -> Overview:
    rankings = tuple(
        ByMeasure(
            measure_title(measure),
            estimates,
            answer.comparisons.get(measure, answer.comparisons.get(None)),
        )
        for measure, estimates in by_measure(answer.results).items()
    )
    notes = (*remarks_of(rankings), *why_skipped(answer.skipped))
    return with_segments(Overview(verdict, source, "score", rankings, notes), answer.results)


def with_segments(overview: Overview, results: Sequence[Entry]) -> Overview:
    """Add the first segments of these results, each score by the first measure."""
    first = results[0].asked
    inside = [entry for entry in results if entry.by is not None and entry.asked == first]
    if not inside:
        return overview
    segments: dict[str, dict[str, Entry]] = {}
    for entry in inside:
        segments.setdefault(segment_name(entry.by), {})[entry.score] = entry
    shown = dict(list(segments.items())[:SEGMENTS])
    return replace(overview, by=", ".join(inside[0].by or ()), segments=shown, many=len(segments))


def overview_blocks(overview: Overview) -> Iterator[TextBlock]:
    """Yield the scores, the segments, the most important remarks, and what is hidden."""
    first, *others = overview.rankings
    alone = len(first.estimates) == 1 and not others
    also: list[str] = []
    if (left := len(first.estimates) - _ROWS) > 0:
        also.append(counted(left, f"more {overview.noun}"))
    if alone:
        yield TextBlock(said=(overview.source, _certified(first)))
    elif others:
        yield _by_measures(overview)
    else:
        block, left = _standing(first, overview)
        yield block
        also += [counted(left, "more pair")] if left else []
    if overview.segments:
        yield _segments(first, overview)
    if overview.evidence and (said := segments_compared(overview.evidence)):
        yield TextBlock(said=(said,))
    yield from overview.further
    warnings = [note for note in overview.notes if note.severity != "note"]
    shown, _ = _weighty(warnings, 1, _LINE - len("note: "))
    left = len(set(overview.notes)) - len(shown)
    yield TextBlock(notes=shown)
    also += _left(left, shown)
    known = alone or not any(
        certificates_wanted(getattr(estimate, "settings", {}))
        for ranking in overview.rankings
        for estimate in ranking.estimates.values()
    )
    hidden = [text for text in overview.hidden if not (known and text.startswith("certified"))]
    yield TextBlock(said=(hidden_text((*also, *hidden)),))


def trimmed(blocks: Iterable[TextBlock]) -> Iterator[TextBlock]:
    """Yield the blocks without methods, with the most important remarks and what is hidden."""
    notes: list[str] = []
    parts: list[str] = []
    methods = False
    for block in blocks:
        notes += block.notes
        parts += block.hidden
        methods |= bool(block.methods)
        yield replace(block, notes=(), methods=())
    shown, left = _weighty(notes, _NOTES, _LONG)
    yield TextBlock(notes=shown)
    hidden = [*_left(left, shown), *parts]
    hidden += ["methods"] if methods else []
    if hidden:
        yield TextBlock(said=(hidden_text(hidden),))


def _weighty(notes: Iterable[str], count: int, letters: int) -> tuple[tuple[str, ...], int]:
    every = list(dict.fromkeys(notes))
    weights = ("doubt", "warning", "note")
    findings = [note for note in every if getattr(note, "finding", False)]
    others = [note for note in every if note not in findings]
    others.sort(key=lambda note: weights.index(getattr(note, "severity", "warning")))
    brief = [brief_remark(note, letters) for note in others[: max(count - len(findings), 0)]]
    shown = (*findings[:_FINDINGS], *brief)
    return shown, len(every) - len(shown)


def hidden_text(hidden: Sequence[str]) -> str:
    """The hidden parts, and the option that shows them.

    >>> hidden_text(["2 more pairs", "methods"])
    'With --more: 2 more pairs, methods.'
    """
    return f"With --more: {', '.join(hidden)}."


def _left(count: int, shown: Sequence[str]) -> list[str]:
    return [counted(count, "more note" if shown else "note")] if count else []


def brief_remark(remark: str, most: int) -> str:
    """The first sentence, cut to ``most`` letters if it needs more than two lines.

    >>> brief_remark("a: Few rows. Take more.", 40), brief_remark("Rows without a label. " * 7, 12)
    ('a: Few rows.', 'Rows without a label.')
    >>> brief_remark("Rows without a label " * 7, 12)
    'Rows without …'
    """
    text = re.split(r"(?<=[.;])\s+(?=[A-Z])", remark, maxsplit=1)[0]
    return text if len(text) <= max(most, _LONG) else f"{text[: most + 1].rsplit(' ', 1)[0]} …"


def _certified(ranking: ByMeasure) -> str:
    ((_, estimate),) = ranking.estimates.items()
    limits = estimate.certified
    if limits is None or limits.vacuous:
        return ""
    return f"Certified interval: {limits_text(limits)}."


def _standing(ranking: ByMeasure, overview: Overview) -> tuple[TextBlock, int]:
    order, comparison = ranking.order[:_ROWS], ranking.comparison
    estimates = [ranking.estimates[name] for name in order]
    level = percent(estimates[0].interval.level)
    limits = (f"{level}", [limits_text(estimate.interval) for estimate in estimates])
    if comparison is not None and _certified_decides(comparison):
        proven = [estimate.certified for estimate in estimates]
        limits = ("certified", [limits_text(ends) for ends in proven])
    columns = [
        (overview.noun, order),
        (ranking.title, [value_text(estimate) for estimate in estimates]),
        limits,
    ]  # fmt: skip
    rest: list[Difference] = []
    lines: list[str] = []
    if comparison is not None:
        best = order[0]
        beside = {}
        for pair in best_first(comparison).pairs:
            if comparison.groups and best in (pair.a, pair.b):
                beside[pair.b if pair.a == best else pair.a] = pair
            else:
                rest.append(pair)
        if beside:
            columns += _against(best, [beside.get(name) for name in order], comparison, level)
        if not beside:  # a margin, a test of curves, or one on one side
            listed = [pair for pair in rest if best in (pair.a, pair.b)]
            listed = [] if len(comparison.pairs) == 1 else listed  # the verdict says it
            lines = [_pair_text(pair, comparison) for pair in listed]
            rest = [pair for pair in rest if best not in (pair.a, pair.b)]
        elif overview.all_pairs and len(rest) <= _PAIRS:
            lines, rest = [_pair_text(pair, comparison) for pair in rest], []
        lines += [*_all_together(comparison), *comparison.predicted()]
    if len(order) > _COLUMNS and overview.segments:
        columns = [*columns[:4], *columns[5:], _ranges(order, overview)]
    if ranking.reason:
        lines.append(ranking.reason)
    heads, texts = zip(*columns, strict=True)
    cells = Cells(overview.source, heads, tuple(zip(*texts, strict=True)))
    return TextBlock(cells=cells, said=tuple(lines)), len(rest)


def _against(
    best: str, beside: Sequence[Difference | None], comparison: Comparison, level: str
) -> list[tuple[str, list[str]]]:
    certified = _certified_decides(comparison)
    columns = [("− best", ["" if pair is None else _lacking(pair, best) for pair in beside])]
    limits = ["" if pair is None else _limits(pair, best, certified=certified) for pair in beside]
    if not {*limits} <= {"", "none"}:  # as in a test of whole curves
        joint = any(getattr(pair, "simultaneous", None) for pair in beside)
        several = len(comparison.pairs) > 1
        of = f"{level} {'all' if joint else 'each'}" if several else level
        columns.append(("certified" if certified else of, limits))
    if not certified:
        alone = len(comparison.pairs) == 1 or comparison.settings.get("adjust") == "none"
        shown = ["" if pair is None else pair._adjusted_text for pair in beside]
        columns.append(("p" if alone else "p adj.", shown))
    return columns


def _certified_decides(comparison: Comparison) -> bool:
    return bool(comparison.groups) and doubted(comparison.warnings)


def _lacking(pair: Difference, best: str) -> str:
    sign = -1.0 if pair.a == best else 1.0
    return f"{sign * pair.difference + 0.0:+.{pair.interval.decimals}f}"


def _limits(pair: Difference, best: str, *, certified: bool) -> str:
    limits = pair.certified if certified else shown_interval(pair)
    if limits is None or limits.vacuous or limits.method == "none":
        return "none"
    ends = (-limits.high, -limits.low) if pair.a == best else (limits.low, limits.high)
    return ", ".join(telling(end, 0.0, limits.decimals - 1, signed) for end in ends)


def _pair_text(pair: Difference, comparison: Comparison) -> str:
    limits = shown_interval(pair)
    settings = comparison.settings
    against = -settings["margin"] if settings.get("margin") is not None else 0.0
    low, high = (
        telling(end, against, limits.decimals - 1, signed) for end in (limits.low, limits.high)
    )
    between = {"greater": f"at least {low}", "less": f"at most {high}"}.get(
        settings.get("alternative", ""), f"{low} to {high}"
    )
    known = not (limits.vacuous or limits.method == "none")
    parts = [
        f"{pair.difference:+.{limits.decimals}f}{f' ({between})' if known else ''}",
        *_decisions(pair, comparison),
        p_equals(pair.p_adjusted, floor=pair.p_adjusted_at_floor),
    ]
    text = f": {', '.join(parts)}."
    names = f"{pair.a} − {pair.b}"
    if len(names) + len(text) > _LINE:
        from rocsolid.pictures.lists import shown

        room = max((_LINE - len(text) - len(" − ")) // 2, _SHORT)
        a, b = shown(pair.a, room), shown(pair.b, room)
        names = f"{a} − {b}" if a != b else names
    return names + text


def _decisions(pair: Difference, comparison: Comparison) -> list[str]:
    """Return the stronger statement that is shown; equivalence implies non-inferiority."""
    decided = {
        word: decision.shown
        for decisions, word in (
            (comparison.equivalence, "equivalent"),
            (comparison.non_inferiority, "non-inferior"),
        )
        for decision in decisions
        if (decision.a, decision.b) == (pair.a, pair.b)
    }
    if not decided:
        return []
    return [next((word for word, shown in decided.items() if shown), "not shown")]


def _all_together(comparison: Comparison) -> Iterator[str]:
    count, winner = len(comparison.estimates), comparison.winner
    if count < 3 or not comparison.ranks or winner is None or _certified_decides(comparison):
        return
    value, low, high = (f"{x:.{winner.decimals}f}" for x in (winner.value, winner.low, winner.high))
    yield f"Corrected for picking the best of {count:,}: {value} ({low}–{high})."


def _ranges(order: Sequence[str], overview: Overview) -> tuple[str, list[str]]:
    cells = []
    for name in order:
        each = [estimates[name] for estimates in overview.segments.values() if name in estimates]
        each.sort(key=lambda estimate: estimate.value)
        cells.append(f"{value_text(each[0])}–{value_text(each[-1])}" if each else "none")
    return f"by {overview.by}", cells


def _by_measures(overview: Overview) -> TextBlock:
    rankings = overview.rankings
    order = rankings[0].order[:_ROWS]
    marks = [
        {} if ranking.comparison is None or not ranking.comparison.groups
        else group_letters(best_first(ranking.comparison))
        for ranking in rankings
    ]  # fmt: skip
    rows = [_row_of_measures(name, overview, marks, intervals=True) for name in order]
    width = _NAME + sum(2 + max(map(len, column)) for column in zip(*rows, strict=True))
    if width > _LINE:
        rows = [_row_of_measures(name, overview, marks, intervals=False) for name in order]
    heads = (overview.noun, *(ranking.title for ranking in rankings))
    named = tuple((name, *row) for name, row in zip(order, rows, strict=True))
    sentences = tuple(dict.fromkeys(ranking.reason for ranking in rankings if ranking.reason))
    if any(marks):
        level = next(
            ranking.comparison.level for ranking in rankings if ranking.comparison is not None
        )
        those = f"{overview.noun.capitalize()}s" if overview.noun in _NOUNS else "Segments"
        shared = f"{those} that share a letter are not significantly different"
        sentences = (f"{shared} at {1.0 - level:.4g}.", *sentences)
    return TextBlock(cells=Cells(overview.source, heads, named), said=sentences)


def _row_of_measures(
    name: str, overview: Overview, marks: Sequence[Mapping[str, str]], *, intervals: bool
) -> tuple[str, ...]:
    cells = []
    for ranking, letters in zip(overview.rankings, marks, strict=True):
        estimate = ranking.estimates.get(name)
        width = max(map(len, letters.values()), default=0)
        text = "" if estimate is None else value_text(estimate)
        if estimate is not None and intervals:
            text = f"{text} {limits_text(estimate.interval)}"
        cells.append(f"{text} {letters.get(name, ''):<{width}}" if width else text)
    return tuple(cells)


def _segments(first: ByMeasure, overview: Overview) -> TextBlock:
    order, segments = first.order, overview.segments
    if len(order) > _COLUMNS:
        return TextBlock()
    best = order[0]
    values = {
        name: each[best].value if best in each else -math.inf for name, each in segments.items()
    }
    names = sorted(segments, key=lambda name: -values[name])
    if len(order) == 1:
        each = [segments[name][best] for name in names if best in segments[name]]
        level = percent(each[0].interval.level) if each else ""
        counts_of = [_counts(estimate) for estimate in each]
        rows = tuple(
            (name, value_text(estimate), limits_text(estimate.interval), *counts.values())
            for name, estimate, counts in zip(names, each, counts_of, strict=False)
        )
        heads = (overview.by, first.title, level, *(counts_of[0] if counts_of else ()))
        cells = Cells("", heads, rows)
    else:
        rows = tuple(
            (
                name,
                *(value_text(segments[name][score]) if score in segments[name] else "none"
                  for score in order),
            )
            for name in names
        )  # fmt: skip
        cells = Cells("", (overview.by, *order), rows)
    left = overview.many - len(names)
    said = (f"The {len(names):,} largest of {overview.many:,} segments.",) if left > 0 else ()
    return TextBlock(cells=cells, said=said)


def _counts(estimate: Any) -> dict[str, str]:
    if hasattr(estimate, "n_queries"):
        return {"queries": f"{estimate.n_queries:,}"}
    if hasattr(estimate, "outcomes"):
        return {"rows": f"{estimate.rows:,}", "outcomes": f"{estimate.outcomes:,}"}
    return {"pos": f"{estimate.n_pos:,}", "neg": f"{estimate.n_neg:,}"}


def segments_compared(evidence: Sequence[SegmentEvidence]) -> str:
    apart = [tested for tested in evidence if tested.p_value < 1.0 - tested.level]
    alike = [tested for tested in evidence if tested.p_value >= 1.0 - tested.level]
    if len(evidence) == 1:
        (tested,) = evidence
        differ = "differ significantly" if apart else "do not differ significantly"
        count = len(tested.segments)
        return f"The {count:,} segments {differ} ({_p_of(tested)}){_standing_out(tested)}."
    if not apart:
        return f"Segments do not differ significantly for any score ({_p_range(alike)})."
    text = f"Segments differ significantly for {_named_scores(apart)}"
    if not alike:
        return f"{text}."
    return f"{text}, not for {_named_scores(alike)}."


def _standing_out(evidence: SegmentEvidence) -> str:
    names = [segment.name for segment in evidence.differ]
    if len(evidence.segments) == 2 or not names:
        return ""
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")
    return f"; different from the rest: {shown}"


def _named_scores(evidence: Sequence[SegmentEvidence]) -> str:
    if len(evidence) > 3:
        return f"{len(evidence):,} scores"
    return " and ".join(f"{tested.score} ({_p_of(tested)})" for tested in evidence)


def _p_of(evidence: SegmentEvidence) -> str:
    return p_equals(evidence.p_value, ".2g", floor=evidence.p_at_floor)


def _p_range(evidence: Sequence[SegmentEvidence]) -> str:
    lowest = min(evidence, key=lambda tested: tested.p_value)
    return f"lowest {_p_of(lowest)}"
