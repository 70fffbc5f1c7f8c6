"""Functions that draw pictures of results on matplotlib axes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from matplotlib.axes import Axes

from rocsolid.pictures.comparisons import (
    comparison_picture,
    funnel_picture,
    leaderboard_picture,
    sample_size_picture,
)
from rocsolid.pictures.curves import exposure_picture, precision_recall_picture
from rocsolid.pictures.decision import decision_picture
from rocsolid.pictures.forest import forest_picture
from rocsolid.pictures.lanes import differences_picture
from rocsolid.pictures.lists import cutoffs_picture, discounts_picture
from rocsolid.pictures.marks import Picture
from rocsolid.pictures.matplotlib import drawn
from rocsolid.pictures.of_verbs import folds_picture, gate_picture, watch_picture
from rocsolid.pictures.roc import gain_picture, lift_picture, ranks_picture, roc_picture

_Result = TypeVar("_Result", contravariant=True)
_Options = ParamSpec("_Options")


class DrawsResult(Protocol[_Result, _Options]):
    """A function that accepts a result, axes and options, and returns the axes."""

    def __call__(
        self,
        result: _Result,
        ax: Axes | None = None,
        *args: _Options.args,
        **options: _Options.kwargs,
    ) -> Axes: ...


def _on_axes(
    describe: Callable[Concatenate[_Result, _Options], Picture],
) -> DrawsResult[_Result, _Options]:
    """The function with axes as its second parameter, which it draws on and returns."""

    @functools.wraps(describe)
    def draw(
        result: _Result, ax: Axes | None = None, *args: _Options.args, **options: _Options.kwargs
    ) -> Axes:
        return drawn(describe(result, *args, **options), ax)

    signature = inspect.signature(describe)
    first, *others = signature.parameters.values()
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    axes = inspect.Parameter("ax", kind, default=None, annotation="Axes | None")
    vars(draw)["__signature__"] = signature.replace(
        parameters=[first, axes, *others], return_annotation="Axes"
    )
    draw.__name__ = draw.__qualname__ = describe.__name__.removesuffix("_picture")
    draw.__module__ = __name__
    return draw


comparison = _on_axes(comparison_picture)
cutoffs = _on_axes(cutoffs_picture)
decision = _on_axes(decision_picture)
differences = _on_axes(differences_picture)
exposure = _on_axes(exposure_picture)
folds = _on_axes(folds_picture)
forest = _on_axes(forest_picture)
funnel = _on_axes(funnel_picture)
gain = _on_axes(gain_picture)
gate = _on_axes(gate_picture)
leaderboard = _on_axes(leaderboard_picture)
lift = _on_axes(lift_picture)
precision_recall = _on_axes(precision_recall_picture)
ranks = _on_axes(ranks_picture)
roc = _on_axes(roc_picture)
sample_size = _on_axes(sample_size_picture)
watch = _on_axes(watch_picture)


def discounts(
    result: Any = ("log2", "natural", "zipf"), ax: Axes | None = None, *, depth: int = 100
) -> Axes:
    """Plot discounts against the rank, each divided by its value at the first rank.

    ``result`` is a discount or a list of discounts, in any form that `rocsolid.ndcg` accepts.
    ``depth`` is the last rank that is plotted.

    >>> import rocsolid as rs
    >>> ax = rs.plots.discounts(["log2", rs.discounts.power(0.5)], depth=3)
    >>> ax.lines[1].get_ydata().round(4).tolist()
    [1.0, 0.7071, 0.5774]
    """
    return drawn(discounts_picture(result, depth=depth), ax)
