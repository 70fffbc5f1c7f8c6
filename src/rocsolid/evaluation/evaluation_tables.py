"""An evaluation as small tables, the same for a notebook, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers, Skipped, segment_text
from rocsolid.evaluation.public.rounded import RoundedResult
from rocsolid.remarks.muting import shown
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.tables import NoEstimate
from rocsolid.report.blocks import TextBlock
from rocsolid.report.cells import Cells
from rocsolid.report.text import number
from rocsolid.results import Interval, ScoreEstimate, percent
from rocsolid.results.each_once import each_once
from rocsolid.results.interval import how_often, whatever
from rocsolid.results.segment_evidence import said_of
from rocsolid.results.valued import SHORTER

TableResult = ScoreEstimate | RoundedResult


def result_cells(
    results: Sequence[TableResult],
    caption: str,
    *,
    named: bool,
    segments: Sequence[str],
    narrow: bool = False,
) -> Cells:
    """Each score, segment and (where ``named``) measure: value, both intervals, class sizes.

    ``narrow`` is for a terminal, where a line has 80 letters.
    """
    first = results[0]
    value = "AUC" if first.measure == "auc" and not named else "value"
    heads = ("score", *(["measure"] if named else []), *segments)
    values = (value, percent(first.interval.level), "certified")
    sizes: tuple[str, ...] = ("positives", "negatives")
    if narrow:
        sizes = ("pos", "neg", "tied") if isinstance(first, ScoreEstimate) else ("pos", "neg")
    row = _narrow if narrow else _row
    rows = tuple((*_names(one, named, segments), *row(one)) for one in results)
    return Cells(caption, (*heads, *values, *sizes), rows, names=len(heads))


def all_cells(found: EvaluationNumbers, results: Sequence[ScoreEstimate]) -> Cells:
    """Results of an evaluation, under what its rows are."""
    said = f"{found.source}: {found.n_rows:,} rows, label {found.label}."
    named = any(part.measure.name != "auc" for part in found.parts)
    segments = () if found.segments is None else found.segments.columns
    return result_cells(results, said, named=named, segments=segments)


def warnings_of(results: Iterable[TableResult]) -> list[Remark]:
    """Each warning once, with where it applies."""
    said = ((one, warning) for one in results for warning in one.warnings)
    return list(each_once((f"{one.score}{segment_text(one.by)}", text) for one, text in said))


def why_skipped(
    skipped: Iterable[Skipped], codes: frozenset[str] = frozenset()
) -> tuple[Remark, ...]:
    """The segments without an estimate, a sentence each, unless their check is among ``codes``."""
    reasons = (
        NoEstimate("AUC" if one.measure == "auc" else one.measure, one.reason).of(
            f"{one.score}{segment_text(one.by)}"
        )
        for one in skipped
    )
    return shown(reasons, codes)


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
    certified = [interval for interval in used.values() if interval.certified]
    said = []
    if calibrated:
        level = next(one.level for one in used.values() if not one.certified)
        said.append(f"{', '.join(calibrated)}: calibrated, {how_often(level)}")
    if certified:
        names = ", ".join(interval.method for interval in certified)
        assumed = (text for interval in certified for text in interval.assumptions)
        said.append(f"{names}: certified, holds {whatever(assumed)}")
    text = f"Intervals: {'; '.join(said)}."
    return f"{text} {SHORTER}" if shorter else text


def evaluation_blocks(found: EvaluationNumbers) -> list[TextBlock]:
    """The table of all results, the methods, and the warnings."""
    results = list(found.results)
    notes = (*warnings_of(results), *why_skipped(found.skipped, found.muted))
    segments = (*said_of(found.evidence()), *map(str, found.lowest))
    said = (*found.notes, how_estimated(results), *segments)
    return [TextBlock("", all_cells(found, results), said, notes)]


def _names(one: TableResult, named: bool, segments: Sequence[str]) -> list[str]:
    by = ["all" if one.by is None else str(one.by[name]) for name in segments]
    return [one.score, *([one.measure] if named else []), *by]


def _row(one: TableResult) -> list[str]:
    certified = "none known" if one.certified is None else _span(one, one.certified)
    return [_number(one, one.value), _span(one, one.interval), certified, *_sizes(one)]


def _narrow(one: TableResult) -> list[str]:
    digits = one.decimals if isinstance(one, RoundedResult) else one.interval.decimals
    cells = [f"{one.value:.{digits}f}"]
    for limits in (one.interval, one.certified):
        cells.append("" if limits is None else f"{limits.low:.{digits}f}–{limits.high:.{digits}f}")
    tied = []
    if isinstance(one, ScoreEstimate):
        tied.append(f"{one.ties / (one.n_pos * one.n_neg):.1%}")
    return [*cells, *_sizes(one), *tied]


def _sizes(one: TableResult) -> list[str]:
    return ["" if size is None else f"{size:,}" for size in (one.n_pos, one.n_neg)]


def _number(one: TableResult, value: float) -> str:
    """A rounded 1.00 is no promise of a perfect score, so it stays as it is published."""
    if isinstance(one, RoundedResult):
        return f"{value:.{one.decimals}f}"
    return number(value, one.interval.decimals)


def _span(one: TableResult, limits: Interval) -> str:
    return f"{_number(one, limits.low)} – {_number(one, limits.high)}"
