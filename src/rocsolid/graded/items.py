"""Values of measures for each query from one sort, and intervals over documents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import UnsoundError
from rocsolid.gains.gain import Gain
from rocsolid.graded.discounted import GradedMeasure, RankedGains, ranks_read
from rocsolid.inputs.graded_rows import GradedRows
from rocsolid.intervals.calibrated.standard_error import tail
from rocsolid.intervals.guarantees.checks import check_alternative, check_level
from rocsolid.results import Alternative
from rocsolid.results.interval import Interval
from rocsolid.summaries.groups import QueryLists, TiedBlocks, Ties, for_each, query_lists
from rocsolid.summaries.stream import stream

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PerQuery:
    """One measure of each query, and its bounds over the orders of tied documents.

    Undefined values are NaN. ``judged`` is the share of judged documents among those that the
    measure uses (NaN for an empty list).
    """

    measure: GradedMeasure
    value: _FLOATS
    worst: _FLOATS
    best: _FLOATS
    judged: _FLOATS


@dataclass(frozen=True, slots=True, eq=False)
class ListCounts:
    """Counts for each query that do not depend on the measure.

    ``length`` is the number of documents in the list (0: the query is missing from the run), and
    ``tied`` the number that share their score with another. ``contradicted`` marks queries whose
    rank column contradicts the scores (``None`` without such a column).
    """

    length: _INT
    tied: _INT
    contradicted: NDArray[np.bool_] | None


def per_query(
    rows: GradedRows,
    measures: Sequence[GradedMeasure],
    ties: Ties = "average",
    values_only: Sequence[GradedMeasure] = (),
) -> tuple[list[PerQuery], ListCounts]:
    """Return each measure for each query, in the order of ``rows.qids``.

    Measures in ``values_only`` come last and have no bounds.
    """
    count = len(rows.qids)
    counts = ListCounts(
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.int64),
        None if rows.rank is None else np.zeros(count, dtype=np.bool_),
    )
    requested = [*measures, *values_only]
    results = [PerQuery(m, *(np.full(count, np.nan) for _ in range(4))) for m in requested]
    unjudged = np.isnan(rows.relevance)
    judged = ~unjudged if unjudged.any() else None
    gains = {m.gain: gains_of(m.gain, rows.relevance, judged) for m in requested}

    def measure(lists: QueryLists) -> None:
        queries = lists.query
        counts.length[queries] = lists.length
        counts.tied[queries] = lists.tied_documents
        if counts.contradicted is not None and lists.contradicted is not None:
            counts.contradicted[queries] = lists.contradicted
        seen: dict[tuple[Gain, bool], _Parts] = {}
        for i, result in enumerate(results):
            gain, bounds = result.measure.gain, i < len(measures)
            if (gain, bounds) not in seen:
                ranked = RankedGains.of(lists, gains[gain], judged)
                seen[gain, bounds] = _Parts.of(lists, ranked, bounds)
            _fill(result, seen[gain, bounds])

    for_each(rows, ties, measure)
    empty = np.flatnonzero(rows.sizes == 0)
    if empty.size:
        nothing = np.zeros((len(empty), 1))
        for result in results:
            none = RankedGains(nothing, np.zeros(len(empty), dtype=np.int64), nothing)
            result.value[empty] = result.worst[empty] = result.best[empty] = result.measure.formula(
                none
            )
    return results, counts


def gains_of(gain: Gain, relevance: _FLOATS, known: NDArray[np.bool_] | None) -> _FLOATS:
    """Return the gain of each document; 0 if its grade is unknown, whatever the gain of grade 0.

    >>> from rocsolid.gains import exp2
    >>> gains_of(exp2(), np.array([2.0, np.nan, 1.0]), np.array([True, False, True]))
    array([3., 0., 1.])
    """
    if known is None:
        return gain(relevance)
    gains = np.zeros(len(relevance))
    gains[known] = gain(relevance[known])
    return gains


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """Lists with a single order, and lists with open ties, each with their queries.

    If ties were broken, the lists of the second part are in the first too: only their ``bounds``
    are open.
    """

    settled: tuple[_INT, RankedGains]
    open: tuple[_INT, RankedGains] | None
    broken: bool
    bounds: bool

    @classmethod
    def of(cls, lists: QueryLists, ranked: RankedGains, bounds: bool) -> _Parts:
        if lists.tied is None or (lists.broken and not bounds):
            return cls((lists.query, ranked), None, lists.broken, bounds)
        has_ties = lists.tied_documents > 0
        tied_lists, others = np.flatnonzero(has_ties), np.flatnonzero(~has_ties)
        left_open = ranked.lists(tied_lists).with_ties(lists.tied.within(tied_lists))
        settled = (
            (lists.query, ranked) if lists.broken else (lists.query[others], ranked.lists(others))
        )
        return cls(settled, (lists.query[tied_lists], left_open), lists.broken, bounds)


def _fill(result: PerQuery, parts: _Parts) -> None:
    formula = result.measure.formula
    settled, ranked = parts.settled
    if len(settled):
        result.value[settled] = result.worst[settled] = result.best[settled] = formula(ranked)
        if parts.bounds:
            result.judged[settled] = _judged_share(result.measure, ranked)
    if parts.open is None:
        return
    tied_at, left_open = parts.open
    if not parts.broken:
        result.value[tied_at] = formula(left_open)
    if not parts.bounds:
        return
    if not parts.broken:
        result.judged[tied_at] = _judged_share(result.measure, left_open)
    result.worst[tied_at] = formula(left_open.worst_first())
    result.best[tied_at] = formula(left_open.best_first())


def _judged_share(measure: GradedMeasure, ranked: RankedGains) -> _FLOATS:
    """Return the share of judged documents down to the cut-off, averaged over ties."""
    read = np.minimum(ranks_read(measure.cutoff, ranked), ranked.length)
    if ranked.judged is None:
        return np.where(read > 0, 1.0, np.nan)
    judged = ranked.judged.astype(np.float64)
    if ranked.tied is not None:
        judged = ranked.tied.means(judged)
    known = np.cumsum(judged, axis=1)[np.arange(len(read)), np.maximum(read, 1) - 1]
    return np.where(read > 0, known / np.maximum(read, 1), np.nan)


METHOD = "bootstrap over items"
ASSUMPTIONS = (
    "the query is fixed: other queries are not covered",
    "its documents independent and identically distributed, in lists of this length",
)
SOURCE = "Efron, Annals of Statistics 7 (1979), 1-26 (percentile interval)"
_CELLS = 1 << 17  # documents of resampled lists in a block


def item_interval(
    rows: GradedRows,
    measure: GradedMeasure,
    ties: Ties,
    level: float,
    alternative: Alternative,
    resamples: int,
    seed: int,
) -> tuple[Interval, float]:
    """Return the percentile interval of one list over resampled documents, and its standard error.

    The estimand is the mean over lists of this length with documents like these. In simulations
    with 300 and 1,000 documents, nominal 95 % intervals covered it in 89 % to 97 % of samples.
    Resamples without a relevant document are excluded, which the assumptions then state.
    """
    if len(rows.qids) != 1:
        raise UnsoundError(
            "resampling documents says nothing about other queries",
            where="interval",
            value="items",
            fix='use interval="auto", which is over queries, or pass one query',
        )
    check_level(level)
    check_alternative(alternative)
    whole(resamples, "resamples", 2)
    (lists,) = query_lists(rows, ties)
    values = _resampled(rows, measure, lists, resamples, seed)
    values = values[~np.isnan(values)]
    if len(values) < 2:
        raise UnsoundError(
            "too few resamples contain a relevant document", where="resamples", value=len(values)
        )
    if float(np.ptp(values)) <= 1e-12:
        raise UnsoundError(
            "every resample has the same value, so the spread is unknown",
            where=f"{len(values):,} resamples of value {values[0]:.6g}",
            fix='use interval="auto", or a longer list',
        )
    lost = resamples - len(values)
    left_out = f"{lost:,} of {resamples:,} resamples without a relevant document are left out"
    low, high = measure.range
    share = tail(level, alternative)
    first, last = np.quantile(values, [1.0 - share, share]).tolist()
    interval = Interval(
        low if alternative == "less" else first,
        high if alternative == "greater" else last,
        level,
        METHOD,
        assumptions=(*ASSUMPTIONS, left_out) if lost else ASSUMPTIONS,
        source=SOURCE,
        range=(low, high),
        drawn=f"{resamples:,} resamples, seed {seed}",
    )
    return interval, float(values.std(ddof=1))


def _resampled(
    rows: GradedRows, measure: GradedMeasure, lists: QueryLists, resamples: int, seed: int
) -> NDArray[np.float64]:
    size, length = int(lists.size[0]), int(lists.length[0])
    row = lists.row[0]
    known = ~np.isnan(rows.relevance)
    gain = gains_of(measure.gain, rows.relevance, known)[row]
    known = known[row]
    tied = None if lists.broken else lists.tied
    block = None if tied is None else tied.block[0]
    values = np.empty(resamples)
    many = max(1, _CELLS // size)
    for start in range(0, resamples, many):
        stop = min(start + many, resamples)
        drawn = np.stack([stream(seed, b).integers(size, size=size) for b in range(start, stop)])
        drawn.sort(axis=1)  # positions in the ranked list, so the resample is ranked
        listed = drawn < length
        pool = gain[drawn]
        judged = None if known.all() else known[drawn] & listed
        ranked = RankedGains(
            np.where(listed, pool, 0.0), np.count_nonzero(listed, axis=1), pool, judged=judged
        )
        if block is not None:
            starts = np.ones(drawn.shape, dtype=np.bool_)
            np.not_equal(block[drawn[:, 1:]], block[drawn[:, :-1]], out=starts[:, 1:])
            ranked = ranked.with_ties(TiedBlocks.of(starts | ~listed))
        values[start:stop] = measure.formula(ranked)
    return values
