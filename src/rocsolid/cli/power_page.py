"""The page of a plan: its answer, and the results of other numbers of rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from rocsolid.counts import both_classes
from rocsolid.errors import RocsolidError
from rocsolid.pictures.marks import ChartLine, LineChart, lines_picture
from rocsolid.plan.auc_difference_power import DifferencePower
from rocsolid.plan.power import AucPower, AucPrecision
from rocsolid.plan.unknown import USUAL_POWER
from rocsolid.report.blocks import TextBlock
from rocsolid.report.data import PLANNED, Page
from rocsolid.report.frame import Large
from rocsolid.report.html import render
from rocsolid.report.text import Cells
from rocsolid.results.card import Card, CardRow

Plan = AucPower | AucPrecision | DifferencePower

_SIZES = np.geomspace(0.25, 4.0, 49)
_ROWS = ("n_pos", "n_neg")  # solved as real numbers; what is needed are those rounded up
_WORDS = {
    "auc": "AUC",
    "auc_a": "AUC of a",
    "auc_b": "AUC of b",
    "null": "value without an effect",
    "rows_pos": "positives",
    "rows_neg": "negatives",
    "rows": "rows in all",
    "prevalence": "share of positives",
    "half_width": "half-width of the interval",
    "low": "lower limit to expect",
    "high": "upper limit to expect",
    "area": "area that is tested",
    "null_area": "that area without an effect",
    "std_error": "standard error",
    "std_error_a": "standard error of a",
    "std_error_b": "standard error of b",
    "value_a": "value of a",
    "value_b": "value of b",
    "wrong_side": "probability of significance in the wrong direction",
    "variance": "formula for the variance",
    "correlation": "correlation of the estimates",
    "solved_for": "solved for",
    "paired": "the same rows for both",
    "rows_per_cluster": "rows in a cluster, on average",
    "default_power": "the power is the default",
}


def power_page(
    planned: Plan, reached: Callable[[float, float], float], *, command: str = ""
) -> str:
    """Render the page; ``reached`` is the power, or the half-width, for given numbers of rows."""
    what = "Half-width" if isinstance(planned, AucPrecision) else "Power"
    here = planned.half_width if isinstance(planned, AucPrecision) else planned.power
    points = _points(planned, reached)
    positives, _, heights = zip(*points, strict=True)
    chart = LineChart(
        f"{what} with other numbers of rows",
        "Positives, at the same ratio of classes",
        what,
        np.array(positives, dtype=np.float64),
        (ChartLine("", np.array(heights), (planned.n_pos, here)),),
        log_x=True,
        levels=() if isinstance(planned, AucPrecision) else (_level(planned),),
    )
    unit = "rows" if getattr(planned, "clusters", None) is None else "clusters"
    solved = f"number of {unit}" if planned.solved_for in _ROWS else _words(planned.solved_for)
    rows = tuple(
        (_words(name), solved if name == "solved_for" else _in_words(value))
        for name, value in planned.to_dict().items()
        if isinstance(value, int | float | str) and name not in ("source", *_ROWS)
    )
    cells = Cells("All options, and the number that was solved for.", ("quantity", "value"), rows)
    said = (f"Ring: this plan. Source: {planned.source}.",)
    block = TextBlock("The plan", cells, said, tuple(planned.warnings))
    page = Page(
        f"A plan: the {solved}",
        # what stands in brackets at the end are methods, which the table names
        verdict=(f"{str(planned).rpartition(' (')[0]}.",),
        card=_card(planned, what, here),
        large=(_large(chart, points, planned),),
        command=command,
        leaks=PLANNED,
    )
    return render(page, [block])


def _card(planned: Plan, what: str, here: float) -> Card:
    rows = both_classes(planned.rows_pos, planned.rows_neg)
    reached = f"{what.lower()} {_in_words(here)}"
    clusters = getattr(planned, "clusters", None)
    value = getattr(planned, planned.solved_for)
    title, text, between = _words(planned.solved_for), _in_words(value), rows
    if planned.solved_for in _ROWS:
        title, text, between = f"rows: {rows}", f"{planned.rows:,}", reached
        if clusters is not None:
            title, text = f"clusters, on average with {rows}", f"{clusters:,}"
    return Card(title, rows=(CardRow("", value, text, between),))


def _points(
    planned: Plan, reached: Callable[[float, float], float]
) -> list[tuple[int, int, float]]:
    sizes = {
        math.ceil(round(planned.n_pos * by, 9)): math.ceil(round(planned.n_neg * by, 9))
        for by in _SIZES
    }
    points = [(n_pos, n_neg, _or_nan(reached, n_pos, n_neg)) for n_pos, n_neg in sizes.items()]
    return [point for point in points if math.isfinite(point[2])]


def _large(chart: LineChart, points: Sequence[tuple[int, int, float]], planned: Plan) -> Large:
    each = getattr(planned, "rows_per_cluster", None)
    heads = ("positives", "negatives", "rows in all", chart.y_title.lower())
    rows = []
    for n_pos, n_neg, height in points:
        row = f"{n_pos:,}", f"{n_neg:,}", f"{n_pos + n_neg:,}", f"{height:.4f}"
        clusters = () if each is None else (f"{math.ceil(round((n_pos + n_neg) / each, 9)):,}",)
        rows.append((*clusters, *row))
    start = min(range(len(points)), key=lambda i: abs(points[i][0] - planned.rows_pos))
    return Large(
        lines_picture(chart, {}),
        Cells("Points of the curve.", heads if each is None else ("clusters", *heads), tuple(rows)),
        points=tuple((float(n_pos), height) for n_pos, _, height in points), start=start,
    )  # fmt: skip


def _level(found: AucPower | DifferencePower) -> tuple[float, str]:
    power = USUAL_POWER if found.solved_for == "power" else found.power
    return power, f"{power:.4g}"


def _words(name: str) -> str:
    return _WORDS.get(name, name)


def _in_words(value: float | str) -> str:
    """Format a value with its significant digits.

    >>> _in_words(1.59e-08), _in_words(0.30000000000000004), _in_words(True), _in_words(26)
    ('below 0.0001', '0.3', 'yes', '26')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return str(value)
    return "below 0.0001" if 0.0 < value < 1e-4 else f"{value:.4g}"


def _or_nan(reached: Callable[[float, float], float], n_pos: int, n_neg: int) -> float:
    try:
        return reached(n_pos, n_neg)
    except RocsolidError:
        return float("nan")
