"""Drawn curves as a table: some corners of each, with the limits of its band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocsolid.markup import Markup, element, name
from rocsolid.report.curve_data import FloatArray
from rocsolid.report.text import number, span, threshold

_ROWS, _PAGE_ROWS, _LEAST = 11, 100, 5


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """One curve's corners, without thresholds where there are none, and the edges of its band."""

    score: str
    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray | None
    band: tuple[FloatArray, FloatArray, FloatArray] | None


def corner_table(curves: Sequence[Corners], caption: str, summary: str) -> Markup:
    """Folded away below the drawing; evenly along each curve, both ends among them."""
    most = max(_LEAST, min(_ROWS, _PAGE_ROWS // len(curves)))
    banded = any(curve.band is not None for curve in curves)
    cuts = any(curve.thresholds is not None for curve in curves)
    rows = []
    for curve in curves:
        some = np.unique(np.rint(np.linspace(0, len(curve.fpr) - 1, most)).astype(np.intp))
        for i in some.tolist():
            fpr, tpr = float(curve.fpr[i]), float(curve.tpr[i])
            cells = [number(fpr), number(tpr)]
            if cuts:
                cells.insert(0, "" if curve.thresholds is None else threshold(curve.thresholds[i]))
            if banded:
                cells.append("none" if curve.band is None else span(*band_at(curve.band, fpr)))
            first = element("th", name(curve.score), scope="row")
            rows.append(element("tr", first, *[element("td", cell) for cell in cells]))
    heads = [
        "Score",
        *(["Threshold"] if cuts else []),
        "False-positive rate",
        "True-positive rate",
        *(["Band of the true-positive rate"] if banded else []),
    ]
    table = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *[element("th", h, scope="col") for h in heads])),
        element("tbody", *rows),
        class_="figures",
    )
    box = element("div", table, class_="scroll", role="group", tabindex=0, aria_label=caption)
    return element("details", element("summary", summary), box)


def band_at(edges: tuple[FloatArray, FloatArray, FloatArray], fpr: float) -> tuple[float, float]:
    """The widest limits that are drawn at a rate: on a stair, those of both its sides.

    >>> x = np.array([0.0, 0.5, 0.5, 1.0])
    >>> band_at((x, np.array([0.0, 0.0, 0.3, 0.3]), np.array([0.6, 0.6, 1.0, 1.0])), 0.5)
    (0.0, 1.0)
    """
    x, low, high = edges
    first, last = (int(np.searchsorted(x, fpr, side=side)) for side in ("left", "right"))
    if last > first:
        return float(low[first:last].min()), float(high[first:last].max())
    return float(np.interp(fpr, x, low)), float(np.interp(fpr, x, high))
