"""What a released score tells about each row."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from rocsolid.errors import InputError
from rocsolid.leaks import Exposure
from rocsolid.plots.gives import EXPOSURES
from rocsolid.plots.picture import drawing
from rocsolid.plots.style import INTERVAL, look_of

_NUMBERED = 40  # rows whose numbers fit below the picture
_MARKED = 400  # rows drawn as marks


def exposure(result: Exposure, ax: Axes | None = None) -> Axes:
    """The probability that each row is a positive, given what was released, from high to low.

    ``result`` is what `rocsolid.leaks.exposure` returns. Filled dots are labels that are certain,
    open ones are not, grey ones were known beforehand. Up to 40 rows are named by their place in
    the data, counted from 0.

    >>> import rocsolid as rs
    >>> ax = exposure(rs.leaks.exposure("1/2", [1, 2, 3, 4, 5], n_pos=2))
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
    places = np.arange(len(p))
    with drawing(ax, 6.4, 4.2, EXPOSURES) as axes:
        look = look_of(axes)
        axes.axhline(0.5, color=look.muted, linewidth=1.0, linestyle=(0, (1, 3)), zorder=1)
        if len(p) > _MARKED:
            axes.plot(places, p, color=look.colour(0), linewidth=2.0, zorder=3)
        else:
            axes.vlines(
                places, 0.5, p, color=look.colour(0), linewidth=1.4, alpha=INTERVAL, zorder=2
            )
            for which, face, edge, text in (
                (~known & ~certain, "none", look.colour(0), "not certain"),
                (certain, look.colour(1), look.colour(1), "certain"),
                (known, look.muted, look.muted, "known beforehand"),
            ):
                if which.any():
                    axes.scatter(
                        places[which], p[which], s=30, facecolors=face, edgecolors=edge, zorder=3,
                        label=f"{text}: {int(which.sum()):,}",
                    )  # fmt: skip
            axes.legend(loc="upper right", fontsize="small", labelcolor=look.ink)
        axes.set_ylim(-0.04, 1.04)
        axes.set_xlabel("Rows, the likeliest positives first")
        axes.set_ylabel("Probability of being a positive, given the release")
        if len(p) <= _NUMBERED:
            axes.set_xticks(places, [str(row) for row in order])
            axes.set_xlabel("Row (its place in the data), the likeliest positives first")
        axes.grid(visible=False, axis="x")
        axes.set_title(_title(result), loc="left", color=look.ink)
    return axes


def _title(result: Exposure) -> str:
    sure = f"{result.certain:,} of {result.unknown:,} unknown labels are certain"
    return sure if result.forced_complete else f"At least {sure}"
