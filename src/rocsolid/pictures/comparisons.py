"""Pictures of comparisons, ranks, segments and plans."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.pictures.lists import VALUES, shown, signed, span, wrong_result
from rocsolid.pictures.marks import (
    Axis,
    CellMark,
    ChartLine,
    DotsMark,
    FloatArray,
    IntervalMark,
    LabelMark,
    LineChart,
    LineMark,
    Mark,
    Picture,
    Tick,
    lines_picture,
)
from rocsolid.plan.power import AucPower, AucPrecision, auc_power, auc_precision
from rocsolid.plan.queries import QueryPower, QueryPrecision, query_power, query_precision
from rocsolid.results import percent
from rocsolid.results.card import measure_title
from rocsolid.results.comparison import Comparison, Difference
from rocsolid.results.segments import SegmentEvidence

_MOST = 20
_DEEPEST = 0.5  # opacity of the cell with the largest difference


def comparison_picture(result: Comparison) -> Picture:
    """Plot differences with intervals above the diagonal, and adjusted p-values below it.

    ``result`` is a result of `rocsolid.compare` or `rocsolid.queries.compare`. A cell above the
    diagonal is row − column: blue if the row is better, orange if the column is, and darker for
    larger differences. Bold numbers with a star are significant after adjustment. With a margin, †
    marks a row that is significantly not inferior, and ≈ two equivalent scores.

    >>> import rocsolid as rs
    >>> y, a, b = [0, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6], [2, 1, 6, 5, 4, 3]
    >>> ax = rs.plots.comparison(rs.compare(y, {"a": a, "b": b}))
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['a', 'b']
    """
    if not isinstance(result, Comparison):
        raise wrong_result(
            "this is not a comparison", result, "give a result of rs.compare or rs.queries.compare"
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
    star = "†" if result.equivalence else "*"  # with a margin, p tests inferiority
    alike = {(test.a, test.b) for test in result.equivalence if test.shown}
    largest = max(abs(pair.difference) for pair in result.pairs)
    marks: list[Mark] = []
    for name, estimate in result.estimates.items():
        value = f"{estimate.value:.{estimate.interval.decimals}f}"
        marks += [
            CellMark(position[name], position[name], None),
            _text(position[name], position[name], value, bold=True),
        ]
    for pair in result.pairs:
        a, b = position[pair.a], position[pair.b]
        significant = pair.p_adjusted < 1.0 - result.level
        number = signed(pair.difference, pair.interval.decimals) + (star if significant else "")
        number += "≈" if (pair.a, pair.b) in alike else ""
        share = _DEEPEST * abs(pair.difference) / largest if largest else 0.0
        marks += [
            CellMark(b, a, share, 0 if pair.difference >= 0 else 1),
            _text(b, a, f"{number}\n{_limits(pair)}", bold=significant),
            LabelMark(a, b, f"p {pair._adjusted_text}", anchor="middle"),
        ]
    title = f"Differences of {measure_title(result.measure)}"
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
    """Plot the possible ranks of each score, the highest value first.

    ``result`` is a result of `rocsolid.compare` or `rocsolid.queries.compare`. Thick lines are
    simultaneous ranks, thin lines with caps certified ranks. The dot is the rank of the value;
    equal values share a rank.

    >>> import rocsolid as rs
    >>> y, a, b = [0, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6], [2, 1, 6, 5, 4, 3]
    >>> ax = rs.plots.leaderboard(rs.compare(y, {"a": a, "b": b}))
    >>> [text.get_text() for text in ax.texts]
    ['1–2', '1–2']
    """
    if not isinstance(result, Comparison) or not result.ranks:
        raise wrong_result(
            "there are no places to draw",
            result,
            "give what rs.compare or rs.queries.compare returns, of a test of values",
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
    title = f"Places by {measure_title(result.measure)}"
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


_NAMED = 8


def funnel_picture(result: SegmentEvidence) -> Picture:
    """Plot the value of each segment against its number of rows, with the limits of chance.

    ``result`` is an element of ``.heterogeneity`` of `rocsolid.evaluate` with ``by``. Segments
    outside the funnel differ from the mean at the level, without adjustment. Named segments differ
    from the rest after adjustment.

    >>> import rocsolid as rs
    >>> table = {"y": [0, 1, 0, 1, 1, 0] * 4, "s": [*range(12), *range(0, 36, 3)],
    ...          "site": ["a"] * 12 + ["b"] * 12}
    >>> ax = rs.plots.funnel(rs.evaluate(table, label="y", scores="s", by="site").heterogeneity[0])
    >>> ax.get_title(loc="left")
    's: AUC by segment'
    """
    from scipy.special import ndtri

    if not isinstance(result, SegmentEvidence):
        raise wrong_result(
            "there are no segments to draw",
            result,
            "give one of .heterogeneity of rs.evaluate(..., by=...)",
        )
    size = np.array([segment.units for segment in result.segments])
    grid = np.geomspace(size.min() * 0.8, size.max() * 1.25, 200)
    half = float(ndtri(0.5 + result.level / 2.0)) * result.typical / np.sqrt(grid)
    marks: list[Mark] = [LineMark(grid, np.full(len(grid), result.mean), role="average")]
    marks += [LineMark(grid, result.mean + side * half, role="limit") for side in (-1.0, 1.0)]
    differ = set(map(id, result.differ))
    for segment, x in zip(result.segments, size, strict=True):
        apart = id(segment) in differ
        at = np.array([x])
        marks.append(
            DotsMark(at, np.array([segment.value]), "value" if apart else "pale", int(apart))
        )
        marks.append(DotsMark(at, np.array([segment.shrunken]), "shrunken"))
    marks += [
        LabelMark(
            segment.units,
            segment.value,
            shown(segment.name, 24),
            "note",
            level="bottom",
            move=(5.0, 3.0),
        )
        for segment in result.differ[:_NAMED]
    ]
    heights = [*(result.mean + half), *(result.mean - half), *(s.value for s in result.segments)]
    queries = "n_queries" in result.segments[0].counts
    behind = "Queries" if queries else "Rows behind the value, 1/(1/positives + 1/negatives)"
    return Picture(
        f"{result.score}: {measure_title(result.measure)} by segment",
        f"{len(result.segments)} segments by their size, with the limits of chance; "
        f"{len(result.differ)} differ from the rest.",
        Axis(
            float(grid[0]),
            float(grid[-1]),
            log=True,
            title=f"{behind}; dashed: {percent(result.level)} by chance; dash: shrunken",
        ),
        Axis.around(heights),
        tuple(marks),
        discloses=VALUES,
        inches=(6.4, 4.2),
    )


Plan = AucPrecision | AucPower | QueryPrecision | QueryPower

_TIMES = np.geomspace(0.25, 6.0, 61)


@dataclass(frozen=True, slots=True)
class PlanKind:
    """The function that recomputes a plan, which attributes it keeps, and the texts."""

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
    """Plot a plan at other sizes: the width of an interval, or the power of a test.

    ``result`` is a result of `rocsolid.plan.power`, `auc_power`, `query_precision` or
    `query_power`. The curve covers a quarter of the planned size to six times that size, with the
    same ratio of classes; the dot is the plan. For a width, a second dot marks half the width, if
    on the curve.

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
        raise wrong_result(
            "there is no picture of this plan",
            plan,
            "give what rs.plan.auc_precision, auc_power, query_precision or query_power returns",
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
    try:
        return at(size)
    except (UnsoundError, InputError):
        return math.nan


def _halved(x: FloatArray, y: FloatArray, curve: PlanCurve) -> int | None:
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
