"""Which segments are published, how coarsely, and how much that can tell at most."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rocsolid.evaluation.evaluation import Evaluation, ScoreResult
from rocsolid.evaluation.public.rounded import form_bits
from rocsolid.leaks.public_rule import public_decimals
from rocsolid.measures.grouped import Grouped

SEGMENT_ROWS = 20
"""A segment is published if it has so many positives and so many negatives."""

SEGMENTS = 100
"""At most so many are published, the first ones."""


def shown_segments(evaluation: Evaluation) -> list[int]:
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


def segment_forms(evaluation: Evaluation) -> Iterator[tuple[str, float]]:
    """Each segment that is large enough to be shown is left out, or has one of its forms."""
    if evaluation.segments is None:
        return
    groups = len(evaluation.segments)
    bits, large = np.zeros(groups), np.ones(groups, dtype=bool)
    for part in evaluation.parts:
        if part.grouped is None:
            continue
        some, name = tied(part), part.measure.name
        rows = _sizes(part.grouped, groups).sum(axis=1)
        large &= rows >= 2 * SEGMENT_ROWS
        for group in np.flatnonzero(large).tolist():
            places = segment_decimals(part, int(rows[group]))
            bits[group] += form_bits(part.overall, places, measure=name, whole=False, tied=some)
    total = float(np.logaddexp2(0.0, bits[large]).sum())
    yield f"results in {np.count_nonzero(large):,} segments, and which are shown", total


def segment_decimals(part: ScoreResult, count: int) -> int:
    """By the share of positives in all rows, which is published: a segment's own is not."""
    whole = part.overall
    share = whole.n_pos / (whole.n_pos + whole.n_neg)
    expected = min(max(1, round(count * share)), count - 1)
    most = public_decimals(whole.n_pos, whole.n_neg)
    return min(most, public_decimals(expected, count - expected))


def tied(part: ScoreResult) -> bool:
    """Whether any two rows have the same score; taken to be so where rows are not at hand."""
    return part.rows is None or len(np.unique(part.rows.score)) < len(part.rows)


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
