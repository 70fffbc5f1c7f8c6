"""How many queries a paired t test needs, or what it can find: topic-set size by power."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.intervals.calibrated.tails import tail
from rocsolid.intervals.guarantees.checks import check_alternative
from rocsolid.plan.unknown import check_inside, rounded_up
from rocsolid.results import Alternative
from rocsolid.results.plain import Plain, one_line

MOST = 1e9  # queries
_LARGEST = 1000.0  # standard deviations; beyond, the non-central distributions lose their digits
SOURCE = (
    "Sakai, Information Retrieval Journal 19 (2016), 256-283 (topic set size design), with the "
    "non-central t distribution itself"
)


@dataclass(frozen=True, slots=True)
class QueryPower(Plain):
    """A paired t test over queries: everything that was given, and what was solved for.

    ``queries`` is a real number, ``topics`` that number rounded up. ``wrong_side`` is the
    probability of a significant result in the wrong direction, which ``power`` leaves out.
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
    _json = "difference sd queries topics power level alternative solved_for wrong_side source"

    @property
    def topics(self) -> int:
        return rounded_up(self.queries)

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"{self.topics:,} queries: power {self.power:.4f} for a difference of "
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
    """What is left out of ``difference``, ``queries`` and ``power``, from the other two.

    ``difference`` is that of two systems' means, ``sd`` the standard deviation over queries of
    their differences by query (`query_spread` has it from a pilot). The t statistic is then
    non-central t with queries − 1 degrees of freedom and non-centrality √queries·difference/sd,
    exactly so for normal differences. A one-sided test looks to the side of the difference.

    >>> print(query_power(difference=0.05, sd=0.1, power=0.8))
    34 queries: power 0.8000 for a difference of 0.05 with standard deviation 0.1 at level 0.95
    (paired t, two-sided)
    >>> round(query_power(sd=0.1, queries=50, power=0.8).difference, 4)
    0.0404
    """
    check_alternative(alternative)
    alpha = 1.0 - check_inside(level, "level", 0.5, 1.0)
    check_inside(sd, "sd", 0.0, math.inf)
    unknown = left_out({"difference": difference, "queries": queries, "power": power})
    size = math.nan if queries is None else check_inside(queries, "queries", 1.0, MOST)
    wanted = math.nan if power is None else check_inside(power, "power", alpha)
    effect = math.nan if difference is None else effect_of(difference, sd)
    if unknown == "queries":
        size = smallest_size(lambda n: _power(effect, n, alpha, alternative)[0] - wanted)
    elif unknown == "difference":
        from scipy.special import nctdtrinc

        limit = _critical(size, alpha, alternative)
        effect = float(nctdtrinc(size - 1.0, 1.0 - wanted, limit)) / math.sqrt(size)
    right, wrong = _power(effect, size, alpha, alternative)
    return QueryPower(
        effect * sd if difference is None else difference,
        sd,
        size,
        right,
        level,
        alternative,
        unknown,
        wrong,
    )


def effect_of(difference: float, sd: float) -> float:
    """The size of the difference in standard deviations.

    >>> effect_of(-0.05, 0.1)
    0.5
    """
    if not (is_number(difference) and math.isfinite(difference)):
        raise InputError(
            "a difference must be a finite number", where="difference", value=difference
        )
    effect = abs(float(difference)) / sd
    if effect == 0.0:
        raise InputError(
            "a difference of 0 is not there to be found", where="difference", value=difference
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
    """The one name without a value.

    >>> left_out({"queries": None, "power": 0.8})
    'queries'
    """
    names = [name for name, value in given.items() if value is None]
    if len(names) != 1:
        some = f"{', '.join(names)} are left out" if names else "nothing is left to solve for"
        raise InputError(some, fix=f"leave out exactly one of {', '.join(given)}")
    return names[0]


def smallest_size(surplus: Callable[[float], float]) -> float:
    """The real size at which a surplus that grows with it becomes 0."""
    from scipy.optimize import brentq

    if surplus(2.0) >= 0.0:
        return 2.0
    high = 4.0
    while surplus(high) < 0.0:
        if high > MOST:
            raise InputError(
                f"not even {MOST:,.0f} queries are enough", fix="ask for a larger difference"
            )
        high *= 2.0
    return float(brentq(surplus, high / 2.0, high, rtol=1e-13))


def _critical(size: float, alpha: float, alternative: Alternative) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(size - 1.0, tail(1.0 - alpha, alternative)))


def _power(
    effect: float, size: float, alpha: float, alternative: Alternative
) -> tuple[float, float]:
    """P(T > t) and, for a two-sided test, P(T < −t)."""
    limit, centre = _critical(size, alpha, alternative), effect * math.sqrt(size)
    wrong = _below(-limit, size - 1.0, centre) if alternative == "two-sided" else 0.0
    return 1.0 - _below(limit, size - 1.0, centre), wrong


def _below(limit: float, freedom: float, centre: float) -> float:
    """P(T ≤ limit); SciPy has NaN for some probabilities below 1e-15, which are 0 here."""
    from scipy.special import nctdtr

    found = float(nctdtr(freedom, centre, limit))
    return 0.0 if math.isnan(found) else found
