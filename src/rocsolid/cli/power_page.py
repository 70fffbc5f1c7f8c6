"""The page of a plan: its answer, and what other numbers of rows would reach."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocsolid.errors import RocsolidError
from rocsolid.plan import AucPower, AucPrecision, DifferencePower
from rocsolid.report.blocks import TextBlock
from rocsolid.report.blocks_page import as_html
from rocsolid.report.cells import Cells
from rocsolid.report.leak_data import PLANNED
from rocsolid.report.line_chart import ChartLine, LineChart

Plan = AucPower | AucPrecision | DifferencePower

_SIZES = np.geomspace(0.25, 4.0, 17)


def power_page(found: Plan, reached: Callable[[float, float], float], *, command: str = "") -> str:
    """``reached`` is the power, or half the width of the interval, with so many rows."""
    what = "Half-width" if isinstance(found, AucPrecision) else "Power"
    here = found.half_width if isinstance(found, AucPrecision) else found.power
    heights = [_or_nan(reached, found.n_pos * by, found.n_neg * by) for by in _SIZES]
    chart = LineChart(
        f"{what} with other numbers of rows",
        "Positives, at the same ratio of classes",
        what,
        found.n_pos * _SIZES,
        (ChartLine(what, np.array(heights), (found.n_pos, here)),),
        log_x=True,
        levels=() if isinstance(found, AucPrecision) else ((0.8, "0.8"),),
    )
    rows = tuple(
        (name.replace("_", " "), f"{value:.6g}" if isinstance(value, float) else str(value))
        for name, value in found.to_dict().items()
        if isinstance(value, int | float | str) and name != "source"
    )
    cells = Cells(
        "Everything that was given, and what was solved for.", ("quantity", "value"), rows
    )
    said = (f"Ring: this plan. Source: {found.source}.",)
    block = TextBlock("The plan", cells, said, tuple(found.warnings))
    title = f"A plan: {found.solved_for.replace('_', ' ')}"
    return as_html(
        [block],
        title=title,
        command=command,
        # what stands in brackets at the end are methods, which the table names
        verdict=(f"{str(found).rpartition(' (')[0]}.",),
        charts=(chart,),
        leaks=PLANNED,
    )


def _or_nan(reached: Callable[[float, float], float], n_pos: float, n_neg: float) -> float:
    """Too few rows for a variance have no power to draw."""
    try:
        return reached(n_pos, n_neg)
    except RocsolidError:
        return float("nan")
