"""Cards of answers: the verdict, the values, and their basis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocsolid.answer.entry import Entry
from rocsolid.answer.overview import ByMeasure, Overview
from rocsolid.counts import counted
from rocsolid.report.text import measure_title
from rocsolid.results import percent
from rocsolid.results.card import (
    UNDECIDED,
    Card,
    CardRow,
    against_best,
    against_chance,
    chance_of,
    held_of,
    row_of,
    rows_of,
)

_MOST = 40


def card_of_overview(overview: Overview, verdict: Sequence[str]) -> Card:
    """Show scores by the compared measure; of one score, show its segments or measures."""
    compared = [one for one in overview.rankings if one.comparison is not None]
    first = (compared or list(overview.rankings))[0]
    values: Mapping[Any, Any] = first.estimates
    chance = chance_of(values.values())
    more = 0
    if len(values) > 1:
        decisions = against_best(first.comparison) if compared else {}
        rows, more = rows_of(values, decisions, _MOST)
    else:
        rows = _of_one(first, overview)
        more = overview.many - len(rows) + 1 if len(overview.segments) else 0
    basis = " ".join((overview.source, kind_of_interval(next(iter(values.values())))))
    return Card(
        first.title, tuple(verdict), rows, chance, basis, more, held=held_of(values.values())
    )


def _of_one(first: ByMeasure, overview: Overview) -> tuple[CardRow, ...]:
    ((score, whole),) = first.estimates.items()
    top = row_of(score, whole, against_chance(whole))
    if overview.segments:
        segments = overview.segments.items()
        return top, *(
            row_of(name, each[score], against_chance(each[score]))
            for name, each in segments
            if score in each
        )
    alike = [
        (ranking.title, estimate)
        for ranking in overview.rankings
        for estimate in ranking.estimates.values()
        if ranking is not first and estimate.interval.range == whole.interval.range
    ]
    same = {getattr(estimate, "chance", None) for _, estimate in alike}
    if alike and same == {getattr(whole, "chance", None)}:
        return row_of(first.title, whole), *(row_of(*one) for one in alike)
    return (top,)


def card_of_entries(
    entries: Sequence[Entry], verdict: Sequence[str], source: str, compared: Any = None,
    *, chance: bool = True,
) -> Card:  # fmt: skip
    shown = [entry for entry in entries if entry.measure == entries[0].measure] if entries else []
    if not shown:
        return Card(sentences=tuple(verdict), basis=source)
    values = {entry.where: entry for entry in shown}
    first = shown[0]
    if len(values) == 1:
        decision = against_chance(first) if chance else UNDECIDED
        rows: tuple[CardRow, ...] = (row_of(first.where, first, decision),)
        more = 0
    else:
        top = max(values, key=lambda name: float(values[name].value))
        alone = {top: against_chance(values[top])} if chance else {}
        decisions = alone if compared is None else against_best(compared)
        rows, more = rows_of(values, decisions, _MOST)
    basis = getattr(first, "basis", "") or (
        counted(first.n_queries, "query") if hasattr(first, "n_queries") else ""
    )
    of = f"{source}: {basis}." if basis else f"{source}."
    return Card(
        measure_title(first.measure), tuple(verdict), rows,
        chance_of(values.values()) if chance else None, f"{of} {kind_of_interval(first)}", more,
        held=held_of(values.values()),
    )  # fmt: skip


def kind_of_interval(valued: Any) -> str:
    limits = valued.interval
    if limits.method == "none":
        return "No interval."
    kind = "Certified" if limits.certified else "Calibrated"
    return f"{kind} {percent(limits.level)} intervals."
