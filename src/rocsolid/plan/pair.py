"""Two values of a measure with their covariance, from a model or a pilot, and remarks on plans.

The figures below are the largest differences between predicted and simulated power, by the expected
number of rows of the smaller class on the wrong side (`BinaryMeasure.misplaced`), in several
hundred random settings with 5 to 900 rows per class (``benchmarks/power_study.py --sweep``).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

from rocsolid.arguments import is_number
from rocsolid.binary.area import Region
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_margin_alone
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.partial_area import PartialArea
from rocsolid.measures.whole_area import WholeArea
from rocsolid.plan.more_rows import AreaTest, RejectionRates, aucs_between, critical, exceeded
from rocsolid.plan.pilot import Pilot
from rocsolid.plan.unknown import check_inside, check_spread, chosen
from rocsolid.plan.variances import MODELS, WHOLE, NormalCurve
from rocsolid.remarks.plans import (
    FewOnWrongSide,
    OtherDefault,
    ShortInterval,
    SmallPilot,
    WrongSide,
)
from rocsolid.remarks.remark import Remark
from rocsolid.results import Alternative

Two = float | tuple[float, float]


class Together(NamedTuple):
    var_a: float
    var_b: float
    covariance: float

    @property
    def of_difference(self) -> float:
        return max(self.var_a + self.var_b - 2.0 * self.covariance, 0.0)

    @property
    def correlation(self) -> float:
        scale = math.sqrt(self.var_a * self.var_b)
        return self.covariance / scale if scale > 0.0 else math.nan


@dataclass(frozen=True, slots=True)
class ValuePair:
    """Two values of one measure, on the same rows or on two samples.

    If the rows are the same, exactly one of ``pilot``, ``correlation`` (of the scores, among
    positives and among negatives) and ``auc_correlation`` (of the estimates) is set. For two
    samples, only ``pilot`` may be set. Sample b has ``b_per_a`` rows for each row of sample a.
    """

    measure: BinaryMeasure
    spread: tuple[float, float]
    variance: str
    pilot: Pilot | None
    correlation: tuple[float, float] | None
    auc_correlation: float | None
    paired: bool
    b_per_a: float

    @property
    def source(self) -> str:
        if self.pilot is not None and self.measure.pairwise:
            return "DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988), 837-845, of the pilot"
        if self.pilot is not None:
            return "variances and covariance from the influence of each row of the pilot"
        return MODELS[self.variance].source

    @property
    def region(self) -> Region:
        return self.measure.region or WHOLE

    @property
    def settings(self) -> dict[str, Any]:
        made: dict[str, Any] = {"region": None if self.region == WHOLE else str(self.region)}
        if self.pilot is not None:
            made["pilot"] = {"n_pos": self.pilot.n_pos, "n_neg": self.pilot.n_neg}
            if self.pilot.clusters is not None:
                made["pilot"]["clusters"] = self.pilot.clusters
            made["rows_as_they_come"] = self.measure.of_rows
        else:
            made["spread"] = list(self.spread)
        if self.correlation is not None:
            made["correlation"] = list(self.correlation)
        if self.auc_correlation is not None:
            made["auc_correlation"] = self.auc_correlation
        return made if self.paired else {**made, "b_per_a": self.b_per_a}

    def units(self, n_pos: float, n_neg: float) -> float | None:
        """Return the number of clusters at these class sizes, or ``None`` for independent rows."""
        return None if self.pilot is None else self.pilot.clusters_of(n_pos, n_neg)

    def values(self, auc_a: float, auc_b: float) -> tuple[float, float]:
        if self.pilot is not None:
            return (auc_a, auc_b) if self.measure.pairwise else self.pilot.values
        a, b = (NormalCurve(auc, s) for auc, s in zip((auc_a, auc_b), self.spread, strict=True))
        return a.area(self.region), b.area(self.region)

    def together(self, auc_a: float, auc_b: float, n_pos: float, n_neg: float) -> Together:
        """Return the variances and the covariance at these class sizes (of sample a)."""
        of_b = n_pos * self.b_per_a, n_neg * self.b_per_a
        if self.pilot is not None:
            of_pilot = self.pilot.covariance(n_pos, n_neg)
            var_a, covariance = float(of_pilot[0, 0]), float(of_pilot[0, 1])
            var_b = float(self.pilot.covariance(*of_b)[1, 1])
            return Together(var_a, var_b, covariance if self.paired else 0.0)
        model = MODELS[self.variance]
        a, b = (NormalCurve(auc, s) for auc, s in zip((auc_a, auc_b), self.spread, strict=True))
        var_a = model.each(a, self.region).at(n_pos, n_neg)
        var_b = model.each(b, self.region).at(*of_b)
        if self.auc_correlation is not None:
            return Together(var_a, var_b, self.auc_correlation * math.sqrt(var_a * var_b))
        if self.correlation is None:
            return Together(var_a, var_b, 0.0)
        parts = model.together(a, b, *self.correlation, self.region)
        return Together(var_a, var_b, parts.at(n_pos, n_neg))


def pair_of(
    region: Region,
    spread: Two,
    variance: str | None,
    pilot: Pilot | None,
    correlation: Two | None,
    auc_correlation: float | None,
    paired: bool,
    b_per_a: float,
) -> ValuePair:
    """Return the pair, after a check that the inputs determine its covariance.

    >>> pair_of(WHOLE, 1.0, None, None, 0.5, None, True, 1.0).correlation
    (0.5, 0.5)
    """
    known = {"correlation": correlation, "auc_correlation": auc_correlation, "pilot": pilot}
    sources = [name for name, value in known.items() if value is not None]
    if paired and len(sources) != 1:
        raise InputError(
            f"{'nothing says' if not sources else ' and '.join(sources) + ' both say'} how two "
            "estimates on the same rows vary together",
            where="paired",
            fix="give one of correlation, auc_correlation and pilot, or paired=False",
        )
    if not paired and sources not in ([], ["pilot"]):
        raise InputError(
            "independent samples have no correlation",
            where=" and ".join(sources),
            fix="leave it out, or give paired=True if the samples are the same rows",
        )
    if paired and b_per_a != 1.0:
        raise InputError(
            "both models have the same rows, so sample b has as many",
            where="b_per_a",
            value=b_per_a,
            fix="leave b_per_a out, or give paired=False",
        )
    check_inside(b_per_a, "b_per_a", 0.0, math.inf)
    if pilot is not None:
        if region != WHOLE or spread != 1.0 or variance is not None:
            raise InputError(
                "a pilot determines the region, spread and variance",
                where="pilot",
                fix="leave fpr, tpr, spread and variance out; rs.plan.pilot takes a measure",
            )
        return ValuePair(pilot.measure, (1.0, 1.0), "pilot", pilot, None, None, paired, b_per_a)
    spreads = _two(spread)
    for spread in spreads:
        check_spread(spread)
    rho = None if correlation is None else _two(correlation)
    for correlation in rho or ():
        check_inside(correlation, "correlation", -1.0, 1.0)
    if auc_correlation is not None:
        check_inside(auc_correlation, "auc_correlation", -1.0, 1.0)
    model = chosen("variance", variance or "binormal", MODELS)
    area = WholeArea() if region == WHOLE else PartialArea(region)
    return ValuePair(area, spreads, model, None, rho, auc_correlation, paired, b_per_a)


def _two(value: Two) -> tuple[float, float]:
    for number in value if isinstance(value, tuple | list) else (value,):
        if not is_number(number):
            raise InputError("not a number or two numbers", value=value)
    if isinstance(value, tuple | list):
        if len(value) != 2:
            raise InputError("two numbers are needed, or one for both", value=value)
        return float(value[0]), float(value[1])
    return float(value), float(value)


@dataclass(frozen=True, slots=True)
class DifferenceTest:
    """A test of the difference of two values.

    With ``equivalence``, the test is whether the difference lies between ``null`` and −``null``.
    """

    pair: ValuePair
    null: float
    alternative: Alternative
    equivalence: bool = False

    def distance(self, a: float, b: float) -> float:
        value_a, value_b = self.pair.values(a, b)
        distance = value_a - value_b - self.null
        return -distance if self.alternative == "less" else distance

    def power(self, a: float, b: float, alpha: float, n_pos: float, n_neg: float) -> RejectionRates:
        """Return Φ(|Δ − null|/σ − z) and, if two-sided, Φ(−|Δ − null|/σ − z) for the wrong side.

        Two one-sided tests at margin δ are both significant with probability Φ((δ − Δ)/σ − z) +
        Φ((δ + Δ)/σ − z) − 1, or 0 if this is negative (Phillips 1990, with normal quantiles). With
        k clusters, t distributions with k − 1 degrees of freedom replace the normal ones.
        """
        error = math.sqrt(self.pair.together(a, b, n_pos, n_neg).of_difference)
        clusters = self.pair.units(*(size * min(self.pair.b_per_a, 1.0) for size in (n_pos, n_neg)))
        if clusters is not None and clusters <= 1.0:
            return RejectionRates(0.0, 0.0)
        df = None if clusters is None else clusters - 1.0
        needed, distance = critical(alpha, self.alternative, df), self.distance(a, b)
        two_sided = self.alternative == "two-sided"
        if error == 0.0:
            raise InputError(
                "the two estimates never differ, so there is nothing to test",
                where="correlation",
                fix="give a correlation below 1, or a pilot whose scores differ",
            )
        if self.equivalence:
            shifts = distance / error, (-2.0 * self.null - distance) / error
            both = sum(exceeded(shift, needed, df) for shift in shifts)
            return RejectionRates(max(both - 1.0, 0.0), 0.0)
        distance = abs(distance) if two_sided else distance
        return RejectionRates(
            exceeded(distance / error, needed, df),
            exceeded(-distance / error, needed, df) if two_sided else 0.0,
        )

    def check_side(self, a: float, b: float) -> None:
        distance = self.distance(a, b)
        if self.equivalence and distance >= -2.0 * self.null:
            raise InputError(
                "the difference lies outside the margin, so there is no equivalence to show",
                where="a - b",
                value=distance + self.null,
                fix="widen the margin",
            )
        if distance == 0.0 or (distance < 0.0 and self.alternative != "two-sided"):
            raise InputError(
                "the difference does not lie on the side of the null that is tested",
                where=f"a - b - null = {distance if self.alternative != 'less' else -distance:.4g}",
                value=self.alternative,
                fix="change an AUC, null, margin or alternative",
            )

    def path(self, other_auc: float, of_a: bool) -> list[float]:
        """Return the AUCs to search, starting at the AUC where the null is true."""
        from scipy.optimize import brentq

        up = self.alternative == "two-sided" or (self.alternative == "greater") == of_a

        def gap(auc: float) -> float:
            value_a, value_b = self.pair.values(*((auc, other_auc) if of_a else (other_auc, auc)))
            return value_a - value_b - self.null

        low, high = aucs_between(0.0, 1.0, 2)
        start = low if up else high
        if gap(low) * gap(high) < 0.0:
            start = float(brentq(gap, low, high, xtol=1e-15))
        return aucs_between(start, high if up else low)


def null_and_side(
    null: float, margin: float | None, alternative: Alternative, span: tuple[float, float]
) -> tuple[float, Alternative]:
    """Return the null and the side, both of which a non-inferiority margin sets.

    ``span`` is the range of a difference.
    """
    check_inside(null, "null", *span)
    if margin is None:
        return float(null), alternative
    check_inside(margin, "margin", 0.0, span[1])
    check_margin_alone(null, alternative)
    return -float(margin), "greater"


# (number of misplaced rows, largest error of the power below this number)
OF_ONE = ((1.0, 0.6), (2.0, 0.18), (5.0, 0.08))
OF_TWO = ((1.0, 0.18), (2.0, 0.15), (5.0, 0.06))
OF_TOP = ((5.0, 0.23),)
FEW_FOR_WIDTH = 2.0
DIFFERENT = 0.02
WRONG = 0.05


def doubts_of_power(
    tested: AreaTest, auc: float, alpha: float, n_pos: float, n_neg: float
) -> tuple[Remark, ...]:
    largest = tested.region.maximum
    shares = [tested.area(at) / largest for at in (auc, tested.null)]
    (a, b), (c, d) = tested.region.fpr, tested.region.tpr
    smaller = min(n_pos * (d - c), n_neg * (b - a))
    reached = tested.power(auc, alpha, n_pos, n_neg)
    doubts = [*_misplaced(smaller, shares, OF_ONE), *_wrong_side(reached)]
    if tested.test == "score" and tested.region == WHOLE:
        default = replace(tested, test="auto", variance="binormal")
        power = default.power(auc, min(alpha, 0.5), n_pos, n_neg).right
        if abs(power - reached.right) > DIFFERENT:
            doubts.append(OtherDefault(power))
    return tuple(doubts)


def doubts_of_difference(
    pair: ValuePair,
    values: tuple[float, float],
    reached: RejectionRates,
    n_pos: float,
    n_neg: float,
) -> tuple[Remark, ...]:
    area = pair.measure.pairwise or pair.measure.region is not None
    fewer = min(pair.b_per_a, 1.0)
    count = min(pair.measure.misplaced(value, n_pos * fewer, n_neg * fewer) for value in values)
    warnings = [
        *_few(f"{count:.2g} rows", count, OF_TWO if area else OF_TOP),
        *_wrong_side(reached),
    ]
    pilot = pair.pilot
    if pilot is not None and min(pilot.n_pos, pilot.n_neg, pilot.clusters or 30) < 30:
        warnings.append(SmallPilot(pilot.n_pos, pilot.n_neg, pilot.clusters))
    return tuple(warnings)


def doubts_of_precision(
    auc: float, interval: str, n_pos: float, n_neg: float
) -> tuple[Remark, ...]:
    count = min(n_pos, n_neg) * min(auc, 1.0 - auc)
    if count >= FEW_FOR_WIDTH or interval not in ("delong", "logit-t"):
        return ()
    return (ShortInterval(count),)


def _misplaced(
    smaller: float, shares: list[float], figures: tuple[tuple[float, float], ...]
) -> list[Remark]:
    count = smaller * min(min(share, 1.0 - share) for share in shares)
    return _few(f"{count:.2g} of {smaller:.0f} rows of the smaller class", count, figures)


def _few(what: str, count: float, figures: tuple[tuple[float, float], ...]) -> list[Remark]:
    for below, off in figures:
        if count < below:
            return [FewOnWrongSide(what, below, off)]
    return []


def _wrong_side(reached: RejectionRates) -> list[Remark]:
    share = reached.wrong / max(reached.right + reached.wrong, 1e-300)
    if share <= WRONG:
        return []
    return [WrongSide(share)]
