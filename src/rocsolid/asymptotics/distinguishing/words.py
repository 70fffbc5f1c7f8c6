"""What was found about one measure, as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsolid.asymptotics.distinguishing.at_size import half_of

if TYPE_CHECKING:
    from rocsolid.asymptotics.distinguishing.measure_distinction import MeasureDistinction


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
