"""A leaderboard in which ties share places."""

from __future__ import annotations

from matplotlib.axes import Axes

from rocsolid.errors import InputError
from rocsolid.plots.gives import VALUES
from rocsolid.plots.picture import drawing
from rocsolid.plots.style import INTERVAL, look_of
from rocsolid.plots.words import shown
from rocsolid.results import Comparison, percent


def leaderboard(result: Comparison, ax: Axes | None = None) -> Axes:
    """The places that each may hold, the highest value first.

    ``result`` is what `rocsolid.compare` or `rocsolid.queries.compare` returns. Thick: the places
    that hold for all at once. Thin, with ends: the certified ones. The dot stands at the place of
    the value; equal values share theirs.

    >>> import rocsolid as rs
    >>> y, a, b = [0, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6], [2, 1, 6, 5, 4, 3]
    >>> ax = leaderboard(rs.compare(y, {"a": a, "b": b}))
    >>> [text.get_text() for text in ax.texts]
    ['1–2', '1–2']
    """
    if not isinstance(result, Comparison) or not result.ranks:
        raise InputError(
            "there are no places to draw",
            where="result",
            value=type(result).__name__,
            fix="give what rs.compare or rs.queries.compare returns, of a test of values",
        )
    values = {name: one.value for name, one in result.estimates.items()}
    order = sorted(values, key=lambda name: -values[name])
    with drawing(ax, 6.4, 1.3 + 0.34 * len(order), VALUES) as axes:
        look = look_of(axes)
        for y, name in enumerate(order):
            found = result.ranks[name]
            axes.hlines(y, found.low - 0.2, found.high + 0.2, color=look.colour(0), linewidth=6,
                        alpha=INTERVAL, zorder=2)  # fmt: skip
            if found.certified is not None:
                ends = (found.certified.low, found.certified.high)
                axes.plot(ends, (y, y), color=look.muted, linewidth=1.1, marker="|", zorder=1)
            higher = sum(one > values[name] for one in values.values())
            equal = sum(one == values[name] for one in values.values())
            axes.plot([1 + higher + (equal - 1) / 2], [y], "o", color=look.colour(0), zorder=3)
            axes.text(
                1.02, y, str(found), transform=axes.get_yaxis_transform(), va="center",
                fontsize="small", color=look.ink,
            )  # fmt: skip
        axes.set_xlim(0.5, len(order) + 0.5)
        axes.set_ylim(len(order) - 0.5, -0.5)
        axes.set_yticks(
            range(len(order)),
            [
                f"{shown(name, 24)}  {values[name]:.{result.estimates[name].interval.decimals}f}"
                for name in order
            ],
        )
        axes.locator_params(axis="x", integer=True)
        axes.set_xlabel(f"Place, all at once at {percent(result.level)}; thin: certified")
        measure = "AUC" if result.measure == "auc" else result.measure
        axes.set_title(f"Places by {measure}", loc="left")
    return axes
