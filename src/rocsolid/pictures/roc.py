"""Pictures of ROC, gain and lift curves, and of the ranks of positives.

The scale of ranks runs from 1 to 0 to match the false-positive rates above: a positive ranked above
a share r of the negatives is the upward step of the curve at 1 - r.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from rocsolid.binary.area import Rates, Region
from rocsolid.binary.cumulative_gain import GainBlocks
from rocsolid.binary.curve_reading import OperatingPoint
from rocsolid.binary.precision_recall import PrecisionRecall
from rocsolid.binary.roc import Roc
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.guarantees.roc_band import RocBand
from rocsolid.parameters import Band
from rocsolid.pictures.curves import Curves, foremost, named_curves, value_span
from rocsolid.pictures.lists import COUNTS, exact_curves, shown
from rocsolid.pictures.marks import (
    AreaMark,
    Axis,
    BarsMark,
    DotsMark,
    FloatArray,
    IntervalMark,
    LabelMark,
    LineMark,
    Mark,
    Picture,
    Series,
    Tick,
)
from rocsolid.pictures.rates import WHOLE, RateCurve, rates_picture
from rocsolid.results import percent


def roc_picture(
    result: Curves,
    *,
    band: Band | RocBand | Literal["auto"] | None = "auto",
    level: float = 0.95,
    points: OperatingPoint | Sequence[OperatingPoint] = (),
    fpr: Rates | None = None,
    tpr: Rates | None = None,
) -> Picture:
    """Plot ROC curves of one or more scores, each with its AUC.

    ``result`` is a curve (`rocsolid.roc`), several by name or in a list, or an evaluation
    (`rocsolid.evaluate`), with its curves over all rows. ``band`` is a kind of `Roc.band` at
    ``level``, or a band. "auto" plots the simultaneous band around a single curve of independent
    rows of equal weight, and no band otherwise. ``points`` are operating points to mark, with the
    intervals of their two rates. ``fpr`` and ``tpr`` select the part of the square to show, as in
    `rocsolid.partial_auc`.

    >>> import rocsolid as rs
    >>> curve = rs.roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> ax = rs.plots.roc(curve, points=curve.best())
    >>> ax.get_title(loc="left"), ax.get_xlabel()
    ('ROC curve, AUC 0.8333', 'False-positive rate: share of negatives called positive')
    """
    curves = named_curves(result, Roc)
    # all errors are raised before anything is drawn
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
        key.append((f"{counted(len(others), 'other')}{span}", grey))
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
    for point in marks:
        if not isinstance(point, OperatingPoint):
            raise InputError(
                "this is not an operating point",
                where="points",
                value=point,
                fix="give a result of .at() or .best() of a curve",
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
                "bands around several curves hide each other, and their overlap says nothing about "
                "a difference",
                where="band",
                value=band,
                fix="draw one curve with its band, or compare the scores with rs.compare",
            )
        return curves[0].band(kind=band, level=level)
    if len(curves) > 1 or curves[0].weighted or curves[0].clustered:
        return None
    return curves[0].band(kind="equal-local-levels", level=level)


def _crossed(point: OperatingPoint) -> Iterable[Mark]:
    for name, at in (("fpr", point.tpr), ("tpr", point.fpr)):
        limits = point.intervals.get(name)
        if limits is not None:
            yield IntervalMark(at, limits.low, limits.high, "cross", upright=name == "tpr")
    words = (
        f"score {point.rule} {point.threshold:.6g}:\n{100 * point.tpr:.1f} % of positives,\n"
        f"{100 * point.fpr:.1f} % of negatives"
    )
    yield DotsMark(np.array([point.fpr]), np.array([point.tpr]), "dot", words=(words,))


PrecisionCurves = PrecisionRecall | Mapping[str, PrecisionRecall] | Sequence[PrecisionRecall]
_SHARES = np.linspace(0.0, 1.0, 501)  # additional points of lines that bend between thresholds


def gain_picture(result: PrecisionCurves) -> Picture:
    """Plot cumulative gain: the share of positives among the best share of all rows.

    ``result`` is a curve (`rocsolid.precision_recall`), or a mapping or list of curves. The line
    is straight over tied rows, and the area below it is that of ``measures="gain"``. The dashed
    line is a random score, the dotted line a perfect score.

    >>> import rocsolid as rs
    >>> curve = rs.precision_recall([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> rs.plots.gain(curve).get_title(loc="left")
    'Cumulative gain, area 0.6905'
    """
    return _picture(result, lift=False)


def lift_picture(result: PrecisionCurves) -> Picture:
    """Plot lift: positives among the best rows, relative to rows picked at random.

    Lift is the cumulative gain divided by the share of rows; see `gain`.

    >>> import rocsolid as rs
    >>> curve = rs.precision_recall([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> rs.plots.lift(curve).get_ylabel()
    'Lift: positives held, times those of rows at random'
    """
    return _picture(result, lift=True)


def _picture(result: PrecisionCurves, *, lift: bool) -> Picture:
    curves = named_curves(result, PrecisionRecall)
    several = len(curves) > 1
    shares = sorted({curve.baseline for curve in curves.values()})
    perfect = []
    for share in shares:
        x = np.union1d(_SHARES, [share])
        perfect.append(LineMark(*_scaled(x, np.minimum(x / share, 1.0), lift), role="perfect"))
    chance = LineMark(*_scaled(_SHARES, _SHARES, lift), role="baseline")
    first, others = foremost(curves, _area)
    grey = [LineMark(*_scaled(*_gains(curve), lift), role="rest") for curve in others]
    series, top = [], 1.0
    for i, (name, curve) in enumerate(first.items()):
        x, y = _scaled(*_gains(curve), lift)
        top = max(top, float(y.max()))
        at = (i + 0.5) / len(first)
        letter = (at, float(np.interp(at, x, y))) if several else None
        value = "" if lift else f"{_area(curve):.4f}"
        series.append(
            Series(name if several else "", (LineMark(x, y, tint=i),), i, value, letter, order=i)
        )
    key = [
        ("ranking at random", chance),
        ("perfect ranking" + " at each share of positives" * (len(shares) > 1), perfect[0]),
    ]
    if others:
        span = "" if lift else value_span("area", [_area(curve) for curve in others])
        key.insert(0, (f"{counted(len(others), 'other')}{span}", grey[0]))
    up = (
        "Lift: positives held, times those of rows at random"
        if lift
        else "Gain: share of the positives that they hold"
    )
    return Picture(
        _title(curves, lift),
        f"{up}, against the share of all rows. {len(curves)} curves.",
        Axis(0.0, 1.0, title="Share of all rows, the best first"),
        Axis(0.0, 1.08 * top if lift else 1.0, title=up),
        (*perfect, chance, *grey, *series),
        key=tuple(key),
        key_place="below",
        noun="area",
        discloses=exact_curves(curves.values(), "lift curves" if lift else "gain curves"),
        inches=(5.4, 5.0 + 0.2 * len(curves)),
    )


def _gains(curve: PrecisionRecall) -> tuple[FloatArray, FloatArray]:
    x, y = np.append(0.0, curve.flagged / curve.flagged[-1]), np.append(0.0, curve.recall)
    fine = np.union1d(x, _SHARES)
    return fine, np.interp(fine, x, y)


def _scaled(x: FloatArray, gained: FloatArray, lift: bool) -> tuple[FloatArray, FloatArray]:
    return (x[1:], gained[1:] / x[1:]) if lift else (x, gained)


def _area(curve: PrecisionRecall) -> float:
    return GainBlocks.of(curve.counts).mean(lambda x: x - 0.5 * x**2)


def _title(curves: dict[str, PrecisionRecall], lift: bool) -> str:
    if len(curves) > 1:
        return "Lift curves" if lift else "Cumulative gains"
    ((name, curve),) = curves.items()
    of = f" of {shown(name)}" if name else ""
    return f"Lift curve{of}" if lift else f"Cumulative gain{of}, area {_area(curve):.4f}"


_ONE_BY_ONE = 60  # the most positives with single marks; more are counted in bars
_TALL, _WORDS, _TOP = 8 / 13, 10 / 13, 12 / 13  # heights of marks, words and average in a strip
_PLACES = 110  # positions across the picture; marks at the same position are stacked
_AVERAGE, _LETTER = 146 / 340, 9.6 / 340
"""Widths of "average 0.1234" and of a letter at the largest font size, on narrow screens."""


@dataclass(frozen=True, slots=True, eq=False)
class RankStrip:
    """The ranks of a score's positives, single or as edges with counts."""

    name: str
    mean: float
    words: str
    ranks: FloatArray | tuple[FloatArray, FloatArray]
    tint: int = 0


def strips_picture(strips: Sequence[RankStrip], title: str, *, inside: bool = False) -> Picture:
    """A strip for each score on one scale, with its name ``inside`` if it fits."""
    series = []
    for i, strip in enumerate(strips):
        bottom = float(len(strips) - 1 - i)
        marks = [
            _shape(strip, bottom),
            IntervalMark(bottom, 0.0, 1.0, "base"),
            IntervalMark(strip.mean, bottom, bottom + _TOP, "mean", upright=True),
            *_words(strip, bottom, inside),
        ]
        series.append(Series("", tuple(marks), strip.tint, order=i))
    means = "; ".join(f"{strip.name}: {strip.words}" for strip in strips)
    side = 0.0 if inside else 0.02
    return Picture(
        title,
        f"The positives by the share of negatives that they are ranked above. {means}.",
        Axis(1.0 + side, -side, title="Share of negatives ranked below the positive"),
        Axis(-0.1, float(len(strips)), rows=True),
        tuple(series),
        inches=(6.4, 1.3 + 0.75 * len(strips)),
    )


def ranks_picture(result: Curves) -> Picture:
    """Plot a strip for each score with the ranks of its positives among the negatives.

    ``result`` is as in `roc`. Up to 60 positives have single marks, stacked if close; more are
    counted in bars of a hundredth. The best are on the left, each directly below its upward step of
    the ROC curve. A tied negative counts one half, so the average is exactly the AUC.

    >>> import rocsolid as rs
    >>> bars = rs.roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> ax = rs.plots.ranks(bars)
    >>> [text.get_text() for text in ax.texts]
    ['average 0.8333']
    """
    curves = named_curves(result, Roc)
    exact = [curve for curve in curves.values() if curve.counts.n_pos <= _ONE_BY_ONE]
    strips = [_strip(name, curve, i) for i, (name, curve) in enumerate(curves.items())]
    picture = strips_picture(strips, "Where the positives stand: their average is the AUC")
    ticks = tuple(
        Tick(len(curves) - 1 - i + _TALL / 2, _counted(name, curve))
        for i, (name, curve) in enumerate(curves.items())
    )
    gives = exact_curves(exact, "the ranks of positives") if exact else COUNTS
    return replace(picture, y=replace(picture.y, named=ticks), discloses=gives)


def _strip(name: str, curve: Roc, tint: int) -> RankStrip:
    few = not curve.weighted and curve.counts.n_pos <= _ONE_BY_ONE
    ranks = curve.positive_ranks if few else curve.rank_histogram()
    return RankStrip(name, curve.auc, f"average {curve.auc:.4f}", ranks, tint)


def _counted(name: str, curve: Roc) -> str:
    n_pos = curve.counts.n_pos
    positives = f"{n_pos:,.6g} of weight" if curve.weighted else counted(int(n_pos), "positive")
    return f"{shown(name, 24)}\n{positives}" if name else positives


def _shape(strip: RankStrip, bottom: float) -> BarsMark | DotsMark:
    if isinstance(strip.ranks, tuple):
        edges, counts = strip.ranks
        density = counts / np.diff(edges)
        return BarsMark(edges, _TALL * density / density.max(), bottom, tint=strip.tint)
    _, at, count = np.unique(
        np.rint(strip.ranks * _PLACES), return_inverse=True, return_counts=True
    )
    order = np.zeros(len(strip.ranks))
    for group in range(len(count)):
        order[at == group] = np.arange(count[group])
    lift = min(0.14, (_TALL - 0.1) / max(1, int(count.max()) - 1))
    return DotsMark(strip.ranks, bottom + 0.07 + lift * order, "mark", strip.tint)


def _words(strip: RankStrip, bottom: float, inside: bool) -> list[Mark]:
    right = strip.mean > 0.45  # the scale runs from 1 to 0
    average = LabelMark(
        strip.mean,
        bottom + _WORDS,
        strip.words,
        "tick strong",
        "start" if right else "end",
        "bottom",
        (5.0 if right else -5.0, 0.0),
    )
    if not inside:
        return [average]
    room_left = 1.0 - strip.mean - (0.0 if right else _AVERAGE)
    room_right = strip.mean - (_AVERAGE if right else 0.0)
    text = shown(strip.name, int(max(room_left, room_right) / _LETTER))
    at_right = room_right >= room_left
    return [average, LabelMark(0.0 if at_right else 1.0, bottom + _WORDS, text,
                           anchor="end" if at_right else "start", level="bottom")]  # fmt: skip
