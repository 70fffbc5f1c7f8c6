"""Names and numbers in pictures, statements about disclosure, and pictures of lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsolid.arguments import whole
from rocsolid.errors import InputError
from rocsolid.pictures.marks import (
    Axis,
    IntervalMark,
    LabelMark,
    LineMark,
    Mark,
    Picture,
    Series,
    Tick,
)
from rocsolid.results import percent
from rocsolid.results.interval import Interval, Valued

if TYPE_CHECKING:
    from rocsolid.binary.precision_recall import PrecisionRecall
    from rocsolid.binary.roc import Roc

_LONGEST = 40


def shown(name: object, longest: int = _LONGEST) -> str:
    """A name on one line, shortened in the middle if it is long.

    >>> shown("a name that is very much too long", 12)
    'a name…long'
    """
    line = " ".join(str(name).split())
    if len(line) <= longest:
        return line
    end = (longest - 1) // 2
    return f"{line[: longest - 1 - end].rstrip()}…{line[len(line) - end :].lstrip()}"


def signed(value: float, decimals: int) -> str:
    """A number with its sign; the minus sign is as wide as the plus sign.

    >>> signed(-0.02, 3), signed(0.02, 3)
    ('−0.020', '+0.020')
    """
    return f"{value:+.{decimals}f}".replace("-", "−")


def span(interval: Interval, *, sign: bool = False) -> str:
    """The limits of an interval as text.

    >>> span(Interval(0.61, 0.83, 0.95, "wald")), span(Interval(-0.1, 0.2, 0.95, "t"), sign=True)
    ('0.6100 – 0.8300', '−0.1000 to +0.2000')
    """
    digits = interval.decimals
    if sign:
        return f"{signed(interval.low, digits)} to {signed(interval.high, digits)}"
    return f"{interval.low:.{digits}f} – {interval.high:.{digits}f}"


def wrong_result(what: str, result: object, fix: str) -> InputError:
    """The error for a result that a picture cannot show."""
    return InputError(what, where="result", value=type(result).__name__, fix=fix)


VALUES = (
    "This picture shows values with intervals: each is an equation about the labels for someone "
    "with the scores. How many labels follow was not counted."
)
COUNTS = (
    "This picture shows how many positives have ranks within each bin: each count is an equation "
    "about the labels for someone with the scores. How many labels follow was not counted."
)
EXPOSURES = (
    "This picture shows what someone with the scores can compute about each label from what was "
    "released. It saves them the work."
)
NO_DATA = "This picture is drawn from formulas and shows no data: it gives away no label."


def exact_curves(curves: Iterable[Roc | PrecisionRecall], what: str = "exact ROC curves") -> str:
    """A statement about the number of labels that exact curves reveal.

    Rows of one class that are not tied with the other class are certain.

    >>> from rocsolid.binary.roc import roc
    >>> print(exact_curves([roc([0, 1, 0, 1], [1, 2, 2, 3])]))
    This picture shows exact ROC curves: someone with the scores can read at least 2 of 4 labels
    off it for certain. Do not publish it where the labels are not public.
    """
    counts = [(curve.counts.pos, curve.counts.neg) for curve in curves if not curve.weighted]
    certain = [int((pos + neg)[(pos == 0) | (neg == 0)].sum()) for pos, neg in counts]
    rows = [int(pos.sum() + neg.sum()) for pos, neg in counts]
    some = "all labels but those of tied rows"
    if counts:
        most = max(range(len(counts)), key=certain.__getitem__)
        some = f"at least {certain[most]:,} of {rows[most]:,} labels"
    return (
        f"This picture shows {what}: someone with the scores can read {some} off it for certain. "
        "Do not publish it where the labels are not public."
    )


def discounts_picture(result: Any, *, depth: int) -> Picture:
    """Each discount down to that depth, divided by its value at the first rank."""
    last = whole(depth, "depth", 2)
    named = _named(result)
    if not named:
        raise InputError("there is nothing to draw", where="result")
    ranks = np.arange(1.0, last + 1.0)
    series, key = [], []
    for i, (name, discount) in enumerate(named.items()):
        values = discount.values(last)
        line = LineMark(ranks, values / values[0], tint=i)
        series.append(Series("", (line,), i, order=i))
        key.append((shown(name, 24), line))
    return Picture(
        "Discounts",
        f"Weight of each rank, that of the first being 1: {', '.join(map(str, named))}.",
        Axis(1.0, float(last), log=True, title="Rank"),
        Axis(0.0, 1.02, title="Weight of the rank, that of the first being 1"),
        tuple(series),
        key=tuple(key),
        key_place="upper right",
        discloses=NO_DATA,
    )


def _named(result: Any) -> dict[str, Any]:
    from rocsolid.discounts.discount import as_discount

    if isinstance(result, Mapping):
        return {str(name): as_discount(discount) for name, discount in result.items()}
    several = result if isinstance(result, list | tuple) else [result]
    return {discount.name: discount for discount in map(as_discount, several)}


_LINE = 0.045  # the smallest distance of names, as a share of the height
_APART = 0.012  # decimal logarithm of the shift that separates intervals of different systems


def cutoffs_picture(result: Mapping[Any, Any]) -> Picture:
    """Plot a measure against its cut-off, with the interval at each.

    ``result`` maps cut-offs to estimates, or systems to such mappings.

    >>> import rocsolid as rs
    >>> grades, scores = [[2, 0, 1, 0], [0, 1, 0, 0]], [[4, 3, 2, 1], [4, 3, 2, 1]]
    >>> ax = rs.plots.cutoffs({k: rs.ndcg(grades, scores, k=k) for k in (1, 2, 4)})
    >>> ax.lines[0].get_xdata().tolist()
    [1.0, 2.0, 4.0]
    """
    systems = _systems(result)
    every = sorted({k for values in systems.values() for k in values})
    first = next(iter(next(iter(systems.values())).values()))
    measure = first.measure.split("@", maxsplit=1)[0]  # without the cut-off
    ends = [end for values in systems.values() for estimate in values.values()
            for end in (estimate.value, estimate.low, estimate.high)]  # fmt: skip
    y = Axis.around(ends, title=measure)
    last = [list(values.values())[-1].value for values in systems.values()]
    heights = _apart(last, _LINE * (y.high - y.low))
    series = []
    for i, (name, values) in enumerate(systems.items()):
        x = np.array(_positions(i, len(systems), values))
        of = list(values.values())
        marks: list[Mark] = [
            IntervalMark(at, estimate.low, estimate.high, tint=i, upright=True)
            for at, estimate in zip(x.tolist(), of, strict=True)
            if math.isfinite(estimate.low) and math.isfinite(estimate.high)
        ]
        line = np.array([estimate.value for estimate in of])
        marks.append(LineMark(x, line, tint=i, dotted=True))
        if name:
            words = shown(name, 18)
            marks.append(
                LabelMark(float(x[-1]), heights[i], words, "name", move=(7.0, 0.0), tint=i)
            )
        series.append(Series("", tuple(marks), i, order=i))
    title = f"{measure} by cut-off, {percent(first.level)} intervals"
    return Picture(
        title,
        f"{title}. Systems: {', '.join(systems)}." if len(systems) > 1 else f"{title}.",
        Axis(
            every[0] / 1.25,
            every[-1] * (1.25 if len(systems) == 1 else 1.6),
            log=True,
            title="Cut-off: documents from the top that count",
            named=tuple(Tick(k, f"{k:g}") for k in every),
        ),
        y,
        tuple(series),
        discloses=VALUES,
    )


def _systems(result: Any) -> dict[str, dict[float, Any]]:
    if not isinstance(result, Mapping) or not result:
        raise _not_by_cutoff(result)
    nested = all(isinstance(values, Mapping) and values for values in result.values())
    systems = {str(k): dict(v) for k, v in result.items()} if nested else {"": dict(result)}
    for values in systems.values():
        for k, estimate in values.items():
            if not isinstance(estimate, Valued):
                raise _not_by_cutoff(estimate)
            if isinstance(k, bool) or not isinstance(k, int | float) or not 0 < k < math.inf:
                raise InputError("a cut-off is a positive number", where="result", value=k)
    return {name: dict(sorted(values.items())) for name, values in systems.items()}


def _not_by_cutoff(given: object) -> InputError:
    return wrong_result(
        "these are not estimates by cut-off",
        given,
        "give {k: rs.ndcg(..., k=k) for k in (5, 10, 20)}, or one such mapping for each system",
    )


def _positions(order: int, systems: int, values: Mapping[float, Any]) -> list[float]:
    aside = 10.0 ** (_APART * (order - (systems - 1) / 2))
    return [float(k) * aside for k in values]


def _apart(heights: Sequence[float], least: float) -> list[float]:
    """The heights, moved up to be at least ``least`` apart.

    >>> _apart([0.5, 0.2, 0.25], 0.1)
    [0.5, 0.2, 0.30000000000000004]
    """
    moved = list(heights)
    order = sorted(range(len(moved)), key=moved.__getitem__)
    for below, at in pairwise(order):
        moved[at] = max(moved[at], moved[below] + least)
    return moved
