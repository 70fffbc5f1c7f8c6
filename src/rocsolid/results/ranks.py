"""Which ranks systems may hold, and the limits of the winner's value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from rocsolid.results.interval import percent
from rocsolid.results.kinds import IntervalLevel, Rank, ZeroToOne
from rocsolid.results.plain import Plain, one_line

DRAWS = 10_000  # of normal errors, for the ranks of three systems or more


@dataclass(frozen=True, slots=True)
class RankLimits(Plain):
    """The best and the worst rank that a system may hold; 1 is the highest value."""

    low: Annotated[Rank, "The best place; 1 is the highest value."]
    high: Annotated[Rank, "The worst place."]

    __repr__ = one_line

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


@dataclass(frozen=True, slots=True)
class RankSet(RankLimits):
    """Ranks that hold for all systems at once, with those for this system alone.

    ``certified`` follows from certified differences: for all systems at once, at every sample size.
    It is ``None`` where the differences have no certificate.
    """

    single: Annotated[RankLimits, "Those for this one alone."]
    certified: Annotated[
        RankLimits | None, "For all at once, from certified differences; null where there are none."
    ] = None
    source = "Mogstad, Romano, Shaikh and Wilhelm, Review of Economic Studies 91 (2024), 476-518"

    __repr__ = one_line


@dataclass(frozen=True, slots=True)
class NextRank(RankLimits):
    """The ranks that a system would hold in a next sample, and how often it would be first."""

    first: Annotated[ZeroToOne, "How often it would have the highest value."]

    __repr__ = one_line


@dataclass(frozen=True, slots=True)
class Winner(Plain):
    """The highest value, with limits that allow for its having been picked because it is highest.

    ``low`` and ``high`` hold at ``level`` for the true value of whichever system came first.
    """

    name: Annotated[str, "Who has it."]
    value: Annotated[float, "The value of these rows."]
    low: Annotated[float, "The lower limit, corrected for having won."]
    high: Annotated[float, "Its upper limit."]
    level: Annotated[IntervalLevel, "Its level."]
    decimals: int = 4
    method: ClassVar[Annotated[str, "Its method."]] = "hybrid"
    source = "Andrews, Kitagawa and McCloskey, Quarterly Journal of Economics 139 (2024), 305-358"
    _json = "name value low high level method"

    __repr__ = one_line

    def __str__(self) -> str:
        value, low, high = (f"{one:.{self.decimals}f}" for one in (self.value, self.low, self.high))
        return (
            f"{self.name} was picked because it has the highest value, {value}; corrected for "
            f"that: [{low}, {high}] at {percent(self.level)}"
        )
