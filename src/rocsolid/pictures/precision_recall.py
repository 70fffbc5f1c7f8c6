"""Precision against recall, over each other, with what a score that ranks at random reaches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from rocsolid.binary.precision_recall import PrecisionRecall, PrecisionRecallBand
from rocsolid.binary.precision_steps import PrecisionSteps
from rocsolid.errors import InputError
from rocsolid.pictures.axis import Axis
from rocsolid.pictures.curves import foremost, named_curves, value_span
from rocsolid.pictures.disclosed import exact_curves
from rocsolid.pictures.marks import (
    AreaMark,
    FloatArray,
    LabelMark,
    LineMark,
    Mark,
    Picture,
    RuleMark,
    Series,
)
from rocsolid.pictures.words import shown
from rocsolid.results import percent

ACROSS = "Recall: share of positives that are flagged"
UP = "Precision: share of flagged rows that are positive"
_F_SCORES = (0.2, 0.4, 0.6, 0.8)


def precision_recall_picture(
    result: PrecisionRecall | Mapping[str, PrecisionRecall] | Sequence[PrecisionRecall],
    *,
    band: PrecisionRecallBand | Literal["auto"] | None = "auto",
    level: float = 0.95,
) -> Picture:
    """Precision-recall curves of one or more scores, each with its area.

    ``result`` is a curve (`rocsolid.precision_recall`), or several by name or in a list. The line
    runs in steps, so that the area below it is `rocsolid.pr_auc`, the average precision. Dashed is
    the precision of a score that ranks at random, which is the share of positives; faint lines join
    the points of equal F-score. ``band`` "auto" draws `PrecisionRecall.band` at ``level`` around a
    single curve, and none around several, nor where rows are weighted or clustered, for which none
    is known; a band is drawn as it is.

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
        text = f"{len(others)} other{'s' * (len(others) > 1)}"
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
            "this is no band of a precision-recall curve",
            where="band",
            value=band,
            fix='give what .band() of a curve returns, "auto" or None',
        )
    known = len(curves) == 1 and not (curves[0].weighted or curves[0].clustered)
    return curves[0].band(level) if known else None


def _equal_f() -> list[Mark]:
    """Lines of equal F-score, each named where it leaves the square."""
    marks: list[Mark] = []
    for f in _F_SCORES:
        recall = np.linspace(f / (2.0 - f), 1.0, 101)
        marks.append(LineMark(recall, f * recall / (2.0 * recall - f), role="guide"))
        marks.append(LabelMark(1.0, f / (2.0 - f), f"F {f:g}", move=(5.0, 0.0)))
    return marks


def _area(curve: PrecisionRecall) -> float:
    return PrecisionSteps.of_table(curve.counts).area("step")


def _steps(curve: PrecisionRecall) -> tuple[FloatArray, FloatArray]:
    return np.append(0.0, curve.recall), np.append(curve.precision[0], curve.precision)


def _letter(curve: PrecisionRecall, recall: float) -> tuple[float, float]:
    return recall, curve.at(recall=recall).precision


def _baselines(curves: Sequence[PrecisionRecall]) -> tuple[list[LineMark], str]:
    """A dashed line at each share of positives, in a curve's colour where there are several."""
    shares = {one.baseline: i for i, one in enumerate(curves)}
    alone = len(shares) == 1
    ends = np.array([0.0, 1.0])
    lines = [
        LineMark(ends, np.full(2, share), "baseline" if alone else "own", tint)
        for share, tint in shares.items()
    ]
    if alone:
        return lines, f"chance: the share of positives, {curves[0].baseline:.4g}"
    return lines, "chance: the share of positives of each"
