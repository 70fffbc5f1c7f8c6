"""``rocsolid compare``: is one score better than another, or one segment than the next?"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from rocsolid.cli.bars import with_bars
from rocsolid.cli.columns import ColumnOptions
from rocsolid.cli.evaluate_queries import print_queries
from rocsolid.cli.forms import ReportForms
from rocsolid.cli.lists import RankedOptions
from rocsolid.cli.options import (
    ADJUST,
    IntervalOptions,
    Margin,
    Measure,
    MemoryOptions,
    Next,
    Null,
    Qid,
    TableFiles,
    keywords,
)
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.runs_output import with_next_places
from rocsolid.cli.screen import Screen, text_table
from rocsolid.cli.source import source_of
from rocsolid.comparison.ranks import with_next
from rocsolid.engines.engine import Reading
from rocsolid.evaluation.best_first import best_first
from rocsolid.evaluation.compare_query_table import compare_query_table
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.evaluation.query_keywords import refuse_without_queries
from rocsolid.evaluation.table_comparison import (
    TableComparison,
    how_compared,
    pair_cells,
    why_left_out,
)
from rocsolid.evaluation.verdicts import verdict_of_comparison
from rocsolid.results import Comparison, percent

_SHOWN = 60


def compare(
    *table: TableFiles,
    columns: ColumnOptions,
    qid: Qid | None = None,
    measure: Measure = "auc",
    test: str | None = None,
    adjust: Annotated[Literal["holm", "max-t", "tukey", "none"] | None, ADJUST] = None,
    null: Null = 0.0,
    margin: Margin | None = None,
    next_size: Next | None = None,
    intervals: IntervalOptions = IntervalOptions(),
    forms: ReportForms = ReportForms(),
    reading: MemoryOptions = MemoryOptions(),
    lists: RankedOptions = RankedOptions(),
) -> int:
    """Compare scores on the same rows, or with --by each score between segments.

    A difference is the earlier score's value minus the later one's. With --qid a measure of ranked
    lists is compared query by query; the labels are then grades of relevance.

    Example: `rocsolid compare scores.csv --label ill --score risk --score lab`

    Example: `rocsolid compare t.csv --label grade --score a --score b --qid q --measure ndcg@10`

    Parameters
    ----------
    test
        auto (the default: delong-t, or bootstrap-t where few rows decide a difference), delong-t
        (Student's t), bootstrap-t (studentised), delong (that of pROC), bootstrap (percentile
        interval), bootstrap-bca, permutation, or venkatraman-curves (tests whether the whole curves
        are equal, not the AUCs; so does permutation with fewer than 20 rows of a class). With
        --qid: auto, t, bootstrap-t, or sign-flip, exact for few queries.
    """
    forms.check(*table)
    slow = (test or "").startswith(("bootstrap", "permutation", "venkatraman"))
    chosen = {"test": test, "adjust": adjust}
    asked = keywords(columns, intervals) | {k: v for k, v in chosen.items() if v is not None}
    asked |= {"measure": measure, "null": null, "margin": margin}
    of_lists = keywords(lists)
    with progress_bar("resampling" if slow else "comparing") as bar:
        asked["reading"] = Reading(reading.memory, reading.threads, bar)
        if qid is not None:
            ranked = compare_query_table(source_of(table), qid=qid, **asked, **of_lists)
        else:
            refuse_without_queries(of_lists)
            result = compare_table(source_of(table), **asked)
    if qid is not None:
        ranked = replace(ranked, measures=with_next_places(ranked.measures, next_size))
        ranked = forms.muted(ranked)
        forms.show(ranked, lambda: print_queries(ranked))
        return 0
    each = {score: with_next(one, next_size) for score, one in result.comparisons.items()}
    result = forms.muted(replace(result, comparisons=each))
    forms.show(result, lambda: print_comparison(result))
    return 0


def print_comparison(result: TableComparison) -> None:
    """For each comparison the pairs, then the groups and the warnings."""
    console = Screen()
    for score, found in result.comparisons.items():
        comparison = best_first(found)
        if score is not None:
            console.print(f"{score} by {', '.join(result.by)}")
        if len(result.comparisons) > 1:
            console.print(*verdict_of_comparison(comparison))
            console.print()
        _print_values(console, comparison)
        _print_pairs(console, comparison)
        console.print(f"All equal: {comparison.omnibus}.")
        for told in (*comparison.decided(), *comparison.told_apart()):
            console.print(told)
        console.notes(comparison.warnings)
        console.print()
    console.notes(why_left_out(result))
    console.print(how_compared(next(iter(result.comparisons.values()))), style="dim")


def _print_values(console: Screen, comparison: Comparison) -> None:
    whole = comparison.measure == "auc"
    if not whole:
        console.print(comparison.measure)
    title = "AUC" if whole else "value"
    rows = []
    for name, one in comparison.estimates.items():
        digits = one.interval.decimals
        interval = f"{one.low:.{digits}f}–{one.high:.{digits}f}"
        rows.append((name, f"{one.value:.{digits}f}", interval, f"{one.n_pos:,}", f"{one.n_neg:,}"))
    console.table((comparison.compared[:-1], title, percent(comparison.level), "pos", "neg"), rows)
    console.print()


def _print_pairs(console: Screen, comparison: Comparison) -> None:
    cells = pair_cells(comparison, spare=1, between=" ", none="")
    pairs, null = comparison.pairs[:_SHOWN], float(comparison.settings["null"])
    cells = replace(cells, heads=(*cells.heads[:-1], "adjusted"), rows=cells.rows[:_SHOWN])
    cells = with_bars(cells, [one.difference for one in pairs], pairs, console.width, mark=null)
    console.show(text_table(cells))
    if len(comparison.pairs) > _SHOWN:
        more = len(comparison.pairs) - _SHOWN
        console.print(f"... and {more:,} more; --json prints them all.")
    console.print()
