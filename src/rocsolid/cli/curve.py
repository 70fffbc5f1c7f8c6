"""``rocsolid curve``: thresholds, readings and bands of one score's ROC curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from rocsolid.cli.columns import DirectedOptions
from rocsolid.cli.forms import PlotForms
from rocsolid.cli.options import Prevalence, ResamplingOptions, TableFile, keywords
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.screen import Screen
from rocsolid.errors import InputError
from rocsolid.evaluation.curve_page import curve_page
from rocsolid.evaluation.curve_table import CurveQuestion, TableCurve, curve_table
from rocsolid.results import Interval, percent
from rocsolid.results.interval import whatever
from rocsolid.weights.weight import complement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WORDS = {
    "tpr": "sensitivity",
    "fpr": "specificity",
    "precision": "PPV",
    "npv": "NPV",
    "accuracy": "accuracy",
    "youden": "Youden",
}


def curve(
    table: TableFile,
    /,
    *,
    rows: DirectedOptions,
    specificity: Annotated[
        list[float] | None, Parameter(name="--at-specificity", negative=())
    ] = None,
    fpr: Annotated[list[float] | None, Parameter(name="--at-fpr", negative=())] = None,
    tpr: Annotated[
        list[float] | None, Parameter(name=["--at-sensitivity", "--at-tpr"], negative=())
    ] = None,
    threshold: Annotated[list[float] | None, Parameter(name="--at-threshold", negative=())] = None,
    best: Annotated[
        list[Literal["youden", "closest-topleft", "cost"]] | None, Parameter(negative=())
    ] = None,
    prevalence: Prevalence | None = None,
    cost_ratio: float | None = None,
    band: Literal["pointwise", "dkw", "equal-local-levels"] | None = None,
    smooth: Literal["binormal", "binormal-ml", "density"] | None = None,
    intervals: ResamplingOptions = ResamplingOptions(),
    forms: PlotForms = PlotForms(),
) -> int:
    """Read a ROC curve: sensitivity at a specificity, operating points, the best threshold, bands.

    Example: `rocsolid curve scores.csv --label ill --score risk --at-specificity 0.9`

    Example: `rocsolid curve a.csv --label ill --score risk --at-threshold 0.3 --prevalence 0.02`

    Parameters
    ----------
    specificity
        The sensitivity at this specificity; repeat for more.
    fpr
        The same at a false-positive rate, which is 1 − specificity.
    tpr
        The specificity at this sensitivity; repeat for more.
    threshold
        The rates at a threshold that was fixed before these rows were seen; repeat for more.
    best
        The best threshold on these rows by this criterion; repeat for more.
    cost_ratio
        For --best cost: one missed positive costs as much as this many false alarms.
    band
        A band around the curve: for one rate named beforehand (pointwise), or for the whole curve
        (dkw, equal-local-levels).
    smooth
        Also fit a smooth curve by this model, and print its area.
    """
    forms.check(table)
    asked = CurveQuestion(
        fpr=[*map(_at_most, specificity or ()), *(fpr or ())],
        tpr=tpr or (),
        threshold=threshold or (),
        best=best or (),
        prevalence=prevalence,
        cost_ratio=cost_ratio,
        band=band,
        smooth=smooth,
    )
    with progress_bar("reading"):
        result = forms.muted(curve_table(table, asked, **keywords(rows, intervals)))
    forms.show(
        result,
        lambda: print_curve(result),
        page=lambda command: curve_page(result, command=command),
        axes=lambda: _drawn(result),
    )
    return 0


def _drawn(result: TableCurve) -> Axes:
    from rocsolid import plots

    return plots.roc(
        {result.score: result.roc},
        band="auto" if result.band is None else result.band,
        level=result.level,
        points=result.points,
    )


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
            f"{point.cut.capitalize()} ({chosen}) flags "
            f"{int(point.true_positives):,} of {int(point.positives):,} positives and "
            f"{int(point.false_positives):,} of {int(point.negatives):,} negatives, misses "
            f"{int(point.false_negatives):,} and passes {int(point.true_negatives):,}."
        )
        rows = []
        for name, word in _WORDS.items():
            value, limits = getattr(point, name), point.intervals[name]
            if name == "fpr":
                value, low, high = 1.0 - value, 1.0 - limits.high, 1.0 - limits.low
            else:
                low, high = limits.low, limits.high
            told = "" if value is None else f"{value:.4f}"
            rows.append((word, told, f"{low:.4f}–{high:.4f}"))
        screen.table(("", "value", percent(result.level)), rows)
        limits = point.intervals["tpr"]
        screen.print(f"Intervals: {limits.method}, {whatever(limits.assumptions)}.", style="dim")
        screen.notes(point.warnings)
    for extra in (result.band, result.smooth):
        if extra is not None:
            screen.print()
            screen.print(f"{str(extra)[0].upper()}{str(extra)[1:]}.")
    if result.band is not None:
        screen.print("--json prints the limits, --html draws them.", style="dim")
    screen.print()
    screen.print(result.gives_away, style="dim")


def _print_readings(screen: Screen, result: TableCurve) -> None:
    rows = []
    for reading in result.readings:
        if reading.axis == "fpr":
            name, value = f"sensitivity at specificity {1 - reading.rate:.6g}", reading.value
            both = [(i.low, i.high) for i in (reading.interval, reading.certified)]
        else:
            name, value = f"specificity at sensitivity {reading.rate:.6g}", 1.0 - reading.value
            both = [_turned(i) for i in (reading.interval, reading.certified)]
        rows.append((name, f"{value:.4f}", *(f"{low:.4f}–{high:.4f}" for low, high in both)))
    screen.table(("reading", "value", percent(result.level), "certified"), rows)
    first = result.readings[0]
    screen.print(
        f"Intervals: {first.interval.method} (calibrated, {first.resamples:,} resamples, seed "
        f"{first.seed}). Certified: {first.certified.method}.",
        style="dim",
    )
    screen.notes(text for one in result.readings for text in one.warnings)


def _turned(interval: Interval) -> tuple[float, float]:
    return 1.0 - interval.high, 1.0 - interval.low


def _at_most(specificity: float) -> float:
    """The false-positive rate at a specificity."""
    if not 0.0 <= specificity <= 1.0:
        raise InputError(
            "a specificity lies between 0 and 1",
            where="--at-specificity",
            value=specificity,
            fix=f"write {specificity / 100:g}" if 1 < specificity <= 100 else "write 0.9, say",
        )
    return complement(specificity)
