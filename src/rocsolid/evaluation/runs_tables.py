"""Evaluated runs as small tables, the same for the terminal, a page, Markdown and LaTeX."""

from __future__ import annotations

import math
import string
from collections.abc import Sequence

from rocsolid.evaluation.runs_numbers import MeasuredRuns, RunsNumbers
from rocsolid.report.cells import Cells
from rocsolid.report.latex import latex_table
from rocsolid.report.markdown import escape, markdown_points, markdown_table
from rocsolid.results import Interval, QueryEstimate, percent
from rocsolid.results.comparison import p_text
from rocsolid.results.query_comparison import QueryComparison
from rocsolid.results.telling import signed, telling
from rocsolid.results.valued import SHORTER

AUDIT_KEY = (
    "Audit: in run, judged queries with documents; missing, those without, which count 0 unless a "
    "profile leaves them out; judged@k, documents among the first k that somebody judged; tied, "
    "those with the score of another one "
    "of their query; 32-bit, the same once scores are cut to 32 bits; dupl., lines left out; "
    "ranks, places where the rank column contradicts the scores."
)
_LETTERS = string.ascii_lowercase + string.ascii_uppercase


def audit_cells(found: RunsNumbers) -> Cells:
    """One row a run: what can move its numbers, or make two tools disagree."""
    depths = list(dict.fromkeys(k for one in found.audits.values() for k in one.judged_at))
    rows = [
        (
            name,
            f"{one.in_run:,}",
            f"{len(one.missing):,}",
            *(_share(one.judged_at[k]) for k in depths),
            _share(one.tied / one.documents),
            _share(one.tied_float32 / one.documents),
            f"{one.duplicates:,}",
            "none" if one.no_rank else f"{one.rank_conflicts:,}",
        )
        for name, one in found.audits.items()
    ]
    judged = [f"judged@{k}" for k in depths]
    heads = ("run", "in run", "missing", *judged, "tied", "32-bit", "dupl.", "ranks")
    return Cells(audit_caption(found), heads, tuple(rows))


def audit_caption(found: RunsNumbers) -> str:
    """What the judgements are, and which queries a mean is over."""
    empty = next(iter(found.audits.values())).empty
    count = len(found.queries)
    without = f"{len(empty):,} without a relevant document" if empty else "all with a relevant one"
    profile = found.settings.get("profile")
    taken = f"; everything as {profile}" if profile else ""
    return f"{found.qrels}: {count:,} judged quer{'y' if count == 1 else 'ies'}, {without}{taken}"


def audit_notes(found: RunsNumbers) -> tuple[str, ...]:
    """What the audits warn of beside ties, which stand in their table."""
    of: dict[str, list[str]] = {}
    for name, one in found.audits.items():
        for warning in one.warnings:
            if warning not in one.of_ties:
                of.setdefault(warning, []).append(name)
        if one.not_judged:
            count = len(one.not_judged)
            text = f"{count:,} quer{'y' if count == 1 else 'ies'} of the run not judged, not used"
            of.setdefault(text, []).append(name)
    warned = tuple(
        f"{text}." if len(names) == len(found.audits) else f"{', '.join(names)}: {text}."
        for text, names in of.items()
    )
    return (*warned, *found.notes)


def overview_cells(
    names: Sequence[str], measures: Sequence[MeasuredRuns], *, letters: bool = False
) -> Cells:
    """Runs by measures, each value with its interval, and with the letters of its groups."""
    level = percent(next(iter(measures[0].estimates.values())).level)
    marks = [group_letters(m.comparison) if letters and m.comparison else {} for m in measures]
    rows = []
    for name in names:
        cells = [
            f"{value_text(m.estimates[name])} {limits_text(m.estimates[name].interval)}"
            for m in measures
        ]
        marked = [f"{text} {m.get(name, '')}" for text, m in zip(cells, marks, strict=True)]
        rows.append((name, *(text.rstrip() for text in marked)))
    return Cells(
        f"Means over queries with {level} intervals.",
        (measures[0].noun, *(one.asked for one in measures)),
        tuple(rows),
    )


def value_cells(one: MeasuredRuns) -> Cells:
    """The runs by one measure: value, intervals, the bounds of ties, and letters of groups."""
    tied = any(estimate.worst != estimate.best for estimate in one.estimates.values())
    letters = {} if one.comparison is None else group_letters(one.comparison)
    rows = []
    for name, estimate in one.estimates.items():
        digits = estimate.interval.decimals
        rows.append(
            (
                name,
                value_text(estimate),
                limits_text(estimate.interval),
                "none" if estimate.certified is None else limits_text(estimate.certified),
                *([f"{estimate.worst:.{digits}f}–{estimate.best:.{digits}f}"] if tied else []),
                *([letters[name]] if letters else []),
            )
        )
    heads = [one.noun, "value", percent(next(iter(one.estimates.values())).level), "certified"]
    heads += [*(["ties"] if tied else []), *(["group"] if letters else [])]
    return Cells(value_caption(one), tuple(heads), tuple(rows))


def value_caption(one: MeasuredRuns) -> str:
    """What was averaged, over how many queries."""
    first = next(iter(one.estimates.values()))
    name = one.asked if one.asked == one.full_name else f"{one.asked} is {one.full_name}"
    total = len(first.qids)
    out = f" ({first.n_excluded:,} of {total:,} left out)" if first.n_excluded else ""
    return f"{name}, mean over {first.n_queries:,} quer{'y' if total == 1 else 'ies'}{out}"


def pair_cells(comparison: QueryComparison, *, digits: int = 4, between: str = " to ") -> Cells:
    """Every pair of runs: the difference, its intervals, and the adjusted p-value."""
    together = any(pair.simultaneous is not None for pair in comparison.pairs)
    rows = tuple(
        (
            pair.a,
            pair.b,
            f"{pair.difference:+.4f}",
            _signed(pair.simultaneous if together else pair.interval, digits, between),
            _signed(pair.certified, digits, between),
            p_text(pair.p_adjusted),
        )
        for pair in comparison.pairs
    )
    level = percent(comparison.level)
    return Cells(
        f"Differences of {comparison.measure}, "
        + (f"with {level} intervals that hold together" if together else "one at a time"),
        ("a", "b", "a − b", f"{level} all" if together else f"{level} each", "certified", "p adj."),
        rows,
        names=2,
    )


def per_query_cells(one: MeasuredRuns) -> Cells:
    """The value of each query by run."""
    estimates = list(one.estimates.values())
    rows = tuple(
        (str(qid), *("left out" if math.isnan(e.per_query[i]) else f"{e.per_query[i]:.4f}"
                     for e in estimates))
        for i, qid in enumerate(estimates[0].qids.tolist())
    )  # fmt: skip
    return Cells(f"{one.full_name} by query", ("query", *one.estimates), rows)


def group_letters(comparison: QueryComparison) -> dict[str, str]:
    """For each run the letters of its groups: runs that share one are not significantly different.

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
    return {name: "".join(found).strip() for name, found in of.items()}


def detectable(comparison: QueryComparison) -> str:
    """The least difference that the comparison would have found, or nothing where none is known."""
    low, high = comparison.least_detectable
    if math.isnan(low):
        return ""
    found = f"{low:.4f}" if low == high else f"{low:.4f} to {high:.4f}, by pair"
    power = percent(comparison.settings["power"])
    return f"Least detectable difference at {power} power: {found}."


def how_compared(comparison: QueryComparison, noun: str = "run") -> str:
    """Which test, which adjustment, and what letters and intervals mean."""
    settings = comparison.settings
    alpha = f"{1.0 - comparison.level:.4g}"
    simultaneous = next((p.simultaneous.method for p in comparison.pairs if p.simultaneous), None)
    proven = next((p.certified.method for p in comparison.pairs if p.certified), None)
    text = (
        f"p: that a and b have the same mean ({comparison.pairs[0].method}), adjusted for all "
        f"pairs ({settings['adjust']}). {noun.capitalize()}s that share a letter are not "
        f"significantly different at {alpha}."
    )
    if simultaneous is not None:
        text += f" Intervals of differences hold together ({simultaneous})"
        if settings["adjust"] == "holm" and len(comparison.pairs) > 1:
            text += f", so that one may hold 0 where holm's p is just below {alpha}"
        text += f"; certified ones pair by pair ({proven})." if proven else "."
    return text


def how_estimated(one: MeasuredRuns) -> str:
    """The methods of the intervals beside the values."""
    estimates = one.estimates.values()
    asked = {e.interval.method: e.interval.certified for e in estimates}
    kind = "whatever the distribution" if all(asked.values()) else "calibrated: right on average"
    proven = list(dict.fromkeys(e.certified.method for e in estimates if e.certified))
    certified = f"; certified: {', '.join(proven)}, whatever the distribution" if proven else ""
    text = f"Intervals: {', '.join(asked)}, {kind}{certified}."
    return f"{text} {SHORTER}" if any(e.certified_is_shorter for e in estimates) else text


def as_markdown(found: RunsNumbers) -> str:
    """Audit, overview and each measure, with the notes below their tables."""
    parts = ["## Audit", markdown_table(audit_cells(found)), AUDIT_KEY]
    parts += markdown_points(audit_notes(found))
    if len(found.measures) > 1:
        parts += ["## Overview", markdown_table(overview_cells(found.runs, found.measures))]
    for one in found.measures:
        parts += measure_markdown(one)
    return joined(parts)


def measure_markdown(one: MeasuredRuns) -> list[str]:
    """The values and the differences by one measure, with what they rest on."""
    parts = [f"## {escape(one.asked)}", markdown_table(value_cells(one)), how_estimated(one)]
    if one.comparison is not None:
        parts += [markdown_table(pair_cells(one.comparison))]
        parts += [escape(how_compared(one.comparison, one.noun)), detectable(one.comparison)]
    return [*parts, *markdown_points(one.warnings)]


def as_latex(found: RunsNumbers) -> str:
    """A table of runs by measures, then one of differences for each measure."""
    return joined(measures_latex(found.runs, found.measures))


def measures_latex(names: Sequence[str], measures: Sequence[MeasuredRuns]) -> list[str]:
    """The overview and the differences, each a table whose caption says what it rests on."""
    overview = overview_cells(names, measures, letters=True)
    averaged = "; ".join(value_caption(one) for one in measures)
    said = [f"{overview.caption} {averaged}.", how_estimated(measures[0])]
    for one in measures:
        said += [f"{one.asked}: {text}" if len(measures) > 1 else text for text in one.warnings]
    parts = [latex_table(Cells(" ".join(said), overview.heads, overview.rows))]
    for one in measures:
        if one.comparison is not None:
            cells = pair_cells(one.comparison)
            how = how_compared(one.comparison, one.noun)
            text = f"{cells.caption}. {how} {detectable(one.comparison)}"
            parts.append(latex_table(Cells(text.strip(), cells.heads, cells.rows, cells.names)))
    return parts


def joined(parts: Sequence[str]) -> str:
    """The blocks that say something, apart from each other by an empty line."""
    return "\n\n".join(part for part in parts if part) + "\n"


def value_text(estimate: QueryEstimate) -> str:
    """The value to as many decimals as its interval has."""
    return f"{estimate.value:.{estimate.interval.decimals}f}"


def limits_text(interval: Interval) -> str:
    """Both ends, or that there are none."""
    if interval.vacuous or interval.method == "none":
        return "none"
    return f"{interval.low:.{interval.decimals}f}–{interval.high:.{interval.decimals}f}"


def _signed(interval: Interval | None, digits: int, between: str) -> str:
    if interval is None or interval.vacuous:
        return "none"
    ends = (interval.low, interval.high)
    return between.join(telling(end, 0.0, digits, signed) for end in ends)


def _share(share: float) -> str:
    """A share in percent that is not rounded to nothing."""
    if 0.0 < share < 0.0005:
        return "<0.1 %"
    return f"{100.0 * share:.1f} %"
