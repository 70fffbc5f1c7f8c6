from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rocsolid.arguments import is_number, whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.matrices import query_matrix
from rocsolid.intervals.calibrated.standard_error import tail
from rocsolid.intervals.guarantees.checks import check_alternative
from rocsolid.plan.unknown import PlannedPower, check_inside, planned_power, rounded_up
from rocsolid.results import Alternative
from rocsolid.results.plain import Plain, one_line
from rocsolid.results.query_estimate import QueryEstimate

MOST = 1e9  # queries
_LARGEST = 1000.0  # standard deviations; beyond, the non-central distributions lose their digits
SOURCE = (
    "Sakai, Information Retrieval Journal 19 (2016), 256-283 (topic set size design), with the "
    "non-central t distribution itself"
)


class _Topics:
    __slots__ = ()

    queries: float

    @property
    def topics(self) -> int:
        return rounded_up(self.queries)


@dataclass(frozen=True, slots=True)
class QueryPower(PlannedPower, _Topics, Plain):
    """A paired t test over queries: the given quantities and the quantity that was solved for.

    ``queries`` is a real number, which ``topics`` rounds up. ``wrong_side`` is the probability of a
    significant result in the wrong direction, which ``power`` excludes.
    """

    difference: float
    sd: float
    queries: float
    power: float
    level: float
    alternative: Alternative
    solved_for: str
    wrong_side: float
    source: str = SOURCE
    default_power: bool = False
    _json = (
        "difference sd queries topics power default_power level alternative solved_for wrong_side "
        "source"
    )

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"{self.topics:,} queries: {self.power_text} for a difference of "
            f"{self.difference:.4g} with standard deviation {self.sd:.4g} at level {self.level:.4g}"
            f" (paired t, {self.alternative})"
        )


def query_power(
    *,
    difference: float | None = None,
    sd: float,
    queries: float | None = None,
    power: float | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> QueryPower:
    """Solve for the quantity left out of ``difference``, ``queries`` and ``power``.

    ``difference`` is the difference of two systems' means. ``sd`` is the standard deviation over
    queries of their differences by query (`query_spread` estimates it from a pilot). The t
    statistic is non-central t with queries − 1 degrees of freedom and non-centrality
    √queries·difference/sd, which is exact for normal differences. A one-sided test is on the side
    of the difference. If two of the three quantities are left out, the power is 0.8.

    >>> print(query_power(difference=0.05, sd=0.1, power=0.8))
    34 queries: power 0.8000 for a difference of 0.05 with standard deviation 0.1 at level 0.95
    (paired t, two-sided)
    >>> round(query_power(sd=0.1, queries=50, power=0.8).difference, 4)
    0.0404
    """
    check_alternative(alternative)
    alpha = 1.0 - check_inside(level, "level", 0.5, 1.0)
    check_inside(sd, "sd", 0.0, math.inf)
    default_power, power = power is None, planned_power(power, (difference, queries))
    unknown = left_out({"difference": difference, "queries": queries, "power": power})
    size = math.nan if queries is None else check_inside(queries, "queries", 1.0, MOST)
    target = math.nan if power is None else check_inside(power, "power", alpha)
    effect = math.nan if difference is None else effect_of(difference, sd)
    if unknown == "queries":
        size = smallest_size(lambda n: _power(effect, n, alpha, alternative)[0] - target)
    elif unknown == "difference":
        from scipy.special import nctdtrinc

        limit = _critical(size, alpha, alternative)
        effect = float(nctdtrinc(size - 1.0, 1.0 - target, limit)) / math.sqrt(size)
    right, wrong = _power(effect, size, alpha, alternative)
    return QueryPower(
        effect * sd if difference is None else difference, sd, size, right, level, alternative,
        unknown, wrong, default_power=default_power and unknown != "power",
    )  # fmt: skip


def effect_of(difference: float, sd: float) -> float:
    """Return the absolute difference in standard deviations."""
    if not (is_number(difference) and math.isfinite(difference)):
        raise InputError(
            "a difference must be a finite number", where="difference", value=difference
        )
    effect = abs(float(difference)) / sd
    if effect == 0.0:
        raise InputError(
            "a difference of 0 cannot be detected", where="difference", value=difference
        )
    if effect > _LARGEST:
        raise InputError(
            f"a difference of more than {_LARGEST:,.0f} standard deviations needs no plan",
            where="difference",
            value=difference,
            fix="check sd, the standard deviation over queries of the differences by query",
        )
    return effect


def left_out(given: Mapping[str, float | None]) -> str:
    """Return the name of the only quantity without a value.

    >>> left_out({"queries": None, "power": 0.8})
    'queries'
    """
    names = [name for name, value in given.items() if value is None]
    if len(names) != 1:
        problem = f"{', '.join(names)} are left out" if names else "nothing is left to solve for"
        raise InputError(problem, fix=f"leave out exactly one of {', '.join(given)}")
    return names[0]


def smallest_size(surplus: Callable[[float], float]) -> float:
    """Return the real size at which a surplus that grows with the size becomes 0."""
    from scipy.optimize import brentq

    if surplus(2.0) >= 0.0:
        return 2.0
    high = 4.0
    while surplus(high) < 0.0:
        if high > MOST:
            raise InputError(
                f"not even {MOST:,.0f} queries are enough", fix="plan for a larger difference"
            )
        high *= 2.0
    return float(brentq(surplus, high / 2.0, high, rtol=1e-13))


def _critical(size: float, alpha: float, alternative: Alternative) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(size - 1.0, tail(1.0 - alpha, alternative)))


def _power(
    effect: float, size: float, alpha: float, alternative: Alternative
) -> tuple[float, float]:
    """Return P(T > t) and, for a two-sided test, P(T < −t)."""
    limit, centre = _critical(size, alpha, alternative), effect * math.sqrt(size)
    wrong = _below(-limit, size - 1.0, centre) if alternative == "two-sided" else 0.0
    return 1.0 - _below(limit, size - 1.0, centre), wrong


def _below(limit: float, freedom: float, centre: float) -> float:
    """Return P(T ≤ limit); SciPy's NaN for some probabilities below 1e-15 becomes 0."""
    from scipy.special import nctdtr

    power = float(nctdtr(freedom, centre, limit))
    return 0.0 if math.isnan(power) else power


@dataclass(frozen=True, slots=True)
class QueryAnova(PlannedPower, _Topics, Plain):
    """A one-way ANOVA over queries: the given quantities and the quantity that was solved for.

    ``queries`` is a real number for each system, which ``topics`` rounds up.
    """

    difference: float
    sd: float
    systems: int
    queries: float
    power: float
    level: float
    solved_for: str
    source: str = SOURCE.replace("t distribution", "F distribution")
    default_power: bool = False
    _json = "difference sd systems queries topics power default_power level solved_for source"

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"{self.topics:,} queries: {self.power_text} to detect a difference of "
            f"{self.difference:.4g} between the best and the worst of {self.systems} systems "
            f"(standard deviation {self.sd:.4g}, level {self.level:.4g}, one-way ANOVA)"
        )


def query_anova(
    *,
    systems: int,
    sd: float,
    difference: float | None = None,
    queries: float | None = None,
    power: float | None = None,
    level: float = 0.95,
) -> QueryAnova:
    """Solve for the quantity left out of ``difference``, ``queries`` and ``power``, by ANOVA.

    Sakai's one-way design uses the F test of m systems, with (m−1, m(n−1)) degrees of freedom. The
    non-centrality is n·D²/(2σ²), the minimum if the best and the worst system differ by D =
    ``difference``. σ = ``sd`` is the standard deviation of one system's values over queries. The
    design ignores that the systems share their queries, so it needs more queries than
    `query_power`. If two of the three quantities are left out, the power is 0.8.

    >>> print(query_anova(systems=5, difference=0.1, sd=0.2, power=0.8))
    97 queries: power 0.8000 to detect a difference of 0.1 between the best and the worst of 5
    systems (standard deviation 0.2, level 0.95, one-way ANOVA)
    """
    whole(systems, "systems", 2)
    alpha = 1.0 - check_inside(level, "level")
    check_inside(sd, "sd", 0.0, math.inf)
    default_power, power = power is None, planned_power(power, (difference, queries))
    unknown = left_out({"difference": difference, "queries": queries, "power": power})
    size = math.nan if queries is None else check_inside(queries, "queries", 1.0, MOST)
    target = math.nan if power is None else check_inside(power, "power", alpha)
    effect = math.nan if difference is None else effect_of(difference, sd)
    if unknown == "queries":
        size = smallest_size(lambda n: _power_of_query_anova(effect, n, systems, alpha) - target)
    elif unknown == "difference":
        # solve for the non-centrality, because the power grows with it
        squared = smallest_size(
            lambda x: _power_of_query_anova(math.sqrt(x - 2.0), size, systems, alpha) - target
        )
        effect = math.sqrt(squared - 2.0)
    return QueryAnova(
        effect * sd if difference is None else difference, sd, systems, size,
        _power_of_query_anova(effect, size, systems, alpha), level, unknown,
        default_power=default_power and unknown != "power",
    )  # fmt: skip


def _power_of_query_anova(effect: float, size: float, systems: int, alpha: float) -> float:
    from scipy.special import fdtri, ncfdtr

    between, within = systems - 1.0, systems * (size - 1.0)
    limit = float(fdtri(between, within, 1.0 - alpha))
    return 1.0 - float(ncfdtr(between, within, size * effect**2 / 2.0, limit))


QUERY_PRECISION_SOURCE = (
    "Sakai, Information Retrieval Journal 19 (2016), 256-283, section on interval widths"
)


@dataclass(frozen=True, slots=True)
class QueryPrecision(_Topics, Plain):
    """The expected width of Student's interval for a mean over queries, and the queries for it.

    ``queries`` is a real number, which ``topics`` rounds up.
    """

    width: float
    sd: float
    queries: float
    level: float
    solved_for: str
    source: str = QUERY_PRECISION_SOURCE
    _json = "width sd queries topics level solved_for source"

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"{self.topics:,} queries: an interval at {self.level:g} is {self.width:.4g} wide on "
            f"average, from end to end, with standard deviation {self.sd:.4g}"
        )


def query_precision(
    *, sd: float, width: float | None = None, queries: float | None = None, level: float = 0.95
) -> QueryPrecision:
    """Return the queries for an interval of this ``width``, or the width from these queries.

    The width is 2·t·E[s]/√n. t is Student's quantile with n − 1 degrees of freedom, and E[s] =
    σ√(2/(n−1))·Γ(n/2)/Γ((n−1)/2) for normal values. ``sd`` = σ is the standard deviation over
    queries of one system's values, or of the differences of two systems by query.

    >>> print(query_precision(width=0.05, sd=0.1))
    64 queries: an interval at 0.95 is 0.05 wide on average, from end to end, with standard
    deviation 0.1
    """
    check_inside(sd, "sd", 0.0, math.inf)
    check_inside(level, "level")
    unknown = left_out({"width": width, "queries": queries})
    if width is not None:
        target = check_inside(width, "width", 0.0, math.inf)
        size = smallest_size(lambda n: target - _width(sd, n, level))
    else:
        size = check_inside(queries, "queries", 1.0, MOST)
    return QueryPrecision(_width(sd, size, level), sd, size, level, unknown)


def _width(sd: float, size: float, level: float) -> float:
    from scipy.special import gammaln, stdtrit

    shrunk = math.sqrt(2.0 / (size - 1.0)) * math.exp(
        float(gammaln(size / 2.0) - gammaln((size - 1.0) / 2.0))
    )
    quantile = float(stdtrit(size - 1.0, 0.5 + level / 2.0))
    return 2.0 * quantile * sd * shrunk / math.sqrt(size)


@dataclass(frozen=True, slots=True)
class QuerySpread(Plain):
    """Standard deviations over queries, pooled over systems.

    ``value`` is the standard deviation of one system's values, and ``difference`` that of two
    systems' differences by query.
    """

    value: float
    difference: float
    systems: int
    queries: int

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"standard deviation over {self.queries:,} queries: {self.value:.4f} of a system's "
            f"values, {self.difference:.4f} of the difference of two ({self.systems} systems)"
        )


def query_spread(values: Mapping[str, Any]) -> QuerySpread:
    """Estimate standard deviations over queries from a pilot.

    ``values`` has a value for each system and query, or the estimates of one measure, such as
    ``answer.measures[0].estimates`` of `rocsolid.evaluate` with ``qid`` or of `rocsolid.runs`. A
    query without a value for one system is left out for all.

    The squares are Sakai's residual variances: of one-way ANOVA for ``value``, and twice that of
    two-way ANOVA for ``difference``.

    >>> print(query_spread({"a": [0.1, 0.5, 0.9], "b": [0.2, 0.5, 0.8]}))
    standard deviation over 3 queries: 0.3536 of a system's values, 0.1000 of the difference of two
    (2 systems)
    """
    matrix = np.stack(list(query_matrix(_by_query(values), range=None).values()))
    systems, queries = matrix.shape
    if queries < 2:
        raise UnsoundError("one query shows no variation between queries", where="values")
    centred = matrix - matrix.mean(axis=1, keepdims=True)
    left = centred - centred.mean(axis=0)
    return QuerySpread(
        float(np.sqrt((centred**2).sum() / (systems * (queries - 1)))),
        float(np.sqrt(2.0 * (left**2).sum() / ((systems - 1) * (queries - 1)))),
        systems,
        queries,
    )


def _by_query(values: Any) -> Any:
    """Return the values of estimates at the queries with a value for each estimate."""
    estimates = [*values.values()] if isinstance(values, Mapping) else []
    if not estimates or not all(isinstance(estimate, QueryEstimate) for estimate in estimates):
        return values
    if not all(np.array_equal(estimate.qids, estimates[0].qids) for estimate in estimates):
        raise InputError(
            "the estimates are for different queries",
            where="values",
            fix="use the estimates of one measure of one answer",
        )
    per_query = np.stack([estimate.per_query for estimate in estimates])
    counted = per_query[:, ~np.isnan(per_query).any(axis=0)]
    if not counted.shape[1]:
        raise UnsoundError("no query has a value for every system", where="values")
    return dict(zip(values, counted, strict=True))
