"""What a notebook shows of an evaluation: its table, and what must be known beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocsolid.evaluation.evaluation import Evaluation, segment_text
from rocsolid.evaluation.query_evaluation import QueryEvaluation
from rocsolid.evaluation.query_tables import caption
from rocsolid.evaluation.runs_evaluation import MeasuredRuns, RunsEvaluation
from rocsolid.evaluation.runs_tables import (
    audit_caption,
    audit_notes,
    how_estimated,
    overview_cells,
)
from rocsolid.report.cells import Cells
from rocsolid.report.notebook import notebook_output
from rocsolid.report.text import number, span
from rocsolid.results import Interval, ScoreEstimate, percent

_ROWS = 40
_SKIPPED = 5


def evaluation_output(found: Evaluation) -> str:
    """Each score and segment with both intervals; then every score in a sentence, and the notes."""
    results = found.results
    shown = results[:_ROWS]
    segments = () if found.segments is None else tuple(found.segments.columns)
    named = any(part.measure.name != "auc" for part in found.parts)
    heads = ["score", *(["measure"] if named else []), *segments]
    level = percent(found.options.level)
    values = ("value" if named else "AUC", level, "certified", "positives", "negatives")
    rows = tuple(_row(one, named, segments) for one in shown)
    table = Cells("", (*heads, *values), rows, names=len(heads))
    said = [f"{part.score}: {part.overall.sentences()[0]}" for part in found.parts]
    if len(results) > len(shown):
        said.append(f"{len(results) - len(shown):,} more results are in .results.")
    said += _warnings(shown)
    skipped = found.skipped
    for one in skipped[:_SKIPPED]:
        of = "AUC" if one.measure == "auc" else one.measure
        said.append(f"{one.score}{segment_text(one.by)}: no {of}, {one.reason}.")
    if len(skipped) > _SKIPPED:
        said.append(f"{len(skipped) - _SKIPPED:,} more without a result are in .skipped.")
    said.append(_methods(shown))
    return notebook_output([table], said)


def runs_output(found: RunsEvaluation) -> str:
    """Runs by measures with their intervals, and which of them cannot be told apart."""
    return _measured(found.runs, found.measures, audit_caption(found), audit_notes(found))


def queries_output(found: QueryEvaluation) -> str:
    """The same for scores in a table, over all of its queries."""
    names = tuple(found.measures[0].estimates)
    notes = list(found.notes)
    if found.parts:
        notes.append("The segments are in .results.")
    return _measured(names, found.measures, caption(found), notes)


def _measured(
    names: Sequence[str], measures: Sequence[MeasuredRuns], first: str, notes: Sequence[str]
) -> str:
    said = [f"{first}.", *dict.fromkeys(how_estimated(one) for one in measures)]
    for one in measures:
        if one.comparison is not None:
            said += [f"{one.asked}: {text}" for text in one.comparison.told_apart()]
        said += [f"{one.asked}: {warning}" for warning in one.warnings]
    return notebook_output([overview_cells(names, measures)], [*said, *notes])


def _row(one: ScoreEstimate, named: bool, segments: tuple[str, ...]) -> tuple[str, ...]:
    digits = one.interval.decimals
    certified = one.certified
    return (
        one.score,
        *([one.measure] if named else []),
        *("all" if one.by is None else str(one.by[name]) for name in segments),
        number(one.value, digits),
        span(one.low, one.high, digits),
        "none known" if certified is None else span(certified.low, certified.high, digits),
        f"{one.n_pos:,}",
        f"{one.n_neg:,}",
    )


def _warnings(results: Iterable[ScoreEstimate]) -> list[str]:
    """Each warning once, with where it applies."""
    where: dict[str, list[str]] = {}
    for one in results:
        for warning in one.warnings:
            where.setdefault(warning, []).append(f"{one.score}{segment_text(one.by)}")
    return [f"{'; '.join(names)}: {warning}" for warning, names in where.items()]


def _methods(results: Iterable[ScoreEstimate]) -> str:
    used: dict[str, Interval] = {}
    for one in results:
        for interval in (one.interval, one.certified):
            if interval is not None:
                used.setdefault(interval.method, interval)
    calibrated = [name for name, interval in used.items() if not interval.certified]
    certified = [name for name, interval in used.items() if interval.certified]
    said = []
    if calibrated:
        said.append(f"{', '.join(calibrated)}: calibrated, right on average")
    if certified:
        said.append(f"{', '.join(certified)}: certified, holds whatever the distribution")
    return f"Intervals: {'; '.join(said)}."
