"""How two values of a measure vary together, by a model or from a pilot."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from rocsolid.arguments import is_number
from rocsolid.binary.partial_area import Region
from rocsolid.errors import InputError
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.partial_area import PartialArea
from rocsolid.measures.whole_area import WholeArea
from rocsolid.plan.curve import WHOLE, NormalCurve
from rocsolid.plan.pilot import Pilot
from rocsolid.plan.unknown import check_inside, check_spread, chosen
from rocsolid.plan.variances import MODELS

Two = float | tuple[float, float]


class Together(NamedTuple):
    """The variances of two estimates and their covariance."""

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

    Of ``pilot``, ``correlation`` (of the scores among positives and among negatives) and
    ``auc_correlation`` (of the two estimates) one is set where rows are the same, none where they
    are not. Sample b has ``b_per_a`` rows for each row of sample a.
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
            return "variances and covariance from the pull of each row of the pilot"
        return MODELS[self.variance].source

    @property
    def region(self) -> Region:
        """That of an area; all of the curve for other measures."""
        return self.measure.region or WHOLE

    @property
    def settings(self) -> dict[str, Any]:
        """What was assumed, for the record."""
        made: dict[str, Any] = {"region": None if self.region == WHOLE else str(self.region)}
        if self.pilot is not None:
            made["pilot"] = {"n_pos": self.pilot.n_pos, "n_neg": self.pilot.n_neg}
            made["rows_as_they_come"] = self.measure.of_rows
        else:
            made["spread"] = list(self.spread)
        if self.correlation is not None:
            made["correlation"] = list(self.correlation)
        if self.auc_correlation is not None:
            made["auc_correlation"] = self.auc_correlation
        return made if self.paired else {**made, "b_per_a": self.b_per_a}

    def values(self, auc_a: float, auc_b: float) -> tuple[float, float]:
        if self.pilot is not None:
            return (auc_a, auc_b) if self.measure.pairwise else self.pilot.values
        a, b = (NormalCurve(auc, s) for auc, s in zip((auc_a, auc_b), self.spread, strict=True))
        return a.area(self.region), b.area(self.region)

    def together(self, auc_a: float, auc_b: float, n_pos: float, n_neg: float) -> Together:
        """The variances and the covariance with so many rows of each class (in sample a)."""
        of_b = n_pos * self.b_per_a, n_neg * self.b_per_a
        if self.pilot is not None:
            found = self.pilot.covariance(n_pos, n_neg)
            var_a, covariance = float(found[0, 0]), float(found[0, 1])
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
        found_both = model.together(a, b, *self.correlation, self.region)
        return Together(var_a, var_b, found_both.at(n_pos, n_neg))


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
    """The pair, if just enough is known about how its values vary.

    >>> pair_of(WHOLE, 1.0, None, None, 0.5, None, True, 1.0).correlation
    (0.5, 0.5)
    """
    known = {"correlation": correlation, "auc_correlation": auc_correlation, "pilot": pilot}
    named = [name for name, value in known.items() if value is not None]
    if paired and len(named) != 1:
        raise InputError(
            f"{'nothing says' if not named else ' and '.join(named) + ' both say'} how two "
            "estimates on the same rows vary together",
            where="paired",
            fix="give one of correlation, auc_correlation and pilot, or paired=False",
        )
    if not paired and named not in ([], ["pilot"]):
        raise InputError(
            "independent samples have no correlation",
            where=" and ".join(named),
            fix="leave it out, or the samples are the same rows: paired=True",
        )
    if paired and b_per_a != 1.0:
        raise InputError(
            "the same rows are as many for both models",
            where="b_per_a",
            value=b_per_a,
            fix="leave b_per_a out, or give paired=False",
        )
    check_inside(b_per_a, "b_per_a", 0.0, math.inf)
    if pilot is not None:
        if region != WHOLE or spread != 1.0 or variance is not None:
            raise InputError(
                "a pilot knows its own region, spread and variance",
                where="pilot",
                fix="leave fpr, tpr, spread and variance out; rs.plan.pilot takes a measure",
            )
        return ValuePair(pilot.measure, (1.0, 1.0), "pilot", pilot, None, None, paired, b_per_a)
    spreads = _two(spread)
    for one in spreads:
        check_spread(one)
    rho = None if correlation is None else _two(correlation)
    for one in rho or ():
        check_inside(one, "correlation", -1.0, 1.0)
    if auc_correlation is not None:
        check_inside(auc_correlation, "auc_correlation", -1.0, 1.0)
    model = chosen("variance", variance or "binormal", MODELS)
    area = WholeArea() if region == WHOLE else PartialArea(region)
    return ValuePair(area, spreads, model, None, rho, auc_correlation, paired, b_per_a)


def _two(value: Two) -> tuple[float, float]:
    for one in value if isinstance(value, tuple | list) else (value,):
        if not is_number(one):
            raise InputError("not a number, nor two of them", value=value)
    if isinstance(value, tuple | list):
        if len(value) != 2:
            raise InputError("two numbers are needed, or one for both", value=value)
        return float(value[0]), float(value[1])
    return float(value), float(value)
