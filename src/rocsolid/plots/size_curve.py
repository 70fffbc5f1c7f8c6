"""What more rows, or more queries, would buy."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from rocsolid.errors import InputError, UnsoundError
from rocsolid.plan import (
    AucPower,
    AucPrecision,
    QueryPower,
    QueryPrecision,
    auc_power,
    auc_precision,
    query_power,
    query_precision,
)
from rocsolid.plots.gives import VALUES
from rocsolid.plots.picture import drawing
from rocsolid.plots.style import look_of
from rocsolid.results import percent

Plan = AucPrecision | AucPower | QueryPrecision | QueryPower

_TIMES = np.geomspace(0.25, 6.0, 61)


@dataclass(frozen=True, slots=True)
class PlanCurve:
    """A plan as a curve: what was planned, the same at other sizes, and what it is called."""

    size: float
    value: float
    at: Callable[[float], float]
    units: str
    across: str
    up: str
    title: str
    here: str
    falls: bool


def sample_size(result: Plan, ax: Axes | None = None) -> Axes:
    """A plan at other sizes: the width of an interval, or the power of a test.

    ``result`` is what `rocsolid.plan.auc_precision`, `auc_power`, `query_precision` or
    `query_power` returns. The curve is the same plan from a quarter of its size to six times it,
    the ratio of the classes as it is; the dot is what was planned. For a width a second dot shows
    where it is halved, if that is on the curve.

    >>> import rocsolid as rs
    >>> ax = sample_size(rs.plan.auc_precision(auc=0.9, half_width=0.03, prevalence=0.2))
    >>> [text.get_text() for text in ax.texts]
    ['699 rows: ±0.0300', 'half as wide: 2,411 rows']
    """
    asked = _question(result)
    x = asked.size * _TIMES
    y = np.array([_or_nan(asked.at, float(size)) for size in x])
    with drawing(ax, 6.0, 4.2, VALUES) as axes:
        look = look_of(axes)
        axes.plot(x, y, color=look.colour(0), linewidth=2.0, zorder=2)
        _mark(axes, asked.size, asked.value, asked.here, asked.falls)
        if asked.falls:
            halved = _halved(x, y, asked)
            if halved is not None:
                text = f"half as wide: {halved:,} {asked.units}"
                _mark(axes, halved, asked.at(halved), text, asked.falls)
        axes.set_xlim(0.0, float(x[-1]))
        axes.set_ylim(0.0, None if asked.falls else 1.02)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.set_xlabel(asked.across)
        axes.set_ylabel(asked.up)
        axes.set_title(asked.title, loc="left")
    return axes


def _question(plan: Any) -> PlanCurve:
    for kind, asked in _QUESTIONS.items():
        if isinstance(plan, kind):
            return asked(plan)
    raise InputError(
        "there is no picture of this plan",
        where="result",
        value=type(plan).__name__,
        fix="give what rs.plan.auc_precision, auc_power, query_precision or query_power returns",
    )


def _auc_precision(plan: AucPrecision) -> PlanCurve:
    share = plan.n_pos / (plan.n_pos + plan.n_neg)

    def at(rows: float) -> float:
        return auc_precision(
            auc=plan.auc,
            n_pos=share * rows,
            n_neg=(1.0 - share) * rows,
            level=plan.level,
            interval=plan.interval,
            variance=plan.variance,
            spread=plan.settings["spread"],
        ).half_width

    return PlanCurve(
        size=plan.n_pos + plan.n_neg,
        value=plan.half_width,
        at=at,
        units="rows",
        across=f"Rows, {percent(round(share, 3))} of them positive",
        up=f"Half the width of the {percent(plan.level)} interval",
        title=f"Rows for an interval of an AUC of {plan.auc:g}",
        here=f"{plan.rows:,} rows: ±{plan.half_width:.4f}",
        falls=True,
    )


def _auc_power(plan: AucPower) -> PlanCurve:
    if plan.settings["region"] is not None:
        raise InputError(
            "there is no picture of a plan for a partial area",
            where="result",
            value=plan.settings["region"],
            fix="plan for the whole area",
        )
    share = plan.prevalence

    def at(rows: float) -> float:
        return auc_power(
            auc=plan.auc,
            n_pos=share * rows,
            n_neg=(1.0 - share) * rows,
            level=plan.level,
            null=plan.null,
            alternative=plan.alternative,
            test=plan.test,
            variance=plan.variance,
            spread=plan.settings["spread"],
        ).power

    return PlanCurve(
        size=plan.n_pos + plan.n_neg,
        value=plan.power,
        at=at,
        units="rows",
        across=f"Rows, {percent(round(share, 3))} of them positive",
        up=f"Power at level {plan.level:.4g}",
        title=f"Rows to tell an AUC of {plan.auc:.4g} from {plan.null:.4g}",
        here=f"{plan.rows:,} rows: power {plan.power:.3f}",
        falls=False,
    )


def _query_precision(plan: QueryPrecision) -> PlanCurve:
    return PlanCurve(
        size=plan.queries,
        value=plan.width,
        at=lambda queries: query_precision(sd=plan.sd, queries=queries, level=plan.level).width,
        units="queries",
        across="Queries",
        up=f"Expected width of the {percent(plan.level)} interval, end to end",
        title=f"Queries for an interval, standard deviation {plan.sd:.4g}",
        here=f"{plan.topics:,} queries: {plan.width:.4g} wide",
        falls=True,
    )


def _query_power(plan: QueryPower) -> PlanCurve:
    def at(queries: float) -> float:
        return query_power(
            difference=plan.difference,
            sd=plan.sd,
            queries=queries,
            level=plan.level,
            alternative=plan.alternative,
        ).power

    return PlanCurve(
        size=plan.queries,
        value=plan.power,
        at=at,
        units="queries",
        across="Queries",
        up=f"Power at level {plan.level:.4g}",
        title=f"Queries to find a difference of {plan.difference:.4g}",
        here=f"{plan.topics:,} queries: power {plan.power:.3f}",
        falls=False,
    )


_QUESTIONS: dict[type, Callable[[Any], PlanCurve]] = {
    AucPrecision: _auc_precision,
    AucPower: _auc_power,
    QueryPrecision: _query_precision,
    QueryPower: _query_power,
}


def _or_nan(at: Callable[[float], float], size: float) -> float:
    """What a plan for so few rows cannot say is not drawn."""
    try:
        return at(size)
    except (UnsoundError, InputError):
        return math.nan


def _halved(x: NDArray[np.float64], y: NDArray[np.float64], asked: PlanCurve) -> int | None:
    """The fewest whole rows at which the width is half of what was planned, if on the curve."""
    enough = np.flatnonzero(y <= asked.value / 2.0)
    if not enough.size:
        return None
    high = math.ceil(float(x[enough[0]]))
    low = math.floor(asked.size)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if asked.at(middle) <= asked.value / 2.0 else (middle, high)
    return high


def _mark(axes: Axes, x: float, y: float, text: str, falls: bool) -> None:
    look = look_of(axes)
    axes.plot(
        [x],
        [y],
        "o",
        color=look.ink,
        markeredgecolor=look.paper,
        markersize=7,
        zorder=4,
        clip_on=False,
    )
    axes.annotate(
        text, (x, y), xytext=(7, 7 if falls else -7), textcoords="offset points",
        va="bottom" if falls else "top", fontsize="small", color=look.ink,
    )  # fmt: skip
