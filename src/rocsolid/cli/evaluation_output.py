"""An evaluation as people read it in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocsolid.cli.screen import Screen, text_table
from rocsolid.evaluation import Evaluation
from rocsolid.evaluation.evaluate_folds import FoldEvaluation
from rocsolid.evaluation.evaluation_tables import result_cells, warnings_of, why_skipped
from rocsolid.results import Interval, ScoreEstimate, percent
from rocsolid.results.valued import SHORTER

_SHOWN = 40


def print_evaluation(evaluation: Evaluation) -> None:
    """A table for each measure, then what a reader must know, then the methods."""
    console = Screen()
    results = evaluation.results
    shown = results[:_SHOWN]
    for measure in dict.fromkeys(result.measure for result in shown):
        if any(result.measure != "auc" for result in shown):
            console.print(measure, style="bold")
        _print_table(console, evaluation, [r for r in shown if r.measure == measure])
    if len(results) > len(shown):
        console.print(f"... and {len(results) - len(shown):,} more; --json prints them all.")
    notes = [*warnings_of(shown), *why_skipped(evaluation.skipped[:_SHOWN])]
    if notes:
        console.print()
        for note in notes:
            console.print(f"note: {note}")
    console.print()
    console.print(_legend(shown), style="dim")


def print_folds(found: FoldEvaluation) -> None:
    """Each score with its mean, intervals, and what it gives away; then each pair of scores."""
    console = Screen()
    for block in found.blocks():
        if block.cells is not None:
            console.print(block.cells.caption)
            console.show(text_table(block.cells))
        for note in (*block.said, *block.notes):
            console.print(f"note: {note}")
        console.print()


def _print_table(console: Screen, evaluation: Evaluation, results: Sequence[ScoreEstimate]) -> None:
    segments = () if evaluation.segments is None else evaluation.segments.columns
    cells = result_cells(results, "", named=False, segments=segments, narrow=True)
    # areas of small regions have more decimals, so their columns stand closer together
    gap = 2 if results[0].interval.decimals == 4 else 1
    console.show(
        text_table(cells, gap=gap, centre=(percent(evaluation.options.level), "certified"))
    )


def _legend(results: Sequence[ScoreEstimate]) -> str:
    asked = [result.interval for result in results]
    said = [
        f"{', '.join(methods)} ({kind})"
        for methods, kind in (
            (_methods(i for i in asked if not i.certified), "calibrated: right on average"),
            (_methods(i for i in asked if i.certified), "holds whatever the distribution"),
        )
        if methods
    ]
    proven = _methods(result.certified for result in results if result.certified)
    text = f"Interval: {'; '.join(said)}."
    if proven:
        text += f" Certified: {', '.join(proven)} (holds whatever the distribution)."
    return f"{text} {SHORTER}" if any(one.certified_is_shorter for one in results) else text


def _methods(intervals: Iterable[Interval]) -> list[str]:
    return list(dict.fromkeys(interval.method for interval in intervals))
