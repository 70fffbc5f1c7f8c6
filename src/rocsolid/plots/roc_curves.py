"""ROC curves over each other, with a band and the operating points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke

from rocsolid.binary.operating_point import OperatingPoint
from rocsolid.binary.partial_area import Rates, Region
from rocsolid.binary.roc import Roc
from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.guarantees.roc_band import RocBand
from rocsolid.plots.curves import Curves, badge, foremost, in_grey, letter, named_curves, value_span
from rocsolid.plots.gives import exact_curves
from rocsolid.plots.picture import drawing
from rocsolid.plots.style import BAND, dashes, look_of
from rocsolid.plots.words import shown
from rocsolid.results import percent

Band = Literal["pointwise", "dkw", "equal-local-levels"]
_PLACES = 20_001  # at which a letter may stand on a line


def roc(
    result: Curves,
    ax: Axes | None = None,
    *,
    band: Band | RocBand | Literal["auto"] | None = "auto",
    level: float = 0.95,
    points: OperatingPoint | Sequence[OperatingPoint] = (),
    fpr: Rates | None = None,
    tpr: Rates | None = None,
) -> Axes:
    """ROC curves of one or more scores, each with its AUC.

    ``result`` is a curve (`rocsolid.roc`), several by name or in a list, or an evaluation
    (`rocsolid.evaluate`), whose curves are those over all rows. ``band`` is a kind of
    `Roc.band` at ``level``, or a band; "auto" draws the one that holds for the whole curve around a
    single curve and none around several, nor where rows are weighted or clustered, for which none
    is known. ``points`` are operating points to mark, with the intervals of their two rates.
    ``fpr`` and ``tpr`` choose the part of the square to show, as `rocsolid.partial_auc` takes them.

    >>> import rocsolid as rs
    >>> curve = rs.roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> ax = roc(curve, points=curve.best())
    >>> ax.get_title(loc="left"), ax.get_xlabel()
    ('ROC curve, AUC 0.8333', 'False-positive rate: share of negatives called positive')
    """
    curves = named_curves(result, Roc)
    # everything that may be refused comes before anything is drawn
    limits = _band(list(curves.values()), band, level)
    view = None if fpr is None and tpr is None else Region.of(fpr, tpr)
    marks = _points(points)
    with drawing(ax, 5.4, 5.6, exact_curves(curves.values())) as axes:
        look = look_of(axes)
        _square(axes, view)
        several = len(curves) > 1
        first, others = foremost(curves, lambda one: one.auc)
        span = value_span("AUC", [one.auc for one in others])
        grey = in_grey(axes, [(one.fpr, one.tpr) for one in others], span)
        for i, one in enumerate(first.values()):
            axes.plot(
                one.fpr,
                one.tpr,
                color=look.colour(i),
                linestyle=dashes(i),
                linewidth=1.6 if several else 2.0,
                solid_joinstyle="round",
                clip_on=view is not None,
                zorder=3,
            )
        key = [*_key(axes, first), *grey]
        if limits is not None:
            key.append(_draw_band(axes, limits))
        if key:
            low = min(one.auc for one in curves.values()) < 0.4
            axes.legend(handles=key, loc="upper left" if low else "lower right", handlelength=1.6)
        for point in marks:
            _mark(axes, point)
    return axes


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


def _square(axes: Axes, view: Region | None) -> None:
    """The axes with the diagonal of a score that ranks at random."""
    look = look_of(axes)
    axes.set_xlabel("False-positive rate: share of negatives called positive")
    axes.set_ylabel("True-positive rate: share of positives called positive")
    axes.plot([0, 1], [0, 1], color=look.muted, linewidth=1.0, linestyle=(0, (1, 3)), zorder=2)
    across, up = ((0.0, 1.0), (0.0, 1.0)) if view is None else (view.fpr, view.tpr)
    axes.set_xlim(*across)
    axes.set_ylim(*up)
    if view is None:
        axes.set_aspect("equal")
        axes.text(
            0.36, 0.335, "chance", color=look.muted, fontsize="small", rotation=45,
            rotation_mode="anchor", transform_rotates_text=True, ha="center", va="top",
        )  # fmt: skip


def _key(axes: Axes, curves: dict[str, Roc]) -> list[Line2D | Patch]:
    """The title; for several curves an entry for each, and the letter of it on its line."""
    if len(curves) == 1:
        ((name, one),) = curves.items()
        of = f" of {shown(name)}" if name else ""
        axes.set_title(f"ROC curve{of}, AUC {one.auc:.4f}", loc="left")
        return []
    axes.set_title("ROC curves", loc="left")
    look = look_of(axes)
    entries: list[Line2D | Patch] = []
    for i, (name, one) in enumerate(curves.items()):
        _badge(axes, one, i, (i + 0.5) / len(curves))
        text = f"{letter(i)}  {shown(name, 28)}, AUC {one.auc:.4f}"
        entries.append(Line2D([], [], color=look.colour(i), linestyle=dashes(i), label=text))
    return entries


def _badge(axes: Axes, one: Roc, order: int, share: float) -> None:
    """A letter on the line, at its share of the way along what is shown of it."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    # both rates are straight lines from corner to corner of their sum
    along = np.linspace(0.0, 2.0, _PLACES)
    x, y = (np.interp(along, one.fpr + one.tpr, rate) for rate in (one.fpr, one.tpr))
    inside = (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
    x, y = x[inside], y[inside]
    if not x.size:
        return
    way = (x - left) / (right - left) + (y - bottom) / (top - bottom)
    at = int(np.searchsorted(way, way[0] + share * (way[-1] - way[0])))
    badge(axes, float(x[at]), float(y[at]), order)


def _draw_band(axes: Axes, band: RocBand) -> Patch:
    look = look_of(axes)
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    x, low, high = band.drawn(fpr=(left, right), tpr=(bottom, top))
    axes.fill_between(x, low, high, color=look.colour(0), alpha=BAND, linewidth=0, zorder=1)
    holds = "at each rate by itself" if band.pointwise else "for the whole curve at once"
    text = f"{percent(band.level)} band {holds}\n({band.method})"
    return Patch(facecolor=look.colour(0), alpha=2 * BAND, linewidth=0, label=text)


def _mark(axes: Axes, point: OperatingPoint) -> None:
    """A dot with the intervals of both rates as a cross, and the threshold in words."""
    look = look_of(axes)
    for name, line in (("fpr", axes.hlines), ("tpr", axes.vlines)):
        limits = point.intervals.get(name)
        if limits is not None:
            across = point.tpr if name == "fpr" else point.fpr
            line(across, limits.low, limits.high, color=look.ink, linewidth=1.0, zorder=4)
    axes.plot(
        [point.fpr], [point.tpr], "o", color=look.ink, markeredgecolor=look.paper, markersize=6.5,
        zorder=5, clip_on=False,
    )  # fmt: skip
    axes.annotate(
        f"score {point.rule} {point.threshold:.6g}:\n{100 * point.tpr:.1f} % of positives,\n"
        f"{100 * point.fpr:.1f} % of negatives",
        (point.fpr, point.tpr), xytext=(9, -9), textcoords="offset points", va="top", ha="left",
        fontsize="small", color=look.ink, zorder=6, annotation_clip=True,
        path_effects=[withStroke(linewidth=2.5, foreground=look.paper, alpha=0.7)],
    )  # fmt: skip
