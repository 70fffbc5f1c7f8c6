"""The evidence that segments of an evaluation differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.heterogeneity import heterogeneity
from rocsolid.inputs import BinaryRows
from rocsolid.inputs.segments import Segments
from rocsolid.measures.grouped import Grouped
from rocsolid.results import Estimate, QueryEstimate
from rocsolid.results.segment_evidence import SegmentEvidence, SegmentStanding
from rocsolid.summaries.groups import Groups

MOST = 5_000
"""Segments that are compared at most."""

_FLOATS = NDArray[np.float64]


def segment_evidence(
    score: str, measure: str, grouped: Grouped, segments: Segments, level: float,
    clustered: BinaryRows | None = None,
) -> SegmentEvidence | None:  # fmt: skip
    """Of one score by one measure; ``None`` without variances, or above 5,000 segments.

    Segments must be independent of each other. ``clustered`` are the rows where they have
    clusters: ``None`` where one of those has rows in several segments.
    """
    at = [group for group in range(len(segments)) if group not in grouped.refused]
    if len(at) > MOST:
        return None
    each = [grouped[group] for group in at]
    n_pos = np.array([one.n_pos for one in each], dtype=np.float64)
    n_neg = np.array([one.n_neg for one in each], dtype=np.float64)
    if clustered is not None:
        worth = _worth(clustered, grouped.groups)
        if worth is None:
            return None
        n_pos, n_neg = (of_class[at] for of_class in worth)
    return _evidence(
        score, measure, each, [segments.key(group) for group in at],
        1.0 / (1.0 / n_pos + 1.0 / n_neg), np.minimum(n_pos, n_neg) - 1.0, level,
    )  # fmt: skip


def query_evidence(
    score: str, measure: str, each: Sequence[QueryEstimate], by: list[dict[str, Any]], level: float
) -> SegmentEvidence | None:
    """Of the means of one score over the queries of each segment."""
    if len(each) > MOST:
        return None
    queries = np.array([one.n_queries for one in each], dtype=np.float64)
    pool = [one.per_query[~np.isnan(one.per_query)] for one in each]
    return _evidence(score, measure, each, by, queries, queries - 1.0, level, pool)


def _evidence(
    score: str,
    measure: str,
    each: Sequence[Estimate] | Sequence[QueryEstimate],
    by: list[dict[str, Any]],
    units: _FLOATS,
    df: _FLOATS,
    level: float,
    pool: Sequence[_FLOATS] = (),
) -> SegmentEvidence | None:
    found = heterogeneity(
        np.array([one.value for one in each]),
        np.array([np.nan if one.std_error is None else one.std_error for one in each]),
        units,
        df,
        each[0].interval.range if each else (0.0, 1.0),
        pool=np.concatenate(pool) if pool else None,
    )
    if found is None:
        return None
    # the p-values of two segments differ by rounding alone, which must not decide their order
    evidence = np.array([float(f"{p:.9g}") for p in found.p_values])
    standings = tuple(
        SegmentStanding(
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
        score, measure, found.statistic, found.p_value, found.spread, found.mean, found.typical,
        level, standings,
    )  # fmt: skip


def _counts(one: Estimate | QueryEstimate) -> dict[str, int]:
    if isinstance(one, QueryEstimate):
        return {"n_queries": one.n_queries}
    return {"n_pos": one.n_pos, "n_neg": one.n_neg}


def _worth(rows: BinaryRows, groups: Groups) -> tuple[_FLOATS, _FLOATS] | None:
    """The positives and the negatives of each group, as if each cluster said one thing."""
    assert rows.cluster is not None
    code = np.empty(len(rows), dtype=np.int64)
    code[groups.order] = np.repeat(np.arange(len(groups)), groups.size)
    home = np.zeros(int(rows.cluster.max()) + 1, dtype=np.int64)
    home[rows.cluster] = code
    if (home[rows.cluster] != code).any():
        return None
    found = []
    for of_class in (rows.positive, ~rows.positive):
        size = np.bincount(rows.cluster[of_class], minlength=len(home)).astype(np.float64)
        whole = np.bincount(home, size, len(groups))
        found.append(whole**2 / np.maximum(np.bincount(home, size**2, len(groups)), 1.0))
    return found[0], found[1]
