"""Segments by what they rest on: few rows scatter far."""

from __future__ import annotations

import numpy as np

from rocsolid.errors import InputError
from rocsolid.pictures.axis import Axis
from rocsolid.pictures.disclosed import VALUES
from rocsolid.pictures.marks import DotsMark, LabelMark, LineMark, Mark, Picture
from rocsolid.pictures.words import shown
from rocsolid.results import percent
from rocsolid.results.segment_evidence import SegmentEvidence

_NAMED = 8


def funnel_picture(result: SegmentEvidence) -> Picture:
    """The value of each segment over the rows behind it, with the limits of chance alone.

    ``result`` is one of ``.heterogeneity`` of `rocsolid.evaluate` with ``by``. Outside the funnel
    lies what differs from the mean at the level, one segment at a time; named are those that differ
    from the rest after adjustment.

    >>> import rocsolid as rs
    >>> table = {"y": [0, 1, 0, 1, 1, 0] * 4, "s": [*range(12), *range(0, 36, 3)],
    ...          "site": ["a"] * 12 + ["b"] * 12}
    >>> ax = rs.plots.funnel(rs.evaluate(table, label="y", scores="s", by="site").heterogeneity[0])
    >>> ax.get_title(loc="left")
    's: AUC by segment'
    """
    from scipy.special import ndtri

    if not isinstance(result, SegmentEvidence):
        raise InputError(
            "there are no segments to draw",
            where="result",
            value=type(result).__name__,
            fix="give one of .heterogeneity of rs.evaluate(..., by=...)",
        )
    size = np.array([segment.units for segment in result.segments])
    grid = np.geomspace(size.min() * 0.8, size.max() * 1.25, 200)
    half = float(ndtri(0.5 + result.level / 2.0)) * result.typical / np.sqrt(grid)
    marks: list[Mark] = [LineMark(grid, np.full(len(grid), result.mean), role="average")]
    marks += [LineMark(grid, result.mean + side * half, role="limit") for side in (-1.0, 1.0)]
    differ = set(map(id, result.differ))
    for segment, x in zip(result.segments, size, strict=True):
        apart = id(segment) in differ
        at = np.array([x])
        marks.append(
            DotsMark(at, np.array([segment.value]), "value" if apart else "pale", int(apart))
        )
        marks.append(DotsMark(at, np.array([segment.shrunken]), "shrunken"))
    marks += [
        LabelMark(
            segment.units,
            segment.value,
            shown(segment.name, 24),
            "note",
            level="bottom",
            move=(5.0, 3.0),
        )
        for segment in result.differ[:_NAMED]
    ]
    heights = [*(result.mean + half), *(result.mean - half), *(s.value for s in result.segments)]
    queries = "n_queries" in result.segments[0].counts
    behind = "Queries" if queries else "Rows behind the value, 1/(1/positives + 1/negatives)"
    measure = "AUC" if result.measure == "auc" else result.measure
    return Picture(
        f"{result.score}: {measure} by segment",
        f"{len(result.segments)} segments by their size, with the limits of chance; "
        f"{len(result.differ)} differ from the rest.",
        Axis(
            float(grid[0]),
            float(grid[-1]),
            log=True,
            title=f"{behind}; dashed: {percent(result.level)} by chance; dash: shrunken",
        ),
        Axis.around(heights),
        tuple(marks),
        discloses=VALUES,
        inches=(6.4, 4.2),
    )
