from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from rocsolid.binary.area import Rates, Region
from rocsolid.counts import both_classes
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.calibrated.auto import METHODS
from rocsolid.intervals.guarantees.checks import check_alternative
from rocsolid.plan.more_rows import (
    IN_REGIONS,
    TESTS,
    AreaTest,
    alpha_for,
    auc_for,
    aucs_between,
    level_for,
    size_for,
    size_for_width,
)
from rocsolid.plan.pair import doubts_of_power, doubts_of_precision
from rocsolid.plan.sizes import ClassSizes
from rocsolid.plan.unknown import (
    PlannedPower,
    Sizes,
    check_inside,
    check_spread,
    chosen,
    planned_power,
    the_unknown,
)
from rocsolid.plan.variances import MODELS, WHOLE, NormalCurve
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results import Alternative
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.moments import Moments


@dataclass(frozen=True, slots=True)
class AucPower(PlannedPower, ClassSizes, Plain, Checked):
    """A test of one AUC: the given quantities and the quantity that was solved for.

    ``n_pos`` and ``n_neg`` are real numbers, which ``rows_pos`` and ``rows_neg`` round up.
    ``power`` is the probability of a significant result on the side of the truth, and
    ``wrong_side`` on the other side. ``area``, ``null_area`` and ``std_error`` describe the tested
    area: the AUC itself, or the partial area of a curve with this AUC.
    """

    auc: float
    null: float
    power: float
    level: float
    n_pos: float
    n_neg: float
    alternative: Alternative
    solved_for: str
    area: float
    null_area: float
    std_error: float
    wrong_side: float
    test: str
    variance: str
    source: str
    warnings: tuple[Remark, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    default_power: bool = False
    _json = (
        "auc null power default_power level n_pos n_neg prevalence rows_pos rows_neg rows "
        "alternative solved_for area null_area std_error wrong_side test variance source warnings "
        "settings"
    )

    __repr__ = one_line

    def __str__(self) -> str:
        region = self.settings.get("region")
        return (
            f"{both_classes(self.rows_pos, self.rows_neg)}: "
            f"{self.power_text} for an AUC of {self.auc:.4g} against {self.null:.4g} "
            f"at level {self.level:.4g}"
            f"{'' if region is None else f', tested by the area in {region}'}"
            f" ({self.alternative}, {self.test}, {self.variance})"
        )


def auc_power(
    *,
    auc: float | None = None,
    power: float | None = None,
    n_pos: float | None = None,
    n_neg: float | None = None,
    level: float | None = 0.95,
    prevalence: float | None = None,
    null: float = 0.5,
    alternative: Alternative = "two-sided",
    fpr: Rates | None = None,
    tpr: Rates | None = None,
    spread: float = 1.0,
    test: str | None = None,
    variance: str | None = None,
) -> AucPower:
    """Solve for the quantity left out of ``auc``, ``power``, the class sizes and ``level``.

    The sizes are ``n_pos`` and ``n_neg``, or one of them and ``prevalence``. To solve for the
    sizes, leave both out (``prevalence`` is ½ by default), or leave out the unknown size. A test at
    ``level`` has a false-alarm probability of 1 − ``level``; ``level=None`` solves for the level.
    An AUC to be solved for lies above the null, or below it for ``alternative="less"``. All results
    are real numbers. If ``power`` and another quantity are left out, the power is 0.8.

    ``test`` is the planned test. For "auto", "logit-t", "delong" and "newcombe5", the power is the
    probability that this interval of `rocsolid.auc` excludes the null. "score" is the z test of
    textbooks and of pROC: it compares (Â − null)/σ₀ with a normal quantile, where σ₀ is the
    standard deviation under the null. The default is "score" for a whole area against a null of ½,
    which is pROC's question, and "auto" otherwise.

    ``variance`` is the variance model of the AUC. "binormal" is the exact variance of the
    Mann-Whitney statistic for normal scores, where ``spread`` is the positives' standard deviation
    divided by the negatives'. "obuchowski" is the formula of Obuchowski et al. 2004 and agrees with
    pROC's ``power.roc.test``. For nulls other than ½ it understated the simulated power by up to
    .35, so it is the default only for pROC's question. "hanley-mcneil" is for exponential scores.

    With ``fpr`` or ``tpr``, the tested area is the partial area of this region, as in
    `rocsolid.partial_auc`, whose intervals are "auto", "logit-t" and "wald". ``auc`` and ``null``
    are then the whole AUCs of the curves.

    >>> print(auc_power(auc=0.73, n_pos=41, n_neg=72))
    41 positives and 72 negatives: power 0.9897 for an AUC of 0.73 against 0.5 at level 0.95
    (two-sided, score, obuchowski)
    >>> found = auc_power(auc=0.9, null=0.8, power=0.8, prevalence=0.2)
    >>> print(f"{found.n_pos:.3f} positives and {found.n_neg:.3f} negatives, {found.rows} rows")
    46.533 positives and 186.130 negatives, 234 rows
    """
    check_alternative(alternative)
    sizes = Sizes.of(n_pos, n_neg, prevalence)
    default_power, power = power is None, planned_power(power, (auc, level, sizes.open))
    unknown = the_unknown({"auc": auc, "power": power, "level": level}, sizes)
    for name, value in (("null", null), ("auc", auc), ("power", power), ("level", level)):
        if value is not None or name == "null":
            check_inside(value, name)
    region = WHOLE if fpr is None and tpr is None else Region.of(fpr, tpr)
    tested = _test(null, region, check_spread(spread), test, variance, alternative)
    if auc is not None and power is not None:
        _check_side(auc, tested)
    expected, target = (math.nan if value is None else float(value) for value in (auc, power))
    error = math.nan if level is None else 1.0 - level
    if unknown == "auc":
        end = 0.0 if alternative == "less" else 1.0
        expected = auc_for(
            lambda a: tested.power(a, error, *sizes.known).right, target, aucs_between(null, end)
        )
    elif unknown == "level":
        most = 0.5 if alternative != "two-sided" and tested.test != "score" else 1.0
        error = alpha_for(lambda a: tested.power(expected, a, *sizes.known).right, target, most)
    elif unknown != "power":
        least = 1e-3 if tested.test == "score" else 2.0
        size = size_for(
            lambda n: tested.power(expected, error, *sizes.at(n)).right,
            target,
            error,
            least,
            unknown,
        )
        sizes = Sizes.of(*sizes.at(size), None)
    reached = tested.power(expected, error, *sizes.known)
    return AucPower(
        auc=expected,
        null=float(null),
        power=reached.right,
        level=1.0 - error if level is None else level,
        n_pos=sizes.known[0],
        n_neg=sizes.known[1],
        alternative=alternative,
        solved_for=unknown,
        area=tested.area(expected),
        null_area=tested.area(null),
        std_error=tested.std_error(expected, *sizes.known),
        wrong_side=reached.wrong,
        test=tested.test,
        variance=tested.variance,
        source=MODELS[tested.variance].source,
        warnings=doubts_of_power(tested, expected, error, *sizes.known),
        settings={"region": None if region == WHOLE else str(region), "spread": tested.spread},
        default_power=default_power and unknown != "power",
    )


def _test(
    null: float,
    region: Region,
    spread: float,
    test: str | None,
    variance: str | None,
    alternative: Alternative,
) -> AreaTest:
    of_proc = region == WHOLE and null == 0.5
    options = TESTS if region == WHOLE else IN_REGIONS
    tested = chosen("test", test or ("score" if of_proc else "auto"), options)
    default = "obuchowski" if of_proc and spread == 1.0 and tested == "score" else "binormal"
    return AreaTest(
        float(null), region, spread, chosen("variance", variance or default, MODELS), tested,
        alternative,
    )  # fmt: skip


def _check_side(auc: float, tested: AreaTest) -> None:
    if (auc - tested.null) * tested.side(auc) <= 0.0:
        where = {"greater": "above", "less": "below"}.get(tested.alternative, "away from")
        raise InputError(
            f"the AUC does not lie {where} the null of {tested.null:g}, so there is nothing "
            "to detect",
            where="auc",
            value=auc,
            fix="change auc, null or alternative",
        )


@dataclass(frozen=True, slots=True)
class AucPrecision(ClassSizes, Plain, Checked):
    """An interval of an AUC: the given quantities and the quantity that was solved for.

    ``low`` and ``high`` are the expected limits. ``n_pos`` and ``n_neg`` are real numbers, which
    ``rows_pos`` and ``rows_neg`` round up.
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
            f"{both_classes(self.rows_pos, self.rows_neg)}: "
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
    """Solve for the quantity left out of ``half_width``, the class sizes and ``level``.

    ``interval`` is a calibrated interval of `rocsolid.auc`, computed at the expected AUC with the
    model ``variance``. In a study the width exceeds the plan about half of the time. For rows that
    suffice for every distribution, see `samples`. Sizes and ``variance`` are as in `auc_power`.

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
        # an array of one: it gets NaN limits where a single data set raises an error
        moments = Moments(*(np.array([float(number)]) for number in given))
        low, high = METHODS[interval].limits(moments, confidence, "two-sided")
        return float(low[0]), float(high[0])

    def spare(m: float, n: float, confidence: float) -> float:
        low, high = limits(m, n, confidence)
        return -1.0 if math.isnan(low) else target - (high - low) / 2.0

    target, confidence = (math.nan if x is None else float(x) for x in (half_width, level))
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
            "this interval does not exist for so few rows",
            where=both_classes(m, n, ", "),
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
