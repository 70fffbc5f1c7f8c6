from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from rocsolid.arguments import flag
from rocsolid.binary.area import Rates, Region
from rocsolid.counts import both_classes, counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_alternative
from rocsolid.plan.more_rows import alpha_for, auc_for, size_for
from rocsolid.plan.pair import DifferenceTest, doubts_of_difference, null_and_side, pair_of
from rocsolid.plan.pilot import Pilot
from rocsolid.plan.sizes import ClassSizes
from rocsolid.plan.unknown import (
    PlannedPower,
    Sizes,
    check_inside,
    planned_power,
    rounded_up,
    the_unknown,
)
from rocsolid.plan.variances import WHOLE
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.plans import MovedToClusters, PilotDifference
from rocsolid.remarks.remark import Remark
from rocsolid.results import Alternative
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True)
class DifferencePower(PlannedPower, ClassSizes, Plain, Checked):
    """A test of two values: the given quantities and the quantity that was solved for.

    ``difference`` is ``value_a`` − ``value_b``, for the AUCs or another ``measure``. ``n_pos`` and
    ``n_neg`` are real numbers, which ``rows_pos`` and ``rows_neg`` round up (unpaired: for sample
    a). ``correlation`` is the correlation of the two estimates. ``power`` counts significant
    results on the side of the truth and ``wrong_side`` the others. With a clustered pilot,
    ``clusters`` is the number of independent units, and the rows are their expected number in these
    clusters.
    """

    measure: str
    auc_a: float
    auc_b: float
    value_a: float
    value_b: float
    null: float
    power: float
    level: float
    n_pos: float
    n_neg: float
    alternative: Alternative
    solved_for: str
    paired: bool
    std_error: float
    std_error_a: float
    std_error_b: float
    correlation: float
    wrong_side: float
    variance: str
    source: str
    warnings: tuple[Remark, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    default_power: bool = False
    clusters: int | None = None
    _json = (
        "measure auc_a auc_b value_a value_b difference null power default_power level n_pos n_neg "
        "prevalence rows_pos rows_neg rows clusters rows_per_cluster alternative solved_for paired "
        "std_error std_error_a std_error_b correlation wrong_side variance source warnings settings"
    )

    @property
    def rows_per_cluster(self) -> float | None:
        """The average number of rows in a cluster."""
        return self.settings.get("rows_per_cluster")

    @property
    def difference(self) -> float:
        return self.value_a - self.value_b

    __repr__ = one_line

    def __str__(self) -> str:
        region, margin = self.settings.get("region"), self.settings.get("margin")
        where = "" if self.paired else " in each sample"
        if not self.paired and self.settings["b_per_a"] != 1.0:
            where = f" in sample a, {self.settings['b_per_a']:g} times as many in b"
        side: str = self.alternative
        against = f"against {self.null:g} " if self.null else ""
        if margin is not None:
            against = f"with a margin of {margin:g} "
            if self.settings["equivalence"]:
                against, side = f"within ±{margin:g} ", "two one-sided tests"
        what = f"AUCs of {self.auc_a:.4g} and {self.auc_b:.4g}"
        if self.measure != "auc" and self.variance == "pilot":
            what, region = f"{self.measure} of {self.value_a:.4g} and {self.value_b:.4g}", None
        rows = both_classes(self.rows_pos, self.rows_neg)
        if self.settings.get("rows_as_they_come"):
            rows = f"{self.rows:,} rows with about {counted(self.rows_pos, 'positive')}"
        if self.clusters is not None and self.rows_per_cluster is not None:
            rows = (
                f"{counted(self.clusters, 'cluster')} of {self.rows_per_cluster:.3g} rows on "
                f"average, with about {rows}"
            )
        return (
            f"{rows}{where}: {self.power_text} for {what} {against}at level "
            f"{self.level:.4g}{'' if region is None else f', tested by the area in {region}'} "
            f"({side}, {'paired' if self.paired else 'unpaired'}, {self.variance})"
        )


def auc_difference_power(
    *,
    auc_a: float | None = None,
    auc_b: float | None = None,
    power: float | None = None,
    n_pos: float | None = None,
    n_neg: float | None = None,
    level: float | None = 0.95,
    prevalence: float | None = None,
    null: float = 0.0,
    margin: float | None = None,
    equivalence: bool = False,
    alternative: Alternative = "two-sided",
    paired: bool = True,
    correlation: float | tuple[float, float] | None = None,
    auc_correlation: float | None = None,
    pilot: Pilot | None = None,
    difference: float | None = None,
    b_per_a: float = 1.0,
    fpr: Rates | None = None,
    tpr: Rates | None = None,
    spread: float | tuple[float, float] = 1.0,
    variance: str | None = None,
) -> DifferencePower:
    """Solve for the quantity left out of an AUC, ``power``, the class sizes and ``level``.

    The test is DeLong's test of `rocsolid.compare`, with power Φ(|Δ − null|/σ − z). ``null``,
    ``alternative`` and ``margin`` are as in `compare`. With ``equivalence``, two one-sided tests
    test whether |a − b| is below the margin. The sizes and the level are specified or left out as
    in `auc_power`. An AUC to be solved for lies above the other AUC, or on the side of
    ``alternative``.

    Paired models need one of three inputs. ``correlation`` is the correlation of their scores
    within the classes: one number, or one for the positives and one for the negatives.
    ``auc_correlation`` is the correlation of the two estimated AUCs. ``pilot`` contains pilot rows
    (`rocsolid.plan.pilot`), whose variances and covariance are scaled to the sizes, class by class.
    AUCs and prevalence are then the pilot's unless given.

    A pilot of another measure uses the pilot's values, for "pr_auc" and others weighted to the
    planned share of positives; the class sizes are then the expected counts among rows drawn
    without regard to class. ``difference`` is the planned a − b, with b as in the pilot, for any
    measure. A pilot's difference is often larger than the true one; a note has its interval. A plan
    from a pilot with clusters counts similar clusters and uses a t test. If clusters contain both
    classes, the class ratio is the pilot's.

    With ``paired=False`` the models are evaluated on independent samples with the same class ratio.
    Sample b is ``b_per_a`` times as large as sample a.

    ``variance`` is "binormal" by default, exact for scores that are jointly normal within each
    class. ``spread`` is the positives' standard deviation divided by the negatives' (one number, or
    one per model). "obuchowski" is the formula of Obuchowski and McClish 1997 as in pROC.
    "hanley-mcneil" is for exponential scores. With ``fpr`` or ``tpr``, the test compares partial
    areas on the raw scale, for curves with these AUCs.

    >>> models = {"auc_a": 0.85, "auc_b": 0.8, "correlation": 0.5}
    >>> print(auc_difference_power(**models, power=0.8, prevalence=0.2))
    182 positives and 726 negatives: power 0.8000 for AUCs of 0.85 and 0.8 at level 0.95
    (two-sided, paired, binormal)
    >>> print(auc_difference_power(auc_a=0.8, power=0.8, n_pos=100, n_neg=400, paired=False))
    100 positives and 400 negatives in each sample: power 0.8000 for AUCs of 0.8 and 0.885
    at level 0.95 (two-sided, unpaired, binormal)
    >>> same = {"auc_a": 0.85, "auc_b": 0.85, "correlation": 0.7, "margin": 0.03}
    >>> print(auc_difference_power(**same, equivalence=True, power=0.8, prevalence=0.2))
    297 positives and 1,187 negatives: power 0.8000 for AUCs of 0.85 and 0.85 within ±0.03 at level
    0.95 (two one-sided tests, paired, binormal)
    """
    check_alternative(alternative)
    flag(paired, "paired")
    flag(equivalence, "equivalence")
    if equivalence and margin is None:
        raise InputError(
            "equivalence needs a margin", where="equivalence", fix="give margin, such as 0.02"
        )
    region = WHOLE if fpr is None and tpr is None else Region.of(fpr, tpr)
    if difference is not None and (pilot is None or auc_a is not None or auc_b is not None):
        raise InputError(
            "a difference replaces a pilot's values",
            where="difference",
            value=difference,
            fix="give a pilot and no AUC, or auc_a and auc_b alone",
        )
    if pilot is not None and n_pos is None and n_neg is None and prevalence is None:
        prevalence = pilot.n_pos / (pilot.n_pos + pilot.n_neg)
    notes: list[Remark] = []
    own: dict[str, float] = {}
    if pilot is not None:
        own = pilot.difference(0.95 if level is None else check_inside(level, "level"))
        notes.append(PilotDifference(**own))
    if pilot is not None and pilot.mixed:
        given_pos, given_neg = n_pos, n_neg
        n_pos, n_neg, prevalence = _of_whole_clusters(pilot, n_pos, n_neg, prevalence)
        if given_pos and given_neg and round(given_pos) != round(n_pos or 0.0):
            notes.append(MovedToClusters(given_pos, given_neg, n_pos or 0.0, n_neg or 0.0))
    sizes = Sizes.of(n_pos, n_neg, prevalence)
    pilot = None if pilot is None else _as_planned(pilot, sizes, difference)
    if pilot is not None and auc_a is None and auc_b is None:
        auc_a, auc_b = pilot.aucs
    elif pilot is not None and not pilot.measure.pairwise:
        raise InputError(
            f"the values of {pilot.measure.name} come from the pilot",
            where="auc_a, auc_b",
            fix="leave them out; give difference to plan for another difference",
        )
    pair = pair_of(region, spread, variance, pilot, correlation, auc_correlation, paired, b_per_a)
    null, alternative = null_and_side(null, margin, alternative, pair.measure.span)
    default_power, power = power is None, planned_power(power, (auc_a, auc_b, level, sizes.open))
    given = {"auc_a": auc_a, "auc_b": auc_b, "power": power, "level": level}
    unknown = the_unknown(given, sizes)
    for name, value in given.items():
        if value is not None:
            check_inside(value, name)
    a, b, target, at = (math.nan if x is None else float(x) for x in given.values())
    error = 1.0 - at
    if equivalence and unknown in ("auc_a", "auc_b"):
        raise InputError(
            "many AUCs have this power for equivalence",
            where=unknown,
            fix="give both AUCs, and leave out power, a size or level",
        )
    plan = DifferenceTest(pair, null, alternative, equivalence)
    if auc_a is not None and auc_b is not None and power is not None:
        plan.check_side(a, b)
    if unknown == "auc_a":
        path = plan.path(b, of_a=True)
        a = auc_for(lambda x: plan.power(x, b, error, *sizes.known).right, target, path)
    elif unknown == "auc_b":
        path = plan.path(a, of_a=False)
        b = auc_for(lambda x: plan.power(a, x, error, *sizes.known).right, target, path)
    elif unknown == "level":
        error = alpha_for(lambda x: plan.power(a, b, x, *sizes.known).right, target, 1.0)
    elif unknown != "power":
        size = size_for(
            lambda n: plan.power(a, b, error, *sizes.at(n)).right, target, error, 1e-3, unknown
        )
        sizes = Sizes.of(*sizes.at(size), None)
    m, n = sizes.known
    reached, together = plan.power(a, b, error, m, n), pair.together(a, b, m, n)
    values, clusters = pair.values(a, b), pair.units(m, n)
    in_clusters = {} if clusters is None else {"rows_per_cluster": (m + n) / clusters}
    return DifferencePower(
        measure=pair.measure.name,
        auc_a=a,
        auc_b=b,
        value_a=values[0],
        value_b=values[1],
        null=null,
        power=reached.right,
        level=1.0 - error if level is None else level,
        n_pos=m,
        n_neg=n,
        alternative=alternative,
        solved_for=unknown,
        paired=paired,
        std_error=math.sqrt(together.of_difference),
        std_error_a=math.sqrt(together.var_a),
        std_error_b=math.sqrt(together.var_b),
        correlation=together.correlation,
        wrong_side=reached.wrong,
        variance=pair.variance,
        source=pair.source,
        warnings=(*notes, *doubts_of_difference(pair, values, reached, m, n)),
        settings={
            "margin": margin,
            "equivalence": equivalence,
            **_with(pair.settings, own),
            **in_clusters,
        },
        default_power=default_power and unknown != "power",
        clusters=None if clusters is None else rounded_up(clusters),
    )


def _with(settings: dict[str, Any], own: dict[str, float]) -> dict[str, Any]:
    return {**settings, "pilot": {**settings["pilot"], **own}} if own else settings


_ALIKE = 0.05  # relative tolerance for the share of positives in whole clusters


def _of_whole_clusters(
    pilot: Pilot, n_pos: float | None, n_neg: float | None, prevalence: float | None
) -> tuple[float | None, float | None, float | None]:
    own = pilot.n_pos / (pilot.n_pos + pilot.n_neg)
    planned = prevalence
    if n_pos is not None and n_neg is not None:
        planned = n_pos / (n_pos + n_neg)
    if planned is not None and not math.isclose(planned, own, rel_tol=_ALIKE):
        raise InputError(
            f"clusters like the pilot's have {100.0 * own:.3g} % positives, because they have rows "
            "of both classes",
            where="n_pos, n_neg or prevalence",
            value=planned,
            fix="give at most one size and no prevalence",
        )
    if n_pos is not None and n_neg is not None:
        return own * (n_pos + n_neg), (1.0 - own) * (n_pos + n_neg), None
    return n_pos, n_neg, own


def _as_planned(pilot: Pilot, sizes: Sizes, difference: float | None) -> Pilot:
    one_size_is_open = sizes.unknown is not None and sizes.ratio is None
    if one_size_is_open and pilot.measure.of_ratio:
        raise InputError(
            f"{pilot.measure.name} depends on the share of positives, which one class size does "
            f"not give",
            where=sizes.unknown or "",
            fix="give prevalence, or both sizes",
        )
    n_pos, n_neg = sizes.at(1.0)
    pilot = pilot.at(n_pos / (n_pos + n_neg))
    if difference is None:
        return pilot
    b = pilot.values[1]
    (low, high), a = (
        pilot.measure.range,
        b + check_inside(difference, "difference", -math.inf, math.inf),
    )
    if not low < a < high:
        raise InputError(
            f"with this difference {pilot.measure.name} of a would be {a:.4g}, and b's is {b:.4g}",
            where="difference",
            value=difference,
            fix=f"a lies between {low:g} and {high:g}",
        )
    return replace(pilot, values=(a, b))
