"""Which segments are published, how coarsely, and how much that can tell at most."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.warnings import MANY_TIES
from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers, ScoreResult
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.rounded import form_bits
from rocsolid.leaks.public_rule import public_decimals
from rocsolid.measures.grouped import Grouped

SEGMENT_ROWS = 20
"""A segment is published if it has so many positives and so many negatives."""

SEGMENTS = 100
"""At most so many are published, the first ones."""


def shown_segments(evaluation: EvaluationNumbers) -> list[int]:
    """Those in which every score and measure has an estimate, from enough rows of both classes."""
    if evaluation.segments is None:
        return []
    groups = len(evaluation.segments)
    enough = np.ones(groups, dtype=bool)
    for part in evaluation.parts:
        if part.grouped is not None:
            enough &= _sizes(part.grouped, groups).min(axis=1) >= SEGMENT_ROWS
            enough[list(part.grouped.refused)] = False
    return [int(group) for group in np.flatnonzero(enough)[:SEGMENTS]]


def segment_forms(evaluation: EvaluationNumbers, coarse: Coarseness) -> Iterator[tuple[str, float]]:
    """Each segment that is large enough to be shown is left out, or has one of its forms."""
    if evaluation.segments is None:
        return
    groups = len(evaluation.segments)
    bits, large = np.zeros(groups), np.ones(groups, dtype=bool)
    for scored in evaluation.parts:
        if scored.grouped is None:
            continue
        name = scored.measure.name
        rows = _sizes(scored.grouped, groups).sum(axis=1)
        large &= rows >= 2 * SEGMENT_ROWS
        for group in np.flatnonzero(large).tolist():
            places = coarse.places(segment_decimals(scored, int(rows[group])))
            bits[group] += form_bits(
                scored.overall, places, measure=name, whole=False, limits=coarse.limits
            )
    total = float(np.logaddexp2(0.0, bits[large]).sum())
    yield f"results in {np.count_nonzero(large):,} segments, and which are shown", total


def segment_decimals(part: ScoreResult, count: int) -> int:
    """By the share of positives in all rows, which is published: a segment's own is not."""
    whole = part.overall
    share = whole.n_pos / (whole.n_pos + whole.n_neg)
    expected = min(max(1, round(count * share)), count - 1)
    most = public_decimals(whole.n_pos, whole.n_neg)
    return min(most, public_decimals(expected, count - expected))


def tied(part: ScoreResult) -> float:
    """The share of the pairs of rows with the same score; a little where rows are not at hand."""
    if part.rows is None:
        return MANY_TIES / 2
    rows = float(len(part.rows))
    times = np.unique(part.rows.score, return_counts=True)[1].astype(np.float64)
    return float((times * (times - 1.0)).sum() / (rows * (rows - 1.0)))


def _sizes(grouped: Grouped, groups: int) -> NDArray[np.int64]:
    """Positives and negatives of each segment."""
    sizes = np.zeros((groups, 2), dtype=np.int64)
    for group in range(groups):
        if group in grouped.refused:
            sizes[group] = grouped.refused[group][1:]
        else:
            estimate = grouped[group]
            sizes[group] = estimate.n_pos, estimate.n_neg
    return sizes
