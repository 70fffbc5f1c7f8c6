"""``rocsolid curve``: thresholds, readings and bands of one score's ROC curve."""

from __future__ import annotations

import shlex
import sys
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.table import Table

from rocsolid.cli.output import print_json, refuse_overwriting, write_text
from rocsolid.cli.picture import check_picture, write_picture
from rocsolid.cli.screen import Screen, tell
from rocsolid.evaluation.curve_page import curve_page
from rocsolid.evaluation.curve_table import TableCurve, curve_table
from rocsolid.inputs import TextLabel
from rocsolid.results import Interval, percent

_WORDS = {
    "tpr": "sensitivity",
    "fpr": "specificity",
    "precision": "PPV",
    "npv": "NPV",
    "accuracy": "accuracy",
    "youden": "Youden",
}


def curve(
    table: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    label: str,
    score: str,
    at_fpr: Annotated[list[float] | None, Parameter(negative=())] = None,
    at_tpr: Annotated[list[float] | None, Parameter(negative=())] = None,
    at_threshold: Annotated[list[float] | None, Parameter(negative=())] = None,
    best: Annotated[
        list[Literal["youden", "closest-topleft", "cost"]] | None, Parameter(negative=())
    ] = None,
    prevalence: float | None = None,
    cost_ratio: float | None = None,
    band: Literal["pointwise", "dkw", "equal-local-levels"] | None = None,
    smooth: Literal["binormal", "binormal-ml", "density"] | None = None,
    pos_label: str | None = None,
    lower_is_better: Annotated[bool, Parameter(negative=())] = False,
    nan: Literal["raise", "omit"] = "raise",
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    json: Annotated[bool, Parameter(negative=())] = False,
    html: str | None = None,
    plot: str | None = None,
) -> int:
    """Sensitivity at a specificity, operating points with intervals, and bands for the curve.

    Example: `rocsolid curve scores.csv --label ill --score risk --at-fpr 0.1 --best youden`

    Example: `rocsolid curve a.csv --label ill --score risk --at-threshold 0.3 --prevalence 0.02`

    Parameters
    ----------
    table
        CSV, TSV, JSON Lines, Parquet or Arrow IPC file; `-` reads standard input.
    label
        The column of labels: 0 and 1, -1 and 1, or true and false; else name one with --pos-label.
    score
        The score column.
    at_fpr
        Read the sensitivity at this false-positive rate (one minus specificity); repeat for more.
    at_tpr
        Read the specificity at this sensitivity; repeat for more.
    at_threshold
        The operating point of a threshold that was fixed beforehand; repeat for more.
    best
        The operating point that is best by this criterion on these rows; repeat for more.
    prevalence
        The share of positives where the threshold will be used, for PPV, NPV, accuracy and cost.
    cost_ratio
        How many false alarms one missed positive costs, for --best cost.
    band
        Limits for the curve: at each rate by itself, or simultaneous ones of two kinds.
    smooth
        A smooth curve by a model; its area is printed too.
    pos_label
        The label that counts as positive; all others are negative.
    lower_is_better
        Low scores mean positive.
    nan
        What to do with a missing score: stop, or leave the row out and say how many.
    level
        The level of all intervals.
    resamples
        How many resamples the readings' bootstrap draws.
    seed
        The seed of the bootstrap.
    json
        Print JSON in place of the tables.
    html
        Write a self-contained page with the curve and its band to this file as well.
    plot
        Draw the curve with its band and operating points to this PNG, SVG or PDF file as well. An
        exact curve gives the labels away to whoever has the scores; the file says so.
    """
    if html is not None:
        refuse_overwriting(table, html)
    if plot is not None:
        check_picture(table, plot)
    result = curve_table(
        table,
        label=label,
        score=score,
        fpr=at_fpr or (),
        tpr=at_tpr or (),
        threshold=at_threshold or (),
        best=best or (),
        prevalence=prevalence,
        cost_ratio=cost_ratio,
        band=band,
        smooth=smooth,
        pos_label=None if pos_label is None else TextLabel(pos_label),
        lower_is_better=lower_is_better,
        nan=nan,
        level=level,
        resamples=resamples,
        seed=seed,
    )
    if html is not None:
        write_text(html, curve_page(result, command=shlex.join(["rocsolid", *sys.argv[1:]])))
    if plot is not None:
        from rocsolid import plots

        ax = plots.roc(
            {result.score: result.roc},
            band="auto" if result.band is None else result.band,
            level=level,
            points=result.points,
        )
        gives = write_picture(plot, ax)
    if json:
        print_json(result.to_dict())
    else:
        print_curve(result)
        if html is not None:
            tell(f"\nReport: {html}")
        if plot is not None:
            tell(f"Picture: {plot}. {gives}")
    return 0


def print_curve(result: TableCurve) -> None:
    """The readings, then each operating point, the band and the smooth curve in a line each."""
    screen = Screen()
    counts = result.roc.counts
    screen.print(
        f"{result.score}: AUC {result.roc.auc:.4f}, {int(counts.n_pos):,} positives, "
        f"{int(counts.n_neg):,} negatives"
    )
    if result.omitted:
        left_out = (
            "1 row without a score was"
            if result.omitted == 1
            else (f"{result.omitted:,} rows without a score were")
        )
        screen.print(f"note: {left_out} left out.")
    if result.readings:
        screen.print()
        _print_readings(screen, result)
    for point in result.points:
        chosen = "given" if point.chosen == "threshold" else f"best by {point.chosen}"
        screen.print()
        screen.print(
            f"Score {point.rule} {point.threshold:g} ({chosen}) flags "
            f"{int(point.true_positives):,} of {int(point.positives):,} positives and "
            f"{int(point.false_positives):,} of {int(point.negatives):,} negatives"
        )
        table = _table("", "value", percent(result.level))
        for name, word in _WORDS.items():
            value, limits = getattr(point, name), point.intervals[name]
            if name == "fpr":
                value, low, high = 1.0 - value, 1.0 - limits.high, 1.0 - limits.low
            else:
                low, high = limits.low, limits.high
            told = "" if value is None else f"{value:.4f}"
            table.add_row(word, told, f"{low:.4f}–{high:.4f}")
        screen.show(table)
        method = point.intervals["tpr"].method
        screen.print(f"Intervals: {method} (hold whatever the distribution).", style="dim")
        for warning in point.warnings:
            screen.print(f"note: {warning}")
    for extra in (result.band, result.smooth):
        if extra is not None:
            screen.print()
            screen.print(f"{str(extra)[0].upper()}{str(extra)[1:]}.")
    if result.band is not None:
        screen.print("--json prints the limits, --html draws them.", style="dim")
    screen.print()
    screen.print(result.gives_away, style="dim")


def _print_readings(screen: Screen, result: TableCurve) -> None:
    table = _table("reading", "value", percent(result.level), "certified")
    for reading in result.readings:
        if reading.axis == "fpr":
            name, value = f"sensitivity at specificity {1 - reading.rate:.6g}", reading.value
            both = [(i.low, i.high) for i in (reading.interval, reading.certified)]
        else:
            name, value = f"specificity at sensitivity {reading.rate:.6g}", 1.0 - reading.value
            both = [_turned(i) for i in (reading.interval, reading.certified)]
        table.add_row(name, f"{value:.4f}", *(f"{low:.4f}–{high:.4f}" for low, high in both))
    screen.show(table)
    first = result.readings[0]
    screen.print(
        f"Intervals: {first.interval.method} (calibrated, {first.resamples:,} resamples, seed "
        f"{first.seed}). Certified: {first.certified.method}.",
        style="dim",
    )
    for warning in dict.fromkeys(text for one in result.readings for text in one.warnings):
        screen.print(f"note: {warning}")


def _turned(interval: Interval) -> tuple[float, float]:
    return 1.0 - interval.high, 1.0 - interval.low


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column(first, no_wrap=True)
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table
