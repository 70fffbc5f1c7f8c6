"""The evidence that segments of an evaluation differ."""

from __future__ import annotations

import numpy as np

from rocsolid.comparison.heterogeneity import heterogeneity
from rocsolid.inputs.segments import Segments
from rocsolid.measures.grouped import Grouped
from rocsolid.results.segment_evidence import SegmentEvidence, SegmentStanding

_MOST = 5_000


def segment_evidence(
    score: str, measure: str, grouped: Grouped, segments: Segments, level: float
) -> SegmentEvidence | None:
    """Of one score by one measure; ``None`` without variances, or above 5,000 segments.

    Segments must be independent of each other: whoever has clusters must not ask.
    """
    at = [group for group in range(len(segments)) if group not in grouped.refused]
    if len(at) > _MOST:
        return None
    each = [grouped[group] for group in at]
    found = heterogeneity(
        np.array([one.value for one in each]),
        np.array([np.nan if one.std_error is None else one.std_error for one in each]),
        np.array([one.n_pos for one in each], dtype=np.float64),
        np.array([one.n_neg for one in each], dtype=np.float64),
        each[0].interval.range if each else (0.0, 1.0),
    )
    if found is None:
        return None
    standings = tuple(
        SegmentStanding(
            segments.key(at[i]),
            each[i].value,
            float(found.shrunken[i]),
            float(found.error[i]),
            float(found.apart[i]),
            float(found.p_values[i]),
            float(found.adjusted[i]),
            each[i].n_pos,
            each[i].n_neg,
        )
        for i in np.argsort(found.p_values, kind="stable").tolist()
    )
    return SegmentEvidence(
        score, measure, found.statistic, found.p_value, found.spread, found.mean, found.typical,
        level, standings,
    )  # fmt: skip
