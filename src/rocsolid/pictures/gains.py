"""Cumulative gain and lift: what the best share of all rows holds, over each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rocsolid.binary.cumulative_gain import GainBlocks
from rocsolid.binary.precision_recall import PrecisionRecall
from rocsolid.pictures.axis import Axis
from rocsolid.pictures.curves import foremost, named_curves, value_span
from rocsolid.pictures.disclosed import exact_curves
from rocsolid.pictures.marks import FloatArray, LineMark, Picture, Series
from rocsolid.pictures.words import shown

PrecisionCurves = PrecisionRecall | Mapping[str, PrecisionRecall] | Sequence[PrecisionRecall]
_SHARES = np.linspace(0.0, 1.0, 501)  # where lines that bend between thresholds are drawn too


def gain_picture(result: PrecisionCurves) -> Picture:
    """Cumulative gain: the share of the positives that the best share of all rows holds.

    ``result`` is a curve (`rocsolid.precision_recall`), or several by name or in a list. The line
    is straight over tied rows, which are taken in any order, and the area below it is that of
    ``measures="gain"``. Dashed is a score that ranks at random, dotted one that ranks perfectly.

    >>> import rocsolid as rs
    >>> curve = rs.precision_recall([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> rs.plots.gain(curve).get_title(loc="left")
    'Cumulative gain, area 0.6905'
    """
    return _picture(result, lift=False)


def lift_picture(result: PrecisionCurves) -> Picture:
    """Lift: how many times as many positives the best rows hold as rows picked at random.

    It is the cumulative gain divided by the share of the rows; see `gain`.

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
        key.insert(0, (f"{len(others)} other{'s' * (len(others) > 1)}{span}", grey[0]))
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
    """The corners of the gain curve from no row to all, and points between them."""
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
    ((name, one),) = curves.items()
    of = f" of {shown(name)}" if name else ""
    return f"Lift curve{of}" if lift else f"Cumulative gain{of}, area {_area(one):.4f}"
