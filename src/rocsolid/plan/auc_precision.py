"""Rows for an interval of a wanted width."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rocsolid.errors import UnsoundError
from rocsolid.intervals.calibrated.table import METHODS
from rocsolid.plan.curve import WHOLE, NormalCurve
from rocsolid.plan.doubts import doubts_of_precision
from rocsolid.plan.samples import ClassSizes
from rocsolid.plan.solve import level_for, size_for_width
from rocsolid.plan.unknown import Sizes, check_inside, check_spread, chosen, the_unknown
from rocsolid.plan.variances import MODELS
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results.plain import Plain, counted, one_line
from rocsolid.summaries.moments import Moments


@dataclass(frozen=True, slots=True)
class AucPrecision(ClassSizes, Plain, Checked):
    """An interval of an AUC: everything that was given, and the one thing that was solved for.

    ``low`` and ``high`` are the limits to expect, ``half_width`` half the distance between them.
    ``n_pos`` and ``n_neg`` are real numbers, ``rows_pos`` and ``rows_neg`` those rounded up.
    """

    auc: float
    half_width: float
    low: float
    high: float
    level: float
    n_pos: float
    n_neg: float
    solved_for: str
    interval: str
    std_error: float
    variance: str
    source: str
    warnings: tuple[Remark, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    _json = (
        "auc half_width low high level n_pos n_neg prevalence rows_pos rows_neg rows solved_for "
        "interval std_error variance source warnings settings"
    )

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"{counted(self.rows_pos, 'positive')} and {counted(self.rows_neg, 'negative')}: "
            f"an AUC of {self.auc:g} to within ±{self.half_width:.4f} at {100 * self.level:g} %, "
            f"[{self.low:.4f}, {self.high:.4f}] ({self.interval}, {self.variance})"
        )


def auc_precision(
    *,
    auc: float,
    half_width: float | None = None,
    n_pos: float | None = None,
    n_neg: float | None = None,
    level: float | None = 0.95,
    prevalence: float | None = None,
    interval: str = "auto",
    variance: str = "binormal",
    spread: float = 1.0,
) -> AucPrecision:
    """What is left out of ``half_width``, the class sizes and ``level``, from the rest.

    ``interval`` is a calibrated one of `rocsolid.auc`; its limits are worked out at the AUC that
    you expect, with the variance that ``variance`` gives it there (as in `auc_power`). In a study
    the width varies with the estimate and is above what was planned about half of the time. For
    rows that are enough whatever the distribution see `samples`.

    Sizes are ``n_pos`` and ``n_neg``, or one of them with ``prevalence``, the share of positives;
    to solve for them leave both out (``prevalence`` is then ½ unless given), or the one that is to
    be found.

    >>> print(auc_precision(auc=0.9, half_width=0.03, prevalence=0.2))
    140 positives and 559 negatives: an AUC of 0.9 to within ±0.0300 at 95 %,
    [0.8661, 0.9261] (auto, binormal)
    >>> print(auc_precision(auc=0.9, n_pos=100, n_neg=400, interval="delong"))
    100 positives and 400 negatives: an AUC of 0.9 to within ±0.0329 at 95 %,
    [0.8671, 0.9329] (delong, binormal)
    """
    sizes = Sizes.of(n_pos, n_neg, prevalence)
    unknown = the_unknown({"half_width": half_width, "level": level}, sizes)
    for name, value in (("auc", auc), ("level", level)):
        if value is not None or name == "auc":
            check_inside(value, name)
    if half_width is not None:
        check_inside(half_width, "half_width", 0.0, 0.5)
    chosen("interval", interval, METHODS)
    chosen("variance", variance, MODELS)
    parts = MODELS[variance].one(NormalCurve(auc, check_spread(spread)), WHOLE)

    def limits(m: float, n: float, confidence: float) -> tuple[float, float]:
        shared = parts.pairs / (2.0 * m * n)
        given = (auc, parts.pos / m + shared, parts.neg / n + shared, m, n)
        # as a group of one, which has limits of NaN where a single data set would be refused
        moments = Moments(*(np.array([float(number)]) for number in given))
        low, high = METHODS[interval].limits(moments, confidence, "two-sided")
        return float(low[0]), float(high[0])

    def spare(m: float, n: float, confidence: float) -> float:
        """How much narrower than asked the interval is."""
        low, high = limits(m, n, confidence)
        return -1.0 if math.isnan(low) else wanted - (high - low) / 2.0

    wanted, confidence = (math.nan if x is None else float(x) for x in (half_width, level))
    if unknown == "level":
        m, n = sizes.known
        confidence = level_for(lambda x: -spare(m, n, x))
    elif unknown != "half_width":
        sizes = Sizes.of(
            *sizes.at(size_for_width(lambda x: spare(*sizes.at(x), confidence), unknown)), None
        )
    m, n = sizes.known
    low, high = limits(m, n, confidence)
    if math.isnan(low):
        raise UnsoundError(
            "there is no such interval for so few rows",
            where=f"{m:g} positives, {n:g} negatives",
            value=interval,
            fix='use interval="auto", or more rows',
        )
    return AucPrecision(
        auc=float(auc),
        half_width=(high - low) / 2.0,
        low=low,
        high=high,
        level=confidence,
        n_pos=m,
        n_neg=n,
        solved_for=unknown,
        interval=interval,
        std_error=math.sqrt(parts.at(m, n)),
        variance=variance,
        source=MODELS[variance].source,
        warnings=doubts_of_precision(auc, interval, m, n),
        settings={"spread": float(spread)},
    )
