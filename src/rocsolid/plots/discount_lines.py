"""How much each rank counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import StrMethodFormatter

from rocsolid.arguments import whole
from rocsolid.discounts import as_discount
from rocsolid.errors import InputError
from rocsolid.plots.gives import NO_DATA
from rocsolid.plots.picture import drawing
from rocsolid.plots.style import dashes, look_of
from rocsolid.plots.words import shown


def discounts(
    result: Any = ("log2", "natural", "zipf"), ax: Axes | None = None, *, depth: int = 100
) -> Axes:
    """Discounts against the rank, each divided by what the first rank counts.

    ``result`` is a discount, or several in a list or by name: anything that `rocsolid.ndcg` takes
    as one. They are drawn down to rank ``depth``.

    >>> import rocsolid as rs
    >>> ax = discounts(["log2", rs.discounts.power(0.5)], depth=3)
    >>> ax.lines[1].get_ydata().round(4).tolist()
    [1.0, 0.7071, 0.5774]
    """
    last = whole(depth, "depth", 2)
    named = _named(result)
    if not named:
        raise InputError("there is nothing to draw", where="result")
    with drawing(ax, 6.0, 4.2, NO_DATA) as axes:
        look = look_of(axes)
        ranks = np.arange(1, last + 1)
        lines = []
        for i, one in enumerate(named.values()):
            values = one.values(last)
            lines += axes.plot(
                ranks, values / values[0], color=look.colour(i), linestyle=dashes(i), linewidth=1.6
            )
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axes.set_xlim(1, last)
        axes.set_ylim(0, 1.02)
        axes.set_xlabel("Rank")
        axes.set_ylabel("Weight of the rank, that of the first being 1")
        axes.set_title("Discounts", loc="left")
        # a label on the line itself is left out where it begins with an underscore
        names = [shown(name, 24) for name in named]
        axes.legend(lines, names, loc="upper right", labelcolor="linecolor")
    return axes


def _named(result: Any) -> dict[str, Any]:
    if isinstance(result, Mapping):
        return {str(name): as_discount(one) for name, one in result.items()}
    several = result if isinstance(result, list | tuple) else [result]
    found = [as_discount(one) for one in several]
    return {one.name: one for one in found}
