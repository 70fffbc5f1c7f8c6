"""``rocsolid curve``: thresholds, readings and bands of one score's ROC curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from rocsolid.answer.answer import Answer
from rocsolid.cli.columns import DirectedOptions
from rocsolid.cli.forms import PlotForms
from rocsolid.cli.lists import Prevalence, ResamplingOptions, TableFile, keywords
from rocsolid.cli.progress import progress_bar
from rocsolid.errors import InputError
from rocsolid.evaluation.curve_page import CurveQuestion, curve_table
from rocsolid.weights.weight import complement

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def curve(
    table: TableFile,
    /,
    *,
    rows: DirectedOptions,
    specificity: Annotated[
        list[float] | None, Parameter(name="--at-specificity", negative=())
    ] = None,
    sensitivity: Annotated[
        list[float] | None, Parameter(name="--at-sensitivity", negative=())
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
    sensitivity
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
    question = CurveQuestion(
        fpr=[*map(_at_most, specificity or ())],
        tpr=sensitivity or (),
        threshold=threshold or (),
        best=best or (),
        prevalence=prevalence,
        cost_ratio=cost_ratio,
        band=band,
        smooth=smooth,
    )
    with progress_bar("reading"):
        result = forms.muted(curve_table(table, question, **keywords(rows, intervals)))
    forms.show(result, axes=lambda: _drawn(result))
    return 0


def _drawn(result: Answer) -> Axes:
    from rocsolid import plots

    return plots.roc(
        {result.score: result.roc},
        band="auto" if result.band is None else result.band,
        level=result.level,
        points=result.points,
    )


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
