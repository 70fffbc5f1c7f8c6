"""``rocsolid compare``: is one score better than another, or one segment than the next?"""

from __future__ import annotations

import sys
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.table import Table

from rocsolid.cli.output import one_form, print_json
from rocsolid.cli.screen import Screen
from rocsolid.cli.source import MemoryOptions, long_work, not_an_option, source_of
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.evaluation.table_comparison import TableComparison, how_compared, why_left_out
from rocsolid.inputs import TextLabel
from rocsolid.results import Comparison, Interval, percent
from rocsolid.results.comparison import p_text
from rocsolid.results.telling import signed, telling

_SHOWN = 60


def compare(
    *table: Annotated[str, Parameter(allow_leading_hyphen=True, validator=not_an_option)],
    label: str,
    score: Annotated[list[str], Parameter(negative=())],
    by: Annotated[list[str] | None, Parameter(negative=())] = None,
    sample_weight: str | None = None,
    frequency: str | None = None,
    cluster: str | None = None,
    design: Literal["fixed"] | None = None,
    pos_label: str | None = None,
    lower_is_better: Annotated[bool, Parameter(negative=())] = False,
    nan: Literal["raise", "omit"] = "raise",
    measure: str = "auc",
    test: str = "delong-t",
    adjust: Literal["holm", "max-t", "none"] = "holm",
    null: float = 0.0,
    margin: float | None = None,
    level: float = 0.95,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    resamples: int = 2000,
    seed: int = 0,
    reading: MemoryOptions | None = None,
    json: Annotated[bool, Parameter(negative=())] = False,
    markdown: Annotated[bool, Parameter(negative=())] = False,
    latex: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Scores compared on the same rows, or with --by each score between segments.

    Example: `rocsolid compare scores.csv --label ill --score risk --score lab`

    Parameters
    ----------
    table
        CSV, TSV, JSON Lines, Parquet or Arrow IPC file; `-` reads standard input. Several files, a
        folder of them or a quoted pattern such as "part-*.parquet" are one table.
    label
        The column of labels: 0 and 1, -1 and 1, or true and false; else name one with --pos-label.
    score
        A score column; repeat the option for more.
    by
        A column whose values are segments, to compare each score between; repeat for combinations.
    sample_weight
        The column of row weights (importance, not replication).
    frequency
        The column that says how many rows are like this one: whole numbers. Every number is that
        of the rows written out.
    cluster
        The column that says which rows belong together, such as a patient.
    design
        "fixed" declares that weights, and how many rows of each class a cluster has, were fixed
        without regard to the scores. Without it weighted or clustered rows have no certified
        interval.
    pos_label
        The label that counts as positive; all others are negative.
    lower_is_better
        Low scores mean positive.
    nan
        What to do with a missing score: stop, or leave the row out for every score.
    measure
        What is compared: "auc", "partial_auc(fpr<=0.1)", "weighted_auc(power(2))",
        "sensitivity(specificity=0.9)" or "specificity(sensitivity=0.9)".
    test
        delong-t, delong (as pROC has it), bootstrap (percentile interval), bootstrap-bca,
        permutation, or venkatraman-curves (whether whole curves are equal, which is no test of
        the AUC).
    adjust
        How p-values are adjusted for all pairs together.
    null
        The difference to test against.
    margin
        Test non-inferiority: the earlier score worse than the later by less than this. One-sided at
        1 − level: 5 % by default, and 2.5 %, as regulators usually ask, with --level 0.975.
    level
        The level of the intervals.
    alternative
        "greater" if the earlier score should be better, "less" if worse.
    resamples
        How often the bootstrap draws and the permutation tests exchange.
    seed
        The seed of what is drawn at random (resamples, exchanges, max-t, pairs of large tables).
    json
        Print JSON in place of the table.
    markdown
        Print Markdown in place of the table.
    latex
        Print LaTeX tables (booktabs) in place of the table.
    """
    one_form(json=json, markdown=markdown, latex=latex)
    machine = MemoryOptions() if reading is None else reading
    with long_work("comparing", expected=machine.memory is not None) as bar:
        result = compare_table(
            source_of(table),
            label=label,
            scores=score,
            by=by or None,
            sample_weight=sample_weight,
            frequency=frequency,
            cluster=cluster,
            design=design,
            pos_label=None if pos_label is None else TextLabel(pos_label),
            lower_is_better=lower_is_better,
            nan=nan,
            measure=measure,
            test=test,
            adjust=adjust,
            null=null,
            margin=margin,
            level=level,
            alternative=alternative,
            resamples=resamples,
            seed=seed,
            progress=bar,
            **machine.given(),
        )
    if json:
        print_json(result.to_dict())
    elif markdown or latex:
        sys.stdout.write(result.to_markdown() if markdown else result.to_latex())
    else:
        print_comparison(result)
    return 0


def print_comparison(result: TableComparison) -> None:
    """For each comparison the pairs, then the groups and the warnings."""
    console = Screen()
    for score, comparison in result.comparisons.items():
        if score is not None:
            console.print(f"{score} by {', '.join(result.by)}")
        _print_values(console, comparison)
        _print_pairs(console, comparison)
        console.print(f"All equal: {comparison.omnibus}.")
        for told in (*comparison.decided(), *comparison.told_apart()):
            console.print(told)
        for warning in comparison.warnings:
            console.print(f"note: {warning}")
        console.print()
    for left_out in why_left_out(result):
        console.print(f"note: {left_out}")
    console.print(how_compared(next(iter(result.comparisons.values()))), style="dim")


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        text = name in ("score", "sample", "a", "b")
        table.add_column(
            name,
            justify="left" if text else "right",
            no_wrap=not text,
            overflow="fold" if text else "ellipsis",
        )
    return table


def _print_values(console: Screen, comparison: Comparison) -> None:
    whole = comparison.measure == "auc"
    if not whole:
        console.print(comparison.measure)
    title = "AUC" if whole else "value"
    table = _table(comparison.compared[:-1], title, percent(comparison.level), "pos", "neg")
    for name, one in comparison.estimates.items():
        digits = one.interval.decimals
        interval = f"{one.low:.{digits}f}–{one.high:.{digits}f}"
        table.add_row(name, f"{one.value:.{digits}f}", interval, f"{one.n_pos:,}", f"{one.n_neg:,}")
    console.show(table)
    console.print()


def _print_pairs(console: Screen, comparison: Comparison) -> None:
    null = comparison.settings["null"]
    table = _table("a", "b", "a − b", percent(comparison.level), "certified", "p", "adjusted")
    for pair in comparison.pairs[:_SHOWN]:
        table.add_row(
            pair.a,
            pair.b,
            f"{pair.difference:+.{pair.interval.decimals}f}",
            _limits(pair.interval, null),
            "" if pair.certified is None else _limits(pair.certified, null),
            p_text(pair.p_value),
            p_text(pair.p_adjusted),
        )
    console.show(table)
    if len(comparison.pairs) > _SHOWN:
        more = len(comparison.pairs) - _SHOWN
        console.print(f"... and {more:,} more; --json prints them all.")
    console.print()


def _limits(interval: Interval, null: float) -> str:
    if interval.vacuous:
        return "none"
    digits = interval.decimals - 1
    return " ".join(telling(end, null, digits, signed) for end in (interval.low, interval.high))
