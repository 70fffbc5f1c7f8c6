"""How many queries an interval of a wanted width needs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocsolid.plan.query_power import MOST, left_out, smallest_size
from rocsolid.plan.unknown import check_inside, rounded_up
from rocsolid.results.plain import Plain, one_line

SOURCE = "Sakai, Information Retrieval Journal 19 (2016), 256-283, section on interval widths"


@dataclass(frozen=True, slots=True)
class QueryPrecision(Plain):
    """The expected width of Student's interval for a mean over queries, and what it takes.

    ``queries`` is a real number, ``topics`` that number rounded up.
    """

    width: float
    sd: float
    queries: float
    level: float
    solved_for: str
    source: str = SOURCE
    _json = "width sd queries topics level solved_for source"

    @property
    def topics(self) -> int:
        return rounded_up(self.queries)

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"{self.topics:,} queries: an interval at {self.level:g} is {self.width:.4g} wide on "
            f"average, from end to end, with standard deviation {self.sd:.4g}"
        )


def query_precision(
    *, sd: float, width: float | None = None, queries: float | None = None, level: float = 0.95
) -> QueryPrecision:
    """The queries for an interval of that ``width``, or the width from so many queries.

    The width is 2·t·E[s]/√n, t Student's quantile with n − 1 degrees of freedom and E[s] =
    σ√(2/(n−1))·Γ(n/2)/Γ((n−1)/2) for normal values. ``sd`` = σ is the standard deviation over
    queries of one system's values, or of the differences by query of two systems, whichever mean
    the interval is for.

    >>> print(query_precision(width=0.05, sd=0.1))
    64 queries: an interval at 0.95 is 0.05 wide on average, from end to end, with standard
    deviation 0.1
    """
    check_inside(sd, "sd", 0.0, math.inf)
    check_inside(level, "level")
    unknown = left_out({"width": width, "queries": queries})
    if width is not None:
        wanted = check_inside(width, "width", 0.0, math.inf)
        size = smallest_size(lambda n: wanted - _width(sd, n, level))
        return QueryPrecision(_width(sd, size, level), sd, size, level, unknown)
    size = check_inside(math.nan if queries is None else queries, "queries", 1.0, MOST)
    return QueryPrecision(_width(sd, size, level), sd, size, level, unknown)


def _width(sd: float, size: float, level: float) -> float:
    from scipy.special import gammaln, stdtrit

    shrunk = math.sqrt(2.0 / (size - 1.0)) * math.exp(
        float(gammaln(size / 2.0) - gammaln((size - 1.0) / 2.0))
    )
    quantile = float(stdtrit(size - 1.0, 0.5 + level / 2.0))
    return 2.0 * quantile * sd * shrunk / math.sqrt(size)
