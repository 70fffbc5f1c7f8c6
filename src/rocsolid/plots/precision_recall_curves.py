"""Precision-recall curves over each other, with a band, the baseline and lines of equal F-score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from rocsolid.binary.precision_recall import PrecisionRecall, PrecisionRecallBand
from rocsolid.binary.precision_steps import PrecisionSteps
from rocsolid.errors import InputError
from rocsolid.plots.curves import badge, foremost, in_grey, letter, named_curves, value_span
from rocsolid.plots.gives import exact_curves
from rocsolid.plots.picture import drawing
from rocsolid.plots.style import BAND, dashes, look_of
from rocsolid.plots.words import shown
from rocsolid.results import percent

_F_SCORES = (0.2, 0.4, 0.6, 0.8)
_BASELINE = (0, (5, 3))


def precision_recall(
    result: PrecisionRecall | Mapping[str, PrecisionRecall] | Sequence[PrecisionRecall],
    ax: Axes | None = None,
    *,
    band: PrecisionRecallBand | Literal["auto"] | None = "auto",
    level: float = 0.95,
) -> Axes:
    """Precision-recall curves of one or more scores, each with its area.

    ``result`` is a curve (`rocsolid.precision_recall`), or several by name or in a list. The line
    runs in steps, so that the area below it is `rocsolid.pr_auc`, the average precision. Dashed is
    the precision of a score that ranks at random, which is the share of positives; faint lines join
    the points of equal F-score. ``band`` "auto" draws `PrecisionRecall.band` at ``level`` around a
    single curve, and none around several, nor where rows are weighted or clustered, for which none
    is known; a band is drawn as it is.

    >>> import rocsolid as rs
    >>> curve = rs.precision_recall([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> ax = precision_recall(curve)
    >>> ax.get_title(loc="left"), ax.get_xlabel()
    ('Precision-recall curve, area 0.8333', 'Recall: share of positives that are flagged')
    """
    curves = named_curves(result, PrecisionRecall)
    several = len(curves) > 1
    first = next(iter(curves.values()))
    limits = band if isinstance(band, PrecisionRecallBand) else None
    if limits is None and band not in ("auto", None):
        raise InputError(
            "this is no band of a precision-recall curve",
            where="band",
            value=band,
            fix='give what .band() of a curve returns, "auto" or None',
        )
    if band == "auto" and not (several or first.weighted or first.clustered):
        limits = first.band(level)
    gives = exact_curves(curves.values(), "exact precision-recall curves")
    with drawing(ax, 5.4, 5.5 + 0.2 * len(curves), gives) as axes:
        _square(axes)
        first_ones, others = foremost(curves, _area)
        span = value_span("area", [_area(one) for one in others])
        grey = in_grey(axes, [_steps(one) for one in others], span, drawstyle="steps-pre")
        for i, one in enumerate(first_ones.values()):
            axes.plot(
                *_steps(one), drawstyle="steps-pre",
                color=look_of(axes).colour(i), linestyle=dashes(i),
                linewidth=1.6 if several else 2.0, clip_on=False, zorder=3,
            )  # fmt: skip
        key = [*_key(axes, first_ones), *grey, *_baselines(axes, list(curves.values()))]
        if limits is not None:
            key.append(_draw_band(axes, limits))
        # a curve may run through every corner, so that the key stands below the square
        axes.legend(handles=key, loc="upper left", bbox_to_anchor=(-0.02, -0.12), handlelength=1.6)
    return axes


def _square(axes: Axes) -> None:
    """The axes with the lines of equal F-score, each named where it leaves them."""
    look = look_of(axes)
    axes.set_xlabel("Recall: share of positives that are flagged")
    axes.set_ylabel("Precision: share of flagged rows that are positive")
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(0.0, 1.0)
    for f in _F_SCORES:
        recall = np.linspace(f / (2.0 - f), 1.0, 101)
        axes.plot(recall, f * recall / (2.0 * recall - f), color=look.rule, linewidth=0.8, zorder=1)
        axes.annotate(
            f"F {f:g}", (1.0, f / (2.0 - f)), xytext=(5, 0), textcoords="offset points",
            va="center", fontsize="small", color=look.muted, annotation_clip=False,
        )  # fmt: skip


def _area(curve: PrecisionRecall) -> float:
    return PrecisionSteps.of_table(curve.counts).area("step")


def _steps(curve: PrecisionRecall) -> tuple[list[float], list[float]]:
    return [0.0, *curve.recall], [curve.precision[0], *curve.precision]


def _key(axes: Axes, curves: dict[str, PrecisionRecall]) -> list[Line2D | Patch]:
    """The title; for several curves an entry for each, and the letter of it on its line."""
    if len(curves) == 1:
        name = next(iter(curves))
        of = f" of {shown(name)}" if name else ""
        axes.set_title(f"Precision-recall curve{of}, area {_area(curves[name]):.4f}", loc="left")
        return []
    axes.set_title("Precision-recall curves", loc="left")
    entries: list[Line2D | Patch] = []
    for i, (name, one) in enumerate(curves.items()):
        share = (i + 0.5) / len(curves)
        badge(axes, share, one.at(recall=share).precision, i)
        text = f"{letter(i)}  {shown(name, 28)}, area {_area(one):.4f}"
        tint = look_of(axes).colour(i)
        entries.append(Line2D([], [], color=tint, linestyle=dashes(i), label=text))
    return entries


def _baselines(axes: Axes, curves: list[PrecisionRecall]) -> list[Line2D | Patch]:
    """A dashed line at each share of positives, in a curve's colour where there are several."""
    look = look_of(axes)
    shares = {one.baseline: look.colour(i) for i, one in enumerate(curves)}
    alone = len(shares) == 1
    for share, tint in shares.items():
        axes.plot(
            [0.0, 1.0], [share, share], color=look.muted if alone else tint, linewidth=1.0,
            linestyle=_BASELINE, zorder=2,
        )  # fmt: skip
    text = (
        f"chance: the share of positives, {curves[0].baseline:.4g}"
        if alone
        else ("chance: the share of positives of each")
    )
    return [Line2D([], [], color=look.muted, linewidth=1.0, linestyle=_BASELINE, label=text)]


def _draw_band(axes: Axes, band: PrecisionRecallBand) -> Patch:
    tint = look_of(axes).colour(0)
    recall, low, high = band.drawn()
    axes.fill_between(
        recall, low, high, step="post", color=tint, alpha=BAND, linewidth=0, zorder=1
    )  # fmt: skip
    text = f"{percent(band.level)} band for the whole curve at once\n({band.assumption})"
    return Patch(facecolor=tint, alpha=2 * BAND, linewidth=0, label=text)
