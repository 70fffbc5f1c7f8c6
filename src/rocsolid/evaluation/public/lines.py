"""The page's numbers as sums over labels: AUCs, curves and class sizes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.relabelled import Area, Blocks, exchange_ends
from rocsolid.evaluation.public.segments import RoundedResult, shown_segments
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult
from rocsolid.leaks.gaussian import LabelUnits
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.results import Estimate
from rocsolid.summaries.score_counts import ScoreCounts, distinct_scores

_FLOATS = NDArray[np.float64]
Line = tuple[_FLOATS, float, float]
"""Weights of the rows of the table, and the range of their sum over the positives."""


@dataclass(frozen=True, eq=False)
class Lines:
    """The constraints low ≤ weights·labels ≤ high, one per row, that exchanges should keep.

    The constraints guide a search and prove nothing: the page of each labeling is published anew.
    """

    weights: _FLOATS
    low: _FLOATS
    high: _FLOATS

    def of_units(self, units: LabelUnits) -> Lines:
        return Lines(units.totals(self.weights), self.low, self.high)

    def beyond(self, sums: _FLOATS) -> _FLOATS:
        """Return the distance of sums from the allowed range, in widths, one column per
        labeling.
        """
        low, high = self.low[:, None], self.high[:, None]
        out = np.maximum(low - sums, 0.0) + np.maximum(sums - high, 0.0)
        return np.asarray((out / self.width[:, None]).sum(axis=0))

    def off_centre(self, sums: _FLOATS) -> _FLOATS:
        """Return the distance of sums from the middle of the range, in widths."""
        middle = (self.low + self.high) / 2
        return np.asarray((np.abs(sums - middle[:, None]) / self.width[:, None]).sum(axis=0))

    @cached_property
    def width(self) -> _FLOATS:
        most = np.abs(self.weights).max(axis=1) / len(self.weights[0])
        return np.asarray(self.high - self.low + most)


def size_lines(evaluation: EvaluationNumbers) -> Iterator[Line]:
    """Yield the number of positives of each score; scores with the same rows share a line."""
    seen = set()
    for part in evaluation.by_score:
        weights = part.on_table(np.ones(sum(part.sizes)))
        if weights.tobytes() not in seen:
            seen.add(weights.tobytes())
            yield weights, part.sizes[0], part.sizes[0]


def curve_lines(page: Candidate) -> Iterator[Line]:
    """Yield the number of positives above each cut of the coarse curves."""
    parts = {part.score: part for part in page.inside.by_score}
    for score, counts in page.published.curves:
        values = parts[score].in_memory.score
        falling = np.sort(values)[::-1]
        for above, (low, high) in counts.bins.items():
            inside = (values >= falling[above - 1]).astype(np.float64)
            yield parts[score].on_table(inside), float(low), float(high)


def rank_sum_ends(n_pos: int, n_neg: int, low: Any, high: Any) -> tuple[float, float]:
    """Return the range of the positives' doubled rank sum for AUCs from ``low`` to ``high``."""
    least, pairs = n_pos * (n_pos + 1), n_pos * n_neg
    ends = float(least + 2 * pairs * low), float(least + 2 * pairs * high)
    return float(np.ceil(ends[0] - 1e-6)), float(np.floor(ends[1] + 1e-6))


def falling_units(score: NDArray[Any], unit: NDArray[np.intp]) -> tuple[NDArray[np.intp], bool]:
    """Return the units from the highest score down, and whether each has one score."""
    units = int(unit.max()) + 1
    highest, lowest = np.full(units, -np.inf), np.full(units, np.inf)
    np.maximum.at(highest, unit, score.astype(np.float64))
    np.minimum.at(lowest, unit, score.astype(np.float64))
    return np.argsort(-highest, kind="stable"), bool((highest == lowest).all())


def lines(page: Candidate) -> Lines:
    """Return the equations of a page; published segments keep their class sizes."""
    rows = [
        *size_lines(page.inside),
        *_overall(page),
        *_weighted(page),
        *_regions(page),
        *curve_lines(page),
        *_segments(page),
    ]
    return Lines(
        np.array([weights for weights, _, _ in rows], dtype=np.float64),
        np.array([low for _, low, _ in rows], dtype=np.float64),
        np.array([high for _, _, high in rows], dtype=np.float64),
    )


def centres(page: Candidate, margin: float) -> Lines | None:
    """Return the measures over all rows, narrowed by ``margin`` exchanges, if a range remains."""
    rows = [(line, margin * 2 * page.inside.n_rows) for line in _overall(page)]
    for (scored, area), line in zip(_areas(page.inside), _regions(page), strict=True):
        ends = exchange_ends(area, scored.in_memory)
        rows.append((line, margin * max(abs(end - scored.overall.value) for end in ends)))
    weights, low, high = (np.array(column) for column in zip(*(f for f, _ in rows), strict=True))
    reach = np.array([width for _, width in rows])
    if (high - low < 2 * reach).any():
        return None
    return Lines(weights, low + reach, high - reach)


_FEW_ROWS = 2000  # a partial area is recomputed for each row, or beyond this limit for each block


def _overall(page: Candidate) -> Iterator[Line]:
    for part in _equal(page.inside):
        rows = np.arange(len(part.in_memory))
        yield _area(part, rows, page.result(part), part.overall)


def _segments(page: Candidate) -> Iterator[Line]:
    segments = page.inside.segments
    if segments is None:
        return
    for group in shown_segments(page.inside):
        for index, scored in enumerate(_equal(page.inside)):
            assert scored.grouped is not None
            rows = scored.grouped.groups.rows(group)
            if index == 0:
                positives = float(scored.in_memory.positive[rows].sum())
                inside = (segments.code == group).astype(np.float64)
                yield inside if scored.kept is None else inside * scored.kept, positives, positives
            yield _area(scored, rows, page.result(scored, group), scored.grouped[group])


def _weighted(page: Candidate) -> Iterator[Line]:
    """Yield weighted AUCs to first order: a row's influence as a positive minus as a negative."""
    for scored in page.inside.parts:
        rows = scored.in_memory
        if not scored.measure.pairwise or rows.weight is None:
            continue
        if not scored.overall.settings["weighted"]:
            continue
        pos, neg = (np.where(of, rows.weight, 0.0) for of in (rows.positive, ~rows.positive))
        distinct, run = distinct_scores(rows.score)
        by_run = [np.bincount(run, weight, len(distinct)) for weight in (pos, neg)]
        pos_below, neg_below = (np.cumsum(of) - of / 2 for of in by_run)
        auc = scored.overall.value
        as_pos = (neg_below[run] / neg.sum() - auc) / pos.sum()
        as_neg = (1.0 - pos_below[run] / pos.sum() - auc) / neg.sum()
        yield _first_order(scored, rows.weight * (as_pos - as_neg), page)


def _areas(evaluation: EvaluationNumbers) -> Iterator[tuple[ScoreResult, Area]]:
    """Yield the measures of equally weighted rows that are functions of the counts by score."""
    for part in evaluation.parts:
        if not part.measure.pairwise and part.in_memory.weight is None:
            area = part.measure.of_table(part.in_memory)
            if area is not None:
                yield part, area


def _regions(page: Candidate) -> Iterator[Line]:
    """Yield partial areas to first order: the change if a single row changes its label."""
    for scored, area in _areas(page.inside):
        rows = scored.in_memory
        if len(rows) > _FEW_ROWS:
            share = rows.positive.astype(np.float64)
            influence = Blocks(rows.score.astype(np.float64)).gradient(area, share)
        else:
            influence = _row_by_row(scored, area)
        yield _first_order(scored, influence, page)


def _first_order(scored: ScoreResult, influence: _FLOATS, page: Candidate) -> Line:
    now, value = float(influence[scored.in_memory.positive].sum()), scored.overall.value
    low, high = _range(page.result(scored), scored.overall)
    return scored.on_table(influence), now + low - value, now + high - value


def _row_by_row(scored: ScoreResult, area: Area) -> _FLOATS:
    rows = scored.in_memory
    influence = np.zeros(len(rows))
    for row in range(len(rows)):
        labels = rows.positive.copy()
        labels[row] = ~labels[row]
        change = area(ScoreCounts.from_arrays(labels, rows.score)) - scored.overall.value
        influence[row] = -change if rows.positive[row] else change
    return influence


def _equal(evaluation: EvaluationNumbers) -> Iterator[ScoreResult]:
    """Return the AUCs that are linear in the labels for given class sizes."""
    for part in evaluation.parts:
        if part.measure.pairwise and not part.overall.settings["weighted"]:
            yield part


def _slack(estimate: Estimate, result: RoundedResult) -> tuple[float, float]:
    """Estimate how far the AUC may move before a requested limit rounds differently."""
    requested, shown = estimate.interval, result.interval
    if requested.method != shown.method:
        return np.inf, np.inf
    unit = 10.0**-result.decimals
    down = min(requested.low - shown.low, requested.high - (shown.high - unit))
    up = min(shown.low + unit - requested.low, shown.high - requested.high)
    return max(0.0, down), max(0.0, up)


def _range(result: RoundedResult, estimate: Estimate) -> tuple[float, float]:
    """Return the AUCs for which the value rounds the same, and the limits approximately so."""
    half = 0.5 * 10.0**-result.decimals
    down, up = _slack(estimate, result)
    return (
        max(0.0, result.value - half, estimate.value - down),
        min(1.0, result.value + half, estimate.value + up),
    )


def _area(
    scored: ScoreResult, rows: NDArray[np.intp], result: RoundedResult, estimate: Estimate
) -> Line:
    inside = scored.in_memory
    positives = int(inside.positive[rows].sum())
    weights = np.zeros(len(inside))
    weights[rows] = doubled_ranks(inside.score[rows])
    ends = rank_sum_ends(positives, len(rows) - positives, *_range(result, estimate))
    return scored.on_table(weights), *ends
