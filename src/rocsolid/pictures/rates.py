"""Curves of rates on ROC, precision-recall or gain axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.measures.picture import Picture
from rocsolid.pictures.marks import Axis, FloatArray, LabelMark, LineMark, Mark, Place, Series
from rocsolid.pictures.marks import Picture as MarksPicture

_BETWEEN = 6  # parts of a segment, because straight segments of rates are curved on other axes
_AXES: dict[Picture, tuple[str, str]] = {
    "roc": ("False-positive rate", "True-positive rate"),
    "pr": ("Recall", "Precision"),
    "gain": ("Share of rows flagged", "Share of positives flagged"),
}


@dataclass(frozen=True, slots=True)
class Seen:
    """A kind of axes, with the share of positives among the rows.

    >>> Seen("pr", 0.2).at(np.array([0.25]), np.array([1.0]))
    (array([1.]), array([0.5]))
    """

    picture: Picture = "roc"
    prevalence: float = 0.5

    @property
    def axes(self) -> tuple[str, str]:
        return _AXES[self.picture]

    def at(self, fpr: FloatArray, tpr: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The positions of points of the ROC curve; precision is NaN if no row is flagged."""
        if self.picture == "roc":
            return fpr, tpr
        hits = self.prevalence * tpr
        flagged = hits + (1.0 - self.prevalence) * fpr
        if self.picture == "gain":
            return flagged, tpr
        with np.errstate(invalid="ignore"):
            return tpr, hits / np.where(flagged > 0.0, flagged, np.nan)

    def line(self, fpr: FloatArray, tpr: FloatArray) -> tuple[FloatArray, FloatArray]:
        """A path through corners that straight segments of rates join."""
        if self.picture == "roc":
            return fpr, tpr
        part = np.arange(len(fpr) - 1 + 1e-9, step=1.0 / _BETWEEN)
        corner = np.arange(len(fpr))
        x, y = self.at(np.interp(part, corner, fpr), np.interp(part, corner, tpr))
        there = np.isfinite(y)
        return x[there], y[there]

    def chance(self) -> tuple[FloatArray, FloatArray]:
        """The line of a random ranking."""
        ends = np.array([0.0, 1.0])
        return ends, np.full(2, self.prevalence) if self.picture == "pr" else ends


ROC = Seen()


Rates = tuple[float, float]
Box = tuple[Rates, Rates]
"""The ends of false-positive rates, and of true-positive rates."""

WHOLE: Box = ((0.0, 1.0), (0.0, 1.0))
_FIRST, _REACH = 0.225, 0.4  # the part of a whole curve for letters, where few curves meet
_PLACES = 20_001  # possible positions of a letter on a line


@dataclass(frozen=True, slots=True, eq=False)
class RateCurve:
    name: str
    fpr: FloatArray
    tpr: FloatArray
    tint: int = 0
    value: str = ""
    behind: tuple[Mark, ...] = ()
    before: tuple[Mark, ...] = ()
    named: bool = True
    order: int = 0


def rates_picture(
    curves: Sequence[RateCurve],
    title: str,
    description: str,
    *,
    box: Box = WHOLE,
    seen: Seen = ROC,
    windows: Iterable[Box] = (),
) -> MarksPicture:
    """The curves inside a box of rates, with unnamed curves below the others.

    The dashed ``windows`` outline the parts that other pictures enlarge.
    """
    named = [curve for curve in curves if curve.named]
    marks = _chance(box, seen)
    marks += [_outline(window) for window in windows]
    series = []
    for curve in sorted(curves, key=lambda each: each.named):
        nth = named.index(curve) + 0.5 if curve.named else len(named) / 2
        line = LineMark(
            *seen.line(curve.fpr, curve.tpr), role="line" if curve.named else "rest",
            tint=curve.tint,
        )  # fmt: skip
        series.append(
            Series(
                curve.name,
                (*curve.behind, line, *curve.before),
                tint=curve.tint,
                value=curve.value,
                letter=_letter(curve, box, seen, nth / len(named)) if len(curves) > 1 else None,
                named=curve.named,
                order=curve.order,
            )
        )
    across, up = seen.axes
    return MarksPicture(
        title,
        description,
        Axis(*box[0], title=across),
        Axis(*box[1], title=up),
        (*marks, *series),
        inches=(5.4, 5.6),
        square=box == WHOLE,
    )


def _chance(box: Box, seen: Seen) -> list[Mark]:
    if seen != ROC:
        return [LineMark(*seen.chance(), role="chance")]
    (left, right), (bottom, top) = box
    low, high = max(left, bottom), min(right, top)
    if low >= high:
        return []
    ends = np.array([low, high])
    words = [LabelMark(0.36, 0.36, "chance", turned=True)] if box == WHOLE else []
    return [LineMark(ends, ends, role="chance"), *words]


def _outline(box: Box) -> LineMark:
    (left, right), (bottom, top) = box
    x, y = np.array([left, right, right, left]), np.array([top, top, bottom, bottom])
    return LineMark(x, y, role="window", closed=True)


def _letter(curve: RateCurve, box: Box, seen: Seen, share: float) -> Place | None:
    (left, right), (bottom, top) = box
    # both rates are straight lines from corner to corner of their sum
    along = np.linspace(0.0, 2.0, _PLACES)
    x, y = (np.interp(along, curve.fpr + curve.tpr, rate) for rate in (curve.fpr, curve.tpr))
    inside = (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
    x, y = x[inside], y[inside]
    if not x.size:
        return None
    way = (x - left) / (right - left) + (y - bottom) / (top - bottom)
    share = _FIRST + _REACH * share if box == WHOLE else share
    at = min(int(np.searchsorted(way, way[0] + share * (way[-1] - way[0]))), len(x) - 1)
    (across,), (upward,) = seen.at(x[at : at + 1], y[at : at + 1])
    return float(across), float(upward)
