"""The page's numbers as sums over labels: AUCs, curves and class sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rocsolid.evaluation.curve_panel import by_score
from rocsolid.evaluation.public.public_numbers import PublicNumbers
from rocsolid.evaluation.public.relabelled import Area, Blocks, exchange_ends
from rocsolid.evaluation.public.segments import RoundedResult, shown_segments
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult
from rocsolid.leaks.gaussian import LabelUnits
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.results import Estimate
from rocsolid.summaries.score_counts import ScoreCounts, distinct_scores

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lines:
    """low ≤ weights·labels ≤ high, row by row: the constraints that exchanges should keep.

    The constraints guide a search and prove nothing: the page of each labeling is published anew.
    """

    weights: _FLOATS
    low: _FLOATS
    high: _FLOATS

    def of_units(self, units: LabelUnits) -> Lines:
        return Lines(units.totals(self.weights), self.low, self.high)

    def beyond(self, sums: _FLOATS) -> _FLOATS:
        """Return the distance of sums from the allowed range, in widths; one column a labeling."""
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


def lines(evaluation: EvaluationNumbers, published: PublicNumbers) -> Lines:
    """Return the equations of a page with AUCs of equally weighted rows; other numbers are
    omitted.

    Class sizes of published segments stay the same, which is stricter than the page.
    """
    rows = [
        *_sizes(evaluation),
        *_overall(evaluation, published),
        *_weighted(evaluation, published),
        *_regions(evaluation, published),
        *_curves(evaluation, published),
        *_segments(evaluation, published),
    ]
    return Lines(
        np.array([weights for weights, _, _ in rows], dtype=np.float64),
        np.array([low for _, low, _ in rows], dtype=np.float64),
        np.array([high for _, _, high in rows], dtype=np.float64),
    )


def centres(evaluation: EvaluationNumbers, published: PublicNumbers, margin: float) -> Lines | None:
    """Return the measures over all rows, narrowed by ``margin`` exchanges; None if no range
    remains.

    Measures that are not sums over rows are narrowed by the largest effect of one exchange.
    """
    rows = [(line, margin * 2 * evaluation.n_rows) for line in _overall(evaluation, published)]
    curved = [
        scored
        for scored in evaluation.parts
        if not scored.measure.pairwise and scored.measure.of_table(scored.in_memory) is not None
    ]
    for scored, line in zip(curved, _regions(evaluation, published), strict=True):
        area = scored.measure.of_table(scored.in_memory)
        assert area is not None
        ends = exchange_ends(area, scored.in_memory)
        rows.append((line, margin * max(abs(end - scored.overall.value) for end in ends)))
    weights, low, high = (np.array(column) for column in zip(*(f for f, _ in rows), strict=True))
    reach = np.array([width for _, width in rows])
    if (high - low < 2 * reach).any():
        return None
    return Lines(weights, low + reach, high - reach)


_FEW_ROWS = 2000  # a partial area is recomputed for each row, or beyond this limit for each block
_Line = tuple[_FLOATS, float, float]


def _sizes(evaluation: EvaluationNumbers) -> Iterator[_Line]:
    seen = set()
    for part in by_score(evaluation):
        weights = _on_table(part, evaluation, np.ones(len(part.in_memory)))
        if weights.tobytes() not in seen:
            seen.add(weights.tobytes())
            yield weights, part.overall.n_pos, part.overall.n_pos


def _overall(evaluation: EvaluationNumbers, published: PublicNumbers) -> Iterator[_Line]:
    results = {result.score: result for result in published.overall if result.measure == "auc"}
    for part in _equal(evaluation):
        result = results[part.score]
        yield _area(part, evaluation, np.arange(len(part.in_memory)), result, part.overall)


def _curves(evaluation: EvaluationNumbers, published: PublicNumbers) -> Iterator[_Line]:
    parts = {scored.score: scored for scored in by_score(evaluation)}
    for score, counts in published.curves:
        scored = parts[score]
        values = scored.in_memory.score
        falling = np.sort(values)[::-1]
        for above, low, high in zip(counts.above, counts.low, counts.high, strict=True):
            inside = (values >= falling[above - 1]).astype(np.float64)
            yield _on_table(scored, evaluation, inside), float(low), float(high)


def _segments(evaluation: EvaluationNumbers, published: PublicNumbers) -> Iterator[_Line]:
    if evaluation.segments is None:
        return
    results = {
        (result.score, str(result.by)): result
        for result in published.results
        if result.by is not None and result.measure == "auc"
    }
    for group in shown_segments(evaluation):
        key = str(evaluation.segments.key(group))
        inside = (evaluation.segments.code == group).astype(np.float64)
        first = True
        for scored in _equal(evaluation):
            assert scored.grouped is not None
            rows = scored.grouped.groups.rows(group)
            if first:
                positives = float(scored.in_memory.positive[rows].sum())
                if scored.kept is not None:
                    inside = inside * scored.kept
                yield inside, positives, positives
                first = False
            yield _area(scored, evaluation, rows, results[scored.score, key], scored.grouped[group])


def _weighted(evaluation: EvaluationNumbers, published: PublicNumbers) -> Iterator[_Line]:
    """Return weighted AUCs to first order: a row's influence as a positive minus as a negative."""
    results = {result.score: result for result in published.overall if result.measure == "auc"}
    for scored in evaluation.parts:
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
        influence = _on_table(scored, evaluation, rows.weight * (as_pos - as_neg))
        now = float((rows.weight * (as_pos - as_neg))[rows.positive].sum())
        low, high = _range(results[scored.score], scored.overall)
        yield influence, now + low - auc, now + high - auc


def _regions(evaluation: EvaluationNumbers, published: PublicNumbers) -> Iterator[_Line]:
    """Return partial areas to first order: the change if a single row changes its label."""
    results = {(result.score, result.measure): result for result in published.overall}
    for scored in evaluation.parts:
        rows = scored.in_memory
        if scored.measure.pairwise or rows.weight is not None:
            continue
        area = scored.measure.of_table(rows)
        if area is None:
            continue
        if len(rows) > _FEW_ROWS:
            share = rows.positive.astype(np.float64)
            influence = Blocks(rows.score.astype(np.float64)).gradient(area, share)
        else:
            influence = _row_by_row(scored, area)
        now = float(influence[rows.positive].sum())
        low, high = _range(results[scored.score, scored.measure.name], scored.overall)
        value = scored.overall.value
        yield _on_table(scored, evaluation, influence), now + low - value, now + high - value


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
    scored: ScoreResult,
    evaluation: EvaluationNumbers,
    rows: NDArray[np.intp],
    result: RoundedResult,
    estimate: Estimate,
) -> _Line:
    inside = scored.in_memory
    positives = int(inside.positive[rows].sum())
    pairs = positives * (len(rows) - positives)
    weights = np.zeros(len(inside))
    weights[rows] = doubled_ranks(inside.score[rows])
    low, high = _range(result, estimate)
    least = positives * (positives + 1)
    return (
        _on_table(scored, evaluation, weights),
        float(np.ceil(least + 2 * pairs * low - 1e-6)),
        float(np.floor(least + 2 * pairs * high + 1e-6)),
    )


def _on_table(part: ScoreResult, evaluation: EvaluationNumbers, weights: _FLOATS) -> _FLOATS:
    if part.kept is None:
        return weights
    whole = np.zeros(evaluation.n_rows)
    whole[part.kept] = weights
    return whole
