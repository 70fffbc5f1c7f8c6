"""An evaluation as small tables, the same for a notebook, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers, Skipped, segment_text
from rocsolid.report.cells import Cells
from rocsolid.report.latex import latex_table
from rocsolid.report.markdown import markdown_points, markdown_table
from rocsolid.report.text import number, span
from rocsolid.results import Interval, ScoreEstimate, percent
from rocsolid.results.valued import SHORTER


def result_cells(found: EvaluationNumbers, results: Sequence[ScoreEstimate]) -> Cells:
    """Each score, measure and segment with its value, both intervals and class sizes."""
    segments = () if found.segments is None else tuple(found.segments.columns)
    named = any(part.measure.name != "auc" for part in found.parts)
    heads = ["score", *(["measure"] if named else []), *segments]
    level = percent(found.options.level)
    values = ("value" if named else "AUC", level, "certified", "positives", "negatives")
    rows = tuple(_row(one, named, segments) for one in results)
    return Cells(caption(found), (*heads, *values), rows, names=len(heads))


def caption(found: EvaluationNumbers) -> str:
    """What the rows are."""
    return f"{found.source}: {found.n_rows:,} rows, label {found.label}."


def warnings_of(results: Iterable[ScoreEstimate]) -> list[str]:
    """Each warning once, with where it applies."""
    where: dict[str, list[str]] = {}
    for one in results:
        for warning in one.warnings:
            where.setdefault(warning, []).append(f"{one.score}{segment_text(one.by)}")
    return [f"{'; '.join(names)}: {warning}" for warning, names in where.items()]


def why_skipped(skipped: Iterable[Skipped]) -> list[str]:
    """The segments without an estimate, a sentence each."""
    return [
        f"{one.score}{segment_text(one.by)}: no "
        f"{'AUC' if one.measure == 'auc' else one.measure}, {one.reason}."
        for one in skipped
    ]


def how_estimated(results: Iterable[ScoreEstimate]) -> str:
    """The methods of the intervals."""
    used: dict[str, Interval] = {}
    shorter = False
    for one in results:
        shorter |= one.certified_is_shorter
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
    text = f"Intervals: {'; '.join(said)}."
    return f"{text} {SHORTER}" if shorter else text


def as_markdown(found: EvaluationNumbers) -> str:
    """The table of all results, what to mind below it, and the methods."""
    results = list(found.results)
    points = [*warnings_of(results), *why_skipped(found.skipped)]
    parts = [
        markdown_table(result_cells(found, results)),
        *markdown_points(points),
        how_estimated(results),
    ]
    return "\n\n".join(parts) + "\n"


def as_latex(found: EvaluationNumbers) -> str:
    """The table of all results; its caption holds what to mind and the methods."""
    results = list(found.results)
    cells = result_cells(found, results)
    said = [cells.caption, how_estimated(results)]
    said += [*warnings_of(results), *why_skipped(found.skipped)]
    return latex_table(Cells(" ".join(said), cells.heads, cells.rows, cells.names)) + "\n"


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
