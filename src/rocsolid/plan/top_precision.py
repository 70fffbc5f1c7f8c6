"""Rows for an interval of a wanted width, for average precision and precision among the best."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocsolid.errors import InputError
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.logit_share import logit_share
from rocsolid.measures.at_cut import AtCut
from rocsolid.measures.named import measure_of
from rocsolid.measures.precision_recall_area import PrecisionRecallArea
from rocsolid.plan.sizes import check_prevalence, smallest
from rocsolid.plan.unknown import check_inside
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.spread import Spread

_POSITIVES = 500  # of the model sample
_MOST = 500_000  # rows of it
_SHIFTS = (0.0, 8.0)


@dataclass(frozen=True, slots=True)
class TopPrecision(Plain):
    """The rows to label, as they come, and the limits to expect of them.

    ``positives`` is the number to expect among them. ``std_error`` and the limits are those of a
    sample that has the value that was given.
    """

    measure: str
    value: float
    half_width: float
    low: float
    high: float
    level: float
    rows: int
    positives: float
    prevalence: float
    std_error: float
    source: str = "variance from the pull of each row, for normal scores in both classes"

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"{self.rows:,} rows with about {self.positives:,.0f} positives: {self.measure} "
            f"{self.value:g} to within ±{self.half_width:.4f} at {100 * self.level:g} %, "
            f"[{self.low:.4f}, {self.high:.4f}]"
        )


def top_precision(
    *,
    measure: str = "pr_auc",
    value: float,
    prevalence: float,
    half_width: float | None = None,
    rows: int | None = None,
    level: float = 0.95,
) -> TopPrecision:
    """The rows that an interval of this half width takes, or the half width that rows give.

    ``measure`` is "pr_auc" or the precision among a share of the rows, such as "precision@5%";
    ``value`` is what you expect of it, and ``prevalence`` the share of positives among rows as they
    come. Scores are taken as normal in both classes, with equal spread, so far apart that the
    measure has that value. In a study the width varies with the estimate, and with how many rows
    turn out positive.

    >>> print(top_precision(value=0.5, prevalence=0.05, half_width=0.05))
    8,390 rows with about 420 positives: pr_auc 0.5 to within ±0.0500 at 95 %, [0.4500, 0.5500]
    """
    chosen = measure_of(measure)
    cut = chosen.cut / 100.0 if isinstance(chosen, AtCut) and chosen.share else None
    area = isinstance(chosen, PrecisionRecallArea) and chosen.kind == "step"
    if not area and (cut is None or not chosen.name.startswith("precision")):
        raise InputError(
            "this plan is for average precision and for the precision among a share of the rows",
            where="measure", value=measure, fix='give "pr_auc" or one such as "precision@5%"',
        )  # fmt: skip
    assert isinstance(chosen, AtCut | PrecisionRecallArea)
    if chosen.prevalence != "rows":
        raise InputError(
            "this plan is for rows as they come", where="measure", value=measure,
            fix="give the share of positives as prevalence=",
        )  # fmt: skip
    check_inside(value, "value")
    check_inside(level, "level")
    pi = check_prevalence(prevalence)
    if (half_width is None) == (rows is None):
        raise InputError("one of half_width and rows is found from the other", where="half_width",
                         value=half_width, fix="give one of them")  # fmt: skip
    model = _model(chosen, value, pi)
    own = Spread.of(model, [chosen.found(model).influences()], centred=False).own(0)
    a_row = float(own.total[0, 0]) * len(model)

    def limits(n: int) -> tuple[float, float]:
        trials = n * (pi if cut is None else cut)
        return logit_share(value, a_row / n, max(n * pi - 1.0, 1.0), trials, level, "two-sided")

    def half(n: int) -> float:
        low, high = limits(n)
        return (high - low) / 2.0

    if rows is None:
        check_inside(half_width, "half_width", 0.0, 0.5)
        assert half_width is not None
        rows = smallest(half, half_width, least=math.ceil(2.0 / pi))
    low, high = limits(rows)
    return TopPrecision(
        chosen.name, float(value), half(rows), low, high, level, rows, rows * pi, pi,
        math.sqrt(a_row / rows),
    )  # fmt: skip


def _model(measure: AtCut | PrecisionRecallArea, value: float, pi: float) -> BinaryRows:
    """Rows at the quantiles of both classes, whose shift gives the measure its value."""
    from scipy.special import ndtri

    size = min(_POSITIVES / pi, _MOST)
    pos, neg = max(round(pi * size), 2), max(round((1.0 - pi) * size), 2)
    at = [ndtri((np.arange(count) + 0.5) / count) for count in (pos, neg)]
    positive = np.arange(pos + neg) < pos

    def rows(shift: float) -> BinaryRows:
        return BinaryRows(positive, np.concatenate([at[0] + shift, at[1]]))

    low, high = _SHIFTS
    ends = [measure.found(rows(shift)).value for shift in (low, high)]
    if not ends[0] < value < ends[1]:
        raise InputError(
            f"no score that is better than chance has this {measure.name}: it lies between "
            f"{ends[0]:.4g} and {ends[1]:.4g}",
            where="value", value=value, fix="check value and prevalence",
        )  # fmt: skip
    for _ in range(30):
        middle = (low + high) / 2.0
        if measure.found(rows(middle)).value < value:
            low = middle
        else:
            high = middle
    return rows(high)
