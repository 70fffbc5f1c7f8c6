"""A proof for larger tables: no exchange of two labels changes a rounded number on the page.

Exchanging the labels of a positive and a negative preserves the class sizes and changes an AUC by
less than 1/m + 1/n, with m positives and n negatives. If every number is farther than this bound
from its rounding boundary, each row can exchange its label.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.coarseness import CoarseCounts, Coarseness
from rocsolid.evaluation.public.many_pages import limits_stay
from rocsolid.evaluation.public.public_numbers import classes_stay
from rocsolid.evaluation.public.relabelled import exchange_ends, labels_of
from rocsolid.evaluation.public.segments import (
    SEGMENT_ROWS,
    RoundedResult,
    from_sizes,
    shown_segments,
)
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.auto import METHODS
from rocsolid.results.interval import VALUE
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.placements import Placements, SortedClasses

_GRID = np.linspace(-1.0, 1.0, 5)  # the points in each range where limits are computed


def alone(page: Candidate) -> int:
    """Return the number of rows that cannot exchange labels with any row at equal class sizes."""
    inside = page.inside
    if any(part.rows is None for part in inside.parts):
        sizes = {sum(part.sizes) for part in inside.parts}
        same_rows = len(inside.by_score) == 1 or sizes == {inside.n_rows}
        return 0 if same_rows else inside.n_rows
    labels, present = labels_of(inside)
    cells = _cells(inside)
    positives = np.bincount(cells[present & labels], minlength=cells.max() + 1)
    negatives = np.bincount(cells[present & ~labels], minlength=cells.max() + 1)
    mixed = (positives > 0) & (negatives > 0)
    return int(np.count_nonzero(present & ~mixed[cells]))


def any_exchange(page: Candidate) -> bool:
    """Return whether every published number stays the same for any exchange of labels.

    A row exchanges with rows in the same segment that lack the same scores; unpublished segments
    count as one. Rows without such a partner are counted by `alone`.
    """
    inside, coarseness, published = page.inside, page.coarseness, page.published
    name = inside.options.interval
    alone = all(scored.overall.interval.reads <= VALUE for scored in inside.parts)
    known = not coarseness.limits or alone or name in METHODS
    if not (known and all(_by_sizes(part) or _by_ends(part, coarseness) for part in inside.parts)):
        return False
    limits = coarseness.limits and name in METHODS and not alone
    for scored in inside.parts:
        result = page.result(scored)
        if not _by_sizes(scored):
            if inside.segments is not None or not _ends_stay(scored, result):
                return False
            continue
        if not _value_stays(scored.overall.value, scored.overall.exact, result, scored.sizes):
            return False
        if limits and not _limits_stay(_moments(scored), result, inside.options):
            return False
        if name in METHODS and not _limits_exist(scored, name):
            return False
    parts = {scored.score: scored for scored in inside.parts}
    return (
        all(_curve_stays(parts[score].in_memory, counts) for score, counts in published.curves)
        and _segments_stay(page)
        and all(classes_stay(inside, pairs) for pairs in published.pairs)
    )


def _by_sizes(part: ScoreResult) -> bool:
    return part.measure.pairwise and from_sizes(part.overall, "auc")


def _by_ends(part: ScoreResult, coarseness: Coarseness) -> bool:
    rows = part.rows
    plain = rows is not None and rows.weight is None and rows.cluster is None
    return plain and not coarseness.limits and part.measure.of_table(part.in_memory) is not None


def _ends_stay(part: ScoreResult, result: RoundedResult) -> bool:
    area = part.measure.of_table(part.in_memory)
    assert area is not None
    unit = Fraction(1, 10**result.decimals)
    ends = {round(Fraction(value) / unit) for value in exchange_ends(area, part.in_memory)}
    return ends == {round(Fraction(result.text) / unit)}


def _moments(part: ScoreResult) -> Moments | None:
    if part.reduced is not None:
        return part.reduced.summary.moments
    return None if part.rows is None else _placements(part.rows).moments


def _placements(rows: BinaryRows) -> Placements:
    return Placements.from_sorted(SortedClasses.from_arrays(rows.positive, rows.score))


def _value_stays(
    value: float, exact: Fraction | None, result: RoundedResult, sizes: tuple[int, int]
) -> bool:
    most = Fraction(1, sizes[0]) + Fraction(1, sizes[1])
    auc = Fraction(value) if exact is None else exact
    places = 10**result.decimals
    ends = {round(end * places) for end in (max(auc - most, Fraction(0)), min(auc + most, 1))}
    return ends == {round(auc * places)}


def _limits_stay(moments: Moments | None, result: RoundedResult, options: Options) -> bool:
    """Return whether limits that depend on the moments round equally after any exchange.

    With V the placements of the m positives among n negatives, one placement is replaced and each
    other changes by at most 1/n, so Σ(V − mean)² changes by at most 4(m − 1)/n + 3.
    """
    if moments is None:
        return False
    m, n = float(np.asarray(moments.n_pos)), float(np.asarray(moments.n_neg))
    if min(m, n) < 2:
        return False
    reach = 1 / m + 1 / n, (4 / n + 3 / (m - 1)) / m, (4 / m + 3 / (n - 1)) / n
    at = np.array(list(product(_GRID, _GRID, _GRID))).T
    auc, var_pos, var_neg = (
        float(np.asarray(middle)) + width * places
        for middle, width, places in zip(
            (moments.auc, moments.var_pos, moments.var_neg), reach, at, strict=True
        )
    )
    near = Moments(
        np.clip(auc, 0.0, 1.0),
        np.maximum(var_pos, 0.0),
        np.maximum(var_neg, 0.0),
        np.full(len(auc), m),
        np.full(len(auc), n),
    )
    return bool(limits_stay(near, result, options).all())


def _limits_exist(part: ScoreResult, name: str) -> bool:
    m, n = part.sizes
    ends = part.overall.value + np.array([-1.0, 1.0]) * (1 / m + 1 / n)
    near = Moments(np.clip(ends, 0.0, 1.0), np.ones(2), np.ones(2), float(m), float(n))
    return not METHODS[name].unsound(near).any()


def _curve_stays(rows: BinaryRows, counts: CoarseCounts) -> bool:
    ascending = np.sort(rows.score)
    above = rows.score[rows.positive]
    for cut, low, high in zip(counts.above, counts.low, counts.high, strict=True):
        seen = int(np.count_nonzero(above >= ascending[len(ascending) - cut]))
        least, most = max(0, cut - counts.n_neg), min(cut, counts.n_pos)
        if low > max(seen - 1, least) or high < min(seen + 1, most):
            return False
    return True


def _segments_stay(page: Candidate) -> bool:
    inside = page.inside
    if inside.segments is None:
        return True
    shown = shown_segments(inside)
    for scored in inside.parts:
        assert scored.grouped is not None
        if any(min(sizes) >= SEGMENT_ROWS for _, *sizes in scored.grouped.refused.values()):
            return False  # an exchange may make an estimate possible
        if shown and scored.rows is None:
            return False
        for group in shown:
            rows = scored.in_memory.subset(scored.grouped.groups.rows(group))
            placements = _placements(rows)
            sizes = placements.n_pos, placements.n_neg
            result = page.result(scored, group)
            if not _value_stays(placements.auc, Fraction(*placements.ratio), result, sizes):
                return False
            if page.coarseness.limits and not (
                inside.options.interval in METHODS
                and _limits_stay(placements.moments, result, inside.options)
            ):
                return False
    return True


def _cells(inside: EvaluationNumbers) -> NDArray[np.intp]:
    """Number the rows so that exchanges between equal numbers preserve all class sizes."""
    columns: list[NDArray[Any]] = [
        scored.kept for scored in inside.parts if scored.kept is not None
    ]
    if inside.segments is not None:
        code = inside.segments.code.copy()
        sizes = np.array(
            [
                [np.count_nonzero(scored.in_memory.positive[rows]) for rows in _groups(scored)]
                for scored in inside.parts
            ]
        )
        totals = np.array([[len(rows) for rows in _groups(scored)] for scored in inside.parts])
        smaller = np.minimum(sizes, totals - sizes).min(axis=0)
        code[smaller[code] < SEGMENT_ROWS - 1] = -1  # these segments are hidden before and after
        columns.append(code)
    if not columns:
        return np.zeros(inside.n_rows, dtype=np.intp)
    table = np.array(columns, dtype=np.int64).T
    return np.unique(table, axis=0, return_inverse=True)[1].reshape(-1)


def _groups(part: ScoreResult) -> list[NDArray[np.intp]]:
    assert part.grouped is not None
    groups = part.grouped.groups
    return [groups.rows(group) for group in range(len(groups))]
