"""What a released score tells about each row."""

from __future__ import annotations

import numpy as np

from rocsolid.errors import InputError
from rocsolid.leaks.exposure import Exposure
from rocsolid.pictures.axis import Axis, Tick
from rocsolid.pictures.disclosed import EXPOSURES
from rocsolid.pictures.marks import DotsMark, IntervalMark, LineMark, Mark, Picture, RuleMark

_NUMBERED = 40  # rows whose numbers fit below the picture
_MARKED = 400  # rows drawn as marks


def exposure_picture(result: Exposure) -> Picture:
    """The probability that each row is a positive, given what was released, from high to low.

    ``result`` is what `rocsolid.leaks.exposure` returns. Filled dots are labels that are certain,
    open ones are not, grey ones were known beforehand. Up to 40 rows are named by their place in
    the data, counted from 0.

    >>> import rocsolid as rs
    >>> ax = rs.plots.exposure(rs.leaks.exposure("1/2", [1, 2, 3, 4, 5], n_pos=2))
    >>> [tick.get_text() for tick in ax.get_xticklabels()]
    ['0', '1', '3', '4', '2']
    """
    if not isinstance(result, Exposure):
        raise InputError(
            "this is no exposure of rows",
            where="result",
            value=type(result).__name__,
            fix="give what rs.leaks.exposure returns",
        )
    order = np.argsort(-result.probability, kind="stable")
    p = result.probability[order]
    known = np.isin(order, list(result.known))
    certain = np.isin(order, list(result.forced)) & ~known
    places = np.arange(len(p), dtype=np.float64)
    marks: list[Mark] = [RuleMark(0.5)]
    key: list[tuple[str, Mark]] = []
    if len(p) > _MARKED:
        marks.append(LineMark(places, p))
    else:
        marks += [IntervalMark(x, 0.5, y, "stick", upright=True)
                  for x, y in zip(places.tolist(), p.tolist(), strict=True)]  # fmt: skip
        for which, role, tint, words in (
            (~known & ~certain, "unsure", 0, "not certain"),
            (certain, "sure", 1, "certain"),
            (known, "known", 0, "known beforehand"),
        ):
            if which.any():
                dots = DotsMark(places[which], p[which], role, tint)
                marks.append(dots)
                key.append((f"{words}: {int(which.sum()):,}", dots))
    few = len(p) <= _NUMBERED
    ticks = tuple(Tick(i, str(row)) for i, row in enumerate(order)) if few else ()
    title = "Rows, the likeliest positives first"
    if few:
        title = "Row (its place in the data), the likeliest positives first"
    sure = f"{result.certain:,} of {result.unknown:,} unknown labels are certain"
    room = 0.04 * len(p)
    return Picture(
        sure if result.forced_complete else f"At least {sure}",
        "The probability of each row to be a positive, from high to low.",
        Axis(-room, len(p) - 1 + room, title=title, named=ticks, bare=True),
        Axis(-0.04, 1.04, title="Probability of being a positive, given the release"),
        tuple(marks),
        key=tuple(key),
        key_place="upper right",
        discloses=EXPOSURES,
        inches=(6.4, 4.2),
    )
