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
from rocsolid.plan import auc_power, auc_precision, query_power, query_precision
from rocsolid.plan.auc_power import AucPower
from rocsolid.plan.auc_precision import AucPrecision
from rocsolid.plan.query_power import QueryPower
from rocsolid.plan.query_precision import QueryPrecision
from rocsolid.results import percent

Plan = AucPrecision | AucPower | QueryPrecision | QueryPower

_TIMES = np.geomspace(0.25, 6.0, 61)


@dataclass(frozen=True, slots=True)
class PlanKind:
    """How a kind of plan is made again at another size, and what its curve is called.

    ``given`` are its attributes or settings that stay, ``solved`` is what is drawn.
    """

    again: Callable[..., Any]
    given: str
    solved: str
    up: str
    title: str
    here: str
    falls: bool = False


_KINDS: dict[type, PlanKind] = {
    AucPrecision: PlanKind(
        auc_precision, "auc level interval variance spread", "half_width",
        "Half the width of the {level} interval", "Rows for an interval of an AUC of {0.auc:g}",
        "{0.rows:,} rows: ±{0.half_width:.4f}", falls=True,
    ),
    AucPower: PlanKind(
        auc_power, "auc level null alternative test variance spread", "power",
        "Power at level {0.level:.4g}", "Rows to tell an AUC of {0.auc:.4g} from {0.null:.4g}",
        "{0.rows:,} rows: power {0.power:.3f}",
    ),
    QueryPrecision: PlanKind(
        query_precision, "sd level", "width",
        "Expected width of the {level} interval, end to end",
        "Queries for an interval, standard deviation {0.sd:.4g}",
        "{0.topics:,} queries: {0.width:.4g} wide", falls=True,
    ),
    QueryPower: PlanKind(
        query_power, "difference sd level alternative", "power",
        "Power at level {0.level:.4g}", "Queries to find a difference of {0.difference:.4g}",
        "{0.topics:,} queries: power {0.power:.3f}",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlanCurve:
    """A plan at other sizes, the ratio of the classes as it is."""

    plan: Any
    kind: PlanKind

    @property
    def by_rows(self) -> bool:
        return isinstance(self.plan, AucPrecision | AucPower)

    @property
    def size(self) -> float:
        plan = self.plan
        return float(plan.n_pos + plan.n_neg if self.by_rows else plan.queries)

    @property
    def value(self) -> float:
        return float(getattr(self.plan, self.kind.solved))

    def at(self, size: float) -> float:
        """What is drawn at that size."""
        plan = self.plan
        given = {
            name: getattr(plan, name) if hasattr(plan, name) else plan.settings[name]
            for name in self.kind.given.split()
        }
        if self.by_rows:
            share = plan.n_pos / self.size
            given |= {"n_pos": share * size, "n_neg": (1.0 - share) * size}
        else:
            given["queries"] = size
        return float(getattr(self.kind.again(**given), self.kind.solved))

    def words(self, text: str) -> str:
        return text.format(self.plan, level=percent(self.plan.level))


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
    kind, falls, units, across = curve.kind, curve.kind.falls, "queries", "Queries"
    if curve.by_rows:
        share = percent(round(curve.plan.n_pos / curve.size, 3))
        units, across = "rows", f"Rows, {share} of them positive"
    x = curve.size * _TIMES
    y = np.array([_or_nan(curve.at, float(size)) for size in x])
    marks = _point(curve.size, curve.value, curve.words(kind.here), falls)
    if falls:
        halved = _halved(x, y, curve)
        if halved is not None:
            words = f"half as wide: {halved:,} {units}"
            marks += _point(halved, curve.at(halved), words, falls)
    chart = LineChart(curve.words(kind.title), across, curve.words(kind.up), x, (ChartLine("", y),))
    picture = lines_picture(chart, {})
    top = 1.05 * float(np.nanmax(y)) if falls else 1.02
    return replace(
        picture,
        x=replace(picture.x, low=0.0, high=float(x[-1])),
        y=replace(picture.y, low=0.0, high=top),
        marks=(*picture.marks, *marks),
        discloses=VALUES,
    )


def _curve(plan: Any) -> PlanCurve:
    kind = next((kind for of, kind in _KINDS.items() if isinstance(plan, of)), None)
    if kind is None:
        raise InputError(
            "there is no picture of this plan",
            where="result",
            value=type(plan).__name__,
            fix="give what rs.plan.auc_precision, auc_power, query_precision or query_power "
            "returns",
        )
    if isinstance(plan, AucPower) and plan.settings["region"] is not None:
        raise InputError(
            "there is no picture of a plan for a partial area",
            where="result",
            value=plan.settings["region"],
            fix="plan for the whole area",
        )
    return PlanCurve(plan, kind)


def _or_nan(at: Callable[[float], float], size: float) -> float:
    """Nothing is drawn for sizes at which the plan has no answer."""
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
