"""Pictures of precision-recall curves and of exposure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import numpy as np

from rocsolid.binary.decision_curve import DecisionCurve
from rocsolid.binary.precision_recall import PrecisionRecall, PrecisionRecallBand
from rocsolid.binary.precision_steps import PrecisionSteps
from rocsolid.binary.roc import Roc
from rocsolid.counts import counted
from rocsolid.errors import InputError
from rocsolid.pictures.lists import EXPOSURES, exact_curves, shown, wrong_result
from rocsolid.pictures.marks import (
    AreaMark,
    Axis,
    DotsMark,
    FloatArray,
    IntervalMark,
    LabelMark,
    LineMark,
    Mark,
    Picture,
    RuleMark,
    Series,
    Tick,
)
from rocsolid.results import percent

if TYPE_CHECKING:
    from rocsolid.leaks.exposure import Exposure

_COLOURS, _HIGHEST = 6, 5


class HasCurves(Protocol):
    @property
    def curves(self) -> Mapping[str, Roc]: ...


Curves = Roc | Mapping[str, Roc] | Sequence[Roc] | HasCurves

_Curve = TypeVar("_Curve", Roc, PrecisionRecall, DecisionCurve)
_NAMES: dict[type, tuple[str, str]] = {
    Roc: ("ROC curve", "a result of rs.roc, several of them by name, or a result of rs.evaluate"),
    PrecisionRecall: (
        "precision-recall curve",
        "a result of rs.precision_recall, or several of them by name",
    ),
    DecisionCurve: (
        "decision curve",
        "a result of rs.roc(...).net_benefit(), or several of them by name",
    ),
}


def named_curves(result: Any, kind: type[_Curve]) -> dict[str, _Curve]:
    """One curve without a name, or several by name; a list is numbered.

    >>> named_curves(3, Roc)
    Traceback (most recent call last):
    rocsolid.errors.InputError: this has no ROC curve: 'int' (result). Fix: give a result of rs.roc,
    several of them by name, or a result of rs.evaluate.
    """
    if isinstance(result, kind):
        return {"": result}
    curves = getattr(result, "curves", result)
    if isinstance(curves, Sequence) and not isinstance(curves, str):
        curves = {f"curve {i}": curve for i, curve in enumerate(curves, start=1)}
    if not isinstance(curves, Mapping):
        raise _no_curve(result, kind)
    wrong = next((curve for curve in curves.values() if not isinstance(curve, kind)), None)
    if wrong is not None or not curves:
        raise _no_curve(result if wrong is None else wrong, kind)
    return {str(name): curve for name, curve in curves.items()}


def foremost(
    curves: Mapping[str, _Curve], value: Callable[[_Curve], float]
) -> tuple[dict[str, _Curve], list[_Curve]]:
    """The curves with a colour and a name, and the others.

    All curves if there are at most six; otherwise the five with the highest values.
    """
    if len(curves) <= _COLOURS:
        return dict(curves), []
    order = sorted(curves, key=lambda name: -value(curves[name]))
    return {name: curves[name] for name in order[:_HIGHEST]}, [curves[n] for n in order[_HIGHEST:]]


def value_span(noun: str, values: Sequence[float]) -> str:
    """The lowest and the highest value as text.

    >>> value_span("AUC", [0.7, 0.61]), value_span("AUC", [])
    (', AUC 0.6100 to 0.7000', '')
    """
    return f", {noun} {min(values):.4f} to {max(values):.4f}" if values else ""


def _no_curve(result: object, kind: type) -> InputError:
    name, fix = _NAMES[kind]
    return wrong_result(f"this has no {name}", result, f"give {fix}")


ACROSS = "Recall: share of positives that are flagged"
UP = "Precision: share of flagged rows that are positive"
_F_SCORES = (0.2, 0.4, 0.6, 0.8)


def precision_recall_picture(
    result: PrecisionRecall | Mapping[str, PrecisionRecall] | Sequence[PrecisionRecall],
    *,
    band: PrecisionRecallBand | Literal["auto"] | None = "auto",
    level: float = 0.95,
) -> Picture:
    """Plot precision-recall curves of one or more scores, each with its area.

    ``result`` is a curve (`rocsolid.precision_recall`), or a mapping or list of curves. The line
    has steps, so that the area below it is `rocsolid.pr_auc`, the average precision. The dashed
    line is the precision of a random score, the share of positives; faint lines join points of
    equal F-score. ``band`` "auto" plots `PrecisionRecall.band` at ``level`` around a single curve
    of independent rows of equal weight, and no band otherwise; a given band is plotted unchanged.

    >>> import rocsolid as rs
    >>> curve = rs.precision_recall([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> ax = rs.plots.precision_recall(curve)
    >>> ax.get_title(loc="left"), ax.get_xlabel()
    ('Precision-recall curve, area 0.8333', 'Recall: share of positives that are flagged')
    """
    curves = named_curves(result, PrecisionRecall)
    several = len(curves) > 1
    limits = _band(list(curves.values()), band, level)
    first, others = foremost(curves, _area)
    grey = [LineMark(*_steps(curve), role="rest", steps=True) for curve in others]
    series = [
        Series(
            name if several else "",
            (LineMark(*_steps(curve), tint=i, steps=True),),
            tint=i,
            value=f"{_area(curve):.4f}",
            letter=_letter(curve, (i + 0.5) / len(first)) if several else None,
            order=i,
        )
        for i, (name, curve) in enumerate(first.items())
    ]
    baselines, words = _baselines(list(curves.values()))
    title, key = "Precision-recall curves", list[tuple[str, Mark]]()
    if others:
        text = counted(len(others), "other")
        key.append((text + value_span("area", [_area(curve) for curve in others]), grey[0]))
    key.append((words, RuleMark(0.0, "baseline")))
    bands: list[Mark] = []
    if limits is not None:
        bands = [AreaMark(*limits.drawn(), steps=True)]
        text = f"{percent(limits.level)} band for the whole curve at once\n({limits.assumption})"
        key.append((text, bands[0]))
    if not several:
        ((name, curve),) = curves.items()
        of = f" of {shown(name)}" if name else ""
        title = f"Precision-recall curve{of}, area {_area(curve):.4f}"
    return Picture(
        title,
        f"Precision against recall. {'; '.join(text for text, _ in key)}.",
        Axis(0.0, 1.0, title=ACROSS),
        Axis(0.0, 1.0, title=UP),
        (*_equal_f(), *bands, *grey, *series, *baselines),
        key=tuple(key),
        key_place="below",
        noun="area",
        discloses=exact_curves(curves.values(), "exact precision-recall curves"),
        inches=(5.4, 5.5 + 0.2 * len(curves)),
    )


def _band(
    curves: Sequence[PrecisionRecall],
    band: PrecisionRecallBand | Literal["auto"] | None,
    level: float,
) -> PrecisionRecallBand | None:
    if isinstance(band, PrecisionRecallBand) or band is None:
        return band
    if band != "auto":
        raise InputError(
            "this is not a band of a precision-recall curve",
            where="band",
            value=band,
            fix='give a result of .band() of a curve, "auto" or None',
        )
    known = len(curves) == 1 and not (curves[0].weighted or curves[0].clustered)
    return curves[0].band(level) if known else None


def _equal_f() -> list[Mark]:
    marks: list[Mark] = []
    for f in _F_SCORES:
        recall = np.linspace(f / (2.0 - f), 1.0, 101)
        marks.append(LineMark(recall, f * recall / (2.0 * recall - f), role="guide"))
        marks.append(LabelMark(1.0, f / (2.0 - f), f"F {f:g}", move=(5.0, 0.0)))
    return marks


def _area(curve: PrecisionRecall) -> float:
    return float(PrecisionSteps.of_table(curve.counts).area("step"))


def _steps(curve: PrecisionRecall) -> tuple[FloatArray, FloatArray]:
    return np.append(0.0, curve.recall), np.append(curve.precision[0], curve.precision)


def _letter(curve: PrecisionRecall, recall: float) -> tuple[float, float]:
    return recall, curve.at(recall=recall).precision


def _baselines(curves: Sequence[PrecisionRecall]) -> tuple[list[LineMark], str]:
    shares = {curve.baseline: i for i, curve in enumerate(curves)}
    alone = len(shares) == 1
    ends = np.array([0.0, 1.0])
    lines = [
        LineMark(ends, np.full(2, share), "baseline" if alone else "own", tint)
        for share, tint in shares.items()
    ]
    if alone:
        return lines, f"chance: the share of positives, {curves[0].baseline:.4g}"
    return lines, "chance: the share of positives of each"


_NUMBERED = 40  # the most rows with numbers below the picture
_MARKED = 400  # the most rows drawn as marks


def exposure_picture(result: Exposure) -> Picture:
    """Plot the probability that each row is positive, given a release, in descending order.

    ``result`` is a result of `rocsolid.leaks.exposure`. Filled dots are certain labels, open dots
    uncertain ones, and grey dots labels known beforehand. Up to 40 rows are labelled with their
    position in the data, from 0.

    >>> import rocsolid as rs
    >>> ax = rs.plots.exposure(rs.leaks.exposure("1/2", [1, 2, 3, 4, 5], n_pos=2))
    >>> [tick.get_text() for tick in ax.get_xticklabels()]
    ['0', '1', '3', '4', '2']
    """
    from rocsolid.leaks.exposure import Exposure  # other pictures need no leaks

    if not isinstance(result, Exposure):
        raise wrong_result(
            "this is not an exposure of rows", result, "give a result of rs.leaks.exposure"
        )
    order = np.argsort(-result.probability, kind="stable")
    p = result.probability[order]
    known = np.isin(order, list(result.known))
    certain = np.isin(order, list(result.forced)) & ~known
    places = np.arange(len(p), dtype=np.float64)
    marks: list[Mark] = [RuleMark(0.5)]
    key: list[tuple[str, Mark]] = []
    if len(p) > _MARKED:
        marks.append(LineMark(places, p))
    else:
        marks += [IntervalMark(x, 0.5, y, "stick", upright=True)
                  for x, y in zip(places.tolist(), p.tolist(), strict=True)]  # fmt: skip
        for which, role, tint, words in (
            (~known & ~certain, "unsure", 0, "not certain"),
            (certain, "sure", 1, "certain"),
            (known, "known", 0, "known beforehand"),
        ):
            if which.any():
                dots = DotsMark(places[which], p[which], role, tint)
                marks.append(dots)
                key.append((f"{words}: {int(which.sum()):,}", dots))
    few = len(p) <= _NUMBERED
    ticks = tuple(Tick(i, str(row)) for i, row in enumerate(order)) if few else ()
    title = "Rows, the likeliest positives first"
    if few:
        title = "Row (its position in the data), the likeliest positives first"
    sure = f"{result.certain:,} of {result.unknown:,} unknown labels are certain"
    room = 0.04 * len(p)
    return Picture(
        sure if result.forced_complete else f"At least {sure}",
        "The probability that each row is a positive, from high to low.",
        Axis(-room, len(p) - 1 + room, title=title, named=ticks, bare=True),
        Axis(-0.04, 1.04, title="Probability of being a positive, given the release"),
        tuple(marks),
        key=tuple(key),
        key_place="upper right",
        discloses=EXPOSURES,
        inches=(6.4, 4.2),
    )
