"""Runs and scores measured over queries as small tables, the same for every form."""

from __future__ import annotations

import math
import string
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rocsolid.answer.entry import segment_text
from rocsolid.answer.verdicts import verdict_of_comparison, verdict_of_many
from rocsolid.evaluation.query_numbers import MeasuredRuns, QueryNumbers, RunsNumbers
from rocsolid.evaluation.separating_measures import SeparatingMeasures
from rocsolid.remarks.lists import GainMatters, NotJudged, OpenResidual
from rocsolid.remarks.muting import shown
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.tables import NoEstimate
from rocsolid.report.cells import Cells
from rocsolid.results import Interval, QueryEstimate, percent
from rocsolid.results.each_once import each_once
from rocsolid.results.interval import how_often, whatever
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
_TELLING = 10  # queries that are shown for themselves
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


def audit_notes(found: RunsNumbers) -> tuple[Remark, ...]:
    """What the audits warn of beside ties, which stand in their table."""
    warned: list[tuple[str, Remark]] = [
        (name, each.says(f"{each}."))
        for name, one in found.audits.items()
        for each in one.beside_ties
    ]
    for name, one in found.audits.items():
        if count := len(one.not_judged):
            warned.append((name, NotJudged(count)))
    once = each_once(warned, everywhere=len(found.audits))
    return shown((*once, *found.notes), found.muted)


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
    """The runs by one measure: value, intervals, the bounds of ties, letters of groups, places."""
    tied = any(estimate.worst != estimate.best for estimate in one.estimates.values())
    grouped = one.comparison is not None and one.comparison.groups
    letters = group_letters(one.comparison) if one.comparison and grouped else {}
    ranks = {} if one.comparison is None or len(one.estimates) < 3 else one.comparison.ranks
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
                *([str(ranks[name])] if ranks else []),
            )
        )
    heads = [one.noun, "value", percent(next(iter(one.estimates.values())).level), "certified"]
    heads += [*(["ties"] if tied else []), *(["group"] if letters else [])]
    heads += ["places"] if ranks else []
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
    null = comparison.settings["null"]
    rows = tuple(
        (
            pair.a,
            pair.b,
            f"{pair.difference:+.4f}",
            _signed(pair.simultaneous if together else pair.interval, null, digits, between),
            _signed(pair.certified, null, digits, between),
            pair.adjusted_text,
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


def how_compared(comparison: QueryComparison, noun: str = "run", *, named: bool = True) -> str:
    """Which test, which adjustment, and what letters and intervals mean; or the latter alone."""

    def by(method: str) -> str:
        return f" ({method})" if named else ""

    settings = comparison.settings
    alpha = f"{1.0 - comparison.level:.4g}"
    simultaneous = next((p.simultaneous.method for p in comparison.pairs if p.simultaneous), None)
    proven = next((p.certified.method for p in comparison.pairs if p.certified), None)
    asked, test = "a and b have the same mean", comparison.pairs[0].method
    if not comparison.groups:
        asked, test = comparison.hypothesis, f"{test}, {settings['alternative']}"
    text = f"p tests that {asked}{by(test)}, adjusted for all pairs{by(settings['adjust'])}."
    if comparison.groups:
        text += (
            f" {noun.capitalize()}s that share a letter are not significantly different at {alpha}."
        )
    if simultaneous is not None:
        text += f" Intervals of differences hold together{by(simultaneous)}"
        if settings["adjust"] == "holm" and len(comparison.pairs) > 1:
            text += f", so that one may hold {settings['null']:g} where p is just below {alpha}"
        text += f"; certified ones pair by pair{by(proven)}." if proven else "."
    return text


def how_estimated(one: MeasuredRuns) -> str:
    """The methods of the intervals beside the values."""
    estimates = one.estimates.values()
    asked = {e.interval.method: e.interval for e in estimates if e.interval.method != "none"}
    proven = {e.certified.method: e.certified for e in estimates if e.certified}
    holds = whatever(text for one in proven.values() for text in one.assumptions)
    levels = [interval.level for interval in asked.values() if not interval.certified]
    kind = f"calibrated: {how_often(levels[0])}" if levels else holds
    certified = f"; certified: {', '.join(proven)}, {holds}" if proven else ""
    if not asked:
        return "There is no interval over queries."
    text = f"Intervals: {', '.join(asked)}, {kind}{certified}."
    return f"{text} {SHORTER}" if any(e.certified_is_shorter for e in estimates) else text


def value_text(estimate: QueryEstimate) -> str:
    """The value to as many decimals as its interval has."""
    return f"{estimate.value:.{estimate.interval.decimals}f}"


def limits_text(interval: Interval) -> str:
    """Both ends, or that there are none."""
    if interval.vacuous or interval.method == "none":
        return "none"
    return f"{interval.low:.{interval.decimals}f}–{interval.high:.{interval.decimals}f}"


def _signed(interval: Interval | None, null: float, digits: int, between: str) -> str:
    if interval is None or interval.vacuous:
        return "none"
    ends = (interval.low, interval.high)
    return between.join(telling(end, null, digits, signed) for end in ends)


def _share(share: float) -> str:
    """A share in percent that is not rounded to nothing."""
    if 0.0 < share < 0.0005:
        return "<0.1 %"
    return f"{100.0 * share:.1f} %"


def caption(found: QueryNumbers) -> str:
    """What the rows are, and how many queries they make."""
    profile = found.settings["profile"]
    taken = f"; everything as {profile}" if profile else ""
    queries = f"{found.queries:,} quer{'y' if found.queries == 1 else 'ies'}"
    return f"{found.source}: {found.n_rows:,} rows, {queries} of {found.qid!r}{taken}"


def segment_cells(found: QueryNumbers, one: MeasuredRuns) -> Cells:
    """Every score in every segment: value, intervals, and the queries that count."""
    columns = () if found.segments is None else found.segments.columns
    rows = []
    for part in found.parts_of(one.asked):
        key = [str(value) for value in found.key(part.segment).values()]
        for score in one.estimates:
            if score in part.estimates:
                each = part.estimates[score]
                rows.append(
                    (
                        *key,
                        score,
                        value_text(each),
                        limits_text(each.interval),
                        "none" if each.certified is None else limits_text(each.certified),
                        f"{each.n_queries:,}",
                    )
                )
    level = percent(found.settings["level"])
    return Cells(
        f"{one.asked} by {', '.join(columns)}, each segment by itself",
        (*columns, "score", "value", level, "certified", "queries"),
        tuple(rows),
        names=len(columns) + 1,
    )


def segment_notes(found: QueryNumbers, one: MeasuredRuns) -> tuple[Remark, ...]:
    """Warnings about segments: one sentence for all that it is true of."""
    said: list[tuple[str, Remark]] = []
    for part in found.parts_of(one.asked):
        where = segment_text(found.key(part.segment)).removeprefix(", ")
        if part.reason:
            said.append((where, NoEstimate(one.asked, part.reason)))
        said += [(where, text) for text in part.said]
        said += [
            (f"{score}, {where}", text)
            for score, each in part.estimates.items()
            for text in each.warnings
            if not isinstance(text, GainMatters | OpenResidual)
        ]
    return shown(each_once(said, most=3), found.muted)


def telling_cells(one: MeasuredRuns) -> Cells | None:
    """The queries that move the result: where scores differ most, or a single one is lowest."""
    estimates = list(one.estimates.values())
    values = np.stack([each.per_query for each in estimates])
    kept = np.flatnonzero(~np.isnan(values).any(axis=0))
    if len(kept) < 2:
        return None
    if len(estimates) > 1:
        spread = values[:, kept].max(axis=0) - values[:, kept].min(axis=0)
        order, said = np.argsort(-spread, kind="stable"), "on which the scores differ most"
    else:
        order, said = np.argsort(values[0, kept], kind="stable"), "with the lowest values"
    first = kept[order[:_TELLING]]
    qids = estimates[0].qids
    return Cells(
        f"The {len(first):,} of {len(kept):,} queries {said}, by {one.asked}.",
        ("query", *one.estimates),
        tuple((str(qids[i]), *(f"{v:.4f}" for v in values[:, i] if not math.isnan(v)))
              for i in first.tolist()),
    )  # fmt: skip


def first_rows(cells: Cells, most: int) -> Cells:
    """The same table, cut."""
    return replace(cells, rows=cells.rows[:most])


def distinction_cells(found: SeparatingMeasures) -> Cells:
    """A row for each discount and cut-off, with the verdict."""
    head, *rows = found.table
    return Cells(
        f"{found.names[0]} against {found.names[1]}: {found.data}. Items and queries: from how "
        "many on the sign of the difference is right 95 times in 100.",
        head,
        tuple(rows),
    )


def verdict_of_runs(one: MeasuredRuns) -> tuple[str, ...]:
    """The highest by one measure, and which others it is significantly better than."""
    if one.comparison is None:
        return verdict_of_many(one.asked, one.estimates, (), 0.95)
    return verdict_of_comparison(one.comparison, one.asked)
