"""What a reader should know before quoting a comparison over queries."""

from __future__ import annotations

from rocsolid.comparison.queries.asked import QueryQuestion
from rocsolid.comparison.queries.student import TestedPairs
from rocsolid.comparison.queries.systems import Systems
from rocsolid.intervals.means.tail import FEW
from rocsolid.results.query_comparison import QueryDifference

_NAMED = 3  # pairs; more of them are only counted


def warnings_for(
    systems: Systems,
    pairs: tuple[QueryDifference, ...],
    tested: TestedPairs,
    question: QueryQuestion,
    least_p: float,
) -> list[str]:
    """Sentences on pairs that never vary, on few queries in a tail, and on too few resamples.

    ``least_p`` is the smallest p-value that a test can give, times what the adjustment makes of it.
    """
    return [
        *_without_variance(pairs),
        *_few(systems, pairs, tested),
        *_coarse(pairs, question, least_p),
    ]


def _without_variance(pairs: tuple[QueryDifference, ...]) -> list[str]:
    still = [pair for pair in pairs if pair.std_error == 0.0]
    if not still:
        return []
    shown = "the certified one" if still[0].certified else "unknown"
    return [
        f"{_names(still)}: the difference is the same on every query, so Student's t would have "
        f"no width; the interval is {shown}."
    ]


def _few(systems: Systems, pairs: tuple[QueryDifference, ...], tested: TestedPairs) -> list[str]:
    rely = (
        "look at the certified intervals"
        if systems.bounded
        else "the measure has no bounds and so no certified intervals"
    )
    fewest = min(systems.queries)
    if fewest < 2 * FEW:
        return [f"Only {fewest} queries: the {tested.method} intervals need more; {rely}."]
    thin = [pair for pair in pairs if pair.std_error > 0.0 and pair.in_tail < FEW]
    if not thin:
        return []
    least = min(pair.in_tail for pair in thin)
    return [
        f"{_names(thin)}: fewer than {FEW:g} queries carry the longer tail of the difference "
        f"(about {max(least, 1):.0f}{' at least' if len(thin) > 1 else ''}), so the "
        f"{tested.method} test may find a difference too often; {rely}."
    ]


def _coarse(
    pairs: tuple[QueryDifference, ...], question: QueryQuestion, least_p: float
) -> list[str]:
    if least_p < 1.0 - question.level:
        return []
    return [
        f"The smallest adjusted p-value that the signs can give is {min(least_p, 1.0):.2g}, so "
        f"none of the {len(pairs):,} pairs can stand out; use adjust='max-t', more queries or "
        "more resamples."
    ]


def _names(pairs: list[QueryDifference]) -> str:
    if len(pairs) > _NAMED:
        return f"{len(pairs):,} of the pairs"
    return ", ".join(f"{pair.a} − {pair.b}" for pair in pairs)
