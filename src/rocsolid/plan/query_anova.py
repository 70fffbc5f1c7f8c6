"""How many queries a one-way analysis of variance of several systems needs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocsolid.arguments import whole
from rocsolid.plan.query_power import MOST, SOURCE, effect_of, left_out, smallest_size
from rocsolid.plan.unknown import check_inside, rounded_up
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True)
class QueryAnova(Plain):
    """One-way ANOVA over queries: everything that was given, and what was solved for.

    ``queries`` is a real number for each system, ``topics`` that number rounded up.
    """

    difference: float
    sd: float
    systems: int
    queries: float
    power: float
    level: float
    solved_for: str
    source: str = SOURCE.replace("t distribution", "F distribution")
    _json = "difference sd systems queries topics power level solved_for source"

    @property
    def topics(self) -> int:
        return rounded_up(self.queries)

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"{self.topics:,} queries: power {self.power:.4f} for {self.systems} systems of which "
            f"the best and the worst differ by {self.difference:.4g}, standard deviation "
            f"{self.sd:.4g}, at level {self.level:.4g} (one-way ANOVA)"
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
    """What is left out of ``difference``, ``queries`` and ``power``, for several systems at once.

    Sakai's one-way design: the F test of m systems, with (m−1, m(n−1)) degrees of freedom and the
    non-centrality n·D²/(2σ²), the least that it can be when the best and the worst of them differ
    by D = ``difference``. σ = ``sd`` is the standard deviation of one system's values over queries.
    It does not use that the systems share their queries, so it needs more than `query_power`
    where they do.

    >>> print(query_anova(systems=5, difference=0.1, sd=0.2, power=0.8))
    97 queries: power 0.8000 for 5 systems of which the best and the worst differ by 0.1, standard
    deviation 0.2, at level 0.95 (one-way ANOVA)
    """
    whole(systems, "systems", 2)
    alpha = 1.0 - check_inside(level, "level")
    check_inside(sd, "sd", 0.0, math.inf)
    unknown = left_out({"difference": difference, "queries": queries, "power": power})
    size = math.nan if queries is None else check_inside(queries, "queries", 1.0, MOST)
    wanted = math.nan if power is None else check_inside(power, "power", alpha)
    effect = math.nan if difference is None else effect_of(difference, sd)
    if unknown == "queries":
        size = smallest_size(lambda n: _power(effect, n, systems, alpha) - wanted)
    elif unknown == "difference":
        # in the non-centrality, which the power grows with
        squared = smallest_size(lambda x: _power(math.sqrt(x - 2.0), size, systems, alpha) - wanted)
        effect = math.sqrt(squared - 2.0)
    return QueryAnova(
        effect * sd if difference is None else difference,
        sd,
        systems,
        size,
        _power(effect, size, systems, alpha),
        level,
        unknown,
    )


def _power(effect: float, size: float, systems: int, alpha: float) -> float:
    from scipy.special import fdtri, ncfdtr

    between, within = systems - 1.0, systems * (size - 1.0)
    limit = float(fdtri(between, within, 1.0 - alpha))
    return 1.0 - float(ncfdtr(between, within, size * effect**2 / 2.0, limit))
