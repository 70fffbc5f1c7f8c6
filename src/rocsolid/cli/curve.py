"""``rocsolid curve``: thresholds, readings and bands of one score's ROC curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from rocsolid.answer.answer import Answer
from rocsolid.arguments import share
from rocsolid.cli.columns import CurveOptions
from rocsolid.cli.forms import PlotForms
from rocsolid.cli.lists import Prevalence, ResamplingOptions, TableFile, keywords, option
from rocsolid.cli.progress import progress_bar
from rocsolid.errors import InputError
from rocsolid.evaluation.curve_page import band_of, curves_of
from rocsolid.evaluation.curve_table import CurveQuestion, curve_table
from rocsolid.parameters import Band, Criterion, SmoothMethod
from rocsolid.weights.weight import complement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsolid.intervals.guarantees.roc_band import RocBand


def curve(
    table: TableFile,
    /,
    *,
    rows: CurveOptions,
    specificity: Annotated[list[float] | None, option("fpr", negative=())] = None,
    sensitivity: Annotated[list[float] | None, option("tpr", negative=())] = None,
    threshold: Annotated[list[float] | None, option("threshold", negative=())] = None,
    best: Annotated[list[Criterion] | None, option("best", negative=())] = None,
    prevalence: Prevalence | None = None,
    cost_ratio: Annotated[float | None, option("cost_ratio")] = None,
    band: Annotated[Band | None, option("band")] = None,
    smooth: Annotated[SmoothMethod | None, option("smooth")] = None,
    net_benefit: Annotated[list[float] | None, option("net_benefit", negative=())] = None,
    dp_delta: Annotated[float | None, option("dp_delta")] = None,
    intervals: ResamplingOptions = ResamplingOptions(),
    forms: PlotForms = PlotForms(),
) -> int:
    """Read a ROC curve: sensitivity at a specificity, operating points, the best threshold, bands.

    Example: `rocsolid curve scores.csv --label ill --score risk --at-specificity 0.9`

    Example: `rocsolid curve a.csv --label ill --score risk --at-threshold 0.3 --prevalence 0.02`"""
    forms.check(table)
    question = CurveQuestion(
        fpr=[*map(_at_most, specificity or ())],
        tpr=sensitivity or (),
        threshold=threshold or (),
        best=best or (),
        prevalence=prevalence,
        cost_ratio=cost_ratio,
        band=band,
        smooth=smooth,
        net_benefit=net_benefit or (),
        dp_delta=dp_delta,
    )
    with progress_bar("reading"):
        result = forms.muted(curve_table(table, question, **keywords(rows, intervals)))
    forms.show(result, axes=lambda: _drawn(result))
    return 0


def _drawn(result: Answer) -> Axes:
    from rocsolid import plots

    curves = curves_of(result)
    benefits = {each.score: each.net_benefit.curve for each in curves if each.net_benefit}
    if benefits:
        return plots.decision(benefits)
    (first, *others) = curves
    band: RocBand | Literal["auto"] | None = None if others else first.band or "auto"
    if first.clusters and not others:
        band = band_of(first)
    return plots.roc(
        {curve.score: curve.roc for curve in curves},
        band=band,
        level=first.level,
        points=[point for curve in curves for point in curve.points],
    )


def _at_most(specificity: float) -> float:
    if not 0.0 <= specificity <= 1.0:
        raise InputError(
            "a specificity lies between 0 and 1",
            where="--at-specificity",
            value=specificity,
            fix=share(specificity),
        )
    return complement(specificity)
