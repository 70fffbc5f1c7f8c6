"""Every pair of a comparison in a square."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from rocsolid.errors import InputError
from rocsolid.plots.gives import VALUES
from rocsolid.plots.picture import drawing
from rocsolid.plots.style import look_of
from rocsolid.plots.words import shown, signed, span
from rocsolid.results import Comparison, Difference, percent

_MOST = 20
_DEEPEST = 0.5  # share of the colour in the cell of the largest difference


def comparison(result: Comparison, ax: Axes | None = None) -> Axes:
    """Differences with their intervals above the diagonal, adjusted p-values below it.

    ``result`` is what `rocsolid.compare` or `rocsolid.queries.compare` returns. A cell above the
    diagonal is row − column: blue where the row is better, orange where the column is, the deeper
    the larger; bold with a star where the adjusted p-value says that the two differ. With a margin,
    † marks a row that is shown not to be inferior, and ≈ two that are shown to be equivalent.

    >>> import rocsolid as rs
    >>> y, a, b = [0, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6], [2, 1, 6, 5, 4, 3]
    >>> ax = comparison(rs.compare(y, {"a": a, "b": b}))
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['a', 'b']
    """
    if not isinstance(result, Comparison):
        raise InputError(
            "this is no comparison",
            where="result",
            value=type(result).__name__,
            fix="give what rs.compare or rs.queries.compare returns",
        )
    names = list(result.estimates)
    if len(names) > _MOST:
        raise InputError(
            f"a square of more than {_MOST} by {_MOST} cannot be read",
            where="result",
            value=len(names),
            fix="compare fewer, or draw some of .pairs with forest",
        )
    at = {name: i for i, name in enumerate(names)}
    with drawing(ax, 1.6 + 1.35 * len(names), 1.5 + 0.6 * len(names), VALUES) as axes:
        look = look_of(axes)
        star = "†" if result.equivalence else "*"  # with a margin p is of being inferior
        alike = {(one.a, one.b) for one in result.equivalence if one.shown}
        largest = max(abs(pair.difference) for pair in result.pairs)
        for name, one in result.estimates.items():
            value = f"{one.value:.{one.interval.decimals}f}"
            _cell(axes, at[name], at[name], look.faint, value, bold=True)
        for pair in result.pairs:
            told = pair.p_adjusted < 1.0 - result.level
            number = signed(pair.difference, pair.interval.decimals) + (star if told else "")
            number += "≈" if (pair.a, pair.b) in alike else ""
            share = _DEEPEST * abs(pair.difference) / largest if largest else 0.0
            tint = look.mixed(0 if pair.difference >= 0 else 1, share)
            text = f"{number}\n{_limits(pair)}"
            _cell(axes, at[pair.a], at[pair.b], tint, text, bold=told)
            _cell(axes, at[pair.b], at[pair.a], look.paper, f"p {pair.adjusted_text}")
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_xticks(range(len(names)), [shown(name, 16) for name in names])
        axes.set_yticks(range(len(names)), [shown(name, 24) for name in names])
        axes.tick_params(length=0, labelcolor=look.ink, top=True, labeltop=True, labelbottom=False)
        axes.grid(visible=False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        measure = "AUC" if result.measure == "auc" else result.measure
        axes.set_title(f"Differences of {measure}", loc="left")
        axes.set_xlabel(_caption(result), fontsize="small", loc="left")
    return axes


def _cell(axes: Axes, row: int, column: int, tint: str, text: str, bold: bool = False) -> None:
    look = look_of(axes)
    axes.add_patch(
        Rectangle((column - 0.48, row - 0.46), 0.96, 0.92, facecolor=tint, edgecolor="none")
    )
    axes.text(
        column, row, text, ha="center", va="center", fontsize="small",
        fontweight="bold" if bold else "normal",
        color=look.muted if tint == look.paper else look.ink,
    )  # fmt: skip


def _limits(pair: Difference) -> str:
    if math.isnan(pair.low) or math.isnan(pair.high):
        return "no interval"
    return "no limits" if pair.interval.vacuous else span(pair.interval, sign=True)


def _caption(result: Comparison) -> str:
    pair = result.pairs[0]
    alpha = f"{1.0 - result.level:.4g}"
    adjusted = result.settings.get("adjust", "none")
    mark = f"* where the adjusted p is below {alpha}"
    if result.equivalence:
        margin = f"{result.equivalence[0].margin:g}"
        mark = (
            f"† row not inferior at a margin of {margin} (adjusted p below {alpha}), ≈ equivalent"
        )
    return (
        f"Above the diagonal: row − column, with its own {percent(pair.interval.level)} interval "
        f"({pair.interval.method});\n{mark}. Below: adjusted p ({pair.method}; {adjusted})."
    )
