"""A comparison: every pair in a square, or the ranks that each may hold."""

from __future__ import annotations

import math

import numpy as np

from rocsolid.errors import InputError
from rocsolid.pictures.axis import Axis, Tick
from rocsolid.pictures.disclosed import VALUES
from rocsolid.pictures.marks import CellMark, DotsMark, IntervalMark, LabelMark, Mark, Picture
from rocsolid.pictures.words import shown, signed, span
from rocsolid.results import Comparison, Difference, percent

_MOST = 20
_DEEPEST = 0.5  # share of the colour in the cell of the largest difference


def comparison_picture(result: Comparison) -> Picture:
    """Differences with their intervals above the diagonal, adjusted p-values below it.

    ``result`` is what `rocsolid.compare` or `rocsolid.queries.compare` returns. A cell above the
    diagonal is row − column: blue where the row is better, orange where the column is, the deeper
    the larger; bold with a star where the adjusted p-value says that the two differ. With a margin,
    † marks a row that is shown not to be inferior, and ≈ two that are shown to be equivalent.

    >>> import rocsolid as rs
    >>> y, a, b = [0, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6], [2, 1, 6, 5, 4, 3]
    >>> ax = rs.plots.comparison(rs.compare(y, {"a": a, "b": b}))
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
    position = {name: i for i, name in enumerate(names)}
    star = "†" if result.equivalence else "*"  # with a margin p is of being inferior
    alike = {(one.a, one.b) for one in result.equivalence if one.shown}
    largest = max(abs(pair.difference) for pair in result.pairs)
    marks: list[Mark] = []
    for name, one in result.estimates.items():
        value = f"{one.value:.{one.interval.decimals}f}"
        marks += [
            CellMark(position[name], position[name], None),
            _text(position[name], position[name], value, bold=True),
        ]
    for pair in result.pairs:
        a, b = position[pair.a], position[pair.b]
        told = pair.p_adjusted < 1.0 - result.level
        number = signed(pair.difference, pair.interval.decimals) + (star if told else "")
        number += "≈" if (pair.a, pair.b) in alike else ""
        share = _DEEPEST * abs(pair.difference) / largest if largest else 0.0
        marks += [
            CellMark(b, a, share, 0 if pair.difference >= 0 else 1),
            _text(b, a, f"{number}\n{_limits(pair)}", bold=told),
            LabelMark(a, b, f"p {pair.adjusted_text}", anchor="middle"),
        ]
    title = f"Differences of {_measure(result)}"
    return Picture(
        title,
        f"{title}: {len(result.pairs)} pairs of {len(names)}.",
        Axis(-0.5, len(names) - 0.5, title=_caption(result), rows=True,
              named=tuple(Tick(i, shown(name, 16)) for name, i in position.items())),
        Axis(len(names) - 0.5, -0.5, rows=True,
              named=tuple(Tick(i, shown(name, 24)) for name, i in position.items())),
        tuple(marks),
        discloses=VALUES,
        inches=(1.6 + 1.35 * len(names), 1.5 + 0.6 * len(names)),
    )  # fmt: skip


def _text(x: float, y: float, text: str, *, bold: bool = False) -> LabelMark:
    return LabelMark(x, y, text, "tick strong" if bold else "note", anchor="middle")


def _measure(result: Comparison) -> str:
    return "AUC" if result.measure == "auc" else result.measure


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


def leaderboard_picture(result: Comparison) -> Picture:
    """The ranks that each may hold, the highest value first.

    ``result`` is what `rocsolid.compare` or `rocsolid.queries.compare` returns. Thick: the ranks
    that hold for all at once. Thin, with ends: the certified ones. The dot stands at the rank of
    the value; equal values share theirs.

    >>> import rocsolid as rs
    >>> y, a, b = [0, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6], [2, 1, 6, 5, 4, 3]
    >>> ax = rs.plots.leaderboard(rs.compare(y, {"a": a, "b": b}))
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
    values = {name: estimate.value for name, estimate in result.estimates.items()}
    order = sorted(values, key=lambda name: -values[name])
    marks: list[Mark] = []
    rows = []
    for y, name in enumerate(order):
        rank = result.ranks[name]
        if rank.certified is not None:
            marks.append(IntervalMark(y, rank.certified.low, rank.certified.high, "certified"))
        marks.append(IntervalMark(y, rank.low - 0.2, rank.high + 0.2))
        higher = sum(value > values[name] for value in values.values())
        equal = sum(value == values[name] for value in values.values())
        own_rank = 1 + higher + (equal - 1) / 2
        marks.append(DotsMark(np.array([own_rank]), np.array([float(y)])))
        digits = result.estimates[name].interval.decimals
        rows.append(Tick(y, f"{shown(name, 24)}  {values[name]:.{digits}f}", str(rank)))
    step = math.ceil(len(order) / 12)
    rank_ticks = tuple(Tick(i, str(i)) for i in range(1, len(order) + 1, step))
    title = f"Places by {_measure(result)}"
    return Picture(
        title,
        f"{title}: {'; '.join(f'{row.text}: {row.value}' for row in rows)}.",
        Axis(0.5, len(order) + 0.5, named=rank_ticks,
              title=f"Place, all at once at {percent(result.level)}; thin: certified"),
        Axis(len(order) - 0.5, -0.5, named=tuple(rows), rows=True),
        tuple(marks),
        discloses=VALUES,
        inches=(6.4, 1.3 + 0.34 * len(order)),
    )  # fmt: skip
