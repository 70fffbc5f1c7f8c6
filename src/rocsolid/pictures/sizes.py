"""What more rows, or more queries, would buy: a plan at other sizes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocsolid.errors import InputError, UnsoundError
from rocsolid.pictures.disclosed import VALUES
from rocsolid.pictures.lines import ChartLine, LineChart, lines_picture
from rocsolid.pictures.marks import DotsMark, FloatArray, LabelMark, Mark, Picture
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


def sample_size_picture(result: Plan) -> Picture:
    """A plan at other sizes: the width of an interval, or the power of a test.

    ``result`` is what `rocsolid.plan.auc_precision`, `auc_power`, `query_precision` or
    `query_power` returns. The curve is the same plan from a quarter of its size to six times it,
    the ratio of the classes as it is; the dot is what was planned. For a width a second dot shows
    where it is halved, if that is on the curve.

    >>> import rocsolid as rs
    >>> ax = rs.plots.sample_size(rs.plan.auc_precision(auc=0.9, half_width=0.03, prevalence=0.2))
    >>> [text.get_text() for text in ax.texts]
    ['699 rows: ±0.0300', 'half as wide: 2,411 rows']
    """
    curve = _curve(result)
    x = curve.size * _TIMES
    y = np.array([_or_nan(curve.at, float(size)) for size in x])
    marks = _point(curve.size, curve.value, curve.here, curve.falls)
    if curve.falls:
        halved = _halved(x, y, curve)
        if halved is not None:
            words = f"half as wide: {halved:,} {curve.units}"
            marks += _point(halved, curve.at(halved), words, curve.falls)
    chart = LineChart(curve.title, curve.across, curve.up, x, (ChartLine("", y),))
    picture = lines_picture(chart, {})
    top = 1.05 * float(np.nanmax(y)) if curve.falls else 1.02
    return replace(
        picture,
        x=replace(picture.x, low=0.0, high=float(x[-1])),
        y=replace(picture.y, low=0.0, high=top),
        marks=(*picture.marks, *marks),
        discloses=VALUES,
    )


def _curve(plan: Any) -> PlanCurve:
    for kind, curve in _CURVES.items():
        if isinstance(plan, kind):
            return curve(plan)
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


_CURVES: dict[type, Callable[[Any], PlanCurve]] = {
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


def _halved(x: FloatArray, y: FloatArray, curve: PlanCurve) -> int | None:
    """The fewest whole rows at which the width is half of what was planned, if on the curve."""
    enough = np.flatnonzero(y <= curve.value / 2.0)
    if not enough.size:
        return None
    high = math.ceil(float(x[enough[0]]))
    low = math.floor(curve.size)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if curve.at(middle) <= curve.value / 2.0 else (middle, high)
    return high


def _point(x: float, y: float, words: str, falls: bool) -> tuple[Mark, ...]:
    dot = DotsMark(np.array([x]), np.array([y]), "here")
    move = (7.0, 7.0 if falls else -7.0)
    return dot, LabelMark(x, y, words, "note", level="bottom" if falls else "top", move=move)
