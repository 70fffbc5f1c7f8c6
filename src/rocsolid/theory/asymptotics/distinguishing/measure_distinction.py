"""One measure: can it separate the two rankers, by theory and by samples of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from rocsolid.results.plain import one_line, written
from rocsolid.theory.asymptotics.distinguishing.at_size import (
    ENOUGH,
    EQUAL,
    AtSize,
    half_of,
    smallest,
)
from rocsolid.theory.asymptotics.distinguishing.share import Share
from rocsolid.theory.asymptotics.limit import Limit
from rocsolid.theory.asymptotics.predicted import PredictedGap
from rocsolid.theory.asymptotics.separation import Separation

Verdict = Literal["separates", "more queries", "not yet", "cannot", "undecided", "equal"]


@dataclass(frozen=True, slots=True)
class MeasureDistinction:
    """One discount and cut-off on two rankers a and b, in the order in which they were given.

    ``value_a`` and ``value_b`` are the means over queries on all data. ``separation`` is what the
    theorems say of the estimated relevance curves, with both limits; ``predicted`` the gap that
    these curves predict, at the sizes where most lists have a relevant item. ``items`` are samples
    of items within queries, ``queries`` of whole queries (empty for a single one). ``lists_ahead``
    is the share of queries whose own sign is that of the mean; queries are independent, so that its
    limits are about new queries.
    """

    measure: str
    spoken: str
    discount: str
    cutoff: str
    names: tuple[str, str]
    value_a: float
    value_b: float
    separation: Separation
    predicted: PredictedGap | None
    items: tuple[AtSize, ...]
    queries: tuple[AtSize, ...]
    lists_ahead: Share | None

    @property
    def gap(self) -> float:
        """a − b on all data."""
        return self.value_a - self.value_b

    @property
    def equal(self) -> bool:
        """Whether there is no difference on all data, except for rounding."""
        return abs(self.gap) <= EQUAL

    @property
    def ahead(self) -> str | None:
        """The name of the ranker with the higher value on all data, None if they are equal."""
        if self.equal:
            return None
        return self.names[0] if self.gap > 0.0 else self.names[1]

    @property
    def limit_a(self) -> Limit:
        return self.separation.a

    @property
    def limit_b(self) -> Limit:
        return self.separation.b

    @property
    def reached(self) -> int | None:
        """The smallest number of items a query from which on the sign is right 95 times in 100.

        By ``on_new_data``, at all sizes that were looked at up to half of the data; None if there
        is no such size.
        """
        return smallest(self.items, lambda point: point.on_new_data)

    @property
    def settles(self) -> int | None:
        """The smallest N for which 95 of 100 random orders have the right sign at all n ≥ N.

        Definition 3 of Wang et al. 2013, at the sizes that were looked at, N up to half of the
        data; not corrected for the items that a prefix shares with all data.
        """
        return smallest(self.items, lambda point: point.settled)

    @property
    def queries_reached(self) -> int | None:
        """The smallest number of queries from which on the sign is right 95 times in 100."""
        return smallest(self.queries, lambda point: point.on_new_data)

    @property
    def half(self) -> AtSize | None:
        """The largest samples of items that hold at most half of the data."""
        return half_of(self.items)

    @property
    def verdict(self) -> Verdict:
        """ "separates": at up to half of the items, and at up to half of the queries where there
        are several, the sign is right 95 times in 100. "more queries": at half of the items, but
        not of the queries. Else what the theorems say of longer lists: they will separate the
        rankers ("not yet"), "cannot", or it is "undecided", as it is where they say so against the
        samples of a single list. "equal": no difference on all data."""
        if self.equal:
            return "equal"
        if self.reached is not None:
            if self.queries:
                return "more queries" if self.queries_reached is None else "separates"
            return "undecided" if self.separation.verdict == "no" else "separates"
        theory: dict[str, Verdict] = {"yes": "not yet", "no": "cannot", "unknown": "undecided"}
        return theory[self.separation.verdict]

    @property
    def words(self) -> str:
        """The verdict as a sentence with its figures."""
        return words(self)

    __repr__ = one_line

    def __str__(self) -> str:
        return f"{self.spoken}: {self.words}"

    def to_dict(self) -> dict[str, Any]:
        first = "measure spoken discount cutoff a=value_a b=value_b gap ahead verdict words"
        rest = "reached settles queries_reached separation predicted items queries lists_ahead"
        return {**written(self, first), "enough": ENOUGH, **written(self, rest)}


def words(one: MeasureDistinction) -> str:
    """The measured probabilities by items, then by queries, then the theory."""
    if one.equal:
        return "no difference on all data, so there is no sign to look for."
    parts = [f"{one.ahead} is ahead by {abs(one.gap):.4f} on all data.", _items(one)]
    if one.queries:
        parts.append(_queries(one))
    return " ".join([*parts, _theory(one)])


def _items(one: MeasureDistinction) -> str:
    half, items = one.half, "items a query" if one.queries else "items"
    if one.reached is not None:
        kept = (
            ""
            if one.settles is None
            else f"; of lists growing through these data 95 in 100 keep it from {one.settles:,} on"
        )
        return f"The sign is right 95 times in 100 from about {one.reached:,} {items} on{kept}."
    if half is None or half.on_new_data is None:
        return "No size of up to half of the data was looked at."
    swaps = (
        ""
        if half.swaps is None
        else f"; two samples without a common item have opposite signs in {half.swaps}"
    )
    return (
        f"The sign is not right 95 times in 100 at any size of up to half of the data: at "
        f"{half.n:,} {items} it is right in {half.on_new_data}{swaps}."
    )


def _queries(one: MeasureDistinction) -> str:
    total, enough, half = one.queries[-1].n, one.queries_reached, half_of(one.queries)
    if enough is not None:
        return f"Of {total:,} whole queries {enough:,} {'is' if enough == 1 else 'are'} enough."
    if half is None or half.on_new_data is None:
        return f"There are only {total:,} queries."
    return f"Of {total:,} whole queries {half.n:,} have the right sign in {half.on_new_data}."


def _theory(one: MeasureDistinction) -> str:
    found = one.separation
    if found.verdict == "yes":
        doubt = (
            ""
            if one.reached is not None
            else "; whether the true curves differ these data do not show"
        )
        return (
            f"In theory growing lists settle it, for relevance curves as estimated here "
            f"({found.theorem}){doubt}."
        )
    if found.ahead is not None:
        return (
            "In theory the sign is right ever more often as lists grow; whether that settles it, "
            f"theory does not say ({found.theorem})."
        )
    if found.verdict == "unknown":
        return f"Theory does not say whether growing lists settle it ({found.theorem})."
    if found.theorem != "Theorem 6":
        return f"In theory growing lists do not settle it ({found.theorem})."
    averaged = ", only more queries do" if one.queries else ""
    few = (
        " Few items decide here, and the same ones in many of the samples."
        if one.verdict == "undecided"
        else ""
    )
    return (
        f"In theory longer lists do not settle it{averaged}, as labels at the top are noisy "
        f"(Theorem 6).{few}"
    )
