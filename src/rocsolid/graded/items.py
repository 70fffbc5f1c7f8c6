"""An interval from the documents of one list, for want of other queries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.errors import UnsoundError
from rocsolid.graded.measure import GradedMeasure
from rocsolid.graded.per_query import gains_of
from rocsolid.graded.ranked_gains import RankedGains
from rocsolid.inputs.graded_rows import GradedRows
from rocsolid.intervals.calibrated.tails import tail
from rocsolid.intervals.guarantees.checks import check_alternative, check_level
from rocsolid.results import Alternative, Interval
from rocsolid.summaries.query_lists import QueryLists, Ties, query_lists
from rocsolid.summaries.stream import stream
from rocsolid.summaries.tied_blocks import TiedBlocks

METHOD = "bootstrap over items"
ASSUMPTIONS = (
    "the query is fixed: other queries are not covered",
    "its documents independent and drawn alike, in lists of this length",
)
SOURCE = "Efron, Annals of Statistics 7 (1979), 1-26 (percentile interval)"
_CELLS = 1 << 17  # documents of resampled lists worked on together


def item_interval(
    rows: GradedRows,
    measure: GradedMeasure,
    ties: Ties,
    level: float,
    alternative: Alternative,
    resamples: int,
    seed: int,
) -> tuple[Interval, float]:
    """The percentile interval of one list, and its standard error, from resampled documents.

    It is about the mean over lists of this length with documents like these. In simulations of 300
    and 1,000 documents it held that mean 89 to 97 times in 100 at a level of 95 %. A document that
    is drawn several times is tied with itself, which changes nothing as its gain is the same.
    Resample b has its own stream of random numbers. Resamples without a relevant document have no
    value and are left out, which the assumptions then tell.
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
            "too few resamples hold a relevant document", where="resamples", value=len(values)
        )
    if float(np.ptp(values)) <= 1e-12:
        raise UnsoundError(
            "every resample has the same value, so nothing is known of its spread",
            where=f"{len(values):,} resamples of value {values[0]:.6g}",
            fix='use interval="auto", or a longer list',
        )
    lost = resamples - len(values)
    left_out = f"{lost:,} of {resamples:,} resamples hold no relevant document and are left out"
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
        drawn.sort(axis=1)  # places in the ranked list: the resample comes out ranked
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
