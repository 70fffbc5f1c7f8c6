"""Segments by what they rest on: few rows scatter far."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter

from rocsolid.errors import InputError
from rocsolid.plots.gives import VALUES
from rocsolid.plots.picture import drawing
from rocsolid.plots.style import INTERVAL, look_of
from rocsolid.plots.words import shown
from rocsolid.results import percent
from rocsolid.results.segment_evidence import SegmentEvidence

_NAMED = 8


def funnel(result: SegmentEvidence, ax: Axes | None = None) -> Axes:
    """The value of each segment over the rows behind it, with the limits of chance alone.

    ``result`` is one of ``.heterogeneity`` of `rocsolid.evaluate` with ``by``. Outside the funnel
    lies what differs from the mean at the level, one segment at a time; named are those that differ
    from the rest after adjustment.

    >>> import rocsolid as rs
    >>> table = {"y": [0, 1, 0, 1, 1, 0] * 4, "s": [*range(12), *range(0, 36, 3)],
    ...          "site": ["a"] * 12 + ["b"] * 12}
    >>> ax = funnel(rs.evaluate(table, label="y", scores="s", by="site").heterogeneity[0])
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
    size = np.array([one.units for one in result.segments])
    with drawing(ax, 6.4, 4.2, VALUES) as axes:
        look = look_of(axes)
        grid = np.geomspace(size.min() * 0.8, size.max() * 1.25, 200)
        half = float(ndtri(0.5 + result.level / 2.0)) * result.typical / np.sqrt(grid)
        axes.plot(grid, np.full(len(grid), result.mean), color=look.ink, linewidth=1.0)
        for side in (-1.0, 1.0):
            axes.plot(grid, result.mean + side * half, color=look.muted, linestyle="--")
        differ = set(map(id, result.differ))
        for one, x in zip(result.segments, size, strict=True):
            apart = id(one) in differ
            axes.plot([x], [one.value], "o", color=look.colour(1 if apart else 0),
                      alpha=1.0 if apart else INTERVAL, markersize=5)  # fmt: skip
            axes.plot([x], [one.shrunken], "_", color=look.muted, markersize=5)
        for one in result.differ[:_NAMED]:
            axes.annotate(
                shown(one.name, 24),
                (one.units, one.value),
                xytext=(5, 3),
                textcoords="offset points",
                fontsize="small",
                color=look.ink,
            )
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter("{x:,.4g}")
        axes.xaxis.set_minor_formatter(NullFormatter())
        queries = "n_queries" in result.segments[0].counts
        behind = "Queries" if queries else "Rows behind the value, 1/(1/positives + 1/negatives)"
        axes.set_xlabel(f"{behind}; dashed: {percent(result.level)} by chance; dash: shrunken")
        measure = "AUC" if result.measure == "auc" else result.measure
        axes.set_title(f"{result.score}: {measure} by segment", loc="left")
    return axes
