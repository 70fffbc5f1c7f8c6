"""Tables of runs and scores measured over queries, the same for every form."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocsolid.answer.entry import segment_text, verdict_of_comparison, verdict_of_many
from rocsolid.answer.tables import group_letters, limits_text, value_text
from rocsolid.counts import counted
from rocsolid.evaluation.query_numbers import (
    MeasuredRuns,
    QueryNumbers,
    RunsNumbers,
    SeparatingMeasures,
)
from rocsolid.remarks.lists import GainMatters, NotJudged, OpenResidual
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.tables import NoEstimate
from rocsolid.report.blocks import PAGE, Form
from rocsolid.report.text import Cells
from rocsolid.results import Interval, QueryEstimate, percent
from rocsolid.results.equivalence import signed, telling
from rocsolid.results.interval import SHORTER, how_often, whatever
from rocsolid.results.plain import each_once
from rocsolid.results.query_estimate import QueryComparison

AUDIT_KEY = (
    "Audit: missing queries count as 0 unless a profile leaves them out; judged@k: share of the "
    "first k documents with a judgement; tied: documents that share a score; 32-bit: tied after "
    "rounding to 32 bits; dupl.: lines left out; ranks: contradictions to the scores."
)
_TELLING = 10  # queries that are shown for themselves


def audit_cells(numbers: RunsNumbers) -> Cells:
    """One row per run: the properties that can change its numbers, or make two tools disagree."""
    depths = list(dict.fromkeys(k for audit in numbers.audits.values() for k in audit.judged_at))
    rows = [
        (
            name,
            f"{audit.in_run:,}",
            f"{len(audit.missing):,}",
            *(_share(audit.judged_at[k]) for k in depths),
            _share(audit.tied / audit.documents),
            _share(audit.tied_float32 / audit.documents),
            f"{audit.duplicates:,}",
            "none" if audit.no_rank else f"{audit.rank_conflicts:,}",
        )
        for name, audit in numbers.audits.items()
    ]
    judged = [f"judged@{k}" for k in depths]
    heads = ("run", "in run", "missing", *judged, "tied", "32-bit", "dupl.", "ranks")
    return Cells(audit_caption(numbers), heads, tuple(rows))


def audit_caption(numbers: RunsNumbers) -> str:
    empty = next(iter(numbers.audits.values())).empty
    count = len(numbers.queries)
    without = f"{len(empty):,} without a relevant document" if empty else "all with a relevant one"
    profile = numbers.settings.get("profile")
    taken = f"; everything as {profile}" if profile else ""
    return f"{numbers.qrels}: {counted(count, 'judged query')}, {without}{taken}"


def audit_notes(numbers: RunsNumbers) -> tuple[Remark, ...]:
    warned: list[tuple[str, Remark]] = [
        (name, each.says(f"{each}."))
        for name, audit in numbers.audits.items()
        for each in audit.beside_ties
    ]
    for name, audit in numbers.audits.items():
        if count := len(audit.not_judged):
            warned.append((name, NotJudged(count)))
    return (*each_once(warned, everywhere=len(numbers.audits)), *numbers.notes)


def overview_cells(measures: Sequence[MeasuredRuns], *, letters: bool = False) -> Cells:
    level = percent(next(iter(measures[0].estimates.values())).level)
    marks = [group_letters(m.comparison) if letters and m.comparison else {} for m in measures]
    rows = []
    for name in measures[0].estimates:
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


def value_cells(measured: MeasuredRuns) -> Cells:
    estimates, comparison = measured.estimates, measured.comparison
    tied = any(estimate.worst != estimate.best for estimate in estimates.values())
    letters = group_letters(comparison) if comparison and comparison.groups else {}
    ranks = {} if comparison is None or len(estimates) < 3 else comparison.ranks
    rows = []
    for name, estimate in estimates.items():
        digits = estimate.interval.decimals
        rows.append(
            (
                name,
                value_text(estimate),
                limits_text(estimate.interval),
                limits_text(estimate.certified),
                *([f"{estimate.worst:.{digits}f}–{estimate.best:.{digits}f}"] if tied else []),
                *([letters[name]] if letters else []),
                *([str(ranks[name])] if ranks else []),
            )
        )
    level = percent(next(iter(estimates.values())).level)
    heads = [measured.noun, "value", level, "certified"]
    heads += [*(["ties"] if tied else []), *(["group"] if letters else [])]
    heads += ["places"] if ranks else []
    return Cells(value_caption(measured), tuple(heads), tuple(rows))


def value_caption(measured: MeasuredRuns) -> str:
    first = next(iter(measured.estimates.values()))
    asked, full = measured.asked, measured.full_name
    name = asked if asked == full else f"{asked} is {full}"
    total = len(first.qids)
    out = f" ({first.n_excluded:,} of {total:,} left out)" if first.n_excluded else ""
    return f"{name}, mean over {counted(first.n_queries, 'query')}{out}"


def pair_cells(comparison: QueryComparison, form: Form) -> Cells:
    digits, between = 4 - (form.narrow or form is PAGE), " " if form.narrow else " to "
    together = any(pair.simultaneous is not None for pair in comparison.pairs)
    null = comparison.settings["null"]
    rows = tuple(
        (
            pair.a,
            pair.b,
            f"{pair.difference:+.4f}",
            _signed(pair.simultaneous if together else pair.interval, null, digits, between),
            _signed(pair.certified, null, digits, between),
            pair._adjusted_text,
        )
        for pair in comparison.pairs
    )
    level = percent(comparison.level)
    how = f"with {level} intervals that hold jointly" if together else "one at a time"
    return Cells(
        "" if form.narrow else f"Differences of {comparison.measure}, {how}",
        ("a", "b", "a − b", f"{level} all" if together else f"{level} each", "certified", "p adj."),
        rows,
        names=2,
    )


def per_query_cells(measured: MeasuredRuns) -> Cells:
    estimates = list(measured.estimates.values())
    rows = tuple(
        (str(qid), *("left out" if math.isnan(e.per_query[i]) else f"{e.per_query[i]:.4f}"
                     for e in estimates))
        for i, qid in enumerate(estimates[0].qids.tolist())
    )  # fmt: skip
    return Cells(f"{measured.full_name} by query", ("query", *measured.estimates), rows)


def how_compared(comparison: QueryComparison, noun: str = "run", *, named: bool = True) -> str:
    """The test, the adjustment, and the meaning of letters and intervals; or only the meaning."""

    def by(method: str) -> str:
        return f" ({method})" if named else ""

    settings = comparison.settings
    alpha = f"{1.0 - comparison.level:.4g}"
    simultaneous = next((p.simultaneous.method for p in comparison.pairs if p.simultaneous), None)
    proven = next((p.certified.method for p in comparison.pairs if p.certified), None)
    hypothesis, test = "a and b have the same mean", comparison.pairs[0].method
    if not comparison.groups:
        hypothesis, test = comparison._hypothesis, f"{test}, {settings['alternative']}"
    text = f"p tests that {hypothesis}{by(test)}, adjusted for all pairs{by(settings['adjust'])}."
    if comparison.groups:
        text += (
            f" {noun.capitalize()}s that share a letter are not significantly different at {alpha}."
        )
    if simultaneous is not None:
        text += f" Intervals of differences hold jointly{by(simultaneous)}"
        if settings["adjust"] == "holm" and len(comparison.pairs) > 1:
            text += (
                f", so that one may contain {settings['null']:g} although p is just below {alpha}"
            )
        text += f"; certified intervals hold pair by pair{by(proven)}." if proven else "."
    return text


def how_estimated(measures: Sequence[MeasuredRuns]) -> str:
    estimates = [estimate for each in measures for estimate in each.estimates.values()]
    used = {e.interval.method: e.interval for e in estimates if e.interval.method != "none"}
    proven = {e.certified.method: e.certified for e in estimates if e.certified}
    holds = whatever(text for interval in proven.values() for text in interval.assumptions)
    levels = [interval.level for interval in used.values() if not interval.certified]
    kind = f"calibrated: {how_often(levels[0])}" if levels else holds
    certified = f"; certified: {', '.join(proven)}, {holds}" if proven else ""
    if not used:
        return "There is no interval over queries."
    text = f"Intervals: {', '.join(used)}, {kind}{certified}."
    return f"{text} {SHORTER}" if any(e.certified_is_shorter for e in estimates) else text


def _signed(interval: Interval | None, null: float, digits: int, between: str) -> str:
    if interval is None or interval.vacuous:
        return "none"
    ends = (interval.low, interval.high)
    return between.join(telling(end, null, digits, signed) for end in ends)


def _share(share: float) -> str:
    if 0.0 < share < 0.0005:
        return "<0.1 %"
    return f"{100.0 * share:.1f} %"


def caption(numbers: QueryNumbers) -> str:
    profile = numbers.settings["profile"]
    taken = f"; everything as {profile}" if profile else ""
    queries = counted(numbers.queries, "query")
    return (
        f"{numbers.source}: {counted(numbers.n_rows, 'row')}, {queries} of {numbers.qid!r}{taken}"
    )


def segment_estimates(
    numbers: QueryNumbers, measured: MeasuredRuns
) -> Iterator[tuple[dict[str, Any], str, QueryEstimate]]:
    for segment in numbers.parts_of(measured.asked):
        for score in measured.estimates:
            if score in segment.estimates:
                yield numbers.key(segment.segment), score, segment.estimates[score]


def segment_cells(numbers: QueryNumbers, measured: MeasuredRuns) -> Cells:
    columns = () if numbers.segments is None else numbers.segments.columns
    rows = tuple(
        (
            score,
            *map(str, by.values()),
            value_text(estimate),
            limits_text(estimate.interval),
            limits_text(estimate.certified),
            f"{estimate.n_queries:,}",
        )
        for by, score, estimate in segment_estimates(numbers, measured)
    )
    level = percent(numbers.settings["level"])
    return Cells(
        f"{measured.asked} by {', '.join(columns)}, each segment separately",
        ("score", *columns, "value", level, "certified", "queries"),
        rows,
        names=len(columns) + 1,
    )


def segment_notes(numbers: QueryNumbers, measured: MeasuredRuns) -> tuple[Remark, ...]:
    """Warnings about segments, with equal sentences merged."""
    warned: list[tuple[str, Remark]] = []
    for segment in numbers.parts_of(measured.asked):
        where = segment_text(numbers.key(segment.segment)).removeprefix(", ")
        if segment.reason:
            warned.append((where, NoEstimate(measured.asked, segment.reason)))
        warned += [(where, text) for text in segment.said]
        warned += [
            (f"{score}, {where}", text)
            for score, estimate in segment.estimates.items()
            for text in estimate.warnings
            if not isinstance(text, GainMatters | OpenResidual)
        ]
    return each_once(warned, most=3)


def telling_cells(measured: MeasuredRuns) -> Cells | None:
    """The queries with the largest differences between scores, or the lowest values of one
    score.
    """
    estimates = list(measured.estimates.values())
    values = np.stack([each.per_query for each in estimates])
    kept = np.flatnonzero(~np.isnan(values).any(axis=0))
    if len(kept) < 2:
        return None
    if len(estimates) > 1:
        spread = values[:, kept].max(axis=0) - values[:, kept].min(axis=0)
        order, which = np.argsort(-spread, kind="stable"), "on which the scores differ most"
    else:
        order, which = np.argsort(values[0, kept], kind="stable"), "with the lowest values"
    first = kept[order[:_TELLING]]
    qids = estimates[0].qids
    return Cells(
        f"The {len(first):,} of {len(kept):,} queries {which}, by {measured.asked}.",
        ("query", *measured.estimates),
        tuple((str(qids[i]), *(f"{v:.4f}" for v in values[:, i] if not math.isnan(v)))
              for i in first.tolist()),
    )  # fmt: skip


def first_rows(cells: Cells, most: int | None) -> Cells:
    return replace(cells, rows=cells.rows[:most])


def distinction_cells(separated: SeparatingMeasures) -> Cells:
    head, *rows = separated.table
    return Cells(
        f"{separated.names[0]} against {separated.names[1]}: {separated.data}. Items and "
        "queries: the smallest number for which the sign of the difference is right 95 times in "
        "100.",
        head,
        tuple(rows),
    )


def verdict_of_runs(measured: MeasuredRuns) -> tuple[str, ...]:
    if measured.comparison is None:
        return verdict_of_many(measured.asked, measured.estimates, (), 0.95)
    return verdict_of_comparison(measured.comparison, measured.asked)
