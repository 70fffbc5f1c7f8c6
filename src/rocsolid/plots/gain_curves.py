"""Cumulative gain and lift: what the best share of all rows holds, over each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from rocsolid.binary.cumulative_gain import GainBlocks
from rocsolid.binary.precision_recall import PrecisionRecall
from rocsolid.plots.curves import badge, foremost, in_grey, letter, named_curves, value_span
from rocsolid.plots.gives import exact_curves
from rocsolid.plots.picture import drawing
from rocsolid.plots.style import dashes, look_of
from rocsolid.plots.words import shown

_Curves = PrecisionRecall | Mapping[str, PrecisionRecall] | Sequence[PrecisionRecall]
_FLOATS = NDArray[np.float64]

_CHANCE = (0, (5, 3))
_SHARES = np.linspace(0.0, 1.0, 501)  # where lines that bend between thresholds are drawn too


def gain(result: _Curves, ax: Axes | None = None) -> Axes:
    """Cumulative gain: the share of the positives that the best share of all rows holds.

    ``result`` is a curve (`rocsolid.precision_recall`), or several by name or in a list. The line
    is straight over tied rows, which are taken in any order, and the area below it is that of
    ``measures="gain"``. Dashed is a score that ranks at random, dotted one that ranks perfectly.

    >>> import rocsolid as rs
    >>> curve = rs.precision_recall([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> gain(curve).get_title(loc="left")
    'Cumulative gain, area 0.6905'
    """
    return _drawn(result, ax, lift=False)


def lift(result: _Curves, ax: Axes | None = None) -> Axes:
    """Lift: how many times as many positives the best rows hold as rows picked at random.

    It is the cumulative gain divided by the share of the rows; see `gain`.

    >>> import rocsolid as rs
    >>> curve = rs.precision_recall([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> lift(curve).get_ylabel()
    'Lift: positives held, times those of rows at random'
    """
    return _drawn(result, ax, lift=True)


def _drawn(result: _Curves, ax: Axes | None, *, lift: bool) -> Axes:
    curves = named_curves(result, PrecisionRecall)
    several = len(curves) > 1
    noun = "lift curves" if lift else "gain curves"
    with drawing(ax, 5.4, 5.0 + 0.2 * len(curves), exact_curves(curves.values(), noun)) as axes:
        look, key, top = look_of(axes), [], 1.0
        shares = sorted({one.baseline for one in curves.values()})
        for share in shares:
            x = np.union1d(_SHARES, [share])
            y = np.minimum(x / share, 1.0)
            (perfect,) = axes.plot(*_scaled(x, y, lift), color=look.muted, lw=1.0, linestyle=":")
        perfect.set_label("perfect ranking" + (" at each share of positives" * (len(shares) > 1)))
        (chance,) = axes.plot(
            *_scaled(_SHARES, _SHARES, lift), color=look.muted, lw=1.0, linestyle=_CHANCE,
            label="ranking at random",
        )  # fmt: skip
        first, others = foremost(curves, _area)
        span = "" if lift else value_span("area", [_area(one) for one in others])
        grey = in_grey(axes, [_scaled(*_gains(one), lift) for one in others], span)
        for i, (name, one) in enumerate(first.items()):
            x, y = _scaled(*_gains(one), lift)
            top = max(top, float(y.max()))
            text = f"{letter(i)}  {shown(name, 28)}" + ("" if lift else f", area {_area(one):.4f}")
            (line,) = axes.plot(
                x, y, color=look.colour(i), linestyle=dashes(i), linewidth=1.6 if several else 2.0,
                clip_on=False, zorder=3, label=text,
            )  # fmt: skip
            if several:
                key.append(line)
                at = (i + 0.5) / len(first)
                badge(axes, at, float(np.interp(at, x, y)), i)
        axes.set_title(_title(curves, lift), loc="left")
        axes.set_xlim(0.0, 1.0)
        axes.set_ylim(0.0, 1.08 * top if lift else 1.0)
        axes.set_xlabel("Share of all rows, the best first")
        axes.set_ylabel(
            "Lift: positives held, times those of rows at random"
            if lift
            else "Gain: share of the positives that they hold"
        )
        handles: list[Line2D] = [*key, *grey, chance, perfect]
        axes.legend(
            handles=handles, loc="upper left", bbox_to_anchor=(-0.02, -0.12), handlelength=1.6
        )
    return axes


def _gains(curve: PrecisionRecall) -> tuple[_FLOATS, _FLOATS]:
    """The corners of the gain curve from no row to all, and places between them."""
    x, y = np.append(0.0, curve.flagged / curve.flagged[-1]), np.append(0.0, curve.recall)
    fine = np.union1d(x, _SHARES)
    return fine, np.interp(fine, x, y)


def _scaled(x: _FLOATS, gained: _FLOATS, lift: bool) -> tuple[_FLOATS, _FLOATS]:
    return (x[1:], gained[1:] / x[1:]) if lift else (x, gained)


def _area(curve: PrecisionRecall) -> float:
    return GainBlocks.of(curve.counts).mean(lambda x: x - 0.5 * x**2)


def _title(curves: dict[str, PrecisionRecall], lift: bool) -> str:
    if len(curves) > 1:
        return "Lift curves" if lift else "Cumulative gains"
    ((name, one),) = curves.items()
    of = f" of {shown(name)}" if name else ""
    return f"Lift curve{of}" if lift else f"Cumulative gain{of}, area {_area(one):.4f}"
