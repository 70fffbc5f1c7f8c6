"""ROC curves over each other, with a band and the operating points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from rocsolid.binary.operating_point import OperatingPoint
from rocsolid.binary.partial_area import Rates, Region
from rocsolid.binary.roc import Roc
from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.guarantees.roc_band import RocBand
from rocsolid.pictures.curves import Curves, foremost, named_curves, value_span
from rocsolid.pictures.disclosed import exact_curves
from rocsolid.pictures.marks import AreaMark, DotsMark, IntervalMark, LineMark, Mark, Picture
from rocsolid.pictures.rates import WHOLE, RateCurve, rates_picture
from rocsolid.pictures.words import shown
from rocsolid.results import percent

Band = Literal["pointwise", "dkw", "equal-local-levels"]


def roc_picture(
    result: Curves,
    *,
    band: Band | RocBand | Literal["auto"] | None = "auto",
    level: float = 0.95,
    points: OperatingPoint | Sequence[OperatingPoint] = (),
    fpr: Rates | None = None,
    tpr: Rates | None = None,
) -> Picture:
    """ROC curves of one or more scores, each with its AUC.

    ``result`` is a curve (`rocsolid.roc`), several by name or in a list, or an evaluation
    (`rocsolid.evaluate`), whose curves are those over all rows. ``band`` is a kind of
    `Roc.band` at ``level``, or a band; "auto" draws the one that holds for the whole curve around a
    single curve and none around several, nor where rows are weighted or clustered, for which none
    is known. ``points`` are operating points to mark, with the intervals of their two rates.
    ``fpr`` and ``tpr`` choose the part of the square to show, as `rocsolid.partial_auc` takes them.

    >>> import rocsolid as rs
    >>> curve = rs.roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> ax = rs.plots.roc(curve, points=curve.best())
    >>> ax.get_title(loc="left"), ax.get_xlabel()
    ('ROC curve, AUC 0.8333', 'False-positive rate: share of negatives called positive')
    """
    curves = named_curves(result, Roc)
    # everything that may be refused comes before anything is drawn
    limits = _band(list(curves.values()), band, level)
    view = None if fpr is None and tpr is None else Region.of(fpr, tpr)
    box = WHOLE if view is None else (view.fpr, view.tpr)
    over = [mark for point in _points(points) for mark in _crossed(point)]
    first, others = foremost(curves, lambda curve: curve.auc)
    shades = [] if limits is None else [AreaMark(*limits.drawn(fpr=box[0], tpr=box[1]))]
    several = len(curves) > 1
    lines = [
        RateCurve(name if several else "", curve.fpr, curve.tpr, i, f"{curve.auc:.4f}",
                  tuple(shades) if i == 0 else ())
        for i, (name, curve) in enumerate(first.items())
    ]  # fmt: skip
    lines += [RateCurve("", curve.fpr, curve.tpr, named=False) for curve in others]
    title, key = "ROC curves", list[tuple[str, Mark]]()
    if not several:
        ((name, curve),) = curves.items()
        title = f"ROC curve{f' of {shown(name)}' if name else ''}, AUC {curve.auc:.4f}"
    values = ", ".join(f"{name} {curve.auc:.4f}".strip() for name, curve in first.items())
    picture = rates_picture(
        lines, title, f"True-positive rate against false-positive rate. AUC: {values}.", box=box
    )
    if others:
        span = value_span("AUC", [curve.auc for curve in others])
        grey = LineMark(others[0].fpr, others[0].tpr, role="rest")
        key.append((f"{len(others)} other{'s' * (len(others) > 1)}{span}", grey))
    if limits is not None:
        holds = "at each rate by itself" if limits.pointwise else "for the whole curve at once"
        key.append((f"{percent(limits.level)} band {holds}\n({limits.method})", shades[0]))
    low = min(curve.auc for curve in curves.values()) < 0.4
    return replace(
        picture,
        x=replace(picture.x, title="False-positive rate: share of negatives called positive"),
        y=replace(picture.y, title="True-positive rate: share of positives called positive"),
        marks=(*picture.marks, *over),
        key=tuple(key),
        key_place="upper left" if low else "lower right",
        noun="AUC",
        discloses=exact_curves(curves.values()),
    )


def _points(given: OperatingPoint | Sequence[OperatingPoint]) -> Sequence[OperatingPoint]:
    marks = [given] if not isinstance(given, Sequence) else given
    for one in marks:
        if not isinstance(one, OperatingPoint):
            raise InputError(
                "this is no operating point",
                where="points",
                value=one,
                fix="give what .at() or .best() of a curve returns",
            )
    return marks


def _band(
    curves: Sequence[Roc], band: Band | RocBand | Literal["auto"] | None, level: float
) -> RocBand | None:
    if isinstance(band, RocBand) or band is None:
        return band
    if band != "auto":
        if len(curves) > 1:
            raise UnsoundError(
                "bands around several curves hide each other, and where they overlap says nothing "
                "about a difference",
                where="band",
                value=band,
                fix="draw one curve with its band, or compare the scores with rs.compare",
            )
        return curves[0].band(kind=band, level=level)
    if len(curves) > 1 or curves[0].weighted or curves[0].clustered:
        return None
    return curves[0].band(kind="equal-local-levels", level=level)


def _crossed(point: OperatingPoint) -> Iterable[Mark]:
    """A dot with the intervals of both rates as a cross, and the threshold in words."""
    for name, at in (("fpr", point.tpr), ("tpr", point.fpr)):
        limits = point.intervals.get(name)
        if limits is not None:
            yield IntervalMark(at, limits.low, limits.high, "cross", upright=name == "tpr")
    words = (
        f"score {point.rule} {point.threshold:.6g}:\n{100 * point.tpr:.1f} % of positives,\n"
        f"{100 * point.fpr:.1f} % of negatives"
    )
    yield DotsMark(np.array([point.fpr]), np.array([point.tpr]), "dot", words=(words,))
