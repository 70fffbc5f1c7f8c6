"""Pictures of decision curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rocsolid.binary.decision_curve import DecisionCurve
from rocsolid.pictures.curves import foremost, named_curves
from rocsolid.pictures.lists import VALUES, shown
from rocsolid.pictures.marks import (
    AreaMark,
    Axis,
    FloatArray,
    LabelMark,
    LineMark,
    Mark,
    Picture,
    RuleMark,
    Series,
)
from rocsolid.results import percent

_SMALL = 0.03  # of the largest value: no curve is plotted beyond the last threshold that exceeds it
_SAMPLE = AreaMark(np.array([0.0, 1.0]), np.full(2, -0.7), np.full(2, 0.7))  # of the key
_BELOW = 0.35  # the part of the scale below 0, as a share of the largest value


def decision_picture(
    result: DecisionCurve | Mapping[str, DecisionCurve] | Sequence[DecisionCurve],
) -> Picture:
    """Plot decision curves: the net benefit at each threshold, of treating all, and of none.

    ``result`` is a result of `Roc.net_benefit`, or several by name or in a list. A single curve has
    its certified band.

    >>> import rocsolid as rs
    >>> curve = rs.roc([0, 1] * 40, [0.1 + i % 2 * 0.5 + i % 5 / 20 for i in range(80)])
    >>> rs.plots.decision(curve.net_benefit()).get_ylabel()
    'Net benefit: true positives per row'
    """
    curves = named_curves(result, DecisionCurve)
    drawn, others = foremost(curves, lambda curve: float(curve.value.max()))
    every = list(curves.values())
    first = every[0]
    top = max(float(np.max(curve.value)) for curve in every)
    top = max(top, float(first.treat_all[0]), 1e-9)
    ends = [curve.threshold[curve.value > _SMALL * top] for curve in every]
    last = max((float(end[-1]) for end in ends if len(end)), default=1.0)
    right = min(1.2 * last, float(first.threshold[-1]))
    single = len(curves) == 1
    band = (first.low, first.high) if single else (None, None)
    high = top if band[1] is None else max(top, float(np.max(band[1])))
    floor = -_BELOW * top
    x = Axis(0.0, right, title="Threshold: the probability from which to act")
    y = Axis(floor, 1.05 * high, title="Net benefit: true positives per row")
    shades: list[AreaMark] = []
    if band[0] is not None and band[1] is not None:
        within = first.threshold <= right
        shades = [AreaMark(first.threshold[within], np.maximum(band[0], floor)[within],
                           np.maximum(band[1], floor)[within])]  # fmt: skip
    across, heights = _above(first.threshold, first.treat_all, floor, right)
    marks: list[Mark] = [RuleMark(0.0), LineMark(across, heights, role="chance")]
    marks += [
        LabelMark(right, 0.0, "treat none", anchor="end", level="top", move=(-3.0, -3.0)),
        LabelMark(float(across[-1]), floor, "treat all", move=(5.0, 6.0)),
    ]
    series = [
        Series("", (LineMark(*_above(curve.threshold, curve.value, floor, right), role="rest"),),
               named=False)
        for curve in others
    ]  # fmt: skip
    for i, (name, curve) in enumerate(drawn.items()):
        line = _above(curve.threshold, curve.value, floor, right)
        at = int((i + 0.5) / len(drawn) * len(line[0]))
        place = None if single else (float(line[0][at]), float(line[1][at]))
        series.append(
            Series(name, (*(shades if single else ()), LineMark(*line, tint=i)), tint=i,
                   letter=place, order=i)
        )  # fmt: skip
    key = [
        (f"{percent(first.level)} certified band for all thresholds at once", _SAMPLE)
        for _ in shades
    ]
    name = next(iter(curves))
    return Picture(
        f"Decision curve{f' of {shown(name)}' if name else ''}" if single else "Decision curves",
        "Net benefit against the threshold, with the lines of treating all rows and of none.",
        x, y, (*marks, *series), key=tuple(key), key_place="upper right", discloses=VALUES,
    )  # fmt: skip


def _above(
    x: FloatArray, y: FloatArray, floor: float, right: float
) -> tuple[FloatArray, FloatArray]:
    inside = x <= right
    x, y = x[inside], y[inside]
    below = np.flatnonzero(y < floor)
    if not len(below) or below[0] == 0:
        return x, np.maximum(y, floor)
    at = below[0]
    share = (y[at - 1] - floor) / (y[at - 1] - y[at])
    end = x[at - 1] + share * (x[at] - x[at - 1])
    return np.append(x[:at], end), np.append(y[:at], floor)
