"""A measure at several cut-offs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import NullFormatter, NullLocator

from rocsolid.errors import InputError
from rocsolid.plots.gives import VALUES
from rocsolid.plots.picture import drawing
from rocsolid.plots.style import INTERVAL, dashes, look_of
from rocsolid.plots.words import shown
from rocsolid.results import percent
from rocsolid.results.valued import Valued

_LINE = 11.0  # points from one name to the next
_APART = 0.012  # of the decimal logarithm: intervals of different systems do not hide each other


def cutoffs(result: Mapping[Any, Any], ax: Axes | None = None) -> Axes:
    """A measure against its cut-off, with the interval at each.

    ``result`` holds estimates by cut-off, or for each system such a mapping.

    >>> import rocsolid as rs
    >>> grades, scores = [[2, 0, 1, 0], [0, 1, 0, 0]], [[4, 3, 2, 1], [4, 3, 2, 1]]
    >>> ax = cutoffs({k: rs.ndcg(grades, scores, k=k) for k in (1, 2, 4)})
    >>> ax.lines[0].get_xdata().tolist()
    [1.0, 2.0, 4.0]
    """
    systems = _systems(result)
    every = sorted({k for of in systems.values() for k in of})
    with drawing(ax, 6.0, 4.2, VALUES) as axes:
        axes.set_xscale("log")
        for i, of in enumerate(systems.values()):
            _line(axes, i, len(systems), of)
        _names(axes, systems)
        axes.set_xticks(every, [f"{k:g}" for k in every])
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_xlim(every[0] / 1.25, every[-1] * (1.25 if len(systems) == 1 else 1.6))
        first = next(iter(next(iter(systems.values())).values()))
        axes.set_xlabel("Cut-off: documents from the top that count")
        axes.set_ylabel(_without_cutoff(first.measure))
        axes.set_title(
            f"{_without_cutoff(first.measure)} by cut-off, {percent(first.level)} intervals",
            loc="left",
        )
    return axes


def _systems(result: Any) -> dict[str, dict[float, Any]]:
    if not isinstance(result, Mapping) or not result:
        raise _not_by_cutoff(result)
    nested = all(isinstance(one, Mapping) and one for one in result.values())
    systems = {str(k): dict(v) for k, v in result.items()} if nested else {"": dict(result)}
    for of in systems.values():
        for k, one in of.items():
            if not isinstance(one, Valued):
                raise _not_by_cutoff(one)
            if isinstance(k, bool) or not isinstance(k, int | float) or not 0 < k < math.inf:
                raise InputError("a cut-off is a positive number", where="result", value=k)
    return {name: dict(sorted(of.items())) for name, of in systems.items()}


def _not_by_cutoff(found: object) -> InputError:
    return InputError(
        "these are not estimates by cut-off",
        where="result",
        value=type(found).__name__,
        fix="give {k: rs.ndcg(..., k=k) for k in (5, 10, 20)}, or one such mapping for each system",
    )


def _places(order: int, systems: int, of: Mapping[float, Any]) -> list[float]:
    """The cut-offs, a little aside where there are other systems."""
    aside = 10.0 ** (_APART * (order - (systems - 1) / 2))
    return [float(k) * aside for k in of]


def _line(axes: Axes, order: int, systems: int, of: Mapping[float, Any]) -> None:
    tint, x = look_of(axes).colour(order), _places(order, systems, of)
    axes.plot(
        x, [one.value for one in of.values()], color=tint, linestyle=dashes(order), marker="o",
        markersize=5, linewidth=1.6, zorder=3,
    )  # fmt: skip
    for at, one in zip(x, of.values(), strict=True):
        if math.isfinite(one.low) and math.isfinite(one.high):
            axes.vlines(at, one.low, one.high, color=tint, linewidth=3.0, alpha=INTERVAL, zorder=2)


def _names(axes: Axes, systems: Mapping[str, Mapping[float, Any]]) -> None:
    """Each system's name where its line ends, none of them over another one."""
    if list(systems) == [""]:
        return
    look = look_of(axes)
    bottom, top = axes.get_ylim()
    points = 72.0 * axes.get_window_extent().height / axes.figure.dpi
    ends = [list(of.values())[-1].value for of in systems.values()]
    heights = _apart(ends, _LINE * (top - bottom) / points)
    for i, (name, of) in enumerate(systems.items()):
        axes.annotate(
            shown(name, 18), (_places(i, len(systems), of)[-1], heights[i]), xytext=(7, 0),
            textcoords="offset points", va="center", color=look.colour(i), fontweight="bold",
            fontsize="small",
        )  # fmt: skip


def _apart(heights: Sequence[float], least: float) -> list[float]:
    """The heights, each moved up as far as it must to be that far above the one below it.

    >>> _apart([0.5, 0.2, 0.25], 0.1)
    [0.5, 0.2, 0.30000000000000004]
    """
    moved = list(heights)
    order = sorted(range(len(moved)), key=moved.__getitem__)
    for below, at in pairwise(order):
        moved[at] = max(moved[at], moved[below] + least)
    return moved


def _without_cutoff(measure: str) -> str:
    """A measure's name up to the cut-off that the axis shows."""
    return measure.split("@", maxsplit=1)[0]
