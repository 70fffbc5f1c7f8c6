"""The evidence that segments of an evaluation differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.comparison.by_measure import compared_by
from rocsolid.comparison.heterogeneity import heterogeneity
from rocsolid.comparison.of_summaries import segments_elsewhere
from rocsolid.comparison.question import Question
from rocsolid.comparison.shared_clusters import SharedClusters
from rocsolid.comparison.student import t_test
from rocsolid.errors import UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.segments import Segments
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.grouped import GroupByGroup, Grouped
from rocsolid.measures.scored import ScoredRows
from rocsolid.measures.whole_area import WholeArea
from rocsolid.results import Estimate, QueryEstimate
from rocsolid.results.segment_evidence import SegmentEvidence, SegmentValue, Untested, named

MOST = 5_000
"""Segments that are compared at most."""

MOST_SHARING = 500
"""The same where they share clusters, as the time goes by the cube."""

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _How:
    """What the test of segments goes by beside their values: see `heterogeneity`."""

    draws: Resampling
    pool: _FLOATS | None = None
    correlation: _FLOATS | None = None
    shared: int = 0
    of_two: tuple[float, float] | None = None


def segment_evidence(
    score: str, measure: BinaryMeasure, grouped: Grouped, segments: Segments, options: Options,
    rows: BinaryRows | None,
) -> SegmentEvidence | Untested | None:  # fmt: skip
    """Of one score by one measure; ``None`` without variances, ``rows`` where they are at hand."""
    at = [group for group in range(len(segments)) if group not in grouped.refused]
    name = named(score, measure.name)
    if len(at) > MOST:
        return Untested(name, f"there are more than {MOST:,} segments")
    each = [grouped[group] for group in at]
    n_pos = np.array([one.n_pos for one in each], dtype=np.float64)
    n_neg = np.array([one.n_neg for one in each], dtype=np.float64)
    shared, correlation = 0, None
    if rows is not None and rows.cluster is not None:
        clusters = SharedClusters.of(rows, grouped.groups)
        n_pos, n_neg = (of_class[at] for of_class in clusters.worth())
        shared = clusters.count
        if shared:
            if len(at) > MOST_SHARING:
                return Untested(name, f"more than {MOST_SHARING:,} segments share clusters")
            correlation = clusters.correlation(measure, at)
            if correlation is None:
                return Untested(
                    name, "segments share clusters, and no formula says how rows pull this measure"
                )
    return _evidence(
        score, measure.name, each, [segments.key(group) for group in at],
        1.0 / (1.0 / n_pos + 1.0 / n_neg), np.minimum(n_pos, n_neg) - 1.0, options.level,
        _How(
            options.resampling, None, correlation, shared,
            None if shared or len(at) != 2 else _of_two(measure, grouped, at, rows),
        ),
    )  # fmt: skip


def _of_two(
    measure: BinaryMeasure, grouped: Grouped, at: Sequence[int], rows: BinaryRows | None
) -> tuple[float, float] | None:
    """Of two segments the square of the default test of their difference, and its p-value.

    ``None`` where that test has none, as for a class of one row.
    """
    values = {str(group): grouped[group] for group in at}
    if rows is not None:
        samples = {str(group): ScoredRows(rows.subset(grouped.groups.rows(group))) for group in at}
        compared = compared_by(measure, samples, Options(), paired=False, estimates=values)
    elif measure == WholeArea() and isinstance(grouped, GroupByGroup):
        summaries = {str(group): grouped.summaries[group] for group in at}
        compared = segments_elsewhere(measure, summaries, values)
    else:
        return None
    try:
        (pair,) = t_test(compared, Question(0.0, "two-sided", 0.95, 0, measure.span)).tested
    except UnsoundError:
        return None
    return None if np.isnan(pair.p_value) else (pair.statistic**2, pair.p_value)


def query_evidence(
    score: str, measure: str, each: Sequence[QueryEstimate], by: list[dict[str, Any]], level: float
) -> SegmentEvidence | None:
    """Of the means of one score over the queries of each segment."""
    if len(each) > MOST:
        return None
    queries = np.array([one.n_queries for one in each], dtype=np.float64)
    pool = [one.per_query[~np.isnan(one.per_query)] for one in each]
    how = _How(Resampling(), np.concatenate(pool) if pool else None)
    return _evidence(score, measure, each, by, queries, queries - 1.0, level, how)


def _evidence(
    score: str,
    measure: str,
    each: Sequence[Estimate] | Sequence[QueryEstimate],
    by: list[dict[str, Any]],
    units: _FLOATS,
    df: _FLOATS,
    level: float,
    how: _How,
) -> SegmentEvidence | None:
    found = heterogeneity(
        np.array([one.value for one in each]),
        np.array([np.nan if one.std_error is None else one.std_error for one in each]),
        units,
        df,
        each[0].interval.range if each else (0.0, 1.0),
        how.draws.seed,
        how.pool,
        how.correlation,
        how.draws.resamples,
        how.of_two,
    )
    if found is None:
        return None
    # the p-values of two segments differ by rounding alone, which must not decide their order
    evidence = np.array([float(f"{p:.9g}") for p in found.p_values])
    standings = tuple(
        SegmentValue(
            by[i],
            each[i].value,
            float(found.shrunken[i]),
            float(found.error[i]),
            float(found.apart[i]),
            float(found.p_values[i]),
            float(found.adjusted[i]),
            float(units[i]),
            _counts(each[i]),
        )
        for i in np.argsort(evidence, kind="stable").tolist()
    )
    return SegmentEvidence(
        score, measure, found.statistic, found.p_value, found.draws, found.spread, found.mean,
        found.typical, level, how.shared, standings,
    )  # fmt: skip


def _counts(one: Estimate | QueryEstimate) -> dict[str, int]:
    if isinstance(one, QueryEstimate):
        return {"n_queries": one.n_queries}
    return {"n_pos": one.n_pos, "n_neg": one.n_neg}
